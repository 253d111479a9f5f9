"""Check how blanks are classified, how pace affects a forecast, and for which mock the forecast is made."""

import datetime as dt

import numpy as np
import pytest

from practice.measurement.ability.reads import past_of
from practice.measurement.ability.rules.belief import ItemBelief
from practice.measurement.ability.rules.blanks import Clock, Place, blanks
from practice.measurement.ability.rules.pace import PastMock, reach, thinned
from practice.measurement.ability.rules.pass_chance import Domain, fresh_curve, item_curve
from practice.measurement.calibration.reads import Banks
from practice.models import Forecast, Standing
from practice.readiness.derive.analyse import analyse
from practice.readiness.derive.rebuild import rebuild_analytics
from practice.readiness.reads.honesty import calibration_page
from practice.readiness.reads.outlooks import next_mock
from practice.sessions.ending.finish import finish
from practice.sessions.ending.rules import MET_SECONDS
from practice.sessions.player.check import check
from practice.sessions.player.save import claim, save
from questions.models import Blueprint, Question
from tests.support.bank import NOW, add_questions, make_exam
from tests.support.sessions import (
    batch,
    begin_drill,
    begin_mock,
    guest,
    learner_of,
    right_places,
    seconds,
    state,
)

pytestmark = pytest.mark.long("simulation")

DAY = 86400
HOUR = Clock(3600, 3600, ran_out=True)
"""The places of an hour whose last answer came in its last second."""


def places(answered, total, looked=(), each=0):
    """Return places: the first ``answered`` are answered and ``looked`` only read, each for ``each`` seconds."""
    return [Place(n, n <= answered, each if n <= answered or n in looked else 0) for n in range(1, total + 1)]


def test_a_blank_before_the_last_answer_is_omitted():
    rows = [Place(1, True, 0), Place(2, False, 0), Place(3, True, 0), Place(4, False, 0)]
    found = blanks(rows, Clock(100, 1000, ran_out=False))
    assert (found.omitted, found.reached, found.total) == ({2}, 3, 4)


def test_a_question_never_on_screen_does_not_count_as_omitted():
    rows = [Place(1, True, 30), Place(2, False, 4), Place(3, False, 5), Place(4, True, 30)]
    assert blanks(rows, HOUR).omitted == {3}


def test_a_question_read_after_the_last_answer_is_omitted_unless_time_ran_out():
    rows = places(9, 12, looked=(10,), each=30)
    assert blanks(rows, Clock(300, 3600, ran_out=False)).omitted == {10}
    assert blanks(rows, HOUR).omitted == set()


def test_a_slow_mock_is_not_abandoned():
    found = blanks(places(35, 60, each=100), HOUR)
    assert (found.reached, found.abandoned) == (35, False)


@pytest.mark.parametrize(
    ("answered", "clock", "abandoned"),
    [
        (0, HOUR, True),
        (20, Clock(600, 3600, ran_out=True), True),
        (20, Clock(600, 3600, ran_out=False), True),
        (20, Clock(600, None, ran_out=False), True),
        (20, Clock(3000, 3600, ran_out=True), False),
        (50, Clock(600, 3600, ran_out=False), False),
    ],
)
def test_a_mock_is_abandoned_if_empty_or_left_with_time_remaining(answered, clock, abandoned):
    assert blanks(places(answered, 60), clock).abandoned == abandoned


def test_the_seconds_on_screen_decide_whether_a_question_was_met():
    edge = [Place(1, True, 30), Place(2, False, MET_SECONDS - 1), Place(3, False, MET_SECONDS), Place(4, True, 30)]
    assert blanks(edge, HOUR).omitted == {3}


def test_a_finished_or_untimed_mock_reaches_every_question():
    assert reach([], 60, 1.0) is None
    assert reach([PastMock(1.0, 1.0)], 60, 1.0) is None
    assert reach([PastMock(0.5, 1.0)], 60, None) is None
    assert reach([PastMock(0.5, None)], 60, 1.0) is None


def test_how_far_a_learner_gets_is_estimated_from_past_mocks_mostly_the_newest():
    slow = reach([PastMock(35 / 60, 1.0)], 60, 1.0)
    assert slow.sum() == pytest.approx(1)
    assert slow @ np.arange(61) == pytest.approx(35, abs=0.1)
    faster = reach([PastMock(35 / 60, 1.0), PastMock(1.0, 1.0)], 60, 1.0)
    assert faster[60] == pytest.approx(2 / 3, abs=0.01)
    assert reach([PastMock(0.5, 1.0)], 60, 1.5) @ np.arange(61) == pytest.approx(45, abs=0.1)


