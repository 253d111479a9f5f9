"""The trial's forecasts, outside requests."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from practice.readiness.derive.evidence import forecast


@shared_task(name="practice.forecast_trial")
def forecast_trial(learner_id: int) -> int:
    return forecast.forecast_trial(learner_id, timezone.now())


@shared_task(name="practice.forecast_trials")
def forecast_trials() -> int:
    """Make forecasts whose own task was lost."""
    return forecast.forecast_waiting(timezone.now())
