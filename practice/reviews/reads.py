"""Review cards derived from answers, and what is due today in the learner's time zone."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet, SmallIntegerField, Subquery, Value

from courseiva.common.quick.statements import composed_once
from practice.learners.models import ExamPlan, Learner
from practice.learners.reads.zones import zone_of
from practice.reviews.models import CardTurn, ReviewCard
from practice.reviews.rules import DAILY, DAY, Answer, CardState, is_very_slow, replay
from practice.sessions.models import Confidence, Mode, SessionItem
from practice.sessions.reads.marked import marked_answers
from practice.sessions.reads.units import unit_at, units_of
from questions.catalogue.models import Blueprint, Exam
from questions.versions.models.drafts import Question
from questions.versions.models.versions import QuestionVersion


@dataclass(frozen=True)
class Today:
    """The learner's day: its date, and when it starts and ends."""

    date: dt.date
    start: dt.datetime
    end: dt.datetime
    zone: dt.tzinfo

    @classmethod
    def of(cls, learner: Learner, now: dt.datetime) -> Today:
        zone = zone_of(learner)
        date = now.astimezone(zone).date()
        start, end = (dt.datetime.combine(day, dt.time.min, zone) for day in (date, date + DAY))
        return cls(date, start, end, zone)


def due_cards(learner: Learner, exam: Exam, today: Today) -> QuerySet[Any, Any]:
    """The cards due by the end of the day, oldest first, each with its unit; on exam day, all cards.

    A unit answered today isn't due again today, even if its card doesn't include that answer yet.
    """
    is_exam_day = Exists(ExamPlan.objects.filter(learner=learner, exam=exam, exam_date=today.date))
    cards = ReviewCard.objects.filter(learner=learner, exam=exam).filter(Q(due_at__lt=today.end) | Q(is_exam_day))
    turned = _turned(learner, exam, today).order_by().annotate(unit=unit_at("question")).values("unit")
    cards = cards.annotate(unit=unit_at("question")).exclude(unit__in=units_of(_answered(learner, exam, today)))
    return cards.exclude(unit__in=turned)


def done_today(learner: Learner, exam: Exam, today: Today) -> int:
    """How many answers were given in reviews today, and flashcards turned."""
    answers = _answered(learner, exam, today).filter(session__mode=Mode.REVIEW)
    turned = _turned(learner, exam, today)
    return answers.order_by().values("answered_at").union(turned.order_by().values("at"), all=True).count()


def left_today(done: int) -> int:
    """How many more reviews today can have."""
    return max(0, DAILY - done)


def _turned(learner: Learner, exam: Exam, today: Today) -> QuerySet[CardTurn]:
    return CardTurn.objects.filter(learner=learner, exam=exam, at__gte=today.start)


def _answered(learner: Learner, exam: Exam, today: Today) -> QuerySet[SessionItem]:
    return SessionItem.objects.filter(
        session__learner=learner, session__exam=exam, session__discarded_at=None, answered_at__gte=today.start
    )


@dataclass(frozen=True)
class Coming:
    """When units come back for review: the time by question, without those that have no card; and the exam date."""

    due_at: dict[int, dt.datetime]
    exam_date: dt.date | None


def comes_back(learner_id: int, exam_id: int, questions: Iterable[int]) -> Coming:
    """When the units of these questions come back, by the answers so far; those no longer asked don't.

    Stored cards are only updated once a session is analysed, so as long as one with answers to these units isn't, they
    are derived anew. In two queries.
    """
    rows = _facts(learner_id, exam_id, list(questions))
    if not rows:
        return Coming({}, None)
    _, _, exam_date, minutes, count, is_settled = rows[0]
    units = {question: family or -question for question, family, *_ in rows}
    asked = list(units), list({family for _, family, *_ in rows if family})
    if is_settled:
        due_at = dict(_stored(learner_id, *asked))
    else:
        pace = minutes * 60 / count if count else None
        due_at = {unit: state.due_at for unit, _, state in _cards(_given_among(learner_id, exam_id, *asked), pace)}
    return Coming({question: due_at[unit] for question, unit in units.items() if unit in due_at}, exam_date)


