"""The moderators' log: its filters, actions done in one go, and the facts of a line."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractBaseUser
from django.core.paginator import Page, Paginator
from django.db.models import Count, OuterRef, Q, QuerySet, Subquery

from courseiva.common.texts.word_diff import Piece, word_diff
from discussion.comments.models.comments import Comment
from discussion.comments.models.moderation import Act, LogEntry, Reason
from discussion.moderation.reads.moderators import PER_PAGE, STATES, written_by

LONGEST = 100
"""As in filters.py: no author's name is longer, and an address can contain anything."""
MAX_DIGITS = 18
"""As in forms.py: what fits a 64-bit key."""
DAYS = {"day": 1, "week": 7, "month": 30}


@dataclass(frozen=True)
class LogWanted:
    """The log's filters; "" and 0 mean none. ``together`` is an entry: show what was done together with it."""

    by: int = 0
    act: str = ""
    author: str = ""
    since: str = ""
    together: int = 0

    @property
    def query(self) -> str:
        """The filters as a query string; "" for the whole log."""
        asked = {name: getattr(self, name) for name in ("by", "act", "author", "since", "together")}
        return urlencode({name: value for name, value in asked.items() if value})


Situation = list[tuple[str, Any]]
"""Codes, each with its value: state, open, closed, slow, until, released, reports."""


@dataclass(frozen=True)
class LogLine:
    """An action as shown in the log. ``changes`` is the text diff, word by word, if the text was changed.

    ``size`` is how many actions done together with it still stand, including itself.
    """

    entry: LogEntry
    by: str
    subject: str
    title: str
    before: Situation
    after: Situation
    why: str
    changes: list[Piece]
    may_reverse: bool
    size: int = 1


@dataclass(frozen=True)
class LogPage:
    """One page of the log, newest first. ``people`` are those with an entry in it."""

    lines: list[LogLine]
    pages: Page[LogEntry]
    wanted: LogWanted
    people: list[Any]

    @property
    def may_reverse(self) -> bool:
        """Whether something on this page can be reversed."""
        return any(line.may_reverse for line in self.lines)


def log_wanted_of(asked: Mapping[str, Any]) -> LogWanted:
    """Filters from a query string or a form; invalid values are ignored."""
    act, since = asked.get("act", ""), asked.get("since", "")
    return LogWanted(
        by=_number(asked.get("by", "")),
        act=act if act in Act.values else "",
        author=str(asked.get("author", "")).strip()[:LONGEST],
        since=since if since in DAYS else "",
        together=_number(asked.get("together", "")),
    )


def log_page(number: str, wanted: LogWanted, now: dt.datetime) -> LogPage:
    """A page of the log, in a constant number of queries."""
    pages = Paginator(_with_size(_chosen(_entries(), wanted, now)), PER_PAGE).get_page(number)
    people = get_user_model().objects.filter(pk__in=LogEntry.objects.order_by().values("by")).order_by("pk")
    return LogPage([_line(entry) for entry in pages], pages, wanted, list(people))


def done_together(entry_id: int) -> QuerySet[LogEntry]:
    """What was done together with this entry: by the same person at the same time. Without reversals."""
    entry = LogEntry.objects.filter(pk=entry_id, by__isnull=False).first()
    if entry is None:
        return LogEntry.objects.none()
    return LogEntry.objects.filter(by=entry.by_id, at=entry.at, reverses=None)


def log_of(comment: Comment) -> list[LogLine]:
    """What was done about a comment, its thread and its author."""
    about = Q(comment=comment) | Q(question=comment.question_id)
    about |= Q(comment=None, question=None, subject=comment.author_id) if comment.author_id else Q()
    return log_lines(about)


def log_lines(about: Q) -> list[LogLine]:
    """The latest entries of this kind, in one query."""
    return [_line(entry) for entry in _entries().filter(about)[:PER_PAGE]]


def _number(text: Any) -> int:
    given = str(text)
    return int(given) if given.isascii() and given.isdecimal() and len(given) <= MAX_DIGITS else 0


def _chosen(rows: QuerySet[LogEntry], wanted: LogWanted, now: dt.datetime) -> QuerySet[LogEntry]:
    if wanted.together:
        rows = rows.filter(pk__in=done_together(wanted.together).order_by().values("pk"))
    if wanted.by:
        rows = rows.filter(by=wanted.by)
    if wanted.act:
        rows = rows.filter(act=wanted.act)
    if wanted.author:
        rows = rows.filter(written_by(wanted.author, "subject"))
    if wanted.since:
        rows = rows.filter(at__gt=now - dt.timedelta(days=DAYS[wanted.since]))
    return rows


def _with_size(rows: QuerySet[LogEntry]) -> QuerySet[LogEntry]:
    """Adds how many actions done together with each still stand."""
    same = LogEntry.objects.filter(by=OuterRef("by"), at=OuterRef("at"), reverses=None, reversal=None)
    return rows.annotate(size=Subquery(same.order_by().values("by").annotate(n=Count("pk")).values("n")))


def _entries() -> QuerySet[LogEntry]:
    return LogEntry.objects.select_related(
        "by",
        "subject",
        "comment__version",
        "comment__question__exam",
        "question__live_version",
        "question__exam",
        "reverses",
        "reversal__by",
    )


def _line(entry: LogEntry) -> LogLine:
    return LogLine(
        entry=entry,
        by=_name(entry.by),
        subject=_name(entry.subject),
        title=_title(entry),
        before=_situation(entry.before),
        after=_situation(entry.after),
        why=dict(Reason.choices).get(entry.reason, entry.reason),
        changes=_changes(entry),
        may_reverse=entry.act != Act.REVERSE and not hasattr(entry, "reversal"),
        size=getattr(entry, "size", None) or 1,
    )


def _name(person: AbstractBaseUser | None) -> str:
    return person.get_short_name() if person else ""  # type: ignore[attr-defined,no-any-return,unused-ignore]


def _title(entry: LogEntry) -> str:
    """The title of the action's question; none if it was about a person."""
    if entry.comment:
        return entry.comment.version.title
    return entry.question.live_version.title if entry.question and entry.question.live_version else ""


def _situation(facts: dict[str, Any]) -> Situation:
    """The state as recorded in the log."""
    found: Situation = []
    if word := STATES.get(facts.get("state", "")):
        found.append(("state", word))
    if "locked" in facts:
        found.append(("closed" if facts["locked"] else "open", None))
    if "slow" in facts:
        found.append(("slow", facts["slow"]))
    if "until" in facts:
        found.append(("until", dt.datetime.fromisoformat(facts["until"])))
    found += [(key, len(facts[key])) for key in ("released", "reports") if facts.get(key)]
    return found


def _changes(entry: LogEntry) -> list[Piece]:
    before, after = entry.before.get("text"), entry.after.get("text")
    return word_diff(before, after) if before is not None and after is not None else []
