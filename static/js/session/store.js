/* What this browser keeps of a session: one record for each tab, and a lock that distinguishes live tabs from closed ones. A record
   that the learner has to decide about has a name of its own.

   A record: the writer it was made under, a number that rises with every change, and what waits for the server. It is
   written before anything is sent. Pages of 0.1.0 wrote theirs under former names, and some still wait in browsers. */

import { answers, attempt, notice } from "./wire.js";

const WAIT_FOR_OLD_PAGE = 1500;
const TAB = "session-tab";
const FORMER_TAB = "sitting-tab";
const ELSEWHERE = "You’ve continued this session in another tab or on another device.";

export class Store {
  constructor(uuid) {
    this.prefix = `answers:${uuid}:`;
    this.former = `sitting:${uuid}:`;
  }

  /** Settle this tab's id. A duplicated tab finds the id taken by a live page and gets its own. */
  async open() {
    const own = attempt(() => sessionStorage.getItem(TAB));
    const former = own ? null : attempt(() => sessionStorage.getItem(FORMER_TAB));
    let id = own ?? former;
    if (!id || (former && !(await this.#hold(id, this.former))) || !(await this.#hold(id))) {
      id = newId();
      await this.#hold(id);
    }
    this.tab = id;
    attempt(() => sessionStorage.setItem(TAB, id));
  }

  /** Hold this tab's lock for as long as the page lives. A reload waits for the previous page to release it. */
  #hold(id, prefix = this.prefix) {
    if (!navigator.locks) return true;
    return new Promise((settle) => {
      const options = { signal: AbortSignal.timeout(WAIT_FOR_OLD_PAGE) };
      const forever = () => new Promise(() => settle(true));
      navigator.locks.request(prefix + id, options, forever).catch(() => settle(false));
    });
  }

  #read(id) {
    const record = attempt(() => JSON.parse(localStorage.getItem(this.prefix + id)));
    return record?.items ? { id, record } : null;
  }

  /** Store the record, or nothing if nothing waits. False if the browser refuses: then only the page holds it. */
  write(record, id = this.tab) {
    if (!record) return this.remove(id);
    return attempt(() => localStorage.setItem(this.prefix + id, JSON.stringify(record)) ?? true, false);
  }

  /** Keep a record of this tab under a key that the tab won't overwrite. */
  setAside(record) {
    const id = newId();
    if (this.write(record, id)) this.remove(this.tab);
    return { id, record };
  }

  remove(id) {
    return attempt(() => localStorage.removeItem(this.prefix + id) ?? true, false);
  }

