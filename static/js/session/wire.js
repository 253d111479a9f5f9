/* Requests to the server, and the few helpers the other pieces share. */

const COOKIE = /(?:^|;\s*)(?:__Host-)?csrftoken=([^;]+)/;

/** The current token: signing in changes it, so it is read each time. */
export function token() {
  const field = document.querySelector("input[name=csrfmiddlewaretoken]");
  return COOKIE.exec(document.cookie)?.[1] ?? field?.value ?? "";
}

/**
 * POST and return what came back; never throws. Status 0: no answer, or none in time; 302: the server sends us on.
 * An object goes as JSON, URLSearchParams and FormData as a form. `data` is the JSON that came back, else null.
 */
export async function post(url, body, options = {}) {
  const answer = await once(url, body, options);
  if (answer.status !== 403 || answer.data?.login || options.keepalive) return answer;
  // No token, or an old one: the page itself, or the sign-in page it leads to, hands out a new one.
  const page = document.getElementById("session")?.dataset.base;
  if (page) await fetch(page, { credentials: "same-origin" }).catch(() => null);
  return page ? once(url, body, options) : answer;
}

async function once(url, body, { timeout = 12000, keepalive = false, headers = {} }) {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), timeout);
  const isForm = body instanceof URLSearchParams || body instanceof FormData;
  const type = isForm ? {} : { "Content-Type": "application/json" };
  try {
    const response = await fetch(url, {
      method: "POST",
      body: isForm ? body : JSON.stringify(body),
      headers: { ...type, "X-CSRFToken": token(), ...headers },
      credentials: "same-origin",
      redirect: "manual",
      keepalive,
      signal: stop.signal,
    });
    if (response.type === "opaqueredirect") return { status: 302, data: null, text: "" };
    const text = await response.text();
    return { status: response.status, data: attempt(() => JSON.parse(text)), text };
  } catch {
    return { status: 0, data: null, text: "" };
  } finally {
    clearTimeout(timer);
  }
}

/** Storage may be unavailable, or its content broken: then this returns `otherwise`. */
export function attempt(deed, otherwise = null) {
  try {
    return deed();
  } catch {
    return otherwise;
  }
}

/** "1 answer", "4 answers". */
export function answers(count) {
  return `${count} answer${count === 1 ? "" : "s"}`;
}

/** A setting stored in this browser: read, or changed (null deletes it). */
export function choice(name, value) {
  if (value === undefined) return attempt(() => localStorage.getItem(name));
  return attempt(() => (value === null ? localStorage.removeItem(name) : localStorage.setItem(name, value)));
}

/** Announce something once, to people who can't see it. */
export function announce(text) {
  const place = document.getElementById("announce");
  place.textContent = "";
  setTimeout(() => (place.textContent = text), 50);
}

/** A notice above the questions, replacing one of the same name; an empty text removes it. */
export function notice(name, words, buttons = [], kind = "warn") {
  const area = document.getElementById("messages");
  area.querySelector(`[data-notice="${name}"]`)?.remove();
  if (!words) return;
  const box = document.createElement("div");
  box.className = `notice notice--${kind}`;
  box.dataset.notice = name;
  box.setAttribute("role", "alert");
  const line = document.createElement("p");
  line.textContent = words;
  box.append(line);
  const row = document.createElement("p");
  row.className = "row";
  for (const { label, press, quiet } of buttons) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = quiet ? "btn btn--quiet" : "btn";
    button.textContent = label;
    button.addEventListener("click", press);
    row.append(button);
  }
  if (buttons.length) box.append(row);
  area.prepend(box);
}
