"""Moderators' notes about an author."""

from __future__ import annotations

import datetime as dt

from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from discussion.comments.errors import NotAModerator, NotThere, Refused
from discussion.comments.models.authors import AuthorNote
from discussion.trust.reads import is_moderator


def note_author(user_id: int, text: str, by: AbstractBaseUser, now: dt.datetime) -> AuthorNote:
    """Store a note, once even if sent twice. Raises NotAModerator, NotThere, and Refused about oneself."""
    if not is_moderator(by, now):
        raise NotAModerator
    if user_id == by.pk:
        raise Refused("own-note")
    with transaction.atomic():
        # Lock the person, so that a double click finds its duplicate.
        if not get_user_model().objects.select_for_update(no_key=True).filter(pk=user_id).exists():
            raise NotThere
        twin = AuthorNote.objects.filter(about=user_id, by=by.pk, text=text).first()
        return twin or AuthorNote.objects.create(about_id=user_id, by_id=by.pk, text=text, made_at=now)
