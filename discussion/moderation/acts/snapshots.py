"""A comment's state before an action, kept in the log, and restoring it."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.contrib.auth import get_user_model

from discussion.comments.models.comments import Comment
from discussion.comments.recount import refresh
from discussion.comments.rules.likeness import fingerprint
from discussion.mail.settle import settle
from discussion.screening.hold import keep_findings
from discussion.screening.rules.parts import Hit
from discussion.threads.post import rendered

STATE_FIELDS = ["state", "state_reason", "state_by", "state_at", "screened_at"]


def snapshot(row: Comment) -> dict[str, Any]:
    """A comment's state with who set it and when, for the log."""
    return {
        "state": str(row.state),
        "state_reason": row.state_reason,
        "state_by": row.state_by_id,
        "state_at": row.state_at.isoformat(),
        "screened_at": row.screened_at.isoformat() if row.screened_at else None,
    }


def snapshot_of_text(row: Comment) -> dict[str, Any]:
    """A comment's text with the rules' findings; everything else is derived from these."""
    return {"text": row.text, "hits": [list(hit) for hit in row.hits.values_list("rule", "start", "end")]}


def is_as_left(row: Comment, after: dict[str, Any]) -> bool:
    """Whether a comment is as an action left it: nobody has decided on it, changed it or held it since."""
    if row.text != after.get("text", row.text) or row.state != after["state"]:
        return False
    return (row.state_at, row.state_by_id) == (moment(after["state_at"]), still_there(after["state_by"]))


def put_back(row: Comment, before: dict[str, Any], after: dict[str, Any], now: dt.datetime) -> None:
    """Restore what an action changed in a locked comment, and everything that follows from it."""
    if "text" in before:
        set_text(row, before["text"], before["hits"])
    row.state, row.state_reason = before["state"], before["state_reason"]
    row.state_by_id, row.state_at = still_there(before["state_by"]), dt.datetime.fromisoformat(before["state_at"])
    if before["screened_at"] != after["screened_at"]:
        row.screened_at = moment(before["screened_at"])
    keep_state(row, now)


def keep_state(row: Comment, now: dt.datetime) -> None:
    """Store a locked comment's state, and do everything that follows from it."""
    row.save(update_fields=STATE_FIELDS)
    refresh(row)
    settle(row, now)


def set_text(row: Comment, text: str, found: list[list[Any]]) -> None:
    """Replace a locked comment's text and the rules' findings. Raises Refused."""
    row.html, row.slots = rendered(text, row.version)
    row.text, row.fingerprint = text, fingerprint(text)
    row.save(update_fields=["text", "html", "slots", "fingerprint"])
    keep_findings(row, [Hit(*each) for each in found])


def moment(text: str | None) -> dt.datetime | None:
    return dt.datetime.fromisoformat(text) if text else None


def still_there(user_id: int | None) -> int | None:
    """The person, unless the account is gone."""
    return user_id if user_id and get_user_model().objects.filter(pk=user_id).exists() else None
