"""Whether the bank has what its blueprints need: questions by domain, difficulty and pool; whole unseen mocks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Count

from questions.catalogue.models import Blueprint, BlueprintDomain, Exam
from questions.catalogue.rules.shares import allocate, missing_for, printed, whole_mocks
from questions.versions.models.drafts import Difficulty, Pool, Question

Cells = Mapping[tuple[int, str, str], int]
"""Questions a new session can use, by (domain id, pool, difficulty)."""


@dataclass(frozen=True)
class PoolCount:
    """One pool's questions in a domain: by difficulty in the order of ``Difficulty``, and in total."""

    by_difficulty: Sequence[int]
    total: int


@dataclass(frozen=True)
class DomainCoverage:
    """A domain of a guide: the questions one mock takes from it, what the bank has, and for how many mocks that lasts.

    None mocks: a mock takes nothing from it.
    """

    number: int
    name: str
    weight: str
    need: int
    open: PoolCount
    reserved: PoolCount
    reserved_mocks: int | None
    all_mocks: int | None


@dataclass(frozen=True)
class UnseenMocks:
    """How many full-length mocks a new learner can take without seeing a question twice.

    ``missing``: what one more would need, as (domain number, questions).
    """

    count: int
    missing: Sequence[tuple[int, int]]


@dataclass(frozen=True)
class GuideCoverage:
    """A guide compared with the bank. ``elsewhere``: usable questions in domains this guide doesn't have."""

    blueprint: Blueprint
    domains: Sequence[DomainCoverage]
    reserved: UnseenMocks
    both: UnseenMocks
    elsewhere: int


@dataclass(frozen=True)
class ExamCoverage:
    """An exam, its newest guide first."""

    exam: Exam
    usable: int
    blueprints: Sequence[GuideCoverage]


def bank_coverage() -> list[ExamCoverage]:
    """Every exam; in five queries, however many exams, guides and questions there are."""
    cells: dict[int, dict[tuple[int, str, str], int]] = defaultdict(dict)
    for exam_id, domain_id, pool, difficulty, n in _usable():
        cells[exam_id][domain_id, pool, difficulty] = n
    exams = Exam.objects.listed().prefetch_related("blueprints__domains__domain")
    return [_exam(exam, cells[exam.pk]) for exam in exams]


def _usable() -> list[tuple[int, int, str, str, int]]:
    """Live full questions, neither withdrawn nor retired, by their live versions."""
    usable = Question.objects.filter(live_version__is_basic=False, withdrawn_at=None, retired_at=None)
    columns = ("exam_id", "live_version__domain_id", "live_version__pool", "live_version__difficulty")
    return list(usable.order_by().values_list(*columns).annotate(n=Count("pk")))


def _exam(exam: Exam, cells: Cells) -> ExamCoverage:
    blueprints = sorted(exam.blueprints.all(), key=lambda blueprint: blueprint.effective_from, reverse=True)
    return ExamCoverage(exam, sum(cells.values()), [_guide(blueprint, cells) for blueprint in blueprints])


def _guide(blueprint: Blueprint, cells: Cells) -> GuideCoverage:
    parts = sorted(blueprint.domains.all(), key=lambda part: part.domain.number)
    weights = [(part.domain_id, part.weight) for part in parts]
    wanted = allocate(weights, blueprint.question_count) if any(weight for _, weight in weights) else {}
    reserved = {part.domain_id: _pool(cells, part.domain_id, Pool.RESERVED).total for part in parts}
    both = {pk: n + _pool(cells, pk, Pool.PUBLIC).total for pk, n in reserved.items()}
    numbers = {part.domain_id: part.domain.number for part in parts}
    return GuideCoverage(
        blueprint=blueprint,
        domains=[_domain(part, wanted.get(part.domain_id, 0), cells) for part in parts],
        reserved=_unseen(wanted, reserved, numbers),
        both=_unseen(wanted, both, numbers),
        elsewhere=sum(cells.values()) - sum(both.values()),
    )


def _domain(part: BlueprintDomain, need: int, cells: Cells) -> DomainCoverage:
    reserved, free = _pool(cells, part.domain_id, Pool.RESERVED), _pool(cells, part.domain_id, Pool.PUBLIC)
    return DomainCoverage(
        number=part.domain.number,
        name=part.name,
        weight=printed(part.weight),
        need=need,
        open=free,
        reserved=reserved,
        reserved_mocks=reserved.total // need if need else None,
        all_mocks=(reserved.total + free.total) // need if need else None,
    )


def _pool(cells: Cells, domain_id: int, pool: Pool) -> PoolCount:
    counts = [cells.get((domain_id, pool, difficulty), 0) for difficulty in Difficulty]
    return PoolCount(counts, sum(counts))


def _unseen(wanted: Mapping[int, int], have: Mapping[int, int], numbers: Mapping[int, int]) -> UnseenMocks:
    count = whole_mocks(wanted, have)
    missing = missing_for(count + 1, wanted, have)
    return UnseenMocks(count, sorted((numbers[pk], n) for pk, n in missing.items()))