  /**
   * The records of this tab and of closed tabs. Without locks, live tabs can't be told from closed ones, so all others
   * count as closed.
   */
  async found() {
    await this.#rename();
    const found = [];
    for (const id of idsUnder(this.prefix)) {
      if (id === this.tab || (await this.#isDead(id))) found.push(this.#read(id));
    }
    return found.filter(Boolean);
  }

  /** Records under former names get today's, unless their tab is still open in the former release. */
  async #rename() {
    for (const id of idsUnder(this.former)) {
      if (id !== this.tab && !(await this.#isDead(id, this.former))) continue;
      const isFree = localStorage.getItem(this.prefix + id) === null;
      attempt(() => {
        localStorage.setItem(this.prefix + (isFree ? id : newId()), localStorage.getItem(this.former + id));
        localStorage.removeItem(this.former + id);
      });
    }
  }

  async #isDead(id, prefix = this.prefix) {
    if (!navigator.locks) return true;
    return navigator.locks.request(prefix + id, { ifAvailable: true }, (lock) => lock !== null);
  }
}

/** What waits in this tab. */
export class Waiting {
  constructor(store, writer) {
    this.store = store;
    this.all = { writer, n: 0, items: {}, checks: {}, hints: [] };
    this.left = []; // older records, for the learner to decide about
  }

  /** What waits, oldest first. */
  get entries() {
    return inOrder(this.all.items);
  }

  /** How many answers the server has not acknowledged; time spent and pages seen do not count as answers. */
  get count() {
    return this.entries.filter((entry) => entry.mine).length;
  }

  get isEmpty() {
    return !this.entries.length && !Object.keys(this.all.checks).length && !this.all.hints.length;
  }

  put(p, state, mine) {
    this.all.items[p] = { p, ...state, seq: ++this.all.n, at: Date.now(), mine: mine || Boolean(this.all.items[p]?.mine) };
    this.keep();
  }

  /** Acknowledged: gone, unless it has changed since. */
  acknowledge({ p, seq }) {
    if (this.all.items[p]?.seq <= seq) delete this.all.items[p];
    this.keep();
  }

  drop(p) {
    delete this.all.items[p];
    delete this.all.checks[p];
    this.keep();
  }

  renumber() {
    for (const entry of this.entries) entry.seq = ++this.all.n;
    this.keep();
  }

  /** Take in what a tab left behind, the newest of each item, under fresh numbers. */
  adopt(record) {
    const mine = this.all;
    mine.n = Math.max(mine.n, record.n ?? 0);
    for (const entry of inOrder(record.items)) {
      const own = mine.items[entry.p];
      if (own && (own.mine !== entry.mine ? own.mine : own.at > entry.at)) continue;
      mine.items[entry.p] = { ...entry, seq: ++mine.n };
    }
    Object.assign(mine.checks, record.checks);
    mine.hints = [...new Set([...mine.hints, ...(record.hints ?? [])])];
    this.keep();
  }

  /**
   * The server has newer answers, so these are set aside. What was seen and for how long stays true and goes with the
   * server's choice.
   */
  setAside(rows) {
    const { all, entries } = this;
    const mine = Object.fromEntries(entries.filter((entry) => entry.mine).map((entry) => [entry.p, entry]));
    if (this.count) this.left.push(this.store.setAside({ ...all, items: mine }));
    all.items = {};
    all.checks = {};
    for (const entry of entries) {
      const row = rows.find(({ p }) => p === entry.p);
      if (row && !row.done) all.items[entry.p] = { ...entry, ...row, sec: entry.sec, mine: false };
    }
    this.keep();
  }

  keep() {
    this.isKept = !this.store.tab || this.store.write(this.isEmpty ? null : this.all);
  }
}

/**
 * Only one tab writes. What other tabs left behind is taken in, or offered; a tab that was overtaken stops and says so.
 */
export class Tabs {
  /** `known`: the writer the page was rendered with; `total`: how many questions the session has. */
  constructor(store, queue, known, total) {
    Object.assign(this, { store, queue, known, total });
  }

  get left() {
    return this.queue.waiting.left;
  }

  /** Whether this browser holds any records: our own, or ones to ask about. */
  get hasAny() {
    return !this.queue.waiting.isEmpty || this.left.length > 0;
  }

  /** The page offers a choice that has not been made. */
  get isAsking() {
    return this.left.length > 0;
  }

  /**
   * A record made under the writer this page was rendered with is newer than anything the server has, so it is ours.
   */
  async gather() {
    await this.store.open();
    for (const { id, record } of await this.store.found()) {
      const isOwn = id === this.store.tab;
      if (record.writer !== this.known) this.left.push(isOwn ? this.store.setAside(record) : { id, record });
      else {
        this.queue.waiting.adopt(record);
        if (!isOwn) this.store.remove(id);
      }
    }
    this.#taken();
  }

  #taken() {
    const { waiting } = this.queue;
    for (const { p } of waiting.entries) if (!(p >= 1 && p <= this.total)) waiting.drop(p);
    this.queue.say("taken", waiting.entries);
  }

  /** Show the older records if they differ from the server's state: the learner decides. */
  offer(rows) {
    const differs = ({ p, mine, sel, flag, out }) => {
      const row = rows.find((one) => one.p === p);
      return mine && row && !row.done && String([sel, flag, out]) !== String([row.sel, row.flag, row.out]);
    };
    for (const { record } of this.left) {
      record.items = Object.fromEntries(Object.entries(record.items).filter(([, entry]) => differs(entry)));
    }
    const count = new Set(this.left.flatMap(({ record }) => Object.keys(record.items))).size;
    if (!count) return this.#forget();
    const words = `${ELSEWHERE} This browser has ${answers(count)} the server doesn’t have.`;
    const leave = { label: "Keep the server’s answers", quiet: true, press: () => this.#forget() };
    notice("left", words, [{ label: take(count), press: () => this.#send() }, leave]);
  }

  /**
   * Go to the choice: nothing can be submitted before it is made. Returns false if there is none yet, because the
   * server hasn't been reached.
   */
  ask() {
    const button = document.querySelector('[data-notice="left"] button');
    button?.focus();
    return button !== null;
  }

  #send() {
    for (const { record } of this.left) this.queue.waiting.adopt({ ...record, checks: {} });
    this.#forget();
    this.#taken();
    this.queue.now();
  }

  #forget() {
    for (const { id } of this.left.splice(0)) this.store.remove(id);
    notice("left", "");
  }

  /** The server has heard from a newer page. */
  overtaken(count) {
    const words = count ? `${ELSEWHERE} This tab has ${answers(count)} the server doesn’t have.` : ELSEWHERE;
    notice("older", words, [{ label: take(count), press: () => this.queue.takeOver() }]);
  }
}

function idsUnder(prefix) {
  const keys = attempt(() => Object.keys(localStorage), []);
  return keys.filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length));
}

function inOrder(items) {
  return Object.values(items).sort((a, b) => a.seq - b.seq);
}

function take(count) {
  return count ? `Take over here and send ${count === 1 ? "it" : "them"}` : "Take over here";
}

function newId() {
  return [...crypto.getRandomValues(new Uint8Array(8))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
