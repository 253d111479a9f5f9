"""Calibration runs share one scale, new items join it with their error, and a few learners can't invent growth."""

import math
from dataclasses import replace

import numpy as np
import pytest

from practice.measurement.ability.rules.belief import GROWTH, GivenAnswer, ItemBelief, newcomer
from practice.measurement.ability.rules.growth import GAP_DAYS, VAGUE, before_gap, grown
from practice.measurement.calibration.nightly import calibrate_exam
from practice.measurement.calibration.reads import USUAL_CENTRE, Banks
from practice.measurement.calibration.rules.anchors import USUAL_DEVIATION, Normal, link, newcomers
from practice.models import RegradeRule
from practice.readiness.derive.analyse import analyse
from practice.regrade.apply import Correction, regrade, run
from practice.sessions.ending.finish import finish
from practice.sessions.player.save import claim, save
from questions.models import Calibration, ItemParameters
from tests.support.bank import add_questions, make_exam
from tests.support.sessions import batch, begin_mock, guest, right_places, seconds, state

DAY = 86400


def test_a_fit_is_moved_onto_the_scale_of_its_anchors():
    anchor = np.array([-1.0, 0.0, 1.0, 5.0])
    found = link(anchor - 1.2, np.full(4, 0.3), anchor, np.full(4, 0.4))
    assert (found.mean, found.error) == pytest.approx((1.2, 0.25))


def test_well_known_items_weigh_most_and_unestimated_ones_nothing():
    difficulty, anchor = np.array([0.0, 0.0, math.inf]), np.array([1.0, 3.0, 0.0])
    found = link(difficulty, np.array([0.1, 9.0, math.inf]), anchor, np.full(3, 0.1))
    assert found.mean == pytest.approx(1.0, abs=0.01)
    assert link(difficulty[2:], np.array([math.inf]), anchor[2:], np.zeros(1)) == Normal(0.0, math.inf)


def test_strong_first_learners_move_a_newcomers_estimate_far_only_if_many():
    shift = Normal(1.2, 0.05)
    few, many = newcomers(shift, 30), newcomers(shift, 5000)
    assert 0.2 < few.mean < 0.6
    assert 1.0 < many.mean < 1.2
    assert many.error < 0.15 < few.error < USUAL_DEVIATION
    assert newcomers(Normal(0.0, math.inf), 1) == Normal(0.0, USUAL_DEVIATION)


def states(growths, variance):
    """Return the states of learners followed under a vague prior whose growth has these estimates."""
    found = []
    for growth in growths:
        state = newcomer()
        means, covariance = state.means.copy(), state.covariance.copy()
        covariance[GROWTH, GROWTH] = 1 / (1 / VAGUE + 1 / variance)
        means[GROWTH] = growth * covariance[GROWTH, GROWTH] / variance
        found.append(replace(state, means=means, covariance=covariance))
    return found


def test_varying_growth_is_detected_in_a_thousand_learners_but_not_in_three():
    error, spread = (0.65 / 240) ** 2, 1.3 / 240
    rng = np.random.default_rng(2)
    three = grown(states([-2 * spread, 0.0, 2 * spread], error))
    assert math.sqrt(three.growth) * 240 < 0.8
    many = grown(states(rng.normal(0, math.hypot(spread, error**0.5), 1000), error))
    assert math.sqrt(many.growth) * 240 == pytest.approx(1.3, abs=0.1)


def test_growth_is_estimated_only_until_the_first_long_absence():
    days = [0.0, 1.0, 1.0 + GAP_DAYS, 2.0 + 2 * GAP_DAYS, 3.0 + 2 * GAP_DAYS]
    answers = [GivenAnswer(each, 1, n, ItemBelief(), right=True) for n, each in enumerate(days)]
    assert before_gap(answers) == answers[:3]
    assert before_gap(answers[:3]) == answers[:3]
    assert before_gap([]) == []


@pytest.fixture
def exam():
    exam = make_exam()
    exam.blueprints.update(question_count=12, minutes=24)
    add_questions(exam, 6)
    return exam


def sit(exam, share, day=0):
    """Finish a mock as a new learner who answers the first ``share`` of it correctly."""
    owner, start = guest()[0], seconds(day * DAY)
    session = begin_mock(owner, exam, 12, start)
    writer = claim(session.uuid, owner, start).writer
    states = []
    for n in range(1, 13):
        places = right_places(session, n)
        wrong = next(place for place in range(4) if place not in places)
        states.append(state(n, 1, *(places if n <= share * 12 else (wrong,)), seconds=30))
    save(session.uuid, owner, batch(writer, *states), start)
    finish(session.uuid, owner, seconds(day * DAY + 600))
    analyse(session.pk, seconds(day * DAY + 700))
    return session


@pytest.mark.long("simulation")
@pytest.mark.django_db
def test_strong_first_learners_do_not_make_the_questions_easy(exam):
    for _ in range(20):
        sit(exam, 11 / 12)
    strong = calibrate_exam(exam, lambda: seconds(DAY))
    assert strong.centre == pytest.approx(USUAL_CENTRE, abs=0.15)
    assert 0 < strong.newcomer_mean < 1
    population = Banks(exam).at(seconds(2 * DAY)).population
    assert population.mean == strong.newcomer_mean
    assert population.general == pytest.approx(0.7 + strong.newcomer_error**2)


@pytest.mark.long("simulation")
@pytest.mark.django_db
def test_a_question_keeps_its_scale_from_the_previous_run_whoever_answers_next(exam):
    for _ in range(20):
        sit(exam, 11 / 12)
    first = calibrate_exam(exam, lambda: seconds(DAY))
    for _ in range(20):
        sit(exam, 4 / 12, day=2)
    second = calibrate_exam(exam, lambda: seconds(3 * DAY))
    early, late = (
        {each.version_id: each for each in ItemParameters.objects.filter(calibration=made)} for made in (first, second)
    )
    moved = [late[version].difficulty - early[version].difficulty for version in early]
    weights = [1 / (late[version].difficulty_error ** 2 + early[version].difficulty_error ** 2) for version in early]
    assert np.average(moved, weights=weights) == pytest.approx(0, abs=1e-6)
    assert second.newcomer_mean < first.newcomer_mean


@pytest.mark.long("simulation")
@pytest.mark.django_db
def test_a_corrected_key_recalibrates_without_new_answers(exam):
    sessions = [sit(exam, 0.5) for _ in range(4)]
    first = calibrate_exam(exam, lambda: seconds(DAY))
    version = sessions[0].items.get(position=1).version
    made = regrade(version, Correction(RegradeRule.OTHER_KEY, ((2,),), "The page was read again."), None, seconds(DAY))
    run(made.pk, seconds(DAY + 1))
    second = calibrate_exam(exam, lambda: seconds(2 * DAY))
    assert (second.pk != first.pk, second.answers) == (True, first.answers)
    assert calibrate_exam(exam, lambda: seconds(3 * DAY)) == second
    assert Calibration.objects.count() == 2
