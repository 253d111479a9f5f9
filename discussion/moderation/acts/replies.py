"""Moderators' shared saved replies: adding, changing and deleting."""

from __future__ import annotations

import datetime as dt

from django.contrib.auth.models import AbstractBaseUser
from django.db import IntegrityError, transaction

from discussion.comments.errors import NotAModerator, NotThere, Refused
from discussion.comments.models.moderation import SavedReply
from discussion.trust.reads import is_moderator


def keep_reply(
    title: str, text: str, by: AbstractBaseUser, now: dt.datetime, reply_id: int | None = None
) -> SavedReply:
    """Save a reply, or change the one with this id. Raises NotAModerator, NotThere, and Refused for a title in use."""
    if not is_moderator(by, now):
        raise NotAModerator
    row = SavedReply.objects.filter(pk=reply_id).first() if reply_id else SavedReply()
    if row is None:
        raise NotThere
    row.title, row.text, row.changed_by_id, row.changed_at = title, text, by.pk, now
    try:
        with transaction.atomic():
            row.save()
    except IntegrityError as error:
        raise Refused("title-taken") from error
    return row


def drop_reply(reply_id: int, by: AbstractBaseUser, now: dt.datetime) -> None:
    """Delete a reply; no error if it is already gone. Raises NotAModerator."""
    if not is_moderator(by, now):
        raise NotAModerator
    SavedReply.objects.filter(pk=reply_id).delete()
