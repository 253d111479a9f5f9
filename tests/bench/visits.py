"""Simulates whole visits of very many learners at once: each starts a mock of 60 questions, saves an answer every three
seconds, looks at a page every minute and submits. Held means the same as for saves alone, but over all requests.

``python -m tests.bench --visits 400 700``: ten minutes each, on the PostgreSQL server that DATABASE_URL names.
"""

from __future__ import annotations

import gzip
import json
import time
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from urllib.parse import urlencode

from tests.bench.crowd import Answer, Crowd, Visitor
from tests.bench.held import EVERY, Step
from tests.bench.load import Load
from tests.bench.machine import busy_seconds, family, used_seconds
from tests.bench.pages import PAGE
from tests.bench.signed_in import (
    JSON,
    OPTIONS,
    QUESTIONS,
    Person,
    head_of,
    make_accounts,
    signed_in,
    with_body,
)
from tests.bench.stack import Stack, running
from tests.bench.table import markdown
from tests.support.needs import find_postgres

VISITS = (400, 700)
SECONDS = 600.0
ARRIVALS = 60.0
PAGE_EVERY = 20
"""Saves between two pages: a minute."""
HUB = "/practice/pmle/"
PAGES = ("", "/", HUB, f"{HUB}readiness/", PAGE)
"""The pages visited in turn; the empty one is the session's own page with its 60 questions."""
BLUEPRINT = {"blueprint": "june-2026", "count": str(QUESTIONS), "time_factor": "1", "conditions": "exam"}
KINDS = ("start", "claim", "save", "page", "submit")
HEAD = ["Learners", "requests/s", "all 95% ms", *(f"{kind} 95% ms" for kind in KINDS), "errors",
        "web, % of a core", "generator, % of a core", "everything, % of all cores"]  # fmt: skip
NOT_MEASURED = "Not measured: DATABASE_URL names no PostgreSQL that answers."


@dataclass(frozen=True)
class Request:
    """A request: what to send, its kind, and the expected status."""

    kind: str
    data: bytes
    right: int = 200
    at_once: bool = False
    """It follows the previous one without a pause."""


Script = Generator[Request, Answer]


class Visit(Visitor):
    """One learner's mock from the start to the results, with this many saves."""

    def __init__(self, person: Person, saves: int) -> None:
        self.script = script(person, saves)
        self.request = next(self.script)

    def ask(self) -> bytes:
        """Return what the script sends next, or the same again if no answer came."""
        self.kind = self.request.kind
        return self.request.data

    def hear(self, answer: Answer) -> str:
        """End the visit at a response with the wrong status."""
        self.over = answer.status != self.request.right
        if self.over:
            return f"{self.kind}: {answer.status} {answer.body[:100]!r}"
        try:
            self.request = self.script.send(answer)
            self.at_once = self.request.at_once
        except StopIteration:
            self.over = True
        return ""


def script(person: Person, saves: int) -> Script:
    """Yield the requests of a visit, each once the previous one has been answered."""
    own = {"X-Forwarded-For": person.network}

    def get(path: str) -> Request:
        return Request("page", head_of(person, "GET", path, **own) + b"\r\n", at_once=True)

    def post(kind: str, path: str, body: bytes = b"", content: str = JSON, right: int = 200) -> Request:
        return Request(kind, with_body(head_of(person, "POST", path, content, **own), body), right)

    start = head_of(person, "POST", f"{HUB}mock/", **own)
    started = yield Request("start", with_body(start, urlencode(BLUEPRINT).encode()), right=302)
    session = started.location
    yield get(session)
    claimed = yield post("claim", f"{session}claim/", b"{}")
    writer = int(json.loads(plain(claimed.body))["writer"])
    pages = islice(cycle(PAGES), person.number % len(PAGES), None)
    for turn in range(1, saves + 1):
        position, choice = 1 + (turn - 1) % QUESTIONS, turn // 7 % OPTIONS
        item = {"p": position, "seq": turn, "sel": [choice], "out": [], "flag": False, "sec": 3 * turn, "seen": True}
        yield post("save", f"{session}save/", json.dumps({"writer": writer, "items": [item]}).encode())
        if turn % PAGE_EVERY == 0:
            yield get(next(pages) or session)
    led = yield post("submit", f"{session}finish/", right=302)
    yield get(led.location)


def plain(body: bytes) -> bytes:
    """Return the body, decompressed if it came compressed."""
    return gzip.decompress(body) if body[:2] == b"\x1f\x8b" else body


def section(sizes: Sequence[int], seconds: float, cores: int, say: Callable[[str], None]) -> str:
    """Measure each number of learners on a separate site; return the text with its table."""
    server = find_postgres()
    if not server:
        return NOT_MEASURED
    lines = []
    for learners in sizes:
        say(f"{learners} learners: making a database, a bank, accounts; signing them in")
        with running(server) as stack:
            make_accounts(stack, learners)
            visits = [Visit(person, saves_within(seconds)) for person in signed_in(stack, range(learners))]
            lines.append(cells(measured(stack, visits, seconds, cores)))
            say(" | ".join(lines[-1]))
    return markdown(HEAD, lines)


def saves_within(seconds: float) -> int:
    """Return the saves of one visit of this length, less the time over which learners arrive."""
    return int((seconds - ARRIVALS) / EVERY) - 2


def measured(stack: Stack, visits: Sequence[Visit], seconds: float, cores: int) -> Step:
    """Run all visits, with arrivals spread over a minute."""
    crowd = Crowd(stack.port, visits)
    try:
        web = family(stack.web)
        used, busy, began = used_seconds(web), busy_seconds(), time.perf_counter()
        answers = crowd.run(seconds, EVERY, ARRIVALS)
        took = time.perf_counter() - began
    finally:
        crowd.close()
    return Step(len(visits), answers, (used_seconds(web) - used) / took, (busy_seconds() - busy) / took / cores)


def cells(step: Step) -> list[str]:
    """Return the cells of a line of the table."""
    found = step.answers
    shares = (step.web, found.own_seconds / found.seconds, step.everything)
    return [
        f"{step.learners}{'' if step.held else ' (not held)'}", f"{found.rate:.0f}", slowest(found.times),
        *(slowest(found.by_kind.get(kind, [])) for kind in KINDS), str(len(found.errors)),
        *(f"{100 * share:.0f}" for share in shares),
    ]  # fmt: skip


def slowest(times: Sequence[float]) -> str:
    """Return the time within which 95 of 100 finished, in whole milliseconds; empty if nothing was timed."""
    return f"{Load(1.0, list(times)).quantile(0.95):.0f}" if times else ""
