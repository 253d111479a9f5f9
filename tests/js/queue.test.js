import assert from "node:assert/strict";
import { beforeEach, describe, it, mock } from "node:test";
import { Queue, replay } from "../../static/js/session/queue.js";
import { Store } from "../../static/js/session/store.js";
import { browser, kept, settle } from "./fakes.js";

const RECORD = "answers:one:tab";
const CLAIMED = { status: 200, data: { writer: 7, items: [] } };
let page, queue, told;

/** Respond as a server that has saved everything. */
function acknowledged({ url, body }) {
  if (url.endsWith("/claim/")) return CLAIMED;
  return { status: 200, data: { saved: body.items.map(({ p }) => p), late: [], refused: [], over: false } };
}

/** Return a server on which claims succeed and a save gets this response. */
function onSave(answer) {
  return (request) => (request.url.endsWith("/save/") ? answer : acknowledged(request));
}

function listener(name) {
  return (...words) => void told.push([name, ...words]);
}

function states() {
  return told.filter(([name]) => name === "status").map(([, state]) => state);
}

async function opened() {
  queue.start();
  await settle();
}

beforeEach(() => {
  page = browser();
  page.server.answer = acknowledged;
  mock.method(Math, "random", () => 1);
  const store = new Store("one");
  store.tab = "tab";
  queue = new Queue("/s/", 3, store);
  told = [];
  for (const name of ["status", "server", "saved", "refused", "older", "login", "gone", "over", "unchecked", "verdict"]) {
    queue.tell[name] = listener(name);
  }
});

describe("a queued answer", () => {
  it("is stored in this browser before anything is sent", async () => {
    await opened();
    queue.put(1, { sel: [2] });
    assert.deepEqual(kept(RECORD).items[1].sel, [2]);
    assert.equal(page.server.sent("save").length, 0);
    await page.time.pass(400);
    assert.deepEqual(page.server.sent("save")[0].body.items[0].sel, [2]);
  });

  it("stays in the browser until the server has acknowledged it", async () => {
    let answer;
    page.server.answer = onSave(new Promise((done) => (answer = done)));
    await opened();
    queue.put(1, { sel: [2] });
    await page.time.pass(5000);
    assert.deepEqual(kept(RECORD).items[1].sel, [2]);
    answer({ status: 200, data: { saved: [1], late: [], refused: [], over: false } });
    await settle();
    assert.equal(localStorage.getItem(RECORD), null);
  });

  it("stays if it has changed meanwhile, and is sent again", async () => {
    const answers = [];
    page.server.answer = (request) =>
      request.url.endsWith("/save/") ? new Promise((done) => answers.push(done)) : acknowledged(request);
    await opened();
    told = [];
    queue.put(1, { sel: [2] });
    await page.time.pass(400);
    queue.put(1, { sel: [3] });
    answers.shift()({ status: 200, data: { saved: [1], late: [], refused: [], over: false } });
    await settle();
    assert.deepEqual(kept(RECORD).items[1].sel, [3]);
    assert.deepEqual(page.server.sent("save").map(({ body }) => body.items[0].sel), [[2], [3]]);
    assert.ok(!states().includes("saved"));
  });

  it("stays if the server acknowledges only others, and the save counts as failed", async () => {
    page.server.answer = onSave({ status: 200, data: { saved: [1], late: [], refused: [], over: false } });
    await opened();
    queue.put(1, { sel: [0] });
    queue.put(2, { sel: [1] });
    await page.time.pass(400);
    assert.deepEqual(Object.keys(kept(RECORD).items), ["2"]);
    assert.equal(states().at(-1), "offline");
  });

  it("also leaves the queue if it is late or refused, and a refusal is reported", async () => {
    page.server.answer = onSave({ status: 200, data: { saved: [], late: [1], refused: [{ p: 2, reason: "no" }], over: false } });
    await opened();
    queue.put(1, { sel: [0] });
    queue.put(2, { sel: [1] });
    await page.time.pass(400);
    assert.equal(localStorage.getItem(RECORD), null);
    assert.deepEqual(told.filter(([name]) => name === "refused"), [["refused", 2, "no"]]);
  });

  it("is sent in the order the answers were given, fifty at a time", async () => {
    await opened();
    for (let p = 60; p >= 1; p--) queue.put(p, { sel: [0] });
    await page.time.pass(400);
    const batches = page.server.sent("save").map(({ body }) => body.items.map(({ p }) => p));
    assert.deepEqual(batches.map(({ length }) => length), [50, 10]);
    assert.deepEqual(batches.flat(), Array.from({ length: 60 }, (_, at) => 60 - at));
  });

  it("is sent with one request at a time", async () => {
    let running = 0;
    let most = 0;
    page.server.answer = async (request) => {
      most = Math.max(most, ++running);
      await settle();
      running--;
      return acknowledged(request);
    };
    queue.start();
    for (let p = 1; p <= 5; p++) {
      queue.put(p, { sel: [0] });
      queue.now();
      await settle();
    }
    await page.time.pass(1000);
    assert.equal(most, 1);
    assert.equal(queue.count, 0);
  });

  it("is sent even if rendering fails", async () => {
    queue.tell.status = () => {
      throw new Error("not drawn");
    };
    await opened();
    queue.put(1, { sel: [0] });
    await page.time.pass(400);
    assert.equal(page.server.sent("save").length, 1);
    assert.ok(page.errors.length > 0);
  });

  it("is sent once more when the page is left, but only with our own writer number", async () => {
    queue.put(1, { sel: [0] });
    queue.leave();
    assert.equal(page.server.requests.length, 0);
    await opened();
    page.server.requests.length = 0;
    queue.put(2, { sel: [0] });
    queue.leave();
    const [{ keepalive, body }] = page.server.requests;
    assert.ok(keepalive);
    assert.equal(body.writer, 7);
    assert.deepEqual(body.items.map(({ p }) => p), [2]);
  });
});

