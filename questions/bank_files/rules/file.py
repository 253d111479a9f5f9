"""Bank files: YAML that people read and edit, parsed into drafts with the line of every field."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from questions.catalogue.rules.glossary import Glossary, UnknownTerm, expand
from questions.catalogue.rules.sources import source
from questions.catalogue.rules.yaml_fields import BadField, BadYaml, date, list_of, mapping, plain, read_yaml
from questions.lint.rules import FORMAT, NOTHING, Known, Problem, lint
from questions.versions.rules.draft import DIFFICULTIES, KINDS, POOLS, DraftClue, DraftOption, DraftQuestion
from questions.versions.rules.text_caps import refused_text

ROW = re.compile(r"questions\[(\d+)\](?:\.|\Z)(.*)", re.S)


@dataclass(frozen=True)
class FileProblem:
    """A finding in a file, where an editor can go to it."""

    path: Path
    line: int
    question: str
    problem: Problem

    def __str__(self) -> str:
        return (
            f"{self.path}:{self.line}: {self.question}: {self.problem.field}: "
            f"{self.problem.message} [{self.problem.rule}, {self.problem.severity}]"
        )


@dataclass(frozen=True)
class FileQuestion:
    """A draft with the lines its fields stand on, and the warnings waived for it: rule and reason."""

    draft: DraftQuestion
    lines: dict[str, int]
    waive: dict[str, str] = field(default_factory=dict)

    def line(self, field: str) -> int:
        """The line of a field, or of the nearest part that stands in the file."""
        while field and field not in self.lines:
            field = field.rpartition(".")[0] if "." in field else field.rpartition("[")[0]
        return self.lines.get(field, self.lines[""])


def read_bank_file(
    path: Path, glossary: Glossary, known: Known = NOTHING, severity: str = ""
) -> tuple[list[FileQuestion], list[FileProblem]]:
    """Read one question file: the questions that parse, and every problem found, or those of one severity.

    Waivers are handed on; to use them is the caller's.
    """
    try:
        rows, lines = read_yaml(path.read_text(encoding="utf-8"))
    except BadYaml as error:
        return [], [_problem(path, error.line, "file", "file", error.reason)]
    except UnicodeDecodeError:
        return [], [_problem(path, 1, "file", "file", "is not UTF-8")]
    if not isinstance(rows, dict) or set(rows) != {"domain", "questions"} or not isinstance(rows["questions"], list):
        return [], [_problem(path, 1, "file", "file", "needs “domain” and a list “questions”")]
    found: list[FileQuestion] = []
    problems: list[FileProblem] = []
    lines_of = _lines_by_question(lines)
    for i, row in enumerate(rows["questions"]):
        own = lines_of[i]
        label = str(row.get("id", f"questions[{i}]")) if isinstance(row, dict) else f"questions[{i}]"
        try:
            question = FileQuestion(_drawable(_question(row, str(rows["domain"]), glossary)), own, _waivers(row))
        except BadField as bad:
            where = FileQuestion.line(FileQuestion(None, own), bad.path)  # type: ignore[arg-type]
            problems.append(_problem(path, where, label, bad.path or "question", bad.reason))
            continue
        found.append(question)
        problems += [FileProblem(path, question.line(p.field), label, p) for p in lint(question.draft, known, severity)]
    return found, problems


def _lines_by_question(lines: dict[str, int]) -> dict[int, dict[str, int]]:
    """The lines of each question's own fields, by its place in the list."""
    found: dict[int, dict[str, int]] = {}
    for key, line in lines.items():
        row = ROW.match(key)
        if row:
            found.setdefault(int(row.group(1)), {})[row.group(2)] = line
    return found


def _problem(path: Path, line: int, question: str, field: str, reason: str) -> FileProblem:
    return FileProblem(path, line, question, FORMAT.problem(field, reason))


FIELDS = {f.name for f in dataclasses.fields(DraftQuestion)} - {"key", "domain"} | {"id", "waive"}
OPTIONAL = {"modules", "second_reader", "second_read_on", "waive"}


