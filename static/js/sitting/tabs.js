/* One tab writes. What other tabs left behind is taken in, or offered; a tab that was overtaken stops and says so. */

import { answers, notice } from "./wire.js";

const ELSEWHERE = "This sitting went on in another tab or device.";

export class Tabs {
  /** `known`: the writer the page was drawn with. `shown(item)` is called for each item that changes by it. */
  constructor(store, queue, items, known, shown) {
    Object.assign(this, { store, queue, items, known, shown });
    this.left = [];
  }

  /** A record made under the writer this page was drawn with is newer than all the server has: it is ours. */
  async gather() {
    await this.store.open();
    const own = this.store.read();
    const found = [...(own ? [{ id: this.store.tab, record: own }] : []), ...(await this.store.leftBehind())];
    for (const { id, record } of found) {
      if (record.writer !== this.known) this.left.push({ id, record });
      else {
        this.queue.waiting.adopt(record);
        if (id !== this.store.tab) this.store.remove(id);
      }
    }
    this.#show();
  }

  #show() {
    for (const entry of this.queue.waiting.entries) {
      const item = this.items.get(entry.p);
      if (!item) this.queue.waiting.drop(entry.p);
      else if (!item.isChecked) item.apply(entry);
      if (item) this.shown(item);
    }
  }

  /** The older records, where they say something else than the server: the learner decides. */
  offer(rows) {
    const differs = ({ p, mine, sel, flag, out }) => {
      const row = rows.find((one) => one.p === p);
      return mine && row && !this.items.get(p).isChecked && String([sel, flag, out]) !== String([row.sel, row.flag, row.out]);
    };
    for (const { record } of this.left) {
      record.items = Object.fromEntries(Object.entries(record.items).filter(([, entry]) => differs(entry)));
    }
    const count = new Set(this.left.flatMap(({ record }) => Object.keys(record.items))).size;
    if (!count) return this.#forget();
    const words = `${ELSEWHERE} This browser holds ${answers(count)} the server has not.`;
    const leave = { label: "Keep what the server has", quiet: true, press: () => this.#forget() };
    notice("left", words, [{ label: take(count), press: () => this.#send() }, leave]);
  }

  #send() {
    for (const { record } of this.left) this.queue.waiting.adopt({ ...record, checks: {} });
    this.#forget();
    this.#show();
    this.queue.now();
  }

  #forget() {
    for (const { id } of this.left.splice(0)) if (id !== this.store.tab) this.store.remove(id);
    notice("left", "");
  }

  /** The server has heard from a newer page. */
  overtaken(count) {
    const words = count ? `${ELSEWHERE} This tab holds ${answers(count)} the server has not.` : ELSEWHERE;
    notice("older", words, [{ label: take(count), press: () => this.queue.takeOver() }]);
  }
}

function take(count) {
  return count ? `Take over here and send ${count === 1 ? "it" : "them"}` : "Take over here";
}
