/* Saving while somebody writes. What the server doesn't have yet is kept in this browser, and the line at the top says so. */

import { post } from "../session/wire.js";
import { content, later, mark, typed } from "./form.js";

const QUIET = 1500;
const AGAIN = 10000;
const KEPT = "Your text is kept in this browser.";

export class Saving {
  constructor(form, keeping, login) {
    Object.assign(this, { form, keeping, login });
    this.line = document.getElementById("save-state");
    this.saved = "unsaved" in form.dataset ? "" : content(form);
    this.isHeld = "review" in form.dataset;
    this.soon = later(() => this.#bySelf(), QUIET);
    this.again = later(() => this.#bySelf(), AGAIN);
    this.keepSoon = later(() => this.keep(), 200);
    addEventListener("online", () => this.#bySelf());
    addEventListener("focus", () => this.isWaiting && this.#bySelf());
    addEventListener("pagehide", () => this.keep());
  }

  get isDirty() {
    return content(this.form) !== this.saved;
  }

  changed() {
    this.keepSoon();
    if (this.isClashing) return;
    if (this.isHeld) this.say("held", "In review. Saving takes it back to draft, so changes aren’t saved automatically: press Save.");
    else {
      if (this.isDirty) this.say("saving", "Saving");
      this.soon();
    }
  }

  keep() {
    if (this.isLeaving || !this.isDirty) return;
    this.keeping.keep(typed(this.form).toString(), Date.now());
  }

  say(state, words, bad = false) {
    this.line.dataset.state = state;
    this.line.textContent = words;
    this.line.classList.toggle("is-bad", bad);
  }

  /** A new question gets its permanent name from its title, so nothing is saved until the title is written. */
  #isReady() {
    if (this.form.elements.question.value) return true;
    const { title, domain } = this.form.elements;
    if (domain.value && title.value.trim() && document.activeElement !== title) return true;
    this.say("kept", "Kept in this browser for now. Choose a domain and write a title to save it on the server.");
    return false;
  }

  #bySelf() {
    if (this.isDirty && !this.isHeld && !this.isClashing && this.#isReady()) this.save();
  }

  /** Send what is typed; returns whether the server has it afterwards. Only one save is under way at a time. */
  async save() {
    while (this.turn) await this.turn;
    if (!this.isDirty && !this.isClashing) return true;
    this.turn = this.#send();
    const done = await this.turn;
    this.turn = null;
    if (done && this.isDirty) this.changed();
    return done;
  }

  async #send() {
    this.keep();
    const sent = content(this.form);
    this.say("saving", "Saving");
    const answer = await post(this.form.getAttribute("action"), typed(this.form), { headers: { Accept: "application/json" } });
    this.isWaiting = answer.status === 302 || answer.status === 0;
    if (answer.status === 200 && answer.data?.saved) return this.#done(sent, answer.data);
    this.#failed(answer);
    return false;
  }

  #done(sent, data) {
    const wasNew = !this.form.elements.question.value;
    const reload = this.isHeld || this.isClashing;
    this.keeping.forget();
    for (const field of document.querySelectorAll("[name=base]")) field.value = data.base;
    this.form.elements.was.value = data.was;
    this.form.elements.question.value = data.id;
    this.saved = sent;
    if (wasNew) {
      const isMore = this.isDirty;
      this.#adopt(data);
      this.saved = isMore ? "" : content(this.form);
    }
    mark(this.form, {});
    this.say("saved", `Saved ${data.saved}`);
    if (reload) this.leave(data.address);
    return true;
  }

  #adopt(data) {
    this.keeping.name(data.id);
    this.form.setAttribute("action", data.address);
    history.replaceState(null, "", data.address);
    document.getElementById("take-exam").remove();
    document.getElementById("id_exam").disabled = true;
    document.querySelector("#content h1").textContent = this.form.elements.title.value;
  }

  #failed({ status, data }) {
    if (data?.errors) {
      const count = Object.keys(data.errors).length;
      mark(this.form, data.errors);
      this.say("refused", `Not saved: ${count === 1 ? "one field needs" : `${count} fields need`} attention. ${KEPT} `, true);
      this.line.append(Object.assign(document.createElement("a"), { href: `#${Object.keys(data.errors)[0]}`, textContent: "Go to the first" }));
    } else if (data?.clash) this.#clash(data);
    else if (status === 302) this.#signedOut();
    else {
      const why = status ? "something went wrong on the server" : "the server can’t be reached";
      this.say(status ? "failed" : "unreachable", `Not saved: ${why}. ${KEPT}`, true);
      this.again();
    }
  }

  #signedOut() {
    this.say("signed-out", `Not saved: you’ve been signed out. ${KEPT} `, true);
    const link = Object.assign(document.createElement("a"), { href: this.login, target: "_blank", rel: "noopener", textContent: "Sign in (new tab)" });
    this.line.append(link);
  }

  #clash(data) {
    this.isClashing = true;
    document.getElementById("clash").innerHTML = data.clash;
    for (const field of document.querySelectorAll("[name=base]")) field.value = data.base;
    this.form.elements.was.value = data.was;
    this.say("clash", `Not saved: someone else saved this question after you opened it. Choose below which text to keep. ${KEPT}`, true);
    document.getElementById("clash-box").focus();
    this.keep();
  }

  leave(address) {
    this.isLeaving = true;
    location.assign(address);
  }
}
