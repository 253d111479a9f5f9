"""Removing a person: the answers stay, on a learner that nothing links to a person."""

from __future__ import annotations

import datetime as dt

from django.db import transaction
from django.db.models import Exists, OuterRef

from practice.learners.models import (
    Adoption,
    DrillPreset,
    ExamPlan,
    FreshStart,
    Highlight,
    Learner,
    ModuleRead,
    Note,
    SectionRead,
    Star,
)
from practice.learners.reads.identity import GUEST_DAYS
from practice.readiness.models import Standing
from practice.reviews.models import CardTurn, ReviewCard
from practice.sessions.models import Mode, PracticeSession, SessionItem

PERSONAL = (
    Adoption, Star, Note, Highlight, ModuleRead, SectionRead, CardTurn, ReviewCard, DrillPreset, ExamPlan, Standing,
    FreshStart,
)  # fmt: skip
# One transaction per guest; the rest wait for the task's next run.
PURGED_AT_ONCE = 1000


def forget(learner_id: int, now: dt.datetime) -> None:
    """Detach the person from a learner: their own data, plans, cards and standing are deleted, unfinished sessions
    discarded.

    Finished sessions and their answers stay, so that statistics can be rebuilt; a learner without any is deleted.
    """
    with transaction.atomic():
        learner = Learner.objects.select_for_update().filter(pk=learner_id).first()
        if learner is None:  # an account has adopted the guest meanwhile
            return
        for model in PERSONAL:
            model.objects.filter(learner=learner).delete()
        sessions = PracticeSession.objects.filter(learner=learner)
        # Page answers aren't discarded: their session never ends, and its answers stay like those of finished ones.
        sessions.filter(finished_at=None, discarded_at=None).exclude(mode=Mode.PAGE).update(discarded_at=now)
        if not sessions.exists():
            learner.delete()
            return
        blank = Learner(created_at=learner.created_at)
        # Reset to the fields' defaults: the row stays only to hold the answers.
        for name in ("user", "guest_key", "time_zone", "chosen_zone", "time_factor", "exam", "in_trial"):
            setattr(learner, name, getattr(blank, name))
        learner.save()


def purge_idle_guests(now: dt.datetime) -> int:
    """Forget guests whose last answer is older than their cookie's lifetime; returns how many."""
    since = now - dt.timedelta(days=GUEST_DAYS)
    recent = SessionItem.objects.filter(session__learner=OuterRef("pk"), answered_at__gte=since)
    # A fresh start removed the answers; that mustn't remove the notes as well.
    afresh = PracticeSession.objects.filter(learner=OuterRef("pk"), mode=Mode.MET, started_at__gte=since)
    idle = Learner.objects.filter(guest_key__isnull=False, user=None, created_at__lt=since)
    idle = idle.exclude(Exists(recent) | Exists(afresh))
    found = list(idle.order_by("pk").values_list("pk", flat=True)[:PURGED_AT_ONCE])
    for pk in found:
        forget(pk, now)
    return len(found)