describe("the word \"Saved\"", () => {
  it("is not shown while an answer is queued or being sent", async () => {
    let answer;
    page.server.answer = onSave(new Promise((done) => (answer = done)));
    await opened();
    told = [];
    queue.put(1, { sel: [0] });
    await page.time.pass(3000);
    assert.deepEqual([...new Set(states())], ["saving"]);
    answer({ status: 200, data: { saved: [1], late: [], refused: [], over: false } });
    await settle();
    assert.equal(states().at(-1), "saved");
  });

  it("is not shown before the server has given us a writer number", async () => {
    page.server.answer = () => ({ status: 0 });
    await opened();
    assert.ok(!states().includes("saved"));
    assert.equal(states().at(-1), "offline");
  });
});

describe("a server that does not respond", () => {
  it("is tried again after waits that double, up to half a minute", async () => {
    page.server.answer = () => ({ status: 0 });
    await opened();
    await page.time.pass(200000);
    const at = page.server.sent("claim").map((request) => request.at);
    const waits = at.slice(1).map((each, before) => each - at[before]);
    assert.deepEqual(waits.slice(0, 8), [1000, 2000, 4000, 8000, 16000, 30000, 30000, 30000]);
  });

  it("is not tried by all browsers at once: a wait may be as short as half", async () => {
    Math.random.mock.mockImplementation(() => 0);
    page.server.answer = () => ({ status: 503 });
    await opened();
    await page.time.pass(4000);
    const at = page.server.sent("claim").map((request) => request.at);
    assert.deepEqual(at.map((each) => each - at[0]), [0, 500, 1500, 3500]);
  });

  it("is tried again quickly after one success", async () => {
    let isUp = false;
    page.server.answer = (request) => (isUp ? acknowledged(request) : { status: 500 });
    await opened();
    await page.time.pass(8000);
    isUp = true;
    await page.time.pass(16000);
    isUp = false;
    queue.put(1, { sel: [0] });
    await page.time.pass(5000);
    const at = page.server.sent("save").map((request) => request.at);
    assert.deepEqual(at.slice(0, 3).map((each) => each - at[0]), [0, 1000, 3000]);
  });

  it("causes no loss, and everything is sent once it is back", async () => {
    page.server.answer = onSave({ status: 503 });
    await opened();
    queue.put(1, { sel: [0] });
    queue.put(2, { sel: [1] });
    await page.time.pass(60000);
    assert.deepEqual(Object.keys(kept(RECORD).items), ["1", "2"]);
    assert.deepEqual(told.findLast(([name]) => name === "status"), ["status", "offline", "No response, 2 waiting"]);
    page.server.answer = acknowledged;
    queue.now();
    await settle();
    assert.equal(queue.count, 0);
    assert.equal(states().at(-1), "saved");
  });
});

