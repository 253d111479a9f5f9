"""Writing email to the database in the caller's transaction, and deleting a person's email."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection
from email.utils import make_msgid, parseaddr

from django.conf import settings
from django.core.mail import EmailMessage
from django.core.mail.message import sanitize_address

from courseiva.common.later import after_commit
from courseiva.outbox.models import MailState, OutgoingMail, RefusedAddress
from courseiva.outbox.rules import REFUSED_FOR


def write(message: EmailMessage, now: dt.datetime) -> int:
    """Write one email for each recipient; returns how many. They can be delivered once this is committed.

    The Message-ID is fixed here, so that an email that does get sent twice is shown once.
    """
    sender = _bare(message.from_email)
    given = make_msgid(domain=sender.rpartition("@")[2] or None)
    message_id = message.extra_headers.setdefault("Message-ID", given)
    text = message.message().as_bytes().replace(b"\n", b"\r\n")
    recipients = [_bare(each) for each in message.recipients()]
    mail = OutgoingMail(message_id=message_id, sender=sender, subject=str(message.subject)[:255], text=text)
    refused = _refused_lately(recipients, now)
    rows = [_for_one(mail, recipient, refused.get(recipient.lower(), ""), now) for recipient in recipients]
    OutgoingMail.objects.bulk_create(rows)
    if settings.REDIS_URL and len(rows) > len(refused):
        # Without a queue, the task would run here and hold up the request; `periodic` delivers within seconds.
        after_commit("outbox.deliver")
    return len(rows)


def remove(addresses: Collection[str]) -> None:
    """Delete the emails of a person whose account is gone."""
    OutgoingMail.objects.filter(recipient__in=addresses).delete()
    RefusedAddress.objects.filter(address__in=addresses).delete()


def _for_one(mail: OutgoingMail, recipient: str, refusal: str, now: dt.datetime) -> OutgoingMail:
    row = OutgoingMail(
        message_id=mail.message_id, sender=mail.sender, subject=mail.subject, recipient=recipient, written_at=now
    )
    row.due_at = now
    if refusal:
        row.state, row.ended_at, row.error = MailState.REFUSED, now, refusal
    else:
        row.text = mail.text
    return row


def _refused_lately(recipients: list[str], now: dt.datetime) -> dict[str, str]:
    """Recipients a server has refused, and how: asking again and again would make it distrust the site."""
    rows = RefusedAddress.objects.filter(address__in=[each.lower() for each in recipients])
    return dict(rows.filter(refused_at__gt=now - REFUSED_FOR).values_list("address", "reason"))


def _bare(address: str) -> str:
    """The bare address, in the form a server accepts."""
    return parseaddr(sanitize_address(address, "utf-8"))[1]
