"""An exam's bank for counting: which units are live, and what they are about. The same for every learner."""

from __future__ import annotations

import secrets
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from django.conf import settings
from django.core.cache import cache

from questions.catalogue.models import Concept, Exam
from questions.modules.reads import Outline, outlines
from questions.versions.models.drafts import Pool, Question
from questions.versions.models.versions import QuestionVersion


@dataclass(frozen=True)
class Coverage:
    """How many of a domain's units this learner has seen; ``fresh`` ones are unseen."""

    domain: int
    total: int
    seen: int

    @property
    def fresh(self) -> int:
        """Units not seen yet."""
        return self.total - self.seen


@dataclass(frozen=True)
class ConceptUnits:
    """A concept with its live units."""

    pk: int
    domain: int
    key: str
    name: str
    units: frozenset[int]


@dataclass(frozen=True)
class Bank:
    """Numbers in a few dicts and sets, which a cache returns quickly; ``unit`` as ``units.py`` numbers them.

    ``units`` has every question of the exam, because seeing a retired one counts as seeing its siblings; ``live`` are
    the questions that can enter a new session, ``public`` the public ones among them; ``domains`` has the live units,
    of which ``basic`` are those that only drills take.
    """

    units: Mapping[int, int]
    live: frozenset[int]
    public: frozenset[int]
    domains: Mapping[int, int]
    public_units: frozenset[int]
    basic: frozenset[int]
    concepts: tuple[ConceptUnits, ...]
    modules: tuple[Outline, ...]

    @cached_property
    def _for_mocks(self) -> frozenset[int]:
        return frozenset(self.domains.keys() - self.basic)

    @cached_property
    def _public_for_mocks(self) -> frozenset[int]:
        return self.public_units - self.basic

    @cached_property
    def _totals(self) -> Counter[int]:
        return Counter(self.domains[unit] for unit in self._for_mocks)

    @cached_property
    def _public_totals(self) -> Counter[int]:
        return Counter(self.domains[unit] for unit in self._public_for_mocks)

    def units_of(self, questions: Iterable[int]) -> set[int]:
        """The units of these questions."""
        return {self.units[question] for question in questions if question in self.units}

    def coverage(self, seen: Iterable[int], *, public_only: bool = False) -> dict[int, Coverage]:
        """By domain id, of the units that a mock may draw, with these questions seen."""
        among = self._public_for_mocks if public_only else self._for_mocks
        total = self._public_totals if public_only else self._totals
        met = Counter(self.domains[unit] for unit in self.units_of(seen) & among)
        return {domain: Coverage(domain, n, met[domain]) for domain, n in total.items()}

    def drillable(self, questions: Iterable[int], shown: Collection[int], locked: Collection[int]) -> set[int]:
        """The units of those questions that a drill may take: public ones, and reserved ones that were shown; none in
        the locked families, which are in an unfinished mock."""
        may = (each for each in questions if each in self.public or (each in self.live and each in shown))
        return self.units_of(may) - set(locked)

    def reviewable(self, units: Iterable[int], shown: Collection[int], locked: Collection[int]) -> set[int]:
        """The units from which a review may take a question: as above, except that a shown question unlocks its
        siblings too."""
        opened = (self.units_of(shown) & self.domains.keys()) | self.public_units
        return (set(units) & opened) - set(locked)


def bank_of(exam: Exam) -> Bank:
    """Cached for a minute, for all learners; sessions draw from the rows, so nothing withdrawn is ever asked.

    A process that has it asks the cache only for its key: for 30,000 questions it is a megabyte to fetch and unpack.
    """
    key, seconds = key_of(exam), settings.BANK_COUNT_SECONDS
    name, here = cache.get(key), _here.get(exam.pk)
    if name and here and here[0] == name:
        return here[1]
    bank: Bank | None = cache.get(f"{key}:{name}") if name else None
    if name is None or bank is None:
        name, bank = secrets.token_hex(8), _bank(exam)
        cache.set(f"{key}:{name}", bank, seconds)
        cache.set(key, name, seconds)
    _here[exam.pk] = name, bank
    return bank


def key_of(exam: Exam) -> str:
    """The cache key of its current key; without that, it is recounted."""
    return f"bank-counted:{exam.pk}"


_here: dict[int, tuple[str, Bank]] = {}
"""By exam, what this process fetched last, with its key in the cache."""


def _bank(exam: Exam) -> Bank:
    of_version = ("live_version", "live_version__domain", "live_version__pool")
    is_basic = "live_version__is_basic"
    rows = Question.objects.filter(exam=exam).order_by()
    columns = rows.values_list("pk", "family", *of_version, "withdrawn_at", "retired_at", is_basic)
    questions = [(pk, family or -pk, *rest) for pk, family, *rest in columns]
    live = [row for row in questions if row[2] and not row[5] and not row[6]]
    public = [row for row in live if row[4] == Pool.PUBLIC]
    return Bank(
        units={pk: unit for pk, unit, *_ in questions},
        live=frozenset(row[0] for row in live),
        public=frozenset(row[0] for row in public),
        domains={row[1]: row[3] for row in live},
        public_units=frozenset(row[1] for row in public),
        basic=frozenset(row[1] for row in live if row[7]),
        concepts=_concepts(exam, {row[2]: row[1] for row in live}),
        modules=tuple(outlines(exam)),
    )


def _concepts(exam: Exam, versions: Mapping[int, int]) -> tuple[ConceptUnits, ...]:
    """Concepts with a live question, in the catalogue's order; ``versions`` are the live ones with their units."""
    units: dict[int, set[int]] = defaultdict(set)
    links = QuestionVersion.concepts.through.objects.filter(concept__domain__exam=exam)
    for version, concept in links.order_by().values_list("questionversion_id", "concept_id"):
        if version in versions:
            units[concept].add(versions[version])
    rows = Concept.objects.filter(pk__in=list(units)).order_by("domain", "pk")
    return tuple(
        ConceptUnits(pk, domain, key, name, frozenset(units[pk]))
        for pk, domain, key, name in rows.values_list("pk", "domain_id", "key", "name")
    )
