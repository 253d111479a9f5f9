"""Learners are made at the first answer."""

from __future__ import annotations

import datetime as dt

from django.contrib.auth import get_user_model
from django.db import transaction

from practice.learners.errors import AccountGone
from practice.learners.models import Adoption, Learner
from practice.learners.reads.identity import Owner, heir_of, owners_in_turn
from practice.learners.reads.zones import is_zone


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


def lock_known(owner: Owner) -> Learner | None:
    """The owner's learner, locked until the transaction ends; None where there is none, and none is made."""
    for each in owners_in_turn(owner):
        learner = Learner.objects.select_for_update().filter(**each.of_learner).first()
        if learner:
            return learner
    return None


def lock_user(user_id: int) -> None:
    """Keep an account from being deleted until the transaction ends. Raises AccountGone."""
    # Without the key: rows that point to the account may still be added; only its deletion waits.
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


def end_adoptions(user_id: int) -> None:
    """From the account's sign-out on, the guest of that browser is a guest again."""
    Adoption.objects.filter(learner__user_id=user_id).delete()
