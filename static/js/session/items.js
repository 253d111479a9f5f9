/* One question: what the learner did with it, and how that looks; and the drill that marks answers at once. */

import { announce } from "./wire.js";

const LETTERS = "ABCDEFGHIJKLMN";

export class Item {
  constructor(section) {
    this.section = section;
    this.p = Number(section.id.slice(1));
    this.choose = Number(section.dataset.choose ?? 1);
    section.tabIndex = -1;
    this.heading = section.querySelector("h2");
    this.heading.tabIndex = -1;
    this.slot = section.querySelector(".verdict-slot");
    this.fieldset = section.querySelector("fieldset.options");
    this.rows = this.fieldset ? [...this.fieldset.querySelectorAll(".option")] : [];
    this.inputs = this.rows.map((row) => row.querySelector("input"));
    this.time = Number(section.dataset.seconds ?? 0) * 1000;
    this.isChecked = "checked" in section.dataset;
    this.state = { sel: this.#chosen(), out: this.#struck(), flag: false, conf: null, seen: false };
    this.state.flag = section.querySelector("input[name^=f-]")?.checked ?? false;
    this.isKnown = !this.isChecked; // a marked question has no inputs: the server says what was chosen
  }

  #chosen() {
    return this.inputs.filter((input) => input.checked).map((input) => Number(input.value));
  }

  #struck() {
    return this.rows.flatMap((row, place) => (row.classList.contains("is-struck") ? [place] : []));
  }

  get wire() {
    return { ...this.state, sec: Math.floor(this.time / 1000) };
  }

  /** At least as many options are chosen as asked for; a marked answer counts as it was given. */
  get isAnswered() {
    return this.state.sel.length >= (this.isChecked ? 1 : this.choose);
  }

  get isIncomplete() {
    return this.state.sel.length > 0 && !this.isAnswered;
  }

  /** Right, wrong, or nothing if the answer isn't marked or was only shown. */
  get verdict() {
    const line = this.slot?.querySelector(".verdict");
    return line?.classList.contains("is-right") ? "right" : line?.classList.contains("is-wrong") ? "wrong" : "";
  }

  get miscount() {
    const chosen = this.state.sel.length;
    if (this.isIncomplete) return `Choose ${this.choose - chosen} more.`;
    return chosen > this.choose ? `You chose ${chosen}; choose ${this.choose}.` : "";
  }

  get name() {
    const words = [`Question ${this.p}`, this.isAnswered ? "answered" : this.isIncomplete ? "incomplete" : "unanswered"];
    if (this.state.flag) words.push("flagged");
    if (this.verdict) words.push(this.verdict);
    return words.join(", ");
  }

  /** Take a state from the server or from the queue, and show it. */
  apply({ sel, out, flag, conf, sec, seen }) {
    Object.assign(this.state, { sel: [...sel], out: [...out], flag, conf });
    if (seen) this.state.seen = true; // queued questions were seen before a reload; the server doesn't say so
    this.time = Math.max(this.time, sec * 1000);
    this.isKnown = true;
    for (const [place, input] of this.inputs.entries()) input.checked = sel.includes(place);
    this.draw();
  }

  /** The inputs changed. */
  read() {
    this.state.sel = this.#chosen();
    this.draw();
  }

  choosePlace(place) {
    const input = this.inputs[place];
    if (!input || this.fieldset.disabled) return false;
    input.checked = input.type === "checkbox" ? !input.checked : true;
    this.read();
    return true;
  }

  strike(place) {
    if (!this.rows[place] || this.fieldset.disabled) return false;
    const out = new Set(this.state.out);
    if (!out.delete(place)) out.add(place);
    this.state.out = [...out].sort((a, b) => a - b);
    this.draw();
    return true;
  }

  draw() {
    this.rows.forEach((row, place) => {
      const isStruck = this.state.out.includes(place);
      row.classList.toggle("is-struck", isStruck);
      row.querySelector(".strike")?.setAttribute("aria-pressed", String(isStruck));
    });
    const isTooMany = this.state.sel.length > this.choose;
    const help = this.section.querySelector(".too-many") ?? (isTooMany ? this.#help() : null);
    if (!help) return;
    help.hidden = !isTooMany;
    help.textContent = isTooMany ? this.miscount : "";
  }

  #help() {
    const help = document.createElement("p");
    help.className = "help too-many";
    this.fieldset.after(help);
    return help;
  }

  /** Strike buttons come with the mode, one after each option. */
  showStrikes(isOn) {
    this.rows.forEach((row, place) => {
      const button = row.querySelector(".strike");
      if (!isOn) button?.remove();
      else if (!button) row.append(strikeButton(place));
    });
    this.draw();
  }

  freeze(isFrozen) {
    if (this.fieldset) this.fieldset.disabled = isFrozen;
    for (const button of this.section.querySelectorAll(".item-tools button")) button.disabled = isFrozen;
  }

  /** The server's verdict replaces the options. */
  judge(html) {
    this.slot.innerHTML = html;
    this.isChecked = true;
    this.section.dataset.checked = "";
    this.freeze(true);
    this.fieldset.hidden = true;
    this.section.querySelector(".item-tools").hidden = true;
    this.section.querySelector(".too-many")?.remove();
    this.section.querySelector(".hint:not([open])")?.remove();
  }
}

function strikeButton(place) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "strike";
  button.value = place;
  button.innerHTML = `<span class="visually-hidden">Strike out ${LETTERS[place]}</span>`;
  return button;
}

/** A drill that marks answers at once: check, show the answer, hints, and how sure the learner is. */
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

  /** A button in a question was pressed; the form's first button counts as Check. */
  press(button) {
    const item = this.pages.item;
    if (item.isChecked || this.queue.isUnchecked(item.p)) return;
    if (button?.dataset.sure) item.state.conf = Number(button.dataset.sure);
    const how = button?.name === "reveal" ? "reveal" : "check";
    if (how === "check" && !item.isAnswered) {
      this.#say(item, item.miscount || "Choose an answer first, or show the answer.");
      return;
    }
    if (how === "check" && this.tell.asksConfidence && !button?.dataset.sure) {
      item.section.querySelector("[data-sure]").focus();
      return;
    }
    item.freeze(true);
    item.heading.focus({ preventScroll: true });
    this.#say(item, "");
    this.pages.stamp();
    this.queue.check(item.p, item.wire, how);
    if (this.queue.trouble) this.unchecked(item.p, ""); // it may be long before the next attempt
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

  /** There is no verdict. Without the network it comes by itself later; otherwise the text says why. */
  unchecked(p, words) {
    const item = this.items.get(p);
    if (words) item.freeze(false);
    this.#say(item, words || "Not checked yet. Carry on: your choice is kept and will be checked when the server can be reached.");
  }

  /** Another page had the answer marked: fetch the verdict. */
  async look(p, address) {
    const response = await fetch(address, { headers: { "X-Fragment": "1" } }).catch(() => null);
    if (response?.ok) this.verdict(p, await response.text());
    else this.#say(this.items.get(p), "This answer was checked in another tab. Reload the page to see the result.");
  }

  /** After a reload: ask for the verdicts that are still outstanding. */
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
