// Asks the scanner about single pages: JSON in, {host, port, pages: [{path, cookie}]}; JSON out, its findings on each.
import { readFileSync } from "node:fs";
import { ALL_TESTS } from "@mdn/mdn-http-observatory/src/constants.js";
import { getScoreModifier } from "@mdn/mdn-http-observatory/src/grader/grader.js";
import { retrieve } from "@mdn/mdn-http-observatory/src/retriever/retriever.js";

const { host, port, pages } = JSON.parse(readFileSync(0, "utf8"));
const findings = [];
for (const { path, cookie } of pages) {
  const headers = cookie ? ["Accept: text/html", `Cookie: ${cookie}`] : ["Accept: text/html"];
  const seen = await retrieve(host, { path, headers, httpPort: port, httpsPort: port });
  const { status, headers: answered } = seen.responses.auto;
  const results = ALL_TESTS.map((test) => test(seen).result);
  const points = Object.fromEntries(results.map((result) => [result, getScoreModifier(result)]));
  findings.push({ status, headers: answered, points });
}
console.log(JSON.stringify(findings));
