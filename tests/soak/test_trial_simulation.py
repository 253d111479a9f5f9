"""On simulated people, the trial's analysis is seldom wrong and finds a real effect."""

import pytest

from tests.support.trial import claims

RUNS, SEED = 3000, 20261127


@pytest.mark.soak
def test_false_alarms_are_four_to_six_in_a_hundred():
    alarms, mean = claims(RUNS, SEED)
    assert 0.04 <= alarms <= 0.06
    assert abs(mean) < 0.001


@pytest.mark.soak
def test_an_effect_of_five_points_is_detected_nine_times_in_ten():
    power, mean = claims(RUNS, SEED + 1, effect=0.05)
    assert power >= 0.9
    assert abs(mean - 0.05) < 0.001
