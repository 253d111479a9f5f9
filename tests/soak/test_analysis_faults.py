"""A real worker and a real Redis die in the middle of the analysis, each task comes three times: one clean result."""

from __future__ import annotations

import os
import random
import secrets
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.scratch import fill, rows, scratch_database
from tests.support.subprocesses import BASE, bare_environment, free_port, run_python, wait_until

SITTINGS = 150
PER_DOMAIN = 30
WORKER_KILLS, REDIS_KILLS = 5, 2
BETWEEN_KILLS = (0.3, 1.2)
LONGEST = 180
SITE = {"DJANGO_SETTINGS_MODULE": "tests.soak.quick_schedule", "DEBUG": "1", "SECRET_KEY": "only-for-tests-" + "x" * 40}

pytestmark = pytest.mark.soak


class Process:
    """A process group that can be killed and started again."""

    def __init__(self, *command: str, **ours: str) -> None:
        self.command, self.environment = command, bare_environment(**ours)
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it; it does not wait until it is ready."""
        self.process = subprocess.Popen(
            self.command, cwd=BASE, env=self.environment, start_new_session=True, stdout=subprocess.DEVNULL
        )

    def kill(self) -> None:
        """SIGKILL to the whole group."""
        if self.process and self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait(30)


@pytest.fixture
def redis(needs_redis: None, tmp_path: Path) -> Iterator[tuple[Process, str]]:
    """A Redis of the test's own that keeps nothing."""
    port = free_port()
    server = Process("redis-server", "--port", str(port), "--save", "", "--appendonly", "no", "--dir", str(tmp_path))
    server.start()
    yield server, f"redis://127.0.0.1:{port}/0"
    server.kill()


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
    database_url: str, redis: tuple[Process, str], tmp_path: Path
) -> None:
    seed = int(os.environ.get("FAULT_SEED", secrets.randbits(32)))
    print(f"FAULT_SEED={seed}")
    rng = random.Random(seed)
    server, redis_url = redis
    settings = {**SITE, "DATABASE_URL": database_url, "REDIS_URL": redis_url}
    done = run_python("-m", "tests.support.derived", "sit", str(SITTINGS), timeout=LONGEST, **settings)
    assert done.returncode == 0, done.stderr
    assert waiting(database_url) == SITTINGS

    command = (sys.executable, "-m", "celery", "-A", "courseiva", "worker", "--beat", "--schedule", str(tmp_path / "b"))
    worker = Process(*command, "--concurrency", "2", "--loglevel", "error", **settings)
    kills = [worker] * WORKER_KILLS + [server] * REDIS_KILLS
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
