/**
 * The player: takes the page of a session, which works without it, and turns it into one question at a time with
 * autosave. Anything this browser holds is on its way to the server before rendering begins, whether or not rendering
 * succeeds.
 */

import { Bar } from "./session/bar.js";
import { Clock } from "./session/clock.js";
import { Device, restore, takeNote } from "./session/device.js";
import { Ending, Login } from "./session/dialogs.js";
import { Drill, Item } from "./session/items.js";
import { Pages, Sheet } from "./session/pages.js";
import { Plain } from "./session/plain.js";
import { replay } from "./session/queue.js";
import { notice } from "./session/wire.js";

const STALE = 20000;
const RELOAD = { label: "Reload the page", press: () => location.reload() };

class Player {
  constructor(root, form, { queue, tabs }, { login, ending }) {
    const { base, uuid, feedback, confidence, given } = root.dataset;
    Object.assign(this, { queue, tabs, login, ending });
    this.isFrozen = false;
    this.given = Number(given);
    this.synced = performance.now();
    this.items = new Map([...form.querySelectorAll("section.question")].map(read));
    this.sheet = new Sheet(this.items);
    const here = this.items.get(Number(form.querySelector(".question.is-here").id.slice(1)));
    this.pages = new Pages(this.items, here, {
      turned: (item, view) => this.#turned(item, view),
      left: (item) => this.record(item, false),
    });
    const asksConfidence = confidence !== undefined;
    const changed = (item) => this.changed(item);
    this.drill = feedback === undefined ? null : new Drill(this.items, this.queue, this.pages, { asksConfidence, changed });
    this.bar = new Bar(this);
    this.device = new Device(root, this);
    queue.tell = this.#ears(base);
    ending.freeze = () => this.freeze(true);
    for (const item of this.items.values()) {
      item.draw();
      this.sheet.draw(item);
    }
    this.pages.go(location.hash, { focus: location.hash !== "" });
    this.clock = new Clock(uuid, () => this.ending.atZero());
    this.pages.listen();
    this.bar.listen(form);
    this.#watch(form);
  }

