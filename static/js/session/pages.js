/* One question at a time; the answer sheet and the summary are pages of their own. Counts the time each question is seen. */

export const isWide = matchMedia("(min-width: 62rem)");

export class Pages {
  /** `here`: where to begin. `tell.turned(item)` after each turn, `tell.left(item)` when a question leaves the view. */
  constructor(items, here, tell) {
    Object.assign(this, { items, here, tell });
    this.view = "";
    this.item = null;
    this.since = null;
    this.summary = document.getElementById("summary");
    this.stop = document.querySelector("#answers > .stop");
    this.title = document.title;
  }

  /** Only a page that was rendered listens; one that couldn't be is left to the form it was made from. */
  listen() {
    document.addEventListener("visibilitychange", () => this.#watch());
    addEventListener("hashchange", () => this.go(location.hash));
    isWide.addEventListener("change", () => this.view === "sheet" && this.go(location.hash));
    document.addEventListener("click", (event) => this.#follow(event));
  }

  get total() {
    return this.items.size;
  }

  get isLast() {
    return this.item?.p === this.total;
  }

  /** Turn to "#q12", "#summary" or "#sheet", or to a question by its number. */
  go(where, { focus = true } = {}) {
    const hash = typeof where === "number" ? `#q${where}` : where.replace("review", "summary"); // its former name
    const asked = this.items.get(Number(/^#q(\d+)$/.exec(hash)?.[1]));
    const isKnown = asked || hash === "#summary" || hash === "#sheet";
    if (this.item && !isKnown) return;
    const isPage = hash === "#summary" || (hash === "#sheet" && !isWide.matches);
    this.#turn(asked ?? this.item ?? this.here);
    this.#show(isPage ? hash.slice(1) : "question", focus);
    this.#watch();
  }

  /** The learner stopped at a different question from the one the page was rendered for. */
  begin(item) {
    this.#turn(item);
    this.#show(this.view, false);
    this.#watch();
  }

  next() {
    if (this.view === "summary") return;
    this.go(this.isLast ? "#summary" : this.item.p + 1);
  }

  back() {
    if (this.view === "summary") this.go(this.item.p);
    else if (this.item.p > 1) this.go(this.item.p - 1);
  }

  /**
   * If there is room, the sheet is beside the questions; otherwise it's a page of its own, which the same button
   * leaves.
   */
  sheet() {
    if (this.view === "sheet") this.go(this.item.p);
    else if (isWide.matches) document.querySelector("#sheet .is-current").focus();
    else this.go("#sheet");
  }

  /** The view being left is reported before the one that opens: the newest save then names the place to come back to. */
  #turn(item) {
    this.#pause();
    const before = this.item;
    this.item = item;
    before?.section.classList.remove("is-current");
    item.section.classList.add("is-current");
    if (before && before !== item) this.tell.left(before);
  }

  #show(view, focus) {
    if (view !== "question") this.#pause();
    this.view = view;
    document.documentElement.dataset.view = view;
    this.summary.hidden = view !== "summary";
    const { p } = this.item;
    this.stop.classList.toggle("is-current", this.isLast);
    const name = view === "question" ? `Question ${p} of ${this.total}` : view === "summary" ? "Summary" : "Answer sheet";
    document.title = `${name} · ${this.title}`;
    const hash = view === "question" ? `#q${p}` : `#${view}`;
    if (location.hash !== hash && (focus || location.hash)) history.replaceState(history.state, "", hash);
    this.tell.turned(this.item, view);
    if (focus) this.#focus();
    if (view !== "question") this.tell.left(this.item);
  }

  #focus() {
    const sheet = document.querySelector("#sheet .is-current");
    const place = { question: this.item.heading, summary: this.summary.querySelector("h2"), sheet }[this.view];
    scrollTo(0, 0);
    place.focus({ preventScroll: this.view !== "sheet" });
  }

  #follow(event) {
    const link = event.target.closest?.('a[href^="#"]');
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (!/^#(q\d+|summary|sheet)$/.test(link.hash)) return;
    event.preventDefault();
    this.go(link.hash);
  }

  /* Time is counted while a question is in view of somebody who can see it. */

  #watch() {
    if (document.hidden || this.view !== "question") this.#pause();
    else this.since ??= performance.now();
  }

  #pause() {
    if (this.since === null) return;
    this.item.time += performance.now() - this.since;
    this.since = null;
  }

  /** Bring the time of the question in view up to now. */
  stamp() {
    this.#pause();
    this.#watch();
  }
}

/* The answer sheet and the summary are both rendered from the items, never from each other. */

const PARTS = {
  open: (item) => !item.state.sel.length && !item.isChecked,
  miscounted: (item) => item.miscount !== "" && !item.isChecked,
  flagged: (item) => item.state.flag,
};

export class Sheet {
  constructor(items) {
    this.items = items;
    this.cells = new Map([...document.querySelectorAll("#sheet a.cell")].map((cell) => [Number(cell.hash.slice(2)), cell]));
    this.summary = document.getElementById("summary");
    this.tallies = document.querySelectorAll("[data-tally]");
  }

  draw(item) {
    const cell = this.cells.get(item.p);
    cell.classList.toggle("is-answered", item.isAnswered);
    cell.classList.toggle("is-incomplete", item.isIncomplete);
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

  /** Fill the summary's lists. */
  list(current) {
    let shown = 0;
    for (const [part, belongs] of Object.entries(PARTS)) {
      const box = this.summary.querySelector(`[data-list="${part}"]`);
      const found = [...this.items.values()].filter(belongs);
      box.hidden = found.length === 0;
      box.querySelector("[data-count]").textContent = found.length;
      box.querySelector("ul").replaceChildren(...found.map((item) => entry(item, part)));
      shown += found.length;
    }
    this.summary.querySelector("[data-list=nothing]").hidden = shown > 0;
    const link = this.summary.querySelector("[data-return]");
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
