/* The composer: an option is put in where one types, and what the server refused is shown where it was written. */

document.addEventListener("click", (event) => {
  const chip = event.target.closest("[data-insert]");
  const text = chip && document.getElementById(chip.dataset.into);
  if (!text) return;
  event.preventDefault();
  const before = text.value.slice(0, text.selectionStart);
  const space = before === "" || /\s$/.test(before) ? "" : " ";
  text.setRangeText(`${space}${chip.dataset.insert} `, text.selectionStart, text.selectionEnd, "end");
  text.focus();
});

function say(thread, text) {
  const note = document.createElement("p");
  note.className = "notice notice--error";
  note.setAttribute("role", "alert");
  note.textContent = text;
  thread.prepend(note);
}

document.addEventListener("htmx:sendError", (event) => {
  const thread = event.detail.target?.closest(".thread");
  if (thread) say(thread, "The server cannot be reached. Nothing you typed is lost; try again in a moment.");
});
document.addEventListener("htmx:beforeSwap", (event) => {
  const { xhr, target } = event.detail;
  const thread = target.closest(".thread");
  if (!thread || xhr.status < 400) return;
  if (xhr.status > 400) say(thread, xhr.status === 429 ? xhr.responseText : "The server could not do it. Try again in a moment.");
  else {
    event.detail.shouldSwap = true;
    event.detail.isError = false;
  }
});
