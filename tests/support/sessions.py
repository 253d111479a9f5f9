"""Sessions for tests: their learners, and what a page would send."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from typing import Any

from django.db import transaction
from django.http import HttpResponse
from django.test import Client

from practice.learners.enrol import lock_learner
from practice.learners.reads.identity import Owner, key_of, new_token, set_guest_cookie
from practice.models import Learner, PracticeSession, ReviewCard
from practice.sessions.ending.rules import MET_SECONDS
from practice.sessions.player.rules import Batch, ItemState
from practice.sessions.player.save import claim, save
from practice.start.begin import MockChoice, start_drill, start_mock
from practice.start.reads.fitting import DrillChoice
from questions.models import Exam, Question, Solution
from tests.support.bank import NOW


def guest() -> tuple[Owner, str]:
    """Create a guest; returns the learner and the token in the guest's cookie."""
    token = new_token()
    return Owner(guest_key=key_of(token)), token


def as_read(session: PracticeSession, names: Sequence[str]) -> dict[int, tuple[Any, ...]]:
    """Return these columns of the items as statements read them, by position; whole objects must have the same."""
    found = {position: tuple(row) for position, *row in session.items.values_list("position", *names)}
    assert found == {each.position: tuple(getattr(each, name) for name in names) for each in session.items.all()}
    return found


def learner_of(owner: Owner, now: dt.datetime = NOW) -> Learner:
    """Return the owner's learner, created if there is none."""
    with transaction.atomic():
        return lock_learner(owner, now)


def guest_client(token: str, **options: Any) -> Client:
    """Return a browser with the guest's cookie."""
    client = Client(**options)
    response = HttpResponse()
    set_guest_cookie(response, token)
    client.cookies = response.cookies
    return client


def begin_mock(owner: Owner, exam: Exam, count: int = 10, now: dt.datetime = NOW, **choice: Any) -> PracticeSession:
    """Begin a mock on the current exam guide."""
    blueprint = exam.blueprints.get(is_current=True)
    return start_mock(owner, blueprint, MockChoice(count, **choice), 7, now)


def begin_drill(owner: Owner, exam: Exam, now: dt.datetime = NOW, **choice: Any) -> PracticeSession:
    """Begin a drill of ten questions."""
    return start_drill(owner, exam, DrillChoice(**choice), 7, now)


def begin_review(owner: Owner, exam: Exam, now: dt.datetime = NOW, size: int = 20, **choice: Any) -> PracticeSession:
    """Begin a review of the questions that are due."""
    return begin_drill(owner, exam, now, state="due", size=size, **choice)


def add_cards(owner: Owner, questions: Iterable[Question], due: dt.datetime = NOW) -> None:
    """Add a card for each question, missed a day before it is due; each is due a minute after the previous one."""
    learner = learner_of(owner, due)
    ReviewCard.objects.bulk_create(
        ReviewCard(
            learner=learner, exam_id=question.exam_id, question=question, stability=0.2, difficulty=6.4,
            reviewed_at=due - dt.timedelta(days=1), due_at=due + dt.timedelta(minutes=n), reviews=0, lapses=0,
        )
        for n, question in enumerate(questions)
    )  # fmt: skip


def right_places(session: PracticeSession, position: int) -> tuple[int, ...]:
    """Return the places of the right options on the learner's page."""
    item = session.items.get(position=position)
    key = Solution.objects.get(version=item.version_id).key_mask
    return tuple(place for place, slot in enumerate(item.option_order) if key >> int(slot, 16) & 1)


def read_through(session: PracticeSession, owner: Owner, now: dt.datetime = NOW) -> dt.datetime:
    """Display every question long enough to be met and answer the first one; returns when that was done."""
    states = [state(n, 1, *([0] if n == 1 else []), seconds=MET_SECONDS) for n in range(1, session.total + 1)]
    save(session.uuid, owner, batch(claim(session.uuid, owner, now).writer, *states), now)
    return now + dt.timedelta(seconds=MET_SECONDS * session.total)


def batch(writer: int, *states: ItemState) -> Batch:
    """Return a save as the player sends it."""
    return Batch(writer, states)


def state(position: int, sequence: int, *selected: int, **marks: Any) -> ItemState:
    """Return the state of one item."""
    return ItemState(position, sequence, tuple(selected), **marks)


def seconds(n: float) -> dt.datetime:
    """Return the moment this many seconds after the start."""
    return NOW + dt.timedelta(seconds=n)
