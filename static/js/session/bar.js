/* What the learner can do: with the bar, the keys, and the options themselves. */

import { openNote } from "../keep.js";
import { announce, choice } from "./wire.js";

const OFF = "session-keys";
const FIELDS = "input:not([type=radio], [type=checkbox]), textarea, select, [contenteditable]";
const PRESSABLE = "a, button, summary, input, label";
const byId = (id) => document.getElementById(id);

export class Bar {
  constructor(player) {
    this.player = player;
    this.isStriking = false;
  }

  listen(form) {
    const { player } = this;
    const { pages, ending, tabs } = player;
    const presses = {
      "bar-back": () => pages.back(),
      "bar-flag": () => this.flag(),
      "bar-sheet": () => pages.sheet(),
      "bar-next": () => pages.next(),
      "bar-strike": () => this.strikeMode(),
      "bar-help": () => byId("help").showModal(),
      "bar-pause": () => ending.pause(),
      "submit-session": () => tabs.ask() || ending.submit(),
    };
    for (const [id, press] of Object.entries(presses)) byId(id)?.addEventListener("click", press);
    listen({
      choose: (place) => this.#open(pages.item.choosePlace, place) && this.#answered(),
      strike: (place) => this.isStriking && this.#open(pages.item.strike, place) && player.record(pages.item),
      flag: presses["bar-flag"],
      strikeMode: presses["bar-strike"],
      next: presses["bar-next"],
      back: presses["bar-back"],
      sheet: presses["bar-sheet"],
      help: presses["bar-help"],
      summary: () => pages.go("#summary"),
      goOn: () => pages.view === "question" && pages.item.isChecked && pages.next(),
      star: () => pages.item.section.querySelector("[data-star]")?.click(),
      note: () => openNote(pages.item.section),
      escape: () => pages.view !== "question" && pages.go(pages.item.p),
    });
    form.addEventListener("change", (event) => {
      if (!event.target.closest(".options") || player.isFrozen) return;
      pages.item.read();
      this.#answered();
    });
    form.addEventListener("click", (event) => {
      const button = event.target.closest(".strike");
      if (button && this.#open(pages.item.strike, Number(button.value))) player.record(pages.item);
    });
  }

  /** Do something to the question in view, if its state allows it. */
  #open(deed, place) {
    const { pages, isFrozen } = this.player;
    return pages.view === "question" && !isFrozen && deed.call(pages.item, place);
  }

  #answered() {
    const { item } = this.player.pages;
    this.player.changed(item);
    this.player.record(item);
    if (item.state.sel.length > item.choose) announce(item.miscount);
    return true;
  }

  flag() {
    if (byId("bar-flag").disabled) return;
    const { item } = this.player.pages;
    item.state.flag = !item.state.flag;
    this.player.changed(item);
    this.player.record(item);
    announce(item.state.flag ? "Flagged" : "Not flagged");
  }

  strikeMode() {
    this.isStriking = !this.isStriking;
    announce(this.isStriking ? "Strike-out on" : "Strike-out off");
    this.draw();
  }

  draw() {
    const { pages, drill, isFrozen } = this.player;
    const { item, view } = pages;
    if (!item) return;
    item.showStrikes(this.isStriking);
    byId("bar-back").disabled = view !== "summary" && item.p === 1;
    const flag = byId("bar-flag");
    flag.disabled = isFrozen || view === "summary" || !item.isKnown;
    flag.setAttribute("aria-pressed", String(item.state.flag));
    flag.textContent = item.state.flag ? "Flagged" : "Flag";
    byId("bar-sheet").setAttribute("aria-expanded", String(view === "sheet"));
    byId("bar-strike").setAttribute("aria-pressed", String(this.isStriking));
    const isDone = Boolean(drill?.isDone);
    const isOpen = Boolean(drill) && !item.isChecked;
    const next = byId("bar-next");
    next.disabled = view === "summary";
    next.textContent = pages.isLast ? "Summary" : "Next";
    next.classList.toggle("btn--quiet", next.disabled || isDone || isOpen);
    // On an unanswered question this is only shown with the verdict, which would push it down.
    pages.stop.hidden = isOpen;
    if (drill) byId("done").hidden = !isDone;
  }
}

/** The keyboard map. Never in a text field, with Ctrl, Alt or Meta, or over an open dialog; it can be switched off. */
function listen(act) {
  const box = byId("keys-on");
  box.checked = choice(OFF) !== "off";
  box.addEventListener("change", () => choice(OFF, box.checked ? null : "off"));
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
    if (document.querySelector("dialog:modal") || event.target.closest?.(FIELDS)) return;
    if (event.key === "Enter") {
      if (!event.target.closest?.(PRESSABLE) && act.goOn()) event.preventDefault();
      return;
    }
    if (event.key === "Escape" && act.escape()) return event.preventDefault();
    if (box.checked && !event.repeat && press(event, act)) event.preventDefault();
  });
}

function press(event, act) {
  const digit = /^(?:Digit|Numpad)([1-6])$/.exec(event.code)?.[1];
  const letter = /^[a-e]$/i.test(event.key) ? event.key.toLowerCase().charCodeAt(0) - 97 : -1;
  const place = digit ? Number(digit) - 1 : letter;
  if (place >= 0) return event.shiftKey ? act.strike(place) : act.choose(place);
  if (event.key.startsWith("Arrow") && event.target.closest?.("input, summary, [role]")) return false;
  const command = {
    n: act.next,
    ArrowRight: act.next,
    p: act.back,
    ArrowLeft: act.back,
    f: act.flag,
    x: act.strikeMode,
    s: act.sheet,
    r: act.summary,
    k: act.star,
    w: act.note,
    "?": act.help,
  }[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (!command) return false;
  command();
  return true;
}
