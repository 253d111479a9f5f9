"""Simulates a day of very many learners minute by minute, and works out the processors it needs at measured costs.

Arrivals follow the hours of a day that is busiest in the evening. One learner in five takes a mock of 60 questions, the
others a drill of 20; for every learner, three visitors only read public pages. Each action falls in the minute in which
a learner working at an ordinary pace would do it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tests.bench.table import markdown

LEARNERS = (10_000, 100_000, 1_000_000)
SEED = 20261129
BY_HOUR = (2, 1, 1, 1, 1, 2, 4, 6, 8, 9, 9, 8, 8, 8, 8, 8, 9, 11, 14, 17, 18, 15, 9, 5)
"""Arrivals of the day's hours, in proportion; the busiest hour has a tenth of the day."""
MOCKS = 0.2
SIGNS_IN = 0.1
"""The share of learners who have to sign in: a login lasts for weeks."""
READERS, PAGES_READ, MADE_ANEW = 3, 4, 0.05
"""Visitors for each learner, the public pages that each reads, and the share of these that isn't in the cache."""
USE = 0.6
"""The share of a core planned for the busiest minute, leaving room for peak seconds and a lost host."""
BYTES_A_MOCK, DRILL_SHARE = 10_500, 1 / 3
"""Bytes a mock leaves on PostgreSQL with indexes (tests/soak/test_storage.py), and a drill's share of that."""
HEAD = [
    "Learners a day", "requests/s", "saves and answers/s", "sessions at once",
    "web cores", "database cores", "worker cores", "GB a day",
]  # fmt: skip

SIGNING, HOME, HUB = "signing in, with both pages", "home", "practise"
PUBLIC, ANEW = "a public page from the cache", "a public page, uncached"
START, START_DRILL = "start of a mock of 60", "start of a drill of 20"
PLAYER, CLAIM = "page of a running mock", "claim of a mock, once its page is open"
SAVE, CHECK = "a save of one answer", "a drill's answer, with its verdict"
SUBMIT, RESULTS = "submission of a mock, with its analysis", "results"
LOOK, PROGRESS = "a question of them", "progress"

Steps = Sequence[tuple[str, float, int, int]]
"""An action, how often it happens, and the minutes after arrival between which it happens."""
CAME: Steps = ((SIGNING, SIGNS_IN, 0, 0), (HOME, 1, 0, 0), (HUB, 1, 0, 1))
MOCK: Steps = (
    *CAME, (START, 1, 1, 1), (PLAYER, 2, 1, 60), (CLAIM, 2, 1, 60), (SAVE, 75, 1, 100),
    (SUBMIT, 1, 101, 105), (RESULTS, 1, 101, 105), (LOOK, 15, 102, 125), (PROGRESS, 1, 110, 125),
)  # fmt: skip
DRILL: Steps = (
    *CAME, (START_DRILL, 1, 1, 1), (PLAYER, 1, 1, 1), (CLAIM, 1, 1, 1), (CHECK, 20, 1, 30),
    (SUBMIT, 1 / 3, 30, 32), (RESULTS, 1, 30, 32), (LOOK, 3, 31, 36), (PROGRESS, 0.5, 33, 38),
)  # fmt: skip
READ: Steps = ((PUBLIC, PAGES_READ * (1 - MADE_ANEW), 0, 10), (ANEW, PAGES_READ * MADE_ANEW, 0, 10))


@dataclass(frozen=True)
class Cost:
    """The processor time of one action, in milliseconds."""

    web: float
    database: float
    worker: float


@dataclass(frozen=True)
class Needs:
    """The busiest minute: requests a second, sessions in progress, and cores at the planned share."""

    requests: float
    answers: float
    running: float
    web: float
    database: float
    worker: float
    stored: float
    """GB stored in the whole day."""


def needs(learners: int, costs: Mapping[str, Cost], seed: int = SEED) -> Needs:
    """Return what a day of this many learners needs, each part in its own busiest minute."""
    rng = np.random.default_rng(seed)
    mocks, drills, readers = (arrivals(rng, count) for count in parts(learners))
    actions: dict[str, np.ndarray] = {}
    for came, steps in ((mocks, MOCK), (drills, DRILL), (readers, READ)):
        for name, times, first, last in steps:
            actions[name] = actions.get(name, 0.0) + times * spread(came, first, last)
    seconds = {
        part: sum(count * getattr(costs[name], part) / 1000 for name, count in actions.items())
        for part in ("web", "database", "worker")
    }
    running = 100 * spread(mocks, 1, 100) + 30 * spread(drills, 1, 30)
    stored = BYTES_A_MOCK * (mocks.sum() + DRILL_SHARE * drills.sum()) / 1e9
    return Needs(
        sum(actions.values()).max() / 60, sum(actions[name] for name in (SAVE, CHECK)).max() / 60, running.max(),
        *(each.max() / 60 / USE for each in seconds.values()), stored,
    )  # fmt: skip


def parts(learners: int) -> tuple[int, int, int]:
    """Return how many take a mock, how many take a drill, and how many only read."""
    mocks = round(MOCKS * learners)
    return mocks, learners - mocks, READERS * learners


def arrivals(rng: np.random.Generator, count: int) -> np.ndarray:
    """Spread this many arrivals over the minutes of a day; shape (1440,)."""
    weights = np.repeat(np.array(BY_HOUR, dtype=float), 60)
    return rng.multinomial(count, weights / weights.sum()).astype(float)


def spread(came: np.ndarray, first: int, last: int) -> np.ndarray:
    """Spread one action by everybody evenly between these minutes after arrival, wrapping past midnight."""
    return np.mean([np.roll(came, minute) for minute in range(first, last + 1)], axis=0)


def day_table(costs: Mapping[str, Cost]) -> str:
    """Return a table with a line for each number of learners."""
    lines = []
    for learners in LEARNERS:
        found = needs(learners, costs)
        whole = (found.requests, found.answers, found.running)
        cores = (found.web, found.database, found.worker, found.stored)
        lines.append([f"{learners:,}", *(f"{each:,.0f}" for each in whole), *(f"{each:.1f}" for each in cores)])
    return markdown(HEAD, lines)
