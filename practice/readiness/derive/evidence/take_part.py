"""Joining and leaving the trial."""

from __future__ import annotations

import datetime as dt

from django.db import transaction

from practice.learners.enrol import lock_learner
from practice.learners.reads.identity import Owner
from practice.learners.trial.models import TrialMiss


def take_part(owner: Owner, on: bool, now: dt.datetime) -> None:
    """Join or leave the trial. Leaving deletes the draws: every variant can be shown again, and none counts."""
    with transaction.atomic():
        learner = lock_learner(owner, now)
        learner.in_trial = on
        learner.save(update_fields=["in_trial"])
        # Takes the lock under which misses are drawn, so that none is drawn between opting out and this deletion.
        if not on:
            TrialMiss.objects.filter(learner=learner).delete()
