/* The form as a whole: what it holds, how long its texts are, and what the server says is wrong with it. */

import { reveal } from "./steps.js";

const APART = new Set(["csrfmiddlewaretoken", "base", "was", "question", "action"]);

/** Everything the form would send. */
export function typed(form) {
  return new URLSearchParams(new FormData(form));
}

/** What somebody has written in the form, for comparison: without anything the page itself puts there. */
export function content(form) {
  const fields = typed(form);
  for (const name of [...fields.keys()]) if (APART.has(name) || name.endsWith("_FORMS")) fields.delete(name);
  return fields.toString();
}

/** Debounce: call `deed` once it hasn't been requested for this many milliseconds. */
export function later(deed, milliseconds) {
  let timer = 0;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(deed, milliseconds);
  };
}

/** Next to each text with a limit, show how many words it has. */
export function countWords(root) {
  for (const text of root.querySelectorAll("textarea[data-most]")) {
    const field = text.closest(".ed-field");
    let line = field.querySelector("[data-count]");
    if (!line) {
      line = document.createElement("p");
      line.className = "ed-count";
      line.dataset.count = "";
      text.after(line);
    }
    const words = text.value.split(/\s+/).filter(Boolean).length;
    const { most, least = 0 } = text.dataset;
    line.textContent = `${words} of ${most} words`;
    if (words > Number(most)) line.textContent = `${words} of ${most} words: ${words - most} too many`;
    else if (words && words < Number(least)) line.textContent = `${words} of ${most} words: write at least ${least}`;
    line.classList.toggle("is-off", words > Number(most) || (words > 0 && words < Number(least)));
  }
}

/** Mark each field that the server refused; an empty object removes the marks. */
export function mark(form, errors) {
  for (const list of form.querySelectorAll("ul.errorlist")) list.remove();
  for (const control of form.querySelectorAll("[aria-invalid]")) control.removeAttribute("aria-invalid");
  for (const [id, messages] of Object.entries(errors)) {
    const control = document.getElementById(id);
    if (!control) continue;
    const list = document.createElement("ul");
    list.className = "errorlist";
    list.id = `${id}_error`;
    for (const message of messages) list.append(Object.assign(document.createElement("li"), { textContent: message }));
    control.before(list);
    control.setAttribute("aria-invalid", "true");
    reveal(control);
    const described = control.getAttribute("aria-describedby")?.split(" ") ?? [];
    if (!described.includes(list.id)) control.setAttribute("aria-describedby", [list.id, ...described].join(" "));
  }
}
