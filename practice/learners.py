"""Learners: made at the first answer, joined when a guest signs in."""

from __future__ import annotations

import datetime as dt

from django.contrib.auth import get_user_model
from django.db import transaction
from django.utils import timezone

from practice.analysis import refresh_all
from practice.errors import AccountGone
from practice.identity import UNDER_WAY, Owner, heir_of
from practice.models import UNTOLD, Adoption, Bookmark, ExamPlan, Learner, ModuleRead, Note, PracticeSession
from practice.picking import shown_questions
from practice.withholding import open_up
from practice.zones import is_zone


def lock_learner(owner: Owner, now: dt.datetime) -> Learner:
    """The owner's learner, made where there is none, and locked until the transaction ends. Raises AccountGone.

    A guest whom an account adopted while the request was under way has that account's learner: the wait for the lock
    ends with the guest's row gone. Whoever writes rows of a learner holds this lock, so that none is left behind.
    """
    while True:  # again only where the row was made and taken away in between
        learner = Learner.objects.select_for_update().filter(**owner.of_learner).first()
        if learner:
            return learner
        owner = heir_of(owner) or owner
        if owner.user_id:
            lock_user(owner.user_id)
        add_learner(owner, now)


def lock_user(user_id: int) -> None:
    """Keep an account from being deleted until the transaction ends. Raises AccountGone."""
    rows = get_user_model().objects.select_for_update(no_key=True).filter(pk=user_id)
    if rows.values_list("pk").first() is None:
        raise AccountGone


def add_learner(owner: Owner, now: dt.datetime) -> None:
    """Make the owner's learner; where another request has just made it, nothing happens."""
    Learner.objects.bulk_create([Learner(**owner.of_learner, created_at=now)], ignore_conflicts=True)


def remember_time_zone(learner_id: int, name: str) -> None:
    """Keep the time zone the learner's browser names; a name that is none changes nothing."""
    if is_zone(name):
        Learner.objects.filter(pk=learner_id).exclude(time_zone=name).update(time_zone=name)


def choose_time_zone(owner: Owner, chosen: str, told: str, now: dt.datetime) -> None:
    """Keep the zone a learner chose, whatever their browsers tell from now on; "" goes by the browser again."""
    with transaction.atomic():
        learner = lock_learner(owner, now)
        Learner.objects.filter(pk=learner.pk).update(chosen_zone=chosen)
        remember_time_zone(learner.pk, told)


def adopt(guest: Owner, user: Owner, now: dt.datetime) -> Learner | None:
    """Join a guest's work to a user's learner, merged by time; the guest is gone afterwards.

    Where both hold a note on a question, both texts are kept in one note; where both have a plan for an exam, the
    user's; the guest's time zone holds where no browser has told the user's yet. None when there was no guest.
    """
    with transaction.atomic():
        source = Learner.objects.select_for_update().filter(**guest.of_learner).first()
        if source is None:
            return None
        target = lock_learner(user, now)
        PracticeSession.objects.filter(learner=source).update(learner=target)
        open_up(target.pk, shown_questions(target).values_list("version__question_id", flat=True))
        known = Bookmark.objects.filter(learner=target).values("question")
        Bookmark.objects.filter(learner=source).exclude(question__in=known).update(learner=target)
        read = ModuleRead.objects.filter(learner=target).values("module")
        ModuleRead.objects.filter(learner=source).exclude(module__in=read).update(learner=target)
        _join_notes(source, target)
        own_plans = ExamPlan.objects.filter(learner=target).values("exam")
        ExamPlan.objects.filter(learner=source).exclude(exam__in=own_plans).update(learner=target)
        refresh_all(target, now)
        if target.time_zone == UNTOLD:
            Learner.objects.filter(pk=target.pk).update(time_zone=source.time_zone)
        source.delete()
        Adoption.objects.filter(learner=target, at__lt=timezone.now() - UNDER_WAY).delete()
        Adoption.objects.update_or_create(guest_key=guest.guest_key, defaults={"learner": target, "at": timezone.now()})
    return target


def end_adoptions(user_id: int) -> None:
    """From the account's sign-out on, the guest of that browser is a guest again."""
    Adoption.objects.filter(learner__user_id=user_id).delete()


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
