"""What the commands for readers' sheets have in common."""

from __future__ import annotations

import secrets
from argparse import ArgumentParser
from pathlib import Path
from random import Random
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from questions.bank_files.readings.rules.material import READINGS_FILE, Material, Refused, read_material
from questions.bank_files.readings.rules.records import READERS, Readings, as_text
from questions.bank_files.readings.rules.sheets.form import Reader, exam_of


class SheetCommand(BaseCommand):
    """``draw`` writes a sheet, ``take`` adds a returned one to the exam's readings or refuses it as a whole."""

    requires_system_checks = ()

    def drawn(self, material: Material, reader: Reader, n: int, rng: Random) -> str:
        """The sheet. Raises Refused."""
        raise NotImplementedError

    def taken(self, material: Material, text: str) -> tuple[Readings, str]:
        """All readings including the sheet's, and a one-line result. Raises Refused."""
        raise NotImplementedError

    def add_arguments(self, parser: ArgumentParser) -> None:
        """``draw`` for a reader, ``take`` of a file."""
        parser.add_argument("--fixtures", type=Path, default=settings.BASE_DIR / "fixtures", help="the exams' folders")
        acts = parser.add_subparsers(dest="act", required=True)
        draw = acts.add_parser("draw")
        draw.add_argument("--exam", required=True)
        draw.add_argument("--n", type=int, default=60, help="how many sets or prompts")
        draw.add_argument("--out", type=Path, required=True, help="the sheet to write")
        draw.add_argument("--reader", required=True, help="the reader's number or name, always the same one")
        draw.add_argument("--reader-kind", choices=READERS, default=READERS[0])
        draw.add_argument("--wrote", action="append", default=[], help="a domain this reader wrote in; repeatable")
        draw.add_argument("--seed", type=int, help="draw the same sheet again")
        take = acts.add_parser("take")
        take.add_argument("file", type=Path, help="the sheet, filled in")

    def handle(self, *args: Any, **options: Any) -> None:
        """Draw or take; exit status 1 if a sheet is refused."""
        try:
            if options["act"] == "draw":
                self._draw(options)
            else:
                self._take(options["fixtures"], options["file"])
        except (Refused, OSError) as error:
            raise CommandError(str(error)) from error

    def _draw(self, options: dict[str, Any]) -> None:
        seed = secrets.randbits(64) if options["seed"] is None else options["seed"]
        reader = Reader(options["reader"], options["reader_kind"], tuple(options["wrote"]))
        material = read_material(options["fixtures"] / options["exam"])
        options["out"].write_text(self.drawn(material, reader, options["n"], Random(seed)), encoding="utf-8")
        self.stdout.write(f"{options['out']}: for reader {reader.name}.")

    def _take(self, fixtures: Path, file: Path) -> None:
        text = file.read_text(encoding="utf-8")
        folder = fixtures / exam_of(text)
        readings, said = self.taken(read_material(folder), text)
        (folder / READINGS_FILE).write_text(as_text(readings), encoding="utf-8")
        self.stdout.write(f"{said}. Recorded in {folder / READINGS_FILE}.")
