import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { Store, Tabs, Waiting } from "../../static/js/session/store.js";
import { browser, kept } from "./fakes.js";

const KNOWN = 3; // the writer the page was drawn with
let page;

beforeEach(() => {
  page = browser();
});

/** What a tab wrote: its entries, oldest first. */
function record(entries, more = {}) {
  const items = Object.fromEntries(entries.map((entry, at) => [entry.p, { sel: [0], at: 10, mine: true, seq: at + 1, ...entry }]));
  return { writer: KNOWN, n: entries.length, items, checks: {}, hints: [], ...more };
}

function leave(tab, content) {
  localStorage.setItem(`answers:one:${tab}`, JSON.stringify(content));
}

async function opened() {
  const store = new Store("one");
  await store.open();
  return store;
}

/** The tabs of one browser, with a queue that only holds what waits. */
function tabs(store = new Store("one")) {
  const queue = { waiting: new Waiting(store, KNOWN), taken: [], say: (what, entries) => queue.taken.push([what, entries]) };
  return new Tabs(store, queue, KNOWN, 10);
}

describe("what waits in a tab", () => {
  it("has a number that rises with every change", () => {
    const waiting = new Waiting(new Store("one"), KNOWN);
    for (const p of [1, 2, 1]) waiting.put(p, { sel: [0] }, true);
    assert.deepEqual(waiting.entries.map(({ p, seq }) => [p, seq]), [[2, 2], [1, 3]]);
  });

  it("goes at an acknowledgement, unless it has changed since", () => {
    const waiting = new Waiting(new Store("one"), KNOWN);
    waiting.put(1, { sel: [0] }, true);
    const [sent] = waiting.entries.map((entry) => ({ ...entry }));
    waiting.put(1, { sel: [1] }, true);
    waiting.acknowledge(sent);
    assert.deepEqual(waiting.entries.map(({ sel }) => sel), [[1]]);
    waiting.acknowledge(waiting.entries[0]);
    assert.ok(waiting.isEmpty);
  });

  it("counts as an answer once the learner has done something, whatever is looked at later", () => {
    const waiting = new Waiting(new Store("one"), KNOWN);
    waiting.put(1, { sel: [] }, false);
    assert.equal(waiting.count, 0);
    waiting.put(1, { sel: [0] }, true);
    waiting.put(1, { sel: [0] }, false);
    assert.equal(waiting.count, 1);
  });

  it("is written at once, and nothing is left where nothing waits", async () => {
    const waiting = new Waiting(await opened(), KNOWN);
    waiting.put(1, { sel: [0] }, true);
    assert.deepEqual(kept(`answers:one:${waiting.store.tab}`).items[1].sel, [0]);
    waiting.drop(1);
    assert.deepEqual(Object.keys(localStorage), []);
  });

  it("stays on the page, which knows it, where the browser keeps nothing", async () => {
    const waiting = new Waiting(await opened(), KNOWN);
    page.disk.isShut = true;
    waiting.put(1, { sel: [0] }, true);
    assert.equal(waiting.isKept, false);
    assert.equal(waiting.count, 1);
    page.disk.isShut = false;
    waiting.put(2, { sel: [0] }, true);
    assert.equal(waiting.isKept, true);
    assert.deepEqual(Object.keys(kept(`answers:one:${waiting.store.tab}`).items), ["1", "2"]);
  });
});

