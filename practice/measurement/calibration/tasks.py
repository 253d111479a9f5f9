"""The nightly calibration."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone


@shared_task(name="practice.calibrate")
def calibrate() -> int:
    """Calibrate every exam from its first exposures."""
    from practice.measurement.calibration.nightly import calibrate_all

    return calibrate_all(timezone.now)
