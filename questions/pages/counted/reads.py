"""Counts of public questions, and when they last changed: as stored, and as they are now."""

from __future__ import annotations

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from heapq import nsmallest
from itertools import chain
from typing import Any

from django.db.models import Count, F, Max, Q, QuerySet
from django.utils import timezone

from questions.catalogue.models import Concept, Exam
from questions.pages.counted.models import ListPart, PublicCounts
from questions.pages.counted.rules import (
    COLUMNS,
    IN_FEED,
    NUMBERS,
    PART,
    SHOWN,
    TOGETHER,
    AboutConcept,
    Cell,
    Counts,
    Dates,
    Moment,
    newest,
)
from questions.pages.errata.reads.errata import latest_erratum
from questions.pages.errata.reads.history import noted_reports
from questions.pages.rules import TROUBLESHOOTING, collections_of
from questions.versions.models.drafts import Question
from questions.versions.models.versions import QuestionVersion
from questions.versions.reads.public import public_questions, unit_number, with_address
from questions.versions.reads.tested import named_most

COLUMN_PATHS = tuple(f"live_version__{name}" for name in COLUMNS)
FRESH = dt.timedelta(minutes=3)
"""Counts are stored every minute. If they are older, nothing counts any more, and pages count for themselves."""


def counted_exams() -> QuerySet[Exam]:
    """Exams with their stored counts, in the same statement."""
    return Exam.objects.select_related("public_counts").defer("public_counts__dates")


def dated_exams() -> QuerySet[Exam]:
    """Exams with their stored dates."""
    return Exam.objects.select_related("public_counts").defer("public_counts__counts")


def fresh_since() -> dt.datetime:
    """The time before which stored counts are too old."""
    return timezone.now() - FRESH


def kept_counts(exam: Exam) -> Counts | None:
    """The counts loaded with an exam by ``counted_exams``; None if it was loaded otherwise, or they are too old."""
    kept = _fresh(exam)
    return Counts.of(kept.counts) if kept else None


def dates_of(exam: Exam) -> Dates:
    """The dates loaded with an exam by ``dated_exams``, or the dates as they are now."""
    return kept_dates(exam) or dates_now(exam)


def kept_dates(exam: Exam) -> Dates | None:
    """The dates loaded with an exam; None if it was loaded otherwise, or they are too old."""
    kept = _fresh(exam)
    return Dates.of(kept.dates) if kept and kept.dates else None


def newest_ids(exam: Exam) -> Sequence[int] | QuerySet[Question, int]:
    """Ids of the questions published last, newest first: those loaded with an exam by ``dated_exams``, or a query for
    them."""
    kept = kept_dates(exam)
    return _newest_now(exam) if kept is None or kept.newest is None else kept.newest


def _newest_now(exam: Exam) -> QuerySet[Question, int]:
    rows = public_questions().filter(exam=exam).order_by("-live_version__published_at", "-number")
    return rows.values_list("pk", flat=True)[:IN_FEED]


def _fresh(exam: Exam) -> PublicCounts | None:
    kept: PublicCounts | None = exam._state.fields_cache.get("public_counts")
    return kept if kept and kept.counted_at >= fresh_since() else None


