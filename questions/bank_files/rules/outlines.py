"""An exam's outlines, read from its folder; pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from questions.catalogue.rules.exam_file import ExamFile
from questions.catalogue.rules.outline_file import Outline, outline_from
from questions.catalogue.rules.yaml_fields import BadField, BadYaml, read_yaml


@dataclass(frozen=True)
class OutlineFault:
    """Why an outline cannot be used; nothing of its file is."""

    path: Path
    line: int
    field: str
    reason: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.field}: {self.reason}"


def read_outlines(folder: Path, exam: ExamFile) -> Iterator[Outline | OutlineFault]:
    """Each outline of an exam's folder, by the files' names; none where there is no folder of outlines."""
    seen: set[str] = set()
    for path in sorted((folder / "outlines").glob("*.yaml")):
        found = _read(path, exam)
        if isinstance(found, Outline) and found.blueprint in seen:
            found = OutlineFault(path, 1, "blueprint", f"“{found.blueprint}” has an outline in another file too")
        elif isinstance(found, Outline):
            seen.add(found.blueprint)
        yield found


def _read(path: Path, exam: ExamFile) -> Outline | OutlineFault:
    lines: dict[str, int] = {}
    try:
        value, lines = read_yaml(path.read_text(encoding="utf-8"))
        return outline_from(value, exam)
    except UnicodeDecodeError:
        return OutlineFault(path, 1, "file", "is not UTF-8")
    except BadYaml as error:
        return OutlineFault(path, error.line, "file", error.reason)
    except BadField as error:
        return OutlineFault(path, lines.get(error.path, 1), error.path or "outline", error.reason)
