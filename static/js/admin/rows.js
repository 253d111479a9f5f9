/* Rows of clues, options and sources: add, move, remove and restore. Option numbers are given once and never again. */

const MAX_SLOT = 14;
const WRITTEN = "textarea, input:not([type=hidden], [type=checkbox], [type=date], [name$=-ORDER])";

export class Rows {
  constructor(form, name, changed) {
    Object.assign(this, { form, name, changed });
    this.box = form.querySelector(`[data-rows="${name}"]`);
    this.total = form.elements[`${name}-TOTAL_FORMS`];
    this.blank = form.querySelector(`template[data-blank="${name}"]`);
    this.slot = Number(this.box.dataset.nextSlot ?? 0);
    this.button = form.querySelector(`[data-add="${name}"]`);
    if (this.isFixed) return;
    this.button.addEventListener("click", () => this.add()?.querySelector("textarea, input:not([type=hidden])").focus());
    this.box.addEventListener("click", (event) => this.#press(event.target));
    this.box.addEventListener("keydown", (event) => this.#key(event));
  }

  /** A variant's options are its family's: their rows can't be added, moved or removed. */
  get isFixed() {
    return !this.button;
  }

  get rows() {
    return [...this.box.querySelectorAll("[data-row]")];
  }

  get live() {
    return this.rows.filter((row) => !row.classList.contains("is-removed"));
  }

  /** Remove the blank rows that a page without script needs; `fewest` stay. */
  tidy(fewest) {
    if (this.isFixed) return;
    for (const row of this.rows.reverse()) if (this.rows.length > fewest && isBlank(row)) row.remove();
    for (const row of this.rows) {
      this.slot = Math.max(this.slot, slotOf(row) + 1);
      if (row.querySelector("[name$=-DELETE]").checked) this.#remove(row);
    }
    this.#order();
  }

  add() {
    if (this.name === "options" && this.slot > MAX_SLOT) return null;
    const number = Number(this.total.value);
    const holder = document.createElement("div");
    holder.innerHTML = this.blank.innerHTML.replaceAll("__prefix__", number);
    const row = holder.firstElementChild;
    this.box.append(row);
    this.total.value = number + 1;
    if (this.name === "options") {
      row.querySelector("[name$=-slot]").value = this.slot;
      row.querySelector("[data-slot]").textContent = this.slot++;
    }
    this.#order();
    this.changed();
    return row;
  }

  #press(target) {
    const row = target.closest("[data-row]");
    const button = target.closest("button");
    if (!row || !button) return;
    if (button.dataset.move) this.#move(row, Number(button.dataset.move), button);
    else if ("remove" in button.dataset) this.#remove(row, true);
  }

  #key(event) {
    if (!event.altKey || !["ArrowUp", "ArrowDown"].includes(event.key) || !this.box.querySelector("[data-move]")) return;
    event.preventDefault();
    this.#move(event.target.closest("[data-row]"), event.key === "ArrowUp" ? -1 : 1, event.target);
  }

  #move(row, way, focused) {
    const rows = this.live;
    const other = rows[rows.indexOf(row) + way];
    if (!other) return;
    if (way < 0) other.before(row);
    else other.after(row);
    this.#order();
    focused.focus();
    this.changed();
  }

  /** A removed row can be restored until the page is left. */
  #remove(row, asked = false) {
    row.querySelector("[name$=-DELETE]").checked = true;
    row.classList.add("is-removed");
    const line = document.createElement("p");
    line.className = "ed-removed";
    line.textContent = `${row.querySelector("h3").textContent.trim()} removed. `;
    const button = Object.assign(document.createElement("button"), { type: "button", className: "button", textContent: "Undo" });
    button.addEventListener("click", () => this.#return(row, line));
    line.append(button);
    row.prepend(line);
    if (asked) {
      button.focus();
      this.changed();
    }
  }

  #return(row, line) {
    line.remove();
    row.classList.remove("is-removed");
    row.querySelector("[name$=-DELETE]").checked = false;
    row.querySelector("textarea, input:not([type=hidden])").focus();
    this.changed();
  }

  #order() {
    for (const [place, row] of this.rows.entries()) row.querySelector("[name$=-ORDER]").value = place + 1;
  }
}

export function isBlank(row) {
  return [...row.querySelectorAll(WRITTEN)].every((control) => !control.value.trim());
}

export function slotOf(row) {
  return Number(row.querySelector("[name$=-slot]")?.value ?? 0);
}
