/* What this browser keeps of a sitting: one record for each tab, and a lock that tells living tabs from dead ones.

   A record: the writer it was made under, a number that rises with every change, the items that wait for the server's
   acknowledgement, the checks and hints that wait. It is written before anything is sent. */

const WAIT_FOR_OLD_PAGE = 1500;

export class Store {
  constructor(uuid) {
    this.prefix = `sitting:${uuid}:`;
    this.memory = null;
  }

  /** Settle this tab's id. A copied tab finds the id taken by a living page and gets its own. */
  async open() {
    let id = this.#session();
    if (!id || !(await this.#hold(id))) {
      id = newId();
      await this.#hold(id);
    }
    this.tab = id;
    try {
      sessionStorage.setItem("sitting-tab", id);
    } catch {
      /* Each load of this tab then counts as a new one. */
    }
  }

  #session() {
    try {
      return sessionStorage.getItem("sitting-tab");
    } catch {
      return null;
    }
  }

  /** Hold this tab's lock for as long as the page lives. A reload waits for the page before it to let go. */
  #hold(id) {
    if (!navigator.locks) return true;
    return new Promise((settle) => {
      const options = { signal: AbortSignal.timeout(WAIT_FOR_OLD_PAGE) };
      const forever = () => new Promise(() => settle(true));
      navigator.locks.request(this.prefix + id, options, forever).catch(() => settle(false));
    });
  }

  read(id = this.tab) {
    try {
      const record = JSON.parse(localStorage.getItem(this.prefix + id));
      return record && typeof record.items === "object" ? record : null;
    } catch {
      return null;
    }
  }

  /** Keep the record, or nothing where nothing waits. False where the browser refuses: the page alone holds it then. */
  write(record) {
    try {
      if (record) localStorage.setItem(this.prefix + this.tab, JSON.stringify(record));
      else localStorage.removeItem(this.prefix + this.tab);
      return true;
    } catch {
      return false;
    }
  }

  remove(id) {
    try {
      localStorage.removeItem(this.prefix + id);
    } catch {
      /* Not ours to remove, then. */
    }
  }

  /** Records that tabs left behind which no longer live. Without locks nobody knows, so all count as left behind. */
  async leftBehind() {
    const found = [];
    for (const id of this.#others()) {
      const record = this.read(id);
      if (record && (await this.#isDead(id))) found.push({ id, record });
    }
    return found;
  }

  #others() {
    try {
      const mine = Object.keys(localStorage).filter((key) => key.startsWith(this.prefix));
      return mine.map((key) => key.slice(this.prefix.length)).filter((id) => id !== this.tab);
    } catch {
      return [];
    }
  }

  async #isDead(id) {
    if (!navigator.locks) return true;
    return navigator.locks.request(this.prefix + id, { ifAvailable: true }, (lock) => lock !== null);
  }
}

/** What waits in this tab. */
export class Waiting {
  constructor(store, writer) {
    this.store = store;
    this.all = { writer, n: 0, items: {}, checks: {}, hints: [] };
  }

  get entries() {
    return Object.values(this.all.items);
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
    for (const entry of Object.values(record.items)) {
      const own = mine.items[entry.p];
      if (own && (own.mine !== entry.mine ? own.mine : own.at > entry.at)) continue;
      mine.items[entry.p] = { ...entry, seq: ++mine.n };
    }
    Object.assign(mine.checks, record.checks);
    mine.hints = [...new Set([...mine.hints, ...(record.hints ?? [])])];
    this.keep();
  }

  keep() {
    this.isKept = !this.store.tab || this.store.write(this.isEmpty ? null : this.all);
  }
}

function newId() {
  return [...crypto.getRandomValues(new Uint8Array(8))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
