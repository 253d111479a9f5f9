import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { empty, forget, markOfOwner, moment, nameOf, read, records, sweep } from "../../static/js/session/kept.js";
import { browser, kept } from "./fakes.js";

const HOUR = 3600000;
let page;

beforeEach(() => {
  page = browser();
  page.cookies("csrftoken=token; courseiva-device=me.key");
});

/** Store a session on the device: its page, and the time that was left. */
function keep(uuid, { mark = "me", at = moment(), left = HOUR } = {}) {
  const name = nameOf(mark, uuid);
  page.caches.set(name, {});
  localStorage.setItem(name, JSON.stringify({ at, left }));
  return name;
}

function wait(uuid, entry = { p: 1, mine: true }) {
  localStorage.setItem(`answers:${uuid}:tab`, JSON.stringify({ items: { 1: entry } }));
}

function left() {
  return { pages: [...page.caches.keys()], entries: Object.keys(localStorage).filter((name) => name.startsWith("session:")) };
}

describe("the owner of stored pages", () => {
  it("is named by the cookie, with or without its prefix for https", () => {
    assert.equal(markOfOwner(), "me");
    page.cookies("__Host-courseiva-device=you.key");
    assert.equal(markOfOwner(), "you");
    page.cookies("not-courseiva-device=you.key");
    assert.equal(markOfOwner(), undefined);
  });
});

describe("reading", () => {
  it("gives null for an entry that is missing, broken or out of reach", () => {
    localStorage.setItem("broken", "{");
    assert.equal(read("none"), null);
    assert.equal(read("broken"), null);
    page.disk.isShut = true;
    assert.equal(read("none"), null);
  });

  it("counts each session's queued answers, without questions only looked at", () => {
    wait("one");
    wait("two", { p: 1, mine: false });
    localStorage.setItem("answers:three:tab", "{");
    assert.deepEqual(records(), [{ uuid: "one", count: 1 }]);
  });
});

describe("deleting what is stored", () => {
  it("leaves the other sessions if one is deleted", async () => {
    keep("one");
    const two = keep("two");
    await forget("one");
    assert.deepEqual(left(), { pages: [two], entries: [two] });
  });

  it("leaves the site's other caches and entries if all sessions are deleted", async () => {
    keep("one");
    page.caches.set("other", {});
    localStorage.setItem("theme", "dark");
    await empty();
    assert.deepEqual(left(), { pages: ["other"], entries: [] });
    assert.equal(localStorage.getItem("theme"), "dark");
  });

  it("leaves queued answers, and their session's bare name to say whose they are", async () => {
    const name = keep("one");
    wait("one");
    await forget("one");
    assert.deepEqual(left(), { pages: [], entries: [name] });
    assert.deepEqual(kept(name), {});
    assert.deepEqual(records(), [{ uuid: "one", count: 1 }]);
  });
});

describe("clearing out old sessions", () => {
  it("deletes what another person stored here", async () => {
    const mine = keep("one");
    keep("two", { mark: "you" });
    await sweep();
    assert.deepEqual(left(), { pages: [mine], entries: [mine] });
  });

  it("deletes a session a minute after its time ran out, and not before", async () => {
    const name = keep("one", { left: HOUR });
    await page.time.pass(HOUR + 60000);
    await sweep();
    assert.deepEqual(left().pages, [name]);
    await page.time.pass(1);
    await sweep();
    assert.deepEqual(left(), { pages: [], entries: [] });
  });

  it("deletes a session without a deadline after fourteen days, when a login ends too", async () => {
    const name = keep("one", { left: null });
    await page.time.pass(14 * 24 * HOUR);
    await sweep();
    assert.deepEqual(left().pages, [name]);
    await page.time.pass(1);
    await sweep();
    assert.deepEqual(left().pages, []);
  });

  it("ignores a change of the device's time", async () => {
    const name = keep("one");
    page.time.wall += 100 * 24 * HOUR;
    await sweep();
    assert.deepEqual(left().pages, [name]);
  });

  it("deletes an entry whose page the service worker has deleted", async () => {
    page.caches.delete(keep("one"));
    await sweep();
    assert.deepEqual(left().entries, []);
  });
});
