from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from discussion.people.takedowns import request


@shared_task(name="discussion.tell_of_takedowns")
def tell_of_takedowns() -> int:
    """Tell moderators that somebody asks for something to be taken down."""
    return request.tell_of_takedowns(timezone.now())
