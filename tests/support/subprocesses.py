"""Runs parts of the site in separate processes, with an environment that holds only what the test passes."""

import contextlib
import os
import secrets
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from urllib.request import urlopen

BASE = Path(__file__).resolve().parent.parent.parent
FIRST_PORT = 15_000
OURS = {
    "DEBUG",
    "SECRET_KEY",
    "ALLOWED_HOSTS",
    "SITE_URL",
    "DATABASE_URL",
    "REDIS_URL",
    "EMAIL_URL",
    "EMAIL_FROM",
    "CONTACT_EMAIL",
    "GUEST_POOL_PERCENT",
    "GUEST_MOCKS_A_DAY",
    "ACCOUNT_MOCKS_A_DAY",
}
OURS |= {
    "PROXY_COUNT",
    "DJANGO_SETTINGS_MODULE",
    "PORT",
    "BIND",
    "WEB_THREADS",
    "WEB_PROCESSES",
    "HSTS_SECONDS",
    "HSTS_PRELOAD",
    "METRICS_TOKEN",
    "SENTRY_DSN",
    "PROMETHEUS_MULTIPROC_DIR",
    "STATEMENT_SECONDS",
    "DJANGO_ALLOW_ASYNC_UNSAFE",
}


def bare_environment(**ours: str) -> dict[str, str]:
    """Return this process's environment without the site's settings, plus the ones given."""
    return {**{name: value for name, value in os.environ.items() if name not in OURS}, **ours}


def run_python(
    *arguments: str, timeout: float = 60, folder: Path = BASE, **ours: str
) -> subprocess.CompletedProcess[str]:
    """Run Python in the project's folder, or in one with other code, with these settings; returns its output."""
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env=bare_environment(**ours),
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )


def free_port() -> int:
    """Return a port of this machine on which nothing listens, below those that outgoing connections get.

    A port of those could be taken while its server is down, and a client that retries could be connected to itself;
    either way the server couldn't come back.
    """
    first_outgoing = int(Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0])
    while True:
        port = FIRST_PORT + secrets.randbelow(first_outgoing - FIRST_PORT)
        with contextlib.suppress(OSError), socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(("127.0.0.1", port))
            return port


def answers(url: str) -> bool:
    """Return whether this address responds with 200."""
    try:
        with urlopen(url, timeout=2) as response:
            return bool(response.status == 200)
    except OSError:
        return False


def wait_until(met: Callable[[], bool], seconds: float = 30) -> bool:
    """Poll until the condition holds or time is up; returns whether it holds."""
    end = time.monotonic() + seconds
    while not (so := met()) and time.monotonic() < end:
        time.sleep(0.05)
    return so


def alive(pid: int) -> bool:
    """Return whether this process is running; a zombie isn't."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


class Site:
    """The site in a separate gunicorn, which a test may kill and start again on the same port and database."""

    def __init__(self, database_url: str, folder: Path = BASE, **ours: str) -> None:
        self.folder, self.port = folder, free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.environment = bare_environment(
            **{"DJANGO_SETTINGS_MODULE": "tests.settings", "PROMETHEUS_MULTIPROC_DIR": "", **ours},
            DATABASE_URL=database_url,
            PORT=str(self.port),
        )
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> "Site":
        """Start it and wait until it answers."""
        self.process = subprocess.Popen(
            [sys.executable, "-m", "gunicorn", "--log-level", "warning"],
            cwd=self.folder,
            env=self.environment,
            start_new_session=True,
        )
        assert wait_until(lambda: answers(f"{self.url}/healthz")), "the site did not start"
        return self

    def kill(self) -> None:
        """SIGKILL the master and its workers, as when the machine dies."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """Stop it gracefully."""
        self._end(signal.SIGTERM)

    def _end(self, number: signal.Signals) -> None:
        if self.process and self.process.poll() is None:
            os.killpg(self.process.pid, number)
            self.process.wait(timeout=30)
