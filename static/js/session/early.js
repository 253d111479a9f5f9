/**
 * Before the first paint, the page gets the player's shape, so that nothing moves when the player starts; undone if it
 * doesn't start.
 */
(() => {
  const page = document.documentElement;
  const view = location.hash.slice(1).replace("review", "summary"); // its former name
  page.classList.add("player");
  if (view === "summary" || (view === "sheet" && !matchMedia("(min-width: 62rem)").matches)) page.dataset.view = view;
  addEventListener("load", () => {
    if (page.dataset.player) return;
    page.classList.remove("player");
    delete page.dataset.view;
  });
})();
