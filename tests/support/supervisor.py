"""Does what systemd does with a unit of deploy/systemd: starts it, stops its whole group, starts it again.

For tests on machines where systemd isn't process 1. It understands only the few directives our units use.
"""

from __future__ import annotations

import configparser
import os
import shlex
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tests.support.subprocesses import BASE, bare_environment, wait_until

KNOWN = {
    "Type", "User", "WorkingDirectory", "EnvironmentFile", "ExecStart", "ExecReload", "KillMode", "TimeoutStopSec",
    "Restart", "RestartSec", "StateDirectory", "NoNewPrivileges", "PrivateTmp", "ProtectHome", "ProtectSystem",
}  # fmt: skip


def read_unit(name: str) -> configparser.ConfigParser:
    """Read a unit's file."""
    unit = configparser.ConfigParser(interpolation=None)
    unit.optionxform = str  # type: ignore[assignment,method-assign]
    unit.read_string((BASE / "deploy" / "systemd" / name).read_text())
    return unit


def members(session: int) -> list[int]:
    """Return the running processes of a session, which stands in for a control group."""
    found = []
    for place in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            state, _, _, its_session = place.read_text().rpartition(")")[2].split()[:4]
            if int(its_session) == session and state != "Z":
                found.append(int(place.parent.name))
    return found


class Supervisor:
    """One unit, kept running by a thread until it is told to stop."""

    def __init__(self, name: str, folder: Path, **ours: str) -> None:
        unit = read_unit(name)
        self.service = unit["Service"]
        assert set(self.service) <= KNOWN, "a line this supervisor does not know"
        assert unit["Unit"]["StartLimitIntervalSec"] == "0", "else it would give up"
        assert self.service["Restart"] == "always"
        text = self.service["ExecStart"].replace("/var/lib/courseiva-beat", str(folder))
        first, *rest = shlex.split(text)
        program = Path(first).name
        self.command = [sys.executable, *([] if program == "python" else ["-m", program]), *rest]
        self.environment = bare_environment(**ours)
        self.process: subprocess.Popen[bytes] | None = None
        self.over = threading.Event()
        self.thread = threading.Thread(target=self._keep, daemon=True)

    @property
    def pid(self) -> int:
        """Return the main process's id, or 0 between two runs."""
        return self.process.pid if self.process and self.process.poll() is None else 0

    def reload(self) -> None:
        """Do what `systemctl reload` does."""
        assert self.service["ExecReload"] == "/bin/kill -HUP $MAINPID"
        os.kill(self.pid, signal.SIGHUP)

    def _keep(self) -> None:
        while not self.over.is_set():
            self.process = subprocess.Popen(
                self.command, cwd=BASE, env=self.environment, start_new_session=True,
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            )  # fmt: skip
            self.process.wait()
            self._end_the_group(self.process.pid)
            self.over.wait(float(self.service["RestartSec"]))

    def _end_the_group(self, session: int) -> None:
        if self.service["KillMode"] == "control-group":
            self._send(session, signal.SIGTERM)
        if not wait_until(lambda: not members(session), float(self.service["TimeoutStopSec"])):
            self._send(session, signal.SIGKILL)
            assert wait_until(lambda: not members(session), 10)

    def _send(self, session: int, number: signal.Signals) -> None:
        for pid in members(session):
            with suppress(ProcessLookupError):
                os.kill(pid, number)

    def stop(self) -> None:
        """Kill the unit for good."""
        self.over.set()
        if self.pid:
            self._send(self.pid, signal.SIGKILL)
        self.thread.join(60)


@contextmanager
def supervised(name: str, folder: Path, **ours: str) -> Iterator[Supervisor]:
    """Run the unit, and stop it at the end."""
    keeper = Supervisor(name, folder, **ours)
    keeper.thread.start()
    try:
        yield keeper
    finally:
        keeper.stop()
