"""A mock has exactly the shares of its blueprint, whatever the weights sum to."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from practice.start.rules import largest_fair_count, shortfall
from questions.catalogue.rules.shares import allocate
from tests.support.bank import WEIGHTS_2026, WEIGHTS_V31


def weighted(weights):
    return [(i, Decimal(w)) for i, w in enumerate(weights, start=1)]


@pytest.mark.parametrize(
    ("weights", "count", "expected"),
    [
        (WEIGHTS_V31, 60, [8, 8, 11, 12, 13, 8]),
        (WEIGHTS_V31, 55, [7, 8, 10, 11, 12, 7]),
        (WEIGHTS_V31, 50, [7, 7, 9, 10, 11, 6]),
        (WEIGHTS_2026, 60, [8, 9, 12, 12, 11, 8]),
        (WEIGHTS_2026, 55, [7, 9, 11, 11, 10, 7]),
        (WEIGHTS_2026, 50, [7, 8, 10, 10, 9, 6]),
    ],
)
def test_a_mock_has_the_shares_of_either_exam_guide(weights, count, expected):
    assert list(allocate(weighted(weights), count).values()) == expected


def test_equal_remainders_go_to_the_larger_weight_then_to_the_earlier_domain():
    assert allocate([(1, Decimal(1)), (2, Decimal(3))], 2) == {1: 0, 2: 2}
    assert allocate([(1, Decimal(1)), (2, Decimal(1)), (3, Decimal(1))], 2) == {1: 1, 2: 1, 3: 0}


@given(st.lists(st.decimals("0.001", 100, places=3), min_size=1, max_size=9), st.integers(0, 200))
def test_shares_sum_to_the_count_and_differ_from_the_quota_by_less_than_one(weights, count):
    shares = allocate(weighted(weights), count)
    total = sum(weights)
    assert sum(shares.values()) == count
    for (domain, weight), share in zip(weighted(weights), shares.values(), strict=True):
        assert abs(share - weight * count / total) < 1, domain


@pytest.mark.parametrize("weights", [[], [0, 0]])
def test_without_weights_no_questions_are_allocated(weights):
    with pytest.raises(ValueError, match="positive weight"):
        allocate(weighted(weights), 10)


def test_the_longest_session_a_small_bank_can_fill_has_exact_shares():
    weights = weighted(WEIGHTS_2026)
    have = {1: 8, 2: 9, 3: 6, 4: 12, 5: 11, 6: 8}
    assert shortfall(allocate(weights, 60), have) == {3: 6}
    longest = largest_fair_count(weights, 60, have)
    assert not shortfall(allocate(weights, longest), have)
    assert shortfall(allocate(weights, longest + 1), have)
    assert largest_fair_count(weights, 60, {}) == 0
