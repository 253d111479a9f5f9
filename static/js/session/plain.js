/**
 * A session's form that is saved as it is filled in, without the player. If the player couldn't be rendered, the
 * questions are below one another, as without script; the sheet of a paper booklet (js/sheet.js) has its own fields.
 */

import { Clock } from "./clock.js";
import { notice } from "./wire.js";

const FAILED = "This page couldn’t load fully, so all the questions are shown in one list. Your answers are still being saved.";
const RELOAD = { label: "Reload the page", press: () => location.reload() };

export class Saved {
  /** `stops`: the dialogs for an ended login and for the end, if there are any. */
  constructor(root, form, { queue, tabs }, stops) {
    Object.assign(this, { root, form, queue, tabs, stops });
    this.begin();
    if (stops.ending) stops.ending.freeze = () => this.freeze();
    queue.tell = this.#ears();
    form.addEventListener("change", (event) => this.changed(event.target));
    document.addEventListener("submit", (event) => this.#submit(event));
    addEventListener("online", () => queue.now());
    addEventListener("pagehide", () => {
      this.settle();
      queue.leave();
    });
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) return;
      this.settle();
      queue.now();
    });
    this.clock = new Clock(root.dataset.uuid, () => stops.ending?.atZero());
  }

  #ears() {
    return {
      status: (state, words) => this.#status(state, words),
      taken: (entries) => {
        for (const entry of entries) this.apply(entry);
      },
      server: (data) => this.#server(data),
      saved: ({ remaining }) => this.clock.sync(remaining),
      stateOf: (p, seq) => ({ p, seq, ...this.state(p) }),
      verdict: () => notice("judged", "An answer was checked. Reload the page to see how it went.", [RELOAD]),
      unchecked: (p, words) => words && notice(`refused-${p}`, `Question ${p}: ${words}`),
      refused: (p, reason) => notice(`refused-${p}`, `Your answer to question ${p} wasn’t saved: ${reason}.`, [], "error"),
      login: () => this.stops.login?.ask(),
      older: (count) => this.tabs.overtaken(count),
      gone: (_count, words) => notice("gone", words || "This session is closed. Changes here are no longer saved."),
      over: () => location.replace(this.root.dataset.results),
    };
  }

  #status(state, words) {
    const line = document.getElementById("savestate");
    line.dataset.state = state;
    line.dataset.waiting = this.queue.count;
    line.textContent = words;
  }

  #server({ writer, remaining, paused, items }) {
    this.stops.login?.done();
    notice("older", "");
    if (paused) return location.reload();
    this.form.elements.writer.value = writer; // the form saves on behalf of this page too
    for (const row of items) if (!row.done) this.apply(this.queue.holds(row.p) ?? row);
    this.clock.sync(remaining);
    this.tabs.offer(items);
  }

  #fields(p, name) {
    return [...this.form.querySelectorAll(`input[name="${name}-${p}"]`)];
  }

  apply({ p, sel, flag }) {
    for (const input of this.#fields(p, "a")) input.checked = sel.includes(Number(input.value));
    for (const input of this.#fields(p, "f")) input.checked = flag;
  }

  state(p) {
    const [sel, conf] = ["a", "c"].map((name) => this.#fields(p, name).filter((input) => input.checked).map((input) => Number(input.value)));
    const section = document.getElementById(`q${p}`);
    const out = [...section.querySelectorAll(".option")].flatMap((row, place) => (row.classList.contains("is-struck") ? [place] : []));
    const flag = this.#fields(p, "f").some((input) => input.checked);
    return { sel, out, flag, conf: conf[0] ?? null, sec: Number(section.dataset.seconds ?? 0), seen: true };
  }

  changed({ name }) {
    const p = Number(/^[acf]-(\d+)$/.exec(name)?.[1]);
    if (p) this.queue.put(p, this.state(p));
  }

  /** The state before anything is heard from the server or the clock. */
  begin() {}

  /** Text being typed counts even before its field is left. Checkboxes have no such state in between. */
  settle() {}

  freeze() {
    for (const field of this.form.querySelectorAll("fieldset")) field.disabled = true;
  }

  /** Every form of the page is sent after the queue, so that the page it opens knows every answer. */
  async #submit(event) {
    const { target, submitter } = event;
    if (target === this.sent || target.method !== "post") return;
    event.preventDefault();
    if (this.sent) return;
    this.settle();
    notice("waiting", "Sending your answers first.");
    await this.queue.sync();
    this.form.elements.writer.value = this.queue.writer;
    this.sent = target;
    target.requestSubmit(submitter);
  }
}

/** Used when the player's page fails: it says so, and continues as a list. */
export class Plain extends Saved {
  constructor(...parts) {
    const { dataset, classList } = document.documentElement;
    classList.remove("player");
    delete dataset.view;
    notice("failed", FAILED, [RELOAD]);
    super(...parts);
  }
}
