"""What follows a verdict: why, where it is taught, a variant, the learner's note and star, when it comes back."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

from django.db.models import QuerySet, Value
from django.urls import reverse

from courseiva.common.quick.statements import composed_once
from practice.learners.models import Highlight, Learner, Note, Star
from practice.learners.reads.zones import zone_of
from practice.notebook.reads.misses import MissChoice, misses_of
from practice.reviews.reads import comes_back
from practice.reviews.rules import cap_at_exam
from practice.sessions.models import PracticeSession
from practice.sessions.reads.siblings import drawn_plain
from questions.modules.reads import Taught, taught_in
from questions.versions.reads.breakdowns import Breakdown, MarkedClue
from questions.versions.statistics.reads.shares import Beside, beside_others

NOTE, STAR, MARK = range(3)
"""The kind of a notebook row, when all three are read at once."""
Marked = Mapping[int, tuple[Breakdown, bool]]
"""By position, the marked question's breakdown, and whether a variant can follow."""


@dataclass(frozen=True)
class Notebook:
    """The learner's note and star on a question, and the URLs of their forms."""

    note: str
    starred: bool
    note_url: str
    star_url: str
    words_url: str = ""
    highlights: tuple[str, ...] = ()


@dataclass(frozen=True)
class Chain:
    """What follows one verdict, the same wherever it is shown.

    ``back_on`` is the learner's day on which it comes back, None if no review is planned; ``is_due`` says that this day
    has come. ``miss_choices`` are there for a missed question, ``contrast_url`` if a variant can follow, or what the
    trial drew instead (``is_plain``).
    """

    position: int
    clues: list[MarkedClue]
    taught: list[Taught]
    contrast_url: str
    notebook: Notebook
    miss_url: str
    miss_choices: list[MissChoice]
    back_on: dt.date | None
    is_due: bool
    beside: Beside
    is_plain: bool = False


def chains_of(session: PracticeSession, marked: Marked, now: dt.datetime) -> dict[int, Chain]:
    """By position, the chain of each marked question, in a constant number of queries; none if none is marked."""
    if not marked:
        return {}
    breakdowns = {position: breakdown for position, (breakdown, _) in marked.items()}
    questions = {position: each.question_id for position, each in breakdowns.items()}
    notes, stars, marks = _kept(session.learner_id, set(questions.values()))
    places = taught_in(session.exam, breakdowns)
    misses = misses_of(session, list(breakdowns))
    beside = beside_others(breakdowns)
    days = _days(session, set(questions.values()), now)
    plain = drawn_plain(session.learner_id, {questions[position] for position, (_, more) in marked.items() if more})
    return {
        position: Chain(
            position=position,
            clues=clues_in_turn(breakdown),
            taught=places[position],
            contrast_url=_url("contrast", session, position) if marked[position][1] else "",
            notebook=Notebook(
                notes.get(questions[position], ""),
                questions[position] in stars,
                _url("note", session, position),
                _url("star", session, position),
                _url("highlight", session, position),
                tuple(marks[questions[position]]),
            ),
            miss_url=_url("miss", session, position),
            miss_choices=misses.get(position, []),
            beside=beside[position],
            is_plain=questions[position] in plain,
            **days.get(questions[position], {"back_on": None, "is_due": False}),
        )
        for position, breakdown in breakdowns.items()
    }


def chain_of_variant(
    session: PracticeSession, position: int, answer: uuid.UUID, breakdown: Breakdown, more: bool, now: dt.datetime
) -> Chain:
    """The chain of an answered variant; what can follow depends on the question that led to it."""
    own = {"learner": session.learner_id, "question": breakdown.question_id}
    place = [session.uuid, position, answer]
    nothing = {"back_on": None, "is_due": False}
    return Chain(
        position=position,
        clues=clues_in_turn(breakdown),
        taught=taught_in(session.exam, {position: breakdown})[position],
        contrast_url=_url("contrast", session, position) if more else "",
        notebook=Notebook(
            Note.objects.filter(**own).values_list("text", flat=True).first() or "",
            Star.objects.filter(**own).exists(),
            reverse("contrast-note", args=place),
            reverse("contrast-star", args=place),
        ),
        miss_url="",
        miss_choices=[],
        beside=beside_others({position: breakdown})[position],
        **_days(session, {breakdown.question_id}, now).get(breakdown.question_id, nothing),
    )


def _kept(learner: int, questions: set[int]) -> tuple[dict[int, str], set[int], dict[int, list[str]]]:
    """By question, its note, whether it is starred, and its highlights in the order they were made."""
    rows = _written(learner, questions)
    marked: dict[int, list[str]] = {question: [] for question in questions}
    for question, text, kind, _ in sorted(rows, key=itemgetter(3)):
        if kind == MARK:
            marked[question].append(text)
    written = {question: text for question, text, kind, _ in rows if kind == NOTE}
    return written, {question for question, _, kind, _ in rows if kind == STAR}, marked


@composed_once
def _written(learner: int, questions: Collection[int]) -> QuerySet[Any, Any]:
    own = {"learner": learner, "question__in": questions}
    notes = Note.objects.filter(**own).order_by().values_list("question_id", "text", Value(NOTE), Value(0))
    stars = Star.objects.filter(**own).order_by().values_list("question_id", Value(""), Value(STAR), Value(0))
    marks = Highlight.objects.filter(learner=learner, version__question__in=questions).order_by()
    return notes.union(stars, marks.values_list("version__question_id", "text", Value(MARK), "pk"), all=True)


def clues_in_turn(breakdown: Breakdown) -> list[MarkedClue]:
    """The clue words, starting with those that rule out what was wrongly chosen."""
    wrong = {option.letter for option in breakdown.options if option.is_chosen and not option.is_right}
    return sorted(breakdown.clues, key=lambda clue: not wrong & set(clue.rules_out))


def _days(session: PracticeSession, questions: set[int], now: dt.datetime) -> dict[int, dict]:
    """By question, the learner's day of its next review, and whether that day has come; in two queries."""
    zone = _zone(session)
    today = now.astimezone(zone).date()
    coming = comes_back(session.learner_id, session.exam_id, questions)
    found = {}
    for question, due_at in coming.due_at.items():
        day = cap_at_exam(due_at.astimezone(zone).date(), coming.exam_date, today)
        found[question] = {"back_on": day, "is_due": day <= today}
    return found


def _zone(session: PracticeSession) -> dt.tzinfo:
    try:
        return zone_of(session.learner)
    except Learner.DoesNotExist:  # an account has adopted the guest since the session was read
        return zone_of(Learner.objects.filter(sessions=session.pk).first())


def _url(name: str, session: PracticeSession, position: int) -> str:
    return reverse(name, args=[session.uuid, position])
