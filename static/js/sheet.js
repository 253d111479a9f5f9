/* A paper answer sheet, typed in: a row for each question, saved when the row is left, through the player's own queue. */

import { Ending, Login } from "./session/dialogs.js";
import { markOfOwner, nameOf, read as noted } from "./session/kept.js";
import { Saved } from "./session/plain.js";
import { replay } from "./session/queue.js";
import { attempt } from "./session/wire.js";

const BETWEEN = /[\s,;.+&/]/g;
const DONE = ["answered", "too-many", "closed"];
const MOVES = { Enter: 1, ArrowDown: 1, ArrowUp: -1 };

/** Reads a row as the server does: the places its letters name, or the letter that names no option. */
function read(text, letters) {
  const named = [...new Set(text.toUpperCase().replace(BETWEEN, ""))].sort();
  const wrong = named.find((letter) => !letters.includes(letter));
  return wrong ? { wrong } : { sel: named.map((letter) => letters.indexOf(letter)) };
}

/** The state of a row, and the message about it. */
function stateOf({ sel, wrong }, choose, letters) {
  if (wrong) return ["wrong", `There’s no option ${wrong} here, only ${letters[0]} to ${letters.at(-1)}. Not saved.`];
  if (!sel.length) return ["unanswered", ""];
  if (sel.length === choose) return ["answered", ""];
  return [sel.length < choose ? "incomplete" : "too-many", `You chose ${sel.length}; choose ${choose}.`];
}

class Row {
  constructor(box) {
    const { row, letters, choose, known, state } = box.dataset;
    Object.assign(this, { box, letters, p: Number(row), choose: Number(choose), isClosed: state === "closed" });
    this.input = box.querySelector("input");
    this.words = box.querySelector(".typed-state");
    this.known = known ? JSON.parse(known) : { out: [], flag: false, conf: null, sec: 0 };
    this.saved = String(this.typed.sel ?? "");
    this.settled = this.input.value;
  }

  get typed() {
    return read(this.input.value, this.letters);
  }

  draw() {
    if (this.isClosed) return;
    const [state, words] = stateOf(this.typed, this.choose, this.letters);
    this.box.dataset.state = state;
    this.words.textContent = words;
    if (state === "wrong") this.input.setAttribute("aria-invalid", "true");
    else this.input.removeAttribute("aria-invalid");
  }
}

class Sheet extends Saved {
  begin() {
    this.rows = new Map([...this.form.querySelectorAll("[data-row]")].map((box) => [Number(box.dataset.row), new Row(box)]));
    this.form.addEventListener("keydown", (event) => this.move(event));
    this.form.addEventListener("focusin", ({ target }) => target.name?.startsWith("t-") && target.select());
    this.tally();
  }

  /** Not seen and no time: no page has measured how long somebody read a printed question. */
  state(p) {
    const { typed, known } = this.rows.get(p);
    return { sel: typed.sel, ...known, seen: false };
  }

  /** Show what the server holds, but never over something being typed, or over something it couldn't read. */
  apply({ p, sel, out, flag, conf, sec }) {
    const row = this.rows.get(p);
    Object.assign(row, { known: { out, flag, conf, sec }, saved: String(sel) });
    const { typed, input } = row;
    if (input.value === row.settled && !typed.wrong && String(typed.sel) !== row.saved) {
      input.value = row.settled = sel.map((place) => row.letters[place]).join(" ");
    }
    row.draw();
    this.tally();
  }

  changed({ name }) {
    const row = this.rows.get(Number(/^t-(\d+)$/.exec(name)?.[1]));
    if (!row || row.isClosed) return;
    row.settled = row.input.value;
    row.draw();
    this.tally();
    const { sel } = row.typed;
    if (!sel || String(sel) === row.saved) return;
    row.saved = String(sel);
    this.queue.put(row.p, this.state(row.p));
    this.note(row.p, sel);
  }

  /** For the session's page that this device keeps, which a reload without the network leads to: what is typed, and who writes. */
  note(p, sel) {
    const name = nameOf(markOfOwner(), this.root.dataset.uuid);
    const entry = noted(name);
    if (!entry?.items?.[p]) return;
    entry.items[p].sel = sel;
    entry.writer = this.queue.writer ?? entry.writer;
    attempt(() => localStorage.setItem(name, JSON.stringify(entry)));
  }

  settle() {
    if (document.activeElement?.form === this.form) this.changed(document.activeElement);
  }

  freeze() {
    this.settle();
    for (const { input } of this.rows.values()) input.disabled = true;
  }

  move(event) {
    const by = event.target.name?.startsWith("t-") && !event.isComposing && MOVES[event.key];
    if (!by) return;
    event.preventDefault();
    const fields = [...this.form.querySelectorAll("[data-row] input:enabled"), this.form.querySelector("[name=finish]")];
    fields[fields.indexOf(event.target) + by]?.focus();
  }

  tally() {
    const count = [...this.rows.values()].filter(({ box }) => DONE.includes(box.dataset.state)).length;
    const line = document.getElementById("tally");
    line.dataset.answered = count;
    line.querySelector("[data-count]").textContent = count;
  }
}

const root = document.getElementById("session");
const form = document.getElementById("answers");
const line = replay(root.dataset);
try {
  const stops = { login: new Login(line.queue), ending: new Ending(root, line.queue) };
  new Sheet(root, form, line, stops);
  document.documentElement.dataset.player = "on";
} catch (error) {
  reportError(error);
  document.documentElement.classList.remove("player");
}
