/* The queue: every change is kept in this browser before it is sent, and leaves it when the server has acknowledged it.

   One request at a time. It doesn't depend on the page: `tell`, whose methods get the results, may be empty or fail. */

import { Store, Tabs, Waiting } from "./store.js";
import { post } from "./wire.js";

const SOON = 400;
const BATCH = 50;
const LONGEST_WAIT = 30000;
const STOPPED = { older: "session continued elsewhere", login: "signed out", gone: "session closed" };

export class Queue {
  /** `wasAway`: the page comes from the device; others may have written since the server gave out `known`. */
  constructor(base, known, store, wasAway = false) {
    Object.assign(this, { base, known, wasAway });
    this.tell = {};
    this.waiting = new Waiting(store, known);
    this.writer = null; // ours, once the server has given us one
    this.halt = ""; // older, login, gone, closed: nothing is sent until somebody acts
    this.trouble = ""; // why the last request failed
    this.isOver = false;
    this.isBusy = true; // until start()
    this.isWanted = false; // a save is wanted even with nothing to send
    this.failures = 0;
    this.timer = 0;
    this.waiters = [];
  }

  /** A listener may fail to draw; queued answers are sent all the same. */
  say(what, ...words) {
    try {
      return this.tell[what]?.(...words);
    } catch (error) {
      reportError(error);
      this.tell.failed?.();
    }
  }

  /** The store is open and has taken in what other tabs left behind: claim the session, and send. */
  start() {
    this.isBusy = false;
    this.waiting.keep();
    this.now();
  }

  get count() {
    return this.waiting.count;
  }

  holds(p) {
    return this.waiting.all.items[p];
  }

  isUnchecked(p) {
    return p in this.waiting.all.checks;
  }

  /** A change of one item: kept first, sent soon. `mine`: the learner did something rather than just looked at it. */
  put(p, state, mine = true) {
    this.waiting.put(p, state, mine);
    this.#later();
  }

  /** Mark an item of a drill; `how` is check or reveal. */
  check(p, state, how) {
    this.waiting.all.checks[p] = how;
    this.waiting.put(p, state, true);
    this.now();
  }

  openHint(p) {
    const { hints } = this.waiting.all;
    if (!hints.includes(p)) hints.push(p);
    this.waiting.keep();
    this.#later();
  }

