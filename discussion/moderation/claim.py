"""Claims: a moderator takes comments for some minutes, so that two never decide on the same one and none gets stuck."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.db.models import Q

from discussion.comments.errors import NotAModerator, Taken
from discussion.comments.models.comments import Comment
from discussion.comments.models.moderation import Claim, CommentReport
from discussion.comments.recount import lock
from discussion.moderation.reads.filters import Wanted
from discussion.moderation.reads.queue import WHOLE, free_ids
from discussion.trust.reads import is_moderator

CLAIM_TIME = dt.timedelta(minutes=10)
"""Time to read a thread and decide. A moderator who leaves instead keeps a comment from the others for no longer than
this."""
MOST_AT_ONCE = 50
"""More than anybody decides in CLAIM_TIME, so nobody can claim the whole queue with one button."""


def take(ids: Iterable[int], by: AbstractBaseUser, now: dt.datetime) -> list[int]:
    """Claim these for ``CLAIM_TIME``; returns those that are now theirs, without those another moderator holds.

    An expired claim is void. Claiming one's own again extends it. Moderators can't claim their own comments. Raises
    NotAModerator.
    """
    if not is_moderator(by, now):
        raise NotAModerator
    wanted = list(dict.fromkeys(ids))[:MOST_AT_ONCE]
    with transaction.atomic():
        # Locks the comments, since a free one has no claim to lock: if two moderators press "next" at once, they get
        # different ones.
        lock(wanted)
        held = Claim.objects.filter(comment__in=wanted, until__gt=now).exclude(moderator=by.pk)
        others = set(held.values_list("comment", flat=True))
        reported = Q(pk__in=CommentReport.objects.filter(closed_at=None).values("comment"))
        there = set(
            Comment.objects.filter(Q(deleted_at=None) | reported, pk__in=wanted)
            .exclude(author=by.pk)
            .values_list("pk", flat=True)
        )
        free = [pk for pk in wanted if pk in there and pk not in others]
        Claim.objects.bulk_create(
            [Claim(comment_id=pk, moderator_id=by.pk, until=now + CLAIM_TIME) for pk in free],
            update_conflicts=True,
            unique_fields=["comment"],
            update_fields=["moderator", "until"],
        )
    return free


def take_next(count: int, by: AbstractBaseUser, now: dt.datetime, wanted: Wanted = WHOLE) -> list[int]:
    """Claim the first free ones matching the filter, possibly fewer. Raises NotAModerator."""
    taken: list[int] = []
    count = min(count, MOST_AT_ONCE)
    while len(taken) < count and (ids := free_ids(count - len(taken), now, by.pk, wanted)):
        taken += take(ids, by, now)
    return taken


def take_for(ids: Iterable[int], by: AbstractBaseUser, now: dt.datetime) -> dict[int, Taken]:
    """Claim these for an imminent action; returns messages about those another moderator holds.

    A missing one is left to that action, which reports it. Raises NotAModerator.
    """
    wanted = list(ids)
    take(wanted, by, now)
    others = Claim.objects.filter(comment__in=wanted, until__gt=now).exclude(moderator=by.pk)
    return {
        claim.comment_id: Taken(claim.moderator.get_short_name(), claim.until)
        for claim in others.select_related("moderator")
    }


def let_go(by: AbstractBaseUser, ids: Iterable[int] | None = None) -> int:
    """Release these of one's own claims, or all; returns how many."""
    rows = Claim.objects.filter(moderator=by.pk)
    if ids is not None:
        rows = rows.filter(comment__in=list(ids))
    return rows.delete()[0]
