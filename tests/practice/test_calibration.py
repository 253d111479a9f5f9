"""Item parameters agree with independent numerical work and with simulated data, and stay sound where data are poor.

The published tables are in test_calibrate_file.py, where they are tested through the command.
"""

import dataclasses
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from practice.measurement.calibration.rules import fit as calibration
from practice.measurement.calibration.rules import marginal
from practice.measurement.calibration.rules.fit import Prior, calibrate, wide_prior
from practice.measurement.calibration.rules.marginal import Items, blocks, e_step, normal_grid, observed_information
from practice.measurement.calibration.rules.triplets import checked_answers
from tests.practice.response_data import from_matrix, lsat, simulated

SLOPES = np.array([0.6, 0.9, 1.2, 1.6, 0.8, 1.1, 1.4, 0.7])
INTERCEPTS = np.array([-1.5, -0.8, -0.2, 0.3, 0.9, 1.6, 0.0, 2.0])


def height(parts, grid, c, x, common):
    count = len(c)
    a = np.full(count, x[0]) if common else x[:count]
    return e_step(parts, Items(a, x[-count:], c), grid).log_likelihood


def numerical_information(parts, grid, c, x, common, step=1e-3):
    size = len(x)
    moves = np.eye(size) * step
    values = {}
    for i in range(size):
        for j in range(i, size):
            values[i, j] = sum(
                s * t * height(parts, grid, c, x + s * moves[i] + t * moves[j], common)
                for s in (1, -1)
                for t in (1, -1)
            ) / (-4 * step**2)
    return np.array([[values[min(i, j), max(i, j)] for j in range(size)] for i in range(size)])


@pytest.mark.parametrize("common", [False, True])
@pytest.mark.parametrize("guess", [0.0, 0.2])
def test_the_observed_information_is_minus_the_second_derivative_of_the_likelihood(common, guess):
    a, d, c = SLOPES[:3], INTERCEPTS[2:5], np.full(3, guess)
    parts, grid = blocks(simulated(60, a, d, density=0.8, c=guess)), normal_grid()
    x = np.concatenate([[1.1] if common else a, d + 0.2])
    items = Items(np.full(3, 1.1) if common else a, d + 0.2, c)
    expected = numerical_information(parts, grid, c, x, common)
    found = observed_information(parts, items, grid, common, full=True)
    np.testing.assert_allclose(found, expected, atol=1e-4 * np.abs(expected).max())
    by_block = observed_information(parts, items, grid, common, full=False)
    at_d = np.arange(3) + len(x) - 3
    at_a = np.zeros(3, dtype=int) if common else np.arange(3)
    np.testing.assert_allclose(by_block[:, 0, 0], found[at_a, at_a])
    np.testing.assert_allclose(by_block[:, 0, 1], found[at_a, at_d])
    np.testing.assert_allclose(by_block[:, 1, 1], found[at_d, at_d])


@pytest.mark.parametrize("model", ["rasch", "2pl"])
def test_no_parameters_nearby_are_likelier(model):
    answers = from_matrix(lsat(7))
    found = calibrate(answers, model)
    parts, grid = blocks(answers), normal_grid()
    common = model == "rasch"
    x = np.concatenate([found.a[:1] if common else found.a, found.d])
    best = height(parts, grid, np.zeros(5), x, common)
    assert best == pytest.approx(found.log_likelihood, abs=1e-9)
    for place in range(len(x)):
        for move in (0.001, -0.001):
            assert height(parts, grid, np.zeros(5), x + move * np.eye(len(x))[place], common) < best


def test_the_sum_over_nodes_equals_the_integral():
    """Grids a hundred times finer and wider give the same likelihood, also for learners with hundreds of answers."""
    a, d = np.tile(SLOPES, 25), np.linspace(-3, 3, 200)
    answers = simulated(40, a, d)
    parts, items = blocks(answers), Items(a, d, np.zeros(200))
    fine = e_step(parts, items, normal_grid(6001, 9.0)).log_likelihood
    assert e_step(parts, items, normal_grid()).log_likelihood == pytest.approx(fine, abs=0.005)


def test_computing_in_blocks_of_learners_changes_nothing(monkeypatch):
    answers = simulated(300, SLOPES, INTERCEPTS, density=0.6)
    whole = calibrate(answers, "2pl")
    monkeypatch.setattr(marginal, "CELLS", 16 * 7)
    parted = calibrate(answers, "2pl")
    np.testing.assert_allclose(parted.d, whole.d, atol=1e-5)
    np.testing.assert_allclose(parted.se_a, whole.se_a, rtol=1e-3)


def test_calibration_converges_fast_and_reports_it():
    found = calibrate(from_matrix(lsat(6)), "2pl")
    assert found.converged
    assert found.steps <= 60


