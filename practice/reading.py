"""Which modules of the study guide a learner has marked as read."""

from __future__ import annotations

import datetime as dt

from practice.identity import Owner
from practice.learners import ensure_learner
from practice.models import ModuleRead
from questions.models import StudyModule


def set_read(owner: Owner, module: StudyModule, on: bool, now: dt.datetime) -> None:
    """Mark the module as read, or take the mark away; a mark that stands keeps its date."""
    if on:
        learner = ensure_learner(owner, now)
        ModuleRead.objects.get_or_create(learner=learner, module=module, defaults={"read_at": now})
    else:
        ModuleRead.objects.filter(module=module, **owner.of_row).delete()
