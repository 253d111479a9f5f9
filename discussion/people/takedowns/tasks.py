from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from discussion.people.takedowns import request


@shared_task(name="discussion.tell_of_takedowns")
def tell_of_takedowns() -> int:
    """Notify moderators of a takedown request."""
    return request.tell_of_takedowns(timezone.now())
