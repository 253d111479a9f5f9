"""Large imports beside the requests."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone


@shared_task(name="questions.run_import_job")
def run_import_job(job_id: int) -> int:
    """Go on with an import for a while."""
    from questions.formats.intake.jobs import run_job

    return run_job(job_id, timezone.now())


@shared_task(name="questions.run_imports")
def run_imports() -> int:
    """Begin what waits and go on with what a killed worker left."""
    from questions.formats.intake.jobs import run_waiting

    return run_waiting(timezone.now())
