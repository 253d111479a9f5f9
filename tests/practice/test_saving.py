"""Nothing acknowledged is lost, nothing is counted twice, and the server's clock decides."""

import datetime as dt

import pytest

from practice.models import GRACE, Ended, LateAnswer
from practice.sessions.ending.finish import close_expired, discard, finish
from practice.sessions.errors import NotOpen, NotPossible, NotYours, OlderWriter
from practice.sessions.player.rules import ItemState
from practice.sessions.player.save import claim, pause, resume, save, save_page
from tests.support.bank import NOW, add_questions, make_exam
from tests.support.sessions import batch, begin_mock, guest, right_places, seconds, state

pytestmark = pytest.mark.django_db


@pytest.fixture
def exam():
    exam = make_exam()
    add_questions(exam, 3)
    return exam


@pytest.fixture
def alice():
    return guest()[0]


@pytest.fixture
def mock(alice, exam):
    return begin_mock(alice, exam)


def item(session, position):
    return session.items.get(position=position)


def test_a_claim_raises_the_writer_and_only_the_newest_page_may_save(mock, alice):
    first = claim(mock.uuid, alice, NOW).writer
    second = claim(mock.uuid, alice, NOW).writer
    assert (first, second) == (1, 2)
    with pytest.raises(OlderWriter) as refused:
        save(mock.uuid, alice, batch(first, state(1, 1, 0)), NOW)
    assert refused.value.writer == 2
    assert item(mock, 1).selected == 0
    assert save(mock.uuid, alice, batch(second, state(1, 1, 0)), NOW).saved == [1]
    assert item(mock, 1).selected


def test_a_repeated_or_out_of_order_save_has_no_further_effect(mock, alice):
    writer = claim(mock.uuid, alice, NOW).writer
    for sequence, place in ((1, 0), (3, 2), (2, 1), (3, 2), (1, 0)):
        assert save(mock.uuid, alice, batch(writer, state(1, sequence, place)), NOW).saved == [1]
    stored = item(mock, 1)
    assert stored.selected == 1 << int(stored.option_order[2], 16)
    assert (stored.changes, stored.sequence) == (1, 3)


def test_a_new_writer_wins_over_a_higher_sequence_of_an_older_one(mock, alice):
    old = claim(mock.uuid, alice, NOW).writer
    save(mock.uuid, alice, batch(old, state(1, 99, 0)), NOW)
    new = claim(mock.uuid, alice, NOW).writer
    save(mock.uuid, alice, batch(new, state(1, 1, 1)), NOW)
    stored = item(mock, 1)
    assert stored.selected == 1 << int(stored.option_order[1], 16)


def test_only_a_bad_item_is_refused_with_its_reason(mock, alice):
    writer = claim(mock.uuid, alice, NOW).writer
    result = save(mock.uuid, alice, batch(writer, state(1, 1, 0), state(2, 1, 9), state(77, 1, 0)), NOW)
    assert result.saved == [1]
    reasons = {refusal.position: refusal.reason for refusal in result.refused}
    assert list(reasons) == [2, 77]
    assert len(set(reasons.values()) - {""}) == 2


def test_too_many_options_are_stored_as_given_and_scored_wrong(exam, alice):
    mock = begin_mock(alice, exam)
    writer = claim(mock.uuid, alice, NOW).writer
    both = (*right_places(mock, 1), *({0, 1, 2, 3} - set(right_places(mock, 1))))[:2]
    save(mock.uuid, alice, batch(writer, state(1, 1, *both), state(2, 1, *right_places(mock, 2))), NOW)
    finish(mock.uuid, alice, NOW)
    assert item(mock, 1).selected.bit_count() == 2
    assert [item(mock, n).is_correct for n in (1, 2, 3)] == [False, True, False]


def test_clearing_an_answer_leaves_the_question_unanswered(mock, alice):
    writer = claim(mock.uuid, alice, NOW).writer
    save(mock.uuid, alice, batch(writer, state(1, 1, 0)), NOW)
    save(mock.uuid, alice, batch(writer, state(1, 2)), NOW)
    stored = item(mock, 1)
    assert (stored.selected, stored.answered_at) == (0, None)
    assert stored.first_selected


def test_within_grace_an_answer_counts_and_after_it_is_kept_as_late(mock, alice):
    writer = claim(mock.uuid, alice, NOW).writer
    in_time, after = mock.deadline + GRACE, mock.deadline + GRACE + dt.timedelta(milliseconds=1)
    right = right_places(mock, 1)
    assert save(mock.uuid, alice, batch(writer, state(1, 1, *right)), in_time).saved == [1]
    result = save(mock.uuid, alice, batch(writer, state(2, 1, *right_places(mock, 2))), after)
    assert (result.late, result.saved) == ([2], [])
    mock.refresh_from_db()
    assert (mock.ended, mock.finished_at, mock.score) == (Ended.TIME, mock.deadline, 1)
    assert item(mock, 2).selected == 0
    assert LateAnswer.objects.get().position == 2


def test_a_late_answer_sent_twice_is_kept_once_and_changes_no_score(mock, alice):
    writer = claim(mock.uuid, alice, NOW).writer
    finish(mock.uuid, alice, NOW)
    for _ in range(2):
        save(mock.uuid, alice, batch(writer, state(1, 1, *right_places(mock, 1))), seconds(5))
    mock.refresh_from_db()
    assert mock.score == 0
    assert LateAnswer.objects.count() == 1


