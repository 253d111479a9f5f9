/* Pictures in the texts that can show them: chosen, dropped or pasted. The server stores each and gives its name. */

import { post } from "../session/wire.js";

const SHOWS = "textarea[data-pictures]";
const SLOW = 60000;
const SAID = {
  sending: "Uploading the picture",
  done: "Picture added. Describe it between the square brackets, for readers who can’t see it.",
  elsewhere:
    "You can’t add a picture to this field. Add it to the stem, an option, an option’s reason, or a text such as the explanation or the example.",
  302: "Not uploaded: you’ve been signed out.",
  0: "Not uploaded: the server can’t be reached.",
};

export class Pictures {
  constructor(form) {
    this.form = form;
    this.button = document.getElementById("insert-picture");
    this.file = document.getElementById("picture-file");
    this.line = document.getElementById("picture-said");
    this.target = form.elements.stem;
    this.button.addEventListener("click", () => this.file.click());
    this.file.addEventListener("change", () => this.#chosen());
    form.addEventListener("focusin", ({ target }) => {
      if (target.matches(SHOWS)) this.target = target;
    });
    form.addEventListener("paste", (event) => this.#brought(event, event.clipboardData));
    form.addEventListener("drop", (event) => this.#brought(event, event.dataTransfer));
    form.addEventListener("dragover", (event) => event.dataTransfer.types.includes("Files") && event.preventDefault());
  }

  #chosen() {
    const [file] = this.file.files;
    this.file.value = "";
    if (file) this.#send(file, this.target);
  }

  /** If text comes with a picture, as from a spreadsheet, it is pasted as text. */
  #brought(event, data) {
    const file = [...data.files].find(({ type }) => type.startsWith("image/"));
    if (!file || data.types.includes("text/plain")) return;
    event.preventDefault();
    if (event.target.matches(SHOWS)) this.#send(file, event.target);
    else this.#say("refused", SAID.elsewhere);
  }

  async #send(file, text) {
    this.#say("sending", SAID.sending);
    const body = new FormData();
    body.append("file", file);
    const headers = { Accept: "application/json" };
    const { status, data } = await post(this.button.dataset.address, body, { timeout: SLOW, headers });
    if (!data?.name) return this.#say("refused", data?.error || SAID[status] || "Not uploaded: something went wrong on the server.");
    this.#insert(text, data.name);
    this.#say("added", SAID.done);
  }

  /**
   * The picture gets its own paragraph; in an option it follows the text. The caret goes where its description belongs.
   */
  #insert(text, name) {
    const { selectionStart: start, selectionEnd: end, value } = text;
    const before = value.slice(0, start);
    const apart = text.name.startsWith("options-") ? " " : "\n\n";
    const lead = !before || /\s$/.test(before) ? "" : apart;
    text.setRangeText(`${lead}![](picture:${name})`, start, end, "end");
    const inside = start + lead.length + 2;
    text.focus();
    text.setSelectionRange(inside, inside);
    text.dispatchEvent(new Event("input", { bubbles: true }));
  }

  #say(state, words) {
    this.line.dataset.state = state;
    this.line.textContent = words;
  }
}
