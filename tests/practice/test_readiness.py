"""The learner model agrees with exact posteriors, changes as it should over time, and predicts simulated learners."""

import dataclasses
import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from practice.measurement.ability.rules import belief as readiness
from practice.measurement.ability.rules.belief import (
    GENERAL,
    GROWTH,
    POPULATION,
    GivenAnswer,
    ItemBelief,
    Population,
    at,
    chance,
    follow,
    guess_rate,
    label_belief,
    level_variance,
    matched,
    newcomer,
    response,
    update,
    with_domain,
)
from practice.measurement.ability.rules.growth import VAGUE, grown, with_growth
from tests.bench.learners import (
    CHECKS,
    GUESS,
    IN_DOMAIN,
    MEAN,
    answers_of,
    make_bank,
    make_course,
    true_chances,
    with_repeats,
)
from tests.bench.readiness import COVERED, KNOWN_BRIER, Said, followed, improving, judged

STILL = Population(growth=1e-12, general_walk=0.0, domain_walk=0.0)
"""Nobody's ability changes, so the answers give a plain posterior."""
KNOWN = ItemBelief(0.0, 0.0, 1.0, 0.25)


def an_answer(right=True, belief=KNOWN, domain=0, days=0.0, **more):
    return GivenAnswer(days, domain, "an item", belief, right, **more)


def ability_of(state, domain=0):
    """Return the mean and variance of a domain's ability."""
    place = with_domain(state, domain).places[domain]
    state = with_domain(state, domain)
    toward = state.covariance[GENERAL] + state.covariance[place]
    return state.means[GENERAL] + state.means[place], toward[GENERAL] + toward[place]


def random_answers(seed, count, domains=6, ability=0.5):
    rng = np.random.default_rng(seed)
    found = []
    for item in range(count):
        belief = ItemBelief(rng.normal(), 0.05, rng.lognormal(0, 0.3), 0.25)
        right = bool(rng.random() < response(ability - belief.difficulty, belief))
        found.append(GivenAnswer(0.0, item % domains, item, belief, right))
    return found


# What an answer says about ability


@pytest.mark.parametrize("right", [True, False])
def test_one_answer_gives_the_exact_posterior(right):
    """The exact posterior is the sum over a fine grid of general ability, deviation and difficulty."""
    belief = ItemBelief(0.4, 0.3, 1.3, 0.2)
    done = update(newcomer(STILL), an_answer(right, belief), STILL)
    axes = [np.linspace(-5 * sd, 5 * sd, 121) for sd in (math.sqrt(0.7), math.sqrt(0.3), math.sqrt(0.3))]
    general, deviation, item = np.meshgrid(*axes, indexing="ij")
    density = np.exp(-(general**2 / 0.7 + deviation**2 / 0.3 + item**2 / 0.3) / 2)
    chances = 0.2 + 0.8 / (1 + np.exp(-1.3 * (general + deviation - item - 0.4)))
    density *= chances if right else 1 - chances
    density /= density.sum()
    exact = [float((density * each).sum()) for each in (general, deviation, item)]
    assert done.state.means[GENERAL] == pytest.approx(exact[0], abs=2e-3)
    assert done.state.means[2] == pytest.approx(exact[1], abs=2e-3)
    assert done.belief.difficulty == pytest.approx(0.4 + exact[2], abs=2e-3)
    both = float((density * general * deviation).sum()) - exact[0] * exact[1]
    assert done.state.covariance[GENERAL, 2] == pytest.approx(both, abs=2e-3)
    narrowed = float((density * item**2).sum()) - exact[2] ** 2
    assert done.belief.variance == pytest.approx(narrowed, abs=2e-3)


@pytest.mark.parametrize(("slope", "guess", "right"), list(itertools.product((0.5, 1, 2), (0, 0.25), (True, False))))
def test_nine_quadrature_nodes_are_enough(monkeypatch, slope, guess, right):
    belief = ItemBelief(0.0, 0.0, slope, guess)
    cases = [(mean, sd) for mean in np.linspace(-4, 4, 9) for sd in (0.3, 0.6, 1.0, 1.5, 1.8) if slope * sd <= 2]
    coarse = [matched(mean, sd**2, belief, right) for mean, sd in cases]
    nodes = zip(*(each.tolist() for each in readiness.hermite(61)), strict=True)
    monkeypatch.setattr(readiness, "NODES", tuple(nodes))
    fine = [matched(mean, sd**2, belief, right) for mean, sd in cases]
    assert max(abs(a[0] - b[0]) for a, b in zip(coarse, fine, strict=True)) < 0.003
    assert max(abs(a[1] / b[1] - 1) for a, b in zip(coarse, fine, strict=True)) < 0.01


