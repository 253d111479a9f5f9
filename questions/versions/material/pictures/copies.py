"""Copying all pictures to a folder and back, checked byte by byte."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from questions.versions.material.pictures.models import Picture
from questions.versions.material.pictures.reads import content_of
from questions.versions.material.pictures.rules.encode import NAME, BadPicture, check
from questions.versions.material.pictures.store import take_back


@dataclass
class Copied:
    """How many pictures are valid, how many were copied, and what is wrong with the others."""

    good: int = 0
    new: int = 0
    # The picture's name, and a code: missing, or a BadPicture's.
    faults: list[tuple[str, str]] = field(default_factory=list)


def check_pictures() -> Copied:
    """Read every stored picture and compare it with its name."""
    found = Copied()
    found.good = sum(1 for _ in _good(found))
    return found


def save_pictures(folder: Path) -> Copied:
    """Copy every stored picture to the folder; existing files are compared, and rewritten if they differ."""
    folder.mkdir(parents=True, exist_ok=True)
    found = Copied()
    for name, content in _good(found):
        file = folder / name
        if not file.is_file() or file.read_bytes() != content:
            part = file.with_suffix(".part")
            part.write_bytes(content)
            part.replace(file)
            found.new += 1
        found.good += 1
    return found


def restore_pictures(folder: Path) -> Copied:
    """Store every picture in the folder, and report which of the database's pictures are still missing."""
    copied = Copied()
    for file in sorted(each for each in folder.iterdir() if NAME.fullmatch(each.name)):
        try:
            take_back(file.name, file.read_bytes())
        except BadPicture as refusal:
            copied.faults.append((file.name, refusal.code))
        else:
            copied.new += 1
    found = check_pictures()
    copied.good = found.good
    told = {name for name, _ in copied.faults}
    copied.faults += [fault for fault in found.faults if fault[0] not in told]
    return copied


def _good(found: Copied) -> Iterator[tuple[str, bytes]]:
    """Each picture that matches its name; the others are faults."""
    for name in Picture.objects.order_by("name").values_list("name", flat=True).iterator():
        try:
            content = content_of(name)
            check(name, content)
        except FileNotFoundError:
            found.faults.append((name, "missing"))
        except BadPicture as refusal:
            found.faults.append((name, refusal.code))
        else:
            yield name, content
