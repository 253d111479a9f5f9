"""What of the search index runs beside the requests."""

from __future__ import annotations

from celery import shared_task

from questions.versions.search import index


@shared_task(name="questions.catch_up_search")
def catch_up_search() -> int:
    """Index what no publishing has: the bank after an upgrade, and what the release before still wrote."""
    return index.catch_up()