@given(
    st.floats(-3, 3), st.floats(0, 2), st.floats(0.3, 2.5), st.sampled_from([0.0, 0.1, 0.25, 0.5]), st.integers(0, 40)
)
@settings(max_examples=60, deadline=None)
def test_an_answer_moves_ability_and_difficulty_in_opposite_directions(difficulty, variance, slope, guess, before):
    state = follow(random_answers(before, before), STILL)
    belief = ItemBelief(difficulty, variance, slope, guess)
    right, wrong = (update(state, an_answer(verdict, belief), STILL) for verdict in (True, False))
    assert ability_of(wrong.state)[0] < ability_of(state)[0] < ability_of(right.state)[0]
    assert right.belief.difficulty <= difficulty <= wrong.belief.difficulty
    assert right.belief.slope == slope


def test_an_answer_in_one_domain_says_less_about_the_others():
    state = update(newcomer(), an_answer(domain=3)).state
    assert ability_of(state, 3)[0] > ability_of(state, 1)[0] > 0


def test_a_right_answer_that_may_be_a_guess_says_less():
    blind, open_ended = (update(newcomer(), an_answer(True, ItemBelief(0, 0, 1, c))).state for c in (0.5, 0.0))
    assert 0 < ability_of(blind)[0] < ability_of(open_ended)[0]


def test_an_answer_to_an_uncertain_question_weighs_less():
    sure, unsure = (update(newcomer(), an_answer(True, ItemBelief(0, v, 1, 0.25))).state for v in (0.0, 2.0))
    assert 0 < ability_of(unsure)[0] < ability_of(sure)[0]


def test_the_order_of_answers_hardly_matters():
    answers = random_answers(4, 120)
    found = [ability_of(follow(np.random.default_rng(seed).permutation(answers), STILL)) for seed in range(8)]
    means, variances = zip(*found, strict=True)
    assert np.ptp(means) < 0.35 * math.sqrt(np.mean(variances))
    assert np.ptp(np.sqrt(variances)) < 0.1 * math.sqrt(np.mean(variances))


@pytest.mark.parametrize("seed", range(3))
def test_the_covariance_matrix_stays_valid(seed):
    state = follow(random_answers(seed, 1500, ability=seed - 1.0))
    assert np.allclose(state.covariance, state.covariance.T)
    assert np.linalg.eigvalsh(state.covariance)[0] > 0
    assert ability_of(state)[0] == pytest.approx(seed - 1.0, abs=0.5)
    assert len(state.means) == 2 + 6


def test_many_wrong_answers_to_easy_questions_keep_everything_finite():
    state = follow([an_answer(False, ItemBelief(-4, 0.01, 2.5, 0.0))] * 300)
    assert np.isfinite(state.means).all()
    assert ability_of(state)[1] > 0


def test_updating_never_changes_the_given_state_or_answer():
    state = follow(random_answers(1, 10))
    means, covariance, places, firsts = state.means.copy(), state.covariance.copy(), {**state.places}, {**state.firsts}
    update(state, an_answer(domain=9, days=5.0))
    at(state, 100.0)
    chance(state, an_answer(domain=8, days=3.0))
    assert (state.means == means).all()
    assert (state.covariance == covariance).all()
    assert (state.places, state.firsts) == (places, firsts)


def test_the_same_history_gives_the_same_state():
    one, two = follow(random_answers(1, 50)), follow(random_answers(1, 50))
    assert (one.means == two.means).all()
    assert (one.covariance == two.covariance).all()


def test_first_exposures_are_counted_by_domain():
    state = follow([an_answer(domain=1), an_answer(domain=1, first=False), an_answer(domain=4)])
    assert state.firsts == {1: 1, 4: 1}
    assert state.answers == 2


@pytest.mark.parametrize("right", [True, False])
def test_answers_that_are_not_first_exposures_change_only_the_time(right):
    state = follow(random_answers(2, 30))
    done = update(state, an_answer(right, first=False, days=state.days))
    assert (done.state.means == state.means).all()
    assert (done.state.covariance == state.covariance).all()
    assert done.belief == KNOWN
    assert update(state, an_answer(right, first=False, days=7.0)).state.days == 7.0