@composed_once
def _facts(learner: int, exam: int, questions: Collection[int]) -> QuerySet[Question, Any]:
    plan = ExamPlan.objects.filter(learner=learner, exam=exam).values("exam_date")[:1]
    guide = Blueprint.objects.filter(exam=exam, is_current=True)
    minutes, count = guide.values("minutes")[:1], guide.values("question_count")[:1]
    # A retired question comes back only as a sibling that is still asked.
    asked = Question.objects.filter(family=OuterRef("family"), retired_at=None, live_version__isnull=False)
    facts = Question.objects.filter(Q(retired_at=None) | Exists(asked), pk__in=questions).order_by()
    unsettled = marked_answers(learner).filter(session__exam=exam, session__analysed_at=None)
    unsettled = unsettled.filter(version__in=_versions_of(_with_siblings(questions)))
    return facts.values_list("pk", "family_id", Subquery(plan), Subquery(minutes), Subquery(count), ~Exists(unsettled))


def _with_siblings(questions: Collection[int]) -> QuerySet[Question]:
    families = Question.objects.filter(pk__in=questions, family__isnull=False).order_by().values("family")
    return Question.objects.filter(Q(pk__in=questions) | Q(family__in=families))


def _versions_of(questions: QuerySet[Question]) -> QuerySet[QuestionVersion, Any]:
    """Their versions, as a subquery of ids."""
    return QuestionVersion.objects.filter(question__in=questions.order_by().values("pk")).order_by().values("pk")


@composed_once
def _stored(learner: int, questions: Collection[int], families: Collection[int]) -> QuerySet[ReviewCard, Any]:
    """Each unit of these questions and families that has a card, and when it is due."""
    cards = ReviewCard.objects.filter(learner=learner, question__in=_among(questions, families).values("pk"))
    return cards.order_by().annotate(unit=unit_at("question")).values_list("unit", "due_at")


def _among(questions: Collection[int], families: Collection[int]) -> QuerySet[Question]:
    """These questions, and all of these families."""
    among = Q(pk__in=questions)
    return Question.objects.filter(among | Q(family__in=families) if families else among).order_by()


def cards_of_answers(learner_id: int, exam_id: int) -> dict[int, CardState]:
    """The card resulting from each unit's answers, by the id of its question that was answered first.

    Units whose answers make no card are left out. A turned flashcard counts as an answer, right if the learner knew it.
    """
    return {question: state for _, question, state in _cards(_given(learner_id, exam_id), _pace(exam_id))}


@composed_once
def _given_among(
    learner_id: int, exam_id: int, questions: Collection[int], families: Collection[int]
) -> QuerySet[Any, Any]:
    """The answers to these questions and to all of these families."""
    return _given(learner_id, exam_id, _among(questions, families))


def _given(learner_id: int, exam_id: int, asked: QuerySet[Question] | None = None) -> QuerySet[Any, Any]:
    """The answers and turns that make cards, only for the questions in ``asked`` if given."""
    # If a mark is right for everybody, whatever they chose, it says nothing about memory.
    answers = (
        marked_answers(learner_id)
        .filter(session__exam=exam_id, granted=False)
        .annotate(unit=unit_at("version__question"))
    )
    turns = CardTurn.objects.filter(learner=learner_id, exam=exam_id).annotate(unit=unit_at("question"))
    if asked is not None:
        # By version, which answers refer to, so that only these are looked up in a long history.
        answers = answers.filter(version__in=_versions_of(asked))
        turns = turns.filter(question__in=asked.order_by().values("pk"))
    columns = ("unit", "version__question_id", "answered_at", "session_id", "position")
    given = answers.order_by().values_list(*columns, "is_correct", "confidence", "seconds")
    # Ordered as if without a session, before answers given at the same time.
    turned = turns.order_by().values_list(
        "unit", "question_id", "at", Value(0), Value(0), "knew", Value(None, SmallIntegerField()), Value(0)
    )  # fmt: skip
    return given.union(turned, all=True)


def _cards(given: Iterable[tuple], pace: float | None) -> Iterator[tuple[int, int, CardState]]:
    """For each unit that has a card: the unit, the question answered first, the card."""
    rows = sorted(given, key=itemgetter(0, 2, 3, 4))
    for unit, group in groupby(rows, itemgetter(0)):
        mine = list(group)
        state = replay(_answers(mine, pace))
        if state:
            yield unit, mine[0][1], state


def _answers(rows: Iterable[tuple], pace: float | None) -> Iterable[Answer]:
    for _, _, at, _, _, is_right, confidence, seconds in rows:
        guess, sure = confidence == Confidence.GUESS, confidence == Confidence.SURE
        yield Answer(at, is_right, guess, is_very_slow(seconds, pace), sure)


def _pace(exam_id: int) -> float | None:
    """Seconds per question in the exam's current guide; None without one."""
    blueprint = Blueprint.objects.filter(exam=exam_id, is_current=True).first()
    return blueprint.minutes * 60 / blueprint.question_count if blueprint else None
