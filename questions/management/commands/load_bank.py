"""``manage.py load_bank PATH``: load the bank's files, idempotently."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from time import monotonic
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from questions.bank_files.errors import BankRefused
from questions.bank_files.load import load_bank
from questions.modules.rules.load_report import LoadReport

TELL_SECONDS = 5
"""Often enough to show that it's running, rarely enough for a log."""


class Command(BaseCommand):
    """Prints what was done, and every refusal with file, line, field and reason."""

    help = "Load exams, study modules and questions from bank files; loading twice changes nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """PATH, and how to settle conflicts with edits made on the site."""
        parser.add_argument("path", type=Path, help="a folder of exams, or one exam's folder")
        parser.add_argument(
            "--take", choices=("file", "site"), default="", help="settle conflicts in favour of this side"
        )

    _told_at = 0.0

    def _tell(self, done: int, of: int) -> None:
        """A line every few seconds: on a busy machine the first load takes minutes, and silence would look like a
        hang."""
        now = monotonic()
        self._told_at = self._told_at or now
        if now - self._told_at >= TELL_SECONDS:
            self._told_at = now
            self.stdout.write(f"    {100 * done // of}% of an exam's files")
            self.stdout.flush()

    def handle(self, *args: Any, **options: Any) -> None:
        """Load and report; exit status 1 if anything was refused."""
        try:
            report = load_bank(options["path"], timezone.now(), options["take"], LoadReport(told=self._tell))
        except BankRefused as refusal:
            raise CommandError(str(refusal)) from refusal
        for line in report.conflicts:
            self.stdout.write(f"conflict, not changed: {line} (settle with --take file or --take site)")
        for line in report.warnings:
            self.stdout.write(f"warning: {line}")
        for key in report.gone:
            self.stdout.write(f"no longer in the files, kept: {key}")
        counts = ", ".join(f"{number} {what}" for what, number in sorted(report.counts.items())) or "nothing to do"
        self.stdout.write(f"Bank: {counts}.")
        if report.refused:
            raise CommandError(
                "\n".join([*report.refused, f"{len(report.refused)} refused; their files were not loaded."])
            )
