"""Mail of the discussion: replies to those who asked for it, and what was decided to authors. Each is sent once."""

from __future__ import annotations

import datetime as dt
import logging
from smtplib import SMTPException

from django.core.mail import EmailMessage, send_mail
from django.template.loader import render_to_string
from django.urls import reverse

from courseiva.common.page_cache import site_address
from discussion.comments.models.comments import ReplyMail
from discussion.comments.models.moderation import Act, Notice

logger = logging.getLogger("courseiva.discussion")
TRIED_FOR = dt.timedelta(days=7)
AT_ONCE = 500


def send_replies(now: dt.datetime) -> int:
    """Send what waits; returns how many. A reply that nobody can read any more is not sent."""
    waiting = ReplyMail.objects.filter(sent_at=None, due_at__lte=now, due_at__gt=now - TRIED_FOR)
    rows = waiting.filter(subscription__user__is_active=True).select_related(
        "subscription__user", "reply__author", "reply__question__exam", "reply__version"
    )
    return sum(_reply(row, now) for row in rows.order_by("pk")[:AT_ONCE])


def send_notices(now: dt.datetime) -> int:
    """Tell authors what was decided, once the time for undoing is over; returns how many."""
    waiting = Notice.objects.filter(sent_at=None, due_at__lte=now, due_at__gt=now - TRIED_FOR, user__is_active=True)
    rows = waiting.select_related(
        "user", "entry__reverses", "entry__comment__question__exam", "entry__comment__version", "entry"
    )
    return sum(_notice(row, now) for row in rows.order_by("pk")[:AT_ONCE])


def _reply(row: ReplyMail, now: dt.datetime) -> bool:
    if not row.reply.is_readable:
        row.delete()
        return False
    claimed = ReplyMail.objects.filter(pk=row.pk, sent_at=None)
    # Claimed before it is sent, so that two runs at once send one; given back where sending fails.
    if not claimed.update(sent_at=now):
        return False
    try:
        _reply_mail(row).send()
    except (SMTPException, OSError) as error:
        logger.warning("reply %s: a follower could not be told: %s", row.reply_id, error)
        ReplyMail.objects.filter(pk=row.pk).update(sent_at=None)
        return False
    return True


def _reply_mail(row: ReplyMail) -> EmailMessage:
    """The mail, with the headers by which a mail program offers to end it (RFC 8058)."""
    reply, follower = row.reply, row.subscription
    address = site_address() + reverse("comment", args=[follower.comment_id]) + f"#c{reply.pk}"
    leave = site_address() + reverse("unsubscribe", args=[follower.token])
    name = reply.author.get_short_name() if reply.author else "Somebody"
    words = {"reply": reply, "name": name, "address": address, "leave": leave, "exam": reply.question.exam}
    return EmailMessage(
        render_to_string("discussion/email/reply_subject.txt").strip(),
        render_to_string("discussion/email/reply.txt", words),
        None,
        [follower.user.email],
        headers={"List-Unsubscribe": f"<{leave}>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"},
    )


def _notice(row: Notice, now: dt.datetime) -> bool:
    if not Notice.objects.filter(pk=row.pk, sent_at=None).update(sent_at=now):
        return False
    try:
        _send_notice(row)
    except (SMTPException, OSError) as error:
        logger.warning("log entry %s: its author could not be told: %s", row.entry_id, error)
        Notice.objects.filter(pk=row.pk).update(sent_at=None)
        return False
    return True


def _send_notice(row: Notice) -> None:
    entry = row.entry
    what = entry.reverses.act if entry.reverses else entry.act
    words = {"entry": entry, "what": what, "is_back": entry.act == Act.REVERSE}
    words |= {"site": site_address(), "user": row.user}
    if what == Act.SUSPEND:
        words["until"] = dt.datetime.fromisoformat((entry.reverses or entry).after["until"])
    subject = render_to_string("discussion/email/notice_subject.txt", words).strip()
    send_mail(subject, render_to_string("discussion/email/notice.txt", words), None, [row.user.email])
