/* Service worker of running sessions. The player (static/js/session/device.js) hands it a page of prompts alone. It keeps that
   page, locked with a key that is in a cookie, and its files; gives them back where the network fails; and drops them where the
   server no longer says that the session runs. docs/decisions/0010-a-running-session-on-the-device.md says why. */

const PAGE = /^\/practice\/sessions\/([0-9a-f-]{36})\/(results\/)?$/;
const COOKIE = /^(__Host-)?courseiva-device$/;
const FILE = /(?:href|src)="?(\/static\/[^"\s>]+)/g;
const UNFIT = ["content-encoding", "content-length", "device-key", "vary"]; // headers that are no part of the kept page
const AWAY = [502, 503, 504]; // the server cannot be reached, said by a proxy or by our own page: the same as no network

// A newer worker takes over at once. That is safe because it keeps nothing in memory and pages bring their own scripts.
addEventListener("install", () => self.skipWaiting());

addEventListener("message", (event) => event.waitUntil(keep(event.data)));

addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  const [, uuid, isResults] = PAGE.exec(pathname) ?? [];
  if (uuid && request.mode === "navigate") event.respondWith(isResults ? results(request, uuid) : page(request, uuid));
  else if (pathname.startsWith("/static/")) event.respondWith(file(request));
});

/** The network's page, whatever it says. Only where the server cannot be reached the one kept on the device. */
async function page(request, uuid) {
  const response = await fetch(request).catch(() => null);
  if (response && !AWAY.includes(response.status)) {
    if (isOver(response)) await forget(uuid);
    return response;
  }
  return (await kept(uuid).catch(() => null)) ?? response ?? Response.error();
}

/** Paused, discarded, gone, or someone else's. A redirect says nothing: it may lead to the sign-in page. */
function isOver({ type, status, headers }) {
  if (type === "opaqueredirect" || status === 429 || status >= 500) return false;
  return headers.get("Session-State") !== "running";
}

/** A session that has results is finished. */
async function results(request, uuid) {
  const response = await fetch(request);
  if (response.ok) await forget(uuid);
  return response;
}

async function forget(uuid) {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.endsWith(`:${uuid}`)).map((name) => caches.delete(name)));
}

/** Files first and the page last, so that there is no page without its files. */
async function keep({ name, base, key, html, headers }) {
  const files = new Set([...html.matchAll(FILE)].map(([, path]) => path));
  const cache = await caches.open(name);
  const held = (await cache.keys()).map(({ url }) => new URL(url).pathname);
  await cache.addAll([...files].filter((file) => !held.includes(file)));
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const locked = await crypto.subtle.encrypt({ name: "AES-GCM", iv }, await keyOf(key), new TextEncoder().encode(html));
  const fit = headers.filter(([each]) => !UNFIT.includes(each));
  await cache.put(base, new Response(new Blob([iv, locked]), { headers: fit }));
  const stale = held.filter((path) => path !== base && !files.has(path));
  await Promise.all(stale.map((path) => cache.delete(path)));
}

function keyOf(hex) {
  const raw = Uint8Array.from(hex.match(/../g), (pair) => parseInt(pair, 16));
  return crypto.subtle.importKey("raw", raw, "AES-GCM", false, ["encrypt", "decrypt"]);
}

/** The page kept for whoever is signed in now; nothing without their key. */
async function kept(uuid) {
  const cookies = await self.cookieStore.getAll();
  const [mark, key] = cookies.find(({ name }) => COOKIE.test(name)).value.split(".");
  const locked = await caches.match(`/practice/sessions/${uuid}/`, { cacheName: `session:${mark}:${uuid}` });
  const bytes = await locked.arrayBuffer();
  const html = await crypto.subtle.decrypt({ name: "AES-GCM", iv: bytes.slice(0, 12) }, await keyOf(key), bytes.slice(12));
  return new Response(html, { headers: locked.headers });
}

/** Scripts and styles: the network's (mostly the browser's own cache), else the kept one. After a release the server may
    no longer have the files that a page under way was drawn with; their names contain their content, so no file is stale. */
async function file(request) {
  const response = await fetch(request).catch(() => null);
  if (response?.ok) return response;
  return (await caches.match(request, { ignoreVary: true })) ?? response ?? Response.error();
}
