"""Which modules of the study guide a learner has marked as read."""

from __future__ import annotations

import datetime as dt

from django.db import transaction

from practice.learners.enrol import lock_learner
from practice.learners.models import ModuleRead, SectionRead
from practice.learners.reads.identity import Owner, owners_in_turn
from questions.catalogue.models import StudyModule


def set_read(owner: Owner, module: StudyModule, on: bool, now: dt.datetime) -> None:
    """Mark the module as read, or take the mark away, its sections' too; a mark that stands keeps its date."""
    if on:
        with transaction.atomic():
            learner = lock_learner(owner, now)
            ModuleRead.objects.get_or_create(learner=learner, module=module, defaults={"read_at": now})
        return
    # Without lock_learner, which would make a learner of somebody who has nothing to take away.
    for each in owners_in_turn(owner):
        for marks in (ModuleRead, SectionRead):
            marks.objects.filter(module=module, **each.of_row).delete()
