"""Simulates the check that stops when it knows: how many answers it takes, and how often its verdict is right.

Simulated learners as in ``learners.py`` take one check each by the site's own rules (practice/readiness/check/rules.py,
belief.py, pass_chance.py). A verdict is right if it puts the learner on the same side of an even chance as their true
chance to pass, which is the chance at their true abilities. ``fixed`` is how often it would be right after a fixed 40
and a fixed 60 answers to questions drawn at random.

*Labels alone*: the site knows only the questions' labels, which are all the same here. *Cold start*: it begins like
that, and learns about its questions from each check, as in the case of that name in ``readiness.py``. *Measured*: the
parameters are estimated from the answers of 1,000 others, about MEASURED_ANSWERS a question; the first row draws at
random, the second picks the most informative of CANDIDATES that the check may show. *Known*: the same with the true
parameters, as endless answers would measure them; then with banks of twice as many questions, and with banks whose
slopes differ more (log-normal (0, STEEP)). The last row is a cold start with learners of whom more pass (ABLE). For the
most that questions drawn at random could achieve, see ``ceiling.py``.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from decimal import Decimal
from functools import partial
from multiprocessing import get_context

import numpy as np

from practice.measurement.ability.rules.belief import (
    LABEL_DEVIATION,
    GivenAnswer,
    ItemBelief,
    LearnerState,
    Population,
    newcomer,
    update,
)
from practice.measurement.ability.rules.pass_chance import Mock, fresh_curve, pass_chance
from practice.readiness.check.rules import CANDIDATES, EXPOSED, MOST, is_known, most_telling, next_domain
from tests.bench.learners import (
    DOMAINS,
    GUESS,
    IN_DOMAIN,
    MEAN,
    NEEDED,
    QUESTIONS,
    SPREAD,
    WEIGHTS,
    Bank,
    make_abilities,
    make_bank,
    make_course,
    shares,
    true_chances,
)
from tests.bench.readiness import calibrated
from tests.bench.table import markdown

LONGER = 60
SITES = 20
"""Banks over which learners are spread if questions are measured, so that no single bank's luck decides."""
ABLE = 0.95
"""The mean ability of learners of whom two in three pass."""
STEEP = 0.5
"""The deviation of the slopes' logarithms in a bank whose questions differ more."""
TAUGHT = 50
"""The curves of a cold start are recomputed after this many learners."""
LIMITS = {
    "cold start": (33.0, 0.83),
    "measured, most telling first": (27.0, 0.855),
    "known, most telling first": (25.0, 0.87),
    "known, of twice as many": (25.0, 0.88),
    "known, slopes that differ more": (25.0, 0.89),
    "cold start, two in three pass": (33.0, 0.855),
}
"""The most answers and the smallest share of right verdicts: two standard errors below what several seeds gave."""
SHARES = [(domain, Decimal(weight)) for domain, weight in enumerate(WEIGHTS)]


@dataclass
class Site:
    """A bank, what the site believes of it, and which of its questions each check has shown."""

    bank: Bank
    beliefs: list[list[ItemBelief]]
    population: Population
    telling: bool = False
    mock: Mock = field(init=False)
    shown: Counter[tuple[int, int]] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.draw()

    def draw(self) -> None:
        """Return the mock as believed today."""
        curves = {domain: fresh_curve(each) for domain, each in enumerate(self.beliefs)}
        self.mock = Mock(shares(QUESTIONS), NEEDED, curves)


@dataclass(frozen=True)
class Done:
    """A finished check: answers, verdict, chance after 40 and 60 answers at random (nan if not asked), the truth."""

    answers: int
    chance: float
    after_most: float
    after_longer: float
    truth: float

    def right(self, chance: float) -> bool:
        """Return whether a verdict by this chance is right."""
        return (chance >= 0.5) == (self.truth >= 0.5)


