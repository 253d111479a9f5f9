"""A real worker and a real Redis die during the analysis, and each task arrives three times: one clean result remains.

Sessions end while the worker analyses those that have ended, so that tasks are sent while Redis dies. There is one kill
in each equal part of the work.
"""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.soak.kill_plans import plan_over_work
from tests.support.scratch import fill, rows, scratch_database
from tests.support.servers import Cluster, Process, RedisServer, own_redis
from tests.support.subprocesses import BASE, bare_environment, run_python, wait_until

SESSIONS, LEARNERS, QUESTIONS = 1000, 100, 10
PER_DOMAIN = 30
KILLS = {"worker": 20, "redis": 3}
AMID_WORK = 15
LONGEST = 300
SITE = {"DJANGO_SETTINGS_MODULE": "tests.soak.quick_schedule", "DEBUG": "1", "SECRET_KEY": "only-for-tests-" + "x" * 40}
SIT = f"""
import django
django.setup()
from tests.support.derived import sit
sit({SESSIONS}, learners={LEARNERS}, length={QUESTIONS})
"""

pytestmark = [pytest.mark.soak, pytest.mark.alone]


@pytest.fixture
def redis(needs_own_servers: None, tmp_path: Path) -> Iterator[RedisServer]:
    """Run a Redis for this test that persists nothing."""
    with own_redis(tmp_path) as server:
        yield server


@pytest.fixture
def database_url(cluster: Cluster, tmp_path: Path) -> Iterator[str]:
    """Yield the address of a filled PostgreSQL database."""
    with scratch_database(cluster.url, tmp_path) as url:
        fill(url, PER_DOMAIN)
        yield url


def count(url: str, condition: str) -> int:
    """Count the sessions that match this condition."""
    return int(rows(url, f"SELECT count(*) FROM practice_practicesession WHERE {condition}")[0][0])


def analysed(url: str) -> int:
    """Count the sessions that have been analysed."""
    return count(url, "analysed_at IS NOT NULL")


def waiting(url: str) -> int:
    """Count the finished sessions that haven't been analysed."""
    return count(url, "finished_at IS NOT NULL AND analysed_at IS NULL")


def test_kills_of_worker_and_redis_leave_the_rows_of_a_clean_run(
    database_url: str, redis: RedisServer, tmp_path: Path, rng: random.Random, tell: Callable[[str], None]
) -> None:
    settings = {**SITE, "DATABASE_URL": database_url, "REDIS_URL": redis.url}
    command = (sys.executable, "-m", "celery", "-A", "courseiva", "worker", "--beat", "--schedule", str(tmp_path / "b"))
    quiet = ("--concurrency", "2", "--loglevel", "error", "--without-mingle", "--without-gossip")
    worker = Process(*command, *quiet, **settings)
    killed: dict[str, Process | RedisServer] = {"worker": worker, "redis": redis}
    session = subprocess.Popen([sys.executable, "-c", SIT], cwd=BASE, env=bare_environment(**settings))
    amid, began = 0, time.monotonic()
    try:
        worker.start()
        for name, done in plan_over_work(rng, KILLS, SESSIONS):
            assert wait_until(lambda at=done: analysed(database_url) > at, LONGEST), "the worker does nothing"  # type: ignore[misc]
            amid += waiting(database_url) > 0
            killed[name].kill()
            killed[name].start()
        assert session.wait(LONGEST) == 0
        assert wait_until(lambda: waiting(database_url) == 0, LONGEST), f"{waiting(database_url)} were never analysed"
    finally:
        session.kill()
        worker.kill()
    tell(f"{SESSIONS} sessions, killed {KILLS}, {amid} times while work waited, {time.monotonic() - began:.0f} s")
    assert analysed(database_url) == SESSIONS
    assert amid >= AMID_WORK
    same = run_python("-m", "tests.support.derived", "compare", timeout=LONGEST, **settings)
    assert same.stdout.strip() == "same", same.stdout + same.stderr
