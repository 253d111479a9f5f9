"""The discussion's emails: replies to followers, and decisions to authors. Each is sent once."""

from __future__ import annotations

import datetime as dt
import logging
from smtplib import SMTPException
from typing import Any

from django.core.mail import EmailMessage
from django.db import transaction
from django.db.models import Min, QuerySet
from django.template.loader import render_to_string
from django.urls import reverse

from courseiva.common.heads.mails import leaving_headers
from courseiva.common.page_cache import site_address
from discussion.comments.models.authors import Notice
from discussion.comments.models.comments import ReplyMail
from discussion.mail.reads import MAY_BE_APPEALED, NoticeLine, line_of, with_facts

logger = logging.getLogger("courseiva.discussion")
TRIED_FOR = dt.timedelta(days=7)
"""After an outage of days, mail about a decision is still news; older than this it would only puzzle."""
TOGETHER = dt.timedelta(minutes=1)
"""How long a notice waits for others to the same person."""
AT_ONCE = 500
"""Arbitrary: the next run, a few minutes later, sends the rest. It limits how long other tasks wait."""


def send_replies(now: dt.datetime) -> int:
    """Send waiting emails; returns how many. Replies that are no longer readable aren't sent."""
    waiting = ReplyMail.objects.filter(sent_at=None, due_at__lte=now, due_at__gt=now - TRIED_FOR)
    rows = waiting.filter(subscription__user__is_active=True).select_related(
        "subscription__user", "reply__author", "reply__question__exam", "reply__version"
    )
    return sum(_reply(row, now) for row in rows.order_by("pk")[:AT_ONCE])


def send_notices(now: dt.datetime) -> int:
    """Email authors about decisions; returns how many. Everything within a minute goes in one email.

    What an author has read in the inbox by then isn't emailed.
    """
    waiting = _untold(now).order_by().values("user").annotate(first=Min("due_at"))
    people = waiting.filter(first__lte=now - TOGETHER).values_list("user", flat=True)[:AT_ONCE]
    return sum(_tell_author(user_id, now) for user_id in people)


def _reply(row: ReplyMail, now: dt.datetime) -> bool:
    if not row.reply.is_readable:
        row.delete()
        return False
    claimed = ReplyMail.objects.filter(pk=row.pk, sent_at=None)
    # Claimed before sending, so that two concurrent runs send one; released if sending fails.
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
    reply, follower = row.reply, row.subscription
    address = site_address() + reverse("comment", args=[follower.comment_id]) + f"#c{reply.pk}"
    leave = site_address() + reverse("unsubscribe", args=[follower.token])
    name = reply.author.get_short_name() if reply.author else "Someone"
    words = {"reply": reply, "name": name, "address": address, "leave": leave, "exam": reply.question.exam}
    return EmailMessage(
        render_to_string("discussion/email/reply_subject.txt").strip(),
        render_to_string("discussion/email/reply.txt", words),
        None,
        [follower.user.email],
        headers=leaving_headers(leave),
    )


def _untold(now: dt.datetime) -> QuerySet[Notice]:
    # Mentions only go to the inbox; emails are for followers.
    rows = Notice.objects.filter(sent_at=None, read_at=None, user__is_active=True, mention=None)
    return rows.filter(due_at__lte=now, due_at__gt=now - TRIED_FOR)


def _tell_author(user_id: int, now: dt.datetime) -> bool:
    try:
        # The email is written in the same transaction, so neither exists without the other; if there are two runs, one
        # waits.
        with transaction.atomic():
            rows = with_facts(_untold(now).filter(user=user_id)).select_for_update(of=("self",))
            lines = [line_of(row) for row in rows.order_by("due_at", "pk")]
            if not lines:
                return False
            Notice.objects.filter(pk__in=[line.notice.pk for line in lines]).update(sent_at=now)
            _notice_mail(lines).send()
    except (SMTPException, OSError) as error:
        logger.warning("user %s could not be told what was decided: %s", user_id, error)
        return False
    return True


def _notice_mail(lines: list[NoticeLine]) -> EmailMessage:
    user, only = lines[0].notice.user, lines[0] if len(lines) == 1 else None
    words: dict[str, Any] = {"lines": lines, "only": only, "user": user}
    words |= {"site": site_address(), "inbox": site_address() + reverse("inbox")}
    what = {line.what for line in lines}
    words |= {"may_appeal": bool(what & MAY_BE_APPEALED), "says_why": "hidden" in what}
    subject = render_to_string("discussion/email/notice_subject.txt", words).strip()
    return EmailMessage(subject, render_to_string("discussion/email/notice.txt", words), None, [user.email])