class Check:
    """One learner's check."""

    def __init__(self, rng: np.random.Generator, site: Site, abilities: np.ndarray) -> None:
        self.rng, self.site, self.abilities = rng, site, abilities
        self.left = [rng.permutation(len(among)).tolist() for among in site.beliefs]
        if site.telling:
            self.left = [[item for item in among if rng.random() < EXPOSED] for among in self.left]
        self.given: dict[int, int] = {}
        self.state: LearnerState = newcomer(site.population)
        self.history: list[GivenAnswer] = []

    def ask(self) -> float:
        """Ask and answer the next question; return the chance to pass that follows."""
        domain = next_domain(SHARES, self.given, range(DOMAINS))
        assert domain is not None
        beliefs, among = self.site.beliefs[domain], self.left[domain]
        place = 0
        if self.site.telling:
            self.rng.shuffle(among)
            drawn = [beliefs[item] for item in among[:CANDIDATES]]
            place = most_telling(self.state, domain, drawn, self.site.population)
        item = among.pop(place)
        self.given[domain] = self.given.get(domain, 0) + 1
        right = self.rng.random() < self.site.bank.chances(domain, item, self.abilities[domain])
        answer = GivenAnswer(0.0, domain, (domain, item), beliefs[item], bool(right))
        self.history.append(answer)
        self.site.shown[domain, item] += 1
        self.state = update(self.state, answer, self.site.population).state
        return pass_chance(self.state, self.site.mock, self.site.population)


def checked(rng: np.random.Generator, site: Site, abilities: np.ndarray, longer: bool = True) -> tuple[Done, Check]:
    """Run a check to its end; with ``longer`` it goes on until a fixed number of answers gives a verdict."""
    check = Check(rng, site, abilities)
    chances: list[float] = []
    domains, stop = range(DOMAINS), 0
    while not stop or (longer and len(chances) < LONGER):
        chances.append(check.ask())
        if not stop and (is_known(check.given, domains, chances[-1]) or len(chances) == MOST):
            stop = len(chances)
    truth = float(true_chances(site.bank, abilities[None, :])[0])
    after = (chances[MOST - 1], chances[LONGER - 1]) if longer else (np.nan, np.nan)
    # Answers after the end belong to no check: the site never sees them.
    del check.history[stop:]
    return Done(stop, chances[stop - 1], *after, truth), check


def of_labels(rng: np.random.Generator, learners: int, teach: bool, mean: float = MEAN) -> list[Done]:
    """Run one site that begins with labels; ``mean`` is the mean of its learners' abilities."""
    start = ItemBelief(0.0, LABEL_DEVIATION**2, 1.0, GUESS)
    site = Site(make_bank(rng), [[start] * IN_DOMAIN for _ in range(DOMAINS)], Population(mean=mean))
    found = []
    for number, abilities in enumerate(make_abilities(rng, learners, mean), start=1):
        done, check = checked(rng, site, abilities)
        found.append(done)
        if teach:
            learn(site, check.history)
            if number % TAUGHT == 0:
                site.draw()
    return found


def learn(site: Site, history: Sequence[GivenAnswer]) -> None:
    """Update the site's beliefs about a check's questions, answer by answer."""
    state = newcomer(site.population)
    for answer in history:
        domain, item = answer.domain, answer.item[1]  # type: ignore[index]
        done = update(state, answer, site.population)
        state, site.beliefs[domain][item] = done.state, done.belief


