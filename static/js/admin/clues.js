/* Clue words: picked from the stem, with the options they point to and rule out, and what other questions say about the same words. */

import { isBlank, slotOf } from "./rows.js";
import { reveal } from "./steps.js";

/** Make the words selected in the stem a clue, and go on to why they matter. */
export function pick(stem, clues, say) {
  const words = stem.value.slice(stem.selectionStart, stem.selectionEnd).split(/\s+/).filter(Boolean).join(" ");
  if (!words) return say("Select words in the stem first.");
  if (clues.live.some((row) => phrase(row).value === words)) return say("These words are already a clue.");
  const row = clues.live.find(isBlank) ?? clues.add();
  phrase(row).value = words;
  say(`Marked: “${words}”.`);
  reveal(row);
  row.querySelector("[name$=-why]").focus();
  clues.changed();
}

/** Each clue can be tied to the options that are there now. */
export function offerSlots(clues, options) {
  const slots = options.live.map(slotOf).filter(Boolean).sort((a, b) => a - b);
  for (const row of clues.rows) {
    for (const part of ["confirms", "rules_out"]) offerSlotsIn(row, phrase(row).name.replace(/phrase$/, part), slots);
  }
}

function offerSlotsIn(row, name, slots) {
  const box = row.querySelector(`#id_${name}`);
  const shown = [...box.querySelectorAll("input")];
  if (shown.map((input) => Number(input.value)).join() === slots.join()) return;
  const ticked = new Set(shown.filter((input) => input.checked).map((input) => Number(input.value)));
  box.replaceChildren(...slots.map((slot, place) => tick(name, slot, place, ticked.has(slot))));
}

function tick(name, slot, place, checked) {
  const line = document.createElement("div");
  const label = Object.assign(document.createElement("label"), { htmlFor: `id_${name}_${place}` });
  const input = Object.assign(document.createElement("input"), { type: "checkbox", name, value: slot, id: `id_${name}_${place}`, checked });
  label.append(input, ` ${slot}`);
  line.append(label);
  return line;
}

/** Show what other questions say about the same words, so that it can be reused. */
export function offerWhys(clues, offers) {
  for (const row of clues.live) {
    const box = row.querySelector("[data-offers]");
    const why = row.querySelector("[name$=-why]");
    const texts = (offers[phrase(row).value] ?? []).filter((text) => text !== why.value);
    if (!texts.length) {
      box.replaceChildren();
      continue;
    }
    const head = Object.assign(document.createElement("p"), { className: "help", textContent: "Reasons given for these words in other questions:" });
    box.replaceChildren(head, ...texts.map((text) => offer(text, why, clues)));
  }
}

function offer(text, why, clues) {
  const line = Object.assign(document.createElement("p"), { textContent: `${text} ` });
  const button = Object.assign(document.createElement("button"), { type: "button", className: "button", textContent: "Use this" });
  button.addEventListener("click", () => {
    why.value = text;
    why.focus();
    clues.changed();
  });
  line.append(button);
  return line;
}

function phrase(row) {
  return row.querySelector("[name$=-phrase]");
}
