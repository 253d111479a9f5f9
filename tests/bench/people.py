"""Simulates how people really take exams, and whether the forecasts they get come true, with pure functions only.

A learner practises, then takes full mocks in timed sessions. Before each mock, once there are 60 first answers, the
site's forecast is made as in practice/readiness: blanks.py interprets the answers and blanks of each mock, belief.py
follows them, pace.py says how far the learner gets, and pass_chance.py what is drawn for this learner and the chance to
pass it. Then that mock is drawn and taken. *Bias* is the mean chance minus the share that passed, with its 95% interval
over learners; *in range* is the share of scores within the 80% range.

There are six domains whose abilities are N(0.55, 1) with correlation 0.7; each has 60 public and 45 reserved units with
slopes log-normal (0, 0.3), difficulties N(0, 1) and guess rate 0.25. The site knows the questions, except in the two
rows of first users: there it has labels, then a calibration from the first learners' answers, and the row is about
those who come after them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from multiprocessing import get_context

import numpy as np

from practice.measurement.ability.rules.belief import (
    LABEL_DEVIATION,
    GivenAnswer,
    ItemBelief,
    Population,
    at,
    label_belief,
    newcomer,
    update,
)
from practice.measurement.ability.rules.blanks import Blanks, Clock, Place, blanks
from practice.measurement.ability.rules.growth import with_growth
from practice.measurement.ability.rules.pace import PastMock, reach
from practice.measurement.ability.rules.pass_chance import (
    Domain,
    Mock,
    abilities,
    central_range,
    item_curve,
    passing,
    score_distribution,
)
from practice.measurement.calibration.rules.anchors import link, newcomers
from practice.measurement.calibration.rules.clusters import bootstrap
from practice.measurement.calibration.rules.fit import Prior, calibrate
from practice.measurement.calibration.rules.triplets import Answers
from tests.bench.learners import CORRELATION, DOMAINS, GUESS, MEAN, NEEDED, QUESTIONS, shares
from tests.bench.table import markdown

PUBLIC, RESERVED = 60, 45
UNITS = PUBLIC + RESERVED
SECONDS = 120
"""The exam's time for a question."""
FROM = 60
"""The number of first answers from which a forecast is judged."""
WORLDS = 20
"""Sites over which the rows of first users are spread, so that no single site's luck decides."""
CENTRE = -0.5
"""The difficulty the site expects of a question labelled medium, as in practice/measurement/calibration/reads.py."""
BIAS, BIAS_INTERVAL, COVERED = 0.04, 0.06, (0.75, 0.85)


@dataclass(frozen=True)
class Kind:
    """How somebody works. Paces are seconds a question as a share of the exam's; ``pace_spread`` varies by mock.

    ``skips`` is the chance of leaving a question blank that would be missed, ``quits`` that of leaving a mock halfway;
    ``growth`` is the mean and deviation of what 240 answers add; ``away`` is the days of absence before the second
    mock: nothing is forgotten in them, and 60 more answers follow.
    """

    name: str
    pace: float = 0.8
    pace_spread: float = 0.0
    skips: float = 0.0
    quits: float = 0.0
    harder: float = 0.0
    growth: tuple[float, float] = (0.0, 0.0)
    away: float = 0.0
    practice: int = 60
    mocks: int = 3


KINDS = (
    Kind("steady"),
    Kind("slow, 35 of 60", pace=60 / 35, pace_spread=0.08, practice=0, mocks=4),
    Kind("slow, 50 of 60", pace=60 / 50, pace_spread=0.08, practice=0, mocks=4),
    Kind("skipping 30% of misses", skips=0.3),
    Kind("quitting 3 mocks in 10", quits=0.3, mocks=4),
    Kind("reserved 0.5 harder", harder=0.5),
    Kind("growing by N(0.5, 0.5)", growth=(0.5, 0.5)),
    Kind("returning after 180 days", away=180.0),
)


@dataclass(frozen=True)
class World:
    """The bank, true and as believed: slopes and difficulties (6, 105), the reserved units last; the population."""

    slopes: np.ndarray
    difficulties: np.ndarray
    beliefs: list[list[ItemBelief]]
    domains: dict[int, Domain]
    population: Population


