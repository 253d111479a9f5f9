from __future__ import annotations

from celery import shared_task

from practice.measurement.health import measure


@shared_task(name="practice.measure_items")
def measure_items() -> int:
    """After the nightly calibration, by whose curves it measures."""
    return measure.measure_all()
