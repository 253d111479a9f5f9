"""A moderator's view of the queue: filters by reason, age, exam and author, and the order."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.db.models import Count, F, Min, Q, QuerySet, Value, Window
from django.db.models.functions import Coalesce

from discussion.comments.models.comments import Comment, Hit
from discussion.comments.models.moderation import CommentReport, Harm
from discussion.moderation.reads.moderators import written_by
from discussion.screening.rules.parts import REASONS

BY_RULE, BY_REPORT, EXAM = "rule-", "report-", "exam"
REPORTED = "reported"
"""Any open report, whatever it says."""
AGES = {
    "hour": dt.timedelta(hours=1),
    "day": dt.timedelta(days=1),
    "three-days": dt.timedelta(days=3),
    "week": dt.timedelta(days=7),
}
SORTS = ("urgent", "oldest", "newest", "reports")
LONGEST = 100
"""An address can be written by hand; no exam or name is longer."""


@dataclass(frozen=True)
class Wanted:
    """The chosen filters; "" means none. ``mine`` is one's own claims."""

    reason: str = ""
    age: str = ""
    exam: str = ""
    author: str = ""
    sort: str = "urgent"
    mine: bool = False

    @property
    def is_filtered(self) -> bool:
        """Whether something waiting may not be shown."""
        return bool(self.reason or self.age or self.exam or self.author)

    @property
    def query(self) -> str:
        """The filters as a query string; "" for the whole queue in default order."""
        asked = {name: getattr(self, name) for name in ("reason", "age", "exam", "author")}
        asked |= {"sort": self.sort if self.sort != "urgent" else "", "show": "mine" if self.mine else ""}
        return urlencode({name: value for name, value in asked.items() if value})


@dataclass(frozen=True)
class Offer:
    """A filter's option, and how many comments it would leave."""

    key: str
    name: str
    count: int


@dataclass(frozen=True)
class Found:
    """How many waiting comments have this rule, report or exam."""

    kind: str
    key: str
    name: str
    count: int


@dataclass(frozen=True)
class Offers:
    """A queue's filters; options that would leave nothing aren't offered."""

    reasons: list[Offer]
    exams: list[Offer]


def wanted_of(asked: Mapping[str, Any]) -> Wanted:
    """Filters from a query string or a form; invalid values are ignored."""
    age, sort = asked.get("age", ""), asked.get("sort", "")
    reason = str(asked.get("reason", ""))[:LONGEST]
    return Wanted(
        reason=reason if reason == REPORTED or reason.startswith((BY_RULE, BY_REPORT)) else "",
        age=age if age in AGES else "",
        exam=str(asked.get("exam", ""))[:LONGEST],
        author=str(asked.get("author", "")).strip()[:LONGEST],
        sort=sort if sort in SORTS else "urgent",
        mine=asked.get("show") == "mine",
    )


def chosen(rows: QuerySet[Any], wanted: Wanted, now: dt.datetime) -> QuerySet[Any]:
    """The matching waiting comments. ``rows`` have ``since``."""
    if wanted.reason:
        rows = rows.filter(_because(wanted.reason))
    if wanted.age:
        rows = rows.filter(since__lte=now - AGES[wanted.age])
    if wanted.exam:
        rows = rows.filter(question__exam__slug=wanted.exam)
    return rows.filter(written_by(wanted.author)) if wanted.author else rows


def sorted_by(rows: QuerySet[Any], sort: str) -> QuerySet[Any]:
    """In the chosen order. ``rows`` have ``since`` and ``harm``."""
    if sort == "oldest":
        return rows.order_by("since", "pk")
    if sort == "newest":
        return rows.order_by("-since", "-pk")
    if sort == "reports":
        number = Count("reports", filter=Q(reports__closed_at=None))
        return rows.annotate(reported=number).order_by("-reported", "since", "pk")
    return urgent_first(rows)


def urgent_first(rows: QuerySet[Any]) -> QuerySet[Any]:
    """Live harm, then the oldest: an author's comments are placed with the oldest of them."""
    author = Coalesce(F("author"), -F("pk"))
    first = Window(Min("since"), partition_by=[F("harm"), author])
    return rows.annotate(together=author, first=first).order_by("harm", "first", "together", "since", "pk")


def offers(rows: QuerySet[Any]) -> Offers:
    """What these rows can be filtered by, in one query."""
    ids = Comment.objects.filter(pk__in=rows.values("pk")).values("pk")
    each, reports = Count("comment", distinct=True), CommentReport.objects.filter(closed_at=None)
    kinds = (
        (BY_RULE, Hit.objects.filter(comment__in=ids), "rule", "rule", each),
        (BY_REPORT, reports.filter(comment__in=ids), "reason", "reason", each),
        (EXAM, Comment.objects.filter(pk__in=ids), "question__exam__slug", "question__exam__code", Count("pk")),
    )
    counts = [
        of.order_by().values_list(Value(kind), F(key), F(name)).annotate(n=number)
        for kind, of, key, name, number in kinds
    ]
    found = [Found(*row) for row in counts[0].union(*counts[1:], all=True)]
    harms = {each.key: each.count for each in found if each.kind == BY_REPORT}
    rules = sorted((each for each in found if each.kind == BY_RULE), key=lambda each: (-each.count, each.key))
    exams = sorted((each for each in found if each.kind == EXAM), key=lambda each: each.name)
    return Offers(
        reasons=[
            *[Offer(f"{BY_REPORT}{harm}", str(harm.label), harms[harm]) for harm in Harm if harm in harms],
            *[Offer(f"{BY_RULE}{each.key}", _reason(each.key), each.count) for each in rules],
        ],
        exams=[Offer(each.key, each.name, each.count) for each in exams],
    )


def _because(reason: str) -> Q:
    """Comments waiting for this reason."""
    reports = CommentReport.objects.filter(closed_at=None)
    if reason.startswith(BY_RULE):
        return Q(pk__in=Hit.objects.filter(rule=reason.removeprefix(BY_RULE)).values("comment"))
    if reason.startswith(BY_REPORT):
        reports = reports.filter(reason=reason.removeprefix(BY_REPORT))
    return Q(pk__in=reports.values("comment"))


def _reason(rule: str) -> str:
    return REASONS.get(rule, rule).rstrip(".")