describe("a refusal that needs the learner", () => {
  const cases = [
    ["older", { status: 409, data: {} }],
    ["login", { status: 403, data: { login: "/accounts/login/" } }],
    ["gone", { status: 404, data: {} }],
    ["gone", { status: 410, data: { error: "over" } }],
  ];
  for (const [halt, answer] of cases) {
    it(`stops sending after a ${answer.status}, is reported once, and keeps the queue`, async () => {
      page.server.answer = onSave(answer);
      await opened();
      queue.put(1, { sel: [0] });
      await page.time.pass(400);
      const sent = page.server.requests.length;
      queue.put(2, { sel: [0] });
      queue.now();
      await page.time.pass(120000);
      assert.equal(queue.halt, halt);
      assert.equal(page.server.requests.length, sent);
      assert.equal(told.filter(([name]) => name === halt).length, 1);
      assert.deepEqual(Object.keys(kept(RECORD).items), ["1", "2"]);
      assert.equal(states().at(-1), "stopped");
    });
  }

  it("ends for a tab that takes over: it gets a new writer number and renumbers its queue", async () => {
    page.server.answer = onSave({ status: 409, data: {} });
    await opened();
    queue.put(1, { sel: [0] });
    await page.time.pass(400);
    const before = queue.holds(1).seq;
    page.server.answer = acknowledged;
    queue.takeOver();
    await settle();
    assert.equal(page.server.sent("claim").length, 2);
    assert.ok(page.server.sent("save").at(-1).body.items[0].seq > before);
    assert.equal(queue.count, 0);
  });

  it("ends after signing in", async () => {
    page.server.answer = onSave({ status: 403, data: { login: "/accounts/login/" } });
    await opened();
    queue.put(1, { sel: [0] });
    await page.time.pass(400);
    page.server.answer = acknowledged;
    queue.resume();
    await settle();
    assert.equal(queue.count, 0);
    assert.equal(page.server.sent("claim").length, 1);
  });

  it("is not assumed for any other 403, which is tried again", async () => {
    page.server.answer = onSave({ status: 403, data: { error: "no" } });
    await opened();
    queue.put(1, { sel: [0] });
    await page.time.pass(1400);
    assert.equal(queue.halt, "");
    assert.equal(page.server.sent("save").length, 2);
    assert.equal(states().at(-1), "offline");
  });

  it("is not needed for a page that was closed on purpose to send nothing more", async () => {
    await opened();
    queue.put(1, { sel: [0] });
    queue.close();
    await page.time.pass(60000);
    assert.equal(page.server.sent("save").length, 0);
    assert.deepEqual(Object.keys(kept(RECORD).items), ["1"]);
  });
});

describe("sync", () => {
  it("resolves once everything is acknowledged by a later response", async () => {
    let isDone = false;
    page.server.answer = onSave({ status: 503 });
    await opened();
    queue.put(1, { sel: [0] });
    queue.sync().then(() => (isDone = true));
    await page.time.pass(10000);
    assert.equal(isDone, false);
    page.server.answer = acknowledged;
    await page.time.pass(30000);
    assert.equal(isDone, true);
  });

  it("sends a request even if nothing is queued", async () => {
    await opened();
    await queue.sync();
    assert.deepEqual(page.server.sent("save").map(({ body }) => body.items), [[]]);
  });
});

