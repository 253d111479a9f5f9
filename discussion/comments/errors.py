"""What can go wrong in the discussion, as codes; templates/discussion/refused.txt has the words."""

from __future__ import annotations

import datetime as dt

from django.contrib.auth.models import AbstractBaseUser

from discussion.comments.models.comments import Comment
from questions.versions.errors import WordedError


class DiscussionError(WordedError):
    """Base of this app's errors."""

    template = "discussion/refused.txt"


class Refused(DiscussionError):
    """The request doesn't fit; ``code`` says why."""


class NotThere(DiscussionError):
    """There is no such comment for this person; handled like a wrong address."""

    code = "gone"


class TooMany(DiscussionError):
    """The hourly limit is reached; ``minutes`` is how long to wait."""

    code = "too-many"

    def __init__(self, limit: int, what: str, minutes: int) -> None:
        super().__init__(limit=limit, what=what)
        self.minutes = minutes


class TooSoon(DiscussionError):
    """The thread is in slow mode; ``minutes`` is how long to wait, ``every`` its pace."""

    code = "too-soon"

    def __init__(self, minutes: int, every: int) -> None:
        super().__init__()
        self.minutes, self.every = minutes, every


class Suspended(DiscussionError):
    """This person can't write for a while."""

    code = "suspended"

    def __init__(self, until: dt.datetime, reason: str) -> None:
        super().__init__()
        self.until, self.reason = until, reason


class Locked(DiscussionError):
    """A moderator has closed the thread."""

    code = "locked"

    def __init__(self, reason: str) -> None:
        super().__init__(reason=reason)


class NotAModerator(DiscussionError):
    code = "not-a-moderator"


class AlreadyDecided(DiscussionError):
    """Somebody decided after this page was opened; ``comment`` is the current one."""

    def __init__(self, comment: Comment, by: AbstractBaseUser) -> None:
        super().__init__("decided-by-you" if comment.state_by_id == by.pk else "decided")
        self.comment = comment


class Unseen(DiscussionError):
    """The page behind a decision didn't say how it showed the comment, or no longer shows it as it is."""

    code = "unseen"


class MovedOn(DiscussionError):
    """What an action left has changed since, or it was already reversed; there is nothing to restore."""

    code = "moved-on"


class Taken(DiscussionError):
    """Another moderator has claimed the comment; ``name`` is theirs."""

    code = "taken"

    def __init__(self, name: str, until: dt.datetime) -> None:
        super().__init__()
        self.name, self.until = name, until
