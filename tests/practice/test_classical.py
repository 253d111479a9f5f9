"""Classical statistics agree with textbook computations done another way."""

import math

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from practice.measurement.calibration.rules.classical import (
    Choices,
    cronbach_alpha,
    item_statistics,
    miskeyed,
    option_statistics,
    wilson,
)
from tests.practice.response_data import from_matrix, lsat, simulated


def textbook(matrix):
    """Return facility, item-total and item-rest correlations by numpy's own corrcoef on the number right."""
    total = matrix.sum(axis=1)
    item_total = [np.corrcoef(column, total)[0, 1] for column in matrix.T]
    item_rest = [np.corrcoef(column, total - column)[0, 1] for column in matrix.T]
    return matrix.mean(axis=0), item_total, item_rest


@pytest.mark.parametrize("section", [6, 7])
def test_on_a_complete_matrix_the_figures_match_the_textbook(section):
    matrix = lsat(section)
    found = item_statistics(from_matrix(matrix))
    for mine, theirs in zip((found.facility, found.item_total, found.item_rest), textbook(matrix), strict=True):
        np.testing.assert_allclose(mine, theirs, atol=1e-12)
    covariance = np.cov(matrix.T)
    alpha = 5 / 4 * (1 - np.trace(covariance) / covariance.sum())
    assert cronbach_alpha(from_matrix(matrix)) == pytest.approx(alpha, abs=1e-12)


def slow_statistics(matrix):
    """Compute the module's rule for blanks learner by learner."""
    facility = [np.mean(column[column >= 0]) if (column >= 0).any() else math.nan for column in matrix.T]
    result = []
    for item in range(matrix.shape[1]):
        pairs = []
        for row in matrix:
            gains = {other: row[other] - facility[other] for other in range(len(row)) if row[other] >= 0}
            if item in gains and len(gains) > 1:
                rest = np.mean([gain for other, gain in gains.items() if other != item])
                pairs.append((row[item], np.mean(list(gains.values())), rest))
        result.append([pearson(pairs, 1), pearson(pairs, 2)])
    return np.array(result)


def pearson(pairs, place):
    if not pairs:
        return math.nan
    x, y = np.array([pair[0] for pair in pairs], float), np.array([pair[place] for pair in pairs])
    if x.std() < 1e-9 or y.std() < 1e-9:
        return math.nan
    return np.corrcoef(x, y)[0, 1]


@given(st.lists(st.lists(st.sampled_from([-1, 0, 1]), min_size=4, max_size=4), min_size=1, max_size=12))
def test_with_blanks_the_figures_follow_the_rule_for_blanks(rows):
    matrix = np.array(rows)
    found = item_statistics(from_matrix(matrix))
    np.testing.assert_allclose(
        np.stack([found.item_total, found.item_rest], axis=1), slow_statistics(matrix), atol=1e-7
    )


def test_meeting_hard_items_does_not_lower_the_score():
    """Two booklets of different difficulty share one item that has nothing to do with ability."""
    rng = np.random.default_rng(2)
    slopes, d = np.ones(21), np.concatenate([np.full(10, 2.5), np.full(10, -2.5), [0.0]])
    answers = simulated(2000, slopes, d, seed=4)
    matrix = np.zeros((2000, 21), int)
    matrix[answers.learner, answers.item] = answers.correct
    matrix[:1000, 10:20] = -1
    matrix[1000:, :10] = -1
    matrix[:, 20] = rng.random(2000) < np.where(np.arange(2000) < 1000, 0.7, 0.3)
    found = item_statistics(from_matrix(matrix))
    assert abs(found.item_rest[20]) < 0.07
    shares = np.where(matrix[:, :20] >= 0, matrix[:, :20], 0).sum(axis=1) / 10
    assert np.corrcoef(matrix[:, 20], shares)[0, 1] > 0.3


def test_the_wilson_interval_matches_the_published_one():
    """Newcombe 1998 (Statistics in Medicine 17, 857-872, table I, method 3) gives 0.2553 to 0.3662 for 81 of 263."""
    low, high = wilson(np.array([81.0, 15, 0, 1, 0]), np.array([263.0, 148, 20, 29, 0]))
    np.testing.assert_allclose(low[:4], [0.2553, 0.0624, 0.0, 0.0061], atol=5e-5)
    np.testing.assert_allclose(high[:4], [0.3662, 0.1605, 0.1611, 0.1718], atol=5e-5)
    assert np.isnan(low[4])
    assert np.isnan(high[4])


@example(right=0, more=3)
@given(right=st.integers(0, 50), more=st.integers(1, 50))
def test_the_wilson_interval_contains_the_share(right, more):
    n = np.array([float(right + more)])
    low, high = wilson(np.array([float(right)]), n)
    assert 0 <= low[0] <= right / n[0] <= high[0] <= 1


@pytest.mark.parametrize(
    "rows",
    [
        [[1, 0], [0, -1]],  # an unanswered item
        [[1], [0]],  # only one item
        [[1, 0], [0, 1]],  # the same number right for everybody
    ],
)
def test_alpha_is_refused_if_it_is_not_defined(rows):
    assert cronbach_alpha(from_matrix(np.array(rows))) is None


