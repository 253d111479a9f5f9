"""Storing how the real exam went, with the prediction made before it."""

from __future__ import annotations

import datetime as dt

from django.db import transaction

from practice.learners.models import ExamPlan, Outcome, ToldOutcome
from practice.learners.reads.identity import Owner
from practice.learners.reads.zones import zone_of
from practice.readiness.models import ReadinessSnapshot
from practice.sessions.errors import NotPossible
from questions.catalogue.models import Exam


def tell_outcome(owner: Owner, exam: Exam, outcome: str, now: dt.datetime) -> ExamPlan:
    """Store how the real exam went, without a name, with the predicted chance to a tenth; once for each date.

    Without a prediction or an answer, no row is stored. Raises NotPossible if no exam day is past or it was reported
    already.
    """
    with transaction.atomic():
        # Locked: two simultaneous clicks would both find it unreported, and count twice.
        plans = ExamPlan.objects.select_for_update().filter(**owner.of_row, exam=exam, exam_date__isnull=False)
        plan = plans.first()
        zone = zone_of(plan.learner) if plan else dt.UTC
        today = now.astimezone(zone).date()
        if plan is None or plan.told_at or plan.exam_date is None or plan.exam_date > today:
            raise NotPossible("nothing-to-tell")
        said = _said_before(plan, dt.datetime.combine(plan.exam_date, dt.time.max, zone))
        if said is not None and outcome in (Outcome.PASSED, Outcome.NOT_PASSED):
            # A rounded chance here and only the month below: exact figures could identify who reported it.
            band = min(int(10 * said), 9)
            ToldOutcome.objects.create(exam=exam, band=band, outcome=outcome, month=today.replace(day=1))
        plan.told_at = now
        plan.save(update_fields=["told_at"])
    return plan


def _said_before(plan: ExamPlan, end: dt.datetime) -> float | None:
    """The last chance predicted by the end of exam day."""
    rows = ReadinessSnapshot.objects.filter(learner=plan.learner_id, exam=plan.exam_id, at__lte=end)
    return rows.order_by("at", "session").values_list("chance", flat=True).last()
