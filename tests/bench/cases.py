"""Measures one running site in the order of a learner's day, each kind of request alongside the bare view."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Iterator
from dataclasses import dataclass

from tests.bench.load import Load, Step, drive, joined
from tests.support.player import TOKEN, Player, Refused

CONNECTIONS = 4
QUESTIONS = 60
PAGES = 40
MOST_SESSIONS = 240
MOST_REQUESTS = 20_000
WARM_UP = 8
SLICES = 10
"""How many turns each kind of request and the bare view take, so that both meet the same load on the machine."""
COUNT = {"X_Count_Statements": "1"}


@dataclass(frozen=True)
class Row:
    """A line of the table; ``bare`` was measured in turns with it, on the same server."""

    name: str
    load: Load
    bare: Load
    statements: int

    @property
    def ratio(self) -> float:
        """Return how many requests to the bare view cost as much as one of these."""
        return self.bare.rate / self.load.rate


@dataclass
class Session:
    """A started mock and the cookies of the guest who sits it."""

    address: str
    cookies: dict[str, str]
    writer: int = 0
    sequence: int = 0


class Day:
    """The cases of one site; ``rows`` measures them all."""

    def __init__(self, port: int, seconds: float) -> None:
        self.players = [Player(port, secure=True) for _ in range(CONNECTIONS)]
        self.seconds = seconds
        self.sessions: list[Session] = []
        self.finished = 0
        self.lock = threading.Lock()
        self.networks = itertools.count()

    def rows(self) -> Iterator[Row]:
        """Yield every case; later ones use the sessions that earlier ones started."""
        yield self._row("question page, anonymous, uncached", self.question)
        yield self._row("start of a 60-question mock, by a new guest", self.start, MOST_SESSIONS)
        for n, session in enumerate(self.sessions):
            self._as(self.players[0], session)
            session.writer = self.players[0].claim()["writer"]
            if n >= CONNECTIONS:
                self.answer(self.players[0], session, range(1, QUESTIONS + 1))
        yield self._row("save of one answer", self.save(1))
        yield self._row("save of five answers", self.save(5))
        yield self._row("finish of a 60-question mock", self.finish, len(self.sessions) - WARM_UP - 1)
        yield self._row("results of a 60-question mock", self.results)

    def _row(self, name: str, step: Step, most: int = MOST_REQUESTS) -> Row:
        for n in range(WARM_UP):
            step(self.players[n % CONNECTIONS], n)
        statements = self._count(step)
        loads: list[Load] = []
        bare: list[Load] = []
        for _ in range(SLICES):
            left = most - sum(len(load.times) for load in loads)
            if left > 0:
                bare.append(drive(self.players, self.bare, self.seconds / SLICES / 2, MOST_REQUESTS))
                loads.append(drive(self.players, step, self.seconds / SLICES, left))
        return Row(name, joined(loads), joined(bare), statements)

    def _count(self, step: Step) -> int:
        """Return the number of SQL statements one such request makes."""
        player = self.players[0]
        plain, seen = player.send, []

        def send(method: str, path: str, body: bytes = b"", kind: str = "", **more: str) -> tuple:
            answer = plain(method, path, body, kind, **{**more, **COUNT})
            seen.append(int(answer[1]["X-Statements"]))
            return answer

        player.send = send  # type: ignore[method-assign]
        try:
            step(player, 0)
        finally:
            player.send = plain  # type: ignore[method-assign]
        return seen[0]

    def bare(self, player: Player, n: int) -> None:
        """Request the view that does nothing."""
        self._get(player, "/bare/")

    def question(self, player: Player, n: int) -> None:
        """Request a public question page without cookies, with a query so that it doesn't come from the page cache."""
        number = 1 + n % PAGES
        player.cookies = {}
        self._get(player, f"/exams/pmle/questions/{number}-situation-{number}/?anew")

    def start(self, player: Player, n: int) -> None:
        """Start a full mock as somebody new, which creates a learner, a session and sixty items.

        Each comes from a network of their own, since mocks from one network wait for each other.
        """
        player.cookies = {"__Host-csrftoken": TOKEN}
        number = next(self.networks)
        address = player.start(QUESTIONS, X_Forwarded_For=f"10.{number // 250}.{number % 250}.9")
        with self.lock:
            self.sessions.append(Session(address, dict(player.cookies)))

    def save(self, answers: int) -> Step:
        """Autosave this many answers; each connection has its own session."""

        def step(player: Player, n: int) -> None:
            session = self.sessions[self.players.index(player)]
            self._as(player, session)
            first = n * answers % (QUESTIONS - answers)
            self.answer(player, session, range(first + 1, first + 1 + answers))

        return step

    def answer(self, player: Player, session: Session, positions: range) -> None:
        """Save another choice for these questions."""
        session.sequence += 1
        turn = session.sequence
        items = [{"p": p, "seq": turn, "sel": [(p + turn) % 4], "sec": 60 + turn} for p in positions]
        if len(player.save(session.writer, items)["saved"]) != len(items):
            raise AssertionError("a save was not acknowledged")

    def finish(self, player: Player, n: int) -> None:
        """Submit the next session."""
        with self.lock:
            session = self.sessions[self.finished]
            self.finished += 1
        self._as(player, session)
        player.finish()

    def results(self, player: Player, n: int) -> None:
        """Request the results of one of the finished sessions."""
        session = self.sessions[n % self.finished]
        self._as(player, session)
        self._get(player, f"{session.address}results/")

    def _as(self, player: Player, session: Session) -> None:
        player.session, player.cookies = session.address, session.cookies

    def _get(self, player: Player, path: str) -> None:
        status, _, body = player.send("GET", path)
        if status != 200:
            raise Refused(status, body)
