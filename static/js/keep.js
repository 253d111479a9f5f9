/* Star, note and reason are kept without leaving the page: what comes back replaces its part of the page. */

document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (!form.matches("[data-keep]") || !event.submitter) return;
  event.preventDefault();
  const button = event.submitter;
  const body = new URLSearchParams(new FormData(form, button));
  const answer = await fetch(button.formAction, { method: "POST", body, headers: { "HX-Request": "true" } }).catch(() => null);
  if (answer?.ok || answer?.status === 400) swap(await answer.text(), button);
  else say(button, "Not saved: the server can’t be reached. Try again in a moment.");
});

function swap(html, button) {
  const fresh = document.createRange().createContextualFragment(html).querySelector("section[id]");
  const before = fresh && document.getElementById(fresh.id);
  if (!before) return;
  keepTyped(before, fresh, button);
  const had = before.contains(document.activeElement) ? document.activeElement : null;
  before.replaceWith(fresh);
  if (!had) return;
  const again = had.id ? document.getElementById(had.id) : fresh.querySelector(`[formaction="${had.getAttribute("formaction")}"]`);
  again?.focus();
}

/** If a note is being written, or is about to be, it stays as it is when the star is set. */
function keepTyped(before, fresh, button) {
  const [was, is] = [before, fresh].map((part) => part.querySelector("textarea"));
  if (!was || !is || !button.hasAttribute("data-star")) return;
  if (was.value !== was.defaultValue) is.value = was.value;
  is.setSelectionRange(was.selectionStart, was.selectionEnd);
  is.closest("details").open = was.closest("details").open;
}

function say(button, words) {
  const line = button.closest("section").querySelector("[role=status]");
  line.textContent = words;
}

/** Open the note of a marked question and focus it. */
export function openNote(place) {
  const note = place.querySelector("[data-note]");
  if (!note) return;
  note.open = true;
  note.querySelector("textarea").focus();
}