def test_alpha_is_one_for_parallel_items():
    assert cronbach_alpha(from_matrix(np.array([[1, 1, 1], [0, 0, 0], [1, 1, 1]]))) == pytest.approx(1)


def test_items_nobody_or_everybody_got_right_have_no_correlation():
    found = item_statistics(from_matrix(np.array([[1, 0, 1], [1, 0, 0], [1, 0, 1]])))
    assert np.isnan(found.item_rest).all()
    assert np.isnan(found.item_total[:2]).all()
    assert found.facility.tolist()[:2] == [1.0, 0.0]


def drawn_choices(learners=400, seed=3):
    """Draw choices for six items with A right; the last has B as its key by mistake, so able learners choose A."""
    rng = np.random.default_rng(seed)
    answers = simulated(learners, np.full(6, 1.5), np.zeros(6), seed=seed)
    able = answers.correct.copy()
    option = np.where(able, 0, rng.integers(1, 4, len(able))).astype(np.int32)
    keys = np.array([0, 0, 0, 0, 0, 1])
    answers = from_matrix((option == keys[answers.item]).astype(int).reshape(learners, 6))
    choices = Choices(
        np.arange(len(option), dtype=np.int32),
        option,
        (("A", "B", "C", "D"),) * 6,
        tuple(frozenset("AB"[key]) for key in keys),
    )
    return answers, choices


def test_the_option_table_matches_a_plain_computation():
    answers, choices = drawn_choices()
    table = option_statistics(answers, choices)
    assert [(each.item, each.option) for each in table] == [(item, name) for item in range(6) for name in "ABCD"]
    right = answers.correct.reshape(-1, 6)
    picked = choices.option.reshape(-1, 6)
    for each in table:
        chosen = picked[:, each.item] == "ABCD".index(each.option)
        rest = right.sum(axis=1) - right[:, each.item]
        assert each.share == pytest.approx(chosen.mean())
        assert each.option_rest == pytest.approx(np.corrcoef(chosen, rest)[0, 1])
        assert each.is_key == (each.option == ("B" if each.item == 5 else "A"))


def test_a_wrong_key_is_found_and_no_other():
    flags = miskeyed(option_statistics(*drawn_choices()))
    assert {each.item for each in flags} == {5}
    assert max(flags, key=lambda each: each.option_rest).option == "A"


def test_the_key_has_the_same_correlation_as_its_item():
    answers, choices = drawn_choices()
    keys = [each.option_rest for each in option_statistics(answers, choices) if each.is_key]
    np.testing.assert_allclose(keys, item_statistics(answers).item_rest)


def test_a_rare_distractor_is_not_flagged_however_it_correlates():
    """A distractor chosen by one learner in 40 (2.5%), the best one, has the highest correlation."""
    matrix = np.zeros((40, 4), int)
    matrix[:, 1:] = np.arange(40)[:, None] > np.array([10, 20, 30])
    matrix[:20, 0] = 1
    answers = from_matrix(matrix)
    for best, flagged in ((1, []), (3, ["B"])):
        option = np.zeros(160, np.int32)
        option.reshape(40, 4)[20:, 0] = 2
        option.reshape(40, 4)[40 - best :, 0] = 1
        choices = Choices(
            np.arange(160, dtype=np.int32), option, (("A", "B", "C"), *[("A",)] * 3), (frozenset("A"),) * 4
        )
        found = [each.option for each in miskeyed(option_statistics(answers, choices)) if each.option == "B"]
        assert found == flagged


def test_options_never_chosen_are_listed_and_flag_nothing():
    answers, choices = drawn_choices()
    more = Choices(choices.answer, choices.option, (("A", "B", "C", "D", "E"),) * 6, choices.keys)
    table = [each for each in option_statistics(answers, more) if each.option == "E"]
    assert [each.share for each in table] == [0] * 6
    assert all(math.isnan(each.option_rest) for each in table)
    assert miskeyed(option_statistics(answers, more)) == miskeyed(option_statistics(answers, choices))


def test_of_several_keyed_options_the_weakest_is_compared():
    """A and B are both right. Able learners choose C with A in place of B."""
    matrix = np.array([[int(n % 2), int(n >= 20), int(n >= 24), int(n >= 16)] for n in range(40)])
    picks = [("A", "C") if n >= 20 else ("B", "D") for n in range(40)]
    names = ("A", "B", "C", "D")
    answer = [4 * n for n, pair in enumerate(picks) for _ in pair]
    option = [names.index(name) for pair in picks for name in pair]
    choices = Choices(
        np.array(answer, np.int32),
        np.array(option, np.int32),
        (names, *[("1",)] * 3),
        (frozenset("AB"), *[frozenset("1")] * 3),
    )
    answers = from_matrix(np.hstack([np.zeros((40, 1), int), matrix[:, 1:]]))
    assert [each.option for each in miskeyed(option_statistics(answers, choices))] == ["C"]
