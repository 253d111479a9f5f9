"""``manage.py calibrate EXAM``: item parameters from all first exposures, as the nightly task does."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from practice.measurement.calibration.nightly import calibrate_exam
from practice.measurement.health.measure import measure_exam
from questions.catalogue.models import Exam


class Command(BaseCommand):
    """Calibrate one exam now."""

    help = "Estimate the item parameters of an exam from its first exposures."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("exam", help="the exam's slug, for example pmle")

    def handle(self, *args: Any, **options: Any) -> None:
        exam = Exam.objects.filter(slug=options["exam"]).first()
        if exam is None:
            raise CommandError(f"There is no exam “{options['exam']}”.")
        run = calibrate_exam(exam, timezone.now)
        if run is None:
            self.stdout.write("No first exposures yet: nothing to calibrate.")
            return
        measure_exam(exam)
        self.stdout.write(
            f"{run.items.count()} questions from {run.answers} answers of {run.learners} learners, "
            f"log-likelihood {run.log_likelihood:.3f}, made {run.made_at:%Y-%m-%d %H:%M} UTC."
        )
