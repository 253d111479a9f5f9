"""Keeping the exam that somebody prepares for with their account."""

from __future__ import annotations

import datetime as dt

from django.db import transaction

from practice.identity import Owner
from practice.learners import lock_learner
from practice.models import Learner
from questions.models import Exam


def choose_exam(owner: Owner, exam: Exam, now: dt.datetime) -> None:
    """Keep it with a user's account. A guest has no other browser to carry it to: there the cookie is enough."""
    if owner.user_id:
        with transaction.atomic():
            Learner.objects.filter(pk=lock_learner(owner, now).pk).update(exam=exam)


def take_over_choice(owner: Owner, slug: str, now: dt.datetime) -> None:
    """After a login: what this browser was told before holds where the account knows nothing yet."""
    exam = Exam.objects.filter(slug=slug).first()
    if exam and not Learner.objects.filter(**owner.of_learner, exam__isnull=False).exists():
        choose_exam(owner, exam, now)
