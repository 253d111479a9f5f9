/* The page that submits: anything this browser still holds of the session is sent first. */

import { replay } from "./queue.js";
import { answers, notice } from "./wire.js";

const place = document.getElementById("held");
const form = document.querySelector("form[data-held]");
let queue, tabs, begun;
let isSubmitting = false;

function begin() {
  if (begun) return;
  ({ queue, tabs, begun } = replay(place.dataset, { ifAny: true }));
  let isMine = false;
  queue.tell = {
    taken: () => (isMine = queue.count > 0),
    status: () => say(),
    server: ({ items }) => tabs.offer(items),
    // The figures of this page are older than what has just arrived.
    saved: () => isMine && !queue.count && !isSubmitting && !tabs.isAsking && location.reload(),
    older: (count) => tabs.overtaken(count),
    login: () => notice("login", "You’re signed out. Sign in again in a new tab, then reload this page. Your answers are kept in this browser."),
    over: () => location.reload(),
  };
}

function say() {
  const { count, trouble, halt } = queue;
  const how = trouble ? "We’ll send them when the server can be reached." : "Sending now.";
  notice("held", count && !halt ? `This browser still has ${answers(count)} to send. ${how}` : "");
}

async function submit(event) {
  event.preventDefault();
  if (isSubmitting) return;
  isSubmitting = true;
  begin();
  await begun;
  if (tabs.hasAny) await queue.sync();
  if (!tabs.isAsking) return form.submit();
  isSubmitting = false;
  tabs.ask();
}

form?.addEventListener("submit", submit);
if (!("paused" in place.dataset)) begin(); // a save would let a paused clock run again
