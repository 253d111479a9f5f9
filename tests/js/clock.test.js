import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { Clock } from "../../static/js/session/clock.js";
import { browser, element } from "./fakes.js";

const MINUTE = 60000;
let page, parts, ends;

/** Return the clock of a page that was rendered with this many milliseconds left. */
function clock(remaining) {
  const box = element({ remaining: String(remaining) });
  parts = { clock: box, "clock-text": element(), "clock-hide": element(), announce: element() };
  page = browser(parts);
  ends = 0;
  return new Clock("one", () => ends++);
}

/** Return what a screen reader was given to read out, in order. */
function spoken() {
  return parts.announce.said.filter(Boolean);
}

function shown() {
  return parts["clock-text"].textContent;
}

describe("the announcement of the time left", () => {
  it("comes at ten, five and one minute, once each", async () => {
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

  it("never comes at the start, however little time is left", async () => {
    for (const left of [10 * MINUTE, 4 * MINUTE, 30000]) {
      clock(left);
      await page.time.pass(20000);
      assert.deepEqual(spoken(), []);
    }
  });

  it("is not repeated when the server sets the clock back past it", async () => {
    const own = clock(11 * MINUTE);
    await page.time.pass(MINUTE + 500);
    assert.equal(spoken().length, 1);
    own.sync(10 * MINUTE + 200);
    await page.time.pass(MINUTE);
    assert.equal(spoken().length, 1);
  });
});

describe("the time left", () => {
  it("does not change when the device's own clock is set", async () => {
    const own = clock(60 * MINUTE);
    for (const step of [-24 * 60 * MINUTE, 48 * 60 * MINUTE]) {
      const before = own.left;
      page.time.wall += step;
      assert.equal(own.left, before);
      await page.time.pass(1000);
      assert.equal(own.left, before - 1000);
    }
  });

  it("only falls without news from the server, and stops at zero", async () => {
    const own = clock(3000);
    const seen = [own.left];
    for (let each = 0; each < 8; each++) {
      await page.time.pass(700);
      seen.push(own.left);
    }
    assert.deepEqual(seen, [3000, 2300, 1600, 900, 200, 0, 0, 0, 0]);
  });

  it("is what the server last said", async () => {
    const own = clock(60 * MINUTE);
    await page.time.pass(MINUTE);
    own.sync(30 * MINUTE);
    assert.equal(own.left, 30 * MINUTE);
    own.sync(undefined);
    own.sync(null);
    assert.equal(own.left, 30 * MINUTE);
  });

  it("is shown every second, with hours only if there are any", async () => {
    clock(60 * MINUTE + 1000);
    assert.match(shown(), /^1:00:01 /);
    await page.time.pass(1500);
    assert.match(shown(), /^1:00:00 /);
    await page.time.pass(1000);
    assert.match(shown(), /^59:59 /);
  });

  it("is right at once when a page that was asleep is shown again", async () => {
    clock(60 * MINUTE);
    page.time.now += 20 * MINUTE; // no timer ran
    page.fire("visibilitychange");
    assert.match(shown(), /^40:00 /);
  });
});

describe("the end of the time", () => {
  it("is reported once", async () => {
    const own = clock(2000);
    await page.time.pass(1999);
    assert.equal(ends, 0);
    await page.time.pass(MINUTE);
    assert.equal(ends, 1);
    own.sync(5000);
    await page.time.pass(MINUTE);
    assert.equal(ends, 1);
  });

  it("is not reported by a clock that was stopped", async () => {
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

  it("stays hidden in this browser until the last five minutes", async () => {
    assert.ok(parts["clock-text"].hidden);
    assert.equal(localStorage.getItem("session-clock:one"), "hidden");
    await page.time.pass(14 * MINUTE);
    assert.ok(parts["clock-text"].hidden);
    await page.time.pass(MINUTE + 1000);
    assert.ok(!parts["clock-text"].hidden);
    assert.ok(parts.clock.classes.has("is-low"));
  });

  it("still announces the time left", async () => {
    await page.time.pass(11 * MINUTE);
    assert.equal(spoken().length, 1);
  });
});

describe("a session without a deadline", () => {
  it("has no clock, and nothing fails without one", () => {
    page = browser({});
    const own = new Clock("one", () => assert.fail("no end"));
    own.sync(1000);
    assert.equal(own.left, null);
  });
});
