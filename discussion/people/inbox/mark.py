"""What an author has read."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from discussion.comments.models.authors import Notice


def mark_read(ids: Iterable[int], user_id: int, now: dt.datetime) -> int:
    """Mark a person's notices shown on a page as read; returns how many. They aren't emailed then."""
    rows = Notice.objects.filter(pk__in=list(ids), user=user_id, due_at__lte=now, read_at=None)
    return rows.update(read_at=now)
