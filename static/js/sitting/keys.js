/* The keyboard map. Never in a text field, never with Ctrl, Alt or Meta, never over an open dialog; it can be switched off. */

import { keepChoice, keptChoice } from "./wire.js";

const OFF = "sitting-keys";
const FIELDS = "input:not([type=radio], [type=checkbox]), textarea, select, [contenteditable]";
const PRESSABLE = "a, button, summary, input, label";

/** `act` has choose, strike, next, back, flag, strikeMode, sheet, review, help and goOn. */
export function listen(act) {
  const box = document.getElementById("keys-on");
  box.checked = keptChoice(OFF) !== "off";
  box.addEventListener("change", () => keepChoice(OFF, box.checked ? null : "off"));
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
    if (document.querySelector("dialog:modal") || event.target.closest?.(FIELDS)) return;
    if (event.key === "Enter") {
      if (!event.target.closest?.(PRESSABLE) && act.goOn()) event.preventDefault();
      return;
    }
    if (event.key === "Escape" && act.escape()) return event.preventDefault();
    if (box.checked && !event.repeat && press(event, act)) event.preventDefault();
  });
}

function press(event, act) {
  const digit = /^(?:Digit|Numpad)([1-6])$/.exec(event.code)?.[1];
  const letter = /^[a-e]$/i.test(event.key) ? event.key.toLowerCase().charCodeAt(0) - 97 : -1;
  const place = digit ? Number(digit) - 1 : letter;
  if (place >= 0) return event.shiftKey ? act.strike(place) : act.choose(place);
  if (event.key.startsWith("Arrow") && event.target.closest?.("input, summary, [role]")) return false;
  const command = {
    n: act.next,
    ArrowRight: act.next,
    p: act.back,
    ArrowLeft: act.back,
    f: act.flag,
    x: act.strikeMode,
    s: act.sheet,
    r: act.review,
    "?": act.help,
  }[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (!command) return false;
  command();
  return true;
}
