"""Discussion data on other pages: the link to the queue, new notices, the number of comments."""

from __future__ import annotations

import datetime as dt

from django import template
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.utils import timezone
from django.utils.timesince import timesince

from discussion.moderation.reads.desk import Beside, has_found_desk, waiting_beside
from discussion.moderation.reads.queue import known_count
from discussion.people.inbox.reads import unread_count
from discussion.threads import reads as threads
from discussion.trust.reads import is_moderator

register = template.Library()


@register.filter
def may_moderate(user: AbstractBaseUser | AnonymousUser) -> bool:
    """Whether this person can open the desk now."""
    return is_moderator(user, timezone.now())


@register.filter
def unread_notices(user: AbstractBaseUser | AnonymousUser) -> int:
    """How many notices this person hasn't read."""
    return unread_count(user.pk, timezone.now()) if user.pk else 0


@register.filter
def waited(time: dt.timedelta | None) -> str:
    """How long something waited; a dash if nothing did."""
    now = timezone.now()
    return timesince(now - time, now) if time is not None else "\u2013"


@register.simple_tag
def desk_count(user: AbstractBaseUser) -> int | None:
    """How many are waiting, for a moderator who has signed in or opened the desk; no query for others."""
    if not has_found_desk(user.pk) or not is_moderator(user, timezone.now()):
        return None
    return known_count()


@register.simple_tag
def comment_count(question_id: int) -> int:
    """How many comments a question has, in one query."""
    return threads.comment_count(question_id)


@register.simple_tag
def beside_the_queue() -> Beside:
    """What else is waiting for moderators."""
    return waiting_beside()
