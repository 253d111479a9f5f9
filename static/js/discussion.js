/* The composer: an option is inserted at the cursor, and a refusal is shown where the text was written. */

const COOKIE = /(?:^|;\s*)(?:__Host-)?csrftoken=([^;]+)/;

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

/* Read before a form of a thread is sent, because renewing a login in another tab changes the token. */
document.addEventListener("click", (event) => {
  const field = event.target.closest(".thread form, form.thread")?.elements.csrfmiddlewaretoken;
  const token = COOKIE.exec(document.cookie)?.[1];
  if (field && token) field.value = token;
}, true);

function say(asked, thread, code, text) {
  const note = document.createElement("p");
  note.className = "notice notice--error";
  note.setAttribute("role", "alert");
  note.dataset.passing = "";
  note.dataset.code = code;
  note.textContent = text;
  (asked.closest("article, form.stack") ?? thread).prepend(note);
  note.scrollIntoView({ block: "nearest" });
}

document.addEventListener("htmx:beforeRequest", (event) => {
  for (const note of event.target.closest(".thread")?.querySelectorAll("[data-passing]") ?? []) note.remove();
});
document.addEventListener("htmx:sendError", (event) => {
  const { elt, target } = event.detail;
  const thread = target?.closest(".thread");
  if (thread) say(elt, thread, "unreachable", "We can’t reach the server. Your text is still here; try again in a moment.");
});
document.addEventListener("htmx:beforeSwap", (event) => {
  const { requestConfig, xhr, target } = event.detail;
  const thread = target.closest(".thread");
  if (!thread || xhr.status < 400) return;
  if (xhr.status > 400) {
    const text = xhr.status === 429 ? xhr.responseText : "Something went wrong. Try again in a moment.";
    say(requestConfig.elt, thread, `${xhr.status}`, text);
  } else {
    event.detail.shouldSwap = true;
    event.detail.isError = false;
  }
});
