"""Tasks run after the commit, in process if there is no queue, and a dead queue neither raises nor blocks."""

import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import transaction

from courseiva.celery import app
from tests.support.subprocesses import run_python

LONGEST_WAIT = 3


@pytest.fixture
def ran() -> Iterator[list[int]]:
    calls: list[int] = []

    @app.task(name="tests.collect")
    def collect(number: int) -> None:
        calls.append(number)

    yield calls
    app.tasks.pop("tests.collect")


@pytest.mark.django_db(transaction=True)
def test_a_task_runs_after_the_commit_and_not_after_a_rollback(ran: list[int]) -> None:
    with transaction.atomic():
        app.tasks["tests.collect"].delay_on_commit(1)
        assert ran == []
    assert ran == [1]
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        app.tasks["tests.collect"].delay_on_commit(2)
        raise ZeroDivisionError
    assert ran == [1]


@pytest.mark.django_db(transaction=True)
def test_a_failing_task_does_not_fail_the_request(caplog: pytest.LogCaptureFixture) -> None:
    def fail() -> None:
        raise ValueError("deliberate")

    app.task(name="tests.fail")(fail)
    with transaction.atomic():
        app.tasks["tests.fail"].delay_on_commit()
    app.tasks.pop("tests.fail")
    assert "deliberate" in caplog.text


SEND = """
import time, django
django.setup()
from courseiva.celery import app
app.loader.import_default_modules()
task = app.tasks["practice.close_expired_sessions"]
for _ in range(2):
    began = time.monotonic()
    result = task.delay_on_commit()
    print(round(time.monotonic() - began, 2), result)
"""


def seconds_to_send(port: int, folder: Path) -> list[float]:
    """Return how long two messages take to send from a process whose queue is at this local port."""
    result = run_python(
        "-c",
        SEND,
        DEBUG="1",
        SECRET_KEY="x",
        DJANGO_SETTINGS_MODULE="courseiva.settings",
        DATABASE_URL=f"sqlite:///{folder}/db.sqlite3",
        REDIS_URL=f"redis://127.0.0.1:{port}/0",
    )
    assert result.returncode == 0, result.stderr
    assert result.stderr.count("practice.close_expired_sessions was not sent") == 2
    return [float(line.split()[0]) for line in result.stdout.splitlines()]


def test_a_queue_that_is_down_neither_raises_nor_blocks(unused_port: int, tmp_path: Path) -> None:
    assert max(seconds_to_send(unused_port, tmp_path)) < 1


def test_a_queue_that_hangs_neither_raises_nor_blocks_for_long(tmp_path: Path) -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        assert max(seconds_to_send(silent.getsockname()[1], tmp_path)) < LONGEST_WAIT


def test_celery_takes_its_settings_from_django(settings: Any) -> None:
    assert app.conf.task_acks_late is True
    assert app.conf.task_publish_retry is False
    assert app.conf.beat_schedule == settings.CELERY_BEAT_SCHEDULE
