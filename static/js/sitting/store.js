/* What this browser keeps of a sitting: one record for each tab, and a lock that tells living tabs from dead ones. */

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

function newId() {
  return [...crypto.getRandomValues(new Uint8Array(8))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
