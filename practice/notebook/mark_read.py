"""Marking modules of the study guide as read."""

from __future__ import annotations

import datetime as dt

from django.db import transaction

from practice.learners.enrol import lock_learner
from practice.learners.models import ModuleRead, SectionRead
from practice.learners.reads.identity import Owner, owners_in_turn
from questions.catalogue.models import StudyModule


def set_read(owner: Owner, module: StudyModule, on: bool, now: dt.datetime) -> None:
    """Mark the module and its sections as read, or unread; an existing mark keeps its date."""
    if on:
        with transaction.atomic():
            learner = lock_learner(owner, now)
            ModuleRead.objects.get_or_create(learner=learner, module=module, defaults={"read_at": now})
        return
    # Without lock_learner, which would create a learner for somebody who has nothing to remove.
    for each in owners_in_turn(owner):
        for marks in (ModuleRead, SectionRead):
            marks.objects.filter(module=module, **each.of_row).delete()
