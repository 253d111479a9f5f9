/**
 * The moderators' queue by keyboard, and undoing. Every action is the card's own button, sent without leaving the page.
 */

const KEY = "moderation-keys";
const COOKIE = /(?:^|;\s*)(?:__Host-)?csrftoken=([^;]+)/;
const FAILED = "That didn’t work. Reload the page and try again.";
const queue = document.querySelector("[data-queue]");
const toast = document.querySelector("[data-toast]");
const backlog = document.querySelector("[data-backlog]");
const nothing = document.querySelector("[data-nothing]");
const tasks = { last: Promise.resolve(), waiting: 0 };
const done = []; // acts that can still be undone, the newest last
let current = null;
let trouble = "";

const cards = () => (queue ? [...queue.querySelectorAll("[data-card]")] : []);
const cardOf = (id) => queue.querySelector(`[data-card="${id}"]`);
const isMine = (card) => card.querySelector("[data-acts]") && !("aside" in card.dataset);
const isOpen = (card) => !card.hidden && !card.hasAttribute("aria-busy") && isMine(card);

/* One request after the other, in the order of the keys, so that nobody decides again on what an approval released. */
function enqueue(task) {
  tasks.waiting += 1;
  tasks.last = tasks.last.then(task).catch(() => warn(FAILED)).then(() => {
    tasks.waiting -= 1;
    goOn();
  });
}

async function send(address, fields) {
  const response = await fetch(address, {
    method: "POST",
    body: new URLSearchParams(fields.filter(([name]) => name !== "csrfmiddlewaretoken")),
    headers: { Accept: "application/json", "X-CSRFToken": token() },
  });
  if (response.redirected || ![200, 400].includes(response.status)) throw new Error("you may have been signed out");
  return response.json();
}

/* Read from the cookie, because renewing a login in another tab changes it. */
function token() {
  return COOKIE.exec(document.cookie)?.[1] ?? "";
}

function say(card, words) {
  card.querySelector("[data-claim-words]").textContent = words;
}

/* Another moderator has claimed the card or decided first: skip it until a claim on it must have expired. */
function putAside(card, words, seconds = Number(queue.dataset.claimSeconds)) {
  card.dataset.aside = "";
  if (words) say(card, words);
  setTimeout(() => {
    delete card.dataset.aside;
    say(card, "");
    if (!current) make(cards().find(isOpen) ?? null, false);
  }, seconds * 1000);
}

function warn(words) {
  trouble = words;
  setTimeout(() => {
    if (trouble === words) trouble = "";
    show();
  }, Number(toast.dataset.seconds) * 1000);
  show();
}

/* The current card */

function make(card, focus = true) {
  current?.classList.remove("is-current");
  current?.removeAttribute("aria-current");
  current = card;
  if (!card) return;
  card.classList.add("is-current");
  card.setAttribute("aria-current", "true");
  if (focus) card.focus({ preventScroll: true });
  if (focus) card.scrollIntoView({ block: "nearest" });
  enqueue(() => claim(card));
}

function next() {
  const all = cards();
  const place = all.indexOf(current);
  make(all.slice(place + 1).find(isOpen) ?? all.slice(0, Math.max(place, 0)).find(isOpen) ?? null);
}

async function claim(card) {
  if (!isOpen(card) || !token()) return;
  const got = await send(queue.dataset.claim, [["comment", card.dataset.card]]);
  const refused = got.refused[card.dataset.card];
  if (!refused) return;
  putAside(card, refused);
  if (card === current) next();
}

/* When nothing on the page is left to decide, open the rest of the queue. */
function goOn() {
  if (!queue || tasks.waiting) return;
  nothing.hidden = cards().some(isOpen);
  if (!nothing.hidden && cards().some((card) => card.hidden)) leave(queue.dataset.home);
}

/* Go to another page, taking along what can still be undone. */
function leave(address) {
  const ids = done.flatMap((act) => act.entries).join(",");
  const page = new URL(address, location.href);
  if (ids) page.searchParams.set("done", ids);
  location.assign(page);
}

/* Deciding */

function act(form, button) {
  const fields = [...new FormData(form)].filter(([name]) => name !== button.name);
  fields.push([button.name, button.value]);
  const chosen = fields.filter(([name]) => name === "comment").map(([, id]) => cardOf(id)).filter(Boolean);
  if (!chosen.length) return;
  const words = button.textContent.trim().replace(/^\d\s*/, "");
  for (const card of chosen) card.setAttribute("aria-busy", "true");
  if (chosen.includes(current)) next();
  enqueue(() => decide(fields, chosen, { act: button.value, words }));
}

async function decide(fields, chosen, what) {
  const left = chosen.filter((card) => !card.hidden);
  if (!left.length) return; // released a moment ago
  try {
    const got = await send(queue.dataset.decide, fields);
    for (const [id, why] of Object.entries(got.refused ?? {})) if (cardOf(id)) putAside(cardOf(id), why);
    if (got.entries?.length) settle(got, what);
    const why = got.said ?? Object.values(got.refused)[0];
    if (why) warn(`That didn’t work: ${why}`);
  } finally {
    for (const card of left) card.removeAttribute("aria-busy");
  }
  if (!current || !isOpen(current)) next();
}

