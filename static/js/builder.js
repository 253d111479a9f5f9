/* Counts follow each choice: the page for that choice is fetched, and its numbers, its total and its link are copied over. */

const form = document.querySelector("[data-builder]");
let latest = 0;

function address() {
  const query = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (value && name !== "expects") query.append(name, value);
  return `${form.dataset.builder}?${query}`;
}

async function countAgain() {
  latest += 1;
  const mine = latest;
  const here = address();
  const answer = await fetch(here).catch(() => null);
  if (!answer?.ok || mine !== latest) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (mine !== latest) return;
  const counts = new Map([...fresh.querySelectorAll("[data-count]")].map((each) => [each.dataset.count, each.textContent]));
  for (const each of form.querySelectorAll("[data-count]")) each.textContent = counts.get(each.dataset.count) ?? each.textContent;
  document.getElementById("total").replaceChildren(...fresh.getElementById("total").childNodes);
  document.getElementById("link").href = fresh.getElementById("link").getAttribute("href");
  history.replaceState(history.state, "", here);
}

form.querySelector("[data-count-again]").hidden = true;
form.addEventListener("change", (event) => {
  if (event.target.name !== "name") countAgain();
});
