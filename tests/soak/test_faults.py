"""The server dies while learners answer, and nothing it acknowledged is lost; abandoned sessions are closed.

The site runs in a real gunicorn with its own settings, durable commits included. Every learner is a thread with its own
connection, which sends failed requests again until they are acknowledged, as the page does.
"""

from __future__ import annotations

import contextlib
import random
import secrets
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.soak.answering import LONGEST, QUESTIONS, Learner, what_the_database_holds
from tests.support.player import Player
from tests.support.scratch import fill, rows, scratch_database
from tests.support.subprocesses import BASE, Site, bare_environment, wait_until

LEARNERS = 8
PER_DOMAIN = 8
KILLS = 5
BETWEEN_KILLS = (0.5, 2.0)
SWEEP_SECONDS = 60

pytestmark = pytest.mark.soak
OWN_SETTINGS = {
    "DJANGO_SETTINGS_MODULE": "courseiva.settings",
    "DEBUG": "1",
    "SECRET_KEY": "only-for-tests-" + "x" * 40,
    "GUEST_MOCKS_A_DAY": "10000",
}
DATABASES = pytest.mark.parametrize("kind", ["sqlite", "postgresql"])


@pytest.fixture
def database_url(kind: str, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Yield the address of a filled database of this kind."""
    server = request.getfixturevalue("postgres_url") if kind == "postgresql" else ""
    with scratch_database(server, tmp_path) as url:
        fill(url, PER_DOMAIN)
        yield url


@pytest.mark.gate
@pytest.mark.alone
@DATABASES
def test_no_acknowledged_answer_is_lost_when_the_server_is_killed(
    kind: str, database_url: str, rng: random.Random, tell: Callable[[str], None]
) -> None:
    stop = threading.Event()
    site = Site(database_url, **OWN_SETTINGS).start()
    learners = [Learner(site.port, rng.getrandbits(32), stop) for _ in range(LEARNERS)]
    try:
        for learner in learners:
            learner.start()
        assert wait_until(lambda: all(learner.acks for learner in learners)), [learner.error for learner in learners]
        for moment in [rng.uniform(*BETWEEN_KILLS) for _ in range(KILLS)]:
            time.sleep(moment)
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
    tell(f"{kind}: {KILLS} kills, {acks} acknowledged answers of {LEARNERS} learners, {len(lost)} lost")
    assert lost == []
    assert reloads > 2 * LEARNERS, "no kill was felt by anybody"
    assert what_the_database_holds(database_url, learners) == []


def an_expired_session(url: str) -> None:
    """Create an abandoned mock with one answer, whose time has been up for an hour."""
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
    # The server above is gone for good; otherwise the next one would wait for it, and give back the time it was away.
    rows(url, "DELETE FROM practice_heartbeat")
    assert ended(url) == ""


def ended(url: str) -> str:
    """Return how the only session ended, "" if it hasn't; once ended it is scored, and dated to its deadline."""
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
    """Run a process of the site, and end it whatever happens."""
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


@pytest.mark.gate
@DATABASES
def test_the_embedded_schedule_closes_an_abandoned_session(kind: str, database_url: str) -> None:
    an_expired_session(database_url)
    with running("manage.py", "periodic", DATABASE_URL=database_url):
        assert wait_until(lambda: ended(database_url) == "time", SWEEP_SECONDS)


@pytest.mark.gate
@pytest.mark.parametrize("kind", ["postgresql"])
def test_a_worker_with_redis_closes_an_abandoned_session(
    kind: str, database_url: str, redis_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    an_expired_session(database_url)
    monkeypatch.setenv("TEST_QUEUE", f"courseiva-test-{secrets.token_hex(6)}")
    command = ("-m", "celery", "-A", "courseiva", "worker", "--beat", "--schedule", str(tmp_path / "beat"))
    quiet = ("--concurrency", "1", "--loglevel", "warning", "--without-mingle", "--without-gossip")
    with running(*command, *quiet, DATABASE_URL=database_url, REDIS_URL=redis_url):
        assert wait_until(lambda: ended(database_url) == "time", SWEEP_SECONDS)
