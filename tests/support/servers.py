"""Servers that belong to one test, which may kill them: a PostgreSQL cluster and a Redis on free ports."""

from __future__ import annotations

import contextlib
import os
import pwd
import shlex
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psycopg2
import yaml
from redis import Redis
from redis.exceptions import RedisError

from tests.support.subprocesses import BASE, bare_environment, free_port, wait_until

START_SECONDS = 60
UNPRIVILEGED = "nobody"


class Process:
    """A process group that can be killed and started again."""

    def __init__(self, *command: str, **ours: str) -> None:
        self.command, self.environment = command, bare_environment(**ours)
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the process without waiting until it is ready."""
        self.process = subprocess.Popen(
            self.command, cwd=BASE, env=self.environment, start_new_session=True, stdout=subprocess.DEVNULL
        )

    def kill(self) -> None:
        """SIGKILL the whole group."""
        if self.process and self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait(30)


class RedisServer:
    """A Redis that persists nothing, as docker-compose.yml starts it, on a free port."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"
        compose = yaml.safe_load((BASE / "docker-compose.yml").read_text())
        command = shlex.split(compose["services"]["redis"]["command"])
        own = ("--port", str(self.port), "--bind", "127.0.0.1", "--dir", str(folder), "--loglevel", "warning")
        self.process = Process(*command, *own)

    def start(self) -> None:
        """Start it and wait until it answers."""
        self.process.start()
        assert wait_until(self.answers, START_SECONDS), "Redis did not start"

    def kill(self) -> None:
        """Kill it, as when the machine dies."""
        self.process.kill()

    def client(self) -> Redis:
        """Return a connection to it."""
        return Redis.from_url(self.url, socket_timeout=1)

    def answers(self) -> bool:
        """Return whether Redis responds."""
        with contextlib.suppress(RedisError), self.client() as client:
            return bool(client.ping())
        return False


class Cluster:
    """A PostgreSQL cluster in a folder, run as the user nobody when the test is run by root."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.port = free_port()
        self.data = folder / "data"
        self.url = f"postgresql://postgres@127.0.0.1:{self.port}/postgres"
        self.log = folder / "log"
        self.user = UNPRIVILEGED if os.getuid() == 0 else None
        given = ("-c", f"port={self.port}", "-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories=")
        self.options = [*given, *(word for option in options for word in ("-c", option))]
        self._run(
            find_program("initdb"), "-D", str(self.data), "-U", "postgres", "-A", "trust", "--no-sync", "-E", "UTF8"
        )

    def start(self) -> None:
        """Start it, and wait until it has recovered and answers."""
        started = [
            find_program("pg_ctl"),
            "start",
            "-D",
            str(self.data),
            "-l",
            str(self.log),
            "-w",
            "-t",
            str(START_SECONDS),
        ]
        self._run(*started, "-o", " ".join(f"'{option}'" for option in self.options))

    def crash(self) -> None:
        """Stop at once: every process is killed and nothing is written, as when the machine dies."""
        self._run(find_program("pg_ctl"), "stop", "-D", str(self.data), "-m", "immediate", "-w")

    def answers(self) -> bool:
        """Return whether PostgreSQL accepts connections."""
        with contextlib.suppress(psycopg2.Error):
            psycopg2.connect(self.url, connect_timeout=2).close()
            return True
        return False

    def _run(self, *command: str) -> None:
        done = subprocess.run(
            command, user=self.user, cwd=self.data.parent, capture_output=True, text=True, timeout=120, check=False,
            env={**os.environ, "LC_ALL": "C"},
        )  # fmt: skip
        log = self.log.read_text()[-2000:] if done.returncode and self.log.exists() else ""
        assert done.returncode == 0, done.stderr + log


@contextlib.contextmanager
def own_cluster(*options: str) -> Iterator[Cluster]:
    """Run a cluster and remove it at the end. An unprivileged user can reach its folder."""
    folder = Path(tempfile.mkdtemp(prefix="courseiva-postgres-"))
    if os.getuid() == 0:
        shutil.chown(folder, pwd.getpwnam(UNPRIVILEGED).pw_uid)
    try:
        cluster = Cluster(folder, *options)
        cluster.start()
        try:
            yield cluster
        finally:
            if cluster.answers():
                cluster.crash()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def own_redis(folder: Path) -> Iterator[RedisServer]:
    """Run a Redis and stop it at the end."""
    server = RedisServer(folder)
    server.start()
    try:
        yield server
    finally:
        server.kill()


def find_cluster_programs() -> bool:
    """Return whether this machine can make a cluster."""
    return bool(find_program("initdb", missing_ok=True))


def find_program(name: str, missing_ok: bool = False) -> str:
    """Return the path of a PostgreSQL program, in the newest version installed."""
    versions = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name))
    found = shutil.which(name, path=os.pathsep.join([*map(str, reversed(versions)), os.environ.get("PATH", "")]))
    assert found or missing_ok, f"PostgreSQL's {name} is missing"
    return found or ""
