"""The server dies while learners answer: nothing it acknowledged is gone. And a sitting nobody comes back to is closed.

The site runs in a real gunicorn with its own settings (its durable commits among them). Every learner is a thread with
a connection, who sends what failed again until it is acknowledged, as the page does.
"""

from __future__ import annotations

import contextlib
import http.client
import os
import random
import secrets
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.support.player import Player
from tests.support.scratch import fill, rows, scratch_database
from tests.support.subprocesses import BASE, Site, bare_environment, wait_until

LEARNERS = 8
QUESTIONS = 20
OPTIONS = 4
PER_DOMAIN = 8
KILLS = 5
BETWEEN_KILLS = (0.5, 2.0)
LONGEST = 100
"""Seconds after which the learners give up, so that a fault never hangs the run."""
SWEEP_SECONDS = 60

pytestmark = pytest.mark.soak
OWN_SETTINGS = {
    "DJANGO_SETTINGS_MODULE": "courseiva.settings",
    "DEBUG": "1",
    "SECRET_KEY": "only-for-tests-" + "x" * 40,
}
DATABASES = pytest.mark.parametrize("kind", ["sqlite", "postgresql"])


@pytest.fixture
def database_url(kind: str, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """A filled database of this kind."""
    server = request.getfixturevalue("postgres_url") if kind == "postgresql" else ""
    with scratch_database(server, tmp_path) as url:
        fill(url, PER_DOMAIN)
        yield url


class Learner(threading.Thread):
    """Answers one mock over and over, and remembers by position what was sent and what of it was acknowledged."""

    def __init__(self, port: int, seed: int, stop: threading.Event) -> None:
        super().__init__(daemon=True)
        self.player, self.rng, self.stop = Player(port), random.Random(seed), stop
        self.end = time.monotonic() + LONGEST
        self.sent: dict[int, list[list[int]]] = {}
        self.acknowledged: dict[int, int] = {}
        self.held: dict[int, list[int]] = {}
        self.acks = self.reloads = self.sequence = 0
        self.lost: list[str] = []
        self.error: Exception | None = None

    def run(self) -> None:
        """Answer until told to stop, then look once more at what the server holds."""
        try:
            self._again(lambda: self.player.start(QUESTIONS))
            writer = self._reload()
            while not self.stop.is_set() and time.monotonic() < self.end:
                writer = self._answer(writer)
            self._reload()
        except Exception as error:  # noqa: BLE001 - the test looks at it
            self.error = error
        finally:
            self.player.close()

    def _answer(self, writer: int) -> int:
        """Send one to three answers; where the way is broken, reload (which looks for lost ones) and send again."""
        self.sequence += 1
        batch = []
        for position in self.rng.sample(range(1, QUESTIONS + 1), self.rng.randint(1, 3)):
            chosen = sorted(self.rng.sample(range(OPTIONS), self.rng.randint(1, 2)))
            self.sent.setdefault(position, []).append(chosen)
            batch.append((position, len(self.sent[position]) - 1, chosen))
        while True:
            items = [{"p": position, "seq": self.sequence, "sel": chosen} for position, _, chosen in batch]
            try:
                answer = self.player.save(writer, items)
            except (OSError, http.client.HTTPException):
                writer = self._reload()
                continue
            assert set(answer["saved"]) == {position for position, _, _ in batch}, answer
            self.acks += len(batch)
            self.acknowledged |= {position: place for position, place, _ in batch}
            return writer

    def _reload(self) -> int:
        """Claim the sitting, and compare all it holds with what was acknowledged; the new writer's number."""
        answer = self._again(self.player.claim)
        self.reloads += 1
        self.held = {item["p"]: item["sel"] for item in answer["items"]}
        for position, place in self.acknowledged.items():
            possible = self.sent[position][place:]  # what was acknowledged, or sent since and not yet answered
            if sorted(self.held[position]) not in possible:
                self.lost.append(f"question {position} holds {self.held[position]}, acknowledged was {possible[0]}")
        return int(answer["writer"])

    def _again(self, call: Callable[[], object]) -> object:
        while True:
            try:
                return call()
            except (OSError, http.client.HTTPException):
                if time.monotonic() > self.end:
                    raise
                time.sleep(0.05)


@DATABASES
def test_no_acknowledged_answer_is_lost_when_the_server_is_killed(kind: str, database_url: str) -> None:
    seed = int(os.environ.get("FAULT_SEED", secrets.randbits(32)))
    print(f"FAULT_SEED={seed}")
    rng, stop = random.Random(seed), threading.Event()
    site = Site(database_url, **OWN_SETTINGS).start()
    learners = [Learner(site.port, rng.getrandbits(32), stop) for _ in range(LEARNERS)]
    try:
        for learner in learners:
            learner.start()
        assert wait_until(lambda: all(learner.acks for learner in learners)), [learner.error for learner in learners]
        for _ in range(KILLS):
            time.sleep(rng.uniform(*BETWEEN_KILLS))
            before = sum(learner.acks for learner in learners)
            site.kill()
            site.start()
            assert wait_until(lambda seen=before: sum(learner.acks for learner in learners) > seen), "nobody went on"  # type: ignore[misc]
        stop.set()
        for learner in learners:
            learner.join(LONGEST)
    finally:
        stop.set()
        site.kill()
    assert [learner.error for learner in learners] == [None] * LEARNERS
    acks, reloads = sum(learner.acks for learner in learners), sum(learner.reloads for learner in learners)
    lost = [line for learner in learners for line in learner.lost]
    print(f"{kind}: {KILLS} kills, {acks} acknowledged answers of {LEARNERS} learners, {len(lost)} lost")
    assert lost == []
    assert reloads > 2 * LEARNERS, "no kill was felt by anybody"
    look_into_the_database(database_url, learners)


def look_into_the_database(url: str, learners: list[Learner]) -> None:
    """The same once more, read past the site: one sitting each, its clock untouched, every answer as acknowledged."""
    stored: dict[str, dict[int, list[int]]] = {}
    found = rows(
        url,
        "SELECT s.uuid, i.position, i.option_order, i.selected FROM practice_sessionitem i"
        " JOIN practice_practicesession s ON s.id = i.session_id WHERE s.finished_at IS NULL",
    )
    for uuid, position, order, mask in found:
        places = [place for place, slot in enumerate(order) if mask >> int(slot, 16) & 1]
        stored.setdefault(str(uuid).replace("-", ""), {})[position] = places
    for learner in learners:
        mine = stored[learner.player.sitting.split("/")[-2].replace("-", "")]
        assert {p: mine[p] for p in learner.acknowledged} == {
            p: learner.sent[p][place] for p, place in learner.acknowledged.items()
        }


def an_expired_sitting(url: str) -> None:
    """A mock with one answer that somebody left open, whose time has been over for an hour."""
    site = Site(url, **OWN_SETTINGS).start()
    try:
        player = Player(site.port)
        player.start(QUESTIONS)
        assert player.save(player.claim()["writer"], [{"p": 1, "seq": 1, "sel": [0]}])["saved"] == [1]
    finally:
        player.close()
        site.stop()
    back = "datetime(deadline, '-3 hours')" if url.startswith("sqlite") else "deadline - interval '3 hours'"
    rows(url, f"UPDATE practice_practicesession SET deadline = {back}")
    assert ended(url) == ""


def ended(url: str) -> str:
    """How the only sitting ended, "" while it is open; when it ended it is scored and dated to its deadline."""
    ((how, finished, deadline, score),) = rows(
        url, "SELECT ended, finished_at, deadline, score FROM practice_practicesession"
    )
    if not how:
        assert (finished, score) == (None, None)
        return ""
    assert finished == deadline
    assert score in (0, 1)
    assert rows(url, "SELECT count(*) FROM practice_sessionitem WHERE is_correct IS NULL") == [(0,)]
    return str(how)


@contextlib.contextmanager
def running(*command: str, **ours: str) -> Iterator[subprocess.Popen[bytes]]:
    """A process of the site, ended and collected at the end whatever happened."""
    settings = {**OWN_SETTINGS, "DJANGO_SETTINGS_MODULE": "tests.soak.quick_schedule", **ours}
    process = subprocess.Popen([sys.executable, *command], cwd=BASE, env=bare_environment(**settings))
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@DATABASES
def test_the_embedded_schedule_closes_a_sitting_nobody_came_back_to(kind: str, database_url: str) -> None:
    an_expired_sitting(database_url)
    with running("manage.py", "periodic", DATABASE_URL=database_url):
        assert wait_until(lambda: ended(database_url) == "time", SWEEP_SECONDS)


@pytest.mark.parametrize("kind", ["postgresql"])
def test_a_worker_with_redis_closes_a_sitting_nobody_came_back_to(
    kind: str, database_url: str, redis_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    an_expired_sitting(database_url)
    monkeypatch.setenv("TEST_QUEUE", f"courseiva-test-{secrets.token_hex(6)}")
    command = ("-m", "celery", "-A", "courseiva", "worker", "--beat", "--schedule", str(tmp_path / "beat"))
    quiet = ("--concurrency", "1", "--loglevel", "warning", "--without-mingle", "--without-gossip")
    with running(*command, *quiet, DATABASE_URL=database_url, REDIS_URL=redis_url):
        assert wait_until(lambda: ended(database_url) == "time", SWEEP_SECONDS)