describe("a session that is over", () => {
  it("is reported by the claim, and the queue is still sent with the page's writer number", async () => {
    queue.put(1, { sel: [0] });
    page.server.answer = ({ url, body }) => {
      if (url.endsWith("/claim/")) return { status: 200, data: { over: true } };
      return { status: 200, data: { saved: [], late: body.items.map(({ p }) => p), refused: [], over: true } };
    };
    await opened();
    assert.equal(page.server.sent("save")[0].body.writer, 3);
    assert.equal(queue.count, 0);
    assert.equal(told.filter(([name]) => name === "over").length, 1);
  });
});

describe("a stored page that is back online", () => {
  const WRITER = 3; // the writer number in the stored record
  const row = (p, more) => ({ p, sel: [2], out: [], flag: false, conf: null, sec: 5, done: false, ...more });
  let line;

  /** Open the page with these items queued; the server gives it this writer number. */
  async function back(items, { writer, latest = writer - 1, rows = [], checks = {}, kept: isKept = true }) {
    const record = { writer: WRITER, n: 9, items, checks, hints: [] };
    localStorage.setItem("answers:one:tab", JSON.stringify(record));
    sessionStorage.setItem("session-tab", "tab");
    page.server.answer = (request) =>
      request.url.endsWith("/claim/") ? { status: 200, data: { writer, latest, items: rows } } : acknowledged(request);
    line = replay({ base: "/s/", uuid: "one", writer: String(WRITER), total: "5", ...(isKept && { kept: "" }) });
    for (const name of ["unchecked", "server"]) line.queue.tell[name] = listener(name);
    await page.time.pass(1000);
  }

  function answered(p, more) {
    return { p, sel: [0], out: [], flag: true, conf: null, sec: 7, seen: true, seq: p, at: 10, mine: true, ...more };
  }

  function sent() {
    return page.server.sent("save").flatMap(({ body }) => body.items);
  }

  function aside() {
    return Object.keys(localStorage).filter((name) => name.startsWith("answers:one:") && !name.endsWith(":tab")).map(kept);
  }

  it("sends its queue if no other page has continued the session", async () => {
    await back({ 1: answered(1) }, { writer: WRITER + 1, rows: [row(1)] });
    assert.deepEqual(sent().map(({ p, sel }) => [p, sel]), [[1, [0]]]);
    assert.ok(!line.tabs.isAsking);
    assert.deepEqual(Object.keys(localStorage), []);
  });

  it("sends its queue too if the server accepted its claim but the response was lost", async () => {
    await back({ 1: answered(1) }, { writer: WRITER + 2, latest: WRITER, rows: [row(1)] });
    assert.deepEqual(sent().map(({ p, sel }) => [p, sel]), [[1, [0]]]);
    assert.ok(!line.tabs.isAsking);
  });

  it("sets its queue aside and offers it if another page has saved, overwriting nothing newer", async () => {
    await back({ 1: answered(1), 2: answered(2) }, { writer: WRITER + 2, rows: [row(1), row(2)] });
    assert.ok(line.tabs.isAsking);
    assert.equal(line.queue.count, 0);
    assert.deepEqual(sent().filter(({ sel }) => sel[0] !== 2), []);
    assert.deepEqual(aside().map(({ writer, items }) => [writer, Object.keys(items)]), [[WRITER, ["1", "2"]]]);
  });

  it("still reports what was seen and for how long, with the server's choice", async () => {
    await back({ 1: answered(1), 2: answered(2, { mine: false }) }, { writer: WRITER + 2, rows: [row(1), row(2)] });
    const facts = sent().map(({ p, sel, flag, sec, seen, mine }) => ({ p, sel, flag, sec, seen, mine }));
    assert.deepEqual(facts, [1, 2].map((p) => ({ p, sel: [2], flag: false, sec: 7, seen: true, mine: false })));
    assert.deepEqual(aside().map(({ items }) => Object.keys(items)), [["1"]]);
  });

  it("asks nothing if questions were only looked at, and leaves marked ones alone", async () => {
    await back({ 1: answered(1, { mine: false }) }, { writer: WRITER + 2, rows: [row(1, { done: true })] });
    assert.ok(!line.tabs.isAsking);
    assert.deepEqual(sent(), []);
    assert.deepEqual(Object.keys(localStorage), []);
  });

  it("does not check an answer that was set aside, and says so before it renders", async () => {
    await back({ 1: answered(1) }, { writer: WRITER + 2, rows: [row(1)], checks: { 1: "check" } });
    assert.equal(page.server.sent("check").length, 0);
    assert.deepEqual(told.map(([name, p]) => [name, p].filter((each) => typeof each !== "object")), [["unchecked", 1], ["server"]]);
    assert.notEqual(told[0][2], "");
  });

  it("keeps the undecided answers through a reload", async () => {
    await back({ 1: answered(1) }, { writer: WRITER + 2, rows: [row(1)] });
    page.locks.free("answers:one:tab");
    const again = replay({ base: "/s/", uuid: "one", writer: String(WRITER + 2), total: "5" });
    await page.time.pass(1000);
    assert.ok(again.tabs.isAsking);
    assert.equal(aside().length, 1);
  });

  it("sends its queue at once when the learner takes the session over", async () => {
    await back({}, { writer: WRITER + 1 });
    page.server.answer = (request) =>
      request.url.endsWith("/claim/") ? { status: 200, data: { writer: WRITER + 9, latest: WRITER + 8, items: [row(1)] } } : acknowledged(request);
    line.queue.put(1, answered(1));
    line.queue.takeOver();
    await page.time.pass(1000);
    assert.deepEqual(sent().map(({ sel }) => sel), [[0]]);
    assert.ok(!line.tabs.isAsking);
  });

  it("sets nothing aside if the page has just come from the server", async () => {
    await back({ 1: answered(1) }, { writer: WRITER + 2, rows: [row(1)], kept: false });
    assert.deepEqual(sent().map(({ sel }) => sel), [[0]]);
    assert.ok(!line.tabs.isAsking);
  });
});

