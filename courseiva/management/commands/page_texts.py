"""`manage.py page_texts`: every page as plain text, for editing the site's English."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from courseiva.demo.texts.stage import on_a_throw_away_database
from courseiva.demo.texts.tour import tour


class Command(BaseCommand):
    """Fills a database with placeholders, walks through the site as each kind of reader, and deletes the database."""

    help = "Print every string of the site once, one a line: page | number | string."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--out", type=Path, help="a folder, which gets one file for each kind of reader")

    def handle(self, *args: Any, **options: Any) -> None:
        if not settings.DEBUG or settings.REDIS_URL:
            raise CommandError("Run it with DEBUG=1 and without REDIS_URL, so that no other site's cache is touched.")
        with on_a_throw_away_database():
            met = tour()
        self._print(list(met.collection.lines()), options["out"])
        if failed := met.failures:
            raise CommandError(f"{len(failed)} page{'s' * (len(failed) != 1)} failed:\n" + "\n".join(failed))

    def _print(self, lines: list[tuple[str, str]], out: Path | None) -> None:
        if out is None:
            self.stdout.write("\n".join(line for _, line in lines))
            return
        out.mkdir(parents=True, exist_ok=True)
        files: dict[str, list[str]] = {}
        for page, line in lines:
            files.setdefault(page.partition(":")[0], []).append(line)
        for name, texts in files.items():
            (out / f"{name}.txt").write_text("\n".join(texts) + "\n", encoding="utf-8")
