from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from courseiva.common.later import at_once
from practice.measurement.calibration import nightly


@shared_task(name="practice.calibrate")
def calibrate() -> int:
    found = nightly.calibrate_all(timezone.now)
    at_once("practice.measure_items")
    return found
