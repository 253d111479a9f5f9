from __future__ import annotations

from celery import shared_task

from practice.measurement.health import measure


@shared_task(name="practice.measure_items")
def measure_items() -> int:
    """Measure item health; runs after the nightly calibration, whose curves it uses."""
    return measure.measure_all()