def make_world(rng: np.random.Generator, harder: float = 0.0) -> World:
    """Make a world in which every question is known."""
    shape = (DOMAINS, UNITS)
    slopes, difficulties = rng.lognormal(0.0, 0.3, shape), rng.normal(0.0, 1.0, shape)
    difficulties[:, PUBLIC:] += harder
    beliefs = [
        [ItemBelief(b, 0.0, a, GUESS) for a, b in zip(*rows, strict=True)]
        for rows in zip(slopes.tolist(), difficulties.tolist(), strict=True)
    ]
    return believed(World(slopes, difficulties, beliefs, {}, Population(mean=MEAN)), beliefs)


def believed(world: World, beliefs: list[list[ItemBelief]]) -> World:
    """Return the same world, in which the site believes this about its questions."""
    reserved = np.arange(UNITS) >= PUBLIC
    domains = {
        number: Domain(
            [number * UNITS + n for n in range(UNITS)], reserved, np.array([item_curve(each) for each in among])
        )
        for number, among in enumerate(beliefs)
    }
    return replace(world, beliefs=beliefs, domains=domains)


@dataclass(frozen=True)
class Test:
    """A forecast and the mock that followed: first answers, chance, range, score."""

    answers: int
    chance: float
    low: int
    high: int
    score: int


class Person:
    """One learner: the truth, and what the site knows."""

    def __init__(self, rng: np.random.Generator, world: World, kind: Kind, shift: float = 0.0) -> None:
        general = rng.normal(0.0, np.sqrt(CORRELATION))
        self.able = MEAN + shift + general + rng.normal(0.0, np.sqrt(1 - CORRELATION), DOMAINS)
        self.growth = rng.normal(*kind.growth) / 240
        self.pace = kind.pace * np.exp(rng.normal(0, kind.pace_spread))
        self.rng, self.world, self.kind = rng, world, kind
        self.public = [rng.permutation(PUBLIC).tolist() for _ in range(DOMAINS)]
        self.reserved = [(PUBLIC + rng.permutation(RESERVED)).tolist() for _ in range(DOMAINS)]
        self.state, self.days = newcomer(world.population), 0.0
        self.met: set[int] = set()
        self.mocks: list[PastMock] = []
        self.history: list[GivenAnswer] = []

    def draw(self, wanted: dict[int, int], mock: bool) -> list[tuple[int, int]]:
        """Draw questions as (domain, number) in random order; a mock takes unseen reserved ones first."""
        drawn = []
        for domain, count in wanted.items():
            for _ in range(count):
                among = self.reserved[domain] if mock and self.reserved[domain] else self.public[domain]
                drawn.append((domain, among.pop()))
        return [drawn[place] for place in self.rng.permutation(len(drawn))]

    def is_right(self, domain: int, number: int) -> bool:
        gap = self.able[domain] - self.world.difficulties[domain, number]
        chance = GUESS + (1 - GUESS) / (1 + np.exp(-self.world.slopes[domain, number] * gap))
        return bool(self.rng.random() < chance)

    def learn(self, domain: int, number: int, right: bool) -> None:
        """Tell the site about an answer, or about a miss without one; meeting the question improves the learner."""
        answer = GivenAnswer(self.days, domain, number, self.world.beliefs[domain][number], right)
        self.history.append(answer)
        self.state = update(self.state, answer, self.world.population).state
        self.able = self.able + self.growth

    def drill(self, count: int) -> None:
        """Take a drill of public questions; learners who skip a question ask for its solution."""
        for domain, number in self.draw(shares(count), mock=False):
            self.learn(domain, number, self.is_right(domain, number))
            self.met.add(domain * UNITS + number)

    def forecast(self) -> tuple[float, int, int]:
        """Return what the site says about the next mock."""
        population = self.world.population
        counts = shares(QUESTIONS)
        curves = {domain: self.world.domains[domain].drawn(n, self.met) for domain, n in counts.items()}
        mock = Mock(counts, NEEDED, curves, reach(self.mocks, QUESTIONS, 1.0))
        state = at(self.state, self.days, population)
        scores = score_distribution(abilities(state, range(DOMAINS), population), mock)
        return passing(scores, NEEDED), *central_range(scores)

    def sit(self) -> tuple[Blanks, int]:
        """Take a mock; returns what its blanks said, and the score."""
        drawn = self.draw(shares(QUESTIONS), mock=True)
        stop = int(self.rng.integers(5, 41)) if self.rng.random() < self.kind.quits else QUESTIONS
        pace = self.pace * np.exp(self.rng.normal(0, self.kind.pace_spread))
        reached = min(stop, int(1 / pace * QUESTIONS))
        rights = [self.is_right(*each) for each in drawn]
        kept = [n < reached and (rights[n] or self.rng.random() >= self.kind.skips) for n in range(QUESTIONS)]
        looked = [SECONDS * pace if n < reached else 0 for n in range(QUESTIONS)]
        places = [Place(n + 1, kept[n], round(looked[n])) for n in range(QUESTIONS)]
        last = max((n for n in range(QUESTIONS) if kept[n]), default=0)
        ran_out = stop < QUESTIONS or reached < QUESTIONS
        clock = Clock(sum(looked[: last + 1]), SECONDS * QUESTIONS, ran_out)
        found = blanks(places, clock)
        for n, (domain, number) in enumerate(drawn):
            if kept[n] or n + 1 in found.omitted:
                self.learn(domain, number, kept[n] and rights[n])
            self.met.add(domain * UNITS + number)
        if not found.abandoned:
            self.mocks.append(PastMock(found.reached / found.total, 1.0))
        return found, sum(right and answered for right, answered in zip(rights, kept, strict=True))

    def course(self) -> list[Test]:
        """Take all the mocks and return the tests; an abandoned mock tests nothing."""
        tests = []
        if self.kind.practice:
            self.drill(self.kind.practice)
        for nth in range(self.kind.mocks):
            if nth == 1 and self.kind.away:
                self.days += self.kind.away
                self.drill(60)
            # A pace is known once a mock has been taken.
            said = self.forecast() if self.state.answers >= FROM or (self.kind.pace > 1 and nth > 1) else None
            answers = self.state.answers
            found, score = self.sit()
            if said and not found.abandoned:
                tests.append(Test(answers, *said, score))
        return tests


