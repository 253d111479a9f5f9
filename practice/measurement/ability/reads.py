"""A learner's whole past in an exam, in the order in which the site came to know it."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from django.db.models import Q

from practice.measurement.ability.rules.belief import GivenAnswer, ItemBelief, sibling_weight
from practice.sessions.models import Mode, SessionItem

EPOCH = dt.datetime(2020, 1, 1, tzinfo=dt.UTC)
PACE_ANSWERS = 200
Meeting: TypeAlias = tuple[dt.datetime, dt.datetime, int]
"""When a question was met, when that was known, and the question's id."""


@dataclass(frozen=True)
class PastAnswer:
    """A marked answer. ``known_at`` is when its session ended; for a question page, when it was given.

    ``after_sibling`` is how many days before it another question of its family was last met; None for never.
    """

    known_at: dt.datetime
    version: int
    question: int
    domain: int
    right: bool
    first: bool
    after_sibling: float | None = None

    def given(self, belief: ItemBelief) -> GivenAnswer:
        """The same as the learner model reads it."""
        days = days_of(self.known_at)
        weight = 1.0 if self.after_sibling is None else sibling_weight(self.after_sibling)
        return GivenAnswer(days, self.domain, self.question, belief, self.right, self.first, weight)


def days_of(moment: dt.datetime) -> float:
    """A time in days, as the learner model counts them."""
    return (moment - EPOCH) / dt.timedelta(days=1)


def latest_seconds(learner_id: int, exam_id: int) -> list[int]:
    """The measured seconds of the learner's latest answers, newest first, in one statement."""
    mine = SessionItem.objects.filter(session__learner=learner_id, session__exam=exam_id, answered_at__isnull=False)
    return list(mine.filter(seconds__gt=0).order_by("-answered_at").values_list("seconds", flat=True)[:PACE_ANSWERS])


def past_answers(learner_id: int, exam_id: int) -> list[PastAnswer]:
    """Every marked answer of finished sessions and question pages, in one statement.

    A question left unanswered in a mock is no answer; one of a family has been met all the same.
    """
    is_answer = Q(is_correct__isnull=False, answered_at__isnull=False)
    is_met = Q(version__question__family__isnull=False, displayed_at__isnull=False)
    items = SessionItem.objects.filter(
        Q(session__finished_at__isnull=False) | Q(session__mode=Mode.PAGE),
        is_answer | is_met,
        session__learner_id=learner_id,
        session__exam_id=exam_id,
        session__discarded_at=None,
    )
    columns = (
        "session__finished_at", "answered_at", "session_id", "position", "version_id", "version__question_id",
        "version__domain_id", "is_correct", "first_exposure", "version__question__family_id", "checked_at",
    )  # fmt: skip
    rows = list(items.values_list(*columns))
    met = _meetings(rows)
    answers = sorted((row[0] or row[1], *row[1:]) for row in rows if row[7] is not None and row[1])
    return [
        PastAnswer(
            known_at, version, question, domain, right, bool(first), _since(met.get(family, ()), known_at, question, at)
        )
        for known_at, at, _, _, version, question, domain, right, first, family, _ in answers
    ]


def _meetings(rows: Iterable[Sequence[Any]]) -> dict[int, list[Meeting]]:
    """By family, when each of its questions was answered or displayed, and since when that has been known."""
    met: dict[int, list[Meeting]] = defaultdict(list)
    for finished, answered, _, _, _, question, _, _, _, family, checked in rows:
        if family is not None:
            at = answered or checked or finished
            met[family].append((at, finished or at, question))
    return met


def _since(met: Iterable[Meeting], known_at: dt.datetime, question: int, at: dt.datetime) -> float | None:
    """Days since another question of the family was last met, as known when this answer was; None for never.

    What only came to be known later is left out: what was said meanwhile was said without it, and a rebuild says the
    same.
    """
    before = [moment for moment, known, other in met if other != question and moment < at and known <= known_at]
    return days_of(at) - days_of(max(before)) if before else None
