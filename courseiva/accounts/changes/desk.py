"""A sign-in remembers who moderates, so that the header needn't ask about everybody on every page."""

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
    """Remember a moderator's queue at sign-in; for those appointed later, it happens when they first open it."""
    if is_moderator(user, timezone.now()):
        remember_desk(user.pk)
