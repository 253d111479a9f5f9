"""Opening, renewing and closing the address of a plan's calendar."""

from __future__ import annotations

import uuid

from practice.learners.models import ExamPlan
from practice.learners.reads.identity import Owner, owners_in_turn
from questions.catalogue.models import Exam


def set_feed(owner: Owner, exam: Exam, on: bool) -> bool:
    """Give the plan a new address, or none; any previous address stops working. False without a plan."""
    plans = (ExamPlan.objects.filter(**each.of_row, exam=exam) for each in owners_in_turn(owner))
    return any(rows.update(feed_token=uuid.uuid4() if on else None) for rows in plans)
