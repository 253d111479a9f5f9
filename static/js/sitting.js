/* The player: takes the page of a sitting, which works without it, and makes it one question at a time with autosave. */

import { Bar } from "./sitting/bar.js";
import { Clock } from "./sitting/clock.js";
import { Ending, Login } from "./sitting/dialogs.js";
import { Drill, Item } from "./sitting/items.js";
import { Pages, Sheet } from "./sitting/pages.js";
import { Queue } from "./sitting/queue.js";
import { Store, Tabs } from "./sitting/store.js";
import { notice } from "./sitting/wire.js";

const STALE = 20000;

class Player {
  constructor(root, form) {
    const { base, uuid, feedback, confidence } = root.dataset;
    const known = Number(root.dataset.writer);
    const store = new Store(uuid);
    this.isFrozen = false;
    this.synced = performance.now();
    this.items = new Map([...form.querySelectorAll("section.question")].map(read));
    this.queue = new Queue(base, known, store, this.#ears(base));
    this.login = new Login(this.queue);
    this.sheet = new Sheet(this.items);
    this.ending = new Ending(root, this.queue, () => this.freeze(true));
    this.pages = new Pages(this.items, {
      turned: (item, view) => this.#turned(item, view),
      left: (item) => this.record(item, false),
    });
    const asksConfidence = confidence !== undefined;
    const changed = (item) => this.changed(item);
    this.drill = feedback === undefined ? null : new Drill(this.items, this.queue, this.pages, { asksConfidence, changed });
    this.tabs = new Tabs(store, this.queue, this.items, known, (item) => this.sheet.draw(item));
    this.bar = new Bar(this, form);
    for (const item of this.items.values()) {
      item.draw();
      this.sheet.draw(item);
    }
    this.pages.go(location.hash, { focus: location.hash !== "" });
    this.clock = new Clock(uuid, () => this.ending.atZero());
    this.#watch(form);
    this.#open();
  }

  async #open() {
    await this.tabs.gather();
    this.drill?.restore();
    this.queue.start();
  }

  #ears(base) {
    return {
      status: (state, words) => this.#status(state, words),
      server: (data) => this.#server(data),
      saved: (data) => {
        this.login.done();
        this.#resync(data.remaining);
      },
      stateOf: (p, seq) => ({ p, seq, ...this.items.get(p).wire }),
      verdict: (p, html) => {
        this.login.done();
        this.drill.verdict(p, html);
      },
      unchecked: (p, words) => this.drill?.unchecked(p, words),
      refused: (p, reason) => {
        if (this.drill && !this.items.get(p)?.isChecked) this.drill.look(p, `${base}items/${p}/`);
        else notice(`refused-${p}`, `Question ${p} was not saved: ${reason}.`, [], "error");
      },
      login: () => this.login.ask(),
      older: (count) => this.#stop(() => this.tabs.overtaken(count)),
      gone: (count, words) => {
        this.#stop(() => notice("gone", `${words || "This sitting is closed."} What you see here is not saved any more.`));
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
    // Every save need not be spoken: only trouble, and its end.
    line.setAttribute("aria-live", isTrouble(state) || isTrouble(line.dataset.state) ? "polite" : "off");
    line.dataset.state = state;
    if (line.textContent !== words) line.textContent = words;
    if (this.queue?.waiting.isKept === false) {
      notice("kept", "This browser keeps nothing for this page: do not close it while answers are waiting.");
    }
    this.ending?.draw();
  }

  /** The server's word holds, but for what waits in this browser. */
  #server(data) {
    this.login.done();
    notice("older", "");
    if (data.paused) return location.reload();
    for (const row of data.items) {
      const item = this.items.get(row.p);
      const held = this.queue.holds(row.p);
      item.apply(held?.mine ? held : row);
      if (held && !held.mine) this.queue.put(row.p, item.wire, false); // only time and sight wait: the server knows the rest
      this.sheet.draw(item);
    }
    this.#resync(data.remaining);
    if (!this.ending.isUp) this.freeze(false);
    this.tabs.offer(data.items);
    this.#turned(this.pages.item, this.pages.view);
  }

  #resync(remaining) {
    this.synced = performance.now();
    if (!this.ending.isUp) this.clock.sync(remaining);
  }

  /** Put a question's state into the queue; `mine` where the learner did something. */
  record(item, mine = true) {
    if (this.isFrozen || !item.isKnown || (item.isChecked && !mine)) return false;
    this.pages.stamp();
    this.queue.put(item.p, item.wire, mine);
    return true;
  }

  changed(item) {
    this.sheet.draw(item);
    this.bar.draw();
  }

  #turned(item, view) {
    this.sheet.current(item);
    if (view === "review") this.sheet.list(item);
    if (view === "question" && !item.state.seen && !item.isChecked) {
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

function read(section) {
  const item = new Item(section);
  return [item.p, item];
}

const form = document.getElementById("answers");
if (form) new Player(document.getElementById("sitting"), form);
document.documentElement.dataset.player = "on";
