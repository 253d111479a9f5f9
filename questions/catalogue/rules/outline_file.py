"""``outlines/<blueprint>.yaml``: what a vendor's exam guide lists, as plain data. The format: docs/outlines.md."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator, Set
from dataclasses import asdict, dataclass
from decimal import Decimal, InvalidOperation
from typing import Any

from questions.catalogue.rules.exam_file import BlueprintLine, ExamFile
from questions.catalogue.rules.yaml_fields import BadField, date, list_of, mapping, plain, texts, whole_number

Fact = dict[str, Any]


@dataclass(frozen=True)
class OutlineSource:
    """The outline's source; ``opened`` is None if nobody opened it, ``url`` "" if it has no address."""

    n: int
    title: str
    url: str
    opened: dt.date | None

    def facts(self) -> dict[str, Any]:
        """The stored form; ``of`` reads it."""
        return asdict(self) | {"opened": self.opened.isoformat() if self.opened else ""}

    @classmethod
    def of(cls, facts: dict[str, Any]) -> OutlineSource:
        """From what was stored."""
        return cls(**facts | {"opened": dt.date.fromisoformat(facts["opened"]) if facts["opened"] else None})


@dataclass(frozen=True)
class ObjectiveLine:
    """An objective, or a point of the objective whose number is ``parent``."""

    number: str
    parent: str
    name: str
    words: str
    products: tuple[str, ...]


@dataclass(frozen=True)
class SectionLine:
    """A section with its objectives, each followed by its points."""

    number: str
    name: str
    weight: Decimal
    domain: str
    objectives: tuple[ObjectiveLine, ...]


@dataclass(frozen=True)
class Outline:
    """The whole file. ``logistics`` and ``changed`` are checked, and kept as written."""

    blueprint: str
    sources: tuple[OutlineSource, ...]
    logistics: dict[str, Fact]
    sections: tuple[SectionLine, ...]
    changed: dict[str, Any]

    @property
    def numbers(self) -> set[str]:
        return {line.number for section in self.sections for line in section.objectives}


def _flag(value: Any, path: str) -> bool:
    if not isinstance(value, bool):
        raise BadField(path, "must be true or false")
    return value


def _days(value: Any, path: str) -> list[int]:
    return [whole_number(each, f"{path}[{i}]") for i, each in enumerate(list_of(value, path))]


def _texts(value: Any, path: str) -> list[str]:
    return list(texts(value, path))


FIELDS = {"blueprint", "name", "in_force_from", "in_force_note", "sources", "logistics", "sections", "changed", "notes"}
OPTIONAL = {"in_force_note", "changed", "notes"}
LOGISTICS: dict[str, dict[str, Callable[[Any, str], Any]]] = {
    "questions": {"least": whole_number, "most": whole_number},
    "minutes": {"value": whole_number},
    "fee_usd": {"value": whole_number, "plus_tax": _flag},
    "languages": {"value": _texts},
    "validity_months": {"value": whole_number},
    "attempts_and_waits": {"attempts": whole_number, "within_months": whole_number, "wait_days": _days},
    "sample_questions_url": {"value": plain},
    "delivery": {"value": _texts},
}
NEWS = ("came", "went", "moved", "reworded")


def outline_from(value: Any, exam: ExamFile) -> Outline:
    """Check the parsed file against the exam's file; raises BadField with the path of the error.

    What both files have (name, day, weights, printed names) must be the same in both.
    """
    row = mapping(value, "", FIELDS, OPTIONAL)
    guide = next((each for each in exam.blueprints if each.key == plain(row["blueprint"], "blueprint")), None)
    if guide is None:
        raise BadField("blueprint", f"“{row['blueprint']}” is not a blueprint of exam.yaml")
    _same(plain(row["name"], "name"), guide.name, "name")
    _same(date(row["in_force_from"], "in_force_from"), guide.effective_from, "in_force_from")
    texts(row.get("notes", []), "notes")
    sources = tuple(_source(v, f"sources[{i}]") for i, v in enumerate(list_of(row["sources"], "sources")))
    if not sources:
        raise BadField("sources", "an outline needs a source")
    known = {source.n for source in sources}
    sections = tuple(_section(v, f"sections[{i}]", guide) for i, v in enumerate(list_of(row["sections"], "sections")))
    _check_numbers(sections, guide)
    return Outline(
        blueprint=guide.key,
        sources=sources,
        logistics=_logistics(row["logistics"], known),
        sections=sections,
        changed=_changed(row["changed"], known) if "changed" in row else {},
    )


def _same(value: Any, expected: Any, path: str) -> None:
    if value != expected:
        raise BadField(path, f"“{value}” here, “{expected}” in exam.yaml")


def _source(value: Any, path: str) -> OutlineSource:
    optional = {"url", "find_by", "opened", "note"}
    row = mapping(value, path, {"n", "title", "copy", *optional}, optional)
    _flag(row["copy"], f"{path}.copy")
    for name in ("find_by", "note"):
        plain(row.get(name, ""), f"{path}.{name}")
    return OutlineSource(
        n=whole_number(row["n"], f"{path}.n"),
        title=plain(row["title"], f"{path}.title"),
        url=plain(row.get("url", ""), f"{path}.url"),
        opened=date(row["opened"], f"{path}.opened") if "opened" in row else None,
    )


