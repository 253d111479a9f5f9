"""Creating learners, at their first answer."""

from __future__ import annotations

import datetime as dt

from django.contrib.auth import get_user_model
from django.db import transaction

from practice.learners.errors import AccountGone
from practice.learners.models import Adoption, Learner
from practice.learners.reads.identity import Owner, heir_of, owners_in_turn
from practice.learners.reads.zones import is_zone


def lock_learner(owner: Owner, now: dt.datetime) -> Learner:
    """The owner's learner, created if needed and locked until the transaction ends. Raises AccountGone.

    If an account adopts a guest during the request, this returns the account's learner: once the lock is free, the
    guest's row is gone. All code that writes a learner's rows holds this lock, so that none is left behind.
    """
    while True:  # again only if the row was created and deleted in between
        learner = Learner.objects.select_for_update().filter(**owner.of_learner).first()
        if learner:
            return learner
        owner = heir_of(owner) or owner
        if owner.user_id:
            # The account first, or its deletion could slip in and leave a learner without an owner.
            lock_user(owner.user_id)
        add_learner(owner, now)


def lock_known(owner: Owner) -> Learner | None:
    """The owner's learner, locked until the transaction ends; None if there is none."""
    for each in owners_in_turn(owner):
        learner = Learner.objects.select_for_update().filter(**each.of_learner).first()
        if learner:
            return learner
    return None


def lock_user(user_id: int) -> None:
    """Keep an account from being deleted until the transaction ends. Raises AccountGone."""
    # NO KEY: rows that point to the account can still be added; only its deletion waits.
    rows = get_user_model().objects.select_for_update(no_key=True).filter(pk=user_id)
    if rows.values_list("pk").first() is None:
        raise AccountGone


def add_learner(owner: Owner, now: dt.datetime) -> None:
    """Create the owner's learner; does nothing if another request has just created it."""
    Learner.objects.bulk_create([Learner(**owner.of_learner, created_at=now)], ignore_conflicts=True)


def remember_time_zone(learner_id: int, name: str) -> None:
    """Store the time zone the learner's browser reports; an unknown name changes nothing."""
    if is_zone(name):
        Learner.objects.filter(pk=learner_id).exclude(time_zone=name).update(time_zone=name)


def choose_time_zone(owner: Owner, chosen: str, told: str, now: dt.datetime) -> None:
    """Store the zone a learner chose, whatever their browsers report from now on; "" follows the browser again."""
    with transaction.atomic():
        learner = lock_learner(owner, now)
        Learner.objects.filter(pk=learner.pk).update(chosen_zone=chosen)
        remember_time_zone(learner.pk, told)


def end_adoptions(user_id: int) -> None:
    """After the account signs out, that browser's guest is a guest again."""
    Adoption.objects.filter(learner__user_id=user_id).delete()
