"""Exams, their domains, concepts and study modules, as facts and lists."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.db.models import Case, Count, FilteredRelation, OuterRef, Q, QuerySet, Subquery, When
from django.db.models.functions import Coalesce
from django.urls import reverse

from courseiva.common.heads.links import Link
from questions.catalogue.models import Blueprint, BlueprintDomain, Concept, Domain, Exam, StudyModule
from questions.catalogue.rules.shares import printed
from questions.pages.counted.reads import fresh_since, in_order, kept_counts
from questions.pages.counted.rules import SHOWN, TOGETHER, AboutConcept, Counts
from questions.versions.models.drafts import Difficulty, Question
from questions.versions.models.versions import QuestionVersion
from questions.versions.reads.public import QuestionLine, printed_name, public_questions, question_lines, unit_number
from questions.versions.reads.tested import Tested, tested_as, tested_by, tested_in


@dataclass(frozen=True)
class ExamLine:
    exam: Exam
    blueprint: Blueprint | None
    question_count: int


@dataclass(frozen=True)
class Weight:
    """A domain's weight in one guide; None if it isn't in it."""

    blueprint: str
    value: Decimal | None

    @property
    def text(self) -> str:
        """As printed, without trailing zeros."""
        return "none" if self.value is None else printed(self.value)


@dataclass(frozen=True)
class DomainLine:
    """A domain with its weight in each guide, oldest guide first."""

    number: int
    name: str
    url: str
    weights: list[Weight]
    question_count: int
    concepts: list[Link]


@dataclass(frozen=True)
class WeightChange:
    """How the newest guide changes a domain's weight; both weights as printed."""

    number: int
    name: str
    before: str
    now: str


@dataclass(frozen=True)
class ExamPage:
    exam: Exam
    blueprints: list[Blueprint]
    current: Blueprint | None
    domains: list[DomainLine]
    totals: list[Weight]
    changes: list[WeightChange]
    modules: list[StudyModule]
    question_count: int


@dataclass(frozen=True)
class DomainPage:
    exam: Exam
    key: str
    number: int
    name: str
    tested: list[Tested]
    weights: list[Weight]
    by_difficulty: list[tuple[str, int]]
    concepts: list[Link]
    questions: list[QuestionLine]
    question_count: int
    modules: list[StudyModule]
    previous: Link | None
    next: Link | None


@dataclass(frozen=True)
class ConceptPage:
    """A concept and its questions. ``together`` are the other concepts of these questions, most frequent first."""

    exam: Exam
    key: str
    name: str
    domain: Link
    domain_number: int
    tested: list[Tested]
    by_difficulty: list[tuple[str, int]]
    together: list[Link]
    questions: list[QuestionLine]
    question_count: int
    others: list[Link]
    modules: list[StudyModule]


def exam_lines() -> list[ExamLine]:
    """All exams, with their current guide, the number of public questions and stored dates; in one query."""
    counts = public_questions().order_by().filter(exam=OuterRef("pk")).values("exam").annotate(n=Count("pk"))
    is_counted = Q(public_counts__counted_at__gte=fresh_since())
    exams = Exam.objects.listed().annotate(
        open_count=Case(
            When(is_counted, then="public_counts__total"), default=Coalesce(Subquery(counts.values("n")), 0)
        ),
        guide=FilteredRelation("blueprints", condition=Q(blueprints__is_current=True)),
    )
    rows = exams.select_related("guide", "public_counts")  # type: ignore[misc]  # the relation named above
    rows = rows.defer("public_counts__counts")
    # An exam without a current guide doesn't get this attribute.
    return [ExamLine(exam, getattr(exam, "guide", None), exam.open_count) for exam in rows]


def exam_page(exam: Exam) -> ExamPage:
    """An exam's page, in five queries."""
    blueprints, printed = _blueprints(exam)
    current = next((blueprint for blueprint in blueprints if blueprint.is_current), None)
    kept = kept_counts(exam)
    counts = kept.by_domain if kept else _counts_by_domain(exam)
    concepts = _concepts(Concept.objects.filter(domain__exam=exam), exam, kept)
    domains = [
        DomainLine(
            number=domain.number,
            name=_name(domain, printed, current),
            url=_domain_url(exam, domain),
            weights=[_weight(printed, blueprint, domain) for blueprint in blueprints],
            question_count=counts[domain.pk],
            concepts=concepts[domain.pk],
        )
        for domain in exam.domains.all()
    ]
    return ExamPage(
        exam=exam,
        blueprints=blueprints,
        current=current,
        domains=domains,
        totals=[
            Weight(blueprint.name, sum((row.weight for row in printed[blueprint.pk].values()), Decimal(0)))
            for blueprint in blueprints
        ],
        changes=_changes(blueprints, domains),
        modules=list(exam.modules.lines()),
        question_count=sum(counts.values()),
    )


