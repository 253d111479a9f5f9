/* The login ended: sign in again in place. Nothing typed is lost; the queue waits and then goes on. */

import { notice, post } from "./wire.js";

export class Login {
  constructor(address, queue) {
    Object.assign(this, { address, queue });
    this.box = document.getElementById("login");
    this.form = this.box.querySelector("form");
    this.error = this.box.querySelector("[data-error]");
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#send();
    });
    this.box.querySelector("[data-again]").addEventListener("click", () => this.#again());
    this.box.addEventListener("close", () => this.#closed());
  }

  ask() {
    this.isNeeded = true;
    notice("login", "");
    if (this.box.open) this.#say("You are not signed in yet.");
    else this.box.showModal();
  }

  /** The server takes saves again. */
  done() {
    if (!this.isNeeded) return;
    this.isNeeded = false;
    this.form.reset();
    this.#say("");
    this.box.close();
    notice("login", "");
  }

  #closed() {
    if (!this.isNeeded) return;
    const words = "You are signed out. What you answer is kept in this browser, and sent when you have signed in again.";
    notice("login", words, [{ label: "Sign in again", press: () => this.ask() }]);
  }

  async #send() {
    this.#say("Signing in");
    const fields = new URLSearchParams(new FormData(this.form));
    const ajax = { headers: { "X-Requested-With": "XMLHttpRequest", Accept: "application/json" } };
    const { status, data } = await post(this.address, fields, ajax);
    if (status === 200 && data?.location && !/2fa|confirm|verification/.test(data.location)) this.#again();
    else if (status === 200) this.#say("Your account asks for one more step. Sign in in a new tab, then press “I have signed in”.");
    else this.#say(reason(status, data));
  }

  #again() {
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
  if (status === 0) return "The server cannot be reached. Try again.";
  if (status === 429) return "Too many attempts. Wait a minute, then try again.";
  return "That did not work. Sign in in a new tab, then press “I have signed in”.";
}
