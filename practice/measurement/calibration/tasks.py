from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from practice.measurement.calibration import nightly


@shared_task(name="practice.calibrate")
def calibrate() -> int:
    return nightly.calibrate_all(timezone.now)
