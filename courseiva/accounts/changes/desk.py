"""Signing in records who moderates, so the header needn't look that up for everybody on every page."""

from __future__ import annotations

from typing import Any

from allauth.account.signals import user_logged_in
from django.contrib.auth.models import AbstractBaseUser
from django.dispatch import receiver
from django.http import HttpRequest
from django.utils import timezone

from discussion.moderation.reads.desk import remember_desk
from discussion.trust.reads import is_moderator


@receiver(user_logged_in)
def note_moderator(request: HttpRequest, user: AbstractBaseUser, **kwargs: Any) -> None:
    """Note at sign-in that somebody has a moderation queue; if they're appointed later, opening the queue does."""
    if is_moderator(user, timezone.now()):
        remember_desk(user.pk)
