"""What can go wrong with a session, as codes; templates/practice/refused.txt has the words."""

from __future__ import annotations

from typing import Any

from practice.learners.errors import PracticeError
from practice.sessions.models import PracticeSession


class NotYours(PracticeError):
    """This learner has no such session; handled like a wrong address."""

    code = "not-yours"


class OlderWriter(PracticeError):
    """The session has continued on another page; this one must take over before it can save."""

    code = "older-writer"

    def __init__(self, writer: int) -> None:
        super().__init__()
        self.writer = writer


class NotOpen(PracticeError):
    """The session is finished or discarded; ``code`` says which."""


class NotPossible(PracticeError):
    """The request doesn't fit this session; ``code`` says why."""


class InOpenMock(NotPossible):
    """One of the question's family is in the learner's unfinished mock."""

    code = "in-open-mock"


class AlreadyRunning(PracticeError):
    """One mock at a time; ``session`` is the running one."""

    code = "already-running"

    def __init__(self, session: PracticeSession) -> None:
        super().__init__()
        self.session = session


class ReservedUsedUp(PracticeError):
    """The network or account has used up its day's mocks with reserved questions."""

    code = "reserved-used-up"


class MeetsMaintenance(PracticeError):
    """The mock would still run when planned maintenance begins; ``work`` says when that is."""

    code = "maintenance"

    def __init__(self, work: Any) -> None:
        super().__init__()
        self.work = work


class NothingDue(PracticeError):
    """No matching review is due, or today's reviews are done."""

    code = "nothing-due"


class TooFewQuestions(PracticeError):
    """The bank can't fill the requested session; ``possible`` is the longest it can."""

    code = "too-few-questions"

    def __init__(self, possible: int) -> None:
        super().__init__()
        self.possible = possible
