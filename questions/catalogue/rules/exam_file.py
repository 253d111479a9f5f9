"""``exam.yaml``: an exam with its blueprints, domains and concepts, as plain data."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any

from questions.catalogue.rules.yaml_fields import BadField, date, list_of, mapping, plain


@dataclass(frozen=True)
class WeightLine:
    """How a blueprint prints and weighs a domain."""

    domain: str
    weight: Decimal
    name: str


@dataclass(frozen=True)
class BlueprintLine:
    """One dated guide."""

    key: str
    name: str
    effective_from: dt.date
    current: bool
    question_count: int
    minutes: int
    pass_mark: int
    weights: tuple[WeightLine, ...]


@dataclass(frozen=True)
class DomainLine:
    """A domain and its concepts as (key, name)."""

    key: str
    number: int
    concepts: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Targets:
    """What ``manage.py lint_bank`` holds the exam's bank to; what is not given is not checked."""

    questions: int = 0
    open_per_domain: int = 0
    unseen_mocks: int = 0
    concepts: int = 0
    multiple: int = 0
    difficulty: tuple[int, ...] = ()
    stem_words: tuple[int, ...] = ()
    sample_words: tuple[int, ...] = ()


@dataclass(frozen=True)
class ExamFile:
    """The whole file."""

    slug: str
    code: str
    name: str
    vendor: str
    summary: str
    guide_url: str
    retake_days: tuple[int, ...]
    blueprints: tuple[BlueprintLine, ...]
    domains: tuple[DomainLine, ...]
    targets: Targets = Targets()
    place: int | None = None


TEXTS = ("slug", "code", "name", "vendor", "summary", "guide_url")
NUMBERS = ("question_count", "minutes", "pass_mark")
TARGETS = ("questions", "open_per_domain", "unseen_mocks", "concepts", "multiple")
TARGET_ROWS = {"difficulty": 3, "stem_words": 2, "sample_words": 2}


def exam_from(value: Any) -> ExamFile:
    """Check the parsed file; raises BadField with the path of what is wrong."""
    optional = {"retake_days", "targets", "place"}
    row = mapping(value, "", {*TEXTS, *optional, "blueprints", "domains"}, optional)
    domains = tuple(_domain(v, f"domains[{i}]") for i, v in enumerate(list_of(row["domains"], "domains")))
    keys = {domain.key for domain in domains}
    blueprints = tuple(
        _blueprint(v, f"blueprints[{i}]", keys) for i, v in enumerate(list_of(row["blueprints"], "blueprints"))
    )
    if [b.current for b in blueprints].count(True) != 1:
        raise BadField("blueprints", "exactly one must be current")
    retakes = list_of(row.get("retake_days", []), "retake_days")
    return ExamFile(
        **{name: plain(row[name], name) for name in TEXTS},
        retake_days=tuple(_number(days, f"retake_days[{i}]") for i, days in enumerate(retakes)),
        blueprints=blueprints,
        domains=domains,
        targets=_targets(row.get("targets", {})),
        place=_number(row["place"], "place") if "place" in row else None,
    )


def _targets(value: Any) -> Targets:
    row = mapping(value, "targets", {*TARGETS, *TARGET_ROWS}, {*TARGETS, *TARGET_ROWS})
    rows: dict[str, tuple[int, ...]] = {}
    for name in TARGET_ROWS.keys() & row.keys():
        path = f"targets.{name}"
        rows[name] = tuple(_number(v, f"{path}[{i}]") for i, v in enumerate(list_of(row[name], path)))
        if len(rows[name]) != TARGET_ROWS[name]:
            raise BadField(path, f"needs {TARGET_ROWS[name]} numbers")
    numbers = {name: _number(row[name], f"targets.{name}") for name in TARGETS if name in row}
    return Targets(**numbers, **rows)  # type: ignore[arg-type]


def _domain(value: Any, path: str) -> DomainLine:
    row = mapping(value, path, {"key", "number", "concepts"})
    concepts = []
    for i, item in enumerate(list_of(row["concepts"], f"{path}.concepts")):
        here = f"{path}.concepts[{i}]"
        concept = mapping(item, here, {"key", "name"})
        concepts.append((plain(concept["key"], f"{here}.key"), plain(concept["name"], f"{here}.name")))
    return DomainLine(plain(row["key"], f"{path}.key"), _number(row["number"], f"{path}.number"), tuple(concepts))


def _blueprint(value: Any, path: str, domains: set[str]) -> BlueprintLine:
    row = mapping(value, path, {"key", "name", "effective_from", "current", "weights", *NUMBERS})
    weights = mapping(row["weights"], f"{path}.weights", domains)
    return BlueprintLine(
        key=plain(row["key"], f"{path}.key"),
        name=plain(row["name"], f"{path}.name"),
        effective_from=date(row["effective_from"], f"{path}.effective_from"),
        current=row["current"] is True,
        weights=tuple(_weight(key, v, f"{path}.weights.{key}") for key, v in weights.items()),
        **{name: _number(row[name], f"{path}.{name}") for name in NUMBERS},
    )


def _weight(key: str, value: Any, path: str) -> WeightLine:
    if not isinstance(value, list) or len(value) != 2:
        raise BadField(path, 'must be ["weight", printed name]')
    try:
        weight = Decimal(plain(value[0], path))
    except InvalidOperation as error:
        raise BadField(path, f"“{value[0]}” is not a number") from error
    if weight <= 0:
        raise BadField(path, "the weight must be above 0")
    return WeightLine(key, weight, plain(value[1], path))


def _number(value: Any, path: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise BadField(path, "must be a whole number from 1")
    return value