def kept_order(exam: Exam, start: int, end: int) -> list[int]:
    """Ids of the questions from ``start`` to before ``end`` of the list; both in one part."""
    rows = ListPart.objects.filter(exam=exam, place=start // PART).values_list("questions", flat=True)
    return [pk for ids in rows for pk in ids[start % PART :][: end - start]]


def in_order(rows: QuerySet[Question], order: Sequence[int]) -> list[Question]:
    """The rows with these ids, in this order. One that was withdrawn since the count is missing."""
    found = rows.in_bulk(order)
    return [found[pk] for pk in order if pk in found]


def counts_now(exam: Exam, parts: Iterable[list[int]]) -> Counts:
    """The current counts, in seven queries; ``parts`` are those of the exam's list."""
    public = public_questions().filter(exam=exam).order_by()
    rows = public.values_list(*COLUMN_PATHS)
    order = list(chain.from_iterable(parts))
    about = _about(exam, public, order)
    concepts = {pk: sum(each.levels.values()) for pk, each in about.items()}
    told = {pk: each.stored() for pk, each in about.items()}
    return Counts(
        tuple(rows.annotate(n=Count("pk"))), concepts, _troubleshooting(exam, public), told, _first(public, order)
    )


def _first(public: QuerySet[Question], order: Sequence[int]) -> dict[Cell, list[tuple[int, int]]]:
    """The first places and ids of each cell in the list."""
    cells = {pk: (domain, level, kind) for pk, domain, level, kind in public.values_list("pk", *COLUMN_PATHS)}
    found: defaultdict[Cell, list[tuple[int, int]]] = defaultdict(list)
    for place, pk in enumerate(order):
        if pk in cells and len(rows := found[cells[pk]]) < SHOWN:
            rows.append((place, pk))
    return dict(found)


def _about(exam: Exam, public: QuerySet[Question], order: Sequence[int]) -> dict[int, AboutConcept]:
    """Counts by concept, gathered in one pass: if the database grouped them, it would open each document once per
    concept."""
    by_name = Concept.objects.filter(domain__exam=exam).order_by("name", "pk")
    ranks = {pk: rank for rank, pk in enumerate(by_name.values_list("pk", flat=True))}
    places = {pk: place for place, pk in enumerate(order)}
    tagged = _concepts_of(public)
    levels, named, together, first = (defaultdict[int, list[Any]](list) for _ in range(4))
    facts = ("pk", "live_version", "live_version__difficulty", "live_version__solution__text__objectives")
    for question, version, level, numbers in public.values_list(*facts):
        for concept in tagged[version]:
            levels[concept].append(level)
            named[concept].extend(numbers or ())
            together[concept].extend(tagged[version])
            first[concept].append(places.get(question, len(order)))
    return {
        pk: AboutConcept(
            Counter(levels[pk]),
            named_most(named[pk]),
            _others(pk, Counter(together[pk]), ranks),
            [order[place] for place in nsmallest(SHOWN, first[pk]) if place < len(order)],
        )
        for pk in levels
    }


def _concepts_of(public: QuerySet[Question]) -> defaultdict[int, list[int]]:
    """Ids of concepts by version."""
    found: defaultdict[int, list[int]] = defaultdict(list)
    links = QuestionVersion.concepts.through.objects.filter(questionversion__live_of__in=public).order_by()
    for version, concept in links.values_list("questionversion", "concept"):
        found[version].append(concept)
    return found


def _others(concept: int, shared: Counter[int], ranks: Mapping[int, int]) -> list[tuple[int, int]]:
    """The concepts with most shared questions, then by name."""
    others = [(pk, n) for pk, n in shared.items() if pk != concept and pk in ranks]
    return nsmallest(TOGETHER, others, key=lambda each: (-each[1], ranks[each[0]]))


def _troubleshooting(exam: Exam, public: QuerySet[Question]) -> int:
    names = list(Concept.objects.filter(domain__exam=exam).values_list("key", "name"))
    keys = [key for each in collections_of(names) if each.slug == TROUBLESHOOTING for key in each.filters["concept"]]
    concepts = Concept.objects.filter(domain__exam=exam, key__in=keys)
    versions = QuestionVersion.concepts.through.objects.filter(concept__in=concepts).values("questionversion")
    return public.filter(live_version__in=versions).count() if keys else 0


def dates_now(exam: Exam) -> Dates:
    """The current dates, in seven queries. A domain's pages change when a question is published, withdrawn or retired;
    a question's page, when it is published or a report on it gets a note."""
    published, is_open = "live_version__published_at", Q(withdrawn_at=None, retired_at=None)
    rows = with_address().filter(exam=exam).order_by().annotate(part=_part("number"))
    among = rows.values_list("live_version__domain", "part").annotate(
        Max(published), Max("withdrawn_at"), Max("retired_at"),
        n=Count("pk", filter=is_open), shown=Max(published, filter=is_open),
    )  # fmt: skip
    domains: dict[int, Moment] = {}
    parts: dict[int, Moment] = {}
    numbers: Counter[int] = Counter()
    for domain, part, *moments, n, shown in among:
        domains[domain] = newest([domains.get(domain), *moments])
        if shown:
            parts[part] = newest([parts.get(part), shown])
            numbers[part] += n
    noted = noted_reports().filter(version__question__in=public_questions().filter(exam=exam).values("pk"))
    notes = noted.order_by().annotate(part=_part("version__question__number")).values_list("part")
    for part, at in notes.annotate(Max("answered_at")):
        parts[part] = newest([parts.get(part), at])
    return Dates(domains, parts, latest_erratum(exam), list(_newest_now(exam)), numbers)


def _part(number: str) -> Any:
    return (F(number) - 1) / NUMBERS + 1


def order_now(exam: Exam) -> list[list[int]]:
    """The parts of an exam's list, in one query."""
    rows = public_questions().filter(exam=exam).order_by(unit_number(), "number")
    ids = list(rows.values_list("pk", flat=True))
    return [ids[at : at + PART] for at in range(0, len(ids), PART)]