def test_thinning_equals_drawing_without_replacement():
    scores, reached = np.zeros(7), np.zeros(7)
    scores[4], reached[3] = 1, 1
    # Of six questions with four right, three are reached: hypergeometric.
    assert thinned(scores, reached)[:4] == pytest.approx([0, 4 / 20, 12 / 20, 4 / 20])
    assert thinned(scores, None) is scores


def test_a_mock_is_drawn_from_unmet_reserved_units_then_from_unmet_public_ones():
    hard, easy = (item_curve(ItemBelief(b, 0.0)) for b in (1.0, -1.0))
    domain = Domain([1, 2, 3, 4], np.array([True, True, False, False]), np.array([hard, hard, easy, easy]))
    assert domain.drawn(2, set()) == pytest.approx(hard)
    assert domain.drawn(2, {1}) == pytest.approx((hard + easy) / 2)
    assert domain.drawn(2, {1, 2}) == pytest.approx(easy)
    assert domain.drawn(2, {1, 2, 3, 4}) == pytest.approx((hard + easy) / 2)


@pytest.fixture
def exam():
    """Create a short exam of twelve questions in an hour, with enough questions for five fresh mocks."""
    exam = make_exam()
    Blueprint.objects.update(question_count=12, minutes=60)
    add_questions(exam, 14)
    return exam


def sit(owner, exam, answered, day=0, wrong=(), ended=3600):
    """Finish a mock after ``ended`` seconds; ``answered`` is how many or which questions were answered, all but
    ``wrong`` correctly.
    """
    start = seconds(day * DAY)
    session = begin_mock(owner, exam, 12, start)
    writer = claim(session.uuid, owner, start).writer
    among = range(1, answered + 1) if isinstance(answered, int) else answered
    for position in range(1, max(among) + 1):
        chosen = right_places(session, position)
        if position in wrong:
            chosen = (next(place for place in range(4) if place not in chosen),)
        sent = state(position, 1, *(chosen if position in among else ()), seconds=30)
        at = start + dt.timedelta(seconds=ended * position / max(among) - 1)
        save(session.uuid, owner, batch(writer, sent), at)
    finish(session.uuid, owner, start + dt.timedelta(seconds=ended))
    analyse(session.pk, start + dt.timedelta(seconds=ended + 60))
    return session


def standing(owner):
    return Standing.objects.get(learner=learner_of(owner))


