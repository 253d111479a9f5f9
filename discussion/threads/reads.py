"""A question's thread as one reader sees it, in a constant number of queries."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import cast

from django.db.models import F, Q, QuerySet, Window
from django.db.models.functions import RowNumber
from django.urls import reverse

from discussion.comments.models.comments import (
    READABLE,
    REPORTED,
    Comment,
    Kind,
    State,
    Subscription,
    ThreadState,
    Vote,
    seen_by,
    waiting_of,
)
from discussion.comments.models.moderation import CommentReport, Suspension
from discussion.comments.rules.markup import MAX_TEXT
from discussion.comments.rules.references import option_words
from discussion.screening.rules.parts import TO_AUTHOR
from discussion.trust.reads import suspension_of
from questions.reports.models import ContentReport, ReportState
from questions.versions.models.drafts import Question
from questions.versions.models.versions import Change, QuestionVersion
from questions.versions.reads.public import public_address

PER_PAGE = 20
"""With replies some eighty comments, which is what stays quick to render and to scroll on a phone."""
REPLIES_SHOWN = 3
"""A taste of each conversation; all of it is on a page of its own."""
WAITING_SHOWN = 10
"""They are above the thread, and more would push it out of sight. The inbox has all."""
SORTS = {"helpful": "Most helpful", "newest": "Newest"}
DEFAULT_SORT = "helpful"
COLUMNS = {"newest": "created_at", "helpful": "helpful"}
EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
LATEST = 4 * 10**15  # microseconds: the year 2096
# How many digits of a cursor are read. An address can contain anything; this many digits always fit the column.
MAX_DIGITS = 18
MAX_DIGITS_OF_VERSION = 4
"""No question gets ten thousand versions, and the number fits its column, which ends at 32,767."""


@dataclass(frozen=True)
class OptionChip:
    """An option that a comment can refer to, by its text."""

    slot: int
    words: str

    @property
    def token(self) -> str:
        return f"{{option:{self.slot}}}"


@dataclass(frozen=True)
class Line:
    """A comment as one reader sees it.

    A stub has neither author nor text. Only its author sees ``why`` it is waiting.
    """

    comment: Comment
    name: str
    is_own: bool
    is_voted: bool
    is_stale: bool
    is_stub: bool
    may_edit: bool
    outcome: ContentReport | None
    why: tuple[str, ...] = ()
    replies: list[Line] = field(default_factory=list)

    @property
    def is_reported(self) -> bool:
        """Whether readers' reports have hidden it."""
        return self.comment.state_reason == REPORTED

    @property
    def waits(self) -> bool:
        """Whether only its author and moderators see it so far."""
        return self.comment.state == State.HELD

    @property
    def more(self) -> int:
        """Replies not shown here."""
        return max(0, self.comment.replies - len(self.replies))

    @property
    def state(self) -> str:
        """Why it isn't public; "" if it is. Nobody is told about spam."""
        if self.comment.deleted_at:
            return "deleted"
        if self.waits:
            return "held"
        return "removed" if self.is_stub else ""


@dataclass(frozen=True)
class Writer:
    """What the requester can do here. ``user_id`` is None if not signed in."""

    user_id: int | None
    suspension: Suspension | None = None
    locked: str | None = None
    slow_minutes: int = 0

    @property
    def may_write(self) -> bool:
        """Whether they are signed in, not suspended, and the thread is open."""
        return self.user_id is not None and self.suspension is None and self.locked is None


@dataclass(frozen=True)
class Thread:
    """What every page about a thread needs to know about its question and reader."""

    question: Question
    version: QuestionVersion
    writer: Writer
    changed_in: int
    chips: list[OptionChip]
    question_url: str
    max_text: int = MAX_TEXT

    @property
    def url(self) -> str:
        return reverse("thread", args=[self.question.exam.slug, self.question.pk])

    @property
    def query(self) -> str:
        """The query string that keeps an older version in the thread's URLs."""
        return "" if self.version.pk == self.question.live_version_id else f"version={self.version.number}&"

    @property
    def person_id(self) -> int:
        """The signed-in user's id; for pages that require sign-in."""
        return self.writer.user_id or 0

    @property
    def name(self) -> str:
        number = self.question.number
        return f"{self.question.exam.code} question {number}" if self.question_url else f"{self.question.exam.code}"