function settle(got, { act, words }) {
  const gone = got.settled.map(cardOf).filter((card) => card && !card.hidden);
  for (const card of gone) {
    card.hidden = true;
    for (const box of card.querySelectorAll("[name=comment][type=checkbox]")) box.checked = false;
  }
  count(-got.settled.length);
  const more = got.settled.length > 1 ? ` (${got.settled.length})` : "";
  const entry = { entries: got.entries, cards: gone, size: got.settled.length, act, words: `${words}${more}` };
  done.push(entry);
  setTimeout(() => forget(entry), Number(toast.dataset.seconds) * 1000);
  show();
}

function count(change) {
  backlog.textContent = Math.max(0, Number(backlog.textContent) + change);
}

/* Undoing */

function show() {
  const latest = done.at(-1);
  toast.hidden = !latest && !trouble;
  toast.querySelector("button").hidden = !latest;
  toast.dataset.act = latest?.act ?? "";
  toast.toggleAttribute("data-trouble", Boolean(trouble));
  toast.querySelector("span").textContent = [trouble, latest && `Done: ${latest.words}`].filter(Boolean).join(" ");
}

function forget(entry) {
  const place = done.indexOf(entry);
  if (place >= 0) done.splice(place, 1);
  show();
}

function undo() {
  const latest = done.at(-1);
  if (!latest) return;
  forget(latest);
  enqueue(async () => {
    const got = await send(toast.dataset.undo, latest.entries.map((id) => ["entry", id]));
    if (!got.entries.length) return warn(`Couldn’t undo: ${Object.values(got.refused)[0] ?? ""}`);
    for (const card of latest.cards) card.hidden = false;
    count(latest.size);
    if (latest.cards.length) make(latest.cards[0]);
  });
}

/* Keys, which can be switched off */

function keysAreOn() {
  try {
    return localStorage.getItem(KEY) !== "off";
  } catch {
    return true;
  }
}

function press(key) {
  const panel = current?.querySelector("[data-reject]");
  if (key === "n") return cards().some(isOpen) ? next() : document.querySelector("[data-nothing] a")?.click();
  if (key === "u") return undo();
  if (!current || !isOpen(current)) return;
  if (key === "a") current.querySelector("[name=act][value=approve]").click();
  else if (key === "s") current.querySelector("[name=act][value=spam]").click();
  else if (key === "r") panel.open = !panel.open;
  else if (key === "escape") panel.open = false;
  else if (panel.open) reject(panel, Number(key));
}

function reject(panel, number) {
  const button = panel.querySelectorAll("[name=reject]")[number - 1];
  const words = panel.querySelector("textarea");
  const saved = panel.querySelector("[data-saved]");
  if (button?.value === "other" && !words.value.trim() && !saved?.value) words.focus();
  else button?.click();
}

function startKeys() {
  const line = document.querySelector("[data-keys]");
  const button = line.querySelector("button");
  const draw = () => {
    line.dataset.keys = keysAreOn() ? "on" : "off";
    button.textContent = `Shortcuts ${line.dataset.keys}`;
  };
  line.hidden = false;
  draw();
  button.addEventListener("click", () => {
    try {
      localStorage.setItem(KEY, keysAreOn() ? "off" : "on");
    } catch {
      /* Storage is not available: the keys stay on. */
    }
    draw();
  });
  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest("input:not([type=checkbox]), textarea, select");
    if (typing || event.ctrlKey || event.metaKey || event.altKey || event.repeat || !keysAreOn()) return;
    const key = event.key.toLowerCase();
    if (!/^([arsnu1-8]|escape)$/.test(key)) return;
    event.preventDefault();
    press(key);
  });
}

if (queue) {
  document.addEventListener("submit", (event) => {
    if (event.target.action !== new URL(queue.dataset.decide, location.href).href) return;
    if (event.submitter?.hasAttribute("formaction")) return;
    event.preventDefault();
    act(event.target, event.submitter);
  });
  queue.addEventListener("focusin", (event) => {
    const card = event.target.closest("[data-card]");
    if (card && card !== current && isOpen(card)) make(card, false);
  });
  toast.querySelector("button").addEventListener("click", undo);
  nothing.querySelector("a")?.addEventListener("click", (event) => {
    event.preventDefault();
    leave(event.target.href);
  });
  startKeys();
  for (const card of cards()) if (card.dataset.taken) putAside(card, "", Number(card.dataset.taken));
  make(cards().find(isOpen) ?? null, false);
}

/* Tick all: the cards that the moderator may decide on, or the actions on a page of the log. */
const all = document.querySelector("[data-tick-all]");
if (all) {
  const boxes = () =>
    queue
      ? cards().filter(isOpen).map((card) => card.querySelector("[name=comment][type=checkbox]"))
      : document.querySelectorAll("[name=entry][type=checkbox]");
  all.hidden = false;
  all.addEventListener("click", () => {
    for (const box of boxes()) box.checked = true;
  });
}

/* Edit out: replaces the selected text with a note. */
const edit = document.querySelector("[data-edit-out]");
if (edit) {
  const button = edit.querySelector("[data-cut]");
  const text = edit.querySelector("textarea[name=text]");
  button.hidden = false;
  button.addEventListener("click", () => {
    if (text.selectionStart < text.selectionEnd) {
      text.setRangeText(edit.dataset.editOut, text.selectionStart, text.selectionEnd, "end");
    }
    text.focus();
  });
}
