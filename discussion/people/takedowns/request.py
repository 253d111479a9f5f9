"""Requesting a takedown, answering it, and telling moderators."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from django.contrib.auth.models import AbstractBaseUser
from django.core.mail import EmailMessage
from django.db import transaction
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.crypto import salted_hmac

from courseiva.common.hourly import minutes_to_wait
from courseiva.common.later import after_commit
from courseiva.common.page_cache import site_address
from discussion.comments.errors import NotAModerator, NotThere, Refused, TooMany
from discussion.comments.models.takedowns import Outcome, Takedown
from discussion.moderation.digest import tell
from discussion.moderation.reads.desk import waiting_takedowns
from discussion.moderation.reads.moderators import moderators
from discussion.trust.reads import is_moderator
from questions.reports.reads.reporters import Reporter

HOURLY = 5
"""A person with a grievance has one or a few. Each is read by a human, so a form open to everybody must not fill the
list."""
SALT = "discussion.takedowns"


@dataclass(frozen=True)
class Request:
    """What should be removed, why, and whom to answer."""

    address: str
    ground: str
    text: str
    email: str
    name: str = ""


def ask(request: Request, asker: Reporter, now: dt.datetime) -> Takedown:
    """Store a request; the same text from the same place returns the existing one. Raises TooMany."""
    # Looked up before the limit is counted, so that sending the same text again doesn't count.
    mark = salted_hmac(SALT, f"{asker.key}\n{request.address}\n{request.text}", algorithm="sha256").hexdigest()
    known = Takedown.objects.filter(fingerprint=mark).first()
    if known:
        return known
    if minutes := minutes_to_wait(SALT, asker.key, HOURLY, now):
        raise TooMany(HOURLY, "requests", minutes)
    with transaction.atomic():
        fields = {"address": request.address, "ground": request.ground, "text": request.text}
        fields |= {"email": request.email, "name": request.name}
        made = Takedown.objects.get_or_create(fingerprint=mark, defaults={**fields, "made_at": now})[0]
        after_commit("discussion.tell_of_takedowns")
    return made


def answer_takedown(
    takedown_id: int, outcome: Outcome, answer: str, by: AbstractBaseUser, now: dt.datetime
) -> Takedown:
    """Answer a request, and email the answer to the requester. Raises NotAModerator, NotThere and Refused."""
    if not is_moderator(by, now):
        raise NotAModerator
    with transaction.atomic():
        # The answer is final and mailed: if two moderators answer at once, the second must wait here and then see the
        # first one's.
        row = Takedown.objects.select_for_update().filter(pk=takedown_id).first()
        if row is None:
            raise NotThere
        if row.answered_at:
            raise Refused("takedown-answered")
        row.outcome, row.answer, row.answered_by_id, row.answered_at = outcome, answer, by.pk, now
        row.save(update_fields=["outcome", "answer", "answered_by", "answered_at"])
        # In the same transaction: the email is a row too, so an answer never exists without it.
        _answer_mail(row).send()
    return row


def tell_of_takedowns(now: dt.datetime) -> int:
    """Notify moderators of waiting requests, once a day at most, so that a flood of requests doesn't flood inboxes."""
    count = waiting_takedowns().count()
    if not count:
        return 0
    words = {"count": count, "address": site_address() + reverse("moderation-takedowns")}
    text = render_to_string("discussion/email/takedowns.txt", words)
    subject = render_to_string("discussion/email/takedowns_subject.txt", words).strip()
    return sum(tell(person, "takedowns", subject, text, now) for person in moderators(now))


def _answer_mail(row: Takedown) -> EmailMessage:
    words = {"row": row, "address": site_address() + reverse("takedown", args=[row.token])}
    subject = render_to_string("discussion/email/takedown_subject.txt", words).strip()
    return EmailMessage(subject, render_to_string("discussion/email/takedown.txt", words), None, [row.email])
