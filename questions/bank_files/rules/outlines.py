"""An exam's outlines, read from its folder; pure."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from questions.bank_files.rules.file import FileProblem, format_problem
from questions.catalogue.rules.exam_file import ExamFile
from questions.catalogue.rules.outline_file import Outline, outline_from
from questions.catalogue.rules.yaml_fields import BadField, BadYaml, read_yaml


def read_outlines(folder: Path, exam: ExamFile) -> Iterator[Outline | FileProblem]:
    """Each outline in an exam's folder, by file name; none without an outlines folder."""
    seen: set[str] = set()
    for path in sorted((folder / "outlines").glob("*.yaml")):
        found = _read(path, exam)
        if isinstance(found, Outline) and found.blueprint in seen:
            found = format_problem(path, 1, "blueprint", f"“{found.blueprint}” has an outline in another file too")
        elif isinstance(found, Outline):
            seen.add(found.blueprint)
        yield found


def _read(path: Path, exam: ExamFile) -> Outline | FileProblem:
    lines: dict[str, int] = {}
    try:
        value, lines = read_yaml(path.read_text(encoding="utf-8"))
        return outline_from(value, exam)
    except UnicodeDecodeError:
        return format_problem(path, 1, "file", "is not UTF-8")
    except BadYaml as error:
        return format_problem(path, error.line, "file", error.reason)
    except BadField as error:
        return format_problem(path, lines.get(error.path, 1), error.path or "outline", error.reason)
