/* Space turns the card, 1 says it was known, 2 that it wasn't; the switch that turns keys off is the player's own. */

const card = document.querySelector(".flashcard");

function isOff() {
  try {
    return localStorage.getItem("session-keys") === "off";
  } catch {
    return false;
  }
}

card?.querySelector("summary").focus({ preventScroll: true });
document.addEventListener("keydown", (event) => {
  if (!card?.open || isOff() || event.ctrlKey || event.altKey || event.metaKey || event.repeat) return;
  const value = { 1: "yes", 2: "no" }[event.key];
  if (!value) return;
  event.preventDefault();
  card.querySelector(`[value=${value}]`).click();
});
