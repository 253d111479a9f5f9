"""``manage.py import_questions FILE``: read a question file of any known format, and keep its items as drafts."""

from __future__ import annotations

import contextlib
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from questions.formats.errors import ImportRefused
from questions.formats.intake.jobs import SKIPPED, begin_here, end_here
from questions.formats.intake.reads.plan import LEFT_ALONE, REFUSED
from questions.formats.intake.reads.target import LEAVE, MATCHING, UPDATE, Choice, Target
from questions.formats.intake.take_in import import_items
from questions.formats.rules.detection import detect
from questions.formats.rules.items import BadFile, Found, Item, Report, Skipped
from questions.formats.rules.reading.columns.choice import parsed
from questions.formats.rules.registry import FORMATS, Format, by_columns, format_named, read_items
from questions.versions.material.pictures.reads import picture_limits


class Command(BaseCommand):
    """A dry run by default: it says what would be imported and skipped, and the exam needn't exist."""

    help = "Read a file of questions; with --commit, store them as drafts. Importing twice changes nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """FILE, the exam and how to read it."""
        names = ", ".join(form.name for form in FORMATS if form.read)
        parser.add_argument("file", type=Path)
        parser.add_argument("--exam", required=True, help="the exam's short name")
        parser.add_argument("--format", default="auto", help=f"auto, or one of {names}")
        parser.add_argument(
            "--domain", default="", help="domain for all items; by default each item's category, or the first domain"
        )
        parser.add_argument("--columns", help="of a table, for example: question=B option=C-F answer=G explanation=H")
        parser.add_argument("--first-row", type=int, default=2, help="with --columns: where the questions begin")
        parser.add_argument("--source", default="", help="what to call the file, if not its name")
        parser.add_argument("--commit", action="store_true", help="store the items as drafts")
        parser.add_argument(
            "--matching",
            choices=MATCHING,
            default=LEAVE,
            help="questions already here under the same permanent name: leave them, update them as draft revisions"
            " (needs --by), or import the items as new drafts",
        )
        parser.add_argument("--by", default="", help="the importer’s email address; someone else has to publish")
        parser.add_argument("--report", type=Path, help="write a JSON report of what was imported and skipped")

    def handle(self, *args: Any, **options: Any) -> None:
        """Read, store with --commit, and report; exit status 1 if nothing could be read."""
        try:
            self._run(options["file"], options)
        except (BadFile, ImportRefused) as refusal:
            raise CommandError(f"{options['file'].name}: {refusal}") from refusal
        except OSError as error:
            raise CommandError(f"{error.filename}: {error.strerror}") from error

    def _run(self, path: Path, options: dict[str, Any]) -> None:
        source = options["source"] or path.name
        target = _target(source, options) if options["commit"] else None
        with contextlib.ExitStack() as stack:
            stream = stack.enter_context(path.open("rb"))
            out = stack.enter_context(options["report"].open("w", encoding="utf-8")) if options["report"] else None
            try:
                form = _form(stream, path.name, options)
            except BadFile as refusal:
                _refused(Report("", out), refusal)
                raise
            report = Report(form.name, out)
            if target:
                target.batch = begin_here(target, form.name, target.by, timezone.now())
            try:
                stored = self._store(target, read_items(form, stream, picture_limits()), report)
            except BadFile as refusal:
                _refused(report, refusal)
                raise
            report.close()
        if target and target.batch:
            end_here(target.batch, stored + Counter({SKIPPED: len(report.skipped) - stored[REFUSED]}), timezone.now())
        self._say(form, report, stored, committed=target is not None)

    def _store(self, target: Target | None, found: Iterator[Found], report: Report) -> Counter[str]:
        """Store items while reading, and count the outcomes."""
        results: Counter[str] = Counter()
        if target is None:
            for each in found:
                report.add(each)
                self._warn(each)
            return results
        for outcome in import_items(target, _taken(found, report), timezone.now()):
            results[outcome.result] += 1
            if outcome.result == REFUSED:
                report.skip(Skipped(outcome.item.line, outcome.item.kind, outcome.reason))
                continue
            report.add(outcome.item)
            self._warn(outcome.item)
            if outcome.result == LEFT_ALONE:
                self.stdout.write(f"line {outcome.item.line}: left alone: {outcome.reason}")
        return results

    def _warn(self, found: Found) -> None:
        for warning in found.warnings if isinstance(found, Item) else ():
            self.stdout.write(f"line {found.line}: warning: {warning}")

    def _say(self, form: Format, report: Report, stored: Counter[str], *, committed: bool) -> None:
        for each in report.skipped:
            self.stdout.write(f"line {each.line}: skipped: {each.kind}: {each.reason}")
        counts = f"{report.counts['taken']} taken, {report.counts['skipped']} skipped"
        kept = ", ".join(f"{number} {result}" for result, number in sorted(stored.items())) or "nothing"
        ending = f"Drafts: {kept}." if committed else "Nothing stored; use --commit to store them as drafts."
        self.stdout.write(f"{form.title}: {counts}. {ending}")


def _target(source: str, options: dict[str, Any]) -> Target:
    """The target, the author, and the choice for existing questions. Raises ImportRefused."""
    target = Target.of(options["exam"], source, options["domain"])
    target.choice = Choice(options["matching"])
    if options["by"]:
        target.by = get_user_model().objects.filter(email__iexact=options["by"]).first()
        if target.by is None:
            raise ImportRefused(f"Nobody here has the address {options['by']}.", "no-such-person")
    elif target.choice.matching == UPDATE:
        raise ImportRefused("--matching update needs --by: say who imports.", "needs-a-person")
    return target


def _form(stream: BinaryIO, name: str, options: dict[str, Any]) -> Format:
    """How to read the file: by the given columns, the given format, else by its content."""
    if options["columns"]:
        return by_columns(parsed(options["columns"], options["first_row"] - 1))
    return detect(stream, name) if options["format"] == "auto" else format_named(options["format"])


def _taken(found: Iterator[Found], report: Report) -> Iterator[Item]:
    """The items; skips go straight to the report."""
    for each in found:
        if isinstance(each, Item):
            yield each
        else:
            report.skip(each)


def _refused(report: Report, refusal: BadFile) -> None:
    """A report on a file that couldn't be read."""
    report.skip(Skipped(1, "file", str(refusal)))
    report.close()