@pytest.mark.django_db
class TestStored:
    """The same rules apply to stored sessions."""

    def test_an_omitted_question_is_a_miss_and_counts_once(self, exam):
        alice = guest()[0]
        session = begin_mock(alice, exam, 12, NOW)
        writer = claim(session.uuid, alice, NOW).writer
        states = [state(n, 1, *(right_places(session, n) if n != 5 else ()), seconds=30) for n in range(1, 13)]
        save(session.uuid, alice, batch(writer, *states), seconds(600))
        finish(session.uuid, alice, seconds(700))
        past = past_of(learner_of(alice).pk, exam.pk).answers
        blank = session.items.get(position=5)
        assert [(each.right, each.first) for each in past if each.version == blank.version_id] == [(False, True)]
        assert len(past) == 12

        drill = begin_drill(alice, exam, seconds(DAY), size=14, order="random")
        drill.items.filter(position=1).update(version=blank.version)
        later = check(drill.uuid, alice, state(1, 1, *right_places(drill, 1)), None, seconds(DAY + 60))
        assert later.first_exposure is False
        finish(drill.uuid, alice, seconds(DAY + 90))
        again = past_of(learner_of(alice).pk, exam.pk).answers
        assert [each.first for each in again if each.version == blank.version_id] == [True, False]

    def test_a_question_met_before_and_left_blank_is_not_evidence(self, exam):
        alice = guest()[0]
        sit(alice, exam, 12)
        session = begin_mock(alice, exam, 12, seconds(DAY))
        first = learner_of(alice).sessions.earliest("started_at").items.get(position=1)
        session.items.filter(position=2).update(version=first.version)
        writer = claim(session.uuid, alice, seconds(DAY)).writer
        states = [state(n, 1, *([] if n == 2 else [0]), seconds=30) for n in range(1, 13)]
        save(session.uuid, alice, batch(writer, *states), seconds(DAY + 900))
        finish(session.uuid, alice, seconds(DAY + 1000))
        past = past_of(learner_of(alice).pk, exam.pk).answers
        assert len([each for each in past if each.version == first.version_id]) == 1

    def test_a_revealed_solution_is_a_miss(self, exam):
        alice = guest()[0]
        drill = begin_drill(alice, exam, size=3, order="random", feedback_each=True)
        check(drill.uuid, alice, state(1, 1, *right_places(drill, 1)), None, seconds(5))
        check(drill.uuid, alice, state(2, 1), None, seconds(9), reveal=True)
        finish(drill.uuid, alice, seconds(20))
        past = past_of(learner_of(alice).pk, exam.pk).answers
        assert [(each.right, each.first) for each in past] == [(True, True), (False, True)], "the third was never met"

    def test_answering_seven_of_twelve_does_not_predict_a_pass(self, exam):
        """Both have about the same share of their answers right, but one finishes and the other runs out of time."""
        steady, slow = guest()[0], guest()[0]
        for owner in (steady, slow):
            drill = begin_drill(owner, exam, seconds(-DAY), size=24, state="unseen", order="guide", feedback_each=True)
            for n in range(1, 25):
                check(drill.uuid, owner, state(n, 1, *right_places(drill, n)), None, seconds(-DAY + 60 * n))
        for day in range(4):
            sit(steady, exam, 12, day, wrong=(4,))
            sit(slow, exam, 7, day, wrong=(4,) if day % 2 else ())
        assert standing(steady).chance > 0.6
        assert standing(slow).chance < 0.1
        assert standing(slow).high <= 9

    def test_blanks_lower_the_chance_as_wrong_answers_do(self, exam):
        skips, misses = guest()[0], guest()[0]
        for day in range(3):
            sit(skips, exam, [n for n in range(1, 13) if n not in (3, 7)], day)
            sit(misses, exam, 12, day, wrong=(3, 7))
        assert standing(skips).answers == standing(misses).answers == 36
        assert standing(skips).chance == pytest.approx(standing(misses).chance, abs=0.02)

    def test_an_abandoned_mock_is_not_an_outcome_and_is_counted_separately(self, exam):
        alice = guest()[0]
        for day in range(3):
            sit(alice, exam, 12, day, wrong=(4,))
        before = standing(alice).chance
        left = sit(alice, exam, 3, day=3, ended=60)
        assert Forecast.objects.get(session=left).abandoned
        page = calibration_page(exam)
        assert (page.n, page.abandoned) == (0, 1)
        assert standing(alice).chance == pytest.approx(before, abs=0.05), "nobody is slow for having left"
        assert past_of(learner_of(alice).pk, exam.pk).abandoned == {left.pk}

    def test_the_prediction_is_for_reserved_questions_this_learner_has_not_seen(self, exam):
        add_questions(exam, 3, pool="reserved")
        alice, blueprint = guest()[0], exam.blueprints.get()
        bank = Banks(exam).at(NOW)
        assert {domain.reserved.sum() for domain in bank.domains.values()} == {3}
        hard = {q.pk for q in Question.objects.filter(pool="reserved")}
        for domain in bank.domains.values():
            domain.curves[domain.reserved] = fresh_curve([ItemBelief(2.0)])
        unmet = next_mock(bank, past_of(learner_of(alice).pk, exam.pk), NOW, blueprint)
        session = sit(alice, exam, 12)
        assert {item.version.question_id for item in session.items.all()} <= hard
        sit(alice, exam, 12, day=1)
        past = past_of(learner_of(alice).pk, exam.pk)
        met = next_mock(bank, past, seconds(2 * DAY), blueprint)
        assert all(met.curves[domain][160] > unmet.curves[domain][160] for domain in met.curves)
        assert past.met_until(NOW) == frozenset(), "what was not known then is left out"

    def test_a_rebuild_gives_the_same_forecasts(self, exam):
        alice = guest()[0]
        for day, answered in enumerate([12, 7, 12, 3, 9]):
            sit(alice, exam, answered, day, wrong=(2,), ended=3600 if answered != 3 else 60)
        said = list(Forecast.objects.values())
        assert said
        rebuild_analytics(seconds(9 * DAY))
        assert list(Forecast.objects.values()) == said
