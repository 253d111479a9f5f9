"""Whether an answer is the first exposure is known from the stored tally, by the same rule as from the history."""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Sequence

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from practice.models import Learner, Mode, PracticeSession, SessionItem, Standing
from practice.readiness.derive.analyse import refresh_all
from practice.sessions.ending.finish import finish
from practice.sessions.ending.met import first_met
from practice.sessions.reads.tally.reads import met_by
from questions.models import Exam, QuestionVersion
from tests.support.bank import NOW, add_questions, make_exam
from tests.support.sessions import begin_mock, guest, learner_of

pytestmark = pytest.mark.django_db
COUNTED = NOW + dt.timedelta(days=9, milliseconds=250)
LATER = NOW + dt.timedelta(days=10)


@pytest.fixture
def exam() -> Exam:
    return make_exam()


@pytest.fixture
def learner(exam: Exam) -> Learner:
    add_questions(exam, 24, domains=("d1",))
    return learner_of(guest()[0])


def add_session(
    learner: Learner, exam: Exam, rng: random.Random, at: dt.datetime, modes: Sequence[Mode] = tuple(Mode)
) -> PracticeSession:
    """A session of a random kind that began then, with random items."""
    mode, end = rng.choice(modes), rng.choice(["finished", "finished", "discarded", "open"])
    single = mode in (Mode.PAGE, Mode.CONTRAST)  # these never end
    over = None if single else at + dt.timedelta(hours=1)
    session = PracticeSession.objects.create(
        learner=learner, exam=exam, mode=mode, started_at=at,
        finished_at=over if end == "finished" else None, analysed_at=over if end == "finished" else None,
        discarded_at=over if end == "discarded" else None,
    )  # fmt: skip
    versions = rng.sample(list(QuestionVersion.objects.order_by("pk")), rng.randrange(1, 8))
    for place, version in enumerate(versions, start=1):
        time = at + dt.timedelta(minutes=place)
        answered = single or rng.random() < 0.6
        SessionItem.objects.create(
            session=session, position=place, version=version, option_order="1234",
            displayed_at=time if answered or rng.random() < 0.6 else None,
            answered_at=time if answered else None, selected=2 if answered else 0, first_selected=2 if answered else 0,
            is_correct=False if answered else None,
            checked_at=time if rng.random() < 0.2 else None, withheld=not answered and rng.random() < 0.2,
        )  # fmt: skip
    return session


def ask(learner: Learner, exam: Exam) -> tuple[PracticeSession, dict[int, int]]:
    """A session in which all questions are asked now."""
    session = PracticeSession.objects.create(learner=learner, exam=exam, mode=Mode.MOCK, started_at=LATER)
    return session, dict(QuestionVersion.objects.values_list("pk", "question"))


@pytest.mark.parametrize("seed", range(12))
def test_the_tally_and_the_history_say_the_same(exam: Exam, learner: Learner, seed: int) -> None:
    rng = random.Random(seed)
    add_session(learner, exam, rng, NOW - dt.timedelta(days=1), [Mode.PAGE])  # so that something is counted
    for day in range(6):
        add_session(learner, exam, rng, NOW + dt.timedelta(days=day))
    refresh_all(learner, COUNTED)
    assert met_by(learner.pk, exam.pk)
    for minute in range(rng.randrange(3)):
        add_session(learner, exam, rng, COUNTED + dt.timedelta(hours=1, minutes=minute))
    session, asked = ask(learner, exam)
    by_history, by_tally = first_met(session, asked), first_met(session, asked, LATER)
    assert by_tally.keys() == by_history.keys()
    assert by_tally != by_history
    assert all(at < LATER for at in by_tally.values())
    assert all(at == by_history[version] for version, at in by_tally.items() if at > COUNTED)


def test_what_was_answered_before_the_tally_was_stored_is_looked_up(exam: Exam, learner: Learner) -> None:
    """In a mock that was begun before the session that the tally counts: its answers may be the earlier ones."""
    see = add_session(learner, exam, random.Random(1), COUNTED - dt.timedelta(hours=2))
    refresh_all(learner, COUNTED)
    session, asked = ask(learner, exam)
    for answered in (COUNTED, COUNTED + dt.timedelta(milliseconds=750), see.started_at):
        assert first_met(session, asked, answered) == first_met(session, asked)


def test_a_tally_that_does_not_know_what_was_met_is_not_used(exam: Exam, learner: Learner) -> None:
    add_session(learner, exam, random.Random(1), NOW)
    refresh_all(learner, COUNTED)
    kept = Standing.objects.get()
    Standing.objects.update(tally=kept.tally.replace('"only_seen"', '"another"'))
    session, asked = ask(learner, exam)
    assert met_by(learner.pk, exam.pk) is None
    assert first_met(session, asked, LATER) == first_met(session, asked)


def test_ending_a_mock_does_not_read_a_long_past(exam: Exam) -> None:
    """SQLite would look through all answers of the learner's other sessions."""
    add_questions(exam, 11)
    owner, _ = guest()
    learner = learner_of(owner)
    for day in range(8):
        add_session(learner, exam, random.Random(day), NOW + dt.timedelta(days=day), [Mode.DRILL])
    refresh_all(learner, COUNTED)
    mock = begin_mock(owner, exam, 50, now=LATER)
    asked = list(mock.items.order_by("position"))
    known = met_by(learner.pk, exam.pk)
    assert known
    for item in asked:
        item.answered_at, item.selected, item.first_selected = LATER + dt.timedelta(minutes=1), 2, 2
    SessionItem.objects.bulk_update(asked, ["answered_at", "selected", "first_selected"])
    with CaptureQueriesContext(connection) as found:
        finish(mock.uuid, owner, LATER + dt.timedelta(hours=1))
    looked = [each["sql"] for each in found if "MIN(" in each["sql"]]
    assert len(looked) == 1
    assert '"finished_at" >' in looked[0]
    exposures = dict(mock.items.values_list("version__question", "first_exposure"))
    assert exposures == {question: question not in known.questions for question in exposures}
    assert set(exposures.values()) == {True, False}
