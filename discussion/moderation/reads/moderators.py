"""What moderators look up: the log of their acts, any comment by its text, its author or its state, and themselves."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Any

from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractBaseUser, Permission
from django.core.paginator import Page, Paginator
from django.db.models import Q, QuerySet

from courseiva.common.word_diff import Piece, word_diff
from discussion.comments.models.comments import Comment
from discussion.comments.models.moderation import Act, LogEntry, Reason, Suspension
from discussion.trust.reads import MODERATE

PER_PAGE = 30
STATES = {"held": "waiting", "visible": "visible", "removed": "removed", "spam": "spam"}


@dataclass(frozen=True)
class LogLine:
    """An act as the log tells it. ``changes`` is the text word by word, where the text was changed."""

    entry: LogEntry
    by: str
    subject: str
    title: str
    before: str
    after: str
    why: str
    changes: list[Piece]
    may_reverse: bool


@dataclass(frozen=True)
class LogPage:
    """One page of the log, the newest first."""

    lines: list[LogLine]
    pages: Page[LogEntry]


@dataclass(frozen=True)
class SearchPage:
    """What a search found, the newest first."""

    pages: Page[Comment]


def log_page(number: str) -> LogPage:
    """A page of the log, in the same number of statements however long it is."""
    pages = Paginator(_entries(), PER_PAGE).get_page(number)
    return LogPage([_line(entry) for entry in pages], pages)


def log_of(comment: Comment) -> list[LogLine]:
    """What was done about a comment, its thread and its author."""
    about = Q(comment=comment) | Q(question=comment.question_id)
    about |= Q(comment=None, question=None, subject=comment.author_id) if comment.author_id else Q()
    return [_line(entry) for entry in _entries().filter(about)[:PER_PAGE]]


def search_comments(text: str, author: str, state: str, number: str) -> SearchPage:
    """Comments that hold the text, of authors whose name holds ``author``, in that state; each may be empty."""
    rows = Comment.objects.filter(deleted_at=None).select_related("author", "version", "question__exam")
    if text:
        rows = rows.filter(text__icontains=text)
    if author:
        rows = rows.filter(_named(author))
    if state in STATES:
        rows = rows.filter(state=state)
    return SearchPage(Paginator(rows.order_by("-pk"), PER_PAGE).get_page(number))


def moderators(now: dt.datetime, *, superusers: bool = False) -> QuerySet[Any]:
    """Everybody who was given the permission by name or by group and is not suspended.

    Those who may do everything are asked only with ``superusers``.
    """
    app, _, codename = MODERATE.partition(".")
    permission = Permission.objects.filter(content_type__app_label=app, codename=codename)
    given = Q(user_permissions__in=permission) | Q(groups__permissions__in=permission)
    given |= Q(is_superuser=True) if superusers else Q()
    suspended = Suspension.objects.filter(until__gt=now, lifted_at=None).values("user")
    people = get_user_model().objects.filter(given, is_active=True).exclude(pk__in=suspended)
    return people.distinct().order_by("pk")


def _named(name: str) -> Q:
    """Authors by the name others see; without one they are called by their number."""
    named = Q(author__display_name__icontains=name)
    number = name.lower().removeprefix("learner").strip()
    if number.isascii() and number.isdecimal() and len(number) < 10:
        named |= Q(author=int(number), author__display_name="")
    return named


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
        before=_state_words(entry.before),
        after=_state_words(entry.after),
        why=dict(Reason.choices).get(entry.reason, entry.reason),
        changes=_changes(entry),
        may_reverse=entry.act != Act.REVERSE and not hasattr(entry, "reversal"),
    )


def _name(person: AbstractBaseUser | None) -> str:
    return person.get_short_name() if person else ""  # type: ignore[attr-defined,no-any-return,unused-ignore]


def _title(entry: LogEntry) -> str:
    """Of the question whose comment or thread the act was about; none where it was about a person."""
    if entry.comment:
        return entry.comment.version.title
    return entry.question.live_version.title if entry.question and entry.question.live_version else ""


def _state_words(facts: dict[str, Any]) -> str:
    """How things stood, as the log keeps them."""
    words = [STATES.get(facts.get("state", ""), "")]
    if "locked" in facts:
        words.append("closed" if facts["locked"] else "open")
    if "until" in facts:
        words.append(f"suspended until {facts['until'][:10]}")
    if facts.get("released"):
        words.append(f"{len(facts['released'])} more released")
    if facts.get("reports"):
        words.append(f"{len(facts['reports'])} reports closed")
    return ", ".join(filter(None, words))


def _changes(entry: LogEntry) -> list[Piece]:
    before, after = entry.before.get("text"), entry.after.get("text")
    return word_diff(before, after) if before is not None and after is not None else []
