/* The answer sheet and the review: both are drawn from the items, never from each other. */

const PARTS = {
  open: (item) => !item.isAnswered && !item.isChecked,
  miscounted: (item) => item.miscount !== "" && !item.isChecked,
  flagged: (item) => item.state.flag,
};

export class Sheet {
  constructor(items) {
    this.items = items;
    this.cells = new Map([...document.querySelectorAll("#sheet a.cell")].map((cell) => [Number(cell.hash.slice(2)), cell]));
    this.review = document.getElementById("review");
    this.tallies = document.querySelectorAll("[data-tally]");
  }

  draw(item) {
    const cell = this.cells.get(item.p);
    cell.classList.toggle("is-answered", item.isAnswered);
    cell.classList.toggle("is-flagged", item.state.flag);
    cell.classList.toggle("is-right", item.verdict === "right");
    cell.classList.toggle("is-wrong", item.verdict === "wrong");
    cell.setAttribute("aria-label", item.name);
    this.tally();
  }

  current(item) {
    for (const [p, cell] of this.cells) {
      const isCurrent = p === item.p;
      cell.classList.toggle("is-current", isCurrent);
      if (isCurrent) cell.setAttribute("aria-current", "true");
      else cell.removeAttribute("aria-current");
    }
  }

  tally() {
    const answered = [...this.items.values()].filter((item) => item.isAnswered).length;
    for (const place of this.tallies) place.textContent = `${answered} of ${this.items.size} answered`;
  }

  /** Fill the review's lists. */
  list(current) {
    let shown = 0;
    for (const [part, belongs] of Object.entries(PARTS)) {
      const box = this.review.querySelector(`[data-list="${part}"]`);
      const found = [...this.items.values()].filter(belongs);
      box.hidden = found.length === 0;
      box.querySelector("[data-count]").textContent = found.length;
      box.querySelector("ul").replaceChildren(...found.map((item) => entry(item, part)));
      shown += found.length;
    }
    this.review.querySelector("[data-list=nothing]").hidden = shown > 0;
    const link = this.review.querySelector("[data-return]");
    link.hash = `#q${current.p}`;
    link.textContent = `Back to question ${current.p}`;
    this.tally();
  }
}

function entry(item, part) {
  const row = document.createElement("li");
  const link = document.createElement("a");
  link.href = `#q${item.p}`;
  if (part === "miscounted") {
    link.textContent = `Question ${item.p}`;
    row.append(link, `: ${item.miscount}`);
    return row;
  }
  link.className = `cell${item.isAnswered ? " is-answered" : ""}${item.state.flag ? " is-flagged" : ""}`;
  link.textContent = item.p;
  link.setAttribute("aria-label", item.name);
  row.append(link);
  return row;
}
