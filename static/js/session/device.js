/* Keeps the page of the running session on this device. templates/practice/worker.js gives it back.

   A running session is kept as "session:<mark>:<uuid>", the mark saying whose it is: a cache with the page, locked, and its
   files; an entry in localStorage with what is chosen and how much time is left. What waits for the server is not touched. */

import { attempt } from "./wire.js";

const COOKIE = /(?:^|;\s*)(?:__Host-)?courseiva-device=(\w+)\./;
export const NAME = /^session:(\w+):([\w-]+)$/;
const WAITING = /^(?:answers|sitting):([\w-]+):/; // the second: what 0.1.0 wrote
const GRACE = 60000;
const LONGEST = 14 * 86400000; // as a login

/** Of whoever may open kept pages now, if anybody. */
export function markOfOwner() {
  return COOKIE.exec(document.cookie)?.[1];
}

export function nameOf(mark, uuid) {
  return `session:${mark}:${uuid}`;
}

/** A clock that pages of this browser share and that a change of the device's time does not move. */
export function moment() {
  return performance.timeOrigin + performance.now();
}

/** The entry of that name, or nothing. */
export function read(name) {
  return attempt(() => JSON.parse(localStorage.getItem(name)));
}

export function forget(uuid) {
  return drop((_mark, its) => its === uuid);
}

/** At signing in and out: every page. */
export function empty() {
  return drop(() => true);
}

/** What another person kept here, sessions whose time is over, and those whose page the worker has dropped. */
export function sweep(mine = markOfOwner()) {
  const isOver = ({ at = 0, left }) => moment() - at > (left === null ? LONGEST : (left ?? 0) + GRACE);
  return drop((mark, uuid, pages) => {
    const name = nameOf(mark, uuid);
    return mark !== mine || !pages.includes(name) || isOver(read(name) ?? {});
  });
}

/** Of a session with answers that wait the bare entry stays: its mark says whose answers they are. */
async function drop(belongs) {
  const pages = "caches" in window ? await caches.keys() : [];
  const isIn = (name) => NAME.test(name) && belongs(...NAME.exec(name).slice(1), pages);
  const dropped = pages.filter(isIn);
  const waiting = new Set(records().map(({ uuid }) => uuid));
  for (const name of entries().filter(isIn)) {
    const isNeeded = waiting.has(NAME.exec(name)[2]);
    attempt(() => (isNeeded ? localStorage.setItem(name, "{}") : localStorage.removeItem(name)));
  }
  await Promise.all(dropped.map((name) => caches.delete(name)));
}

export function entries() {
  return attempt(() => Object.keys(localStorage), []);
}

/** The sessions with answers that wait in this browser, whoever gave them. */
export function records() {
  return entries().flatMap((key) => {
    const uuid = WAITING.exec(key)?.[1];
    const count = Object.values(read(key)?.items ?? {}).filter((entry) => entry.mine).length;
    return uuid && count ? [{ uuid, count }] : [];
  });
}

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

  /** The server has answered, or somebody has signed in and brought another key. */
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
      /* Not kept. What waits still waits. */
    }
  }

  /** The kept page was drawn earlier: write down what is chosen and how much time is left now. */
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

  /** The kept page hears from the server again. */
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

/** What was last noted of the page, where it is the kept one: answers that wait were given under the note's writer. */
export function takeNote(root) {
  if (!("kept" in root.dataset)) return null;
  const note = read(nameOf(markOfOwner(), root.dataset.uuid));
  if (note?.items) root.dataset.writer = note.writer;
  return note;
}

/** Bring the kept page up to its note, before the player reads it. False where that is lost: then no answer may be given, as
    one on top of an older state could take back what the server has acknowledged. */
export function restore(root, note) {
  if (!("kept" in root.dataset)) return true;
  if (!note?.items) {
    say("lost");
    return false;
  }
  const clock = document.getElementById("clock");
  // Never less than nothing has passed: the browser may have started again with its clock set back.
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
