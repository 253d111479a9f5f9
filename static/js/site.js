/* The browser's time zone for forms that take it along. */

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
for (const field of document.querySelectorAll("input[type=hidden][name=zone]")) field.value = zone ?? "";

/* A page of no exam is the same for everybody: the places of its reader's exam are fetched. Without them its links ask. */

const places = document.querySelector("[data-my-places]");
if (places) {
  fetch(places.dataset.myPlaces)
    .then((answer) => (answer.status === 200 ? answer.text() : ""))
    .then((html) => {
      if (html && !places.contains(document.activeElement)) places.outerHTML = html;
    })
    .catch(() => {});
}

/* The theme switch: as the system has it, light, dark. theme.js has set the kept choice before the first paint. */

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
    /* Storage is closed to us: the choice holds for this page. */
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
