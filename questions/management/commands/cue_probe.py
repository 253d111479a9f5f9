"""``manage.py cue_probe``: how often a program without knowledge finds the key from the options' surface."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from questions.bank_files.readings.rules.material import Refused, read_material
from questions.bank_files.readings.rules.probe.fit import SHUFFLES
from questions.bank_files.readings.rules.probe.probe import probe
from questions.bank_files.rules.folder import read_exam_file


class Command(BaseCommand):
    """A row for all questions, each kind and each domain; docs/writing-questions.md lists the features."""

    help = "Guess keys from surface features of the options, and compare with shuffled keys. Needs no database."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--exam", required=True)
        parser.add_argument(
            "--fixtures", type=Path, default=settings.BASE_DIR / "fixtures", help="folder with the exams"
        )
        parser.add_argument("--waiting", action="store_true", help="probe waiting questions instead of loaded ones")
        parser.add_argument("--shuffles", type=int, default=SHUFFLES, help="how often to shuffle the keys; at least 1")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["shuffles"] < 1:
            raise CommandError("--shuffles must be 1 or more: without shuffled keys there is nothing to compare with")
        try:
            material = read_material(options["fixtures"] / options["exam"])
        except Refused as error:
            raise CommandError(str(error)) from error
        found = probe([unit for unit in material.units if unit.waits == options["waiting"]], options["shuffles"])
        if not found:
            raise CommandError("too few units to probe")
        for name, row in found.items():
            verdict = "within the shuffles" if row.inside else f"{row.guessed.points:+.0f} points above chance"
            self.stdout.write(f"{name}: {row} of {row.guessed.questions} questions: {verdict}")
        exam = read_exam_file(options["fixtures"] / options["exam"]).exam
        if exam and exam.targets.probe:
            self.stdout.write(f"Aim: at most {exam.targets.probe} points above chance; better: within the shuffles.")
