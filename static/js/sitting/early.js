/* Before the first paint: the page takes the player's shape, so that nothing moves when it starts; undone if it does not. */
document.documentElement.classList.add("player");
addEventListener("load", function () {
  if (!document.documentElement.dataset.player) document.documentElement.classList.remove("player");
});
