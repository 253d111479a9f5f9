"""Works out how long the reserved pool lasts against a harvester who comes as guests, by the number of their networks.

The harvester is the best we could think of: it keeps each cookie for as long as that cookie still draws something new,
takes it from network to network, one mock after another, and spends not a second more than the rules demand.
``practice.exposure`` decides which questions a mock shows, ``questions.blueprint_shares`` its shares; the limits are
the defaults.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from courseiva.serving.rules.environment import GUEST_MOCKS_A_DAY, GUEST_POOL_PERCENT
from practice.sessions.ending.rules import MET_SECONDS, Sight, displayed
from questions.catalogue.rules.shares import allocate
from tests.bench.table import markdown

POOL, LENGTH = 124, 60
WEIGHTS = [(domain, Decimal(weight)) for domain, weight in enumerate((13, 16, 21, 20, 18, 13), start=1)]
REQUEST_SECONDS = 1  # one request a second, because more would be noticed at once
DAY_SECONDS, MONTH_DAYS, LAST_DAY = 86_400, 30, 720
SHARES = (0.5, 0.95)
NETWORKS = (1, 10, 100)
SEED = 20_261_123


@dataclass(frozen=True)
class Rules:
    """``a_day`` mocks of reserved questions for a network (None: any), from ``percent`` of the pool each month."""

    a_day: int | None = None
    percent: int = 100
    must_display: bool = False


BEFORE = Rules()
LIMITED = Rules(GUEST_MOCKS_A_DAY, 100, must_display=True)
NOW = Rules(GUEST_MOCKS_A_DAY, GUEST_POOL_PERCENT, must_display=True)
Question = tuple[int, int]


def pool() -> list[Question]:
    """Return the reserved questions as (domain, number), shared out over the domains as in the exam."""
    return [(domain, n) for domain, count in allocate(WEIGHTS, POOL).items() for n in range(count)]


def harvest(rules: Rules, networks: int, is_patient: bool, seed: int = SEED) -> dict[float, float]:
    """Return for each share of the pool the seconds until its solutions are known; a share never reached is missing."""
    rng, everything = random.Random(seed), pool()
    known: set[Question] = set()
    reached: dict[float, float] = {}
    for day in range(LAST_DAY):
        if day % MONTH_DAYS == 0:
            drawn, reach = set[Question](), month_of(rules, everything, rng)
        busy = 0.0
        for _ in mocks_of_a_day(rules, networks):
            asked = draw([question for question in reach if question not in drawn], rng)
            if not asked:
                break
            drawn |= set(asked)
            shown, seconds = mock(rules, asked, is_patient)
            known |= shown
            busy += seconds
            reached |= {
                share: day * DAY_SECONDS + busy
                for share in SHARES
                if share not in reached and len(known) >= share * len(everything)
            }
        if SHARES[-1] in reached or not (known or is_patient):
            break
    return reached


def mocks_of_a_day(rules: Rules, networks: int) -> Iterator[int]:
    """Yield once for each mock of reserved questions that all networks together may start in a day."""
    yield from range(POOL if rules.a_day is None else rules.a_day * networks)


def month_of(rules: Rules, everything: list[Question], rng: random.Random) -> list[Question]:
    """Return the part of each domain that is open to guests this month, rounded up."""
    found: list[Question] = []
    for domain, _ in WEIGHTS:
        among = [question for question in everything if question[0] == domain]
        found += rng.sample(among, -(-len(among) * rules.percent // 100))
    return found


def draw(unseen: list[Question], rng: random.Random) -> list[Question]:
    """Draw the reserved questions of the next mock; a domain that has run out of them uses public ones."""
    found: list[Question] = []
    for domain, count in allocate(WEIGHTS, LENGTH).items():
        among = [question for question in unseen if question[0] == domain]
        found += rng.sample(among, min(count, len(among)))
    return found


def mock(rules: Rules, asked: list[Question], is_patient: bool) -> tuple[set[Question], float]:
    """Return the reserved questions one mock shows, and the seconds it takes, including reading its results."""
    reading = float(REQUEST_SECONDS * (2 + len(asked)))
    if not rules.must_display:
        return set(asked), reading
    waits = MET_SECONDS if is_patient else 0
    sights = [Sight(n, waits, measured=True, answered=True) for n in range(len(asked))]
    length = float(waits * len(asked) + REQUEST_SECONDS)
    return {asked[n] for n in displayed(sights, length, length)}, reading + length


def words(seconds: float | None) -> str:
    """Return a duration in readable units."""
    if seconds is None:
        return "never"
    if seconds < 3600:
        return f"{max(seconds / 60, 0.1):.2g} min"
    days = int(seconds // DAY_SECONDS) + 1
    return f"day {days}"


def section() -> str:
    """Return a table with a row for each harvester: the time until half and 95% of the pool are known."""
    rules_of = {"before": BEFORE, "limit and display alone": LIMITED, "now": NOW}
    head = ["Networks, patience", *(f"{name}: {share * 100:g}%" for name in rules_of for share in SHARES)]
    lines = []
    for networks in NETWORKS:
        for is_patient in (False, True):
            name = f"{networks}, {f'displays each for {MET_SECONDS} s' if is_patient else 'displays nothing'}"
            found = [harvest(rules, networks, is_patient) for rules in rules_of.values()]
            lines.append([name, *(words(times.get(share)) for times in found for share in SHARES)])
    return markdown(head, lines)


if __name__ == "__main__":
    print(section())
