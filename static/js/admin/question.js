/* The editor's page. Without this script it is one form with a Save button; nothing here is needed to write a question. */

import { offerSlots, offerWhys, pick } from "./clues.js";
import { content, countWords } from "./form.js";
import { Keeping, offerBack } from "./keeping.js";
import { Looking } from "./looking.js";
import { Pictures } from "./pictures.js";
import { Rows } from "./rows.js";
import { Saving } from "./saving.js";

const root = document.getElementById("editor");
const form = document.getElementById("question-form");
const stem = form.elements.stem;
document.documentElement.classList.add("scripted");

const keeping = new Keeping(root.dataset.user, form.elements.question.value);
const rows = Object.fromEntries(["clues", "options", "sources"].map((name) => [name, new Rows(form, name, changed)]));
const { clues, options, sources } = rows;
clues.tidy(0);
options.tidy(4);
sources.tidy(1);
offerSlots(clues, options);
countWords(form);

const saving = new Saving(form, keeping, root.dataset.login);
const looking = new Looking(root, form, (offers) => offerWhys(clues, offers));

new Pictures(form);

const found = keeping.found();
if (found && "unsaved" in form.dataset) keeping.forget(found.key);
else if (found) offerBack(document.getElementById("kept"), found, form, keeping);
if ("unsaved" in form.dataset) changed();
looking.look();

function changed() {
  offerSlots(clues, options);
  countWords(form);
  saving.changed();
  looking.soon();
}

function mark() {
  pick(stem, clues, (words) => (document.getElementById("pick-said").textContent = words));
}

async function act(name) {
  const asked = form.querySelector("#clash :invalid");
  if (asked) return asked.focus();
  if (!(await saving.save()) || saving.isLeaving) return;
  if (name !== "submit") return;
  saving.isLeaving = true;
  form.append(Object.assign(document.createElement("input"), { type: "hidden", name: "action", value: name }));
  form.submit();
}

form.addEventListener("input", (event) => event.target.closest("#clash") || changed());
form.addEventListener("change", (event) => {
  if (event.target.id === "id_exam") document.getElementById("take-exam").click();
});
form.addEventListener("focusout", () => saving.isDirty && saving.changed());
document.getElementById("pick-clue").addEventListener("click", mark);

form.addEventListener("submit", (event) => {
  const name = event.submitter?.value ?? "save";
  if (name === "show") {
    saving.isLeaving = true;
    return;
  }
  event.preventDefault();
  act(name);
});

addEventListener("keydown", (event) => {
  const held = event.ctrlKey || event.metaKey;
  if (held && event.key.toLowerCase() === "s") {
    event.preventDefault();
    act("save");
  } else if (held && event.key === "Enter" && form.contains(document.activeElement) && !saving.isHeld) {
    event.preventDefault();
    act("submit");
  } else if (event.altKey && event.code === "KeyC" && document.activeElement === stem) {
    event.preventDefault();
    mark();
  }
});

/* A step of the workflow also sends what is typed. */
root.addEventListener("submit", async (event) => {
  if (event.target === form || !saving.isDirty) return;
  event.preventDefault();
  if (saving.isHeld) return saving.say("held", "You have unsaved changes. Save them, or reload the page to discard them.", true);
  if (await saving.save()) event.target.submit();
});

/* Fetched only when somebody opens it: what a new key would change. */
root.addEventListener(
  "toggle",
  async ({ target }) => {
    const place = target.open && target.querySelector("[data-fragment]");
    if (!place) return;
    const response = await fetch(place.dataset.fragment, { credentials: "same-origin" }).catch(() => null);
    if (response?.ok && !response.redirected) place.innerHTML = await response.text();
  },
  true,
);

addEventListener("beforeunload", (event) => {
  if (saving.isLeaving || !saving.isDirty || content(form) === saving.saved) return;
  saving.keep();
  if (!keeping.isKept) event.preventDefault();
});
