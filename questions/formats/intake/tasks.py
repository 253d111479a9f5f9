from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from questions.formats.intake import jobs


@shared_task(name="questions.run_import_job")
def run_import_job(job_id: int) -> int:
    """Continue an import for a while."""
    return jobs.run_job(job_id, timezone.now())


@shared_task(name="questions.run_imports")
def run_imports() -> int:
    """Start waiting imports and continue those left by a killed worker."""
    return jobs.run_waiting(timezone.now())
