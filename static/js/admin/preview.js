/* Nothing is sent from the frame and no link leaves it: Check opens the answer, and links open in a new tab. */

document.addEventListener("submit", (event) => {
  event.preventDefault();
  const answer = document.getElementById("solution");
  if (answer && !answer.contains(event.target)) answer.open = true;
});
document.addEventListener("click", (event) => {
  const link = event.target.closest("a[href]");
  if (link && !link.getAttribute("href").startsWith("#")) Object.assign(link, { target: "_blank", rel: "noopener" });
});
