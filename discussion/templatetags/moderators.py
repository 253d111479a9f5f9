"""Whether a page leads to the moderators' desk."""

from __future__ import annotations

from django import template
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.utils import timezone

from discussion.trust.reads import is_moderator

register = template.Library()


@register.filter
def may_moderate(user: AbstractBaseUser | AnonymousUser) -> bool:
    """Whether the desk opens for this person now."""
    return is_moderator(user, timezone.now())
