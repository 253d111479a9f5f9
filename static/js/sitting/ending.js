/* Every way a sitting ends or stands still: handing in, time up, pause, over elsewhere. None of them loses what waits. */

import { answers, notice, post } from "./wire.js";

const GRACE = 10500; // the server takes saves for ten seconds more, then closes the sitting
const SHORTLY = 500;

export class Ending {
  constructor(root, queue, freeze) {
    Object.assign(this, { root, queue, freeze });
    this.wish = ""; // finish, pause or nothing
    this.isUp = false;
    this.isLeaving = false;
    this.box = document.getElementById("waiting");
    this.box.addEventListener("close", () => (this.wish = ""));
  }

  handIn() {
    return this.#send("finish", this.root.dataset.finish, () => this.leave());
  }

  pause() {
    return this.#send("pause", `${this.root.dataset.base}pause/`, () => this.#reload());
  }

  /** Once the server has everything: post, and go on. Waits as long as it takes, and can be called off. */
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

  /** Say how things stand, whenever they change. */
  draw() {
    const { count } = this.queue;
    const not = this.wish === "pause" ? "Not paused yet" : "Not handed in yet";
    const why = count ? `${answers(count)} ${count === 1 ? "is" : "are"} waiting for the network.` : "the server has not answered.";
    this.box.querySelector("[data-words]").textContent = `${not}: ${why}`;
    if (this.isUp) this.#sayUp();
  }

  callOff() {
    if (this.box.open) this.box.close();
    this.wish = "";
  }

  /** Time is up: no more input. The queue is sent; the results come when the server has closed the sitting. */
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
    let words = "Time is up. Your answers are with the server; the results open in a few seconds.";
    if (count && (trouble || halt)) {
      words = `Time is up. ${answers(count)} did not reach the server and ${count === 1 ? "waits" : "wait"} in this browser, on this device. Keep this page open, or come back to this sitting with this browser: what waits is sent when the network is back, and shown in the results as arrived late.`;
    } else if (trouble) {
      words = "Time is up. All your answers are with the server; the results open when the network is back.";
    } else if (count) words = "Time is up. Your last answers are being sent.";
    if (words !== this.said) notice("time", (this.said = words));
  }

  /** To the results. */
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
    addEventListener("online", () => (clearTimeout(timer), settle()), { once: true });
  });
}
