"""Single answers are marked at once, in a drill and on a question's page."""

import pytest

from practice.learners.reads.identity import Owner
from practice.models import Learner, Mode, PracticeSession, SessionItem
from practice.sessions.ending.finish import finish
from practice.sessions.errors import NotOpen, NotPossible, TooFewQuestions
from practice.sessions.player.check import answer_on_page, check, open_hint
from practice.sessions.player.save import save, save_page
from practice.start.begin import start_drill
from practice.start.reads.fitting import DrillChoice
from questions.models import Question
from tests.support.bank import NOW, add_questions, make_exam
from tests.support.sessions import batch, begin_drill, begin_mock, guest, right_places, seconds, state

pytestmark = pytest.mark.django_db


@pytest.fixture
def exam():
    exam = make_exam()
    add_questions(exam, 4, domains=("d1",))
    return exam


@pytest.fixture
def alice():
    return guest()[0]


@pytest.fixture
def drill(alice, exam):
    return begin_drill(alice, exam, size=3)


def wrong_places(session, position):
    return tuple({0, 1, 2, 3} - set(right_places(session, position)))[:1]


def test_a_checked_answer_is_marked_once_and_stays(drill, alice):
    item = check(drill.uuid, alice, state(1, 1, *wrong_places(drill, 1)), None, NOW)
    assert (item.is_correct, item.checked_at) == (False, NOW)
    again = check(drill.uuid, alice, state(1, 2, *right_places(drill, 1)), None, seconds(9))
    assert (again.is_correct, again.checked_at) == (False, NOW)
    saved = save_page(drill.uuid, alice, 0, [state(1, 3, *right_places(drill, 1))], seconds(10), take=False)
    assert (saved.saved, [refusal.position for refusal in saved.refused]) == ([], [1])


def test_an_empty_answer_is_not_marked(drill, alice):
    with pytest.raises(NotPossible) as refusal:
        check(drill.uuid, alice, state(1, 1), None, NOW)
    assert refusal.value.code == "too-few-options"


def test_a_revealed_answer_is_recorded_as_neither_right_nor_wrong(drill, alice):
    item = check(drill.uuid, alice, state(1, 1), None, NOW, reveal=True)
    assert (item.revealed, item.is_correct, item.first_exposure) == (True, None, None)


def test_the_last_check_ends_the_drill_and_counts_what_was_answered(drill, alice):
    check(drill.uuid, alice, state(1, 1, *right_places(drill, 1)), None, NOW)
    check(drill.uuid, alice, state(2, 1, *wrong_places(drill, 2)), None, NOW)
    check(drill.uuid, alice, state(3, 1), None, seconds(5), reveal=True)
    drill.refresh_from_db()
    assert (drill.finished_at, drill.score, drill.total) == (seconds(5), 1, 2)


def test_unanswered_questions_of_a_drill_are_not_wrong(drill, alice):
    check(drill.uuid, alice, state(1, 1, *right_places(drill, 1)), None, NOW)
    finish(drill.uuid, alice, seconds(5))
    assert list(drill.items.values_list("is_correct", flat=True)) == [True, None, None]


def test_a_mock_marks_nothing_before_its_end(alice, exam):
    add_questions(exam, 2)
    mock = begin_mock(alice, exam, count=6)
    with pytest.raises(NotPossible):
        check(mock.uuid, alice, state(1, 1, 0), None, NOW)
    with pytest.raises(NotPossible):
        open_hint(mock.uuid, alice, 1)


def test_a_finished_drill_marks_no_more_answers(drill, alice):
    finish(drill.uuid, alice, NOW)
    with pytest.raises(NotOpen):
        check(drill.uuid, alice, state(1, 1, 0), None, NOW)


def test_only_a_late_item_with_a_wrong_option_is_refused(drill, alice):
    check(drill.uuid, alice, state(1, 1, *right_places(drill, 1)), None, NOW)
    finish(drill.uuid, alice, NOW)
    result = save(drill.uuid, alice, batch(1, state(1, 2, 9), state(2, 1, 0)), NOW)
    assert ([each.position for each in result.refused], result.late) == ([1], [2])


