"""Tasks: after the commit, in process without a queue, and a dead queue neither raises nor blocks."""

import logging
import time
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import transaction

from courseiva.celery import app


@pytest.fixture
def ran() -> Iterator[list[int]]:
    calls: list[int] = []

    @app.task(name="tests.collect")
    def collect(number: int) -> None:
        calls.append(number)

    yield calls
    app.tasks.pop("tests.collect")


@pytest.fixture
def dead_queue(unused_port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The application with a queue that does not answer."""
    monkeypatch.setattr(app.conf, "task_always_eager", False)
    monkeypatch.setattr(app.conf, "broker_url", f"redis://127.0.0.1:{unused_port}/0")
    monkeypatch.setattr(app.conf, "broker_write_url", f"redis://127.0.0.1:{unused_port}/0")
    app.pool.force_close_all()
    app._pool = None


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


@pytest.mark.django_db(transaction=True)
def test_a_dead_queue_neither_raises_nor_blocks(
    ran: list[int], dead_queue: None, caplog: pytest.LogCaptureFixture
) -> None:
    began = time.monotonic()
    with transaction.atomic(), caplog.at_level(logging.WARNING):
        app.tasks["tests.collect"].delay_on_commit(1)
    assert "tests.collect was not sent" in caplog.text
    assert time.monotonic() - began < 3
    assert ran == []


def test_the_settings_reach_the_application(settings: Any) -> None:
    assert app.conf.task_acks_late is True
    assert app.conf.task_publish_retry is False
    assert app.conf.beat_schedule == settings.CELERY_BEAT_SCHEDULE
