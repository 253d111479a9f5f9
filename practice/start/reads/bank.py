"""An exam's bank for counting: which units are live, and what they are about. The same for every learner."""

from __future__ import annotations

import random
import secrets
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from django.conf import settings
from django.core.cache import cache

from practice.start.reads.picking import Stock, place_of
from questions.catalogue.models import Concept, Exam
from questions.modules.reads import Outline, outlines
from questions.versions.models.drafts import Pool, Question
from questions.versions.models.versions import QuestionVersion

LARGE = 2_000
"""Public numbers given out. In a smaller bank, ranking everything costs no more than choosing what to rank."""
SAMPLED = 60
"""Units sampled from a domain. A mock takes some ten, so there are enough even for a learner who has seen two in
three."""


LEAST_SAMPLED, SAMPLED_FOR_EACH = 80, 4
"""Units sampled for a drill, at least and per question: enough even if most were seen."""
LEAST_OF_DOMAIN = 20
"""The same for each domain of a drill in the guide's shares."""
OF_ONE_LABEL = 3
"""How many times as many units are sampled for a drill of some difficulties or kinds only."""


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

    @cached_property
    def members(self) -> Mapping[int, list[int]]:
        """By unit, its questions that can enter a new session."""
        found: dict[int, list[int]] = defaultdict(list)
        for question in sorted(self.live):
            found[self.units[question]].append(question)
        return found

    @cached_property
    def pools(self) -> Mapping[int, tuple[list[int], list[int]]]:
        """By domain id, its reserved units and its public ones."""
        found: dict[int, tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
        for unit in sorted(self.domains):
            found[self.domains[unit]][unit in self.public_units].append(unit)
        return dict(found)

    def sample(self, stock: Stock, domains: Iterable[int], seed: int) -> list[int]:
        """A random sample of what a mock may take from these domains, with whole families, from which it can be drawn
        like from all.

        Of each domain, all reserved units and SAMPLED public ones; if it has more reserved units than that, SAMPLED of
        those.
        """
        rng, units = random.Random(f"sample {seed}"), list[int]()
        for domain in sorted(domains):
            reserved, public = self.for_mocks(stock, domain)
            units += (
                _some(rng, reserved, SAMPLED) if len(reserved) > SAMPLED else reserved + _some(rng, public, SAMPLED)
            )
        return [question for unit in units for question in self.members[unit]]

    def for_mocks(self, stock: Stock, domain: int) -> tuple[list[int], list[int]]:
        """A domain's reserved and public units that a mock may take: for a guest the same ones as ``guest_share``."""
        reserved, public = self.pools.get(domain, ([], []))
        public = [unit for unit in public if unit not in self.basic] if self.basic else public
        if not stock.reserved:
            return [], public
        if stock.share is None or stock.percent is None:
            return reserved, public
        a, b = stock.share
        ranked = sorted(reserved, key=lambda unit: place_of(self.members[unit][0], a, b))
        return ranked[: -(-len(reserved) * stock.percent // 100)], public

    def sample_for_drill(
        self, domains: Iterable[int], size: int, seed: int, met: Iterable[int] = (), *, of_one_label: bool = False
    ) -> list[int]:
        """A random sample of what a drill may take from these domains, with whole families: public units, and reserved
        ones with questions that were ``met``."""
        opened = self.units_of(met)
        units = [unit for domain in sorted(domains) for unit in self._for_drills(domain, opened)]
        most = max(LEAST_SAMPLED, SAMPLED_FOR_EACH * size) * (OF_ONE_LABEL if of_one_label else 1)
        part = _some(random.Random(f"sample {seed}"), units, most)
        return [question for unit in part for question in self.members[unit]]

    def sample_by_shares(self, wanted: Mapping[int, int], met: Iterable[int], seed: int) -> list[int]:
        """The same for a drill with so many questions of each domain."""
        rng, opened, units = random.Random(f"sample {seed}"), self.units_of(met), list[int]()
        for domain, count in sorted(wanted.items()):
            most = max(LEAST_OF_DOMAIN, SAMPLED_FOR_EACH * count)
            units += _some(rng, self._for_drills(domain, opened), most)
        return [question for unit in units for question in self.members[unit]]

    def _for_drills(self, domain: int, opened: Collection[int]) -> list[int]:
        """A domain's public units, and those of the reserved ones that are opened."""
        reserved, public = self.pools.get(domain, ([], []))
        return public + [unit for unit in reserved if unit in opened] if opened else public

    def units_of(self, questions: Iterable[int]) -> set[int]:
        """The units of these questions."""
        return {self.units[question] for question in questions if question in self.units}

    def coverage(self, seen: Iterable[int], *, public_only: bool = False) -> dict[int, Coverage]:
        """By domain id, of the units that a mock may draw, with these questions seen."""
        among = self._public_for_mocks if public_only else self._for_mocks
        total = self._public_totals if public_only else self._totals
        met = Counter(self.domains[unit] for unit in self.units_of(seen) & among)
        return {domain: Coverage(domain, n, met[domain]) for domain, n in total.items()}

    def left(self, stock: Stock, seen: Collection[int]) -> dict[int, Coverage]:
        """The same, of the units that a mock may take from a stock: for a guest, also a share of the reserved ones."""
        if not stock.reserved or stock.share is None:
            return self.coverage(seen, public_only=not stock.reserved)
        found, met = self.coverage(seen, public_only=True), self.units_of(seen)
        for domain in self.pools:
            shared, of_public = self.for_mocks(stock, domain)[0], found.get(domain, Coverage(domain, 0, 0))
            of_shared = sum(unit in met for unit in shared)
            found[domain] = Coverage(domain, of_public.total + len(shared), of_public.seen + of_shared)
        return found

    def drillable(self, questions: Iterable[int], shown: Collection[int], locked: Collection[int]) -> set[int]:
        """The units of those questions that a drill may take: public ones, and reserved ones that were shown; none in
        the locked families, which are in an unfinished mock."""
        may = (each for each in questions if each in self.public or (each in self.live and each in shown))
        return self.units_of(may) - set(locked)

    def reviewable(self, units: Iterable[int], shown: Collection[int], locked: Collection[int]) -> set[int]:
        """The units from which a review may take a question: as above, except that a shown question unlocks its
        siblings too."""
        opened = self.units_of(shown) & self.domains.keys()
        return {unit for unit in units if unit in self.public_units or unit in opened} - set(locked)


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
    """The cache key under which the name of the current bank is stored; without it, the bank is counted again."""
    return f"bank-counted:{exam.pk}"


def large_bank(exam: Exam) -> Bank | None:
    """The exam's bank, from a sample of which sessions are drawn first; None if it isn't large."""
    return bank_of(exam) if exam.highest_number > LARGE else None


def _some(rng: random.Random, units: list[int], most: int) -> list[int]:
    return rng.sample(units, most) if len(units) > most else units


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