def test_calibration_reports_that_it_has_not_converged(monkeypatch):
    monkeypatch.setattr(calibration, "CYCLES", 1)
    assert not calibrate(from_matrix(lsat(6)), "2pl").converged


@pytest.mark.parametrize("model", ["rasch", "2pl"])
def test_parameters_are_recovered_from_sparse_answers(model):
    a = np.full(40, 1.2) if model == "rasch" else np.tile(SLOPES, 5)
    d = np.linspace(-2, 2, 40)
    found = calibrate(simulated(3000, a, d, density=0.3), model)
    for estimate, error, truth in ((found.a, found.se_a, a), (found.d, found.se_d, d)):
        z = (estimate - truth) / error
        assert np.abs(z).max() < 4
        assert 0.6 < np.sqrt(np.mean(z**2)) < 1.5 or model == "rasch"
    np.testing.assert_allclose(found.b, -found.d / found.a)
    assert len(set(found.a)) == (1 if model == "rasch" else 40)


@pytest.mark.parametrize("model", ["rasch", "2pl"])
@pytest.mark.parametrize("information_items", [600, 0])
def test_standard_errors_match_the_spread_over_repetitions(monkeypatch, model, information_items):
    monkeypatch.setattr(calibration, "FULL_INFORMATION_ITEMS", information_items)
    a = np.full(8, 1.2) if model == "rasch" else SLOPES
    runs = [calibrate(simulated(800, a, INTERCEPTS, density=0.8, seed=seed), model, nodes=31) for seed in range(60)]
    slack = 0.12 if information_items else 0.25
    for name in ("a", "d"):
        spread = np.std([getattr(run, name) for run in runs], axis=0, ddof=1)
        told = np.mean([getattr(run, f"se_{name}") for run in runs], axis=0)
        assert np.mean(told / spread) == pytest.approx(1, abs=slack)


def test_a_fixed_guessing_chance_is_part_of_the_model():
    a, d = np.tile(SLOPES, 4), np.linspace(-1, 2, 32)
    answers = simulated(4000, a, d, density=0.7, c=0.25)
    found = calibrate(answers, "2pl", guessing=np.full(32, 0.25))
    assert np.abs((found.d - d) / found.se_d).max() < 4
    assert np.abs((found.a - a) / found.se_a).max() < 4
    without = calibrate(answers, "2pl")
    assert without.log_likelihood < found.log_likelihood
    assert np.mean(without.d - d) > 0.3


def test_a_blank_does_not_count_as_wrong():
    """An item given to only half the learners keeps its parameters; with blanks counted as wrong it wouldn't."""
    matrix = lsat(7)
    half = matrix.copy()
    half[::2, 0] = -1
    whole, blank, wrong = (calibrate(from_matrix(each), "2pl") for each in (matrix, half, np.maximum(half, 0)))
    assert blank.n[0] == 500
    assert abs(blank.d[0] - whole.d[0]) < 2 * blank.se_d[0]
    assert wrong.d[0] < whole.d[0] - 5 * whole.se_d[0]


def test_learners_who_answered_nothing_change_nothing():
    answers = from_matrix(lsat(6))
    more = dataclasses.replace(answers, learners=1500)
    found, alone = calibrate(more, "2pl"), calibrate(answers, "2pl")
    np.testing.assert_array_equal(found.d, alone.d)
    assert found.log_likelihood == alone.log_likelihood


@settings(max_examples=10, deadline=None)
@given(st.permutations(range(8)), st.permutations(range(120)), st.sampled_from(["rasch", "2pl"]))
def test_labels_and_order_do_not_change_the_estimates(items, learners, model):
    answers = simulated(120, SLOPES, INTERCEPTS, density=0.8)
    renamed = checked_answers(
        np.array(learners, dtype=np.int32)[answers.learner][::-1],
        np.array(items, dtype=np.int32)[answers.item][::-1],
        answers.correct[::-1],
        120,
        8,
    )
    prior = Prior(np.zeros(8, dtype=np.int32), np.zeros(1))
    before, after = calibrate(answers, model, prior), calibrate(renamed, model, prior)
    for name in ("a", "d", "se_a", "se_d", "n"):
        np.testing.assert_allclose(getattr(after, name)[list(items)], getattr(before, name), atol=1e-4)


