"""``manage.py pictures``: check stored pictures, copy them to a folder and back, make some for bank files."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from questions.bank_files.rules.folder import PICTURES
from questions.versions.material.pictures.copies import Copied, check_pictures, restore_pictures, save_pictures
from questions.versions.material.pictures.reads import picture_limits
from questions.versions.material.pictures.rules.encode import BadPicture, encode

SAID = {"missing": "the storage has no file of it"}
CHANGED = "isn’t what its name says"


class Command(BaseCommand):
    """``make`` needs no database."""

    help = (
        "Check the stored pictures, save them to a folder or restore them from one, or make a picture for a bank file."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The action, and its folder or files."""
        verbs = parser.add_subparsers(dest="verb", required=True)
        verbs.add_parser("check", help="read every picture and compare it with its name")
        for verb, does in (("save", "copy every picture into a folder"), ("restore", "store a folder’s pictures")):
            verbs.add_parser(verb, help=does).add_argument("folder", type=Path)
        make = verbs.add_parser("make", help="make pictures of image files, in the exam’s folder of bank files")
        make.add_argument("files", type=Path, nargs="+")
        make.add_argument("--into", type=Path, required=True, help="the exam’s folder")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            if options["verb"] == "make":
                return self._make(options["files"], options["into"])
            if options["verb"] == "check":
                return self._tell(check_pictures(), "checked")
            copy = save_pictures if options["verb"] == "save" else restore_pictures
            return self._tell(copy(options["folder"]), "copied")
        except OSError as error:
            raise CommandError(f"{error.filename}: {error.strerror}") from error

    def _make(self, files: list[Path], folder: Path) -> None:
        for path in files:
            try:
                picture = encode(path.read_bytes(), picture_limits())
            except BadPicture as refusal:
                raise CommandError(f"{path} {refusal}") from refusal
            place = folder / PICTURES / picture.name
            place.parent.mkdir(exist_ok=True)
            place.write_bytes(picture.content)
            self.stdout.write(f"{place}: ![what it shows](picture:{picture.name})")

    def _tell(self, found: Copied, done: str) -> None:
        for name, code in found.faults:
            self.stderr.write(f"{name}: {SAID.get(code, CHANGED)}")
        more = f", {found.new} {done}" if done == "copied" else ""
        self.stdout.write(f"Pictures: {found.good} good{more}, {len(found.faults)} missing or damaged.")
        if found.faults:
            raise CommandError("Bring the missing pictures back: manage.py pictures restore FOLDER")
