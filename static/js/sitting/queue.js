/* The queue: every change is kept in this browser before it is sent, and leaves it when the server has acknowledged it.

   One request at a time. `tell` is told what happens: status, server, verdict, unchecked, refused, older, login, gone, over. */

import { post } from "./wire.js";

const SOON = 400;
const BATCH = 50;
const LONGEST_WAIT = 30000;

export class Queue {
  constructor(base, known, store, tell) {
    Object.assign(this, { base, known, store, tell });
    this.writer = null; // ours, once the server has given us one
    this.record = { writer: known, n: 0, items: {}, checks: {}, hints: [] };
    this.halt = ""; // older, login, gone: no sending until somebody acts
    this.isOver = false;
    this.busy = true; // until start()
    this.failures = 0;
    this.timer = 0;
    this.trouble = "";
    this.wanted = false; // a save is wanted even with nothing to send
    this.waiters = [];
    this.isKept = true;
  }

  /** The store is open: what this tab and dead ones left is in; claim, and send. */
  start() {
    this.busy = false;
    this.#keep();
    this.now();
  }

  /** How many answers the server has not acknowledged; time spent and pages seen do not count as answers. */
  get count() {
    return Object.values(this.record.items).filter((entry) => entry.mine).length;
  }

  get isEmpty() {
    const { items, checks, hints } = this.record;
    return !Object.keys({ ...items, ...checks }).length && !hints.length;
  }

  holds(p) {
    return this.record.items[p];
  }

  /** A change of one item: kept first, sent soon. */
  put(p, state, mine = true, delay = SOON) {
    const old = this.record.items[p];
    const seq = ++this.record.n;
    this.record.items[p] = { p, ...state, seq, at: Date.now(), mine: mine || Boolean(old?.mine) };
    this.#keep();
    this.#later(delay);
  }

  /** Judge an item of a drill; `how` is check or reveal. */
  check(p, state, how) {
    this.record.checks[p] = how;
    this.put(p, state, true, 0);
    this.now();
  }

  isUnchecked(p) {
    return p in this.record.checks;
  }

  openHint(p) {
    if (!this.record.hints.includes(p)) this.record.hints.push(p);
    this.#keep();
    this.#later(SOON);
  }

  /** Take in what a tab left behind, the newest of each item, under fresh numbers. */
  adopt(record) {
    for (const entry of Object.values(record.items).sort((a, b) => a.seq - b.seq)) {
      const own = this.record.items[entry.p];
      if (own && (own.mine !== entry.mine ? own.mine : own.at > entry.at)) continue;
      this.record.items[entry.p] = { ...entry, seq: ++this.record.n };
    }
    Object.assign(this.record.checks, record.checks);
    this.record.hints = [...new Set([...this.record.hints, ...(record.hints ?? [])])];
    this.#keep();
  }

  drop(p) {
    delete this.record.items[p];
    delete this.record.checks[p];
    this.#keep();
  }

  /** Send now, whatever the wait. */
  now() {
    clearTimeout(this.timer);
    this.timer = 0;
    return this.#pump();
  }

  /** Go on after a halt. */
  resume() {
    this.halt = "";
    this.wanted = true;
    this.now();
  }

  /** Claim the sitting for this tab again, and send what it holds under fresh numbers. */
  takeOver() {
    for (const entry of Object.values(this.record.items)) entry.seq = ++this.record.n;
    this.writer = null;
    this.resume();
  }

  /** Done when the server has acknowledged everything, and has answered at least once from now. */
  sync() {
    this.wanted = true;
    return new Promise((settle) => {
      this.waiters.push(settle);
      this.now();
    });
  }

  /** Nothing more goes out from this page: a save after a pause would let the clock run again. */
  close() {
    this.halt = "closed";
    clearTimeout(this.timer);
  }

  /** The page is going: send once more what waits, for the server to take or leave. */
  leave() {
    const batch = Object.values(this.record.items).slice(0, BATCH);
    if (batch.length && this.writer !== null && !this.halt) {
      post(`${this.base}save/`, this.#body(batch), { keepalive: true });
    }
  }

  #keep() {
    if (!this.store.tab) return;
    const kept = this.store.write(this.isEmpty ? null : this.record);
    if (this.isKept !== kept) this.tell.kept?.((this.isKept = kept));
  }

