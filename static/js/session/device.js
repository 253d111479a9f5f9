/* Keeps the page of the running session on this device, under the names of session/kept.js. */

import { forget, markOfOwner, moment, nameOf, read, sweep } from "./kept.js";
import { attempt } from "./wire.js";

const TICK = 10000;

export class Device {
  constructor(root, player) {
    Object.assign(this, { root, player });
    this.mark = markOfOwner();
    this.notice = document.getElementById("kept");
    this.isKept = this.notice !== null; // this page itself is the kept one
    setInterval(() => this.note(), TICK);
    addEventListener("pagehide", () => this.note());
  }

  get name() {
    return nameOf(this.mark, this.root.dataset.uuid);
  }

  /** Called when the server has answered, or when somebody has signed in and brought another key. */
  async keep() {
    const { base, worker, uuid } = this.root.dataset;
    if (!window.cookieStore || !navigator.serviceWorker) return; // the worker could not read the key
    try {
      await navigator.serviceWorker.register(worker);
      const response = await fetch(`${base}device/`, { redirect: "error" });
      if (response.status === 404 || response.status === 410) return await forget(uuid);
      if (!response.ok) return;
      const [mark, key] = response.headers.get("Device-Key").split("."); // document.cookie may still be a moment behind
      this.mark = mark;
      await sweep(mark);
      this.note();
      const { active } = await navigator.serviceWorker.ready;
      active.postMessage({ name: this.name, base, key, html: await response.text(), headers: [...response.headers] });
    } catch {
      /* The page isn't kept. Answers that wait still wait. */
    }
  }

  /** The kept page was rendered earlier, so write down what is chosen and how much time is left now. */
  note() {
    const { items, queue, clock } = this.player;
    if (queue.halt || queue.isOver || !this.mark || !clock) return;
    const before = read(this.name);
    const writer = queue.writer ?? queue.known;
    if (before?.writer > writer) return; // another tab is newer
    const entry = { writer, at: moment(), left: clock.left, items: {} };
    for (const item of items.values()) {
      const known = item.isKnown ? null : before?.items?.[item.p];
      entry.items[item.p] = { ...item.wire, ...known, checked: item.isChecked };
    }
    attempt(() => localStorage.setItem(this.name, JSON.stringify(entry)));
  }

  forget() {
    return forget(this.root.dataset.uuid);
  }

  /** The kept page has reached the server again. */
  online() {
    if (!this.isKept) return;
    this.isKept = false;
    say(this.root.dataset.mode === "mock" ? "" : "back");
    for (const section of document.querySelectorAll("section[data-checked]")) {
      const p = Number(section.id.slice(1));
      this.player.drill?.look(p, `${this.root.dataset.base}items/${p}/`);
    }
  }
}

/** Show one of the lines that the kept page brings along, or none. */
function say(when) {
  for (const line of document.getElementById("kept").children) line.hidden = line.dataset.when !== when;
  document.getElementById("kept").hidden = !when;
}

/** The last note about the page, if it is the kept one: answers that wait were given under the note's writer. */
export function takeNote(root) {
  if (!("kept" in root.dataset)) return null;
  const note = read(nameOf(markOfOwner(), root.dataset.uuid));
  if (note?.items) root.dataset.writer = note.writer;
  return note;
}

/**
 * Bring the kept page up to date with its note before the player reads it. Returns false if the note is lost. Then no
 * answer may be given: based on an older state, it could undo one that the server has acknowledged.
 */
export function restore(root, note) {
  if (!("kept" in root.dataset)) return true;
  if (!note?.items) {
    say("lost");
    return false;
  }
  const clock = document.getElementById("clock");
  // Never negative: the browser may have been restarted with its clock set back.
  if (clock) clock.dataset.remaining = Math.max(0, note.left - Math.max(0, moment() - note.at));
  for (const [p, state] of Object.entries(note.items)) show(document.getElementById(`q${p}`), state);
  return true;
}

function show(section, { sel, out, flag, sec, checked }) {
  section.dataset.seconds = sec;
  section.querySelectorAll(".option").forEach((row, place) => {
    row.querySelector("input").checked = sel.includes(place);
    row.classList.toggle("is-struck", out.includes(place));
  });
  section.querySelector("input[name^=f-]").checked = flag;
  if (!checked) return;
  section.dataset.checked = "";
  section.querySelector("fieldset.options").disabled = true;
  section.querySelector(".item-tools").hidden = true;
  section.querySelector(".verdict-slot p").hidden = false;
}
