"""``manage.py bank_figures``: leak, probe and verdicts of a bank by kind and domain, as a table for people."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from questions.bank_files.readings.rules.figures import as_table, bank_rows
from questions.bank_files.readings.rules.material import Refused, read_material
from questions.bank_files.readings.rules.probe.probe import probe


class Command(BaseCommand):
    """One table for loaded questions, another for waiting ones; docs/writing-questions.md explains the terms."""

    help = "Print what readers and the cue probe found in an exam's bank. Needs no database."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--exam", required=True)
        parser.add_argument(
            "--fixtures", type=Path, default=settings.BASE_DIR / "fixtures", help="folder with the exams"
        )
        parser.add_argument("--no-probe", action="store_true", help="skip the probe, which takes a while")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            material = read_material(options["fixtures"] / options["exam"])
        except Refused as error:
            raise CommandError(str(error)) from error
        for waiting, title in ((False, "loaded"), (True, "waiting")):
            units = [unit for unit in material.units if unit.waits == waiting]
            if units:
                probed = {} if options["no_probe"] else {name: str(row) for name, row in probe(units).items()}
                table = as_table(bank_rows(material, waiting, probed))
                self.stdout.write(f"**{options['exam']}, {title}**\n\n{table}\n")
