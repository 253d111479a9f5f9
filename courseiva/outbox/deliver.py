"""Handing waiting email to the mail server, each exactly once unless we crash between its acceptance and our commit."""

from __future__ import annotations

import datetime as dt
import logging
from smtplib import SMTP, SMTPDataError, SMTPException, SMTPRecipientsRefused, SMTPResponseException
from typing import Any

from django.conf import settings
from django.core.mail import get_connection
from django.db import transaction

from courseiva.outbox.models import MailState, OutgoingMail, RefusedAddress
from courseiva.outbox.rules import (
    GIVEN_UP_AFTER,
    KEPT_FOR,
    SERVER_REST,
    address_is_refused,
    mail_is_refused,
    wait_after,
)

logger = logging.getLogger("courseiva.outbox")
AT_ONCE = 50
"""Emails per run, so that `periodic` gets to its other work in between."""


def deliver(now: dt.datetime) -> int:
    """Send what is due over one connection; returns how many were sent. Stops if the server is in trouble."""
    _give_up(now)
    due = list(_waiting().filter(due_at__lte=now).order_by("due_at", "pk")[:AT_ONCE])
    if not due:
        return 0
    server: Any = get_connection(settings.MAIL_TRANSPORT, fail_silently=False)
    sent = 0
    try:
        server.open()
        for mail in due:
            sent += _deliver_one(server.connection, mail, now)
    except (SMTPException, OSError) as error:
        _let_the_server_rest(error, now)
    finally:
        _close(server)
    return sent


def purge(now: dt.datetime) -> int:
    """Delete rows of email finished long ago, and refusals of addresses nobody has written to since."""
    marks = RefusedAddress.objects.filter(refused_at__lt=now - 12 * KEPT_FOR).delete()[0]
    return marks + OutgoingMail.objects.filter(ended_at__lt=now - KEPT_FOR).delete()[0]


def _waiting() -> Any:
    return OutgoingMail.objects.filter(state=MailState.WAITING)


def _deliver_one(connection: SMTP, mail: OutgoingMail, now: dt.datetime) -> bool:
    """Send one email, unless another process is sending it. Raises if the server, not the email, is the problem."""
    # Claimed by postponing its next try: being killed here only uses up one try.
    claim = {"tries": mail.tries + 1, "due_at": now + wait_after(mail.tries + 1)}
    if not _waiting().filter(pk=mail.pk, tries=mail.tries, due_at=mail.due_at).update(**claim):
        return False
    try:
        connection.sendmail(mail.sender, [mail.recipient], bytes(mail.text))
    except SMTPRecipientsRefused as error:
        code, reason = next(iter(error.recipients.values()))
        _refused_recipient(mail, code, reason, now)
        return False
    except SMTPDataError as error:
        _refused_text(mail, error, now)
        return False
    except (SMTPException, OSError) as error:
        _note(mail, _words(error))
        raise
    _sent(mail, now)
    return True


def _sent(mail: OutgoingMail, now: dt.datetime) -> None:
    with transaction.atomic():
        _end(mail, MailState.SENT, "", now)
        RefusedAddress.objects.filter(address=mail.recipient.lower()).delete()


def _refused_recipient(mail: OutgoingMail, code: int, reason: bytes, now: dt.datetime) -> None:
    words = f"{code} {reason.decode(errors='replace')}"[:255]
    if not address_is_refused(code, reason):
        _note(mail, words)
        return
    logger.warning("mail %s: its address was refused: %s", mail.pk, code)
    with transaction.atomic():
        _end(mail, MailState.REFUSED, words, now)
        marked = {"reason": words, "refused_at": now}
        RefusedAddress.objects.update_or_create(address=mail.recipient.lower(), defaults=marked)


def _refused_text(mail: OutgoingMail, error: SMTPResponseException, now: dt.datetime) -> None:
    if mail_is_refused(error.smtp_code):
        logger.error("mail %s: its text was refused: %s", mail.pk, error.smtp_code)
        _end(mail, MailState.REFUSED, _words(error), now)
    else:
        _note(mail, _words(error))


def _give_up(now: dt.datetime) -> None:
    late = _waiting().filter(written_at__lt=now - GIVEN_UP_AFTER)
    count = late.update(state=MailState.GIVEN_UP, ended_at=now, text=b"")
    if count:
        logger.error("%s mails were given up after %s days", count, GIVEN_UP_AFTER.days)


def _let_the_server_rest(error: Exception, now: dt.datetime) -> None:
    logger.warning("mail waits, the mail server is in trouble: %s", _words(error))
    _waiting().filter(due_at__lt=now + SERVER_REST).update(due_at=now + SERVER_REST)


def _end(mail: OutgoingMail, state: MailState, error: str, now: dt.datetime) -> None:
    _waiting().filter(pk=mail.pk).update(state=state, ended_at=now, error=error, text=b"")


def _note(mail: OutgoingMail, error: str) -> None:
    _waiting().filter(pk=mail.pk).update(error=error)


def _words(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"[:255]


def _close(server: Any) -> None:
    try:
        server.close()
    except (SMTPException, OSError):
        logger.warning("the mail server left before it was told goodbye")
