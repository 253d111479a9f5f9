"""What can go wrong in the discussion, in codes; templates/discussion/refused.txt has the words."""

from __future__ import annotations

import datetime as dt

from django.contrib.auth.models import AbstractBaseUser

from discussion.comments.models.comments import Comment
from questions.versions.errors import WordedError


class DiscussionError(WordedError):
    """Base of this app's errors."""

    template = "discussion/refused.txt"


class Refused(DiscussionError):
    """What was asked does not fit; ``code`` says why."""


class NotThere(DiscussionError):
    """There is no such comment for this person; answered like a wrong address."""

    code = "gone"


class TooMany(DiscussionError):
    """One person's share of this hour is used up; ``minutes`` is how long to wait."""

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
    """This person may not write for a while."""

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
    """Somebody decided after this page was opened; ``comment`` is as it stands now."""

    def __init__(self, comment: Comment, by: AbstractBaseUser) -> None:
        super().__init__("decided-by-you" if comment.state_by_id == by.pk else "decided")
        self.comment = comment


class Unseen(DiscussionError):
    """The page a decision comes from did not say how it showed the comment, or shows it no more as it is."""

    code = "unseen"


class MovedOn(DiscussionError):
    """What an act left is no longer so, or it was reversed before; there is nothing to put back."""

    code = "moved-on"


class Taken(DiscussionError):
    """Another moderator is looking at the comment; ``name`` is theirs."""

    code = "taken"

    def __init__(self, name: str, until: dt.datetime) -> None:
        super().__init__()
        self.name, self.until = name, until
