import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { Clock } from "../../static/js/session/clock.js";
import { browser, element } from "./fakes.js";

const MINUTE = 60000;
let page, parts, ends;

/** A page whose clock was drawn with this many milliseconds left. */
function clock(remaining) {
  const box = element({ remaining: String(remaining) });
  parts = { clock: box, "clock-text": element(), "clock-hide": element(), announce: element() };
  page = browser(parts);
  ends = 0;
  return new Clock("one", () => ends++);
}

/** What a screen reader was told, in order. */
function spoken() {
  return parts.announce.said.filter(Boolean);
}

function shown() {
  return parts["clock-text"].textContent;
}

describe("what is announced", () => {
  it("is ten, five and one minute, each once", async () => {
    clock(90 * MINUTE);
    await page.time.pass(79 * MINUTE);
    assert.equal(spoken().length, 0);
    const heard = [];
    for (const minutes of [2, 5, 4]) {
      await page.time.pass(minutes * MINUTE);
      heard.push(spoken().length);
    }
    assert.deepEqual(heard, [1, 2, 3]);
    assert.deepEqual(spoken().map((words) => parseInt(words, 10)), [10, 5, 1]);
  });

  it("is nothing at the start, however little is left", async () => {
    for (const left of [10 * MINUTE, 4 * MINUTE, 30000]) {
      clock(left);
      await page.time.pass(20000);
      assert.deepEqual(spoken(), []);
    }
  });

  it("is not said again when the server's word moves the clock back over it", async () => {
    const own = clock(11 * MINUTE);
    await page.time.pass(MINUTE + 500);
    assert.equal(spoken().length, 1);
    own.sync(10 * MINUTE + 200);
    await page.time.pass(MINUTE);
    assert.equal(spoken().length, 1);
  });
});

describe("the time left", () => {
  it("does not grow or shrink when the device's own clock is turned", async () => {
    const own = clock(60 * MINUTE);
    for (const step of [-24 * 60 * MINUTE, 48 * 60 * MINUTE]) {
      const before = own.left;
      page.time.wall += step;
      assert.equal(own.left, before);
      await page.time.pass(1000);
      assert.equal(own.left, before - 1000);
    }
  });

  it("only falls while nobody hears from the server, and stops at nothing", async () => {
    const own = clock(3000);
    const seen = [own.left];
    for (let each = 0; each < 8; each++) {
      await page.time.pass(700);
      seen.push(own.left);
    }
    assert.deepEqual(seen, [3000, 2300, 1600, 900, 200, 0, 0, 0, 0]);
  });

  it("is what the server said last", async () => {
    const own = clock(60 * MINUTE);
    await page.time.pass(MINUTE);
    own.sync(30 * MINUTE);
    assert.equal(own.left, 30 * MINUTE);
    own.sync(undefined);
    own.sync(null);
    assert.equal(own.left, 30 * MINUTE);
  });

  it("is drawn each second, hours only where there are some", async () => {
    clock(60 * MINUTE + 1000);
    assert.match(shown(), /^1:00:01 /);
    await page.time.pass(1500);
    assert.match(shown(), /^1:00:00 /);
    await page.time.pass(1000);
    assert.match(shown(), /^59:59 /);
  });

  it("is right at once when a page that slept is seen again", async () => {
    clock(60 * MINUTE);
    page.time.now += 20 * MINUTE; // no timer ran
    page.fire("visibilitychange");
    assert.match(shown(), /^40:00 /);
  });
});

describe("the end", () => {
  it("is told once", async () => {
    const own = clock(2000);
    await page.time.pass(1999);
    assert.equal(ends, 0);
    await page.time.pass(MINUTE);
    assert.equal(ends, 1);
    own.sync(5000);
    await page.time.pass(MINUTE);
    assert.equal(ends, 1);
  });

  it("is not told by a clock that was stopped", async () => {
    const own = clock(2000);
    own.stop();
    await page.time.pass(MINUTE);
    assert.equal(ends, 0);
  });
});

describe("a hidden clock", () => {
  beforeEach(() => {
    clock(20 * MINUTE);
    parts["clock-hide"].fire("click");
  });

  it("stays hidden in this browser, and shows itself for the last five minutes", async () => {
    assert.ok(parts["clock-text"].hidden);
    assert.equal(localStorage.getItem("session-clock:one"), "hidden");
    await page.time.pass(14 * MINUTE);
    assert.ok(parts["clock-text"].hidden);
    await page.time.pass(MINUTE + 1000);
    assert.ok(!parts["clock-text"].hidden);
    assert.ok(parts.clock.classes.has("is-low"));
  });

  it("still announces", async () => {
    await page.time.pass(11 * MINUTE);
    assert.equal(spoken().length, 1);
  });
});

describe("a session without a deadline", () => {
  it("has no clock, and nothing breaks", () => {
    page = browser({});
    const own = new Clock("one", () => assert.fail("no end"));
    own.sync(1000);
    assert.equal(own.left, null);
  });
});
