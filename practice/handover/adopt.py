"""A guest who signs in keeps their work."""

from __future__ import annotations

import datetime as dt

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone

from practice.learners.enrol import lock_learner
from practice.learners.models import (
    UNTOLD,
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
from practice.learners.reads.identity import UNDER_WAY, Owner
from practice.learners.trial.models import TrialMiss
from practice.readiness.derive.analyse import refresh_all
from practice.reviews.models import CardTurn
from practice.sessions.ending.withhold import open_up
from practice.sessions.models import PracticeSession
from practice.sessions.reads.shown import shown_questions


def adopt(guest: Owner, user: Owner, now: dt.datetime) -> Learner | None:
    """Merge a guest's work into a user's learner, ordered by time; then the guest is gone. None if there was no guest.

    If both have a note on a question, the note keeps both texts. If both have a plan for an exam, or a preset with the
    same name, the user's wins. The guest's time zone is kept if no browser has reported the user's yet.
    """
    with transaction.atomic():
        # Locked, so that a second sign-in from this browser waits here and then finds no guest.
        source = Learner.objects.select_for_update().filter(**guest.of_learner).first()
        if source is None:
            return None
        target = lock_learner(user, now)
        PracticeSession.objects.filter(learner=source).update(learner=target)
        open_up(target.pk, shown_questions(target).values_list("version__question_id", flat=True))
        # If both have a row, the guest's stays with the guest and is deleted with it below: a learner has only one of
        # each.
        known = Star.objects.filter(learner=target).values("question")
        Star.objects.filter(learner=source).exclude(question__in=known).update(learner=target)
        _join_highlights(source, target)
        CardTurn.objects.filter(learner=source).update(learner=target)
        read = ModuleRead.objects.filter(learner=target).values("module")
        ModuleRead.objects.filter(learner=source).exclude(module__in=read).update(learner=target)
        same = SectionRead.objects.filter(learner=target, module=OuterRef("module"), anchor=OuterRef("anchor"))
        SectionRead.objects.filter(learner=source).exclude(Exists(same)).update(learner=target)
        _join_notes(source, target)
        own_plans = ExamPlan.objects.filter(learner=target).values("exam")
        ExamPlan.objects.filter(learner=source).exclude(exam__in=own_plans).update(learner=target)
        _join_presets(source, target)
        FreshStart.objects.filter(learner=source).update(learner=target)
        _join_trial(source, target)
        if target.time_zone == UNTOLD:
            target.time_zone = source.time_zone
            target.save(update_fields=["time_zone"])
        refresh_all(target, now)
        # Only after the refresh: what was derived for the guest is deleted with its row, and recomputed for the user.
        source.delete()
        Adoption.objects.filter(learner=target, at__lt=timezone.now() - UNDER_WAY).delete()
        Adoption.objects.update_or_create(guest_key=guest.guest_key, defaults={"learner": target, "at": timezone.now()})
    return target


def _join_highlights(source: Learner, target: Learner) -> None:
    """The guest's, except for words the user has highlighted too."""
    own = Highlight.objects.filter(learner=target)
    for place in ("version", "module"):
        same = own.filter(text=OuterRef("text"), **{place: OuterRef(place)})
        theirs = Highlight.objects.filter(learner=source, **{f"{place}__isnull": False})
        theirs.exclude(Exists(same)).update(learner=target)


def _join_presets(source: Learner, target: Learner) -> None:
    same = DrillPreset.objects.filter(learner=target, exam=OuterRef("exam"), name=OuterRef("name"))
    DrillPreset.objects.filter(learner=source).exclude(Exists(same)).update(learner=target)


def _join_trial(source: Learner, target: Learner) -> None:
    """Move the guest's draws; the user's own stay. Having opted out counts, whether as the guest or as the user."""
    drawn = TrialMiss.objects.filter(learner=target).values("family")
    TrialMiss.objects.filter(learner=source).exclude(family__in=drawn).update(learner=target)
    if target.in_trial and not source.in_trial:
        target.in_trial = False
        target.save(update_fields=["in_trial"])


def _join_notes(source: Learner, target: Learner) -> None:
    own = {note.question_id: note for note in Note.objects.filter(learner=target)}
    for note in Note.objects.filter(learner=source):
        mine = own.get(note.question_id)
        if mine is None:
            note.learner = target
            note.save(update_fields=["learner"])
        elif note.text != mine.text:
            mine.text = f"{mine.text}\n\n{note.text}"
            mine.changed_at = max(mine.changed_at, note.changed_at)
            mine.save(update_fields=["text", "changed_at"])
