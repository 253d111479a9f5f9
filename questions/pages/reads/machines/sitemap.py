"""All public URLs of an exam with the date each page last changed, for search engines."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import lru_cache

from django.db.models import Max, Q
from django.urls import reverse

from questions.catalogue.models import Concept, Exam
from questions.pages.counted.rules import NUMBERS, Dates, Moment, newest
from questions.pages.reads.exams import objectives_address
from questions.pages.rules import collections_of
from questions.reports.models import ReportState
from questions.versions.reads.addresses import question_address
from questions.versions.reads.public import public_questions

NOTED = Max(
    "versions__reports__answered_at",
    filter=Q(versions__reports__state=ReportState.ACCEPTED) & ~Q(versions__reports__public_note=""),
)
"""When the latest line was added to a question's changelog."""


@dataclass(frozen=True)
class Entry:
    """A URL and when its content last changed; None if unknown."""

    path: str
    changed: Moment

    @property
    def lastmod(self) -> str:
        """As sitemaps want it. A template filter takes twice as long, and an index can have a hundred of these."""
        return self.changed.isoformat() if self.changed else ""


@dataclass(frozen=True)
class Changes:
    """When each domain's questions and modules last changed, by domain id."""

    by_domain: dict[int, Moment]

    @property
    def latest(self) -> Moment:
        return newest(self.by_domain.values())


def changes_of(exam: Exam, dates: Dates) -> Changes:
    """A domain's pages change with its questions and modules; one query."""
    found: dict[int, list[Moment]] = defaultdict(list)
    for domain, moment in dates.domains.items():
        found[domain].append(moment)
    for domain, moment in exam.modules.order_by().values_list("domain", "changed_at"):
        found[domain].append(moment)
    return Changes({domain: newest(moments) for domain, moments in found.items()})


def question_parts(exam: Exam, dates: Dates) -> list[Entry]:
    """The sitemaps of an exam's questions, each with its latest date; the first one exists even if it's empty."""
    latest = {1: None, **dates.parts}
    return [Entry(_part_address(exam.slug, part), latest[part]) for part in sorted(latest)]


@lru_cache(maxsize=1_000)
def _part_address(exam_slug: str, part: int) -> str:
    """The URL of the sitemap of a part of the questions; kept, because an index lists all of them each time."""
    if part == 1:
        return reverse("sitemap-questions", args=[exam_slug])
    return reverse("sitemap-more-questions", args=[exam_slug, part])


def question_entries(exam: Exam, part: int = 1) -> list[Entry]:
    """The questions of a part that can be read, each with the date of its version, or of a line in its changelog if
    that is later."""
    rows = public_questions().filter(exam=exam, number__gt=(part - 1) * NUMBERS, number__lte=part * NUMBERS)
    told = rows.order_by("number").annotate(noted_at=NOTED)
    columns = ("number", "live_version__title", "live_version__published_at", "noted_at")
    return [
        Entry(question_address(exam.slug, number, title), newest(moments))
        for number, title, *moments in told.values_list(*columns)
    ]


def exam_entries(exam: Exam, dates: Dates) -> list[Entry]:
    """The exam's own page, its lists, domains, concepts, collections and modules; five queries."""
    changes = changes_of(exam, dates)
    concepts = Concept.objects.filter(domain__exam=exam).order_by("domain__number", "name")
    rows = list(concepts.values_list("domain", "key", "name"))
    collections = collections_of((key, name) for _, key, name in rows)
    domains = exam.domains.values_list("pk", "key")
    modules = exam.modules.lines()
    slug = exam.slug
    guides = [guide for guide in exam.blueprints.all() if guide.outline_sources]
    return [
        *(Entry(reverse(name, args=[slug]), changes.latest) for name in ("exam", "questions", "collections")),
        *(Entry(objectives_address(exam, guide), changes.latest) for guide in guides),
        *(Entry(reverse("domain", args=[slug, key]), changes.by_domain.get(pk)) for pk, key in domains),
        *(Entry(reverse("collection", args=[slug, each.slug]), changes.latest) for each in collections),
        *(Entry(reverse("concept", args=[slug, key]), changes.by_domain.get(pk)) for pk, key, _ in rows),
        *(Entry(reverse("module", args=[slug, each.number, each.slug]), each.changed_at) for each in modules),
    ]
