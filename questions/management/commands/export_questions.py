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
from questions.formats.rules.reading.pictures import with_words_alone
from questions.formats.rules.registry import FORMATS, format_named
from questions.versions.rules.draft import POOL_NAMES


class Command(BaseCommand):
    """Writes to a file or to standard output."""

    help = "Export an exam's live questions in one of the formats in docs/formats.md."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The exam, the format, the output, and the pool."""
        names = ", ".join(form.name for form in FORMATS if form.write)
        parser.add_argument("--exam", required=True, help="the exam's short name")
        parser.add_argument("--format", required=True, help=f"one of {names}")
        parser.add_argument("--out", type=Path, help="output file; standard output if omitted")
        parser.add_argument("--pool", choices=POOL_NAMES, default="", help="only questions of this pool")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            form = format_named(options["format"])
            if form.write is None:
                raise BadFile(f"{form.title} can be imported but not exported")
            items = list(live_items(options["exam"], POOL_NAMES.get(options["pool"], "")))
            content = form.write(items if form.pictures else [with_words_alone(item) for item in items])
        except (BadFile, ImportRefused) as refusal:
            raise CommandError(str(refusal)) from refusal
        variants = sum(bool(item.draft and item.draft.family) for item in items)
        if variants and "draft" not in form.carries:
            self.stderr.write(
                f"{form.title} has no question families: {variants} of {len(items)} questions are in one, and the file"
                " leaves out the family and each option's “right if”."
            )
        pictures = sum(len(item.pictures) for item in items)
        if pictures and not form.pictures:
            self.stderr.write(f"{form.title} has no pictures: the file has the alternative text of {pictures} instead.")
        if options["out"] is None:
            sys.stdout.buffer.write(content)
            return
        try:
            options["out"].write_bytes(content)
        except OSError as error:
            raise CommandError(f"{error.filename}: {error.strerror}") from error
        self.stderr.write(f"{options['out']}: {len(content):,} bytes of {form.title}.")