def test_the_chance_is_the_share_of_right_answers_the_model_itself_would_draw():
    state, belief = follow(random_answers(3, 20)), ItemBelief(0.3, 0.5, 1.2, 0.25)
    mean, variance = ability_of(state)
    gaps = np.random.default_rng(0).normal(mean - 0.3, math.sqrt(variance + 0.5), 400_000)
    drawn = np.mean(0.25 + 0.75 / (1 + np.exp(-1.2 * gaps)))
    assert chance(state, an_answer(belief=belief)) == pytest.approx(drawn, abs=2e-3)
    assert chance(state, an_answer(False, belief)) == chance(state, an_answer(True, belief))


# Questions without a calibration


def test_the_guess_rate_depends_on_options_and_choices():
    assert guess_rate(4) == 0.25
    assert guess_rate(5, 2) == 0.1
    assert guess_rate(3, 3) == 1
    for impossible in ((0, 1), (4, 0), (2, 3)):
        with pytest.raises(ValueError, match="choose"):
            guess_rate(*impossible)


def test_a_difficulty_label_changes_the_estimate_little():
    easy, medium, hard = (label_belief(label, 4) for label in ("easy", "medium", "hard"))
    assert (easy.difficulty, medium.difficulty, hard.difficulty) == (-0.3, 0.0, 0.3)
    assert medium == ItemBelief(0.0, 0.95**2, 1.0, 0.25)
    assert label_belief("hard", 5, 3, centre=-0.5) == ItemBelief(-0.2, 0.95**2, 1.0, 0.1)
    assert label_belief("", 4) == medium


# Time


def test_time_away_halves_the_surplus_and_widens_the_uncertainty():
    state = follow(random_answers(1, 60, ability=2.5))
    away = at(state, state.days + POPULATION.half_life)
    widened = math.sqrt(level_variance(away)) - math.sqrt(level_variance(state))
    assert away.means[GENERAL] == pytest.approx(state.means[GENERAL] / 2 - 2 * widened)
    assert ability_of(away)[1] > ability_of(state)[1]
    assert away.covariance[GENERAL, GENERAL] < POPULATION.general
    assert (away.means[1:] == state.means[1:]).all()
    assert away.firsts == state.firsts


def test_a_year_leaves_half_of_what_was_known():
    state = follow(random_answers(1, 60))
    known, left = (
        POPULATION.general - each.covariance[GENERAL, GENERAL] for each in (state, at(state, POPULATION.widening))
    )
    assert left == pytest.approx(known / 2)


@pytest.mark.parametrize("ability", [-1.5, 0.0, 2.0])
def test_time_away_never_raises_the_upper_bound(ability):
    state = follow(random_answers(2, 60, ability=ability))
    ends = []
    for days in (0.0, 5.0, 40.0, 365.0, 5000.0):
        away = at(state, days)
        level = away.means[GENERAL] + away.means[2:].mean()
        ends.append(level + 2 * math.sqrt(level_variance(away)))
    assert (np.diff(ends) < 1e-9).all()


@pytest.mark.parametrize("ability", [-1.0, 0.5, 2.0])
def test_two_absences_in_a_row_equal_one_long_absence(ability):
    state = follow(random_answers(1, 60, ability=ability))
    once, twice = at(state, 90.0), at(at(state, 31.0), 90.0)
    assert np.allclose(once.means, twice.means, atol=0.03)
    assert np.allclose(once.covariance, twice.covariance)


def test_the_first_answer_does_not_end_an_absence():
    assert (at(newcomer(), 5000.0).means == newcomer().means).all()
    assert at(newcomer(), 5000.0).days == 5000.0


def test_answers_out_of_order_are_refused():
    with pytest.raises(ValueError, match="order"):
        follow([an_answer(days=2.0), an_answer(days=1.0)])


# Growth


def histories(growth, learners=150, spread=0.0, seed=7):
    rng = np.random.default_rng(seed)
    bank = make_bank(rng)
    course = make_course(rng, bank, learners, growth, spread)
    return [list(answers_of(course, learner, bank.all_beliefs)) for learner in range(learners)]