def test_a_first_exposure_is_the_first_answer_with_the_hint_closed(drill, alice, exam):
    open_hint(drill.uuid, alice, 2)
    fresh = check(drill.uuid, alice, state(1, 1, *right_places(drill, 1)), None, NOW)
    hinted = check(drill.uuid, alice, state(2, 1, *right_places(drill, 2)), None, NOW)
    assert (fresh.first_exposure, hinted.first_exposure) == (True, False)
    finish(drill.uuid, alice, NOW)
    again = begin_drill(alice, exam, size=4, order="random", now=seconds(10))
    met = {fresh.version_id, hinted.version_id}
    for item in again.items.all():
        marked = check(
            again.uuid, alice, state(item.position, 1, *right_places(again, item.position)), None, seconds(20)
        )
        assert marked.first_exposure == (item.version_id not in met)


def test_after_a_reveal_the_next_answer_is_not_a_first_exposure(drill, alice, exam):
    shown = check(drill.uuid, alice, state(1, 1), None, NOW, reveal=True)
    again = begin_drill(alice, exam, size=4, order="random", now=seconds(10))
    position = again.items.get(version=shown.version_id).position
    marked = check(again.uuid, alice, state(position, 1, *right_places(again, position)), None, seconds(20))
    assert marked.first_exposure is False


def test_page_answers_share_one_unlisted_session_and_are_never_first_exposures(alice, exam):
    first, second = Question.objects.order_by("number")[:2]
    right = answer_on_page(alice, first, [1], NOW)
    wrong = answer_on_page(alice, second, [2], seconds(5))
    again = answer_on_page(alice, first, [3], seconds(9))
    assert [right.is_correct, wrong.is_correct, again.is_correct] == [True, False, False]
    assert {item.first_exposure for item in SessionItem.objects.all()} == {False}
    session = PracticeSession.objects.get()
    assert (session.mode, session.items.count()) == (Mode.PAGE, 3)


@pytest.mark.parametrize("slots", [[], [9], [1, 9]])
def test_a_page_answer_needs_options_that_exist(alice, exam, slots):
    with pytest.raises(NotPossible):
        answer_on_page(alice, Question.objects.first(), slots, NOW)
    assert not Learner.objects.exists()


def test_next_after_a_page_answer_starts_a_drill_that_begins_with_it(alice, exam):
    question = Question.objects.order_by("number")[1]
    answered = answer_on_page(alice, question, [2], NOW)
    drill = start_drill(alice, exam, DrillChoice(size=3, domains=("d1",)), 7, seconds(5), carry_on=True)
    first = drill.items.get(position=1)
    assert (first.version_id, first.selected, first.is_correct) == (answered.version_id, 1 << 2, False)
    assert drill.items.values("version").distinct().count() == 3
    assert SessionItem.objects.filter(version=answered.version_id).count() == 1


def test_a_new_drill_ends_the_running_one_and_keeps_its_answers(drill, alice, exam):
    check(drill.uuid, alice, state(1, 1, *right_places(drill, 1)), None, NOW)
    begin_drill(alice, exam, now=seconds(60))
    drill.refresh_from_db()
    assert (drill.finished_at, drill.score, drill.total) == (seconds(60), 1, 1)


def test_a_question_is_missed_if_its_latest_answer_was_wrong(drill, alice, exam):
    check(drill.uuid, alice, state(1, 1, *wrong_places(drill, 1)), None, NOW)
    check(drill.uuid, alice, state(2, 1, *right_places(drill, 2)), None, NOW)
    missed = begin_drill(alice, exam, state="missed", now=seconds(10))
    assert [item.version_id for item in missed.items.all()] == [drill.items.get(position=1).version_id]
    check(missed.uuid, alice, state(1, 1, *right_places(missed, 1)), None, seconds(20))
    with pytest.raises(TooFewQuestions):
        begin_drill(alice, exam, state="missed", now=seconds(30))


def test_another_learner_cannot_check_an_answer(drill):
    from practice.sessions.errors import NotYours

    with pytest.raises(NotYours):
        check(drill.uuid, Owner(guest_key="nobody"), state(1, 1, 0), None, NOW)
