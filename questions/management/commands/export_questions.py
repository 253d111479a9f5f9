"""``manage.py export_questions``: the live questions of an exam as a file of another format."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from questions.formats.errors import ImportRefused
from questions.formats.reads import live_items
from questions.formats.rules.items import BadFile
from questions.formats.rules.registry import FORMATS, format_named
from questions.versions.rules.draft import POOLS


class Command(BaseCommand):
    """Writes to a file or to standard output."""

    help = "Write the live questions of an exam in one of the formats of docs/formats.md."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The exam, the format, where to, and which pool."""
        names = ", ".join(form.name for form in FORMATS if form.write)
        parser.add_argument("--exam", required=True, help="the exam's short name")
        parser.add_argument("--format", required=True, help=f"one of {names}")
        parser.add_argument("--out", type=Path, help="the file to write; else standard output")
        parser.add_argument("--pool", choices=POOLS, default="", help="only questions of this pool")

    def handle(self, *args: Any, **options: Any) -> None:
        """Write the file."""
        try:
            form = format_named(options["format"])
            if form.write is None:
                raise BadFile(f"{form.title} can be read, not written")
            content = form.write(live_items(options["exam"], options["pool"]))
        except (BadFile, ImportRefused) as refusal:
            raise CommandError(str(refusal)) from refusal
        if options["out"] is None:
            sys.stdout.buffer.write(content)
            return
        try:
            options["out"].write_bytes(content)
        except OSError as error:
            raise CommandError(f"{error.filename}: {error.strerror}") from error
        self.stderr.write(f"{options['out']}: {len(content):,} bytes of {form.title}.")
