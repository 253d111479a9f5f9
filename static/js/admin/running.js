/* The page of a running import keeps its progress up to date. Without this script, its link does. */

const shown = document.getElementById("running");

async function look() {
  const response = await fetch(location.href, { credentials: "same-origin" }).catch(() => null);
  if (response?.ok && !response.redirected) {
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    const now = page.getElementById("running");
    if (!now) return location.reload();
    shown.replaceChildren(...now.childNodes);
  }
  again();
}

function again() {
  setTimeout(look, Number(shown.dataset.again) * 1000);
}

again();
