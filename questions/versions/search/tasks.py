"""Background tasks for the search index."""

from __future__ import annotations

from celery import shared_task

from questions.versions.search import index


@shared_task(name="questions.catch_up_search")
def catch_up_search() -> int:
    """Index what publishing hasn't: the bank after an upgrade, and what the previous release wrote."""
    return index.catch_up()