def test_a_save_lists_as_late_only_what_the_server_lacks(mock, alice):
    writer = claim(mock.uuid, alice, NOW).writer
    save(mock.uuid, alice, batch(writer, state(1, 1, 0)), NOW)
    finish(mock.uuid, alice, NOW)
    result = save(mock.uuid, alice, batch(writer, state(1, 1, 0)), seconds(5))
    assert (result.late, result.saved) == ([], [1])


def test_a_save_by_an_older_writer_after_the_end_is_late_not_refused(mock, alice):
    old = claim(mock.uuid, alice, NOW).writer
    claim(mock.uuid, alice, NOW)
    finish(mock.uuid, alice, NOW)
    assert save(mock.uuid, alice, batch(old, state(1, 1, 0)), seconds(5)).late == [1]


def test_finishing_twice_gives_one_result(mock, alice):
    writer = claim(mock.uuid, alice, NOW).writer
    save(mock.uuid, alice, batch(writer, state(1, 1, *right_places(mock, 1))), NOW)
    first = finish(mock.uuid, alice, seconds(60))
    again = finish(mock.uuid, alice, seconds(90))
    assert (first.finished_at, first.score) == (again.finished_at, again.score) == (seconds(60), 1)


def test_the_sweeper_closes_only_abandoned_sessions(mock, alice, exam):
    bob = guest()[0]
    running = begin_mock(bob, exam, now=seconds(3600))
    assert close_expired(mock.deadline + GRACE) == 0
    assert close_expired(mock.deadline + GRACE + dt.timedelta(seconds=1)) == 1
    mock.refresh_from_db()
    running.refresh_from_db()
    assert (mock.ended, mock.finished_at) == (Ended.TIME, mock.deadline)
    assert running.is_open


def test_only_the_owner_reaches_a_session(mock):
    bob = guest()[0]
    for act in (claim, finish, discard, pause, resume):
        with pytest.raises(NotYours):
            act(mock.uuid, bob, NOW)
    with pytest.raises(NotYours):
        save(mock.uuid, bob, batch(0, state(1, 1, 0)), NOW)


def test_a_discarded_session_accepts_nothing_more(mock, alice):
    discard(mock.uuid, alice, NOW)
    with pytest.raises(NotOpen):
        save(mock.uuid, alice, batch(0, state(1, 1, 0)), NOW)
    with pytest.raises(NotOpen):
        finish(mock.uuid, alice, NOW)


def test_a_mock_under_exam_conditions_cannot_be_paused(mock, alice):
    with pytest.raises(NotPossible) as refused:
        pause(mock.uuid, alice, NOW)
    assert refused.value.code == "exam-conditions"


def test_a_pause_moves_the_deadline_by_its_length_and_is_counted(exam, alice):
    mock = begin_mock(alice, exam, pausable=True)
    before = mock.deadline
    pause(mock.uuid, alice, seconds(60))
    assert close_expired(before + dt.timedelta(days=1)) == 0
    resumed = resume(mock.uuid, alice, seconds(660))
    assert resumed.deadline == before + dt.timedelta(minutes=10)
    assert (resumed.pauses, resumed.paused_seconds) == (1, 600)
    resume(mock.uuid, alice, seconds(700))
    resumed.refresh_from_db()
    assert resumed.deadline == before + dt.timedelta(minutes=10)


def test_answering_restarts_a_paused_clock(exam, alice):
    mock = begin_mock(alice, exam, pausable=True)
    writer = claim(mock.uuid, alice, NOW).writer
    pause(mock.uuid, alice, seconds(60))
    save(mock.uuid, alice, batch(writer, state(1, 1, 0)), seconds(120))
    mock.refresh_from_db()
    assert (mock.paused_at, mock.paused_seconds) == (None, 60)


def test_a_page_without_script_claims_by_saving_and_an_older_page_must_take_over(mock, alice):
    save_page(mock.uuid, alice, 0, [state(1, 1, 0)], NOW, take=False)
    with pytest.raises(OlderWriter):
        save_page(mock.uuid, alice, 0, [state(2, 1, 0)], NOW, take=False)
    assert item(mock, 2).selected == 0
    save_page(mock.uuid, alice, 0, [state(2, 1, 0)], NOW, take=True)
    assert item(mock, 1).selected
    assert item(mock, 2).selected


def test_time_spent_never_decreases_and_display_is_stamped_once(mock, alice):
    writer = claim(mock.uuid, alice, NOW).writer
    save(mock.uuid, alice, batch(writer, state(1, 1, seconds=30)), NOW)
    save(mock.uuid, alice, batch(writer, state(1, 2, seconds=10)), seconds(9))
    stored = item(mock, 1)
    assert (stored.seconds, stored.displayed_at) == (30, NOW)


def test_an_untimed_session_never_expires(exam, alice):
    mock = begin_mock(alice, exam, time_factor=0)
    assert mock.deadline is None
    assert close_expired(NOW + dt.timedelta(days=400)) == 0


def test_extra_time_multiplies_the_exams_time_by_the_factor(exam, alice):
    mock = begin_mock(alice, exam, count=10, time_factor=1.5)
    assert mock.deadline - mock.started_at == dt.timedelta(minutes=30)


def test_an_items_state_gives_places_and_not_slots(mock, alice):
    writer = claim(mock.uuid, alice, NOW).writer
    save(mock.uuid, alice, batch(writer, ItemState(1, 1, (0,), struck=(3,), flagged=True, confidence=1)), NOW)
    stored = item(mock, 1)
    assert stored.selected == 1 << int(stored.option_order[0], 16)
    assert stored.struck == 1 << int(stored.option_order[3], 16)
    assert (stored.flagged, stored.confidence) == (True, 1)