@pytest.mark.parametrize("growth", [0.0, 1.0])
def test_growth_is_detected_over_many_learners(growth):
    """One learner's estimate has a standard error of about 0.65, the mean of 150 of 0.053."""
    found = with_growth(histories(growth), Population(mean=MEAN))
    assert found.growth_mean * CHECKS[-1] == pytest.approx(growth, abs=0.2)
    assert math.sqrt(found.growth) * CHECKS[-1] < 0.5


def test_differences_in_growth_between_learners_are_detected():
    found = with_growth(histories(0.5, 300, spread=1.0), Population(mean=MEAN))
    assert 0.7 < math.sqrt(found.growth) * CHECKS[-1] < 1.3


def test_predictions_follow_an_improving_learner():
    pasts = histories(1.0, 60)
    static, fitted = Population(mean=MEAN), with_growth(pasts, Population(mean=MEAN))
    behind = [follow(past, fitted).means[GENERAL] - follow(past, static).means[GENERAL] for past in pasts]
    assert np.mean(behind) > 0.3


def test_growth_is_not_estimated_from_one_history_or_none():
    assert with_growth([]) == POPULATION
    assert with_growth([random_answers(1, 200)]) == POPULATION
    assert with_growth([[], []]) == POPULATION


def test_a_handful_of_learners_moves_the_growth_little():
    vague = dataclasses.replace(POPULATION, growth=VAGUE)
    climbing = [an_answer(place > 50) for place in range(100)]
    found = grown([follow(climbing, vague)] * 3)
    assert 0 < found.growth_mean < 0.6 * follow(climbing, vague).means[GROWTH]


# Simulated learners: what `make bench` measures, small


def slack(said: Said, truth: np.ndarray, check: int) -> tuple[float, float, float]:
    """Return three standard errors of the Brier score, the calibration error (with its mean) and the covered share."""
    wrong, count = said.chance[:, check] - truth, len(truth)
    bins = np.minimum((said.chance[:, check] * 10).astype(int), 9)
    by_bin = np.sqrt(np.bincount(bins, wrong**2, 10)) / count
    error = math.sqrt(2 / math.pi) * by_bin.sum() + 3 * math.sqrt(1 - 2 / math.pi) * math.sqrt((by_bin**2).sum())
    return 3 * float(np.std(wrong**2)) / math.sqrt(count), error, 3 * math.sqrt(0.16 / count)


def test_predictions_are_honest_on_a_small_simulation():
    rng = np.random.default_rng(11)
    bank = make_bank(rng)
    course = make_course(rng, bank, 400)
    said = followed(course, bank.all_beliefs, Population(mean=MEAN))
    truth = true_chances(bank, course.abilities)
    for check, row in enumerate(judged(rng, bank, course, said)):
        brier, error, covered = slack(said, truth, check)
        assert row.brier <= KNOWN_BRIER[check] + brier
        assert row.error <= (0.02 if check else 0.05) + error
        assert COVERED[0] - covered <= row.covered <= COVERED[1] + covered


def test_predictions_follow_learners_who_improve():
    """The bound is a calibration error of 0.05, plus a sampling error of about 0.03 for 200 learners."""
    rows = improving(np.random.default_rng(12), 200)
    assert max(row.error for row in rows) < 0.08


def test_remembered_repeats_change_no_prediction():
    rng = np.random.default_rng(13)
    bank = make_bank(rng)
    course = make_course(rng, bank, 20)
    repeated = with_repeats(rng, course)
    assert (repeated.repeat > 0).mean() == pytest.approx(0.4)
    plain, mixed = (followed(each, bank.all_beliefs, Population(mean=MEAN)) for each in (course, repeated))
    assert (plain.chance == mixed.chance).all()


def test_the_simulated_population_has_the_described_abilities():
    rng = np.random.default_rng(1)
    bank = make_bank(rng)
    course = make_course(rng, bank, 4000)
    assert course.abilities.mean() == pytest.approx(MEAN, abs=0.05)
    assert course.abilities.var() == pytest.approx(1, abs=0.05)
    assert np.corrcoef(course.abilities.T)[0, 1] == pytest.approx(0.7, abs=0.03)
    assert course.right.mean() == pytest.approx(0.69, abs=0.04)
    cells = course.domain[0] * IN_DOMAIN + course.item[0]
    assert len(np.unique(cells)) == CHECKS[-1]
    assert np.bincount(course.domain[0, :30]).tolist() == [4, 4, 5, 6, 7, 4]
    assert bank.all_beliefs[0][0].guess == GUESS
