/* Service worker of running sessions. The player (static/js/session/device.js) hands it a page with prompts only. It keeps that
   page, encrypted with a key from a cookie, and its files; returns them if the network fails; and drops them once the server
   no longer says that the session is running. docs/decisions/0010-a-running-session-on-the-device.md says why. */

const PAGE = /^\/practice\/sessions\/([0-9a-f-]{36})\/(results\/|sheet\/)?$/;
const TAKEN = "/practice/sessions/taken/";
const START = "{% url 'app' %}";
const OFFLINE = "{% filter escapejs %}{% include 'practice/offline.html' %}{% endfilter %}";
const OFFLINE_HEADERS = {
  "Content-Type": "text/html; charset=utf-8",
  "Content-Security-Policy": "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'",
};
const SESSION_LINE = /<li data-session>.*?<\/li>/s;
const PARTS = { "results/": results, "sheet/": sheet };
const COOKIE = /^(__Host-)?courseiva-device$/;
const FILE = /(?:href|src)="?(\/static\/[^"\s>]+)/g;
const PICTURE = /src="(\/pictures\/[^"\s>]+)"/g;
const UNFIT = ["content-encoding", "content-length", "device-key", "vary"]; // headers that aren't part of the kept page
const AWAY = [502, 503, 504]; // the server cannot be reached, said by a proxy or by our own page: the same as no network

// A newer worker takes over at once. That is safe because it keeps nothing in memory and pages bring their own scripts.
addEventListener("install", () => self.skipWaiting());

addEventListener("message", (event) => {
  const { data, ports } = event;
  event.waitUntil(data.taken ? take(data.taken).then((isKept) => ports[0].postMessage(isKept)) : keep(data));
});

addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  const [, uuid, part] = PAGE.exec(pathname) ?? [];
  if (pathname === TAKEN && request.mode === "navigate") event.respondWith(taken(request));
  else if (pathname === START && request.mode === "navigate") event.respondWith(start(request));
  else if (uuid && request.mode === "navigate") event.respondWith((PARTS[part] ?? page)(request, uuid));
  else if (pathname.startsWith("/static/")) event.respondWith(file(request));
  else if (pathname.startsWith("/pictures/")) event.respondWith(picture(request));
});

/** The network's page, whatever it says; only if the server can't be reached, the one kept on the device. */
async function page(request, uuid) {
  const response = await fetch(request).catch(() => null);
  if (response && !AWAY.includes(response.status)) {
    if (isOver(response)) await forget(uuid);
    return response;
  }
  return (await kept(uuid).catch(() => null)) ?? response ?? Response.error();
}

/** The page for a paper sheet isn't kept: without the network it redirects to the session's page, which has the answers. */
async function sheet(request, uuid) {
  const response = await fetch(request).catch(() => null);
  if (response && !AWAY.includes(response.status)) return response;
  const isKept = await kept(uuid).catch(() => null);
  return isKept ? Response.redirect(`/practice/sessions/${uuid}/`) : (response ?? Response.error());
}

/** Paused, discarded, gone, or someone else's. A redirect says nothing: it may lead to the sign-in page. */
function isOver({ type, status, headers }) {
  if (type === "opaqueredirect" || status === 429 || status >= 500) return false;
  return headers.get("Session-State") !== "running";
}

/** The offline drill: the network's page, else the one kept here for the person signed in. It has its own store, which
    isn't encrypted: public questions and their solutions, and nothing about the learner. */
async function taken(request) {
  const response = await fetch(request).catch(() => null);
  if (response && !AWAY.includes(response.status)) {
    if (isOver(response)) await dropTaken(() => true);
    return response;
  }
  const mark = await markOf().catch(() => "");
  const name = (await caches.keys()).find((each) => mark && each.startsWith(`taken:${mark}:`));
  return (name && (await caches.match(TAKEN, { cacheName: name, ignoreVary: true }))) ?? response ?? Response.error();
}

/** Where the installed site opens. The server leads on to its first page; without it, what this device holds is listed. */
async function start(request) {
  const response = await fetch(request).catch(() => null);
  if (response && !AWAY.includes(response.status)) return response;
  const mark = await markOf().catch(() => "");
  const names = mark ? await caches.keys() : [];
  const uuids = names.filter((name) => name.startsWith(`session:${mark}:`)).map((name) => name.split(":")[2]);
  const lines = await Promise.all(uuids.map(sessionLine));
  const hasTaken = names.some((name) => name.startsWith(`taken:${mark}:`));
  const shown = [hasTaken && "taken", lines.join("") && "sessions", !hasTaken && !lines.join("") && "none"];
  let html = OFFLINE.replace(SESSION_LINE, () => lines.join(""));
  for (const part of shown.filter(Boolean)) html = html.replace(`data-${part} hidden`, `data-${part}`);
  return new Response(html, { headers: OFFLINE_HEADERS });
}

