/* Signing in or out removes the pages of running sessions from this device. Where answers wait, signing out says so first. */

import { empty, entries, markOfOwner, NAME, records, sweep } from "./session/kept.js";
import { answers } from "./session/wire.js";

const notice = document.getElementById("unsent");

/** How many answers of the signed-in person wait here, by session. Those known to be somebody else's aren't counted. */
function unsent() {
  const mine = markOfOwner();
  const counts = {};
  for (const { uuid, count } of records()) {
    const marks = entries().flatMap((name) => (NAME.exec(name)?.[2] === uuid ? NAME.exec(name)[1] : []));
    if (!marks.length || marks.includes(mine)) counts[uuid] = (counts[uuid] ?? 0) + count;
  }
  return counts;
}

function warn() {
  const counts = Object.entries(unsent());
  const total = counts.reduce((sum, [, count]) => sum + count, 0);
  notice.hidden = !total;
  notice.querySelector("[data-words]").textContent = `${answers(total)} in this browser ${total === 1 ? "hasn’t" : "haven’t"} reached us yet.`;
  notice.querySelector("ul").replaceChildren(...counts.map(([uuid, count]) => line(uuid, count)));
}

function line(uuid, count) {
  const link = document.createElement("a");
  link.href = `${notice.dataset.sessions}${uuid}/`;
  link.textContent = `Open the session with ${answers(count)} waiting`;
  const row = document.createElement("li");
  row.append(link);
  return row;
}

async function press(event) {
  const form = event.target;
  const page = form.dataset.empties;
  if (form.dataset.passkey) return empty(); // that form waits for a person anyway, and sends itself
  event.preventDefault();
  if (page && Object.keys(unsent()).length) return location.assign(page); // this is the page that warns
  await empty().catch(() => null); // encrypted anyway: the key goes with the login
  form.submit();
}

for (const form of document.querySelectorAll("form[data-empties]")) form.addEventListener("submit", press);
if (notice) warn();
sweep().catch(() => null);