def _logistics(value: Any, known: Set[int]) -> dict[str, Fact]:
    rows = mapping(value, "logistics", LOGISTICS.keys(), LOGISTICS.keys())
    found: dict[str, Fact] = {}
    for name, fact in rows.items():
        path, parts = f"logistics.{name}", LOGISTICS[name]
        row = mapping(fact, path, {*parts, "sources"}, {"plus_tax"})
        found[name] = {part: check(row[part], f"{path}.{part}") for part, check in parts.items() if part in row}
        found[name]["sources"] = _known(row["sources"], f"{path}.sources", known)
    return found


def _known(value: Any, path: str, known: Set[int]) -> list[int]:
    numbers = _days(value, path)
    for i, number in enumerate(numbers):
        _is_known(number, f"{path}[{i}]", known)
    if not numbers:
        raise BadField(path, "a fact needs a source")
    return numbers


def _is_known(number: int, path: str, known: Set[int]) -> None:
    if number not in known:
        raise BadField(path, f"there is no source {number}")


def _section(value: Any, path: str, guide: BlueprintLine) -> SectionLine:
    row = mapping(value, path, {"number", "printed_name", "weight", "domain", "objectives"})
    domain = plain(row["domain"], f"{path}.domain")
    weighed = next((each for each in guide.weights if each.domain == domain), None)
    if weighed is None:
        raise BadField(f"{path}.domain", f"“{domain}” has no weight in this blueprint of exam.yaml")
    name, weight = plain(row["printed_name"], f"{path}.printed_name"), _weight(row["weight"], f"{path}.weight")
    _same(name, weighed.name, f"{path}.printed_name")
    _same(weight, weighed.weight, f"{path}.weight")
    lines: list[ObjectiveLine] = []
    for i, each in enumerate(list_of(row["objectives"], f"{path}.objectives")):
        lines += _objective(each, f"{path}.objectives[{i}]")
    return SectionLine(plain(row["number"], f"{path}.number"), name, weight, domain, tuple(lines))


def _weight(value: Any, path: str) -> Decimal:
    try:
        return Decimal(plain(value, path))
    except InvalidOperation as error:
        raise BadField(path, f"“{value}” is not a number") from error


def _objective(value: Any, path: str) -> Iterator[ObjectiveLine]:
    row = mapping(value, path, {"number", "printed_name", "ours", "points", "products"}, {"products"})
    number = plain(row["number"], f"{path}.number")
    name, words = plain(row["printed_name"], f"{path}.printed_name"), plain(row["ours"], f"{path}.ours")
    yield ObjectiveLine(number, "", name, words, texts(row.get("products", []), f"{path}.products"))
    for i, each in enumerate(list_of(row["points"], f"{path}.points")):
        here = f"{path}.points[{i}]"
        point = mapping(each, here, {"number", "ours", "products"})
        own = plain(point["number"], f"{here}.number")
        if not own.startswith(f"{number}."):
            raise BadField(f"{here}.number", f"must begin with “{number}.”")
        products = texts(point["products"], f"{here}.products")
        yield ObjectiveLine(own, number, "", plain(point["ours"], f"{here}.ours"), products)


def _check_numbers(sections: tuple[SectionLine, ...], guide: BlueprintLine) -> None:
    """Numbers must be unique, and the outline must include every domain in the blueprint."""
    seen: set[str] = set()
    for section in sections:
        for line in section.objectives:
            if line.number in seen:
                raise BadField("sections", f"{line.number} appears twice")
            seen.add(line.number)
    domains = [section.domain for section in sections]
    if sorted(domains) != sorted(weight.domain for weight in guide.weights):
        raise BadField("sections", "needs one section for each domain that the blueprint weighs")


def _changed(value: Any, known: Set[int]) -> dict[str, Any]:
    row = mapping(value, "changed", {"compared_with", "weights", *NEWS, "renamed"}, {"weights", *NEWS, "renamed"})
    plain(row["compared_with"], "changed.compared_with")
    for i, each in enumerate(list_of(row.get("weights", []), "changed.weights")):
        _texts_of(each, f"changed.weights[{i}]", ("section", "former", "now"))
    for name in NEWS:
        for i, each in enumerate(list_of(row.get(name, []), f"changed.{name}")):
            _texts_of(each, f"changed.{name}[{i}]", ("where", "what"))
    for i, each in enumerate(list_of(row.get("renamed", []), "changed.renamed")):
        path = f"changed.renamed[{i}]"
        _texts_of(each, path, ("former", "now"), {"source", "note"})
        if "source" in each:
            _is_known(each["source"], f"{path}.source", known)
    return row


def _texts_of(value: Any, path: str, fields: tuple[str, ...], more: Set[str] = frozenset()) -> None:
    row = mapping(value, path, {*fields, *more}, more)
    for name in (each for each in row if each != "source"):
        plain(row[name], f"{path}.{name}")
