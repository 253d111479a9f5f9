"""Work for after the commit, sent by the name of its task, so that a room need not import the rooms that follow it."""

from __future__ import annotations

from typing import Any

from celery import current_app


def after_commit(task: str, *args: Any) -> None:
    """Send the task once the rows are committed. Celery's own register knows who does it; a wrong name raises here."""
    current_app.tasks[task].delay_on_commit(*args)


def at_once(task: str, *args: Any) -> None:
    """Send the task now; what it is about is committed already."""
    current_app.tasks[task].delay(*args)
