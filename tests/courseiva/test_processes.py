"""One command starts all processes of the site, one signal ends them all, and none outlives its server."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.subprocesses import BASE, Site, alive, answers, bare_environment, free_port, run_python, wait_until

pytestmark = pytest.mark.soak
LOADED = 400
"""Seconds in which a busy machine has migrated and loaded the bank; a quiet one takes about 40."""


@pytest.fixture(scope="module")
def database_url(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return an SQLite file that these tests share, so that the bank is loaded once."""
    return f"sqlite:///{tmp_path_factory.mktemp('processes')}/site.sqlite3"


@pytest.fixture
def everything(database_url: str, tmp_path: Path) -> Iterator[tuple[subprocess.Popen[bytes], str, Path]]:
    """Start what `make run` runs after installing; yield the process, its address and the file it prints to."""
    port, printed = free_port(), tmp_path / "printed"
    ours = bare_environment(DATABASE_URL=database_url, PORT=str(port))
    with printed.open("wb") as file:
        process = subprocess.Popen(
            ["sh", "scripts/run.sh"], cwd=BASE, env=ours, start_new_session=True, stdout=file, stderr=file
        )
    yield process, f"http://127.0.0.1:{port}", printed
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def children(pid: int) -> list[int]:
    return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


@pytest.mark.gate
def test_one_command_starts_everything_and_one_interrupt_ends_it(
    everything: tuple[subprocess.Popen[bytes], str, Path],
) -> None:
    process, url, printed = everything
    assert wait_until(lambda: answers(f"{url}/readyz"), LOADED), printed.read_text()
    started = children(process.pid)
    assert len(started) == 2, "periodic and one gunicorn worker"
    text = printed.read_text()
    assert f"{url}/" in text
    assert "admin@demo.courseiva.example" in text
    os.killpg(process.pid, signal.SIGINT)
    assert process.wait(timeout=20) == 0
    assert wait_until(lambda: not any(map(alive, started)), 10)
    assert not answers(f"{url}/healthz")


@pytest.mark.gate
def test_no_process_outlives_a_killed_server(everything: tuple[subprocess.Popen[bytes], str, Path]) -> None:
    process, url, printed = everything
    assert wait_until(lambda: answers(f"{url}/healthz"), LOADED), printed.read_text()
    started = children(process.pid)
    process.kill()
    process.wait()
    assert wait_until(lambda: not any(map(alive, started)), 20)


def test_a_taken_port_is_reported_with_another_to_try(database_url: str) -> None:
    site = Site(database_url).start()
    try:
        result = run_python("scripts/prepare.py", DEBUG="1", PORT=str(site.port), DATABASE_URL=database_url)
    finally:
        site.stop()
    assert result.returncode == 1
    assert (
        result.stderr.strip() == f"courseiva: port {site.port} is taken. Choose another: make run PORT={site.port + 1}"
    )


def test_the_periodic_command_ends_on_a_signal(database_url: str) -> None:
    for number in (signal.SIGTERM, signal.SIGINT):
        process = subprocess.Popen(
            [sys.executable, "manage.py", "periodic"],
            cwd=BASE,
            env=bare_environment(DEBUG="1", DATABASE_URL=database_url),
        )
        assert wait_until(lambda pid=process.pid: catches(pid, signal.SIGTERM), 20)  # type: ignore[misc]
        process.send_signal(number)
        assert process.wait(timeout=10) == 0


def catches(pid: int, number: int) -> bool:
    """Return whether the process has a handler for this signal, according to the kernel."""
    lines = dict(line.split(":\t", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines() if ":\t" in line)
    return bool(int(lines["SigCgt"], 16) >> (number - 1) & 1)


def test_a_killed_site_starts_again_on_its_port(database_url: str) -> None:
    site = Site(database_url).start()
    site.kill()
    assert not answers(f"{site.url}/healthz")
    assert answers(f"{site.start().url}/healthz")
    site.stop()
