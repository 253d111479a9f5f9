"""A run with faults can be repeated: its seed is logged even if it passes, and the same seed gives the same run."""

from __future__ import annotations

import os
import random
import threading

import pytest

from tests.soak import test_analysis_faults, test_production_faults
from tests.soak.answering import Learner
from tests.soak.kill_plans import plan_kills, plan_over_work
from tests.support.subprocesses import run_python

SEED = 4711


def test_the_same_seed_draws_the_same_kills() -> None:
    for one, other, same in ((1, 1, True), (1, 2, False)):
        plans = [plan_kills(random.Random(seed), test_production_faults.KILLS) for seed in (one, other)]
        assert (plans[0] == plans[1]) is same
        assert len(plans[0]) >= 30
        over = [plan_over_work(random.Random(seed), test_analysis_faults.KILLS, 1000) for seed in (one, other)]
        assert (over[0] == over[1]) is same
        assert [at for _, at in over[0]] == sorted(at for _, at in over[0])


def test_the_same_seed_gives_the_same_answers() -> None:
    learners = [Learner(0, seed, threading.Event()) for seed in (1, 1, 2)]
    one, same, other = ([learner.batch() for _ in range(100)] for learner in learners)
    assert one == same
    assert one != other


@pytest.mark.soak
def test_a_seed_is_printed_and_accepted(rng: random.Random) -> None:
    given = os.environ.get("FAULT_SEED")
    assert given is None or rng.random() == random.Random(int(given)).random()


@pytest.mark.soak
def test_the_log_of_a_run_that_passes_has_the_seed() -> None:
    name = f"{__file__}::test_a_seed_is_printed_and_accepted"
    done = run_python("-m", "pytest", name, FAULT_SEED=str(SEED))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 passed" in done.stdout
    assert f"FAULT_SEED={SEED}" in done.stdout
