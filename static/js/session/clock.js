/**
 * The clock: counts on from the server's figure with performance.now(), which a change of the computer's time doesn't
 * affect.
 */

import { announce, choice } from "./wire.js";

const LOW = 5 * 60000;
const SPOKEN = [
  [10 * 60000, "10 minutes left."],
  [LOW, "5 minutes left."],
  [60000, "1 minute left."],
];

export class Clock {
  constructor(uuid, atZero) {
    this.box = document.getElementById("clock");
    this.atZero = atZero;
    this.name = `session-clock:${uuid}`;
    this.isDone = !this.box;
    if (this.isDone) return;
    this.text = document.getElementById("clock-text");
    this.button = document.getElementById("clock-hide");
    this.isHidden = (choice(this.name) ?? choice(`sitting-clock:${uuid}`)) === "hidden";
    this.last = Infinity;
    this.said = new Set();
    this.button.addEventListener("click", () => this.#hide(!this.isHidden));
    document.addEventListener("visibilitychange", () => this.#tick());
    this.sync(Number(this.box.dataset.remaining));
  }

  /** This many milliseconds are left. */
  sync(remaining) {
    if (this.isDone || typeof remaining !== "number") return;
    this.end = performance.now() + remaining;
    this.#tick();
  }

  /** Milliseconds left; null without a deadline. */
  get left() {
    return this.box ? Math.max(0, this.end - performance.now()) : null;
  }

  stop() {
    this.isDone = true;
    clearTimeout(this.timer);
  }

  #hide(isHidden) {
    this.isHidden = isHidden;
    choice(this.name, isHidden ? "hidden" : "shown");
    this.#draw(Math.max(0, this.end - performance.now()));
  }

  #tick() {
    clearTimeout(this.timer);
    if (this.isDone) return;
    const left = Math.max(0, this.end - performance.now());
    this.#draw(left);
    this.#speak(left);
    this.last = left;
    if (left === 0) {
      this.stop();
      this.atZero();
      return;
    }
    this.timer = setTimeout(() => this.#tick(), (left % 1000) + 5);
  }

  /**
   * Announce each time once: the server may move the clock back past an announcement. At the start none has been
   * passed.
   */
  #speak(left) {
    for (const [at, words] of SPOKEN) {
      if (this.last === Infinity || this.last <= at || left > at || this.said.has(at)) continue;
      this.said.add(at);
      announce(words);
    }
  }

  #draw(left) {
    const isLow = left <= LOW;
    const isShown = isLow || !this.isHidden;
    const words = `${printed(left)} left`;
    if (this.text.textContent !== words) this.text.textContent = words;
    this.text.hidden = !isShown;
    this.box.classList.toggle("is-low", isLow);
    this.button.hidden = isLow;
    this.button.textContent = this.isHidden ? "Show clock" : "Hide";
    this.button.setAttribute("aria-label", this.isHidden ? "Show clock" : "Hide clock");
  }
}

function printed(milliseconds) {
  const all = Math.ceil(milliseconds / 1000);
  const [hours, minutes, seconds] = [Math.floor(all / 3600), Math.floor(all / 60) % 60, all % 60];
  const two = (number) => String(number).padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`;
}
