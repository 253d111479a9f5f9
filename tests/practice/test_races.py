"""Concurrent requests run in real threads with a connection each, on whichever database this run uses.

Where the order matters one thread is held inside its transaction until the other has surely arrived, so that a missing
lock shows every time, not just once in a while. SQLite queues whole transactions by itself; there the tests show
that nobody is turned away.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection

from practice.models import GRACE, GuestAct, LateAnswer, Learner, Mode, PracticeSession, SessionItem
from practice.sessions.ending import finish as finishing
from practice.sessions.ending.finish import finish
from practice.sessions.errors import AlreadyRunning, ReservedUsedUp
from practice.sessions.player import check as checking
from practice.sessions.player import save as saving
from practice.sessions.player.check import answer_on_page
from practice.sessions.player.save import claim, save
from practice.start import begin as starting
from practice.start.begin import MockChoice, start_mock
from questions.models import Pool, Question
from tests.support.bank import NOW, add_questions, make_exam
from tests.support.sessions import batch, begin_mock, guest, right_places, seconds, state

THREADS = 8
QUESTIONS = 24
ROUNDS = 4
HOLD = 0.3
"""Seconds a held thread stays inside its transaction after the other one was released."""
PATIENCE = 30

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def exam():
    exam = make_exam()
    add_questions(exam, QUESTIONS // 6 + 2)
    return exam


@pytest.fixture
def alice():
    return guest()[0]


@pytest.fixture
def mock(alice, exam):
    return begin_mock(alice, exam, count=QUESTIONS)


def at_once(*calls: Callable[[], Any]) -> list[Any]:
    """Run the calls in threads released together; return what each returned or raised, in order."""
    barrier, outcomes = threading.Barrier(len(calls)), [None] * len(calls)

    def run(place: int, call: Callable[[], Any]) -> None:
        try:
            barrier.wait(PATIENCE)
            outcomes[place] = call()
        except Exception as error:  # noqa: BLE001 - the test looks at it
            outcomes[place] = error
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=pair, daemon=True) for pair in enumerate(calls)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert not any(thread.is_alive() for thread in threads), "two requests wait for each other"
    return outcomes


class Held:
    """A function of a module that waits for a while at its first call before it does its work.

    ``then(call)`` returns a function that makes the call only once the held one has begun.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch, module: Any, name: str) -> None:
        self.inside, self.calls = threading.Event(), 0
        self.original = getattr(module, name)
        monkeypatch.setattr(module, name, self)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        self.calls += 1
        if not self.inside.is_set():
            self.inside.set()
            time.sleep(HOLD)
        return self.original(*args, **kwargs)

    def then(self, call: Callable[[], Any]) -> Callable[[], Any]:
        def late() -> Any:
            assert self.inside.wait(PATIENCE)
            return call()

        return late


def test_two_finishes_at_once_give_one_result(monkeypatch, mock, alice):
    writer = claim(mock.uuid, alice, NOW).writer
    save(mock.uuid, alice, batch(writer, state(1, 1, *right_places(mock, 1))), NOW)
    marked = Held(monkeypatch, finishing, "_mark")
    first, second = at_once(
        lambda: finish(mock.uuid, alice, seconds(60)), marked.then(lambda: finish(mock.uuid, alice, seconds(61)))
    )
    assert marked.calls == 1
    assert (first.finished_at, first.score) == (second.finished_at, second.score) == (seconds(60), 1)


def test_the_sweeper_and_a_submission_at_once_give_one_result(monkeypatch, mock, alice):
    marked = Held(monkeypatch, finishing, "_mark")
    after = mock.deadline + 2 * GRACE
    closed, session = at_once(
        lambda: finishing.close_expired(after), marked.then(lambda: finish(mock.uuid, alice, after))
    )
    assert marked.calls == 1
    assert closed == 1
    assert session.finished_at == mock.deadline


def outcome_is_consistent(mock: PracticeSession, saved: Any) -> str:
    """Check that the answer is either stored and counted or kept as late; return which."""
    mock.refresh_from_db()
    stored = mock.items.get(position=1)
    assert mock.score == mock.items.filter(is_correct=True).count()
    if saved.saved:
        assert (saved.saved, saved.late) == ([1], [])
        assert stored.selected
        assert stored.is_correct
        assert mock.score == 1
        assert not LateAnswer.objects.filter(session=mock).exists()
        return "counted"
    assert (saved.saved, saved.late) == ([], [1])
    assert not stored.selected
    assert not stored.is_correct
    assert mock.score == 0
    assert LateAnswer.objects.get(session=mock).position == 1
    return "late"


def test_a_save_under_way_when_a_finish_comes_is_counted(monkeypatch, mock, alice):
    answer = batch(claim(mock.uuid, alice, NOW).writer, state(1, 1, *right_places(mock, 1)))
    applied = Held(monkeypatch, saving, "apply_states")
    saved, _ = at_once(
        lambda: save(mock.uuid, alice, answer, seconds(60)),
        applied.then(lambda: finish(mock.uuid, alice, seconds(60))),
    )
    assert outcome_is_consistent(mock, saved) == "counted"