  /** Send now, whatever the wait. */
  now() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.#pump();
  }

  /** Continue after a halt. */
  resume() {
    this.halt = "";
    this.isWanted = true;
    this.now();
  }

  /** Claim the session for this tab again, and send what it holds under new numbers. */
  takeOver() {
    this.waiting.renumber();
    this.writer = null;
    this.resume();
  }

  /** Resolves once the server has acknowledged everything, and has answered at least once from now. */
  sync() {
    this.isWanted = true;
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

  /** The page is being left: send what waits once more. The server may or may not receive it. */
  leave() {
    const batch = this.waiting.entries.slice(0, BATCH);
    if (batch.length && this.writer !== null && !this.halt) {
      post(`${this.base}save/`, this.#body(batch), { keepalive: true });
    }
  }

  #later() {
    if (!this.timer && !this.isBusy && !this.halt) this.timer = setTimeout(() => this.now(), SOON);
    this.#show();
  }

  async #pump() {
    if (this.isBusy || this.halt) return;
    this.isBusy = true;
    this.#show();
    let went = true;
    for (let job = this.#job(); went && job && !this.halt; job = went && this.#job()) went = await job.call(this);
    this.isBusy = false;
    if (went) {
      this.failures = 0;
      this.trouble = "";
    } else if (!this.halt) {
      for (const p of Object.keys(this.waiting.all.checks)) this.say("unchecked", Number(p), "");
      const wait = Math.min(LONGEST_WAIT, 1000 * 2 ** this.failures++);
      this.timer = setTimeout(() => this.now(), wait * (0.5 + Math.random() / 2));
    }
    this.#show();
    if (!went || this.halt) return;
    for (const settle of this.waiters.splice(0)) settle();
    if (this.isOver) this.say("over");
  }

  #job() {
    if (this.writer === null) return this.#claim;
    if (this.#batch().length) return this.#save;
    if (Object.keys(this.waiting.all.checks).length) return this.#check;
    if (this.isWanted) return this.#save;
    return this.waiting.all.hints.length ? this.#hint : null;
  }

  /** What a save contains. An answer to be marked goes with its check, unless that has failed before. */
  #batch() {
    return this.waiting.entries.filter((entry) => this.failures || !this.isUnchecked(entry.p)).slice(0, BATCH);
  }

  async #claim() {
    const { status, data } = await post(`${this.base}claim/`, { zone: Intl.DateTimeFormat().resolvedOptions().timeZone });
    if (status === 200 && data?.over) {
      this.isOver = true;
      this.writer = this.known; // after the end it doesn't matter who writes
      return true;
    }
    if (status !== 200 || !Array.isArray(data?.items)) return this.#failed(status, data);
    // The last saver decides, not the number of claims: the response to our own claim may have been lost.
    if (this.wasAway && data.latest > this.known) this.#setAside(data.items);
    this.wasAway = false; // if another page continues from now on, a refusal says so
    this.writer = this.waiting.all.writer = data.writer;
    this.waiting.keep();
    this.say("server", data);
    return true;
  }

  /** Another page has saved since. */
  #setAside(rows) {
    const checks = Object.keys(this.waiting.all.checks);
    this.waiting.setAside(rows);
    for (const p of checks) this.say("unchecked", Number(p), "Not checked: you’ve continued this session in another tab or on another device.");
  }

  async #save() {
    const batch = this.#batch();
    this.isWanted = false;
    const { status, data } = await post(`${this.base}save/`, this.#body(batch), { keepalive: document.hidden });
    if (status !== 200 || !Array.isArray(data?.saved)) {
      this.isWanted ||= !batch.length || this.waiters.length > 0;
      return this.#failed(status, data);
    }
    const done = new Set([...data.saved, ...data.late, ...data.refused.map((refusal) => refusal.p)]);
    const taken = batch.filter((entry) => done.has(entry.p));
    for (const entry of taken) this.waiting.acknowledge(entry);
    this.isOver = data.over;
    this.say("saved", data);
    for (const { p, reason } of data.refused) this.say("refused", p, reason);
    return taken.length === batch.length || this.#failed(500);
  }

  async #check() {
    const { checks, items } = this.waiting.all;
    const p = Number(Object.keys(checks)[0]);
    const entry = items[p] ?? this.say("stateOf", p, ++this.waiting.all.n);
    const url = `${this.base}check/${checks[p] === "reveal" ? "?reveal=1" : ""}`;
    const { status, data, text } = await post(url, this.#body([entry]), { headers: { "X-Fragment": "1" } });
    const isJudged = status === 200 && text.includes("breakdown");
    const isDenied = data !== null && (status === 400 || status === 410);
    if (!isJudged && !isDenied) return this.#failed(status, data);
    delete checks[p];
    if (isJudged) this.waiting.acknowledge(entry);
    else this.waiting.keep(); // the answer itself goes with the next save
    if (isJudged) this.say("verdict", p, text);
    else this.say("unchecked", p, data.error);
    return true;
  }

  async #hint() {
    const { hints } = this.waiting.all;
    const { status } = await post(`${this.base}hints/${hints[0]}/`, {});
    if (status === 0 || status >= 500 || status === 429) return this.#failed(status);
    hints.shift();
    this.waiting.keep();
    return true;
  }

  #body(batch) {
    return { writer: this.writer, items: batch };
  }

  #failed(status, data) {
    if (status === 403 && data?.login) this.#stop("login");
    else if (status === 409) this.#stop("older");
    else if (status === 404 || status === 410) this.#stop("gone", data?.error);
    else if (status === 0 || status === 200) this.trouble = "Offline";
    else this.trouble = status >= 500 || status === 429 ? "No response" : `Not saved (error ${status}): reload the page`;
    return false;
  }

  #stop(why, words = "") {
    this.halt = why;
    this.say(why, this.count, words);
  }

  #show() {
    const { count, halt, trouble } = this;
    const waiting = count ? `, ${count} waiting` : "";
    if (halt === "closed") return;
    if (halt) this.say("status", "stopped", `Not saved: ${STOPPED[halt]}${waiting}`);
    else if (trouble) this.say("status", "offline", trouble + waiting);
    else if (this.writer === null) this.say("status", "saving", "Loading");
    else if (this.isBusy || !this.waiting.isEmpty) this.say("status", "saving", "Saving");
    else this.say("status", "saved", "Saved");
  }
}

/**
 * Begin to send what this browser holds of a session, from the data of a page. Drawing comes after this and may fail.
 * `ifAny`: don't even claim the session if nothing is held.
 */
export function replay({ base, uuid, writer, total, kept }, { ifAny = false } = {}) {
  const store = new Store(uuid);
  const queue = new Queue(base, Number(writer), store, kept !== undefined);
  const tabs = new Tabs(store, queue, Number(writer), Number(total));
  const begun = tabs.gather().catch(reportError);
  begun.then(() => (!ifAny || tabs.hasAny) && queue.start());
  return { queue, tabs, begun };
}
