/* The browser's time zone, for forms that send it. */

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
for (const field of document.querySelectorAll("input[type=hidden][name=zone]")) field.value = zone ?? "";

/* Fetches what a page that is the same for everybody shows its reader, unless that part has the focus by then. */

function swap(name) {
  const part = document.querySelector(`[data-${name}]`);
  if (!part) return;
  fetch(part.getAttribute(`data-${name}`))
    .then((answer) => (answer.status === 200 ? answer.text() : ""))
    .then((html) => {
      if (html && !part.contains(document.activeElement)) part.outerHTML = html;
    })
    .catch(() => {});
}

/**
 * The links of the reader's exam, on a page outside any exam; without this script they ask which exam. Also who the
 * reader is; until that is known, the header only says where the account is.
 */

swap("my-places");
swap("who");

/* Opened from a home screen: from then on its start page opens without the network too. */

if (matchMedia("(display-mode: standalone)").matches) navigator.serviceWorker?.register("/practice/sessions/worker.js").catch(() => {});

/* The theme switch: system, light or dark. theme.js has set the stored choice before the first paint. */

const KEY = "theme";
const ORDER = ["system", "light", "dark"];
const WORDS = { system: "same as system", light: "light", dark: "dark" };
const button = document.querySelector("[data-theme-switch]");

function read() {
  try {
    const kept = localStorage.getItem(KEY);
    return ORDER.includes(kept) ? kept : "system";
  } catch {
    return "system";
  }
}

function keep(choice) {
  try {
    if (choice === "system") localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, choice);
  } catch {
    /* Storage isn't available: the choice applies to this page only. */
  }
}

function show(choice) {
  if (choice === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = choice;
  if (!button) return;
  button.dataset.choice = choice;
  button.setAttribute("aria-label", `Colour theme: ${WORDS[choice]}. Change`);
  button.title = `Colour theme: ${WORDS[choice]}`;
}

if (button) {
  let choice = read();
  button.hidden = false;
  show(choice);
  button.addEventListener("click", () => {
    choice = ORDER[(ORDER.indexOf(choice) + 1) % ORDER.length];
    keep(choice);
    show(choice);
  });
  addEventListener("storage", (event) => {
    if (event.key !== KEY) return;
    choice = read();
    show(choice);
  });
}
