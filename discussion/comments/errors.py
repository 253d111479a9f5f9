"""What can go wrong in the discussion, with messages fit for the person who caused it."""

from __future__ import annotations

import datetime as dt

from django.contrib.auth.models import AbstractBaseUser

from discussion.comments.models.comments import Comment


class DiscussionError(Exception):
    """Base of this app's errors; ``str()`` is shown to the person."""


class Refused(DiscussionError):
    """What was asked does not fit; the message says why."""


class NotThere(DiscussionError):
    """There is no such comment for this person; answered like a wrong address."""


class TooMany(DiscussionError):
    """One person's share of this hour is used up; ``minutes`` is how long to wait."""

    def __init__(self, limit: int, what: str, minutes: int) -> None:
        wait = "1 minute" if minutes == 1 else f"{minutes} minutes"
        super().__init__(
            f"{limit} {what} within an hour is the most we take from one person. "
            f"Nothing you typed is lost: keep this page open and send it again in {wait}."
        )
        self.minutes = minutes


class Suspended(DiscussionError):
    """This person may not write for a while."""

    def __init__(self, until: dt.datetime, reason: str) -> None:
        super().__init__(
            f"You cannot write here until {until:%-d %B %Y, %H:%M} UTC. The reason: {reason} You can read everything."
        )
        self.until = until


class Locked(DiscussionError):
    """A moderator has closed the thread."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"A moderator has closed this discussion. {reason}".strip())


class NotAModerator(DiscussionError):
    """Only moderators do this."""

    def __init__(self) -> None:
        super().__init__("Only moderators can do this.")


class AlreadyDecided(DiscussionError):
    """Somebody decided after this page was opened; ``comment`` is as it stands now."""

    def __init__(self, comment: Comment, by: AbstractBaseUser) -> None:
        who = comment.state_by.get_full_name() if comment.state_by else "Somebody"
        first = "You have decided" if comment.state_by_id == by.pk else f"{who} was first"
        super().__init__(f"{first}: this comment is {comment.get_state_display()} already.")
        self.comment = comment


class Unseen(DiscussionError):
    """The page a decision comes from did not say how it showed the comment, or shows it no more as it is."""

    def __init__(self) -> None:
        super().__init__("This comment has changed since your page was opened. Reload the page, then decide.")


class MovedOn(DiscussionError):
    """What an act left is no longer so, or it was reversed before; there is nothing to put back."""

    def __init__(self) -> None:
        super().__init__("This cannot be reversed any more: something else was done since, or it is reversed already.")


class Taken(DiscussionError):
    """Another moderator is looking at the comment; ``name`` is theirs."""

    def __init__(self, name: str, until: dt.datetime) -> None:
        super().__init__(f"{name} is on it until {until:%H:%M} UTC.")
        self.name, self.until = name, until
