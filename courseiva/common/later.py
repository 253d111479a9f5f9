"""Work for tasks: sent by name after the commit, so that a room needn't import later rooms; and done row by row."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from typing import Any

from celery import current_app


def after_commit(task: str, *args: Any) -> None:
    """Send the task once the rows are committed. Celery's registry knows the task; a wrong name raises here."""
    current_app.tasks[task].delay_on_commit(*args)


def at_once(task: str, *args: Any) -> None:
    """Send the task now: its data is already committed."""
    current_app.tasks[task].delay(*args)


def one_by_one(what: str, rows: Iterable[int], work: Callable[[int], int], logger: logging.Logger) -> int:
    """Do the work for each row, none holding up the others; returns the sum of what it returned.

    Each failure is logged. Raises ExceptionGroup at the end with all of them, so that the task shows as failed wherever
    failures are reported.
    """
    done, failed = 0, list[Exception]()
    for row in rows:
        try:
            done += work(row)
        except Exception as error:
            logger.exception("%s %s failed", what, row)
            failed.append(error)
    if failed:
        raise ExceptionGroup(what, failed)
    return done
