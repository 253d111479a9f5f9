/* The player's dialogs: the learner is signed out, submitting, time is up, a pause. No dialog loses queued answers. */

import { answers, notice, post } from "./wire.js";

const GRACE = 10500; // the server takes saves for ten seconds more, then closes the session
const SHORTLY = 500;

export class Ending {
  /** `freeze` is set by the module that draws the questions. */
  constructor(root, queue) {
    Object.assign(this, { root, queue });
    this.freeze = () => {};
    this.wish = ""; // finish, pause or nothing
    this.isUp = false;
    this.isLeaving = false;
    this.box = document.getElementById("waiting");
    this.box.addEventListener("close", () => (this.wish = ""));
  }

  submit() {
    return this.#send("finish", this.root.dataset.finish, () => this.leave());
  }

  pause() {
    return this.#send("pause", `${this.root.dataset.base}pause/`, () => this.#reload());
  }

  /** Once the server has everything, post and continue. This waits as long as it takes, and can be cancelled. */
  async #send(wish, address, then) {
    if (this.wish || this.isLeaving) return;
    this.wish = wish;
    const shown = setTimeout(() => this.#wait(), SHORTLY);
    for (let turn = 0; this.wish === wish; turn++) {
      await this.queue.sync();
      if (this.wish !== wish || this.isLeaving) break;
      const { status } = await post(address, new URLSearchParams());
      if (status === 302) return then();
      await pause(Math.min(1000 * 2 ** turn, 15000));
    }
    clearTimeout(shown);
  }

  #wait() {
    if (!this.wish || this.box.open || document.querySelector("dialog:modal")) return;
    this.draw();
    this.box.showModal();
  }

  draw() {
    const { count } = this.queue;
    const not = this.wish === "pause" ? "Not paused yet" : "Not submitted yet";
    const why = count ? `${answers(count)} ${count === 1 ? "is" : "are"} waiting for the network.` : "the server isn’t responding.";
    this.box.querySelector("[data-words]").textContent = `${not}: ${why}`;
    if (this.isUp) this.#sayUp();
  }

  callOff() {
    if (this.box.open) this.box.close();
    this.wish = "";
  }

  /** Time is up: no more input. The queue is sent; the results come when the server has closed the session. */
  async atZero() {
    if (this.isUp || this.isLeaving) return;
    this.isUp = true;
    this.callOff();
    this.freeze();
    this.#sayUp();
    const zero = performance.now();
    while (!this.isLeaving) {
      await this.queue.sync();
      const rest = GRACE - (performance.now() - zero);
      if (this.queue.isOver) break;
      await pause(Math.max(rest, 1500));
    }
    this.leave();
  }

  #sayUp() {
    const { count, trouble, halt } = this.queue;
    let words = "Time’s up. All your answers are saved; your result will open in a few seconds.";
    if (count && (trouble || halt)) {
      words = `Time’s up. ${answers(count)} couldn’t be sent and ${count === 1 ? "is" : "are"} waiting in this browser, on this device. Keep this page open, or come back to this session in this browser: what’s waiting is sent when you’re back online, and your result shows it as late.`;
    } else if (trouble) {
      words = "Time’s up. All your answers are saved; your result will open when you’re back online.";
    } else if (count) words = "Time’s up. Sending your last answers.";
    if (words === this.said) return;
    this.said = words;
    notice("time", words);
  }

  leave() {
    if (this.isLeaving) return;
    this.#shut();
    location.replace(this.root.dataset.results);
  }

  #reload() {
    this.#shut();
    location.reload();
  }

  #shut() {
    this.isLeaving = true;
    this.freeze();
    this.queue.close();
  }
}

function pause(milliseconds) {
  return new Promise((settle) => {
    const timer = setTimeout(settle, milliseconds);
    const stop = () => {
      clearTimeout(timer);
      settle();
    };
    addEventListener("online", stop, { once: true });
  });
}

/** The login ended: sign in again without leaving the page. The queue waits and then resumes. */
export class Login {
  constructor(queue) {
    this.queue = queue;
    this.box = document.getElementById("login");
    this.form = this.box.querySelector("form");
    this.error = this.box.querySelector("[data-error]");
    this.steps = [...this.form.querySelectorAll("fieldset")];
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#send();
    });
    this.box.querySelector("[data-again]").addEventListener("click", () => this.#again());
    this.box.addEventListener("close", () => this.#closed());
    this.box.querySelector("a").addEventListener("click", () => (this.isAway = true));
    document.addEventListener("visibilitychange", () => !document.hidden && this.isAway && this.#again());
  }

  ask() {
    this.isNeeded = true;
    notice("login", "");
    if (this.box.open) this.#say("You’re not signed in yet.");
    else this.box.showModal();
  }

  done() {
    if (!this.isNeeded) return;
    this.isNeeded = false;
    this.form.reset();
    this.#say("");
    this.box.close();
    this.#turn(0);
    notice("login", "");
  }

  #closed() {
    if (!this.isNeeded) return;
    const words = "You’re signed out. Your answers are kept in this browser and sent once you sign in again.";
    notice("login", words, [{ label: "Sign in again", press: () => this.ask() }]);
  }

  async #send() {
    this.#say("Signing in");
    const fields = new URLSearchParams(new FormData(this.form));
    const ajax = { headers: { "X-Requested-With": "XMLHttpRequest", Accept: "application/json" } };
    const step = this.steps.findIndex((each) => !each.hidden);
    const { status, data } = await post(this.steps[step].dataset.to, fields, ajax);
    const next = data?.location;
    // After the password, a second step is already waiting, so this is sent on. After the code, it's done, or too late
    // for it.
    if (status === 302 || /2fa/.test(next)) this.#turn(1 - step);
    if (status === 302 || (next && !/2fa|confirm/.test(next))) this.#again();
    else this.#say(/2fa/.test(next) ? "" : reason(status, data));
  }

  #turn(step) {
    for (const [at, each] of this.steps.entries()) each.hidden = each.disabled = at !== step;
    this.steps[step].querySelector("[required]").focus();
  }

  #again() {
    this.isAway = false;
    this.#say("Signing in");
    this.queue.resume();
  }

  #say(words) {
    this.error.textContent = words;
    this.error.hidden = !words;
  }
}

function reason(status, data) {
  const form = data?.form;
  const errors = form ? [...form.errors, ...Object.values(form.fields).flatMap((field) => field.errors)] : [];
  if (errors.length) return errors.join(" ");
  if (status === 0) return "Can’t reach the server. Try again.";
  if (status === 200 && !data) return "That code didn’t work. Try again or use another one.";
  if (status === 429) return "Too many attempts. Wait a minute, then try again.";
  return "That didn’t work. Open a new tab and sign in there, then press “I’ve signed in”.";
}
