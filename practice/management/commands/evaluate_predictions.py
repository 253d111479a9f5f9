"""``manage.py evaluate_predictions LOG.csv[.gz]``: the site's learner model on anybody's log of answers.

It needs no database: it is how outsiders check the model.
"""

from __future__ import annotations

import time
from argparse import ArgumentParser, ArgumentTypeError
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from practice.measurement.laboratory.rules.answer_logs import read_log
from practice.measurement.laboratory.rules.evaluation import evaluate
from practice.measurement.laboratory.rules.response_files import BadFileError


class Command(BaseCommand):
    """Prints one line for each figure."""

    help = "Predict the answers of held-out learners in a log (learner,item,domain,correct,timestamp[,part])."
    requires_system_checks: list[str] = []
    requires_migrations_checks = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The log, and the chance of a blind guess."""
        parser.add_argument("log", type=Path, help="a .csv or .csv.gz file, each learner's answers in their order")
        parser.add_argument("--guess", type=guess, default=0.0, help="chance of a blind guess (default: %(default)s)")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            answers = read_log(options["log"])
        except BadFileError as error:
            raise CommandError(f"{options['log']}: {error}") from error
        started = time.perf_counter()
        found = evaluate(answers, options["guess"])
        seconds = time.perf_counter() - started
        self.stdout.write(f"answers: {len(answers)}, of which predicted: {found.predictions}")
        self.stdout.write(f"AUC: {found.auc:.4f}")
        self.stdout.write(f"log-loss: {found.log_loss:.4f}")
        self.stdout.write(f"RMSE: {found.rmse:.4f}")
        self.stdout.write(f"calibration error over 10 bins: {found.calibration:.4f}")
        self.stdout.write(f"seconds per million answers: {seconds / len(answers) * 1e6:.1f}")


def guess(text: str) -> float:
    """A chance from 0 to below 1."""
    try:
        value = float(text)
    except ValueError:
        value = 1.0
    if not 0 <= value < 1:
        raise ArgumentTypeError("must be a number from 0 to below 1")
    return value
