"""Check what one score predicts about the next."""

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from practice.sessions.scoring.rules import is_right, predictive_range


def test_a_question_scores_all_or_nothing():
    assert is_right(0b110, 0b110)
    assert not is_right(0b100, 0b110)
    assert not is_right(0b1110, 0b110)
    assert not is_right(0, 0b110)


@given(st.integers(0, 60), st.integers(1, 60))
def test_the_range_is_within_possible_scores_and_around_the_share(right, coming):
    low, high = predictive_range(right, 60, coming)
    assert 0 <= low <= high <= coming
    mean = coming * (right + 0.5) / 61
    assert low <= math.ceil(mean)
    assert high >= math.floor(mean)


def test_more_answers_narrow_the_range():
    widths = [high - low for low, high in (predictive_range(n * 7, n * 10, 60) for n in (1, 3, 10, 60))]
    assert widths == sorted(widths, reverse=True)
    assert len(set(widths)) == 4


def test_about_four_in_five_scores_drawn_from_the_model_are_in_the_range():
    rng = random.Random(3)
    low, high = predictive_range(43, 60, 60)
    draws = []
    for _ in range(4000):
        p = rng.betavariate(43.5, 17.5)
        draws.append(sum(rng.random() < p for _ in range(60)))
    share = sum(low <= draw <= high for draw in draws) / len(draws)
    assert 0.8 <= share <= 0.88


@pytest.mark.parametrize("counts", [(-1, 5, 5), (6, 5, 5), (1, 5, 0)])
def test_impossible_counts_are_refused(counts):
    with pytest.raises(ValueError, match="needs"):
        predictive_range(*counts)
