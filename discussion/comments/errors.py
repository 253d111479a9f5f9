"""What can go wrong in the discussion, with messages fit for the person who caused it."""

from __future__ import annotations

import datetime as dt

from django.contrib.auth.models import AbstractBaseUser

from discussion.comments.models.comments import Comment


class DiscussionError(Exception):
    """Base of this app's errors; ``str()`` is shown to the person, ``code`` names the error to programs."""

    code = ""


class Refused(DiscussionError):
    """What was asked does not fit; the message says why."""

    def __init__(self, message: str, code: str) -> None:
        super().__init__(message)
        self.code = code


class NotThere(DiscussionError):
    """There is no such comment for this person; answered like a wrong address."""

    code = "gone"

    def __init__(self) -> None:
        super().__init__("This comment no longer exists.")


class TooMany(DiscussionError):
    """One person's share of this hour is used up; ``minutes`` is how long to wait."""

    code = "too-many"

    def __init__(self, limit: int, what: str, minutes: int) -> None:
        wait = "1 minute" if minutes == 1 else f"{minutes} minutes"
        super().__init__(
            f"The limit is {limit} {what} an hour. "
            f"Your text is still here: keep this page open and try again in {wait}."
        )
        self.minutes = minutes


class Suspended(DiscussionError):
    """This person may not write for a while."""

    code = "suspended"

    def __init__(self, until: dt.datetime, reason: str) -> None:
        super().__init__(
            f"You can't post until {until:%-d %B %Y, %H:%M} UTC. Reason: {reason} You can still read everything."
        )
        self.until, self.reason = until, reason


class Locked(DiscussionError):
    """A moderator has closed the thread."""

    code = "locked"

    def __init__(self, reason: str) -> None:
        super().__init__(f"A moderator has closed this discussion. {reason}".strip())


class NotAModerator(DiscussionError):
    code = "not-a-moderator"

    def __init__(self) -> None:
        super().__init__("Only moderators can do this.")


class AlreadyDecided(DiscussionError):
    """Somebody decided after this page was opened; ``comment`` is as it stands now."""

    def __init__(self, comment: Comment, by: AbstractBaseUser) -> None:
        who = comment.state_by.get_full_name() if comment.state_by else "Somebody"
        is_own = comment.state_by_id == by.pk
        first = "You've already decided this one" if is_own else f"{who} decided first"
        super().__init__(f"{first}. The comment is now {comment.get_state_display()}.")
        self.code = "decided-by-you" if is_own else "decided"
        self.comment = comment


class Unseen(DiscussionError):
    """The page a decision comes from did not say how it showed the comment, or shows it no more as it is."""

    code = "unseen"

    def __init__(self) -> None:
        super().__init__("This comment has changed since you opened the page. Reload, then decide.")


class MovedOn(DiscussionError):
    """What an act left is no longer so, or it was reversed before; there is nothing to put back."""

    code = "moved-on"

    def __init__(self) -> None:
        super().__init__("This can't be reversed: something has changed since, or it has already been reversed.")


class Taken(DiscussionError):
    """Another moderator is looking at the comment; ``name`` is theirs."""

    code = "taken"

    def __init__(self, name: str, until: dt.datetime) -> None:
        super().__init__(f"Claimed by {name} until {until:%H:%M} UTC.")
        self.name, self.until = name, until
