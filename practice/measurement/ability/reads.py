"""A learner's whole past in an exam, in the order in which the site came to know it."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from django.db.models import Q

from practice.measurement.ability.rules.belief import GivenAnswer, ItemBelief
from practice.sessions.models import Mode, SessionItem

EPOCH = dt.datetime(2020, 1, 1, tzinfo=dt.UTC)
PACE_ANSWERS = 200


@dataclass(frozen=True)
class PastAnswer:
    """A judged answer. ``known_at`` is when its sitting ended; for a question page, when it was given."""

    known_at: dt.datetime
    version: int
    question: int
    domain: int
    right: bool
    first: bool

    def given(self, belief: ItemBelief) -> GivenAnswer:
        """The same as the learner model reads it."""
        days = days_of(self.known_at)
        return GivenAnswer(days, self.domain, self.question, belief, self.right, self.first)


def days_of(moment: dt.datetime) -> float:
    """A time in days, as the learner model counts them."""
    return (moment - EPOCH) / dt.timedelta(days=1)


def latest_seconds(learner_id: int, exam_id: int) -> list[int]:
    """The measured seconds of the learner's latest answers, newest first, in one statement."""
    mine = SessionItem.objects.filter(session__learner=learner_id, session__exam=exam_id, answered_at__isnull=False)
    return list(mine.filter(seconds__gt=0).order_by("-answered_at").values_list("seconds", flat=True)[:PACE_ANSWERS])


def past_answers(learner_id: int, exam_id: int) -> list[PastAnswer]:
    """Every judged answer of finished sittings and question pages, in one statement.

    A question left open in a mock is no answer.
    """
    items = SessionItem.objects.filter(
        Q(session__finished_at__isnull=False) | Q(session__mode=Mode.PAGE),
        session__learner_id=learner_id,
        session__exam_id=exam_id,
        session__discarded_at=None,
        is_correct__isnull=False,
        answered_at__isnull=False,
    )
    columns = (
        "session__finished_at", "answered_at", "session_id", "position", "version_id", "version__question_id",
        "version__domain_id", "is_correct", "first_exposure",
    )  # fmt: skip
    rows = sorted((row[0] or row[1], *row[1:]) for row in items.values_list(*columns))
    return [
        PastAnswer(known_at, version, question, domain, right, bool(first))
        for known_at, _, _, _, version, question, domain, right, first in rows
    ]