def domain_page(exam: Exam, key: str) -> DomainPage:
    """The page of a domain. Raises Domain.DoesNotExist."""
    domains = list(exam.domains.all())
    place = next((i for i, domain in enumerate(domains) if domain.key == key), None)
    if place is None:
        raise Domain.DoesNotExist
    domain = domains[place]
    blueprints, printed = _blueprints(exam)
    current = next((blueprint for blueprint in blueprints if blueprint.is_current), None)
    rows, kept = public_questions().filter(live_version__domain=domain), kept_counts(exam)
    first = kept.with_columns({"domain": [domain.pk]})[1] if kept else ()
    links = [Link(_name(d, printed, current), _domain_url(exam, d), str(d.number)) for d in domains]
    return DomainPage(
        exam=exam,
        key=key,
        number=domain.number,
        name=_name(domain, printed, current),
        tested=tested_in(exam, domain),
        weights=[_weight(printed, blueprint, domain) for blueprint in blueprints],
        by_difficulty=(levels := _told(kept.by_difficulty(domain.pk)) if kept else _by_difficulty(rows)),
        concepts=_concepts(Concept.objects.filter(domain=domain), exam, kept)[domain.pk],
        questions=_lines_of(first, exam) if first else first_lines(rows.filter(exam=exam), exam),
        question_count=sum(count for _, count in levels),
        modules=list(domain.modules.lines()),
        previous=links[place - 1] if place else None,
        next=links[place + 1] if place + 1 < len(links) else None,
    )


def concept_page(exam: Exam, key: str) -> ConceptPage:
    """The page of a concept. Raises Concept.DoesNotExist."""
    named = Concept.objects.select_related("domain").annotate(domain_name=printed_name("domain"))
    concept = named.filter(domain__exam=exam, key=key).first()
    if concept is None:
        raise Concept.DoesNotExist
    rows, kept = public_questions().filter(exam=exam, live_version__concepts=concept), kept_counts(exam)
    about = kept.about_concept(concept.pk) if kept else None
    siblings = _concepts(Concept.objects.filter(domain=concept.domain), exam, kept)[concept.domain_id]
    here = reverse("concept", args=[exam.slug, key])
    counts = {link.url: int(link.detail) for link in siblings}
    return ConceptPage(
        exam=exam,
        key=key,
        name=concept.name,
        domain=Link(concept.domain_name or concept.domain.key, _domain_url(exam, concept.domain)),
        domain_number=concept.domain.number,
        tested=tested_as(exam, about.objectives) if about else tested_by(exam, rows),
        by_difficulty=_told(Counter(about.levels)) if about else _by_difficulty(rows),
        together=_kept_together(about, exam) if about else _together(concept, rows, exam),
        questions=_lines_of(about.first, exam) if about else first_lines(rows, exam),
        question_count=counts[here],
        others=[link for link in siblings if link.url != here],
        modules=list(concept.domain.modules.lines()),
    )


def first_lines(rows: QuerySet, exam: Exam) -> list[QuestionLine]:
    """The first questions of a set, by number, with families together."""
    ordered = rows.order_by(unit_number(), "number").select_related("live_version__domain")
    return question_lines(ordered[:SHOWN], exam)


def objectives_address(exam: Exam, guide: Blueprint) -> str:
    """The URL of a guide's outline: the current one, whichever it is, has the plain URL."""
    if guide.is_current:
        return reverse("objectives", args=[exam.slug])
    return reverse("objectives-of", args=[exam.slug, guide.key])


ConceptRow = tuple[int, str, str, int]
"""Domain id, key, name, number of public questions."""
Printed = dict[int, dict[int, BlueprintDomain]]


