"""Checks a few cited pages at a time, if the operator has turned it on."""

from __future__ import annotations

import datetime as dt
import time

from celery import shared_task
from django.conf import settings
from django.utils import timezone

from questions.versions.material.sources.check import check_due
from questions.versions.material.sources.look import Looker

MOST, SECONDS = 20, 30
"""Limits per run. Without a queue, other due tasks wait for it."""


@shared_task(name="questions.check_sources")
def check_sources() -> int:
    """Check the cited pages that are due; returns how many."""
    looker = Looker(settings.SITE_URL)
    until = timezone.now() + dt.timedelta(seconds=SECONDS)
    return len(check_due(timezone.now, looker.look, time.sleep, MOST, until=until))