@dataclass(frozen=True)
class ThreadPage:
    """One page of a thread. ``after`` is where the next one starts; "" on the last."""

    thread: Thread
    lines: list[Line]
    waiting: list[Line]
    sort: str
    sorts: list[tuple[str, str]]
    is_first: bool
    after: str


@dataclass(frozen=True)
class Conversation:
    """One comment with all its replies. ``aimed`` is the one in the URL."""

    thread: Thread
    line: Line
    aimed: int
    follows: bool


def find_question(exam_slug: str, question_id: int) -> Question | None:
    return _questions().filter(exam__slug=exam_slug, pk=question_id).first()


def question_by_id(question_id: int) -> Question | None:
    return _questions().filter(pk=question_id).first()


def thread_of(question: Question, user_id: int | None, now: dt.datetime, version_number: str = "") -> Thread:
    """The thread as this person sees it, on the version they read, else the live one."""
    version = _version(question, version_number)
    state: ThreadState | None = getattr(question, "thread", None)
    locked = state.reason if state and state.locked_at else None
    suspension = suspension_of(user_id, now) if user_id else None
    changes = question.versions.filter(change__in=[Change.SEMANTIC, Change.KEY]).order_by("-number")
    return Thread(
        question=question,
        version=version,
        writer=Writer(user_id, suspension, locked, state.slow_minutes if state else 0),
        changed_in=changes.values_list("number", flat=True).first() or 0,
        chips=[OptionChip(slot, words) for slot, words in sorted(option_words(version.options_html).items())],
        question_url=public_address(version, question),
    )


def thread_page(thread: Thread, sort: str, after: str, now: dt.datetime) -> ThreadPage:
    """A page of the thread; the first also has the reader's own waiting comments."""
    sort = sort if sort in SORTS else DEFAULT_SORT
    rows = list(_after(_top(thread.question), sort, after)[: PER_PAGE + 1])
    shown = rows[:PER_PAGE]
    first = not after
    waiting = list(_waiting(thread)) if first and thread.writer.user_id else []
    lines = _lines(thread, shown, now)
    return ThreadPage(
        thread=thread,
        lines=lines,
        waiting=[_line(thread, row, set(), now) for row in waiting],
        sort=sort,
        sorts=list(SORTS.items()),
        is_first=first,
        after=_cursor(shown[-1], sort) if len(rows) > PER_PAGE else "",
    )


def find_comment(comment_id: int, user_id: int | None, stubs: bool = False) -> Comment | None:
    """A comment this person may see: a public one, or their own waiting one; with ``stubs``, those too."""
    seen = seen_by(user_id)
    rows = Comment.objects.filter(seen | Q(listed=True) if stubs else seen, pk=comment_id)
    return rows.select_related(
        "author", "version", "report", "parent__author", "parent__version", "parent__report"
    ).first()


def question_of(comment: Comment) -> Question:
    """A comment's question, with what its thread needs."""
    return _questions().get(pk=comment.question_id)


def conversation(thread: Thread, comment: Comment, now: dt.datetime) -> Conversation:
    """A comment, or what it replies to, with every reply, including the reader's own waiting ones."""
    top = comment.parent or comment
    user_id = thread.writer.user_id
    rows = _with_people(Comment.objects.filter(seen_by(user_id), parent=top)).order_by("pk")
    replies = list(rows[:200])
    voted = _voted(user_id, [top, *replies])
    line = _line(thread, top, voted, now, [_line(thread, row, voted, now) for row in replies])
    follows = bool(user_id) and Subscription.objects.filter(comment=top, user=user_id).exists()
    return Conversation(thread, line, comment.pk, follows)


def comment_count(question_id: int) -> int:
    """How many public comments a question has, including replies."""
    return Comment.objects.filter(READABLE, question=question_id).count()


def own_report(comment: Comment, user_id: int) -> CommentReport | None:
    """This person's existing report on a comment."""
    return CommentReport.objects.filter(comment=comment, reporter=user_id).first()


