"""Bank files: YAML that people read and edit, parsed into drafts with the line of every field."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from questions.bank_files.rules.families import OF_THE_FAMILY, OF_THE_VARIANT, spread
from questions.catalogue.rules.glossary import Glossary, UnknownTerm, expand
from questions.catalogue.rules.retired_file import WHY_LENGTH
from questions.catalogue.rules.sources import source
from questions.catalogue.rules.yaml_fields import BadField, BadYaml, date, list_of, mapping, plain, read_yaml
from questions.lint.rules import FORMAT, NOTHING, Known, Problem, lint
from questions.versions.rules.draft import DIFFICULTIES, KINDS, POOL_NAMES, DraftClue, DraftOption, DraftQuestion
from questions.versions.rules.text_caps import refused_text

ROW = re.compile(r"(questions|families)\[(\d+)\](?:\.|\Z)(.*)", re.S)
LISTS = {"questions", "families"}
T = TypeVar("T")


@dataclass(frozen=True)
class FileProblem:
    """What is wrong in a file, and where; ``question`` is empty if it isn't about a question."""

    path: Path
    line: int
    question: str
    problem: Problem

    def __str__(self) -> str:
        where = f"{self.question}: {self.problem.field}" if self.question else self.problem.field
        return (
            f"{self.path}:{self.line}: {where}: {self.problem.message} [{self.problem.rule}, {self.problem.severity}]"
        )


def format_problem(path: Path, line: int, field: str, reason: str, question: str = "") -> FileProblem:
    """Why a file, or one entry of it, can't be read."""
    return FileProblem(path, line, question, FORMAT.problem(field, reason))


def read_whole(path: Path, read: Callable[[Path], T]) -> T | FileProblem:
    """The result of ``read`` for a file other than a question file, or why it can't be read."""
    try:
        return read(path)
    except UnicodeDecodeError:
        return format_problem(path, 1, "file", "is not UTF-8")
    except BadYaml as error:
        return format_problem(path, error.line, "file", error.reason)
    except BadField as error:
        return format_problem(path, 1, error.path, error.reason)


@dataclass(frozen=True)
class FileQuestion:
    """A draft with the lines of its fields, its waived warnings (rule and reason), and why it changed."""

    draft: DraftQuestion
    lines: dict[str, int]
    waive: dict[str, str] = field(default_factory=dict)
    changed: str = ""

    def line(self, field: str) -> int:
        """The line of a field, or of the closest part of its path in the file."""
        while field and field not in self.lines:
            field = field.rpartition(".")[0] if "." in field else field.rpartition("[")[0]
        return self.lines.get(field, self.lines[""])


def read_bank_file(
    path: Path, glossary: Glossary, known: Known | None = NOTHING, severity: str = ""
) -> tuple[list[FileQuestion], list[FileProblem]]:
    """Read one question file: the questions that parse, and every problem found, or those of one severity.

    Without ``known``, questions aren't checked. Waivers are returned; applying them is up to the caller.
    """
    try:
        rows, lines = read_yaml(path.read_text(encoding="utf-8"))
    except BadYaml as error:
        return [], [format_problem(path, error.line, "file", error.reason)]
    except UnicodeDecodeError:
        return [], [format_problem(path, 1, "file", "is not UTF-8")]
    if not isinstance(rows, dict) or not _is_bank(rows):
        return [], [format_problem(path, 1, "file", "needs “domain” and a list “questions” or “families”")]
    found: list[FileQuestion] = []
    problems: list[FileProblem] = []
    for each in _entries(rows, _lines_by_entry(lines), glossary):
        try:
            if isinstance(each.row, BadField):
                raise each.row
            draft = _drawable(_question(each.row, str(rows["domain"]), glossary))
            draft = dataclasses.replace(draft, family=each.family, clause=each.clause)
            question = FileQuestion(draft, each.lines, _waivers(each.row), _why_changed(each.row))
        except BadField as bad:
            where = FileQuestion.line(FileQuestion(None, each.lines), bad.path)  # type: ignore[arg-type]
            problems.append(format_problem(path, where, bad.path or "question", bad.reason, each.label))
            continue
        found.append(question)
        findings = lint(question.draft, known, severity) if known is not None else []
        problems += [FileProblem(path, question.line(p.field), each.label, p) for p in findings]
    return found, list(_once_a_line(problems))


def _is_bank(rows: dict[str, Any]) -> bool:
    lists = set(rows) & LISTS
    return set(rows) == {"domain"} | lists and bool(lists) and all(isinstance(rows[name], list) for name in lists)