def copied(few: int, learners: int, items: int, each: int):
    """Return answers of ``few`` learners, each repeated by that many others."""
    rng = np.random.default_rng(3)
    slope, difficulty = np.exp(rng.normal(0, 0.3, items)), rng.normal(-0.9, 0.95, items)
    who, what, right = [], [], []
    for n in range(few):
        chosen = np.sort(rng.permutation(items)[:each])
        chance = 0.25 + 0.75 / (1 + np.exp(-slope[chosen] * (rng.normal() - difficulty[chosen])))
        same = np.arange(n, learners, few)
        who.append(np.repeat(same, each))
        what.append(np.tile(chosen, len(same)))
        right.append(np.tile(rng.random(each) < chance, len(same)))
    who, what = (np.concatenate(part).astype(np.int32) for part in (who, what))
    return checked_answers(who, what, np.concatenate(right), learners, items)


@pytest.mark.long("simulation")
def test_em_ends_even_if_it_converges_slowly(monkeypatch):
    answers, prior = copied(10, 1200, 60, 40), Prior(np.zeros(60, dtype=np.int32), np.array([0.9]))
    found = calibrate(answers, "2pl", prior, np.full(60, 0.25))
    assert found.converged
    assert found.steps < 100
    monkeypatch.setattr(calibration, "CYCLES_BEFORE_NEWTON", calibration.CYCLES)
    alone = calibrate(answers, "2pl", prior, np.full(60, 0.25))
    assert alone.steps > 5 * found.steps
    assert alone.log_likelihood < found.log_likelihood


@pytest.mark.parametrize("model", ["rasch", "2pl"])
def test_newton_and_em_find_the_same_parameters(monkeypatch, model):
    answers, prior = simulated(800, SLOPES, INTERCEPTS, density=0.8), Prior(np.arange(8) % 2, np.array([0.2, -0.2]))
    by_em = calibrate(answers, model, prior)
    monkeypatch.setattr(calibration, "CYCLES_BEFORE_NEWTON", 0)
    by_newton = calibrate(answers, model, prior)
    assert by_em.converged
    assert by_newton.converged
    for name in ("a", "d", "se_a", "se_d"):
        np.testing.assert_allclose(getattr(by_newton, name), getattr(by_em, name), atol=1e-4)


def test_right_and_wrong_are_mirror_images():
    answers = simulated(500, SLOPES, INTERCEPTS)
    found = calibrate(answers, "2pl")
    mirrored = calibrate(dataclasses.replace(answers, correct=~answers.correct), "2pl")
    np.testing.assert_allclose(mirrored.d, -found.d, atol=1e-4)
    np.testing.assert_allclose(mirrored.a, found.a, atol=1e-4)


@pytest.mark.parametrize("model", ["rasch", "2pl"])
def test_an_item_everybody_got_right_or_wrong_has_no_maximum_and_affects_no_other(model):
    matrix = np.hstack([lsat(7), np.ones((1000, 1), int), np.zeros((1000, 1), int), np.full((1000, 1), -1)])
    found, alone = calibrate(from_matrix(matrix), model), calibrate(from_matrix(lsat(7)), model)
    np.testing.assert_allclose(found.d[:5], alone.d, atol=1e-6)
    np.testing.assert_allclose(found.se_a[:5], alone.se_a, atol=1e-6)
    assert found.log_likelihood == pytest.approx(alone.log_likelihood)
    assert found.d[5:7].tolist() == [math.inf, -math.inf]
    assert np.isnan(found.d[7])
    assert np.isinf(found.se_d[5:]).all()
    assert np.isinf(found.se_a[5:]).all()
    assert found.n.tolist() == [1000] * 7 + [0]
    assert np.isnan(found.a[5:7]).all() == (model == "2pl")


@pytest.mark.parametrize("model", ["rasch", "2pl"])
def test_nothing_is_estimated_if_everybody_got_every_item_right(model):
    found = calibrate(from_matrix(np.ones((10, 3), int)), model)
    assert np.isinf(found.d).all()
    assert np.isnan(found.a).all()
    assert found.log_likelihood == 0


def test_an_item_everybody_got_wrong_still_costs_likelihood_if_it_can_be_guessed():
    matrix = np.hstack([lsat(6), np.zeros((1000, 1), int)])
    guessing = np.array([0.0] * 5 + [0.25])
    found, alone = calibrate(from_matrix(matrix), "2pl", guessing=guessing), calibrate(from_matrix(lsat(6)), "2pl")
    assert found.log_likelihood == pytest.approx(alone.log_likelihood + 1000 * math.log(0.75))


def test_an_item_that_separates_learners_perfectly_reaches_the_limit_and_reports_it():
    matrix = lsat(7)
    parting = (matrix.sum(axis=1, keepdims=True) >= 4).astype(int)
    found = calibrate(from_matrix(np.hstack([matrix, parting])), "2pl")
    assert np.isinf(found.se_a[5])
    assert np.isinf(found.se_d[5])
    assert np.isfinite(found.se_a[:5]).all()


