/* Text size and width: each choice applies at once, and theme.js sets it on every page before the first paint. */

const form = document.querySelector("[data-display]");
const root = document.documentElement;

function keep(name, value) {
  try {
    if (value) localStorage.setItem(name, value);
    else localStorage.removeItem(name);
  } catch {
    /* Storage isn't available: the choice applies to this page only. */
  }
}

form.hidden = false;
document.querySelector("[data-state=no-script]").hidden = true;
for (const field of form.elements) if (field.type === "radio") field.checked = field.value === (root.dataset[field.name] ?? "");
form.addEventListener("change", ({ target }) => {
  if (target.value) root.dataset[target.name] = target.value;
  else delete root.dataset[target.name];
  keep(target.name, target.value);
});