describe("an answer to be checked", () => {
  it("is sent with its check, not with a save, and leaves the queue with the verdict", async () => {
    page.server.answer = (request) =>
      request.url.endsWith("/check/") ? { status: 200, text: '<div class="breakdown">' } : acknowledged(request);
    await opened();
    queue.check(1, { sel: [0] }, "check");
    await settle();
    assert.equal(page.server.sent("save").length, 0);
    assert.deepEqual(told.filter(([name]) => name === "verdict").map(([, p]) => p), [1]);
    assert.equal(localStorage.getItem(RECORD), null);
  });

  it("is saved even if the check fails", async () => {
    page.server.answer = (request) => (request.url.endsWith("/check/") ? { status: 503 } : acknowledged(request));
    await opened();
    queue.check(1, { sel: [0] }, "check");
    await page.time.pass(1500);
    assert.deepEqual(page.server.sent("save").map(({ body }) => body.items[0].sel), [[0]]);
    assert.ok(queue.isUnchecked(1));
    assert.deepEqual(told.find(([name]) => name === "unchecked"), ["unchecked", 1, ""]);
  });

  it("stays unmarked if the server refuses the check, and the reason is reported", async () => {
    page.server.answer = (request) =>
      request.url.endsWith("/check/") ? { status: 400, data: { error: "choose two" } } : acknowledged(request);
    await opened();
    queue.check(1, { sel: [0] }, "check");
    await settle();
    assert.ok(!queue.isUnchecked(1));
    assert.deepEqual(told.find(([name]) => name === "unchecked"), ["unchecked", 1, "choose two"]);
    assert.equal(page.server.sent("save").length, 1);
  });
});
