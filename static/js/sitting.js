/* The player: takes the page of a sitting, which works without it, and makes it one question at a time with autosave. */

import { Clock } from "./sitting/clock.js";
import { Drill } from "./sitting/drill.js";
import { Ending } from "./sitting/ending.js";
import { Item } from "./sitting/items.js";
import { listen } from "./sitting/keys.js";
import { Login } from "./sitting/login.js";
import { Pages } from "./sitting/pages.js";
import { Queue } from "./sitting/queue.js";
import { Sheet } from "./sitting/sheet.js";
import { Store } from "./sitting/store.js";
import { announce, answers, notice } from "./sitting/wire.js";

const root = document.getElementById("sitting");
const form = document.getElementById("answers");
const byId = (id) => document.getElementById(id);
const SENTENCE = "This sitting went on in another tab or device.";

function play() {
  const items = new Map();
  for (const section of form.querySelectorAll("section.question")) {
    const item = new Item(section);
    items.set(item.p, item);
  }
  const { base, uuid, writer: known, login: address } = root.dataset;
  const store = new Store(uuid);
  let isFrozen = false;
  let isStriking = false;
  let synced = performance.now();

  const queue = new Queue(base, Number(known), store, {
    status: showStatus,
    server: takeServer,
    saved: (data) => (synced_(data.remaining), login.done()),
    verdict: (p, html) => (login.done(), drill.verdict(p, html)),
    unchecked: (p, words) => drill?.unchecked(p, words),
    stateOf: (p, seq) => ({ p, seq, ...items.get(p).wire }),
    refused,
    older: askToTakeOver,
    login: () => login.ask(),
    gone: (count, words) => (freeze(true), ending.callOff(), notice("gone", `${words || "This sitting is closed."} What you see here is not saved any more.`)),
    over: () => drill?.isDone || ending.leave(),
    kept: (isKept) => notice("kept", isKept ? "" : "This browser keeps nothing for this page: do not close it while it says that answers are waiting."),
  });
  const login = new Login(address, queue);
  const sheet = new Sheet(items);
  const ending = new Ending(root, queue, () => freeze(true));
  const pages = new Pages(items, { turned, left: (item) => item.isKnown && record(item, false) });
  const asksConfidence = "confidence" in root.dataset;
  const drill = "feedback" in root.dataset ? new Drill(items, queue, pages, { asksConfidence, changed }) : null;
  const clock = new Clock(uuid, () => ending.atZero());

  function synced_(remaining) {
    synced = performance.now();
    if (!ending.isUp) clock.sync(remaining);
  }

  function showStatus(state, words) {
    const line = byId("savestate");
    const isTrouble = (name) => name === "offline" || name === "stopped";
    // Every save need not be spoken: only trouble, and its end.
    line.setAttribute("aria-live", isTrouble(state) || isTrouble(line.dataset.state) ? "polite" : "off");
    line.dataset.state = state;
    if (line.textContent !== words) line.textContent = words;
    ending.draw();
  }

  /** The server's word holds, but for what waits in this browser. */
  function takeServer(data) {
    login.done();
    notice("older", "");
    if (data.paused) return location.reload();
    for (const row of data.items) {
      const item = items.get(row.p);
      const held = queue.holds(row.p);
      item.apply(held?.mine ? held : row);
      if (held && !held.mine) queue.put(row.p, item.wire, false); // only time and sight wait: the server knows the rest
      sheet.draw(item);
    }
    synced_(data.remaining);
    if (!ending.isUp) freeze(false);
    offer(data.items);
    turned(pages.item, pages.view);
  }

  function refused(p, reason) {
    if (drill && items.get(p) && !items.get(p).isChecked) drill.look(p, `${root.dataset.base}items/${p}/`);
    else notice(`refused-${p}`, `Question ${p} was not saved: ${reason}.`, [], "error");
  }

  function record(item, mine = true) {
    if (isFrozen || !item.isKnown || (item.isChecked && !mine)) return;
    pages.stamp();
    queue.put(item.p, item.wire, mine);
  }

  function changed(item) {
    sheet.draw(item);
    drawBar();
  }

  function answered(item) {
    changed(item);
    record(item);
    if (item.state.sel.length > item.choose) announce(item.miscount);
  }

  function turned(item, view) {
    sheet.current(item);
    if (view === "review") sheet.list(item);
    if (view === "question" && !item.state.seen && !item.isChecked) {
      item.state.seen = true;
      record(item, false);
    }
    item.showStrikes(isStriking);
    drawBar();
  }

  /* Stopping and going on */

  function freeze(isOn) {
    isFrozen = isOn;
    for (const item of items.values()) item.freeze(isOn || item.isChecked || queue.isUnchecked(item.p));
    drawBar();
  }

  function askToTakeOver(count) {
    freeze(true);
    ending.callOff();
    const words = count ? `${SENTENCE} This tab holds ${answers(count)} the server has not.` : SENTENCE;
    const label = count ? `Take over here and send ${count === 1 ? "it" : "them"}` : "Take over here";
    notice("older", words, [{ label, press: () => queue.takeOver() }]);
  }

  /** Records of tabs that no longer live: taken in where nobody wrote since, else offered when the claim is through. */
  const left = [];

  async function gather() {
    await store.open();
    const own = store.read();
    const found = [...(own ? [{ id: store.tab, record: own }] : []), ...(await store.leftBehind())];
    for (const { id, record: old } of found) {
      const isOurs = old.writer === Number(known);
      if (isOurs) queue.adopt(old);
      else left.push({ id, record: old });
      if (isOurs && id !== store.tab) store.remove(id);
    }
    queue.record.n = Math.max(queue.record.n, own?.n ?? 0);
    for (const entry of Object.values(queue.record.items)) {
      const item = items.get(entry.p);
      if (!item) queue.drop(entry.p);
      else if (!item.isChecked) item.apply(entry);
      if (item) sheet.draw(item);
    }
    drill?.restore();
    queue.start();
  }

  function offer(rows) {
    const differs = ({ p, sel, flag, out }) => {
      const row = rows.find((one) => one.p === p);
      return row && !items.get(p).isChecked && String([sel, flag, out]) !== String([row.sel, row.flag, row.out]);
    };
    for (const { record: old } of left) {
      old.items = Object.fromEntries(Object.entries(old.items).filter(([, entry]) => entry.mine && differs(entry)));
    }
    const count = new Set(left.flatMap(({ record: old }) => Object.keys(old.items))).size;
    const forget = () => left.splice(0).forEach(({ id }) => id !== store.tab && store.remove(id));
    if (!count) return forget();
    const send = () => {
      left.forEach(({ record: old }) => queue.adopt({ ...old, checks: {} }));
      forget();
      notice("left", "");
      for (const entry of Object.values(queue.record.items)) items.get(entry.p).apply(entry);
      for (const item of items.values()) sheet.draw(item);
      queue.now();
    };
    const words = `${SENTENCE} This browser holds ${answers(count)} the server has not.`;
    const label = `Take over here and send ${count === 1 ? "it" : "them"}`;
    const leave = { label: "Keep what the server has", quiet: true, press: () => (forget(), notice("left", "")) };
    notice("left", words, [{ label, press: send }, leave]);
  }

  /* The bar and the keys */

  function drawBar() {
    const { item, view } = pages;
    if (!item) return;
    const isQuestion = view === "question";
    byId("bar-back").disabled = view !== "review" && item.p === 1;
    byId("bar-flag").disabled = isFrozen || view === "review" || !item.isKnown;
    byId("bar-flag").setAttribute("aria-pressed", String(item.state.flag));
    byId("bar-flag").textContent = item.state.flag ? "Flagged" : "Flag";
    byId("bar-sheet").setAttribute("aria-expanded", String(view === "sheet"));
    byId("bar-strike").setAttribute("aria-pressed", String(isStriking));
    const next = byId("bar-next");
    next.disabled = view === "review";
    next.textContent = pages.isLast ? "Review" : "Next";
    next.classList.toggle("btn--quiet", (isQuestion && drill !== null && !item.isChecked) || view === "review");
    if (drill) byId("done").hidden = !drill.isDone;
  }

  const act = {
    choose(place) {
      const { item, view } = pages;
      if (view !== "question" || isFrozen || !item.choosePlace(place)) return false;
      answered(item);
      return true;
    },
    strike(place) {
      const { item, view } = pages;
      if (view !== "question" || isFrozen || !isStriking || !item.strike(place)) return false;
      record(item);
      return true;
    },
    flag() {
      if (byId("bar-flag").disabled) return;
      const { item } = pages;
      item.state.flag = !item.state.flag;
      changed(item);
      record(item);
      announce(item.state.flag ? "Flagged" : "Not flagged");
    },
    strikeMode() {
      isStriking = !isStriking;
      pages.item.showStrikes(isStriking);
      announce(isStriking ? "Strike-out on" : "Strike-out off");
      drawBar();
    },
    goOn() {
      if (pages.view !== "question" || !pages.item.isChecked) return false;
      pages.next();
      return true;
    },
    escape() {
      if (pages.view === "question") return false;
      pages.go(pages.item.p);
      return true;
    },
    next: () => pages.next(),
    back: () => pages.back(),
    sheet: () => pages.sheet(),
    review: () => pages.go("#review"),
    help: () => byId("help").showModal(),
  };

  const presses = {
    "bar-back": act.back,
    "bar-flag": act.flag,
    "bar-sheet": act.sheet,
    "bar-next": act.next,
    "bar-strike": act.strikeMode,
    "bar-help": act.help,
    "bar-pause": () => ending.pause(),
    "hand-in": () => ending.handIn(),
  };
  for (const [id, press] of Object.entries(presses)) byId(id)?.addEventListener("click", press);

  form.addEventListener("change", (event) => {
    const item = pages.item;
    if (!event.target.closest(".options") || isFrozen) return;
    item.read();
    answered(item);
  });
  form.addEventListener("click", (event) => {
    const button = event.target.closest(".strike");
    if (button && !isFrozen && pages.item.strike(Number(button.value))) record(pages.item);
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (isFrozen) return;
    if (drill) drill.press(event.submitter);
    else queue.now();
  });

  addEventListener("online", () => queue.now());
  addEventListener("pagehide", () => (pages.stamp(), queue.leave()));
  addEventListener("pageshow", (event) => event.persisted && queue.sync());
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) record(pages.item, false);
    if (document.hidden) queue.now();
    else if (performance.now() - synced > 20000) queue.sync();
  });

  for (const item of items.values()) {
    item.draw();
    sheet.draw(item);
  }
  listen(act);
  pages.go(location.hash, { focus: location.hash !== "" });
  gather();
}

if (form) play();
else document.documentElement.dataset.view = "paused";
