"""The tasks of this app, each from its own room; Celery finds them here."""

from questions.formats.intake.tasks import run_import_job, run_imports
from questions.reports.tasks import tell_outcomes

__all__ = [
    "run_import_job",
    "run_imports",
    "tell_outcomes",
]
