/* A Check that could not reach the server says so; htmx brings everything else. A page may ask several questions. */

function say(place, text) {
  const note = document.createElement("p");
  note.className = "notice notice--error";
  note.setAttribute("role", "alert");
  note.textContent = text;
  place.replaceChildren(note);
}

document.addEventListener("htmx:sendError", ({ detail: { target } }) => {
  if (target.matches("[data-verdict]")) say(target, "Not checked: can’t reach the server. Your choice is still here; press Check again.");
});
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  const { xhr, target } = detail;
  if (!target.matches("[data-verdict]")) return;
  if (xhr.status === 400) {
    detail.shouldSwap = true;
    detail.isError = false;
  } else if (xhr.status > 400) say(target, "Not checked: something went wrong on the server. Your choice is still here; press Check again in a moment.");
});