  #later(delay) {
    if (!this.timer && !this.busy && !this.halt) this.timer = setTimeout(() => this.now(), delay);
    this.#show();
  }

  async #pump() {
    if (this.busy || this.halt) return;
    this.busy = true;
    this.#show();
    let went = true;
    for (let job = this.#job(); went && job && !this.halt; job = went && this.#job()) went = await job.call(this);
    this.busy = false;
    if (went) {
      this.failures = 0;
      this.trouble = "";
    } else if (!this.halt) {
      const wait = Math.min(LONGEST_WAIT, 1000 * 2 ** this.failures++);
      this.timer = setTimeout(() => this.now(), wait * (0.5 + Math.random() / 2));
    }
    this.#show();
    if (went && !this.halt) this.#settle();
  }

  #settle() {
    for (const settle of this.waiters.splice(0)) settle();
    if (this.isOver) this.tell.over();
  }

  #job() {
    if (this.writer === null) return this.#claim;
    if (this.#batch().length) return this.#save;
    if (Object.keys(this.record.checks).length) return this.#check;
    if (this.wanted) return this.#save;
    return this.record.hints.length ? this.#hint : null;
  }

  /** What a save takes along. An answer to be judged goes with its check, unless that has failed before. */
  #batch() {
    const entries = Object.values(this.record.items);
    return entries.filter((entry) => this.failures || !this.isUnchecked(entry.p)).slice(0, BATCH);
  }

  async #claim() {
    const { status, data } = await post(`${this.base}claim/`, { zone: Intl.DateTimeFormat().resolvedOptions().timeZone });
    if (status === 200 && data?.over) {
      this.isOver = true;
      this.writer = this.known; // after the end nobody is asked who writes
      return true;
    }
    if (status !== 200 || !Array.isArray(data?.items)) return this.#failed(status, data);
    this.writer = this.record.writer = data.writer;
    this.#keep();
    this.tell.server(data);
    return true;
  }

  async #save() {
    const batch = this.#batch();
    this.wanted = false;
    const { status, data } = await post(`${this.base}save/`, this.#body(batch), { keepalive: document.hidden });
    if (status !== 200 || !Array.isArray(data?.saved)) {
      this.wanted ||= !batch.length || this.waiters.length > 0;
      return this.#failed(status, data);
    }
    const done = new Set([...data.saved, ...data.late, ...data.refused.map((refusal) => refusal.p)]);
    const taken = batch.filter((entry) => done.has(entry.p));
    taken.forEach((entry) => this.#acknowledge(entry));
    this.isOver = data.over;
    this.tell.saved(data);
    data.refused.forEach((refusal) => this.tell.refused(refusal.p, refusal.reason));
    return taken.length === batch.length || this.#failed(500);
  }

  #acknowledge({ p, seq }) {
    if (this.record.items[p]?.seq <= seq) delete this.record.items[p];
    this.#keep();
  }

  async #check() {
    const p = Number(Object.keys(this.record.checks)[0]);
    const how = this.record.checks[p];
    const entry = this.record.items[p] ?? this.tell.stateOf(p, ++this.record.n);
    const url = `${this.base}check/${how === "reveal" ? "?reveal=1" : ""}`;
    const { status, data, text } = await post(url, this.#body([entry]), { headers: { "X-Fragment": "1" } });
    if (status === 200 && text.includes("breakdown")) {
      delete this.record.checks[p];
      this.#acknowledge(entry);
      this.tell.verdict(p, text);
      return true;
    }
    if (status !== 400 && !(status === 410 && data)) {
      this.tell.unchecked(p, "");
      return this.#failed(status, data);
    }
    delete this.record.checks[p]; // the answer itself stays in the queue
    this.#keep();
    this.tell.unchecked(p, data?.error ?? "The server could not judge this.");
    return true;
  }

  async #hint() {
    const p = this.record.hints[0];
    const { status } = await post(`${this.base}hints/${p}/`, {});
    if (status === 0 || status >= 500 || status === 429) return this.#failed(status);
    this.record.hints.shift();
    this.#keep();
    return true;
  }

  #body(batch) {
    const items = batch.map(({ p, seq, sel, out, flag, conf, sec, seen }) => ({ p, seq, sel, out, flag, conf, sec, seen }));
    return { writer: this.writer, items };
  }

  #failed(status, data) {
    if (status === 403 && data?.login) this.#stop("login");
    else if (status === 409) this.#stop("older");
    else if (status === 404 || status === 410) this.#stop("gone", data?.error);
    else this.trouble = status === 0 || status === 200 ? "offline" : status >= 500 || status === 429 ? "away" : `refused (${status})`;
    return false;
  }

  #stop(why, words = "") {
    this.halt = why;
    this.tell[why](this.count, words);
  }

  #show() {
    if (this.halt === "closed") return;
    const { count, halt, trouble } = this;
    const waiting = count ? `, ${count} waiting` : "";
    if (halt) this.tell.status("stopped", `Not saved: ${STOPPED[halt]}${waiting}`);
    else if (trouble === "offline") this.tell.status("offline", `Offline${waiting}`);
    else if (trouble === "away") this.tell.status("offline", `No answer${waiting}`);
    else if (trouble) this.tell.status("offline", `Not saved: ${trouble}${waiting}`);
    else if (this.writer === null) this.tell.status("saving", "Opening");
    else if (this.busy || !this.isEmpty) this.tell.status("saving", "Saving");
    else this.tell.status("saved", "Saved");
  }
}

const STOPPED = { older: "open elsewhere", login: "signed out", gone: "sitting closed" };