describe("taking in what a tab left", () => {
  let waiting;

  beforeEach(() => {
    waiting = new Waiting(new Store("one"), KNOWN);
  });

  it("the newest of each item wins", () => {
    waiting.put(1, { sel: [1] }, true);
    waiting.put(2, { sel: [1] }, true);
    const now = Date.now();
    waiting.adopt(record([{ p: 1, at: now - 1 }, { p: 2, at: now + 1 }]));
    assert.deepEqual([1, 2].map((p) => waiting.all.items[p].sel), [[1], [0]]);
  });

  it("an answer wins over a question merely looked at, even a newer one", () => {
    waiting.put(1, { sel: [1] }, true);
    waiting.put(2, { sel: [1] }, false);
    const now = Date.now();
    waiting.adopt(record([{ p: 1, at: now + 1, mine: false }, { p: 2, at: now - 1 }]));
    assert.deepEqual([1, 2].map((p) => waiting.all.items[p].sel), [[1], [0]]);
  });

  it("gives it fresh numbers above all that either has used, in its own order", () => {
    waiting.put(1, { sel: [1] }, true);
    waiting.adopt(record([{ p: 5 }, { p: 4 }], { n: 40 }));
    assert.deepEqual(waiting.entries.map(({ p, seq }) => [p, seq]), [[1, 1], [5, 41], [4, 42]]);
  });

  it("brings checks and hints along, each once", () => {
    waiting.all.hints.push(2);
    waiting.adopt(record([{ p: 1 }], { checks: { 1: "check" }, hints: [2, 3] }));
    assert.deepEqual(waiting.all.hints, [2, 3]);
    assert.deepEqual(waiting.all.checks, { 1: "check" });
  });
});

describe("a tab's name", () => {
  it("stays at a reload, once the page before has let go", async () => {
    const first = await opened();
    const second = new Store("one");
    const opening = second.open();
    await page.time.pass(1000);
    assert.equal(second.tab, undefined);
    page.locks.free(`answers:one:${first.tab}`);
    await opening;
    assert.equal(second.tab, first.tab);
  });

  it("is a new one for a copy of a tab that lives on", async () => {
    const first = await opened();
    const copy = new Store("one");
    const opening = copy.open();
    await page.time.pass(1500);
    await opening;
    assert.notEqual(copy.tab, first.tab);
    assert.equal(sessionStorage.getItem("session-tab"), copy.tab);
  });
});

describe("what a page of 0.1.0 left", () => {
  it("is adopted under today's name", async () => {
    localStorage.setItem("sitting:one:dead", JSON.stringify(record([{ p: 1 }])));
    const own = tabs();
    await own.gather();
    assert.deepEqual(own.queue.waiting.entries.map(({ p }) => p), [1]);
    assert.equal(localStorage.getItem("sitting:one:dead"), null);
    assert.deepEqual(Object.keys(kept(`answers:one:${own.store.tab}`).items), ["1"]);
  });

  it("is this tab's own where the tab has kept its name", async () => {
    sessionStorage.setItem("sitting-tab", "ab12");
    localStorage.setItem("sitting:one:ab12", JSON.stringify(record([{ p: 1 }, { p: 2 }])));
    const own = tabs();
    await own.gather();
    assert.equal(own.store.tab, "ab12");
    assert.equal(sessionStorage.getItem("session-tab"), "ab12");
    assert.deepEqual(own.queue.waiting.entries.map(({ p }) => p), [1, 2]);
    assert.equal(localStorage.getItem("sitting:one:ab12"), null);
  });

  it("is left to its tab while that lives", async () => {
    localStorage.setItem("sitting:one:living", JSON.stringify(record([{ p: 1 }])));
    navigator.locks.request("sitting:one:living", {}, () => new Promise(() => {}));
    const own = tabs();
    await own.gather();
    assert.ok(own.queue.waiting.isEmpty);
    assert.deepEqual(Object.keys(kept("sitting:one:living").items), ["1"]);
  });

  it("never takes the place of a newer record", async () => {
    localStorage.setItem("sitting:one:dead", JSON.stringify(record([{ p: 1, at: 5 }])));
    leave("dead", record([{ p: 1, sel: [2] }, { p: 3 }]));
    const own = tabs();
    await own.gather();
    assert.deepEqual(own.queue.waiting.entries.map(({ p, sel }) => [p, sel]).sort(), [[1, [2]], [3, [0]]]);
  });
});

