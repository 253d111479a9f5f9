"""``exam.yaml``: an exam with its blueprints, domains and concepts, as plain data."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from typing import Any

from questions.catalogue.rules.yaml_fields import BadField, date, list_of, mapping, plain, whole_number


@dataclass(frozen=True)
class WeightLine:
    """A domain's printed name and weight in a blueprint."""

    domain: str
    weight: Decimal
    name: str


@dataclass(frozen=True)
class BlueprintLine:
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
    """The exam's targets for ``manage.py lint_bank``; targets left out aren't checked.

    ``allowed`` are warnings that the bank may still have, by rule: its current number, so that it doesn't get worse.
    """

    questions: int = 0
    public: int = 0
    public_per_domain: int = 0
    unseen_mocks: int = 0
    concepts: int = 0
    multiple: int = 0
    difficulty: tuple[int, ...] = ()
    stem_words: tuple[int, ...] = ()
    sample_words: tuple[int, ...] = ()
    stem_spread: int = 0
    option_words: tuple[int, ...] = ()
    sample_option_words: tuple[int, ...] = ()
    longest_right: tuple[int, ...] = ()
    names_product: int = 0
    addressed: int = 0
    places: int = 0
    per_objective: tuple[int, ...] = ()
    per_point: int = 0
    in_families: int = 0
    wide_families: int = 0
    leak: int = 0
    probe: int = 0
    sound: int = 0
    given_away: int = 0
    allowed: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class ExamFile:
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
TARGETS = (
    *("questions", "public", "public_per_domain", "unseen_mocks", "concepts", "multiple"),
    *("stem_spread", "names_product", "addressed", "places", "per_point", "in_families", "wide_families"),
    *("leak", "probe", "sound", "given_away"),
)
FORMER_TARGETS = {"open_per_domain": "public_per_domain"}  # so that files from 0.1.0 still load
TARGET_ROWS = {
    "difficulty": 3,
    **dict.fromkeys(
        ("stem_words", "sample_words", "option_words", "sample_option_words", "longest_right", "per_objective"), 2
    ),
}


def exam_from(value: Any) -> ExamFile:
    """Check the parsed file; raises BadField with the path of the error."""
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
        retake_days=tuple(whole_number(days, f"retake_days[{i}]") for i, days in enumerate(retakes)),
        blueprints=blueprints,
        domains=domains,
        targets=_targets(row.get("targets", {})),
        place=whole_number(row["place"], "place") if "place" in row else None,
    )


def _targets(value: Any) -> Targets:
    names = {*TARGETS, *TARGET_ROWS, *FORMER_TARGETS, "allowed"}
    row = {FORMER_TARGETS.get(name, name): each for name, each in mapping(value, "targets", names, names).items()}
    rows: dict[str, tuple[int, ...]] = {}
    for name in TARGET_ROWS.keys() & row.keys():
        path = f"targets.{name}"
        rows[name] = tuple(whole_number(v, f"{path}[{i}]") for i, v in enumerate(list_of(row[name], path)))
        if len(rows[name]) != TARGET_ROWS[name]:
            raise BadField(path, f"needs {TARGET_ROWS[name]} numbers")
    numbers = {name: whole_number(row[name], f"targets.{name}") for name in TARGETS if name in row}
    allowed = row.get("allowed", {})
    allowed = mapping(allowed, "targets.allowed", allowed.keys() if isinstance(allowed, dict) else set())
    return Targets(
        **numbers,  # type: ignore[arg-type]
        **rows,  # type: ignore[arg-type]
        allowed={rule: whole_number(number, f"targets.allowed.{rule}") for rule, number in allowed.items()},
    )


def _domain(value: Any, path: str) -> DomainLine:
    row = mapping(value, path, {"key", "number", "concepts"})
    concepts = []
    for i, item in enumerate(list_of(row["concepts"], f"{path}.concepts")):
        here = f"{path}.concepts[{i}]"
        concept = mapping(item, here, {"key", "name"})
        concepts.append((plain(concept["key"], f"{here}.key"), plain(concept["name"], f"{here}.name")))
    return DomainLine(plain(row["key"], f"{path}.key"), whole_number(row["number"], f"{path}.number"), tuple(concepts))


def _blueprint(value: Any, path: str, domains: set[str]) -> BlueprintLine:
    row = mapping(value, path, {"key", "name", "effective_from", "current", "weights", *NUMBERS})
    weights = mapping(row["weights"], f"{path}.weights", domains)
    return BlueprintLine(
        key=plain(row["key"], f"{path}.key"),
        name=plain(row["name"], f"{path}.name"),
        effective_from=date(row["effective_from"], f"{path}.effective_from"),
        current=row["current"] is True,
        weights=tuple(_weight(key, v, f"{path}.weights.{key}") for key, v in weights.items()),
        **{name: whole_number(row[name], f"{path}.{name}") for name in NUMBERS},
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
