"""A real worker and a real Redis die in the middle of the analysis, each task comes three times: one clean result."""

from __future__ import annotations

import os
import random
import secrets
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.scratch import fill, rows, scratch_database
from tests.support.servers import Process, RedisServer, own_redis
from tests.support.subprocesses import run_python, wait_until

SITTINGS = 150
PER_DOMAIN = 30
WORKER_KILLS, REDIS_KILLS = 5, 2
BETWEEN_KILLS = (0.3, 1.2)
LONGEST = 180
SITE = {"DJANGO_SETTINGS_MODULE": "tests.soak.quick_schedule", "DEBUG": "1", "SECRET_KEY": "only-for-tests-" + "x" * 40}

pytestmark = pytest.mark.soak


@pytest.fixture
def redis(needs_own_servers: None, tmp_path: Path) -> Iterator[RedisServer]:
    """A Redis of the test's own that keeps nothing."""
    with own_redis(tmp_path) as server:
        yield server


@pytest.fixture
def database_url(postgres_url: str, tmp_path: Path) -> Iterator[str]:
    """A filled PostgreSQL database."""
    with scratch_database(postgres_url, tmp_path) as url:
        fill(url, PER_DOMAIN)
        yield url


def waiting(url: str) -> int:
    """Finished sittings that are not analysed."""
    sql = "SELECT count(*) FROM practice_practicesession WHERE finished_at IS NOT NULL AND analysed_at IS NULL"
    return int(rows(url, sql)[0][0])


def test_kills_of_worker_and_redis_leave_the_rows_of_a_clean_run(
    database_url: str, redis: RedisServer, tmp_path: Path
) -> None:
    seed = int(os.environ.get("FAULT_SEED", secrets.randbits(32)))
    print(f"FAULT_SEED={seed}")
    rng = random.Random(seed)
    settings = {**SITE, "DATABASE_URL": database_url, "REDIS_URL": redis.url}
    done = run_python("-m", "tests.support.derived", "sit", str(SITTINGS), timeout=LONGEST, **settings)
    assert done.returncode == 0, done.stderr
    assert waiting(database_url) == SITTINGS

    command = (sys.executable, "-m", "celery", "-A", "courseiva", "worker", "--beat", "--schedule", str(tmp_path / "b"))
    worker = Process(*command, "--concurrency", "2", "--loglevel", "error", **settings)
    kills: list[Process | RedisServer] = [worker] * WORKER_KILLS + [redis] * REDIS_KILLS
    rng.shuffle(kills)
    hit = 0
    try:
        worker.start()
        assert wait_until(lambda: waiting(database_url) < SITTINGS, LONGEST), "the worker does nothing"
        for process in kills:
            time.sleep(rng.uniform(*BETWEEN_KILLS))
            hit += waiting(database_url) > 0
            process.kill()
            process.start()
        assert wait_until(lambda: waiting(database_url) == 0, LONGEST), f"{waiting(database_url)} were never analysed"
    finally:
        worker.kill()
    print(f"{SITTINGS} sittings, {WORKER_KILLS} worker kills, {REDIS_KILLS} Redis kills, {hit} while work was waiting")
    assert hit, "no kill fell into the work"
    same = run_python("-m", "tests.support.derived", "compare", timeout=LONGEST, **settings)
    assert same.stdout.strip() == "same", same.stdout + same.stderr
