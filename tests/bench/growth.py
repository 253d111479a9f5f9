"""Measures how the figures grow with stored data: sessions in one database that is filled up, questions in several.

Requests are sent one at a time, on one connection, by guests who have all taken the same ten sessions, so that columns
differ only in what others have stored.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from tests.bench.crowd import Answer, Crowd
from tests.bench.growing import PER_LEARNER
from tests.bench.load import Load
from tests.bench.machine import memory_of
from tests.bench.pages import PAGE
from tests.bench.signed_in import QUESTIONS as IN_A_MOCK
from tests.bench.signed_in import Saver
from tests.bench.stack import Stack, running
from tests.bench.table import markdown
from tests.support.needs import find_postgres
from tests.support.player import TOKEN, Player, Refused
from tests.support.scratch import rows
from tests.support.subprocesses import run_python, wait_until

SESSIONS = [1_000, 100_000, 1_000_000]
QUESTIONS = [300, 3_000, 30_000]
GUESTS = 100
LOOKS = 200
CROWD_SECONDS, CROWD_EVERY = 10.0, 1.0
LONGEST = 1800
SIZE = "SELECT pg_database_size(current_database())"
ITEMS = "SELECT count(*) FROM practice_sessionitem"
UNANALYSED = "SELECT count(*) FROM practice_practicesession WHERE finished_at IS NOT NULL AND analysed_at IS NULL"
Say = Callable[[str], None]


@dataclass
class Column:
    """The measurements with this much stored: a text for each row."""

    title: str
    cells: dict[str, str] = field(default_factory=dict)


def section(sessions: Sequence[int], questions: Sequence[int], say: Say) -> str:
    """Return both tables, or one line that says there is no PostgreSQL."""
    server = find_postgres()
    if not server:
        return "Not measured: DATABASE_URL names no PostgreSQL that answers."
    stored = grown_by_sessions(server, sorted(sessions), min(questions), say)
    banks = [of_bank(server, size, min(sessions), say) for size in sorted(questions)]
    return (
        f"### Stored sessions, in a bank of {min(questions):,} questions\n\n{as_table(stored)}\n\n"
        f"### Questions, with {min(sessions):,} stored sessions\n\n{as_table(banks)}"
    )


def grown_by_sessions(server: str, sizes: Sequence[int], questions: int, say: Say) -> list[Column]:
    """Measure one database, filled up further for each column."""
    columns, stored = [], 0
    with running(server, bank_of(questions)) as stack:
        for size in sizes:
            columns.append(measured(stack, f"{size:,} sessions", size - stored, say))
            stored = size
    return columns


def of_bank(server: str, questions: int, sessions: int, say: Say) -> Column:
    """Measure a bank of another size in a separate database."""
    with running(server, bank_of(questions)) as stack:
        return measured(stack, f"{questions:,} questions", sessions, say)


def bank_of(questions: int) -> Callable[[str, dict[str, str]], None]:
    """Return the commands that fill a database with this many questions."""

    def fill(url: str, ours: dict[str, str]) -> None:
        program({**ours, "DATABASE_URL": url}, "bank", questions)

    return fill


def program(environment: dict[str, str], *arguments: object) -> list[str]:
    """Run tests.bench.growing, with tasks in process so that they are done at its end; returns the lines printed."""
    ours = {name: value for name, value in environment.items() if name != "REDIS_URL"}
    done = run_python("-m", "tests.bench.growing", *map(str, arguments), timeout=LONGEST, **ours)
    if done.returncode:
        raise SystemExit(done.stderr)
    return done.stdout.split()


def measured(stack: Stack, title: str, sessions: int, say: Say) -> Column:
    """Store this many more sessions, then run one day of the guests among them."""
    began = time.perf_counter()
    cookies = program(stack.environment, "sessions", sessions, min(GUESTS, sessions // PER_LEARNER))
    say(f"  {title}: stored in {time.perf_counter() - began:.0f} s")
    column = Column(title)
    column.cells["database, GB"] = f"{rows(stack.url, SIZE)[0][0] / 1e9:.2f}"
    column.cells["answers stored, million"] = f"{rows(stack.url, ITEMS)[0][0] / 1e6:.2f}"
    for name, load in Visits(stack, cookies).day():
        column.cells[name] = f"{load.quantile(0.5):.1f} ({load.quantile(0.95):.1f})"
        say(f"    {name}: {column.cells[name]}")
    largest = max(memory_of(pid).proportional for pid in stack.workers)
    column.cells["memory of the largest web worker, MB"] = f"{largest:.0f}"
    return column


class Visits:
    """The guests' day, one kind of request after the other."""

    def __init__(self, stack: Stack, cookies: Sequence[str]) -> None:
        self.stack, self.player = stack, Player(stack.port, secure=True)
        self.cookies = [dict([cookie.split("=", 1)]) | {"__Host-csrftoken": TOKEN} for cookie in cookies]
        self.sessions: list[str] = []
        self.savers: list[Saver] = []

    def day(self) -> Iterator[tuple[str, Load]]:
        """Return the times of each kind of request."""
        guests = len(self.cookies)
        yield "question page, from the page cache", timed(LOOKS, lambda n: self.get(n, PAGE))
        yield "question page, uncached", timed(LOOKS, lambda n: self.get(n, f"{PAGE}?{n}"))
        yield f"start of a mock of {IN_A_MOCK}", timed(guests, self.start)
        self.savers = [self.saver(n) for n in range(guests)]
        rows(self.stack.url, "ANALYZE")  # autovacuum would do this within a minute
        yield "save of one answer, alone", timed(LOOKS, self.save)
        yield "save of one answer, all guests once a second", self.crowd()
        yield "finish, while the worker analyses those before", timed(guests, self.finish)
        assert wait_until(lambda: rows(self.stack.url, UNANALYSED)[0][0] == 0, LONGEST), "the analysis does not end"
        self.player.close()  # the connection may have been idle for longer than the site keeps one open
        rows(self.stack.url, "ANALYZE")
        yield "results", timed(guests, lambda n: self.get(n, f"{self.sessions[n]}results/"))
        yield "progress page", timed(guests, lambda n: self.get(n, "/practice/pmle/readiness/"))
        self.player.close()

    def be(self, n: int) -> Player:
        """Switch the browser to this guest."""
        self.player.cookies = self.cookies[n % len(self.cookies)]
        if self.sessions:
            self.player.session = self.sessions[n % len(self.sessions)]
        return self.player

    def get(self, n: int, path: str) -> None:
        """Request a page."""
        status, _, body = self.be(n).send("GET", path, Accept_Encoding="gzip")
        if status != 200:
            raise Refused(status, body)

    def start(self, n: int) -> None:
        """Start a mock."""
        self.sessions.append(self.be(n).start(IN_A_MOCK))

    def saver(self, n: int) -> Saver:
        """Return a guest who acts like the player's script, with the session claimed and every question answered."""
        player = self.be(n)
        writer = int(player.claim()["writer"])
        player.save(writer, [{"p": p, "seq": 1, "sel": [(p + n) % 4], "sec": 40} for p in range(1, IN_A_MOCK + 1)])
        saver = Saver(player, writer)
        saver.turn = 1
        return saver

    def save(self, n: int) -> None:
        """Save the next answer."""
        self.be(n)
        saver = self.savers[n % len(self.savers)]
        body = saver.body()
        status, _, answer = self.player.send("POST", f"{self.player.session}save/", body, "application/json")
        if wrong := saver.hear(Answer(status, answer)):
            raise AssertionError(wrong)

    def crowd(self) -> Load:
        """Let every guest save once a second."""
        crowd = Crowd(self.stack.port, self.savers)
        try:
            crowd.run(CROWD_EVERY, CROWD_EVERY)
            answers = crowd.run(CROWD_SECONDS, CROWD_EVERY)
        finally:
            crowd.close()
        assert not answers.errors, answers.errors[:3]
        return answers

    def finish(self, n: int) -> None:
        """Submit the session."""
        self.be(n).finish()


def timed(times: int, step: Callable[[int], None]) -> Load:
    """Send the requests one after another."""
    took = []
    for n in range(times):
        began = time.perf_counter()
        step(n)
        took.append(1000 * (time.perf_counter() - began))
    return Load(sum(took) / 1000, sorted(took))


def as_table(columns: Sequence[Column]) -> str:
    """Return a table with a row per request and a column per size: median ms, and the 95th percentile in brackets."""
    lines = [[name, *(column.cells[name] for column in columns)] for name in columns[0].cells]
    return markdown(["", *(column.title for column in columns)], lines)
