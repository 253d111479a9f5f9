/* Unsaved text is stored in this browser for the signed-in person, and offered again. */

import { attempt } from "../session/wire.js";

const PREFIX = "question-draft";

export class Keeping {
  constructor(user, question) {
    this.user = user;
    this.isKept = true;
    this.name(question);
  }

  /** A new question has no number: each tab keeps its own. */
  name(question) {
    const tab = attempt(() => (sessionStorage.question_tab ??= String(Date.now())), "0");
    this.key = `${PREFIX}:${this.user}:${question || `new:${tab}`}`;
    this.isNew = !question;
  }

  keep(fields, at) {
    this.isKept = attempt(() => localStorage.setItem(this.key, JSON.stringify({ at, fields })) ?? true, false);
  }

  forget(key = this.key) {
    attempt(() => localStorage.removeItem(key));
  }

  /** What an earlier page left behind: text of this question, or of any new one that was never saved. */
  found() {
    const keys = attempt(() => Object.keys(localStorage), []);
    const start = this.isNew ? `${PREFIX}:${this.user}:new:` : this.key;
    const mine = keys.filter((key) => (this.isNew ? key.startsWith(start) : key === start));
    const all = mine.map((key) => ({ key, ...attempt(() => JSON.parse(localStorage.getItem(key)), {}) }));
    return all.filter((each) => each.fields).sort((a, b) => b.at - a.at)[0] ?? null;
  }
}

/** Offer what was found: the server renders the page again with it, and stores nothing. */
export function offerBack(box, found, form, keeping) {
  const when = new Date(found.at).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
  const line = Object.assign(document.createElement("p"), {
    textContent: `This browser has unsaved text from ${when}. `,
  });
  line.append(
    press("Restore", () => {
      putBack(form, found.fields);
      if (keeping.isNew) keeping.forget(found.key);
    }),
    " ",
    press("Discard", () => {
      keeping.forget(found.key);
      box.hidden = true;
      form.querySelector("[name=title]").focus();
    }),
  );
  box.replaceChildren(line);
  box.hidden = false;
}

function press(words, deed) {
  const button = Object.assign(document.createElement("button"), { type: "button", className: "button", textContent: words });
  button.addEventListener("click", deed);
  return button;
}

function putBack(form, fields) {
  const sent = Object.assign(document.createElement("form"), { method: "post", action: form.getAttribute("action"), hidden: true });
  const all = new URLSearchParams(fields);
  all.set("csrfmiddlewaretoken", form.elements.csrfmiddlewaretoken.value);
  all.set("action", "show");
  for (const [name, value] of all) {
    const text = Object.assign(document.createElement("textarea"), { name });
    text.value = value;
    sent.append(text);
  }
  document.body.append(sent);
  sent.submit();
}
