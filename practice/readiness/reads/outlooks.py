"""Predictions about a learner's next fresh mock at given times, recomputed from the whole history."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, replace

from practice.measurement.ability.reads import Past, PastAnswer, days_of
from practice.measurement.ability.rules.belief import LearnerState, at, newcomer, update
from practice.measurement.ability.rules.pace import reach
from practice.measurement.ability.rules.pass_chance import Mock, missing, outlook
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
    """The chance of reaching the practice pass mark on the next fresh mock, and the central 80% of its scores."""

    chance: float
    low: int
    high: int


@dataclass(frozen=True)
class Prediction:
    """The prediction after this many first exposures; no claim if there is too little evidence."""

    answers: int
    claim: Claim | None
    domains: tuple[DomainOutlook, ...]


def states_at(bank: Bank, past: Sequence[PastAnswer], moments: Sequence[dt.datetime]) -> list[LearnerState]:
    """The learner as known at each of these ascending times: one pass over the history, two queries."""
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


def next_mock(
    bank: Bank, past: Past, moment: dt.datetime, blueprint: Blueprint, factor: float | None = None
) -> Mock | None:
    """The mock this learner would get at that time, under their conditions; None if the bank can't fill one.

    ``factor`` is that of its time, 0 for untimed; None for what the latest mock had.
    """
    mock = bank.mock(blueprint, past.met_until(moment))
    mocks = past.mocks_until(moment)
    if factor is None and mocks:
        factor = mocks[-1].factor
    return replace(mock, reached=reach(mocks, mock.questions, factor or None)) if mock else None


def predict(bank: Bank, state: LearnerState, mock: Mock | None) -> Prediction:
    """The learner model's prediction for a fresh mock; without one, only the count of answers."""
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
