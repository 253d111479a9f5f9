"""A mail to moderators that comments wait: once a day, and only when some do."""

from __future__ import annotations

import datetime as dt
import logging
from smtplib import SMTPException

from django.core.cache import cache
from django.core.mail import send_mail
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.timesince import timesince

from courseiva.common.page_cache import site_address
from discussion.moderation.reads.moderators import moderators
from discussion.moderation.reads.queue import backlog

logger = logging.getLogger("courseiva.discussion")
KEPT_SECONDS = 2 * 24 * 3600


def send_digest(now: dt.datetime) -> int:
    """Tell every moderator how much waits and for how long; returns how many were told. A second run tells nobody."""
    waiting = backlog()
    if not waiting.count or waiting.oldest is None:
        return 0
    words = {"count": waiting.count, "oldest": timesince(waiting.oldest, now)}
    words["address"] = site_address() + reverse("moderation")
    text = render_to_string("discussion/email/digest.txt", words)
    subject = render_to_string("discussion/email/digest_subject.txt", words).strip()
    return sum(_tell(person.pk, person.email, subject, text, now) for person in moderators(now))


def _tell(user_id: int, address: str, subject: str, text: str, now: dt.datetime) -> bool:
    key = f"discussion.digest.{user_id}.{now:%Y-%m-%d}"
    if not cache.add(key, 1, KEPT_SECONDS):
        return False
    try:
        send_mail(subject, text, None, [address])
    except (SMTPException, OSError) as error:
        logger.warning("moderator %s could not be told what waits: %s", user_id, error)
        cache.delete(key)
        return False
    return True
