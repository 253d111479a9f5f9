"""A daily email to moderators about what is waiting; only if something is."""

from __future__ import annotations

import datetime as dt
import logging
from smtplib import SMTPException
from typing import Any

from django.core.cache import cache
from django.core.mail import send_mail
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.timesince import timesince

from courseiva.common.page_cache import site_address
from discussion.moderation.reads.desk import waiting_beside
from discussion.moderation.reads.moderators import moderators
from discussion.moderation.reads.queue import backlog

logger = logging.getLogger("courseiva.discussion")
KEPT_SECONDS = 2 * 24 * 3600
"""The key names a day and must outlast it, whatever time on that day the digest is sent."""


def send_digest(now: dt.datetime) -> int:
    """Tell moderators what is waiting and for how long; returns how many were told. A second run tells nobody."""
    waiting, beside = backlog(), waiting_beside()
    if not (waiting.count or beside.appeals or beside.takedowns):
        return 0
    words = {"count": waiting.count, "oldest": timesince(waiting.oldest, now) if waiting.oldest else ""}
    pages = {"address": "moderation", "appeals": "moderation-appeals", "takedowns": "moderation-takedowns"}
    words |= {name: site_address() + reverse(page) for name, page in pages.items()} | {"beside": beside}
    text = render_to_string("discussion/email/digest.txt", words)
    subject = render_to_string("discussion/email/digest_subject.txt", words).strip()
    return sum(tell(person, "digest", subject, text, now) for person in moderators(now))


def tell(person: Any, about: str, subject: str, text: str, now: dt.datetime) -> bool:
    """Email a moderator, once a day per subject; returns whether it was sent."""
    key = f"discussion.{about}.{person.pk}.{now:%Y-%m-%d}"
    if not cache.add(key, 1, KEPT_SECONDS):
        return False
    try:
        send_mail(subject, text, None, [person.email])
    except (SMTPException, OSError) as error:
        logger.warning("moderator %s could not be told what waits: %s", person.pk, error)
        cache.delete(key)
        return False
    return True
