"""``manage.py calibrate_file RESPONSES.csv --model rasch|2pl --out items.csv``: the site's engine on any response file.

It needs no database: it is how outsiders check the engine.
"""

from __future__ import annotations

import csv
from argparse import ArgumentParser
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from practice.measurement.calibration.rules.classical import (
    OptionStatistics,
    cronbach_alpha,
    item_statistics,
    miskeyed,
    option_statistics,
)
from practice.measurement.calibration.rules.fit import calibrate, wide_prior
from practice.measurement.calibration.rules.triplets import Answers, Floats
from practice.measurement.laboratory.rules.response_files import BadFileError, ResponseFile, read_responses

COLUMNS = ("a", "d", "b", "se_a", "se_d")
CLASSICAL_COLUMNS = ("facility", "facility_low", "facility_high", "item_total", "item_rest")


class Command(BaseCommand):
    """Prints log-likelihood, alpha and suspected wrong keys; writes one line per item."""

    help = "Calibrate the items of a response file (long, wide 0/1, or chosen options with a KEY line)."
    requires_system_checks: list[str] = []
    requires_migrations_checks = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The file, the model, the prior, and where the items go."""
        parser.add_argument("responses", type=Path, help="a .csv or .csv.gz file")
        parser.add_argument("--model", choices=("rasch", "2pl"), required=True)
        parser.add_argument(
            "--prior",
            choices=("none", "wide"),
            default="none",
            help="none: maximum likelihood (the default); wide: weak priors on d and log a, finite for every item",
        )
        parser.add_argument("--classical", action="store_true", help="classical figures after the calibrated ones")
        parser.add_argument("--out", type=Path, required=True, help="the .csv file to write")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            file = read_responses(options["responses"])
        except BadFileError as error:
            raise CommandError(f"{options['responses']}: {error}") from error
        found = calibrate(
            file.answers, options["model"], wide_prior(len(file.items)) if options["prior"] == "wide" else None
        )
        columns = {name: getattr(found, name) for name in COLUMNS} | {"n": found.n}
        if options["classical"]:
            columns |= classical_columns(file.answers)
        self.stdout.write(f"{len(file.learners)} learners, {len(file.items)} items, {len(file.answers)} answers")
        self.stdout.write(f"log-likelihood: {found.log_likelihood:.4f} ({found.steps} EM steps)")
        if not found.converged:
            self.stderr.write("warning: not converged; the estimates are the last step's")
        self.stdout.write(f"alpha: {alpha(file.answers)}")
        self.report_options(file, options["classical"])
        write(options["out"], file.items, columns)

    def report_options(self, file: ResponseFile, whole_table: bool) -> None:
        """Print suspected wrong keys, or every option for the whole table."""
        if file.choices is None:
            return
        table = option_statistics(file.answers, file.choices)
        for each in table if whole_table else ():
            self.stdout.write(f"option: {told(file, each)}")
        flags = miskeyed(table)
        for each in flags:
            self.stdout.write(f"miskey? {told(file, each)}")
        self.stdout.write(f"miskey flags: {len(flags)}")


def told(file: ResponseFile, each: OptionStatistics) -> str:
    key = ", key" if each.is_key else ""
    return f"{file.items[each.item]} {each.option}{key}: share {each.share:.4f}, option-rest {each.option_rest:.4f}"


def alpha(answers: Answers) -> str:
    """Cronbach's alpha, or why there is none."""
    value = cronbach_alpha(answers)
    if value is not None:
        return f"{value:.4f}"
    return "not defined (blanks, a single item, or equal scores)"


def classical_columns(answers: Answers) -> dict[str, Floats]:
    found = item_statistics(answers)
    values = (found.facility, found.low, found.high, found.item_total, found.item_rest)
    return dict(zip(CLASSICAL_COLUMNS, values, strict=True))


def write(path: Path, items: Sequence[str], columns: dict[str, Any]) -> None:
    """One line per item; the file is written completely or not at all. Raises CommandError if it can't be written."""
    draft = path.with_name(f"{path.name}.part")
    try:
        with draft.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(["item", *columns])
            for row, item in enumerate(items):
                cells = (values[row] for values in columns.values())
                writer.writerow([item, *(f"{cell:.6f}" if isinstance(cell, float) else cell for cell in cells)])
        draft.replace(path)
    except OSError as error:
        with suppress(OSError):
            draft.unlink()
        raise CommandError(f"{path}: cannot be written: {error}") from error