@dataclass(frozen=True)
class _Entry:
    """A question's row, or why its family can't be read."""

    label: str
    row: Any
    lines: dict[str, int]
    family: str = ""
    clause: str = ""


def _entries(
    rows: dict[str, Any], lines_of: dict[tuple[str, int], dict[str, int]], glossary: Glossary
) -> Iterator[_Entry]:
    """The questions of a file, with those in families last."""
    for i, row in enumerate(rows.get("questions", [])):
        yield _Entry(_label(row, f"questions[{i}]"), row, lines_of["questions", i])
    for i, family in enumerate(rows.get("families", [])):
        own, label = lines_of["families", i], _label(family, f"families[{i}]")
        try:
            variants = spread(family, own, EITHER, glossary)
        except BadField as bad:
            yield _Entry(label, bad, own)
            continue
        for each in variants:
            yield _Entry(_label(each.row, label), each.row, each.lines, each.family, each.clause)


def _label(row: Any, place: str) -> str:
    return str(row.get("id", place)) if isinstance(row, dict) else place


def _lines_by_entry(lines: dict[str, int]) -> dict[tuple[str, int], dict[str, int]]:
    """The lines of each question's and family's own fields, by list and index."""
    found: dict[tuple[str, int], dict[str, int]] = {}
    for key, line in lines.items():
        row = ROW.match(key)
        if row:
            found.setdefault((row.group(1), int(row.group(2))), {})[row.group(3)] = line
    return found


def _once_a_line(problems: Iterable[FileProblem]) -> Iterator[FileProblem]:
    """Problems in shared parts are found in each sibling, and reported once."""
    told = set()
    for each in problems:
        place = (each.line, each.problem)
        if place not in told:
            told.add(place)
            yield each


OF_THE_FILE = {"id", "waive", "changed"}  # fields that aren't part of a draft
FIELDS = {f.name for f in dataclasses.fields(DraftQuestion)} - {"key", "domain", "family", "clause"} | OF_THE_FILE
OPTIONAL = {"modules", "objectives", "second_reader", "second_read_on", "waive", "changed"}
EITHER = FIELDS - OF_THE_FAMILY - OF_THE_VARIANT


def _question(row: Any, domain: str, glossary: Glossary) -> DraftQuestion:
    row = mapping(row, "", FIELDS, OPTIONAL)
    for name, allowed in (
        ("kind", KINDS),
        ("difficulty", DIFFICULTIES),
        ("pool", POOL_NAMES),
    ):
        if row[name] not in allowed:
            raise BadField(name, f"must be one of {', '.join(allowed)}")
    text = _texts(glossary)
    return DraftQuestion(
        key=plain(row["id"], "id"),
        domain=domain,
        concepts=_names(row, "concepts"),
        pool=POOL_NAMES[row["pool"]],
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
        modules=_names(row, "modules"),
        objectives=_names(row, "objectives"),
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


def _why_changed(row: dict[str, Any]) -> str:
    """The changelog entry for the version this text makes, if it makes one."""
    if "changed" not in row:
        return ""
    why = plain(row["changed"], "changed")
    if not 0 < len(why) <= WHY_LENGTH:
        raise BadField("changed", f"must have 1 to {WHY_LENGTH} characters")
    return why


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


def _names(row: dict[str, Any], name: str) -> tuple[str, ...]:
    return tuple(plain(v, f"{name}[{i}]") for i, v in enumerate(list_of(row.get(name, []), name)))


def _option(value: Any, path: str, text: Text) -> DraftOption:
    row = mapping(
        value,
        path,
        {"slot", "text", "right", "tempts", "why", "concept", "right_if", "never"},
        {"right", "concept", "right_if", "never"},
    )
    if row.get("right_if") and row.get("never"):
        raise BadField(f"{path}.never", "is set as well as “right_if”; only one of the two can apply")
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
        right_if=text(row.get("right_if", ""), f"{path}.right_if"),
        never=text(row.get("never", ""), f"{path}.never"),
    )


def _clue(value: Any, path: str, text: Text) -> DraftClue:
    row = mapping(value, path, {"phrase", "why", "confirms", "rules_out"}, {"rules_out"})
    return DraftClue(
        text(row["phrase"], f"{path}.phrase"),
        text(row["why"], f"{path}.why"),
        _slots(row["confirms"], f"{path}.confirms"),
        _slots(row.get("rules_out", []), f"{path}.rules_out"),
    )


def _slots(value: Any, path: str) -> tuple[int, ...]:
    slots = list_of(value, path)
    if not all(isinstance(slot, int) for slot in slots):
        raise BadField(path, "must be a list of slots")
    return tuple(slots)
