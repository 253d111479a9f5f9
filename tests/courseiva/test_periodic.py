"""`manage.py periodic` runs what is due, survives an error, and ends on a signal or when its parent has gone."""

import logging
import os
import threading
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from celery.schedules import crontab

from courseiva.celery import app
from courseiva.management.commands.periodic import Entry, run_loop

START = datetime(2026, 11, 21, 12, 0, 30, tzinfo=UTC)
pytestmark = pytest.mark.django_db(transaction=True)  # a task closes stale connections


@pytest.fixture
def ran(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Any]]:
    """Register a task "tests.note", and yield the list of arguments it was called with."""
    calls: list[Any] = []
    monkeypatch.setattr("courseiva.management.commands.periodic.close_old_connections", lambda: None)

    @app.task(name="tests.note")
    def note(*args: Any, **kwargs: Any) -> None:
        calls.append((args, kwargs))

    yield calls
    app.tasks.pop("tests.note")


def test_a_task_runs_when_its_interval_has_passed_and_not_before(ran: list[Any]) -> None:
    with time_machine.travel(START, tick=False) as clock:
        entry = Entry("note", {"task": "tests.note", "schedule": 60.0})
        assert entry.run_if_due() == 60
        clock.shift(59)
        assert entry.run_if_due() == 1
        assert ran == []
        clock.shift(1)
        entry.run_if_due()
        entry.run_if_due()
        assert len(ran) == 1
        clock.shift(60)
        entry.run_if_due()
        assert len(ran) == 2


def test_intervals_crontabs_and_arguments_work(ran: list[Any]) -> None:
    with time_machine.travel(START, tick=False) as clock:
        entries = [
            Entry("a", {"task": "tests.note", "schedule": timedelta(minutes=5), "args": (1,)}),
            Entry("b", {"task": "tests.note", "schedule": crontab(minute="1"), "kwargs": {"x": 2}}),
        ]
        clock.shift(31)
        for entry in entries:
            entry.run_if_due()
        assert ran == [((), {"x": 2})]
        clock.shift(300)
        for entry in entries:
            entry.run_if_due()
        assert ran == [((), {"x": 2}), ((1,), {})]


def test_after_the_machine_slept_a_task_runs_once_however_many_runs_it_missed(ran: list[Any]) -> None:
    with time_machine.travel(START, tick=False) as clock:
        entry = Entry("note", {"task": "tests.note", "schedule": 60.0})
        clock.shift(3600)
        for _ in range(5):
            entry.run_if_due()
        assert len(ran) == 1


def test_an_error_is_logged_and_the_task_runs_again_when_next_due(caplog: pytest.LogCaptureFixture) -> None:
    tries = []

    def fail() -> None:
        tries.append(1)
        raise ValueError("deliberate")

    app.task(name="tests.fail")(fail)
    with time_machine.travel(START, tick=False) as clock, caplog.at_level(logging.ERROR):
        entry = Entry("fail", {"task": "tests.fail", "schedule": 60.0})
        for _ in range(2):
            clock.shift(60)
            entry.run_if_due()
    app.tasks.pop("tests.fail")
    assert len(tries) == 2
    assert "task tests.fail failed" in caplog.text
    assert "deliberate" in caplog.text


def test_an_unknown_task_is_logged_as_an_error(caplog: pytest.LogCaptureFixture) -> None:
    with time_machine.travel(START, tick=False) as clock:
        entry = Entry("gone", {"task": "tests.no_such_task", "schedule": 60.0})
        clock.shift(60)
        entry.run_if_due()
    assert "task tests.no_such_task failed" in caplog.text


def loop_in_thread(stop: threading.Event, parent: int) -> threading.Thread:
    thread = threading.Thread(target=run_loop, args=(stop, parent), daemon=True)
    thread.start()
    return thread


def until(met: Callable[[], bool], seconds: float = 10) -> bool:
    end = time.monotonic() + seconds
    while not met() and time.monotonic() < end:
        time.sleep(0.01)
    return met()


def test_the_loop_runs_until_it_is_stopped(ran: list[Any], settings: Any) -> None:
    settings.CELERY_BEAT_SCHEDULE = {"note": {"task": "tests.note", "schedule": 0.02}}
    stop = threading.Event()
    thread = loop_in_thread(stop, os.getppid())
    assert until(lambda: len(ran) >= 3)
    stop.set()
    thread.join(timeout=5)
    assert not thread.is_alive()


def test_the_loop_ends_when_its_parent_changes(settings: Any) -> None:
    settings.CELERY_BEAT_SCHEDULE = {}
    thread = loop_in_thread(threading.Event(), os.getppid() + 1)
    thread.join(timeout=5)
    assert not thread.is_alive()


def test_every_scheduled_task_exists(settings: Any) -> None:
    app.loader.import_default_modules()
    names = {line["task"] for line in settings.CELERY_BEAT_SCHEDULE.values()}
    assert names <= set(app.tasks)
