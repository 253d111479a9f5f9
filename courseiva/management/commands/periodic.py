"""`manage.py periodic`: runs the beat schedule in this process, for a site without Celery workers."""

import logging
import os
import signal
import threading
from argparse import ArgumentParser
from typing import Any

from celery.schedules import BaseSchedule, maybe_schedule
from django.conf import settings
from django.core.management.base import BaseCommand
from django.db import close_old_connections

from courseiva.celery import app

logger = logging.getLogger("courseiva.periodic")
LONGEST_NAP = 1.0
"""Seconds between checks that the parent process is still alive."""


class Entry:
    """One line of CELERY_BEAT_SCHEDULE, and when it last ran."""

    def __init__(self, name: str, line: dict[str, Any]) -> None:
        self.name = name
        self.task: str = line["task"]
        self.args: tuple[Any, ...] = tuple(line.get("args", ()))
        self.kwargs: dict[str, Any] = dict(line.get("kwargs", {}))
        self.schedule: BaseSchedule = maybe_schedule(line["schedule"], app=app)
        self.last_run = self.schedule.now()

    def run_if_due(self) -> float:
        """Run the task if it is due; return the seconds until the next check. An error is only logged."""
        due, seconds = self.schedule.is_due(self.last_run)
        if due:
            self.last_run = self.schedule.now()
            self._run()
        return float(seconds)

    def _run(self) -> None:
        close_old_connections()
        try:
            app.tasks[self.task](*self.args, **self.kwargs)
        except Exception:
            logger.exception("%s: task %s failed, it is tried again at its next time", self.name, self.task)
        finally:
            close_old_connections()


class Command(BaseCommand):
    """Stops on SIGTERM, on SIGINT, and when the process that started it is gone, so that it ends with the server."""

    help = "Run CELERY_BEAT_SCHEDULE in this process until stopped."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The server's process id: if the server is gone before this one has started, there is nothing to do."""
        parser.add_argument("--parent", type=int, default=os.getppid(), help="end when this is not the parent process")

    def handle(self, *args: Any, **options: Any) -> None:
        """Run the loop until told to stop."""
        stop = threading.Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: stop.set())
        app.loader.import_default_modules()
        run_loop(stop, options["parent"])


def run_loop(stop: threading.Event, parent: int) -> None:
    """Run what is due and sleep until the next is, until `stop` is set or the parent has changed."""
    entries = [Entry(name, line) for name, line in settings.CELERY_BEAT_SCHEDULE.items()]
    while not stop.is_set() and os.getppid() == parent:
        waits = [entry.run_if_due() for entry in entries]
        stop.wait(min([LONGEST_NAP, *waits]))
