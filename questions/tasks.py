"""This app's tasks, each from its own room; Celery finds them here."""

from questions.desk.mail.tasks import tell_desk
from questions.formats.intake.tasks import run_import_job, run_imports
from questions.pages.counted.tasks import count_public
from questions.reports.tasks import tell_outcomes
from questions.versions.material.sources.tasks import check_sources
from questions.versions.search.tasks import catch_up_search

__all__ = [
    "catch_up_search",
    "check_sources",
    "count_public",
    "run_import_job",
    "run_imports",
    "tell_desk",
    "tell_outcomes",
]
