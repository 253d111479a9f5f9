/* A question page whose Check could not reach the server says so; htmx brings everything else. */

const place = document.getElementById("verdict");

function say(text) {
  const note = document.createElement("p");
  note.className = "notice notice--error";
  note.setAttribute("role", "alert");
  note.textContent = text;
  place.replaceChildren(note);
}

document.addEventListener("htmx:sendError", (event) => event.detail.target === place && say("Not checked yet: the server cannot be reached. Your choice stays; press Check again."));
document.addEventListener("htmx:beforeSwap", (event) => {
  const { xhr, target } = event.detail;
  if (target !== place) return;
  if (xhr.status === 400) {
    event.detail.shouldSwap = true;
    event.detail.isError = false;
  } else if (xhr.status > 400) say("Not checked yet: the server could not do it. Your choice stays; press Check again in a moment.");
});
