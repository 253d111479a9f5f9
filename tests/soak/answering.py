"""Learners who answer without pause, and remember what was acknowledged: the load under which servers die."""

from __future__ import annotations

import http.client
import random
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from tests.support.player import Player, Refused
from tests.support.scratch import rows

QUESTIONS = 20
OPTIONS = 4
LONGEST = 100
"""Seconds after which the learners give up, so that a fault never hangs the run."""
UNREACHABLE = b"cannot reach its database"
BROKEN = (OSError, http.client.HTTPException)


@dataclass
class Sat:
    """One sitting: by position what was sent, and which of it was acknowledged last."""

    uuid: str = ""
    sent: dict[int, list[list[int]]] = field(default_factory=dict)
    acknowledged: dict[int, int] = field(default_factory=dict)
    handed_in: bool = False


class Learner(threading.Thread):
    """Answers one mock over and over, or with ``acks_each`` hands in after so many answers and starts another."""

    def __init__(self, port: int, seed: int, stop: threading.Event, secure: bool = False, acks_each: int = 0) -> None:
        super().__init__(daemon=True)
        self.player, self.rng, self.stop = Player(port, secure), random.Random(seed), stop
        self.acks_each = acks_each
        self.end = time.monotonic() + LONGEST
        self.sat: list[Sat] = []
        self.acks = self.reloads = self.outages = self.sequence = 0
        self.times: list[tuple[float, float]] = []
        self.lost: list[str] = []
        self.error: Exception | None = None

    @property
    def now(self) -> Sat:
        """The sitting of the moment."""
        return self.sat[-1]

    def run(self) -> None:
        """Answer until told to stop, then look once more at what the server holds."""
        try:
            writer = self._begin()
            while not self.stop.is_set() and time.monotonic() < self.end:
                writer = self._answer(writer)
                if self.acks_each and sum(len(each) for each in self.now.sent.values()) >= self.acks_each:
                    self.hand_in()
                    writer = self._begin()
            self._reload()
        except Exception as error:  # noqa: BLE001 - the test looks at it
            self.error = error
        finally:
            self.player.close()

    def hand_in(self) -> None:
        """Hand in until it is acknowledged; handing in twice is handing in once."""
        self._again(self.player.finish)
        self.now.handed_in = True

    def _begin(self) -> int:
        self._again(lambda: self.player.start(QUESTIONS))
        self.sat.append(Sat(self.player.sitting.split("/")[-2].replace("-", "")))
        return self._reload()

    def _answer(self, writer: int) -> int:
        """Send one to three answers; where the way is broken, reload (which looks for lost ones) and send again."""
        self.sequence += 1
        batch = []
        for position in self.rng.sample(range(1, QUESTIONS + 1), self.rng.randint(1, 3)):
            chosen = sorted(self.rng.sample(range(OPTIONS), self.rng.randint(1, 2)))
            self.now.sent.setdefault(position, []).append(chosen)
            batch.append((position, len(self.now.sent[position]) - 1, chosen))
        while True:
            items = [{"p": position, "seq": self.sequence, "sel": chosen} for position, _, chosen in batch]
            began = time.monotonic()
            try:
                answer = self.player.save(writer, items)
            except (*BROKEN, Refused) as error:
                self._must_be_an_outage(error)
                writer = self._reload()
                continue
            self.times.append((began, time.monotonic() - began))
            assert set(answer["saved"]) == {position for position, _, _ in batch}, answer
            self.acks += len(batch)
            self.now.acknowledged |= {position: place for position, place, _ in batch}
            return writer

    def _reload(self) -> int:
        """Claim the sitting, and compare all it holds with what was acknowledged; the new writer's number."""
        answer = self._again(self.player.claim)
        self.reloads += 1
        held = {item["p"]: item["sel"] for item in answer["items"]}
        for position, place in self.now.acknowledged.items():
            possible = self.now.sent[position][place:]  # what was acknowledged, or sent since and not yet answered
            if sorted(held[position]) not in possible:
                self.lost.append(f"question {position} holds {held[position]}, acknowledged was {possible[0]}")
        return int(answer["writer"])

    def _again(self, call: Callable[[], object]) -> object:
        while True:
            try:
                return call()
            except (*BROKEN, Refused) as error:
                self._must_be_an_outage(error)
                if time.monotonic() > self.end:
                    raise
                time.sleep(0.05)

    def _must_be_an_outage(self, error: Exception) -> None:
        """The way is broken, or the site says that its database is away; any other refusal is a fault of its own."""
        if isinstance(error, Refused):
            if error.status != 503 or UNREACHABLE not in error.body:
                raise error
            self.outages += 1


def what_the_database_holds(url: str, learners: list[Learner]) -> list[str]:
    """The same once more, read past the site: each learner's sittings, and every answer as acknowledged."""
    stored: dict[str, dict[int, list[int]]] = {}
    found = rows(
        url,
        "SELECT s.uuid, i.position, i.option_order, i.selected FROM practice_sessionitem i"
        " JOIN practice_practicesession s ON s.id = i.session_id",
    )
    for uuid, position, order, mask in found:
        places = [place for place, slot in enumerate(order) if mask >> int(slot, 16) & 1]
        stored.setdefault(str(uuid).replace("-", ""), {})[position] = places
    return [
        f"sitting {sat.uuid} question {p}: {stored.get(sat.uuid, {}).get(p)}, acknowledged was {sat.sent[p][place]}"
        for learner in learners
        for sat in learner.sat
        for p, place in sat.acknowledged.items()
        if stored.get(sat.uuid, {}).get(p) != sat.sent[p][place]
    ]