describe("at opening", () => {
  it("what a dead tab left is adopted, and its record goes", async () => {
    leave("dead", record([{ p: 1 }, { p: 2 }]));
    const own = tabs();
    await own.gather();
    assert.deepEqual(own.queue.waiting.entries.map(({ p }) => p), [1, 2]);
    assert.equal(localStorage.getItem("answers:one:dead"), null);
    assert.deepEqual(Object.keys(kept(`answers:one:${own.store.tab}`).items), ["1", "2"]);
  });

  it("what a living tab holds is left to it", async () => {
    leave("living", record([{ p: 1 }]));
    navigator.locks.request("answers:one:living", {}, () => new Promise(() => {}));
    const own = tabs();
    await own.gather();
    assert.ok(own.queue.waiting.isEmpty);
    assert.deepEqual(Object.keys(kept("answers:one:living").items), ["1"]);
  });

  it("without locks every other tab counts as dead", async () => {
    navigator.locks = undefined;
    leave("other", record([{ p: 1 }]));
    const own = tabs();
    await own.gather();
    assert.equal(own.queue.waiting.count, 1);
  });

  it("a record of another session, a broken one and an empty one are passed over", async () => {
    localStorage.setItem("answers:two:dead", JSON.stringify(record([{ p: 1 }])));
    localStorage.setItem("answers:one:broken", "{");
    localStorage.setItem("answers:one:empty", "null");
    const own = tabs();
    await own.gather();
    assert.ok(!own.hasAny);
    assert.ok(localStorage.getItem("answers:two:dead"));
  });

  it("questions the session does not have are dropped", async () => {
    leave("dead", record([{ p: 0 }, { p: 10 }, { p: 11 }]));
    const own = tabs();
    await own.gather();
    assert.deepEqual(own.queue.waiting.entries.map(({ p }) => p), [10]);
  });

  it("a record made under an older number is not sent: the learner is asked, and it stays till then", async () => {
    leave("older", record([{ p: 1 }], { writer: KNOWN - 1 }));
    const own = tabs();
    await own.gather();
    assert.ok(own.queue.waiting.isEmpty);
    assert.ok(own.isAsking);
    assert.ok(localStorage.getItem("answers:one:older"));
  });

  it("an older record of this very tab stays through what the tab writes next, and through a reload, until it is decided", async () => {
    sessionStorage.setItem("session-tab", "tab");
    leave("tab", record([{ p: 1, sel: [1] }], { writer: KNOWN - 1 }));
    const own = tabs();
    await own.gather();
    own.queue.waiting.keep(); // as the queue does when it starts
    own.queue.waiting.put(2, { sel: [0] }, true);
    page.locks.free("answers:one:tab");
    const again = tabs();
    await again.gather();
    assert.ok(again.isAsking);
    const older = Object.keys(localStorage).map(kept).filter(({ writer }) => writer < KNOWN);
    assert.deepEqual(older.map(({ items }) => items[1].sel), [[1]]);
    assert.deepEqual(again.queue.waiting.entries.map(({ p }) => p), [2]);
  });

  it("an older record of this very tab that says what the server says is forgotten too", async () => {
    sessionStorage.setItem("session-tab", "tab");
    leave("tab", record([{ p: 1, sel: [2], flag: false, out: [] }], { writer: KNOWN - 1 }));
    document.getElementById = () => ({ querySelector: () => null });
    const own = tabs();
    await own.gather();
    own.offer([{ p: 1, sel: [2], flag: false, out: [], done: false }]);
    assert.deepEqual(Object.keys(localStorage), []);
  });

  it("an older record that says what the server says is forgotten without a word", async () => {
    leave("older", record([{ p: 1, sel: [2], flag: false, out: [] }], { writer: KNOWN - 1 }));
    document.getElementById = () => ({ querySelector: () => null });
    const own = tabs();
    await own.gather();
    own.offer([{ p: 1, sel: [2], flag: false, out: [], done: false }]);
    assert.ok(!own.isAsking);
    assert.equal(localStorage.getItem("answers:one:older"), null);
  });
});