@dataclass(frozen=True)
class Row:
    """A line of the table."""

    name: str
    tests: int
    chance: float
    passed: float
    low: float
    high: float
    covered: float

    @property
    def bias(self) -> float:
        return self.chance - self.passed

    def broken(self) -> list[str]:
        """Return the bounds that are exceeded."""
        found = []
        if abs(self.bias) > BIAS or max(abs(self.low), abs(self.high)) > BIAS_INTERVAL:
            found.append(f"{self.name}, bias")
        if not COVERED[0] <= self.covered <= COVERED[1]:
            found.append(f"{self.name}, in range")
        return found


def judged(name: str, courses: Sequence[Sequence[Test]]) -> Row:
    """Compare the forecasts of all learners with the scores that followed."""
    who = np.array([learner for learner, course in enumerate(courses) for _ in course])
    tests = [test for course in courses for test in course]
    chance, passed = np.array([t.chance for t in tests]), np.array([t.score >= NEEDED for t in tests], dtype=float)
    covered = float(np.mean([t.low <= t.score <= t.high for t in tests]))
    ends = bootstrap(chance - passed, who)
    return Row(name, len(tests), float(chance.mean()), float(passed.mean()), *ends, covered)


def lived(rng: np.random.Generator, learners: int, kind: Kind) -> Row:
    """Simulate learners of one kind, forecast one by one; growth is estimated from 300 others."""
    world = make_world(rng, kind.harder)
    if any(kind.growth):
        others = [Person(rng, world, kind) for _ in range(min(300, learners))]
        for other in others:
            other.course()
        world = replace(world, population=with_growth([other.history for other in others], world.population))
    return judged(kind.name, [Person(rng, world, kind).course() for _ in range(learners)])


