"""Simulated learners whose true chance to pass is known, and the population they come from.

Six domains whose abilities are N(0.55, 1) with correlation 0.7, 100 questions a domain, slopes log-normal (0, 0.3),
difficulties N(0, 1), guess rate 0.25; first exposures shared out as the blueprint's 13/14/18/20/22/13; an exam of 60
questions, passed with 42. A learner's true chance to pass is the chance at their true abilities.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property

import numpy as np

from practice.measurement.ability.rules.belief import GivenAnswer, ItemBelief
from practice.measurement.ability.rules.pass_chance import Ability, Mock, fresh_curve, passing, score_distribution
from questions.catalogue.rules.shares import allocate

WEIGHTS = (13, 14, 18, 20, 22, 13)
DOMAINS = len(WEIGHTS)
IN_DOMAIN = 100
GUESS, MEAN, CORRELATION, SPREAD = 0.25, 0.55, 0.7, 0.3
QUESTIONS, NEEDED = 60, 42
CHECKS = (30, 60, 120, 240)


def shares(count: int) -> dict[int, int]:
    """Share this many questions out over the domains of the blueprint."""
    return allocate([(domain, Decimal(weight)) for domain, weight in enumerate(WEIGHTS)], count)


@dataclass(frozen=True)
class Bank:
    """True questions: slopes and difficulties, shape (6, questions of a domain)."""

    slopes: np.ndarray
    difficulties: np.ndarray

    @cached_property
    def all_beliefs(self) -> list[list[ItemBelief]]:
        """Return the beliefs about all questions, by domain."""
        pairs = zip(self.slopes.tolist(), self.difficulties.tolist(), strict=True)
        return [[ItemBelief(b, 0.0, a, GUESS) for a, b in zip(*each, strict=True)] for each in pairs]

    def chances(self, domain: np.ndarray | int, item: np.ndarray | slice, abilities: np.ndarray) -> np.ndarray:
        """Return the chances of right answers, at these abilities in the domain."""
        gaps = abilities - self.difficulties[domain, item]
        return GUESS + (1 - GUESS) / (1 + np.exp(-self.slopes[domain, item] * gaps))


@dataclass(frozen=True)
class Course:
    """What n learners answered, in order: arrays of shape (n, answers). ``abilities`` (n, 6) are those of the start,
    ``growth`` (n, 1) is what each answer adds to all of them."""

    abilities: np.ndarray
    growth: np.ndarray
    domain: np.ndarray
    item: np.ndarray
    right: np.ndarray
    repeat: np.ndarray


def make_bank(rng: np.random.Generator, spread: float = SPREAD, size: int = IN_DOMAIN) -> Bank:
    """Make a bank; ``spread`` is the standard deviation of the slopes' logarithms, ``size`` the questions a domain."""
    shape = (DOMAINS, size)
    return Bank(rng.lognormal(0.0, spread, shape), rng.normal(0.0, 1.0, shape))


def make_abilities(rng: np.random.Generator, learners: int, mean: float = MEAN) -> np.ndarray:
    general = rng.normal(0.0, np.sqrt(CORRELATION), (learners, 1))
    return mean + general + rng.normal(0.0, np.sqrt(1 - CORRELATION), (learners, DOMAINS))


def make_course(
    rng: np.random.Generator, bank: Bank, learners: int, growth: float = 0.0, spread: float = 0.0
) -> Course:
    """Draw first exposures in blocks of 30 shared out as the blueprint is, each block and each bank in random order.

    The growth over all answers is N(growth, spread^2) over the learners.
    """
    answers = CHECKS[-1]
    by_answer = rng.normal(growth, spread, (learners, 1)) / answers
    abilities = make_abilities(rng, learners)
    block = np.repeat(np.arange(DOMAINS), [shares(30)[each] for each in range(DOMAINS)])
    rows = np.tile(block, (learners * answers // 30, 1))
    domain = rng.permuted(rows, axis=1).reshape(learners, answers)
    order = rng.permuted(np.tile(np.arange(IN_DOMAIN), (learners, DOMAINS, 1)), axis=2)
    nth = np.zeros_like(domain)
    for each in range(DOMAINS):
        nth += np.where(domain == each, np.cumsum(domain == each, axis=1) - 1, 0)
    rows = np.arange(learners)[:, None]
    item = order[rows, domain, nth]
    ability_then = abilities[rows, domain] + by_answer * np.arange(answers)
    right = rng.random(domain.shape) < bank.chances(domain, item, ability_then)
    return Course(abilities, by_answer, domain, item, right, np.zeros_like(domain))


def with_repeats(rng: np.random.Generator, course: Course, share: float = 0.4) -> Course:
    """Return the same answers with remembered repeats put between them, always right: ``share`` of all answers."""
    learners, answers = course.domain.shape
    total = round(answers / (1 - share))
    columns = {name: np.zeros((learners, total), dtype=int) for name in ("domain", "item", "right", "repeat")}
    for learner in range(learners):
        fresh = np.sort(rng.choice(np.arange(1, total), answers - 1, replace=False))
        firsts = set(fresh.tolist()) | {0}
        met: list[int] = []
        times: dict[int, int] = {}
        for place in range(total):
            if place in firsts:
                source = len(met)
                met.append(source)
            else:
                source = met[rng.integers(len(met))]
            columns["domain"][learner, place] = course.domain[learner, source]
            columns["item"][learner, place] = course.item[learner, source]
            columns["repeat"][learner, place] = times.get(source, 0)
            columns["right"][learner, place] = course.right[learner, source] or source in times
            times[source] = times.get(source, 0) + 1
    return dataclasses.replace(course, **columns)


def true_chances(bank: Bank, abilities: np.ndarray) -> np.ndarray:
    """Return the chances of passing at abilities (n, 6): domain scores are binomial for questions drawn at random."""
    mock = make_mock(bank.all_beliefs)
    return np.array([passing(score_distribution(row, mock), NEEDED) for row in surely(abilities)])


def surely(abilities: np.ndarray) -> list[dict[int, Ability]]:
    """Return a belief that is certain of these abilities, shape (n, 6)."""
    return [{domain: Ability(each, 0.0, 0.0) for domain, each in enumerate(row)} for row in abilities.tolist()]


def make_mock(beliefs: Sequence[Sequence[ItemBelief]]) -> Mock:
    """Return the exam as the site believes it to be, from each domain's questions."""
    return Mock(shares(QUESTIONS), NEEDED, {domain: fresh_curve(each) for domain, each in enumerate(beliefs)})


def next_scores(rng: np.random.Generator, bank: Bank, abilities: np.ndarray) -> np.ndarray:
    """Return the scores of one mock each, whose questions are drawn without replacement."""
    scores = np.zeros(len(abilities), dtype=int)
    for domain, count in shares(QUESTIONS).items():
        chances = bank.chances(domain, slice(None), abilities[:, domain, None])
        drawn = rng.random(chances.shape).argsort(axis=1)[:, :count]
        chosen = np.take_along_axis(chances, drawn, axis=1)
        scores += (rng.random(chosen.shape) < chosen).sum(axis=1)
    return scores


def answers_of(course: Course, learner: int, beliefs: Sequence[Sequence[ItemBelief]]) -> Iterator[GivenAnswer]:
    """Return the answers in order, with what is believed about the questions."""
    columns = (course.domain, course.item, course.right, course.repeat)
    for domain, item, right, repeat in zip(*(each[learner].tolist() for each in columns), strict=True):
        yield GivenAnswer(0.0, domain, (domain, item), beliefs[domain][item], bool(right), repeat == 0)