def measured_sites(
    rng: np.random.Generator,
    learners: int,
    telling: bool,
    known: bool = False,
    spread: float = SPREAD,
    size: int = IN_DOMAIN,
) -> tuple[list[Done], float]:
    """Run checks on sites with calibrated questions; also return the largest share of checks that showed one question.

    ``known``: the site knows the true parameters. ``spread`` and ``size`` are passed to ``make_bank``.
    """
    found, most = [], 0.0
    for _ in range(SITES):
        bank = make_bank(rng, spread, size)
        if known:
            site = Site(bank, bank.all_beliefs, Population(mean=MEAN), telling)
        else:
            # Calibration scales abilities to N(0, 1) over everybody who answered; these learners are drawn from the
            # same people.
            site = Site(bank, calibrated(make_course(rng, bank, 1000)), Population(), telling)
        checks = [checked(rng, site, each, not telling)[0] for each in make_abilities(rng, learners // SITES)]
        found += checks
        most = max(most, max(site.shown.values()) / len(checks))
    return found, most


@dataclass(frozen=True)
class Row:
    """A line of the table; ``fixed`` are shares of right verdicts after 40 and 60 answers at random."""

    name: str
    checks: int
    answers: float
    right: float
    stopped: float
    fixed: tuple[float, float]

    def broken(self) -> list[str]:
        """Return the limits that are exceeded."""
        most, least = LIMITS.get(self.name, (np.inf, 0.0))
        return [
            f"{self.name}, {what}"
            for what, bad in (("answers", self.answers > most), ("right", self.right < least))
            if bad
        ]


def judged(name: str, found: Sequence[Done]) -> Row:
    fixed = [
        float(np.mean([d.right(getattr(d, which)) for d in found])) if not np.isnan(found[0].after_most) else np.nan
        for which in ("after_most", "after_longer")
    ]
    return Row(
        name=name,
        checks=len(found),
        answers=float(np.mean([d.answers for d in found])),
        right=float(np.mean([d.right(d.chance) for d in found])),
        stopped=float(np.mean([d.answers < MOST for d in found])),
        fixed=(fixed[0], fixed[1]),
    )


def labels_alone(rng: np.random.Generator, learners: int) -> Row:
    return judged("labels alone", of_labels(rng, learners, teach=False))


def cold_start(rng: np.random.Generator, learners: int) -> Row:
    return judged("cold start", of_labels(rng, learners, teach=True))


def at_random(rng: np.random.Generator, learners: int) -> Row:
    return judged("measured, at random", measured_sites(rng, learners, telling=False)[0])


def most_telling_first(rng: np.random.Generator, learners: int) -> Row:
    return judged("measured, most telling first", measured_sites(rng, learners, telling=True)[0])


def known(rng: np.random.Generator, learners: int) -> Row:
    return judged("known, most telling first", measured_sites(rng, learners, telling=True, known=True)[0])


def cold_start_of_able(rng: np.random.Generator, learners: int) -> Row:
    return judged("cold start, two in three pass", of_labels(rng, learners, teach=True, mean=ABLE))


def known_of_many(rng: np.random.Generator, learners: int) -> Row:
    """Measure a bank whose best questions aren't used up as quickly."""
    found, _ = measured_sites(rng, learners, telling=True, known=True, size=2 * IN_DOMAIN)
    return judged("known, of twice as many", found)


def known_of_steep(rng: np.random.Generator, learners: int) -> Row:
    """Measure a bank whose slopes differ more, so that there is more to choose from."""
    found, _ = measured_sites(rng, learners, telling=True, known=True, spread=STEEP)
    return judged("known, slopes that differ more", found)


ROWS: tuple[Callable[[np.random.Generator, int], Row], ...] = (
    labels_alone, cold_start, at_random, most_telling_first, known, known_of_many, known_of_steep, cold_start_of_able,
)  # fmt: skip
HEAD = ("Check", "learners", "answers, mean", "right", "stopped early", "right after 40 fixed", "right after 60 fixed")


def measured(row: int, learners: int, seed: int = 11) -> Row:
    """Measure one row, with random numbers from a seed."""
    return ROWS[row](np.random.default_rng(seed), learners)


def table(rows: Sequence[Row]) -> str:
    """Return the rows as a Markdown table."""
    lines = [
        (
            row.name, f"{row.checks:,}", f"{row.answers:.1f}", f"{row.right:.3f}", f"{row.stopped:.2f}",
            *("" if np.isnan(each) else f"{each:.3f}" for each in row.fixed),
        )
        for row in rows
    ]  # fmt: skip
    return markdown(HEAD, lines)


def section(learners: int = 2000, seed: int = 11) -> str:
    """Return all rows as a Markdown table, followed by the limits that are exceeded."""
    with ProcessPoolExecutor(2, get_context("spawn")) as pool:
        rows = list(pool.map(partial(measured, learners=learners, seed=seed), range(len(ROWS))))
    broken = [each for row in rows for each in row.broken()]
    return "\n".join([table(rows), f"\nOver a limit: {'; '.join(broken) or 'nothing'}."])


if __name__ == "__main__":
    print(section(seed=int(sys.argv[1]) if sys.argv[1:] else 11))
