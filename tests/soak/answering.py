"""Learners who answer without pause and remember what was acknowledged: the load while servers are killed."""

from __future__ import annotations

import html
import http.client
import random
import re
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tests.support.player import Player, Refused
from tests.support.scratch import rows

QUESTIONS = 20
OPTIONS = 4
LONGEST = 100
"""Seconds after which the learners give up, so that a fault never hangs the run."""
UNREACHABLE = b"no-database"
BROKEN = (OSError, http.client.HTTPException)
SCORE = re.compile(r'class="figure-number">(\d+) of (\d+)')
Stored = dict[str, dict[int, list[list[int]]]]


@dataclass
class Sat:
    """One session: what was sent for each position, what was last acknowledged, and what was sent after its end."""

    uuid: str = ""
    writer: int = 0
    sent: dict[int, list[list[int]]] = field(default_factory=dict)
    acknowledged: dict[int, int] = field(default_factory=dict)
    late: list[tuple[int, list[int]]] = field(default_factory=list)
    is_over: bool = False
    submitted_at: float = 0.0
    shown_at: float = 0.0
    shown: tuple[int, int] | None = None

    @property
    def saves(self) -> int:
        """Return how many answers were saved."""
        return sum(len(each) for each in self.sent.values())


class Learner(threading.Thread):
    """Answers one mock over and over, or with ``acks_each`` submits after that many answers and starts another."""

    def __init__(
        self,
        port: int,
        seed: int,
        stop: threading.Event,
        secure: bool = False,
        acks_each: int = 0,
        pause: float = 0.0,
        longest: float = LONGEST,
    ) -> None:
        super().__init__(daemon=True)
        self.player, self.rng, self.stop = Player(port, secure), random.Random(seed), stop
        self.acks_each, self.pause = acks_each, pause
        self.end = time.monotonic() + longest
        self.sat: list[Sat] = []
        self.acks = self.reloads = self.outages = self.broken = self.sequence = 0
        self.times: list[tuple[float, float]] = []
        self.lost: list[str] = []
        self.error: Exception | None = None

    @property
    def now(self) -> Sat:
        """Return the current session."""
        return self.sat[-1]

    def run(self) -> None:
        """Answer until told to stop, then check what the server holds."""
        try:
            self.begin()
            while not self.stop.is_set() and time.monotonic() < self.end:
                self.answer(self.batch())
                if self.now.is_over or (self.acks_each and self.now.saves >= self.acks_each):
                    self.submit()
                    self.begin()
                self.stop.wait(self.pause)
            self._reload()
        except Exception as error:  # noqa: BLE001 - the test looks at it
            self.error = error
        finally:
            self.player.close()

    def submit(self) -> None:
        """Submit until it is acknowledged, then read the result; submitting twice has the effect of once."""
        self._again(self.player.finish)
        results = f"{self.player.session}results/"
        self.now.submitted_at = self.now.submitted_at or time.monotonic()
        found = SCORE.search(html.unescape(self._again(lambda: read(self.player, results)).decode()))
        assert found, f"no score at {results}"
        shown = int(found[1]), int(found[2])
        assert self.now.shown in (None, shown), f"{results} said {self.now.shown}, now {shown}"
        self.now.shown = shown
        self.now.shown_at = self.now.shown_at or time.monotonic()

    def batch(self) -> list[tuple[int, list[int]]]:
        """Return the next one to three answers: which question, and the places chosen."""
        places = self.rng.sample(range(1, QUESTIONS + 1), self.rng.randint(1, 3))
        return [(place, sorted(self.rng.sample(range(OPTIONS), self.rng.randint(1, 2)))) for place in places]

    def begin(self) -> None:
        """Start a mock until it is acknowledged, and claim it."""
        self._again(lambda: self.player.start(QUESTIONS))
        self.sat.append(Sat(self.player.session.split("/")[-2].replace("-", "")))
        self._reload()

    def answer(self, batch: list[tuple[int, list[int]]]) -> dict[str, Any]:
        """Send a batch and return the response; if the connection breaks, reload, look for losses and send it again."""
        self.sequence += 1
        for position, chosen in batch:
            self.now.sent.setdefault(position, []).append(chosen)
        items = [{"p": position, "seq": self.sequence, "sel": chosen} for position, chosen in batch]
        while True:
            began = time.monotonic()
            try:
                answer = self.player.save(self.now.writer, items)
            except (*BROKEN, Refused) as error:
                self._must_be_an_outage(error)
                self._reload()
                continue
            self.times.append((began, time.monotonic() - began))
            self._acknowledged(batch, answer)
            return answer

    def _acknowledged(self, batch: list[tuple[int, list[int]]], answer: dict[str, Any]) -> None:
        """Check that each answer is saved or, if the session is over, kept as late."""
        saved, late = set(answer["saved"]), set(answer["late"])
        assert saved | late == {position for position, _ in batch}, answer
        assert answer["over"] or not late, answer
        self.acks += len(batch)
        self.now.is_over = answer["over"]
        for position, chosen in batch:
            if position in late:
                self.now.late.append((position, chosen))
            else:
                self.now.acknowledged[position] = len(self.now.sent[position]) - 1

    def _reload(self) -> None:
        """Claim the session and compare what it holds with what was acknowledged; once it is over, check only that."""
        answer: dict[str, Any] = self._again(self.player.claim)
        self.reloads += 1
        if answer.get("over"):
            self.now.is_over = True
            return
        held = {item["p"]: item["sel"] for item in answer["items"]}
        for position, place in self.now.acknowledged.items():
            possible = self.now.sent[position][place:]  # acknowledged, or sent since without a response yet
            if sorted(held[position]) not in possible:
                self.lost.append(f"question {position} holds {held[position]}, acknowledged was {possible[0]}")
        self.now.writer = int(answer["writer"])

    def _again(self, call: Callable[[], Any]) -> Any:
        while True:
            try:
                return call()
            except (*BROKEN, Refused) as error:
                self._must_be_an_outage(error)
                if time.monotonic() > self.end:
                    raise
                time.sleep(0.05)

    def _must_be_an_outage(self, error: Exception) -> None:
        """Accept a broken connection, or the site saying its database is down; any other refusal counts as a fault."""
        if not isinstance(error, Refused):
            self.broken += 1
            return
        if error.status != 503 or UNREACHABLE not in error.body:
            raise error
        self.outages += 1


