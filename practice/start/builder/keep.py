"""Saving a drill's settings under a name."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from django.db import transaction

from practice.learners.enrol import lock_learner
from practice.learners.models import DrillPreset, Learner
from practice.learners.reads.identity import Owner
from practice.sessions.errors import NotPossible
from questions.catalogue.models import Exam

MOST = 30
"""Presets per exam: more than anybody would look through."""


def keep_preset(
    owner: Owner, exam: Exam, name: str, fields: Sequence[tuple[str, str]], instead: int | None, now: dt.datetime
) -> DrillPreset:
    """Save a preset under this name, replacing one with the same name or the one it is saved ``instead`` of.

    Raises NotPossible if there are too many.
    """
    with transaction.atomic():
        learner = lock_learner(owner, now)
        mine = DrillPreset.objects.filter(learner=learner, exam=exam)
        if instead is not None:
            mine.filter(pk=instead).exclude(name=name).delete()
        # Under the learner's lock; otherwise two tabs could both find room for the last one.
        if mine.exclude(name=name).count() >= MOST:
            raise NotPossible("too-many-presets")
        preset, _ = DrillPreset.objects.update_or_create(
            learner=learner, exam=exam, name=name, defaults={"fields": list(fields), "made_at": now}
        )
    return preset


def drop_preset(learner: Learner, exam: Exam, preset_id: int) -> None:
    """Delete one's own preset."""
    DrillPreset.objects.filter(learner=learner, exam=exam, pk=preset_id).delete()