def first_users(
    rng: np.random.Generator, learners: int, name: str, firsts: int, shift: float, worlds: int = WORLDS
) -> Row:
    """Simulate newcomers to this many sites whose first users were this much stronger."""
    courses = []
    for _ in range(worlds):
        world = make_world(rng)
        labels = [[label_belief("medium", 4, centre=CENTRE)] * UNITS for _ in range(DOMAINS)]
        start = believed(replace(world, population=Population()), labels)
        came = [Person(rng, start, KINDS[0], shift) for _ in range(firsts)]
        for person in came:
            person.course()
        known = calibrated(start, came)
        courses += [Person(rng, known, KINDS[0]).course() for _ in range(learners // worlds)]
    return judged(name, courses)


def calibrated(world: World, came: Sequence[Person]) -> World:
    """Estimate from their answers what the nightly run would, by the same functions."""
    given = [(who, g.domain * UNITS + int(str(g.item)), g.right) for who, p in enumerate(came) for g in p.history]
    who, what, right = (np.array(column) for column in zip(*given, strict=True))
    numbers, items = np.unique(what, return_inverse=True)
    answers = Answers(who.astype(np.int32), items.astype(np.int32), right, len(came), len(numbers))
    prior = Prior(np.zeros(len(numbers), dtype=np.int32), np.array([-CENTRE]), d_sd=LABEL_DEVIATION)
    found = calibrate(answers, "2pl", prior, np.full(len(numbers), GUESS))
    errors = np.sqrt(found.se_d**2 + (found.b * found.se_a) ** 2) / found.a
    usual = np.full(len(numbers), CENTRE)
    shift = link(found.b, errors, usual, np.full(len(numbers), LABEL_DEVIATION))
    coming = newcomers(shift, len(came))
    centre = float(np.append(found.b + shift.mean, [CENTRE] * 10).mean())
    beliefs = [[label_belief("medium", 4, centre=centre)] * UNITS for _ in range(DOMAINS)]
    for number, b, error, a in zip(numbers.tolist(), found.b + shift.mean, errors, found.a, strict=True):
        beliefs[number // UNITS][number % UNITS] = ItemBelief(float(b), float(error) ** 2, float(a), GUESS)
    general = Population().general + coming.error**2
    return believed(replace(world, population=Population(mean=coming.mean, general=general)), beliefs)


ROWS: tuple[Callable[[np.random.Generator, int], Row], ...] = (
    *(partial(lived, kind=kind) for kind in KINDS),
    partial(first_users, name="after 30 strong first users", firsts=30, shift=1.2),
    partial(first_users, name="after 60 weak first users", firsts=60, shift=-1.2),
)
HEAD = ("Learners", "forecasts", "mean chance", "passed", "bias", "its 95% interval", "in range")


def measured(row: int, learners: int) -> Row:
    """Measure one row, always with the same random numbers."""
    return ROWS[row](np.random.default_rng(11), learners)


def table(rows: Sequence[Row], learners: int) -> str:
    """Return the rows as a Markdown table, followed by the bounds that are exceeded."""
    lines = [
        (
            row.name, f"{row.tests:,}", f"{row.chance:.3f}", f"{row.passed:.3f}", f"{row.bias:+.3f}",
            f"{row.low:+.3f} to {row.high:+.3f}", f"{row.covered:.3f}",
        )
        for row in rows
    ]  # fmt: skip
    broken = "; ".join(each for row in rows for each in row.broken())
    head = f"Each row: {learners:,} simulated learners."
    return f"{head}\n\n{markdown(HEAD, lines)}\n\nOver a bound: {broken or 'nothing'}."


def section(learners: int = 2000) -> str:
    """Measure all rows and return their table."""
    with ProcessPoolExecutor(2, get_context("spawn")) as pool:
        return table(list(pool.map(measured, range(len(ROWS)), [learners] * len(ROWS))), learners)


if __name__ == "__main__":
    print(section())