def _question(row: Any, domain: str, glossary: Glossary) -> DraftQuestion:
    row = mapping(row, "", FIELDS, OPTIONAL)
    for name, allowed in (
        ("kind", KINDS),
        ("difficulty", DIFFICULTIES),
        ("pool", POOLS),
    ):
        if row[name] not in allowed:
            raise BadField(name, f"must be one of {', '.join(allowed)}")
    text = _texts(glossary)
    return DraftQuestion(
        key=plain(row["id"], "id"),
        domain=domain,
        concepts=tuple(plain(v, f"concepts[{i}]") for i, v in enumerate(list_of(row["concepts"], "concepts"))),
        pool=row["pool"],
        kind=row["kind"],
        difficulty=row["difficulty"],
        title=text(row["title"], "title"),
        stem=_texts(glossary, introduce=True)(row["stem"], "stem"),
        options=tuple(_option(v, f"options[{i}]", text) for i, v in enumerate(list_of(row["options"], "options"))),
        clues=tuple(_clue(v, f"clues[{i}]", text) for i, v in enumerate(list_of(row["clues"], "clues"))),
        quick_answer=text(row["quick_answer"], "quick_answer"),
        explanation=text(row["explanation"], "explanation"),
        principle=text(row["principle"], "principle"),
        trap=text(row["trap"], "trap"),
        detail=text(row["detail"], "detail"),
        takeaway=text(row["takeaway"], "takeaway"),
        example=text(row["example"], "example"),
        key_concepts=_text_list(row, "key_concepts", text),
        exam_tips=_text_list(row, "exam_tips", text),
        sources=tuple(source(v, f"sources[{i}]") for i, v in enumerate(list_of(row["sources"], "sources"))),
        modules=tuple(plain(v, f"modules[{i}]") for i, v in enumerate(list_of(row.get("modules", []), "modules"))),
        second_reader=plain(row.get("second_reader", ""), "second_reader"),
        second_read_on=date(row["second_read_on"], "second_read_on") if row.get("second_read_on") else None,
    )


def _drawable(draft: DraftQuestion) -> DraftQuestion:
    where, why = refused_text(draft.prose())
    if why:
        raise BadField(where, why)
    return draft


def _waivers(row: dict[str, Any]) -> dict[str, str]:
    value = row.get("waive", {})
    if not isinstance(value, dict):
        raise BadField("waive", "must name rules, each with a reason")
    reasons = {name: plain(reason, f"waive.{name}") for name, reason in value.items()}
    for name, reason in reasons.items():
        if not reason:
            raise BadField(f"waive.{name}", "needs a reason")
    return reasons


Text = Callable[[Any, str], str]


def _texts(glossary: Glossary, introduce: bool = False) -> Text:
    def text(value: Any, path: str) -> str:
        try:
            return expand(plain(value, path), glossary, introduce)
        except UnknownTerm as error:
            raise BadField(path, str(error)) from error

    return text


def _text_list(row: dict[str, Any], name: str, text: Text) -> tuple[str, ...]:
    return tuple(text(value, f"{name}[{i}]") for i, value in enumerate(list_of(row[name], name)))


def _option(value: Any, path: str, text: Text) -> DraftOption:
    row = mapping(
        value,
        path,
        {"slot", "text", "right", "tempts", "why", "concept"},
        {"right", "concept"},
    )
    if not isinstance(row["slot"], int):
        raise BadField(f"{path}.slot", "must be a number")
    if not isinstance(row.get("right", False), bool):
        raise BadField(f"{path}.right", "must be true or false")
    return DraftOption(
        slot=row["slot"],
        text=text(row["text"], f"{path}.text"),
        right=row.get("right", False),
        tempts=text(row["tempts"], f"{path}.tempts"),
        why=text(row["why"], f"{path}.why"),
        concept=plain(row["concept"], f"{path}.concept") if row.get("concept") else None,
    )


def _clue(value: Any, path: str, text: Text) -> DraftClue:
    row = mapping(value, path, {"phrase", "why", "confirms"})
    confirms = list_of(row["confirms"], f"{path}.confirms")
    if not all(isinstance(slot, int) for slot in confirms):
        raise BadField(f"{path}.confirms", "must be a list of slots")
    return DraftClue(
        text(row["phrase"], f"{path}.phrase"),
        text(row["why"], f"{path}.why"),
        tuple(confirms),
    )
