"""Which cited URLs are dead, which questions cite them, and which to check next."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Exists, OuterRef, Q, QuerySet

from questions.versions.material.sources.models import SourceCheck
from questions.versions.material.sources.rules import GONE, MOST_FAILURES, host_of
from questions.versions.models.drafts import Question, QuestionSource


@dataclass(frozen=True)
class DeadSource:
    """A dead URL with the questions that cite it in their drafts."""

    check: SourceCheck
    questions: Sequence[Question]


def dead_checks() -> QuerySet[SourceCheck]:
    """Dead URLs cited by a question in use; others don't matter."""
    cited = QuestionSource.objects.filter(url=OuterRef("url"), question__retired_at=None)
    dead = Q(failures__gte=MOST_FAILURES) | Q(status__in=GONE, failures__gt=0)
    return SourceCheck.objects.filter(dead).filter(Exists(cited))


def dead_sources(most: int) -> list[DeadSource]:
    """The dead URLs, longest dead first, with their questions; two queries."""
    checks = list(dead_checks()[:most])
    rows = QuestionSource.objects.filter(url__in=[each.url for each in checks], question__retired_at=None)
    by_url: defaultdict[str, dict[int, Question]] = defaultdict(dict)
    for row in rows.select_related("question__exam").order_by("question__exam", "question__number", "question"):
        by_url[row.url][row.question_id] = row.question
    return [DeadSource(each, list(by_url[each.url].values())) for each in checks]


def due_urls(now: dt.datetime, most: int) -> list[str]:
    """Cited URLs to check, grouped by server, those never checked first; two queries."""
    waits = set(SourceCheck.objects.filter(due_at__gt=now).values_list("url", flat=True))
    known = dict(SourceCheck.objects.filter(due_at__lte=now).values_list("url", "checked_at"))
    cited = QuestionSource.objects.filter(question__retired_at=None).order_by().values_list("url", flat=True).distinct()
    due = sorted((url for url in cited if url not in waits and host_of(url)), key=lambda url: (url in known, url))
    return sorted(due[:most], key=lambda url: (host_of(url), url))