/** The line for a kept session, with its page's title; empty if it can't be opened. */
async function sessionLine(uuid) {
  const html = await kept(uuid).then((page) => page.text(), () => "");
  const [, title] = /<title>([^<]*)<\/title>/.exec(html) ?? [];
  if (!title) return "";
  const [line] = SESSION_LINE.exec(OFFLINE);
  return line.replace("00000000-0000-0000-0000-000000000000", uuid).replace(/(<a [^>]*>)[^<]*/, (_, link) => link + title);
}

/** Keep the page as the server draws it now, files first; what was stored before goes. False if the server has a different one. */
async function take(name) {
  try {
    const response = await fetch(TAKEN, { redirect: "error" });
    const html = await response.clone().text();
    if (!response.ok || !html.includes(`data-uuid="${name.split(":")[2]}"`)) return false;
    const cache = await caches.open(name);
    await cache.addAll(new Set([...html.matchAll(FILE)].map(([, path]) => path)));
    await cache.put(TAKEN, response);
    await dropTaken((each) => each !== name);
    return true;
  } catch {
    return false;
  }
}

async function dropTaken(isOld) {
  const names = (await caches.keys()).filter((name) => name.startsWith("taken:") && isOld(name));
  await Promise.all(names.map((name) => caches.delete(name)));
}

async function markOf() {
  const cookies = await self.cookieStore.getAll();
  return cookies.find(({ name }) => COOKIE.test(name)).value.split(".")[0];
}

/** A session that has results is finished. */
async function results(request, uuid) {
  const response = await fetch(request);
  if (response.ok) await forget(uuid); // an offline drill too: its store ends with the same uuid
  return response;
}

async function forget(uuid) {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.endsWith(`:${uuid}`)).map((name) => caches.delete(name)));
}

/** Files first and the page last, so that there is no page without its files. */
async function keep({ name, base, key, html, headers }) {
  const files = named(html, FILE);
  const pictures = named(html, PICTURE);
  const cache = await caches.open(name);
  const held = (await cache.keys()).map(({ url }) => new URL(url).pathname);
  await cache.addAll([...files].filter((file) => !held.includes(file)));
  for (const path of pictures) if (!held.includes(path)) await keepPicture(cache, path, key);
  await lock(cache, base, key, new TextEncoder().encode(html), headers);
  const stale = held.filter((path) => path !== base && !files.has(path) && !pictures.has(path));
  await Promise.all(stale.map((path) => cache.delete(path)));
}

function named(html, pattern) {
  return new Set([...html.matchAll(pattern)].map(([, path]) => path));
}

/** If a picture can't be fetched, the page is kept without it: its words take its place. */
async function keepPicture(cache, path, key) {
  const response = await fetch(path).catch(() => null);
  if (response?.ok) await lock(cache, path, key, await response.arrayBuffer(), response.headers);
}

async function lock(cache, path, key, bytes, headers) {
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const locked = await crypto.subtle.encrypt({ name: "AES-GCM", iv }, await keyOf(key), bytes);
  const fit = [...headers].filter(([each]) => !UNFIT.includes(each));
  await cache.put(path, new Response(new Blob([iv, locked]), { headers: fit }));
}

function keyOf(hex) {
  const raw = Uint8Array.from(hex.match(/../g), (pair) => parseInt(pair, 16));
  return crypto.subtle.importKey("raw", raw, "AES-GCM", false, ["encrypt", "decrypt"]);
}

/** The page kept for the person signed in now; nothing without their key. */
async function kept(uuid) {
  const [mark, key] = await owner();
  return unlock(await caches.match(`/practice/sessions/${uuid}/`, { cacheName: `session:${mark}:${uuid}` }), key);
}

async function owner() {
  const cookies = await self.cookieStore.getAll();
  return cookies.find(({ name }) => COOKIE.test(name)).value.split(".");
}

async function unlock(locked, key) {
  const bytes = await locked.arrayBuffer();
  const open = await crypto.subtle.decrypt({ name: "AES-GCM", iv: bytes.slice(0, 12) }, await keyOf(key), bytes.slice(12));
  return new Response(open, { headers: locked.headers });
}

/** Scripts and styles: the network's (mostly the browser's own cache), else the kept one. After a release the server may
    no longer have the files that an open page was rendered with; their names are content hashes, so no file is stale. */
async function file(request) {
  const response = await fetch(request).catch(() => null);
  if (response?.ok) return response;
  return (await caches.match(request, { ignoreVary: true })) ?? response ?? Response.error();
}

/** The network's picture, else the one kept for the person signed in now. Its address is a content hash, so none is stale. */
async function picture(request) {
  const response = await fetch(request).catch(() => null);
  if (response && !AWAY.includes(response.status)) return response;
  return (await keptPicture(request).catch(() => null)) ?? response ?? Response.error();
}

async function keptPicture(request) {
  const [mark, key] = await owner();
  const mine = (await caches.keys()).filter((name) => name.startsWith(`session:${mark}:`));
  const found = await Promise.all(mine.map((cacheName) => caches.match(request, { cacheName, ignoreVary: true })));
  return unlock(found.find(Boolean), key);
}
