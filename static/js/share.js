/* The text of a result, copied by a button; without script it is selected and copied by hand. */

const button = document.querySelector("[data-copy]");

if (button && navigator.clipboard) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(document.querySelector("[data-share]").value);
    document.querySelector("[data-copied]").hidden = false;
  });
}
