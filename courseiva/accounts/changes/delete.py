"""Deleting an account: everything personal is removed, and the answers stay with a learner nobody can identify."""

from __future__ import annotations

import datetime as dt
import logging
from smtplib import SMTPException

from allauth.account.models import EmailAddress
from django.contrib.admin.models import LogEntry
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.models import Session
from django.core.mail import send_mail
from django.db import transaction
from django.template.loader import render_to_string

from courseiva.accounts.models import User
from courseiva.outbox.write import remove
from practice.handover.forget import forget
from practice.learners.models import Learner

logger = logging.getLogger("courseiva.accounts")
NAMELESS = "deleted account"


class StaffStays(Exception):
    """Staff can't delete their own account: nobody might be left to do their work."""


def delete_own_account(user: User, now: dt.datetime) -> None:
    """Delete an account at its owner's request, and confirm it by email. Raises StaffStays."""
    if user.is_staff or user.is_superuser:
        raise StaffStays
    email, name = user.email, user.public_name
    if remove_account(user.pk, now):
        _confirm(email, name)


def remove_account(user_id: int, now: dt.datetime) -> bool:
    """Remove a person: forget them as a learner, sign them out everywhere, and delete the row; False if it was gone.

    What staff did to the account stays in the admin's log, without the address.
    """
    # Outside the transaction: it decodes every login on the site, and the account's lock needn't wait for that.
    sessions = _sessions_of(user_id)
    with transaction.atomic():
        user = User.objects.select_for_update().filter(pk=user_id).first()
        if user is None:
            return False
        # The log has the account's address as it was when staff acted, and that may have changed.
        addresses = {user.email, *EmailAddress.objects.filter(user=user).values_list("email", flat=True)}
        for learner_id in Learner.objects.filter(user=user).values_list("pk", flat=True):
            forget(learner_id, now)
        LogEntry.objects.filter(object_repr__in=addresses).update(object_repr=NAMELESS)
        remove(addresses)
        Session.objects.filter(pk__in=sessions).delete()
        user.delete()
    return True


def _sessions_of(user_id: int) -> list[str]:
    """The keys of the person's logins: user and address are only in a session's encoded data."""
    rows = Session.objects.iterator(chunk_size=1000)
    return [row.pk for row in rows if row.get_decoded().get(SESSION_KEY) == str(user_id)]


def _confirm(email: str, name: str) -> None:
    text = render_to_string("account/email/account_deleted.txt", {"name": name})
    subject = render_to_string("account/email/account_deleted_subject.txt").strip()
    try:
        send_mail(subject, text, None, [email])
    except (SMTPException, OSError) as error:
        logger.warning("a deleted account could not be told so: %s", type(error).__name__)
