/* A drill that judges at once: check, show the answer, hints, and how sure the learner is. */

import { announce } from "./wire.js";

export class Drill {
  constructor(items, queue, pages, tell) {
    Object.assign(this, { items, queue, pages, tell });
    for (const item of items.values()) {
      item.section.querySelector(".hint")?.addEventListener("toggle", (event) => {
        if (event.target.open && !item.isChecked) queue.openHint(item.p);
      });
    }
  }

  get isDone() {
    return [...this.items.values()].every((item) => item.isChecked);
  }

  /** A button in a question was pressed; the first button of the form stands for Check. */
  press(button) {
    const item = this.pages.item;
    if (item.isChecked || this.queue.isUnchecked(item.p)) return;
    if (button?.dataset.sure) item.state.conf = Number(button.dataset.sure);
    const how = button?.name === "reveal" ? "reveal" : "check";
    if (how === "check" && !item.isAnswered) {
      this.#say(item, "Choose an answer first, or show the answer.");
      return;
    }
    if (how === "check" && this.tell.asksConfidence && !button?.dataset.sure) {
      item.section.querySelector("[data-sure]").focus();
      return;
    }
    item.freeze(true);
    this.#say(item, "");
    this.pages.stamp();
    this.queue.check(item.p, item.wire, how);
  }

  /** The verdict came. Focus goes to it where the learner still waits for it. */
  verdict(p, html) {
    const item = this.items.get(p);
    const isHere = this.pages.item === item && this.pages.view === "question";
    const isWaiting = isHere && (item.section.contains(document.activeElement) || document.activeElement === document.body);
    this.#say(item, "");
    item.judge(html);
    const line = item.slot.querySelector(".verdict");
    if (isWaiting) line.focus({ preventScroll: true });
    if (isWaiting) line.scrollIntoView({ block: "nearest" });
    else announce(`Question ${p}: ${line.querySelector("h3").textContent.trim()}`);
    this.tell.changed(item);
  }

  /** No verdict: for want of the network it comes by itself later, else the words say why. */
  unchecked(p, words) {
    const item = this.items.get(p);
    if (words) item.freeze(false);
    this.#say(item, words || "Not checked yet. Your choice is kept; go on, it is checked when the server can be reached.");
  }

  /** Another page had it judged: fetch that. */
  async look(p, address) {
    const response = await fetch(address, { headers: { "X-Fragment": "1" } }).catch(() => null);
    if (response?.ok) this.verdict(p, await response.text());
    else this.#say(this.items.get(p), "This answer was judged in another tab. Load the page again to see it.");
  }

  /** After a reload: what still waits for its check. */
  restore() {
    for (const item of this.items.values()) {
      if (!this.queue.isUnchecked(item.p) || item.isChecked) continue;
      item.freeze(true);
      this.unchecked(item.p, "");
    }
  }

  #say(item, words) {
    const line = item.section.querySelector(".check-state");
    if (line.textContent === words) return;
    line.textContent = words;
    line.hidden = !words;
    if (words) announce(words);
  }
}
