/* The keys of the walk through marked questions; the switch that turns them off is the player's own. */

import { openNote } from "./keep.js";
import { choice } from "./session/wire.js";

const OFF = "session-keys";
const FIELDS = "input, textarea, select, [contenteditable]";
const button = document.querySelector("[data-walk] [data-keys]"); // a breakdown outside a walk has none
const press = (sought) => document.querySelector(sought)?.click();
const KEYS = {
  n: () => press("[data-walk] [rel=next]"),
  ArrowRight: () => press("[data-walk] [rel=next]"),
  p: () => press("[data-walk] [rel=prev]"),
  ArrowLeft: () => press("[data-walk] [rel=prev]"),
  k: () => press("[data-star]"),
  w: () => openNote(document),
  Escape: () => press("[data-up]"),
};

function draw() {
  const isOn = choice(OFF) !== "off";
  button.setAttribute("aria-pressed", String(isOn));
  button.textContent = isOn ? "on" : "off";
  button.setAttribute("aria-label", `Keyboard shortcuts: ${isOn ? "on" : "off"}`);
}

if (button) {
  button.hidden = false;
  button.addEventListener("click", () => {
    choice(OFF, choice(OFF) === "off" ? null : "off");
    draw();
  });
  draw();
}

document.addEventListener("keydown", (event) => {
  if (choice(OFF) === "off" || event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || event.repeat) return;
  if (event.target.closest?.(FIELDS) || document.querySelector("dialog:modal")) return;
  const act = KEYS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (!act) return;
  event.preventDefault();
  act();
});
