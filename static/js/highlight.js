/* Keeps selected words of a stem or a module with one press, by putting them into the form that the page has for it. */

const PLACES = "main .scenario, [data-words-of]";
const MOST = 300;
const button = document.createElement("button");
button.type = "button";
button.className = "btn btn--small highlight-button";
button.textContent = "Highlight";
button.hidden = true;
document.body.append(button);
let form = null;
let words = "";

document.addEventListener("selectionchange", () => {
  const selection = getSelection();
  words = selection.isCollapsed ? "" : selection.toString().replace(/\s+/g, " ").trim();
  const place = words && words.length <= MOST ? placeOf(selection) : null;
  form = place && formOf(place);
  button.hidden = !form;
  if (!form) return;
  const box = selection.getRangeAt(0).getBoundingClientRect();
  button.style.setProperty("top", `${Math.max(0, box.bottom + scrollY + 6)}px`);
  button.style.setProperty("left", `${Math.max(8, Math.min(box.left + scrollX, innerWidth - 140))}px`);
});

// A press would clear the selection before the click.
button.addEventListener("pointerdown", (event) => event.preventDefault());
button.addEventListener("click", () => {
  const { field, send } = form;
  field.value = words;
  button.hidden = true;
  send.click();
  getSelection().removeAllRanges();
});

function placeOf(selection) {
  const element = (node) => (node.nodeType === Node.ELEMENT_NODE ? node : node.parentElement);
  const place = element(selection.anchorNode)?.closest(PLACES);
  return place?.contains(selection.focusNode) ? place : null;
}

/** The field for words, and the button that sends it, of the question or module in which the words were selected. */
function formOf(place) {
  const field = place.closest(".question, .fetched, article, main")?.querySelector("input[name=words]") ?? null;
  const send = field?.parentElement.querySelector("button");
  return send ? { field, send } : null;
}
