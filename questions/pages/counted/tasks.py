"""Background task for the counts of public questions."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from questions.pages.counted import count


@shared_task(name="questions.count_public")
def count_public() -> int:
    """Recount what pages say about the bank: after publishing, withdrawing, loading."""
    return count.count_all(timezone.now())
