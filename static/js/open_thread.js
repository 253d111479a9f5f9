/**
 * Loads what others say about a question of a drill, on request. Its forms can't be inside the session's own form, so
 * they are in a dialog.
 */

const box = document.getElementById("discussion");
const place = box.querySelector("[data-place]");
const OPENS = "#answers .thread a[data-hx-get]";
let parts = null; // the discussion's scripts and styles, fetched with the first thread
let shown = "";

document.addEventListener("click", (event) => {
  const link = event.target.closest(OPENS);
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  link.closest(".thread").removeAttribute("id"); // the loaded thread has the same one
  box.showModal();
  if (link.href !== shown) show(link.href);
});

box.addEventListener("click", (event) => {
  const link = event.target.closest("a[href]:not([data-hx-get])");
  if (link) link.target = "_blank"; // the page of the session stays as it is
});

async function show(address) {
  shown = address;
  place.dataset.state = "loading";
  place.textContent = "Loading";
  try {
    parts ??= load();
    await parts;
    if (shown === address) await window.htmx.ajax("GET", address, { target: place, swap: "innerHTML" });
  } catch {
    parts = null;
  }
  const isThere = shown === address && place.querySelector("section");
  place.dataset.state = isThere ? "shown" : "failed";
  if (isThere) return;
  shown = "";
  place.textContent = "The discussion couldn’t be loaded. Close this and try again in a moment. Your drill isn’t affected.";
}

/** Insert what the page keeps in a template, and wait until it has loaded. */
async function load() {
  const fresh = document.importNode(document.getElementById("thread-parts").content, true);
  const waits = [...fresh.querySelectorAll("script, link")].map(
    (tag) => new Promise((settle, fail) => Object.assign(tag, { onload: settle, onerror: fail })),
  );
  document.head.append(fresh);
  await Promise.all(waits);
}
