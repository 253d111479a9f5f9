/* What this browser keeps of sessions, by name. session/device.js fills it, templates/practice/worker.js gives pages back.

   A running session is kept as "session:<mark>:<uuid>", the mark saying whose it is: a cache with the page, encrypted, and its
   files; an entry in localStorage with what is chosen and how much time is left. What waits for the server is not touched. */

import { attempt } from "./wire.js";

const COOKIE = /(?:^|;\s*)(?:__Host-)?courseiva-device=(\w+)\./;
export const NAME = /^session:(\w+):([\w-]+)$/;
const WAITING = /^(?:answers|sitting):([\w-]+):/; // the second is what 0.1.0 wrote
const GRACE = 60000;
const LONGEST = 14 * 86400000; // as long as a login

/** The mark of the person who may open stored pages now, if there is one. */
export function markOfOwner() {
  return COOKIE.exec(document.cookie)?.[1];
}

export function nameOf(mark, uuid) {
  return `session:${mark}:${uuid}`;
}

/** A clock shared by this browser's pages, which a change of the device's time does not move. */
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

/** At sign-in and sign-out: delete every page, and the offline drill. */
export async function empty() {
  const taken = "caches" in window ? (await caches.keys()).filter((name) => name.startsWith("taken:")) : [];
  await Promise.all([drop(() => true), ...taken.map((name) => caches.delete(name))]);
}

/** Delete what another person kept here, sessions whose time is over, and those whose page the worker has dropped. */
export function sweep(mine = markOfOwner()) {
  const isOver = ({ at = 0, left }) => moment() - at > (left === null ? LONGEST : (left ?? 0) + GRACE);
  return drop((mark, uuid, pages) => {
    const name = nameOf(mark, uuid);
    return mark !== mine || !pages.includes(name) || isOver(read(name) ?? {});
  });
}

/** If a session has answers that wait, its bare entry stays: the mark says whose answers they are. */
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

/** All sessions with answers queued in this browser, no matter whose. */
export function records() {
  return entries().flatMap((key) => {
    const uuid = WAITING.exec(key)?.[1];
    const count = Object.values(read(key)?.items ?? {}).filter((entry) => entry.mine).length;
    return uuid && count ? [{ uuid, count }] : [];
  });
}