def _blueprints(exam: Exam) -> tuple[list[Blueprint], Printed]:
    """The guides, oldest first, and the printed data of domains: by guide, then by domain."""
    printed: Printed = defaultdict(dict)
    for row in BlueprintDomain.objects.filter(blueprint__exam=exam):
        printed[row.blueprint_id][row.domain_id] = row
    return list(exam.blueprints.all()), printed


def _name(domain: Domain, printed: Printed, current: Blueprint | None) -> str:
    row = printed[current.pk].get(domain.pk) if current else None
    return row.name if row else domain.key


def _weight(printed: Printed, blueprint: Blueprint, domain: Domain) -> Weight:
    row = printed[blueprint.pk].get(domain.pk)
    return Weight(blueprint.name, row.weight if row else None)


def _by_difficulty(rows: QuerySet[Question]) -> list[tuple[str, int]]:
    return _told(Counter(dict(rows.order_by().values_list("live_version__difficulty").annotate(n=Count("pk")))))


def _told(counts: Counter[str]) -> list[tuple[str, int]]:
    return [(level.label, counts[level.value]) for level in Difficulty]


def _together(concept: Concept, rows: QuerySet[Question], exam: Exam) -> list[Link]:
    tagged: Any = QuestionVersion.concepts.through.objects.filter(questionversion__in=rows.values("live_version"))
    others = tagged.exclude(concept=concept).values_list("concept__key", "concept__name").annotate(n=Count("pk"))
    found = others.order_by("-n", "concept__name", "concept")[:TOGETHER]
    return [Link(name, reverse("concept", args=[exam.slug, key]), str(n)) for key, name, n in found]


def _kept_together(about: AboutConcept, exam: Exam) -> list[Link]:
    numbers = dict(about.together)
    found = Concept.objects.in_bulk(list(numbers))
    others = [(found[pk], n) for pk, n in numbers.items() if pk in found]
    return [Link(each.name, reverse("concept", args=[exam.slug, each.key]), str(n)) for each, n in others]


def _lines_of(ids: Sequence[int], exam: Exam) -> list[QuestionLine]:
    rows = public_questions().select_related("live_version__domain")
    return question_lines(in_order(rows, ids), exam)


def _domain_url(exam: Exam, domain: Domain) -> str:
    return reverse("domain", args=[exam.slug, domain.key])


def _counts_by_domain(exam: Exam) -> Counter[int]:
    rows = public_questions().order_by().filter(exam=exam).values_list("live_version__domain")
    return Counter(dict(rows.annotate(n=Count("pk"))))


def _concepts(concepts: QuerySet[Concept], exam: Exam, kept: Counts | None) -> dict[int, list[Link]]:
    """Concepts by domain, each with the number of its public questions."""
    found: dict[int, list[Link]] = defaultdict(list)
    rows = _with_kept(concepts, kept) if kept else _with_counted(concepts, exam)
    for domain, key, name, n in rows:
        found[domain].append(Link(name, reverse("concept", args=[exam.slug, key]), str(n)))
    return found


def _with_kept(concepts: QuerySet[Concept], kept: Counts) -> Iterator[ConceptRow]:
    rows = concepts.order_by("domain", "name").values_list("pk", "domain_id", "key", "name")
    return ((domain, key, name, kept.concepts.get(pk, 0)) for pk, domain, key, name in rows)


def _with_counted(concepts: QuerySet[Concept], exam: Exam) -> Iterable[ConceptRow]:
    tagged: Any = QuestionVersion.concepts.through.objects.filter(
        concept=OuterRef("pk"), questionversion__in=public_questions().filter(exam=exam).values("live_version")
    )
    count = tagged.order_by().values("concept").annotate(n=Count("pk")).values_list("n")
    rows = concepts.annotate(n=Coalesce(Subquery(count), 0)).order_by("domain", "name")
    return rows.values_list("domain_id", "key", "name", "n")


def _changes(blueprints: list[Blueprint], domains: list[DomainLine]) -> list[WeightChange]:
    """The weights that differ between the newest guide and the one before."""
    if len(blueprints) < 2:
        return []
    lines = []
    for domain in domains:
        before, after = (weight.value for weight in domain.weights[-2:])
        if before != after:
            old, new = (weight.text for weight in domain.weights[-2:])
            lines.append(WeightChange(domain.number, domain.name, old, new))
    return lines
