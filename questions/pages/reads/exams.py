"""Exams, their sections, topics and study modules, as facts and lists."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.db.models import Count, F, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.urls import reverse

from courseiva.common.heads.links import Link
from questions.catalogue.models import Blueprint, BlueprintDomain, Concept, Domain, Exam, StudyModule
from questions.versions.models.drafts import Difficulty, Question
from questions.versions.models.versions import QuestionVersion
from questions.versions.reads.public import QuestionLine, printed_name, public_questions, question_lines

SHOWN = 25
TOGETHER = 4


@dataclass(frozen=True)
class ExamLine:
    """An exam in the list of exams."""

    exam: Exam
    guide: Blueprint | None
    question_count: int


@dataclass(frozen=True)
class Weight:
    """What one guide gives a section; None where it does not know it."""

    guide: str
    value: Decimal | None

    @property
    def text(self) -> str:
        """As printed, without idle zeros."""
        return "none" if self.value is None else f"{self.value.normalize():f} %"


@dataclass(frozen=True)
class SectionLine:
    """A section with its weight in each guide, oldest guide first."""

    number: int
    name: str
    url: str
    weights: list[Weight]
    question_count: int
    topics: list[Link]


@dataclass(frozen=True)
class ExamPage:
    """Facts and lists about an exam."""

    exam: Exam
    guides: list[Blueprint]
    current: Blueprint | None
    sections: list[SectionLine]
    totals: list[Weight]
    changes: list[str]
    modules: list[StudyModule]
    question_count: int


@dataclass(frozen=True)
class DomainPage:
    """A section of an exam."""

    exam: Exam
    key: str
    number: int
    name: str
    weights: list[Weight]
    by_difficulty: list[tuple[str, int]]
    topics: list[Link]
    questions: list[QuestionLine]
    question_count: int
    modules: list[StudyModule]
    previous: Link | None
    next: Link | None


@dataclass(frozen=True)
class TopicPage:
    """A concept, and the questions that turn on it. ``together`` are the topics they turn on besides, most first."""

    exam: Exam
    key: str
    name: str
    section: Link
    section_number: int
    by_difficulty: list[tuple[str, int]]
    together: list[Link]
    questions: list[QuestionLine]
    question_count: int
    others: list[Link]
    modules: list[StudyModule]


def exam_lines() -> list[ExamLine]:
    """All exams, with their current guide and the number of open questions; two statements."""
    counts = public_questions().order_by().filter(exam=OuterRef("pk")).values("exam").annotate(n=Count("pk"))
    exams = Exam.objects.listed().annotate(open_count=Coalesce(Subquery(counts.values("n")), 0))
    guides = {guide.exam_id: guide for guide in Blueprint.objects.filter(is_current=True)}
    return [ExamLine(exam, guides.get(exam.pk), exam.open_count) for exam in exams]


def exam_page(exam: Exam) -> ExamPage:
    """The page of an exam, in five statements."""
    guides, printed = _guides(exam)
    current = next((guide for guide in guides if guide.is_current), None)
    counts = _counts_by_domain(exam)
    topics = _topics(Concept.objects.filter(domain__exam=exam), exam)
    sections = [
        SectionLine(
            number=domain.number,
            name=_name(domain, printed, current),
            url=_domain_url(exam, domain),
            weights=[_weight(printed, guide, domain) for guide in guides],
            question_count=counts[domain.pk],
            topics=topics[domain.pk],
        )
        for domain in exam.domains.all()
    ]
    return ExamPage(
        exam=exam,
        guides=guides,
        current=current,
        sections=sections,
        totals=[
            Weight(guide.name, sum((row.weight for row in printed[guide.pk].values()), Decimal(0))) for guide in guides
        ],
        changes=_changes(guides, sections),
        modules=list(exam.modules.lines()),
        question_count=sum(counts.values()),
    )


def domain_page(exam: Exam, key: str) -> DomainPage:
    """The page of a section. Raises Domain.DoesNotExist."""
    domains = list(exam.domains.all())
    place = next((i for i, domain in enumerate(domains) if domain.key == key), None)
    if place is None:
        raise Domain.DoesNotExist
    domain = domains[place]
    guides, printed = _guides(exam)
    current = next((guide for guide in guides if guide.is_current), None)
    rows = public_questions().filter(live_version__domain=domain)
    links = [Link(_name(d, printed, current), _domain_url(exam, d), str(d.number)) for d in domains]
    return DomainPage(
        exam=exam,
        key=key,
        number=domain.number,
        name=_name(domain, printed, current),
        weights=[_weight(printed, guide, domain) for guide in guides],
        by_difficulty=(levels := _by_difficulty(rows)),
        topics=_topics(Concept.objects.filter(domain=domain), exam)[domain.pk],
        questions=first_lines(rows.filter(exam=exam), exam),
        question_count=sum(count for _, count in levels),
        modules=list(domain.modules.lines()),
        previous=links[place - 1] if place else None,
        next=links[place + 1] if place + 1 < len(links) else None,
    )


def topic_page(exam: Exam, key: str) -> TopicPage:
    """The page of a concept. Raises Concept.DoesNotExist."""
    named = Concept.objects.select_related("domain").annotate(section_name=printed_name("domain"))
    concept = named.filter(domain__exam=exam, key=key).first()
    if concept is None:
        raise Concept.DoesNotExist
    rows = public_questions().filter(exam=exam, live_version__concepts=concept)
    siblings = _topics(Concept.objects.filter(domain=concept.domain), exam)[concept.domain_id]
    here = reverse("topic", args=[exam.slug, key])
    counts = {link.url: int(link.detail) for link in siblings}
    return TopicPage(
        exam=exam,
        key=key,
        name=concept.name,
        section=Link(concept.section_name or concept.domain.key, _domain_url(exam, concept.domain)),
        section_number=concept.domain.number,
        by_difficulty=_by_difficulty(rows),
        together=_together(concept, rows, exam),
        questions=first_lines(rows, exam),
        question_count=counts[here],
        others=[link for link in siblings if link.url != here],
        modules=list(concept.domain.modules.lines()),
    )


def first_lines(rows: QuerySet, exam: Exam) -> list[QuestionLine]:
    """The first questions of a set, by number."""
    ordered = rows.order_by("number").select_related("live_version__domain")
    return question_lines(ordered[:SHOWN], exam)


Printed = dict[int, dict[int, BlueprintDomain]]


def _guides(exam: Exam) -> tuple[list[Blueprint], Printed]:
    """The guides, oldest first, and what each prints of a domain: by guide, then by domain."""
    printed: Printed = defaultdict(dict)
    for row in BlueprintDomain.objects.filter(blueprint__exam=exam):
        printed[row.blueprint_id][row.domain_id] = row
    return list(exam.blueprints.all()), printed


def _name(domain: Domain, printed: Printed, current: Blueprint | None) -> str:
    row = printed[current.pk].get(domain.pk) if current else None
    return row.name if row else domain.key


def _weight(printed: Printed, guide: Blueprint, domain: Domain) -> Weight:
    row = printed[guide.pk].get(domain.pk)
    return Weight(guide.name, row.weight if row else None)


def _by_difficulty(rows: QuerySet[Question]) -> list[tuple[str, int]]:
    counts = Counter(dict(rows.order_by().values_list("live_version__difficulty").annotate(n=Count("pk"))))
    return [(level.label, counts[level.value]) for level in Difficulty]


def _together(concept: Concept, rows: QuerySet[Question], exam: Exam) -> list[Link]:
    tagged: Any = QuestionVersion.concepts.through.objects.filter(questionversion__in=rows.values("live_version"))
    others = tagged.exclude(concept=concept).values_list("concept__key", "concept__name").annotate(n=Count("pk"))
    found = others.order_by("-n", "concept__name")[:TOGETHER]
    return [Link(name, reverse("topic", args=[exam.slug, key]), str(n)) for key, name, n in found]


def _domain_url(exam: Exam, domain: Domain) -> str:
    return reverse("domain", args=[exam.slug, domain.key])


def _counts_by_domain(exam: Exam) -> Counter[int]:
    rows = public_questions().order_by().filter(exam=exam).values_list("live_version__domain")
    return Counter(dict(rows.annotate(n=Count("pk"))))


def _topics(concepts: QuerySet[Concept], exam: Exam) -> dict[int, list[Link]]:
    """Concepts by domain, each with the number of its open questions."""
    tagged: Any = QuestionVersion.concepts.through.objects.filter(
        concept=OuterRef("pk"), questionversion__in=public_questions().filter(exam=exam).values("live_version")
    )
    count = tagged.order_by().values("concept").annotate(n=Count("pk")).values_list("n")
    found: dict[int, list[Link]] = defaultdict(list)
    rows = concepts.annotate(n=Coalesce(Subquery(count), 0)).order_by("domain", "name")
    for domain, key, name, n in rows.values_list(F("domain"), "key", "name", "n"):
        found[domain].append(Link(name, reverse("topic", args=[exam.slug, key]), str(n)))
    return found


def _changes(guides: list[Blueprint], sections: list[SectionLine]) -> list[str]:
    """In words, what the newest guide weighs otherwise than the one before."""
    if len(guides) < 2:
        return []
    lines = []
    for section in sections:
        before, after = (weight.value for weight in section.weights[-2:])
        if before != after:
            old, new = (weight.text for weight in section.weights[-2:])
            lines.append(f"Section {section.number}, {section.name}: {old} before, {new} now.")
    return lines
