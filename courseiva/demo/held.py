"""A comment that waits for a moderator, as first comments do if `HOLD_FIRST_POSTS` is set."""

from __future__ import annotations

import datetime as dt

from discussion.comments.models.comments import Comment, Hit, State
from discussion.comments.recount import refresh
from discussion.screening.rules.parts import FIRST_POST
from discussion.threads.post import Draft, post
from questions.versions.models.versions import QuestionVersion


def post_held(
    version: QuestionVersion, author_id: int, draft: Draft, now: dt.datetime, parent_id: int | None = None
) -> Comment:
    """Post a comment and hold it, whatever screening says; it isn't screened again."""
    made = post(version, author_id, draft, now, parent_id)
    if made.state == State.VISIBLE:
        Hit.objects.create(comment=made, rule=FIRST_POST, start=0, end=len(made.text), text=made.text)
    made.state, made.state_at, made.screened_at = State.HELD, now, now
    made.save(update_fields=["state", "state_at", "screened_at"])
    refresh(made)
    return made
