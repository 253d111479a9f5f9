"""Turning a flashcard: whether the learner knew it is a fact from which review cards are derived."""

from __future__ import annotations

import datetime as dt

from django.db import transaction

from practice.learners.enrol import lock_learner
from practice.learners.reads.identity import Owner
from practice.reviews.make_cards import refresh_cards
from practice.reviews.models import CardTurn, ReviewCard
from practice.sessions.errors import NotYours
from practice.sessions.reads.units import is_locked
from questions.catalogue.models import Exam


def turn_card(owner: Owner, exam: Exam, question_id: int, knew: bool, now: dt.datetime) -> None:
    """Record whether the owner knew one of their cards, and plan its next review. Raises NotYours.

    Not while the question or a sibling is in an unfinished mock: the back of the card gives away its answer.
    """
    with transaction.atomic():
        # Locked before asking whether a mock has the question, because starting a mock takes this lock as well.
        learner = lock_learner(owner, now)
        card = ReviewCard.objects.select_related("question").filter(learner=learner, exam=exam, question=question_id)
        found = card.first()
        if found is None or is_locked(found.question, learner=learner):
            raise NotYours
        CardTurn.objects.create(learner=learner, exam=exam, question_id=question_id, at=now, knew=knew)
        refresh_cards(learner.pk, exam.pk)