def test_an_item_with_a_wrong_key_gets_a_negative_slope_without_a_prior():
    matrix = lsat(7)
    matrix[:, 2] = 1 - matrix[:, 2]
    found, right = calibrate(from_matrix(matrix), "2pl"), calibrate(from_matrix(lsat(7)), "2pl")
    assert found.a[2] == pytest.approx(-right.a[2], abs=1e-4)
    assert calibrate(from_matrix(matrix), "2pl", wide_prior(5)).a[2] > 0


@pytest.mark.parametrize("model", ["rasch", "2pl"])
def test_priors_make_every_item_finite(model):
    matrix = np.hstack([lsat(7)[::20], np.ones((50, 1), int), np.zeros((50, 1), int), np.full((50, 1), -1)])
    found = calibrate(from_matrix(matrix), model, wide_prior(8))
    for name in ("a", "d", "b", "se_a", "se_d"):
        assert np.isfinite(getattr(found, name)).all(), name
    assert found.d[5] > found.d[:5].max()
    assert found.d[6] < found.d[:5].min()
    assert found.converged


def test_priors_shrink_less_with_more_answers():
    prior = wide_prior(8)
    gaps = []
    for learners in (50, 500, 5000):
        answers = simulated(learners, SLOPES, INTERCEPTS)
        free, held = calibrate(answers, "2pl"), calibrate(answers, "2pl", prior)
        gaps.append(np.abs(free.d - held.d).mean())
        assert held.a.std() < free.a.std()
    assert gaps == sorted(gaps, reverse=True)
    assert gaps[2] < 0.01


def test_labels_lend_strength_to_items_of_their_group():
    """Two items with one answer each move towards the other items with their label."""
    rng = np.random.default_rng(5)
    easy, hard = rng.normal(2, 0.3, 10), rng.normal(-2, 0.3, 10)
    d = np.concatenate([easy, hard, [2.0, -2.0]])
    answers = simulated(600, np.ones(22), d)
    kept = (answers.item < 20) | (answers.learner == 0)
    few = checked_answers(answers.learner[kept], answers.item[kept], answers.correct[kept], 600, 22)
    label = np.array([0] * 10 + [1] * 10 + [0, 1], dtype=np.int32)
    found = calibrate(few, "rasch", Prior(label, np.array([0.3, -0.3])))
    assert found.d[20] > 1
    assert found.d[21] < -1
    assert found.se_d[20] > 3 * found.se_d[0]


def test_the_prior_has_one_maximum():
    """The log-likelihood plus log prior has one maximum when each group's mean is at its own best."""
    answers, prior = (
        simulated(80, SLOPES, INTERCEPTS, density=0.7),
        Prior(np.arange(8, dtype=np.int32) % 2, np.zeros(2)),
    )
    found = calibrate(answers, "2pl", prior)
    parts, grid = blocks(answers), normal_grid()

    def posterior(a, d):
        precision = np.eye(8) * prior.d_sd**2 + prior.group_sd**2 * (prior.group[:, None] == prior.group)
        return (
            e_step(parts, Items(a, d, np.zeros(8)), grid).log_likelihood
            - 0.5 * d @ np.linalg.solve(precision, d)
            - 0.5 * ((np.log(a) / prior.log_a_sd) ** 2).sum()
        )

    best = posterior(found.a, found.d)
    for move in 0.002 * np.vstack([np.eye(8), -np.eye(8)]):
        assert posterior(found.a + move, found.d) < best
        assert posterior(found.a, found.d + move) < best


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (([0], [0], [True], 1, 0), "range"),
        (([0], [1], [True], 1, 1), "range"),
        (([-1], [0], [True], 1, 1), "range"),
        (([0, 0], [0, 0], [True, False], 1, 1), "two"),
        (([0, 0], [0], [True], 1, 1), "length"),
    ],
)
def test_impossible_answers_are_refused(arguments, reason):
    learner, item, correct, learners, items = arguments
    with pytest.raises(ValueError, match=reason):
        checked_answers(np.array(learner, np.int32), np.array(item, np.int32), np.array(correct), learners, items)


@pytest.mark.parametrize("guessing", [[0.25] * 4, [1.0] * 5, [-0.1] * 5, [math.nan] * 5])
def test_impossible_guessing_is_refused(guessing):
    with pytest.raises(ValueError, match="guessing"):
        calibrate(from_matrix(lsat(6)), "2pl", guessing=np.array(guessing))


def test_no_answers_are_refused():
    empty = checked_answers(np.empty(0, np.int32), np.empty(0, np.int32), np.empty(0, bool), 3, 3)
    with pytest.raises(ValueError, match="answer"):
        calibrate(empty, "2pl")
