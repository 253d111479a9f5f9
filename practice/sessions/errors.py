"""What can go wrong with a session, with messages fit for the learner."""

from __future__ import annotations

from practice.learners.errors import PracticeError
from practice.sessions.models import PracticeSession


class NotYours(PracticeError):
    """There is no such session of this learner; answered like a wrong address."""

    code = "not-yours"


class OlderWriter(PracticeError):
    """The session went on in another page; this one must take over before it may save."""

    code = "older-writer"

    def __init__(self, writer: int) -> None:
        super().__init__("You've continued this session in another tab or on another device.")
        self.writer = writer


class NotOpen(PracticeError):
    """The session is over or discarded."""

    code = "not-open"


class NotPossible(PracticeError):
    """The request does not fit this session; the message says why."""

    code = "not-possible"


class InOpenMock(NotPossible):
    """One of the question's family is in the learner's unfinished mock."""

    def __init__(self) -> None:
        super().__init__("This question, or a variant of it, is in your unfinished mock exam. Submit that first.")


class AlreadyRunning(PracticeError):
    """One mock at a time; ``session`` is the one that runs."""

    code = "already-running"

    def __init__(self, session: PracticeSession) -> None:
        super().__init__("You already have a mock exam in progress.")
        self.session = session


class ReservedUsedUp(PracticeError):
    """The network or account has drawn its mocks of reserved questions for a day."""

    code = "reserved-used-up"

    def __init__(self) -> None:
        super().__init__("Today's mock exams with reserved questions have just run out. This one uses public ones.")


class NothingDue(PracticeError):
    """No review that fits the choice is due, or the reviews of today are done."""

    code = "nothing-due"

    def __init__(self) -> None:
        super().__init__("Nothing else that matches is due today.")


class TooFewQuestions(PracticeError):
    """The bank cannot fill the session that was asked for; ``possible`` is the longest it can."""

    code = "too-few-questions"

    def __init__(self, possible: int) -> None:
        super().__init__(
            f"These settings leave enough questions for {possible}." if possible else "No questions match this choice."
        )
        self.possible = possible
