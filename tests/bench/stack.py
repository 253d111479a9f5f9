"""Runs the site as docs/operating.md says, on a scratch database: embedded, or with Redis, a worker and beat."""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tests.bench.machine import family
from tests.support.scratch import fill, scratch_database
from tests.support.servers import own_redis
from tests.support.subprocesses import BASE, answers, bare_environment, free_port, run_python, wait_until

PER_DOMAIN = 40
START_SECONDS = 60
Fill = Callable[[str, dict[str, str]], None]


@dataclass
class Stack:
    """A running site: its addresses, what it was started with, and its processes."""

    url: str
    port: int
    folder: Path
    environment: dict[str, str]
    web: int = 0
    others: dict[str, int] = field(default_factory=dict)

    @property
    def workers(self) -> list[int]:
        """Return gunicorn's processes that answer requests."""
        return family(self.web)[1:]

    @property
    def described(self) -> str:
        """Return a description of what is running."""
        web = f"gunicorn with {self.environment['WEB_PROCESSES']} x {self.environment['WEB_THREADS']} threads"
        return f"{web}, Redis, a Celery worker and beat" if self.others else f"{web}, embedded"


def as_operated(url: str, folder: Path, redis_url: str) -> dict[str, str]:
    """Return an operator's settings; several web processes only with Redis."""
    return {
        "DJANGO_SETTINGS_MODULE": "tests.bench.settings",
        "SECRET_KEY": secrets.token_urlsafe(50),
        "GUEST_MOCKS_A_DAY": "10000",  # because all guests come from one machine
        "ALLOWED_HOSTS": "127.0.0.1",
        "BENCH_STATIC": f"{folder}/static",
        "PROMETHEUS_MULTIPROC_DIR": f"{folder}/counters",
        "DATABASE_URL": url,
        "REDIS_URL": redis_url,
        "WEB_PROCESSES": str(len(os.sched_getaffinity(0))) if redis_url else "1",
        "WEB_THREADS": "8",
    }


def plain_bank(url: str, ours: dict[str, str]) -> None:
    """Load a plain bank of 240 questions."""
    fill(url, PER_DOMAIN, **ours)


@contextlib.contextmanager
def running(server: str, filled: Fill = plain_bank) -> Iterator[Stack]:
    """Run the site on that PostgreSQL server, with Redis if it is installed; without a server, embedded on SQLite."""
    with contextlib.ExitStack() as ends:
        folder = Path(ends.enter_context(tempfile.TemporaryDirectory(prefix="courseiva-bench-")))
        url = ends.enter_context(scratch_database(server, folder))
        redis_url = ends.enter_context(own_redis(folder)).url if server and shutil.which("redis-server") else ""
        ours = as_operated(url, folder, redis_url)
        filled(url, {name: value for name, value in ours.items() if name != "DATABASE_URL"})
        collected = run_python("manage.py", "collectstatic", "--noinput", "-v0", timeout=120, **ours)
        if collected.returncode:
            raise SystemExit(collected.stderr)
        stack = Stack(url, free_port(), folder, ours)
        stack.web = ends.enter_context(started(stack, "gunicorn", "-m", "gunicorn"))
        if not wait_until(lambda: answers(f"http://127.0.0.1:{stack.port}/healthz"), START_SECONDS):
            raise SystemExit((folder / "gunicorn.log").read_text()[-2000:])
        if redis_url:
            celery = ("-m", "celery", "-A", "courseiva")
            beat = (*celery, "beat", "--schedule", f"{folder}/beat", "--pidfile=")
            stack.others = {
                "Celery worker": ends.enter_context(started(stack, "worker", *celery, "worker")),
                "Celery beat": ends.enter_context(started(stack, "beat", *beat)),
            }
            wait_until(lambda: len(family(stack.others["Celery worker"])) > 1, START_SECONDS)
        yield stack


@contextlib.contextmanager
def started(stack: Stack, name: str, *arguments: str) -> Iterator[int]:
    """Start a process of the site whose log goes to a file; returns its process id."""
    environment = bare_environment(**stack.environment, PORT=str(stack.port))
    with (stack.folder / f"{name}.log").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, *arguments], cwd=BASE, env=environment, start_new_session=True, stdout=log, stderr=log
        )
    try:
        yield process.pid
    finally:
        process.terminate()
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
