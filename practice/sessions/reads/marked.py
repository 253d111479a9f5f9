"""Which answers of a learner are marked, and which questions were missed."""

from __future__ import annotations

from typing import Any

from django.db.models import F, Max, Q, QuerySet
from django.db.models.functions import Coalesce

from practice.learners.models import Learner
from practice.sessions.models import Confidence, SessionItem


def marked_items(learner: Learner | int | None) -> QuerySet[SessionItem]:
    """The learner's marked items: checked at once, or in a finished session.

    None in a discarded session, and none whose solution is withheld.
    """
    items = SessionItem.objects.filter(session__learner=learner, session__discarded_at=None, is_correct__isnull=False)
    items = items.filter(withheld=False)
    return items.filter(Q(checked_at__isnull=False) | Q(session__finished_at__isnull=False))


def marked_answers(learner: Learner | int | None) -> QuerySet[SessionItem]:
    """The same without unanswered items in mocks."""
    return marked_items(learner).filter(answered_at__isnull=False)


def missed_questions(learner: Learner | int | None) -> QuerySet[SessionItem, Any]:
    """Questions whose latest marked answer by this learner was wrong, as a subquery of ids."""
    wrong = Max("answered_at", filter=Q(is_correct=False))
    return (
        marked_answers(learner)
        .values("version__question_id")
        .annotate(last=Max("answered_at"), last_wrong=wrong)
        .filter(last=F("last_wrong"))
        .values("version__question_id")
    )


def guessed_questions(learner: Learner | int | None) -> QuerySet[SessionItem, Any]:
    """Questions whose latest marked answer the learner called a guess, as a subquery of ids."""
    guess = Max("answered_at", filter=Q(confidence=Confidence.GUESS))
    answers = marked_answers(learner).values("version__question_id")
    guessed = answers.annotate(last=Max("answered_at"), last_guess=guess).filter(last=F("last_guess"))
    return guessed.values("version__question_id")


def missed_for(learner: Learner | int | None, miss: str) -> QuerySet[SessionItem, Any]:
    """Questions whose latest marked item was missed for the reason this learner gave, as a subquery of ids.

    Unanswered items count as of the end of their session. Questions answered right since are not included; nor are
    those whose latest miss was given no reason, because a suggestion isn't the learner's word.
    """
    at = Coalesce("answered_at", "session__finished_at")
    items = marked_items(learner).annotate(at=at).values("version__question_id")
    missed = Max("at", filter=Q(is_correct=False, miss_class=miss))
    return (
        items.annotate(last=Max("at"), last_missed=missed).filter(last=F("last_missed")).values("version__question_id")
    )
