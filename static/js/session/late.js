/**
 * The results page: anything this browser still holds of the finished session is sent, and the server keeps it as
 * arrived late.
 */

import { forget } from "./kept.js";
import { Store } from "./store.js";
import { answers, post } from "./wire.js";

const place = document.getElementById("late");
const store = new Store(place.dataset.uuid);

async function bring() {
  forget(place.dataset.uuid);
  await store.open();
  const found = await store.found();
  if (!found.length) return;
  const items = new Map();
  const entries = found.flatMap(({ record }) => Object.values(record.items)).filter((entry) => entry.mine);
  for (const entry of entries.sort((a, b) => a.at - b.at)) items.set(entry.p, entry);
  await send([...items.values()], found);
}

async function send(entries, found, turn = 0) {
  say(entries.length && `This browser still has ${answers(entries.length)} to send. Sending now.`);
  const writer = found[0].record.writer;
  const { status, data } = entries.length ? await post(`${place.dataset.base}save/`, { writer, items: entries }) : { status: 200 };
  if (status === 200 && (!entries.length || data?.over)) {
    for (const { id } of found) store.remove(id);
    forget(place.dataset.uuid);
    if (data?.late.length) location.reload();
    else say("");
  } else if (status === 0 || status >= 500 || status === 429) {
    say(`This browser still has ${answers(entries.length)} to send. We’ll try again when the server can be reached.`);
    setTimeout(() => send(entries, found, turn + 1), Math.min(30000, 1000 * 2 ** turn) * (0.5 + Math.random() / 2));
  } else say(`The server didn’t accept ${answers(entries.length)} from this browser.`);
}

function say(words) {
  place.hidden = !words;
  place.querySelector("p").textContent = words || "";
}

bring();
