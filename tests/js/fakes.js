/* The parts of a browser that the player's queue, clock and store use. Time stands still until a test lets it pass. */

const real = { setImmediate, setTimeout };

function define(name, value) {
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
}

/** Run everything that is ready to run. */
export async function settle() {
  for (let turn = 0; turn < 5; turn++) await new Promise((done) => real.setImmediate(done));
}

/** Timers and both clocks: `pass` moves performance.now() and Date.now(); setting the device's time moves only the latter. */
function fakeTime() {
  const timers = new Map();
  const time = { now: 1000, wall: 1_800_000_000_000, last: 0 };
  define("setTimeout", (deed, wait = 0) => {
    timers.set(++time.last, { deed, at: time.now + wait });
    return time.last;
  });
  define("clearTimeout", (id) => timers.delete(id));
  define("performance", { timeOrigin: 5_000_000, now: () => time.now });
  Date.now = () => time.wall + time.now;
  time.pass = async (milliseconds) => {
    const end = time.now + milliseconds;
    await settle();
    for (;;) {
      const [id, timer] = [...timers].sort(([, a], [, b]) => a.at - b.at)[0] ?? [];
      if (!timer || timer.at > end) break;
      time.now = Math.max(time.now, timer.at);
      timers.delete(id);
      timer.deed();
      await settle();
    }
    time.now = end;
  };
  return time;
}

/** Storage: as in a browser, its own keys are its entries. `isShut` makes it refuse, as in a private window. */
export function fakeStorage(state = { isShut: false }) {
  const open = (deed) => {
    if (state.isShut) throw new Error("closed to us");
    return deed();
  };
  const can = {
    getItem: (name) => open(() => (Object.hasOwn(kept, name) ? kept[name] : null)),
    setItem: (name, text) => open(() => void Object.assign(kept, { [name]: String(text) })),
    removeItem: (name) => open(() => void delete kept[name]),
  };
  const kept = Object.create(can);
  return kept;
}

/** The Web Locks of one browser. `free` releases a lock, as when its page is closed. */
function fakeLocks() {
  const held = new Set();
  const waiting = [];
  const hold = async (name, deed) => {
    held.add(name);
    try {
      return await deed({ name });
    } finally {
      locks.free(name);
    }
  };
  const locks = {
    request(name, { ifAvailable, signal }, deed) {
      if (!held.has(name)) return hold(name, deed);
      if (ifAvailable) return Promise.resolve(deed(null));
      return new Promise((settled, refuse) => {
        const turn = { name, go: () => hold(name, deed).then(settled, refuse) };
        waiting.push(turn);
        signal?.addEventListener("abort", () => {
          waiting.splice(waiting.indexOf(turn), 1);
          refuse(signal.reason);
        });
      });
    },
    free(name) {
      held.delete(name);
      const next = waiting.findIndex((turn) => turn.name === name);
      if (next >= 0) waiting.splice(next, 1)[0].go();
    },
  };
  return locks;
}

/** The server: the requests it received and its response to each; a test may hold a response back. */
function fakeServer() {
  const server = { requests: [], answer: () => ({ status: 503 }) };
  define("fetch", async (url, { body, headers, keepalive } = {}) => {
    const request = { url, body: body === undefined ? null : JSON.parse(body), headers, keepalive, at: performance.now() };
    server.requests.push(request);
    const { status, data, text } = await server.answer(request);
    if (!status) throw new TypeError("no network");
    return { status, type: "basic", text: async () => text ?? (data === undefined ? "" : JSON.stringify(data)) };
  });
  server.sent = (job) => server.requests.filter(({ url }) => url.endsWith(`/${job}/`));
  return server;
}

/** Return an element that records what is done to it. */
export function element(dataset = {}) {
  const [classes, attributes, listeners, said] = [new Set(), new Map(), new Map(), []];
  return {
    dataset, classes, attributes, said,
    hidden: false,
    classList: { toggle: (name, is) => void (is ? classes.add(name) : classes.delete(name)) },
    setAttribute: (name, value) => void attributes.set(name, value),
    addEventListener: (name, deed) => void listeners.set(name, deed),
    fire: (name) => listeners.get(name)(),
    get textContent() {
      return said.at(-1) ?? "";
    },
    set textContent(words) {
      said.push(words);
    },
  };
}

/** Return a new browser. `elements` are those the page has, by id. */
export function browser(elements = {}) {
  const listeners = new Map();
  const page = { time: fakeTime(), server: fakeServer(), locks: fakeLocks(), disk: { isShut: false }, errors: [], caches: new Map() };
  define("localStorage", fakeStorage(page.disk));
  define("sessionStorage", fakeStorage());
  define("navigator", { locks: page.locks });
  define("reportError", (error) => page.errors.push(error));
  define("document", {
    cookie: "csrftoken=token",
    hidden: false,
    getElementById: (id) => elements[id] ?? null,
    querySelector: () => null,
    addEventListener: (name, deed) => void listeners.set(name, deed),
  });
  define("caches", { keys: async () => [...page.caches.keys()], delete: async (name) => page.caches.delete(name) });
  define("window", { caches });
  AbortSignal.timeout = (wait) => {
    const stop = new AbortController();
    setTimeout(() => stop.abort(), wait);
    return stop.signal;
  };
  page.fire = (name) => listeners.get(name)();
  page.cookies = (text) => void Object.assign(document, { cookie: text });
  return page;
}

/** Return what this browser has stored under a name. */
export function kept(name) {
  return JSON.parse(localStorage.getItem(name));
}