class Reader(threading.Thread):
    """Somebody without a session who reads these pages in a loop; every page must answer."""

    def __init__(self, port: int, addresses: list[str], stop: threading.Event, pause: float) -> None:
        super().__init__(daemon=True)
        self.player, self.addresses, self.stop, self.pause = Player(port, True), addresses, stop, pause
        self.times: list[tuple[float, float]] = []
        self.error: Exception | None = None

    def run(self) -> None:
        """Read until told to stop, or until a page doesn't answer."""
        try:
            while not self.stop.is_set():
                for address in self.addresses:
                    began = time.monotonic()
                    read(self.player, address)
                    self.times.append((began, time.monotonic() - began))
                    self.stop.wait(self.pause)
        except Exception as error:  # noqa: BLE001 - the test looks at it
            self.error = error
        finally:
            self.player.close()


def read(player: Player, address: str) -> bytes:
    """Fetch a page; anything but 200 is an error."""
    status, _, body = player.send("GET", address)
    if status != 200:
        raise Refused(status, body)
    return body


def what_the_database_holds(url: str, learners: list[Learner]) -> list[str]:
    """Return each learner's acknowledged answers, late ones too, that are missing from the database itself.

    An acknowledged answer is in its item; one acknowledged as late is among the late answers.
    """
    items, late = stored_answers(url), stored_late(url)
    expected = [
        (stored, sat.uuid, position, chosen)
        for learner in learners
        for sat in learner.sat
        for stored, answers in (
            (items, [(position, sat.sent[position][place]) for position, place in sat.acknowledged.items()]),
            (late, sat.late),
        )
        for position, chosen in answers
    ]
    return [
        f"session {uuid} question {position}: {stored.get(uuid, {}).get(position)}, acknowledged was {chosen}"
        for stored, uuid, position, chosen in expected
        if chosen not in stored.get(uuid, {}).get(position, [])
    ]


def stored_answers(url: str) -> Stored:
    """Return what each item holds, read straight from the database."""
    return _stored(url, "i.selected", "")


def stored_late(url: str) -> Stored:
    """Return what arrived after the end."""
    return _stored(url, "l.selected", "JOIN practice_lateanswer l ON l.session_id = s.id AND l.position = i.position")


def _stored(url: str, mask: str, joined: str) -> Stored:
    """Return the places chosen in each row found, by session and position."""
    found = rows(
        url,
        f"SELECT s.uuid, i.position, i.option_order, {mask} FROM practice_sessionitem i"
        f" JOIN practice_practicesession s ON s.id = i.session_id {joined}",
    )
    stored: Stored = {}
    for uuid, position, order, chosen in found:
        places = [place for place, slot in enumerate(order) if chosen >> int(slot, 16) & 1]
        stored.setdefault(str(uuid).replace("-", ""), {}).setdefault(position, []).append(places)
    return stored