def _questions() -> QuerySet[Question]:
    rows = Question.objects.filter(live_version__isnull=False)
    return rows.select_related("exam", "live_version", "thread")


def _version(question: Question, number: str) -> QuestionVersion:
    live = cast(QuestionVersion, question.live_version)
    if number.isdecimal() and len(number) <= MAX_DIGITS_OF_VERSION and int(number) != live.number:
        return question.versions.filter(number=int(number)).first() or live
    return live


def _top(question: Question) -> QuerySet[Comment]:
    return _with_people(Comment.objects.filter(question=question, listed=True, parent=None))


def _with_people(rows: QuerySet[Comment]) -> QuerySet[Comment]:
    return rows.select_related("author", "version", "report").defer("text", "version__stem", "version__stem_html")


def _after(rows: QuerySet[Comment], sort: str, after: str) -> QuerySet[Comment]:
    """Rows after a cursor, by index; an invalid one means the start."""
    column = COLUMNS[sort]
    rows = rows.order_by(f"-{column}", "-pk")
    numbers = [int(part) for part in after.split("-") if part.isdecimal() and len(part) <= MAX_DIGITS]
    if len(numbers) != 2:
        return rows
    value = numbers[0] if sort == "helpful" else EPOCH + dt.timedelta(microseconds=min(numbers[0], LATEST))
    return rows.filter(**{f"{column}__lte": value}).exclude(**{column: value, "pk__gte": numbers[1]})


def _cursor(comment: Comment, sort: str) -> str:
    value = comment.helpful if sort == "helpful" else (comment.created_at - EPOCH) // dt.timedelta(microseconds=1)
    return f"{value}-{comment.pk}"


def _waiting(thread: Thread) -> QuerySet[Comment]:
    rows = Comment.objects.filter(waiting_of(thread.writer.user_id), question=thread.question)
    return _with_people(rows).prefetch_related("hits").order_by("-pk")[:WAITING_SHOWN]


def _lines(thread: Thread, rows: Sequence[Comment], now: dt.datetime) -> list[Line]:
    numbered = (
        Comment.objects.filter(READABLE, parent__in=[row.pk for row in rows])
        .annotate(place=Window(RowNumber(), partition_by=F("parent"), order_by=F("pk").asc()))
        .filter(place__lte=REPLIES_SHOWN)
    )
    replies = list(_with_people(numbered).order_by("pk"))
    voted = _voted(thread.writer.user_id, [*rows, *replies])
    under: dict[int | None, list[Line]] = {}
    for reply in replies:
        under.setdefault(reply.parent_id, []).append(_line(thread, reply, voted, now))
    return [_line(thread, row, voted, now, under.get(row.pk)) for row in rows]


def _voted(user_id: int | None, rows: Iterable[Comment]) -> set[int]:
    if not user_id:
        return set()
    return set(Vote.objects.filter(user=user_id, comment__in=rows).values_list("comment", flat=True))


def _line(
    thread: Thread, comment: Comment, voted: set[int], now: dt.datetime, replies: list[Line] | None = None
) -> Line:
    user_id = thread.writer.user_id
    is_own = user_id is not None and comment.author_id == user_id
    is_edited_out = bool(comment.state_by_id and comment.state_reason)
    is_stub = not comment.is_seen_by(user_id)
    report = comment.report
    return Line(
        comment=comment,
        name=comment.author.get_short_name() if comment.author else "",
        is_own=is_own,
        is_voted=comment.pk in voted,
        is_stale=comment.version.number < thread.changed_in and not is_stub,
        is_stub=is_stub,
        may_edit=is_own and comment.may_change(now) and thread.writer.may_write and not is_edited_out,
        outcome=report if report and comment.kind == Kind.CORRECTION and report.state != ReportState.OPEN else None,
        why=why_waiting(comment) if is_own and not is_stub and comment.state == State.HELD else (),
        replies=replies or [],
    )


def why_waiting(comment: Comment) -> tuple[str, ...]:
    """Why it is waiting, for its author: a sentence for each rule that holds it."""
    rules = dict.fromkeys(hit.rule for hit in comment.hits.all())
    return tuple(TO_AUTHOR[rule] for rule in rules if rule in TO_AUTHOR)
