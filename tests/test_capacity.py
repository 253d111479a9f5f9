"""The simulated day in docs/operating.md adds up, and what it needs follows from the costs."""

from __future__ import annotations

import numpy as np
import pytest

from tests.bench import capacity
from tests.bench.capacity import Cost, arrivals, needs, parts, spread

NAMES = {name for steps in (capacity.MOCK, capacity.DRILL, capacity.READ) for name, *_ in steps}
FREE = dict.fromkeys(NAMES, Cost(0, 0, 0))


def test_arrivals_add_up_and_peak_in_the_evening() -> None:
    came = arrivals(np.random.default_rng(1), 50_000)
    assert (came.shape, came.sum()) == ((1440,), 50_000)
    assert came.reshape(24, 60).sum(axis=1).argmax() in (19, 20)


def test_an_action_is_spread_over_its_minutes_even_past_midnight() -> None:
    came = np.zeros(1440)
    came[1439] = 6
    assert {minute: times for minute, times in enumerate(spread(came, 0, 2)) if times} == {1439: 2, 0: 2, 1: 2}


def test_one_learner_in_five_takes_a_mock() -> None:
    assert parts(1000) == (200, 800, 3000)


@pytest.mark.parametrize(("part", "other"), [("web", "database"), ("database", "worker"), ("worker", "web")])
def test_a_parts_load_needs_cores_for_that_part_alone(part: str, other: str) -> None:
    busy = FREE | {capacity.SAVE: Cost(**(dict.fromkeys(("web", "database", "worker"), 0.0) | {part: 8.0}))}
    found = needs(100_000, busy)
    assert getattr(found, other) == 0
    saves = 20_000 * 75
    evenly = saves * 8 / 1000 / 86_400 / capacity.USE
    assert 1.5 * evenly < getattr(found, part) < 4 * evenly, "the busiest minute of an uneven day"


def test_ten_times_the_learners_need_ten_times_as_much() -> None:
    costs = dict.fromkeys(NAMES, Cost(10, 2, 1))
    small, large = needs(10_000, costs), needs(100_000, costs)
    for part in ("requests", "answers", "running", "web", "database", "worker", "stored"):
        assert getattr(large, part) == pytest.approx(10 * getattr(small, part), rel=0.1)


def test_an_action_without_a_cost_is_an_error() -> None:
    with pytest.raises(KeyError):
        needs(100, {name: Cost(1, 1, 1) for name in NAMES - {capacity.SAVE}})
