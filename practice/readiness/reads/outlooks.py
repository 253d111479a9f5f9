"""What can be said of a learner's next fresh mock, at given times; the whole past is followed anew."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from practice.measurement.ability.reads import PastAnswer, days_of
from practice.measurement.ability.rules.belief import LearnerState, at, newcomer, update
from practice.measurement.ability.rules.pass_chance import missing, outlook
from practice.measurement.calibration.reads import Bank, asked
from questions.catalogue.models import Blueprint
from questions.versions.models.versions import QuestionVersion


@dataclass(frozen=True)
class DomainOutlook:
    """One domain: first exposures, the share of fresh questions expected right with its 80% range, and the gain."""

    domain: int
    n: int
    share: float
    low: float
    high: float
    gain: float


@dataclass(frozen=True)
class Claim:
    """The chance to reach the practice pass mark on the next fresh mock, and the central 80% of its scores."""

    chance: float
    low: int
    high: int


@dataclass(frozen=True)
class Prediction:
    """What is said after so many first exposures; no claim where the evidence is too thin for one."""

    answers: int
    claim: Claim | None
    domains: tuple[DomainOutlook, ...]


def states_at(bank: Bank, past: Sequence[PastAnswer], moments: Sequence[dt.datetime]) -> list[LearnerState]:
    """The learner as known at each of these times, which ascend: one pass over the past, two statements."""
    versions = QuestionVersion.objects.filter(pk__in={answer.version for answer in past})
    beliefs = bank.beliefs(asked(versions))
    population = bank.population
    state, states, coming = newcomer(population), [], 0
    for moment in moments:
        while coming < len(past) and past[coming].known_at <= moment:
            state = update(state, past[coming].given(beliefs[past[coming].version]), population).state
            coming += 1
        states.append(at(state, days_of(moment), population))
    return states


def predict(bank: Bank, state: LearnerState, blueprint: Blueprint) -> Prediction:
    """What the learner model says of a fresh mock; without a bank to draw it from, only the count of answers."""
    mock = bank.mock(blueprint)
    if mock is None:
        return Prediction(state.answers, None, ())
    found = outlook(state, mock, bank.population)
    firsts = state.firsts
    domains = tuple(
        DomainOutlook(d.domain, firsts.get(d.domain, 0), round(d.share, 4), round(d.low, 4), round(d.high, 4), d.gain)
        for d in found.domains
    )
    thin = missing(firsts, mock.counts)
    return Prediction(state.answers, None if thin else Claim(found.chance, found.low, found.high), domains)
