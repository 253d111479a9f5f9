import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { Store, Tabs, Waiting } from "../../static/js/session/store.js";
import { browser, kept } from "./fakes.js";

const KNOWN = 3; // the writer number the page was rendered with
let page;

beforeEach(() => {
  page = browser();
});

/** Return what a tab has stored: its entries, oldest first. */
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

/** Return the tabs of one browser, with a queue that sends nothing. */
function tabs(store = new Store("one")) {
  const queue = { waiting: new Waiting(store, KNOWN), taken: [], say: (what, entries) => queue.taken.push([what, entries]) };
  return new Tabs(store, queue, KNOWN, 10);
}

describe("what is queued in a tab", () => {
  it("has a number that rises with every change", () => {
    const waiting = new Waiting(new Store("one"), KNOWN);
    for (const p of [1, 2, 1]) waiting.put(p, { sel: [0] }, true);
    assert.deepEqual(waiting.entries.map(({ p, seq }) => [p, seq]), [[2, 2], [1, 3]]);
  });

  it("leaves the queue when acknowledged, unless it has changed since", () => {
    const waiting = new Waiting(new Store("one"), KNOWN);
    waiting.put(1, { sel: [0] }, true);
    const [sent] = waiting.entries.map((entry) => ({ ...entry }));
    waiting.put(1, { sel: [1] }, true);
    waiting.acknowledge(sent);
    assert.deepEqual(waiting.entries.map(({ sel }) => sel), [[1]]);
    waiting.acknowledge(waiting.entries[0]);
    assert.ok(waiting.isEmpty);
  });

  it("counts as an answer once the learner has done something, even if it is only looked at later", () => {
    const waiting = new Waiting(new Store("one"), KNOWN);
    waiting.put(1, { sel: [] }, false);
    assert.equal(waiting.count, 0);
    waiting.put(1, { sel: [0] }, true);
    waiting.put(1, { sel: [0] }, false);
    assert.equal(waiting.count, 1);
  });

  it("is stored at once, and an empty queue leaves nothing stored", async () => {
    const waiting = new Waiting(await opened(), KNOWN);
    waiting.put(1, { sel: [0] }, true);
    assert.deepEqual(kept(`answers:one:${waiting.store.tab}`).items[1].sel, [0]);
    waiting.drop(1);
    assert.deepEqual(Object.keys(localStorage), []);
  });

  it("stays in the page if the browser stores nothing, and the page knows that", async () => {
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

describe("adopting what another tab left", () => {
  let waiting;

  beforeEach(() => {
    waiting = new Waiting(new Store("one"), KNOWN);
  });

  it("keeps the newest entry of each item", () => {
    waiting.put(1, { sel: [1] }, true);
    waiting.put(2, { sel: [1] }, true);
    const now = Date.now();
    waiting.adopt(record([{ p: 1, at: now - 1 }, { p: 2, at: now + 1 }]));
    assert.deepEqual([1, 2].map((p) => waiting.all.items[p].sel), [[1], [0]]);
  });

  it("prefers an answer to a question merely looked at, even more recently", () => {
    waiting.put(1, { sel: [1] }, true);
    waiting.put(2, { sel: [1] }, false);
    const now = Date.now();
    waiting.adopt(record([{ p: 1, at: now + 1, mine: false }, { p: 2, at: now - 1 }]));
    assert.deepEqual([1, 2].map((p) => waiting.all.items[p].sel), [[1], [0]]);
  });

  it("renumbers the entries in their order, above all numbers either tab has used", () => {
    waiting.put(1, { sel: [1] }, true);
    waiting.adopt(record([{ p: 5 }, { p: 4 }], { n: 40 }));
    assert.deepEqual(waiting.entries.map(({ p, seq }) => [p, seq]), [[1, 1], [5, 41], [4, 42]]);
  });

  it("adopts checks and hints too, each once", () => {
    waiting.all.hints.push(2);
    waiting.adopt(record([{ p: 1 }], { checks: { 1: "check" }, hints: [2, 3] }));
    assert.deepEqual(waiting.all.hints, [2, 3]);
    assert.deepEqual(waiting.all.checks, { 1: "check" });
  });
});

describe("a tab's name", () => {
  it("stays the same after a reload, once the previous page has released it", async () => {
    const first = await opened();
    const second = new Store("one");
    const opening = second.open();
    await page.time.pass(1000);
    assert.equal(second.tab, undefined);
    page.locks.free(`answers:one:${first.tab}`);
    await opening;
    assert.equal(second.tab, first.tab);
  });

  it("is new for a copy of a tab that is still open", async () => {
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

  it("is this tab's own if the tab has kept its name", async () => {
    sessionStorage.setItem("sitting-tab", "ab12");
    localStorage.setItem("sitting:one:ab12", JSON.stringify(record([{ p: 1 }, { p: 2 }])));
    const own = tabs();
    await own.gather();
    assert.equal(own.store.tab, "ab12");
    assert.equal(sessionStorage.getItem("session-tab"), "ab12");
    assert.deepEqual(own.queue.waiting.entries.map(({ p }) => p), [1, 2]);
    assert.equal(localStorage.getItem("sitting:one:ab12"), null);
  });

  it("is left to its tab while that is open", async () => {
    localStorage.setItem("sitting:one:living", JSON.stringify(record([{ p: 1 }])));
    navigator.locks.request("sitting:one:living", {}, () => new Promise(() => {}));
    const own = tabs();
    await own.gather();
    assert.ok(own.queue.waiting.isEmpty);
    assert.deepEqual(Object.keys(kept("sitting:one:living").items), ["1"]);
  });

  it("never replaces a newer record", async () => {
    localStorage.setItem("sitting:one:dead", JSON.stringify(record([{ p: 1, at: 5 }])));
    leave("dead", record([{ p: 1, sel: [2] }, { p: 3 }]));
    const own = tabs();
    await own.gather();
    assert.deepEqual(own.queue.waiting.entries.map(({ p, sel }) => [p, sel]).sort(), [[1, [2]], [3, [0]]]);
  });
});

describe("opening a session", () => {
  it("adopts what a closed tab left and deletes its record", async () => {
    leave("dead", record([{ p: 1 }, { p: 2 }]));
    const own = tabs();
    await own.gather();
    assert.deepEqual(own.queue.waiting.entries.map(({ p }) => p), [1, 2]);
    assert.equal(localStorage.getItem("answers:one:dead"), null);
    assert.deepEqual(Object.keys(kept(`answers:one:${own.store.tab}`).items), ["1", "2"]);
  });

  it("leaves an open tab's record to that tab", async () => {
    leave("living", record([{ p: 1 }]));
    navigator.locks.request("answers:one:living", {}, () => new Promise(() => {}));
    const own = tabs();
    await own.gather();
    assert.ok(own.queue.waiting.isEmpty);
    assert.deepEqual(Object.keys(kept("answers:one:living").items), ["1"]);
  });

  it("counts every other tab as closed if there are no locks", async () => {
    navigator.locks = undefined;
    leave("other", record([{ p: 1 }]));
    const own = tabs();
    await own.gather();
    assert.equal(own.queue.waiting.count, 1);
  });

  it("ignores a broken record, an empty one and one of another session", async () => {
    localStorage.setItem("answers:two:dead", JSON.stringify(record([{ p: 1 }])));
    localStorage.setItem("answers:one:broken", "{");
    localStorage.setItem("answers:one:empty", "null");
    const own = tabs();
    await own.gather();
    assert.ok(!own.hasAny);
    assert.ok(localStorage.getItem("answers:two:dead"));
  });

  it("drops questions that the session does not have", async () => {
    leave("dead", record([{ p: 0 }, { p: 10 }, { p: 11 }]));
    const own = tabs();
    await own.gather();
    assert.deepEqual(own.queue.waiting.entries.map(({ p }) => p), [10]);
  });

  it("keeps a record with an older writer number unsent until the learner decides", async () => {
    leave("older", record([{ p: 1 }], { writer: KNOWN - 1 }));
    const own = tabs();
    await own.gather();
    assert.ok(own.queue.waiting.isEmpty);
    assert.ok(own.isAsking);
    assert.ok(localStorage.getItem("answers:one:older"));
  });

  it("keeps this tab's own older record through new writes and a reload until the learner decides", async () => {
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

  it("deletes this tab's own older record if it matches the server's", async () => {
    sessionStorage.setItem("session-tab", "tab");
    leave("tab", record([{ p: 1, sel: [2], flag: false, out: [] }], { writer: KNOWN - 1 }));
    document.getElementById = () => ({ querySelector: () => null });
    const own = tabs();
    await own.gather();
    own.offer([{ p: 1, sel: [2], flag: false, out: [], done: false }]);
    assert.deepEqual(Object.keys(localStorage), []);
  });

  it("deletes an older record that matches the server's without asking", async () => {
    leave("older", record([{ p: 1, sel: [2], flag: false, out: [] }], { writer: KNOWN - 1 }));
    document.getElementById = () => ({ querySelector: () => null });
    const own = tabs();
    await own.gather();
    own.offer([{ p: 1, sel: [2], flag: false, out: [], done: false }]);
    assert.ok(!own.isAsking);
    assert.equal(localStorage.getItem("answers:one:older"), null);
  });
});
