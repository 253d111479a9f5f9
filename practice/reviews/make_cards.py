"""Review cards, made from the answers they follow from."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from operator import itemgetter

from practice.reviews.models import ReviewCard
from practice.reviews.rules import Answer, CardState, is_very_slow, replay
from practice.sessions.models import Confidence
from practice.sessions.reads.marked import marked_answers
from practice.sessions.reads.units import unit_at
from questions.catalogue.models import Blueprint

FIELDS = ("stability", "difficulty", "reviewed_at", "due_at", "reviews", "lapses")


def refresh_cards(learner_id: int, exam_id: int) -> None:
    """Make a learner's cards of an exam what their marked answers say; rows that are so already are not written.

    Call inside a transaction that holds the learner's lock.
    """
    wanted = _cards_of_answers(learner_id, exam_id)
    stored = {card.question_id: card for card in ReviewCard.objects.filter(learner=learner_id, exam=exam_id)}
    gone = [card.pk for question, card in stored.items() if question not in wanted]
    changed = [
        ReviewCard(learner_id=learner_id, exam_id=exam_id, question_id=question, **_values(state))
        for question, state in wanted.items()
        if question not in stored or _values(state) != _values(stored[question])
    ]
    if gone:
        ReviewCard.objects.filter(pk__in=gone).delete()
    if changed:
        ReviewCard.objects.bulk_create(
            changed, update_conflicts=True, unique_fields=["learner", "question"], update_fields=FIELDS
        )


def _cards_of_answers(learner_id: int, exam_id: int) -> dict[int, CardState]:
    """The card that the answers to each unit make, by the id of the question of it that was answered first.

    A unit whose answers make no card is left out.
    """
    pace = _pace(exam_id)
    rows = (
        marked_answers(learner_id)
        .filter(session__exam=exam_id)
        .order_by(unit_at("version__question"), "answered_at", "session_id", "position")
        .values_list(
            unit_at("version__question"), "version__question_id", "answered_at", "is_correct", "confidence", "seconds"
        )
    )
    cards = {}
    for _, group in groupby(rows, itemgetter(0)):
        mine = list(group)
        cards[mine[0][1]] = replay(_answers(mine, pace))
    return {question: state for question, state in cards.items() if state}


def _answers(rows: Iterable[tuple], pace: float | None) -> Iterable[Answer]:
    for _, _, at, is_right, confidence, seconds in rows:
        guess, sure = confidence == Confidence.GUESS, confidence == Confidence.SURE
        yield Answer(at, is_right, guess, is_very_slow(seconds, pace), sure)


def _pace(exam_id: int) -> float | None:
    """Seconds a question in the exam's current guide; None without one."""
    blueprint = Blueprint.objects.filter(exam=exam_id, is_current=True).first()
    return blueprint.minutes * 60 / blueprint.question_count if blueprint else None


def _values(state: CardState | ReviewCard) -> dict[str, object]:
    return {name: getattr(state, name) for name in FIELDS}