  #ears(base) {
    return {
      status: (state, words) => this.#status(state, words),
      failed: () => notice("failed", "Part of this page couldn’t be shown. Your answers are still being saved.", [RELOAD]),
      taken: (entries) => this.#taken(entries),
      server: (data) => this.#server(data),
      saved: (data) => {
        if (this.login.isNeeded) this.device.keep(); // signing in has removed the key
        this.login.done();
        this.#resync(data);
      },
      stateOf: (p, seq) => ({ p, seq, ...this.items.get(p).wire }),
      verdict: (p, html) => {
        this.login.done();
        this.drill.verdict(p, html);
        this.device.note();
      },
      unchecked: (p, words) => this.drill?.unchecked(p, words),
      refused: (p, reason) => {
        if (this.drill && !this.items.get(p)?.isChecked) this.drill.look(p, `${base}items/${p}/`);
        else notice(`refused-${p}`, `Your answer to question ${p} wasn’t saved: ${reason}.`, [], "error");
      },
      login: () => this.login.ask(),
      older: (count) => this.#stop(() => this.tabs.overtaken(count)),
      gone: (_count, words) => {
        this.device.forget();
        this.#stop(() => notice("gone", `${words || "This session is closed."} Changes here are no longer saved.`));
      },
      over: () => this.drill?.isDone || this.ending.leave(),
    };
  }

  #stop(say) {
    this.freeze(true);
    this.ending.callOff();
    say();
  }

  #status(state, words) {
    const line = document.getElementById("savestate");
    const isTrouble = (name) => name === "offline" || name === "stopped";
    // Not every save needs to be announced, only trouble and its end.
    line.setAttribute("aria-live", isTrouble(state) || isTrouble(line.dataset.state) ? "polite" : "off");
    line.dataset.state = state;
    line.dataset.waiting = this.queue?.count ?? 0;
    if (line.textContent !== words) line.textContent = words;
    if (this.queue?.waiting.isKept === false) {
      notice("kept", "This browser can’t store answers for this page, so don’t close it while answers are waiting.");
    }
    this.ending?.draw();
  }

  /** What this browser held of the session. If no place was asked for, the learner left off at the newest change. */
  #taken(entries) {
    for (const entry of entries) {
      const item = this.items.get(entry.p);
      if (!item.isChecked) item.apply(entry);
      this.sheet.draw(item);
    }
    this.drill?.restore();
    const { pages } = this;
    if (entries.length && !/^#q/.test(location.hash) && pages.item === pages.here) pages.begin(this.items.get(entries.at(-1).p));
  }

  /** The server's state counts, except for what waits in this browser. */
  #server(data) {
    this.login.done();
    notice("older", "");
    if (data.paused || (this.device.isKept && this.ending.isUp && data.remaining > 0)) return location.reload();
    for (const row of data.items) {
      const item = this.items.get(row.p);
      const held = this.queue.holds(row.p);
      item.apply(held?.mine ? held : row);
      if (held && !held.mine) this.queue.put(row.p, item.wire, false); // only times and views; the server knows the rest
      this.sheet.draw(item);
    }
    this.#resync(data);
    if (!this.ending.isUp) this.freeze(false);
    this.tabs.offer(data.items);
    if (this.tabs.isAsking) this.ending.callOff(); // nothing is submitted before the learner has decided
    this.#turned(this.pages.item, this.pages.view);
    this.device.online();
    this.device.keep();
  }

  #resync({ remaining, given }) {
    this.synced = performance.now();
    if (given > this.given) this.#givenBack(given);
    if (!this.ending.isUp) this.clock.sync(remaining);
  }

  /**
   * The server was down and gives the time back. A clock that had stopped at zero starts again, and the page says why.
   */
  #givenBack(seconds) {
    this.given = seconds;
    if (this.ending.isUp && !this.ending.isLeaving) location.reload();
    else notice("given", `The site was unavailable. You’ve been given the lost time back: ${lasting(seconds)}.`);
  }

  /** Put a question's state into the queue; `mine` if the learner did something. */
  record(item, mine = true) {
    if (this.isFrozen || !item.isKnown || (item.isChecked && !mine)) return false;
    this.pages.stamp();
    this.queue.put(item.p, item.wire, mine);
    this.device?.note();
    return true;
  }

  changed(item) {
    this.sheet.draw(item);
    this.bar.draw();
  }

  #turned(item, view) {
    this.sheet.current(item);
    if (view === "summary") this.sheet.list(item);
    if (view === "question" && !item.isChecked) {
      item.state.seen = true;
      this.record(item, false);
    }
    this.bar.draw();
  }

  freeze(isOn) {
    this.isFrozen = isOn;
    for (const item of this.items.values()) item.freeze(isOn || item.isChecked || this.queue.isUnchecked(item.p));
    this.bar.draw();
  }

  #watch(form) {
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (this.isFrozen) return;
      if (this.drill) this.drill.press(event.submitter);
      else this.queue.now();
    });
    document.addEventListener("click", (event) => event.target.closest("[data-close]")?.closest("dialog").close());
    // After the start, errors happen in a key press or a click: the view may be wrong, but the queue isn't.
    addEventListener("error", ({ filename }) => filename?.startsWith(location.origin) && this.queue.say("failed"));
    addEventListener("online", () => this.queue.now());
    addEventListener("pagehide", () => {
      this.record(this.pages.item, false);
      this.queue.leave();
    });
    addEventListener("pageshow", (event) => event.persisted && this.queue.sync());
    document.addEventListener("visibilitychange", () => {
      if (document.hidden && this.record(this.pages.item, false)) this.queue.now();
      else if (!document.hidden && performance.now() - this.synced > STALE) this.queue.sync();
    });
  }
}

/** The same words as the server's. */
function lasting(seconds) {
  const [minutes, rest] = [Math.floor(seconds / 60), seconds % 60];
  if (minutes >= 60) return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  return [minutes && `${minutes} min`, rest && `${rest} s`].filter(Boolean).join(" ");
}

function read(section) {
  const item = new Item(section);
  return [item.p, item];
}

/** Begin to send queued answers first, then render the player. */
function open(root, form) {
  const note = takeNote(root);
  const line = replay(root.dataset);
  const stops = {};
  try {
    if (!restore(root, note)) {
      form.remove();
      return "on";
    }
    stops.login = new Login(line.queue);
    stops.ending = new Ending(root, line.queue);
    new Player(root, form, line, stops);
    return "on";
  } catch (error) {
    reportError(error);
    new Plain(root, form, line, stops);
    return "failed";
  }
}

const form = document.getElementById("answers");
const root = document.getElementById("session");
document.documentElement.dataset.player = form ? open(root, form) : "on";
