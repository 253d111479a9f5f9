"""What can go wrong with a session, with messages fit for the learner."""

from __future__ import annotations

from practice.learners.errors import PracticeError
from practice.sessions.models import PracticeSession


class NotYours(PracticeError):
    """There is no such sitting of this learner; answered like a wrong address."""


class OlderWriter(PracticeError):
    """The sitting went on in another page; this one must take over before it may save."""

    def __init__(self, writer: int) -> None:
        super().__init__("This sitting went on in another tab or device.")
        self.writer = writer


class NotOpen(PracticeError):
    """The sitting is over or discarded."""


class NotPossible(PracticeError):
    """The request does not fit this sitting; the message says why."""


class AlreadyRunning(PracticeError):
    """One mock at a time; ``session`` is the one that runs."""

    def __init__(self, session: PracticeSession) -> None:
        super().__init__("A mock exam is still running.")
        self.session = session


class ReservedUsedUp(PracticeError):
    """The network or account has drawn its mocks of reserved questions for a day."""

    def __init__(self) -> None:
        super().__init__("Today's mocks of reserved questions have just been used up. This one would use public ones.")


class NothingDue(PracticeError):
    """No review that fits the choice is due, or the reviews of today are done."""

    def __init__(self) -> None:
        super().__init__("Nothing more of this choice is due today.")


class TooFewQuestions(PracticeError):
    """The bank cannot fill the sitting that was asked for; ``possible`` is the longest it can."""

    def __init__(self, possible: int) -> None:
        super().__init__(
            f"The bank can fill {possible} questions at these settings."
            if possible
            else "No question fits this choice."
        )
        self.possible = possible
