/* The checks and the preview follow what is typed: the server draws both, and stores nothing. */

import { post } from "../session/wire.js";
import { later, typed } from "./form.js";
import { countLacks, reveal } from "./steps.js";

const QUIET = 900;

export class Looking {
  constructor(root, form, offers) {
    Object.assign(this, { form, offers });
    this.address = root.dataset.look;
    this.panel = document.getElementById("lint-panel");
    this.frame = document.getElementById("preview-frame");
    this.shape = "page";
    this.seen = null;
    this.count = 0;
    this.soon = later(() => this.look(), QUIET);
    this.panel.addEventListener("click", (event) => this.#jump(event));
    this.frame.addEventListener("load", () => this.#draw());
    for (const link of root.querySelectorAll("[data-shape]")) link.addEventListener("click", (event) => this.#turn(event, link));
  }

  async look() {
    if (!this.form.elements.domain.value) return;
    const number = ++this.count;
    const { status, data } = await post(this.address, typed(this.form));
    if (number !== this.count || status !== 200 || !data) return;
    this.panel.classList.toggle("is-old", Boolean(data.errors));
    if (data.errors) return;
    this.seen = data;
    this.#list(data.lint);
    this.#draw();
    countLacks(this.form, data.lacks);
    this.offers(data.offers);
  }

  /** If somebody is typing a reason there, it is left alone. */
  #list(html) {
    if (this.panel.contains(document.activeElement) && document.activeElement.matches("input")) return;
    this.panel.innerHTML = html;
  }

  /** A finding links to its field, ready for typing. */
  #jump(event) {
    const id = event.target.closest("a")?.getAttribute("href")?.slice(1);
    const field = document.getElementById(id);
    reveal(field);
    field?.focus();
  }

  /** The frame shows our own page, so its content can be replaced; whatever the reader has opened stays open. */
  #draw() {
    const place = this.seen && this.frame.contentDocument?.getElementById("preview");
    if (!place) return;
    const open = [...place.querySelectorAll("details")].map((each) => each.open);
    place.innerHTML = this.seen[this.shape];
    const now = [...place.querySelectorAll("details")];
    if (now.length !== open.length) return;
    for (const [number, each] of now.entries()) each.open = open[number];
  }

  #turn(event, link) {
    event.preventDefault();
    this.shape = link.dataset.shape;
    for (const each of link.parentElement.children) each.toggleAttribute("aria-current", each === link);
    this.frame.contentWindow.location.replace(link.href);
  }
}
