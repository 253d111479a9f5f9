/**
 * The form's later steps. A step opens when a link or an error leads into it, and shows how much review will still ask
 * for.
 */

/** Open every folded part that contains the element. */
export function reveal(element) {
  for (let step = element?.closest("details"); step; step = step.parentElement.closest("details")) step.open = true;
}

/** Show how many things each step lacks, as the server counted them. */
export function countLacks(form, lacks) {
  for (const line of form.querySelectorAll("[data-lacks]")) {
    const number = lacks[line.closest("[data-step]").dataset.step] ?? 0;
    line.hidden = !number;
    line.dataset.lacks = number;
    line.querySelector("[data-number]").textContent = number;
  }
}
