/**
 * An offline drill: it marks by itself, and its answers wait in the player's queue. What is chosen and checked is
 * recorded separately, because the page on the device stays as it was rendered. docs/decisions/0010 says why.
 */

import { markOfOwner } from "./session/kept.js";
import { replay } from "./session/queue.js";
import { answers, attempt } from "./session/wire.js";

const root = document.getElementById("session");
const NAME = `taken:${root.dataset.uuid}`;
const note = { items: {}, ...attempt(() => JSON.parse(localStorage.getItem(NAME))) };
if (note.writer) root.dataset.writer = note.writer; // what waits was given under this writer, not the page’s
const { queue, tabs } = replay({ ...root.dataset });
const sections = [...root.querySelectorAll("section[data-p]")];

function write() {
  attempt(() => localStorage.setItem(NAME, JSON.stringify(note)));
}

function chosen(section) {
  return [...section.querySelectorAll("input:checked")].map(({ value }) => Number(value));
}

function tally() {
  const done = sections.filter((section) => chosen(section).length >= Number(section.dataset.choose)).length;
  root.querySelector("[data-tally]").textContent = `${done} of ${sections.length} answered`;
}

/** Record a change on the device first, then send it. What was checked stays as it was. */
function change(section) {
  const p = Number(section.dataset.p);
  const sel = chosen(section);
  note.items[p] = { sel, checked: false };
  write();
  queue.put(p, { sel, out: [], flag: false, conf: null, sec: 0, seen: true });
  tally();
}

function check(section) {
  const lack = Number(section.dataset.choose) - chosen(section).length;
  section.querySelector("[data-said]").textContent = lack > 0 ? `Choose ${lack} more.` : "";
  if (lack > 0) return;
  const p = Number(section.dataset.p);
  note.items[p] = { sel: chosen(section), checked: true };
  write();
  show(section).focus();
}

/** Show the solution, and whether the answer is right. */
function show(section) {
  const isRight = chosen(section).join(" ") === section.dataset.right;
  section.dataset.state = isRight ? "right" : "wrong";
  section.querySelector("fieldset").hidden = true;
  section.querySelector("[data-check]").hidden = true;
  section.querySelector("[data-solution]").hidden = false;
  for (const place of chosen(section)) markOwn(section, place);
  const words = section.querySelector(isRight ? "[data-right-words]" : "[data-wrong-words]");
  words.hidden = false;
  words.classList.add(isRight ? "is-right" : "is-wrong");
  return words;
}

/** The marked options were rendered before anything was chosen. */
function markOwn(section, place) {
  const option = section.querySelectorAll("[data-solution] .option")[place];
  option.classList.add("is-chosen");
  if (section.dataset.right.split(" ").includes(String(place))) return;
  option.classList.add("is-wrong");
  option.open = true;
  option.querySelector(".visually-hidden").replaceWith(root.querySelector("[data-own-answer]").content.cloneNode(true));
}

function put(section, sel) {
  for (const input of section.querySelectorAll("input")) input.checked = sel.includes(Number(input.value));
}

for (const section of sections) {
  const known = note.items[section.dataset.p];
  if (known) put(section, known.sel);
  if (known?.checked) show(section);
  section.addEventListener("change", () => change(section));
  section.querySelector("[data-check]").addEventListener("click", () => check(section));
}
tally();

queue.tell = {
  status(state, words) {
    const line = document.getElementById("savestate");
    line.dataset.state = state;
    line.dataset.waiting = queue.count;
    line.textContent = words;
  },
  /** Answers from another device are shown if nothing was chosen here. */
  server({ writer, items }) {
    note.writer = writer;
    write();
    tabs.offer(items);
    for (const { p, sel } of items) {
      const section = document.getElementById(`q${p}`);
      if (section && sel.length && !chosen(section).length) put(section, sel);
    }
    tally();
  },
  older: (count) => tabs.overtaken(count),
  over: () => forget(),
  gone: () => forget(),
};

/** The drill has ended: its page no longer needs to be kept. Answers that wait stay. */
function forget() {
  if (!queue.count) attempt(() => localStorage.removeItem(NAME));
}

root.querySelector("[data-end]").addEventListener("click", async (event) => {
  if (!queue.count) return;
  event.preventDefault();
  const { href } = event.currentTarget;
  const line = document.getElementById("savestate");
  line.textContent = `${answers(queue.count)} still to send. They’ll be sent automatically when you’re online.`;
  await queue.sync();
  location.assign(href);
});

/** Hand the page's address to the worker, which fetches and keeps it with its files. */
async function keep() {
  const mark = markOfOwner();
  if (!mark || !window.cookieStore || !navigator.serviceWorker) throw new Error("no worker");
  await navigator.serviceWorker.register(root.dataset.worker);
  const { active } = await navigator.serviceWorker.ready;
  const { port1, port2 } = new MessageChannel();
  const done = new Promise((settle) => (port1.onmessage = ({ data }) => settle(data)));
  active.postMessage({ taken: `taken:${mark}:${root.dataset.uuid}` }, [port2]);
  if (!(await done)) throw new Error("not kept");
}

keep().then(
  () => (root.querySelector("[data-stored]").hidden = false),
  async () => {
    const isHere = "caches" in window && (await caches.keys()).some((name) => name === `taken:${markOfOwner()}:${root.dataset.uuid}`);
    root.querySelector(isHere ? "[data-stored]" : "[data-unstored]").hidden = false;
  },
);
