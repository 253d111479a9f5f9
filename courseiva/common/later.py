"""Work for after the commit, sent by task name, so that a room needn't import the rooms that follow it."""

from __future__ import annotations

from typing import Any

from celery import current_app


def after_commit(task: str, *args: Any) -> None:
    """Send the task once the rows are committed. Celery's registry knows the task; a wrong name raises here."""
    current_app.tasks[task].delay_on_commit(*args)


def at_once(task: str, *args: Any) -> None:
    """Send the task now: its data is already committed."""
    current_app.tasks[task].delay(*args)
