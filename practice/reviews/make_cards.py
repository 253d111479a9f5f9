"""Review cards, derived from answers."""

from __future__ import annotations

from courseiva.common.quick.columns import six_digits, whole_second
from practice.reviews.models import ReviewCard
from practice.reviews.reads import cards_of_answers
from practice.reviews.rules import CardState

FIELDS = ("stability", "difficulty", "reviewed_at", "due_at", "reviews", "lapses")


def refresh_cards(learner_id: int, exam_id: int) -> None:
    """Set a learner's cards in an exam to what their marked answers imply; unchanged rows aren't written.

    Call inside a transaction that holds the learner's lock.
    """
    wanted = cards_of_answers(learner_id, exam_id)
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


def _values(state: CardState | ReviewCard) -> dict[str, object]:
    return {name: getattr(state, name) for name in FIELDS} | {
        "stability": six_digits(state.stability),
        "difficulty": six_digits(state.difficulty),
        "reviewed_at": whole_second(state.reviewed_at),
        "due_at": whole_second(state.due_at),
    }