def test_a_save_that_comes_during_a_finish_is_late(monkeypatch, mock, alice):
    answer = batch(claim(mock.uuid, alice, NOW).writer, state(1, 1, *right_places(mock, 1)))
    marked = Held(monkeypatch, finishing, "_mark")
    _, saved = at_once(
        lambda: finish(mock.uuid, alice, seconds(60)),
        marked.then(lambda: save(mock.uuid, alice, answer, seconds(60))),
    )
    assert outcome_is_consistent(mock, saved) == "late"


def test_a_save_and_a_finish_released_together_leave_the_answer_either_counted_or_late(exam):
    for _ in range(ROUNDS):
        owner = guest()[0]
        mock = begin_mock(owner, exam, count=6)
        answer = batch(claim(mock.uuid, owner, NOW).writer, state(1, 1, *right_places(mock, 1)))
        saved, _ = at_once(
            lambda m=mock, o=owner, a=answer: save(m.uuid, o, a, seconds(60)),
            lambda m=mock, o=owner: finish(m.uuid, o, seconds(60)),
        )
        outcome_is_consistent(mock, saved)


@pytest.mark.parametrize("known", [True, False], ids=["a learner", "a new guest"])
def test_two_starts_of_a_mock_at_once_give_one_mock(monkeypatch, exam, alice, known):
    if known:
        Learner.objects.create(guest_key=alice.guest_key, created_at=NOW)
    blueprint = exam.blueprints.get()
    picked = Held(monkeypatch, starting, "pick_mock")
    first, second = at_once(
        lambda: start_mock(alice, blueprint, MockChoice(12), 1, NOW),
        picked.then(lambda: start_mock(alice, blueprint, MockChoice(12), 2, NOW)),
    )
    assert isinstance(second, AlreadyRunning)
    assert second.session == first
    assert PracticeSession.objects.get() == first
    assert SessionItem.objects.count() == 12
    assert Learner.objects.count() == 1


def test_claims_at_once_get_different_writers(mock, alice):
    sessions = at_once(*[lambda: claim(mock.uuid, alice, NOW)] * THREADS)
    assert sorted(session.writer for session in sessions) == list(range(1, THREADS + 1))


def test_threads_saving_to_one_session_lose_nothing_acknowledged(mock, alice):
    """Each thread has questions of its own, and all compete for the last one, where the highest sequence wins."""
    writer = claim(mock.uuid, alice, NOW).writer
    acknowledged: list[tuple[int, int]] = []

    def saves(thread: int) -> Callable[[], None]:
        def run() -> None:
            for turn, position in enumerate(range(1 + thread, QUESTIONS, THREADS)):
                both = state(position, 1, position % 4), state(QUESTIONS, 1 + thread + THREADS * turn, thread % 4)
                result = save(mock.uuid, alice, batch(writer, *both), NOW)
                assert set(result.saved) == {position, QUESTIONS}
                acknowledged.append((position, position % 4))

        return run

    assert at_once(*[saves(thread) for thread in range(THREADS)]) == [None] * THREADS
    assert len(acknowledged) == QUESTIONS - 1
    stored = {item.position: item for item in mock.items.all()}
    lost = [p for p, place in acknowledged if stored[p].selected != 1 << int(stored[p].option_order[place], 16)]
    assert lost == []
    turns = [len(range(1 + thread, QUESTIONS, THREADS)) for thread in range(THREADS)]
    highest, winner = max((1 + thread + THREADS * (n - 1), thread) for thread, n in enumerate(turns))
    last = stored[QUESTIONS]
    assert (last.sequence, last.selected) == (highest, 1 << int(last.option_order[winner % 4], 16))


def test_first_answers_of_a_new_guest_at_once_make_one_learner(monkeypatch, exam, alice):
    questions = list(Question.objects.filter(pool=Pool.PUBLIC).select_related("live_version")[:2])
    made = Held(monkeypatch, checking, "mask_of")
    first, second = at_once(
        lambda: answer_on_page(alice, questions[0], [1], NOW),
        made.then(lambda: answer_on_page(alice, questions[1], [2], NOW)),
    )
    learner = Learner.objects.get()
    assert learner.guest_key == alice.guest_key
    assert PracticeSession.objects.get().mode == Mode.PAGE
    assert {first.position, second.position} == {1, 2}
    assert SessionItem.objects.filter(session__learner=learner).count() == 2


def test_a_networks_guests_starting_at_once_stay_within_the_limit_on_reserved_mocks(exam, settings, monkeypatch):
    """Each start is held between counting and its own entry; without the network's lock, all would count zero."""
    settings.GUEST_MOCKS_A_DAY = 2
    blueprint = exam.blueprints.get()
    picked = starting.pick_mock

    def slowly(*args: Any) -> Any:
        time.sleep(HOLD)
        return picked(*args)

    monkeypatch.setattr(starting, "pick_mock", slowly)

    def begin(owner: Any) -> Callable[[], Any]:
        return lambda: start_mock(owner, blueprint, MockChoice(6), 7, NOW, network="n" * 32)

    outcomes = at_once(*[begin(guest()[0]) for _ in range(6)])
    refused = [outcome for outcome in outcomes if isinstance(outcome, ReservedUsedUp)]
    assert (len(outcomes), len(refused)) == (6, 4), outcomes
    assert GuestAct.objects.filter(reserved=True).count() == 2
