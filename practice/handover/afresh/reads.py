"""What a fresh start of an exam would remove and keep, and the last one, if it can be undone."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from django.db.models import Count, Q

from practice.handover.afresh.rules import UNDO_DAYS, Item
from practice.learners.models import FreshStart, Highlight, Learner, Note, Star
from practice.learners.reads.zones import zone_of
from practice.reviews.models import ReviewCard
from practice.sessions.models import UNLISTED, Mode, PracticeSession, SessionItem
from practice.sessions.reads.history import OpenSession, open_sessions
from questions.catalogue.models import Exam

COLUMNS = (
    "version__question_id", "version_id", "option_order", "displayed_at", "answered_at", "checked_at",
    "session__finished_at", "session__discarded_at", "withheld", "session__mode",
)  # fmt: skip


@dataclass(frozen=True)
class AfreshPage:
    """``goes`` and ``stays`` are counts by name.

    ``mock`` is running and must end first; ``undoable`` is the last start.
    """

    exam: Exam
    is_guest: bool
    goes: dict[str, int]
    stays: dict[str, int]
    mock: OpenSession | None
    undoable: FreshStart | None
    undo_until: dt.datetime | None
    zone: dt.tzinfo

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to remove."""
        return not self.goes["answers"] and not self.goes["sessions"]


def afresh_page(exam: Exam, learner: Learner | None, now: dt.datetime) -> AfreshPage:
    """The page; the number of queries doesn't grow with the history."""
    if learner is None:
        return AfreshPage(exam, True, dict.fromkeys(("sessions", "answers", "cards"), 0), {}, None, None, None, dt.UTC)
    last = undoable(learner, exam, now)
    mocks = (each for each in open_sessions(learner, now) if each.session.mode == Mode.MOCK and not each.is_over)
    return AfreshPage(
        exam=exam,
        is_guest=learner.user_id is None,
        goes=_goes(learner, exam),
        stays=_stays(learner, exam),
        mock=next((each for each in mocks if each.session.exam_id == exam.pk), None),
        undoable=last,
        undo_until=last.at + dt.timedelta(days=UNDO_DAYS) if last else None,
        zone=zone_of(learner),
    )


def undoable(learner: Learner, exam: Exam, now: dt.datetime) -> FreshStart | None:
    """The learner's newest fresh start of the exam, while it can be undone."""
    rows = FreshStart.objects.filter(learner=learner, exam=exam, at__gt=now - dt.timedelta(days=UNDO_DAYS))
    return rows.first()


def items_of(learner: Learner, exam: Exam) -> list[Item]:
    """All of a learner's items in an exam, in one query."""
    rows = SessionItem.objects.filter(session__learner=learner, session__exam=exam).order_by()
    return [Item(*values) for values in rows.values_list(*COLUMNS)]


def _goes(learner: Learner, exam: Exam) -> dict[str, int]:
    mine = PracticeSession.objects.filter(learner=learner, exam=exam)
    items = SessionItem.objects.filter(session__learner=learner, session__exam=exam)
    return {
        "sessions": mine.filter(discarded_at=None).exclude(mode__in=UNLISTED).count(),
        "answers": items.filter(answered_at__isnull=False, session__discarded_at=None).count(),
        "cards": ReviewCard.objects.filter(learner=learner, exam=exam).count(),
    }


def _stays(learner: Learner, exam: Exam) -> dict[str, int]:
    items = SessionItem.objects.filter(session__learner=learner, session__exam=exam, displayed_at__isnull=False)
    marks = Q(version__question__exam=exam) | Q(module__exam=exam)
    return {
        "seen": items.aggregate(n=Count("version__question", distinct=True))["n"],
        "notes": Note.objects.filter(learner=learner, question__exam=exam).count(),
        "stars": Star.objects.filter(learner=learner, question__exam=exam).count(),
        "highlights": Highlight.objects.filter(marks, learner=learner).count(),
    }
