"""When a check ends, and which question it asks next; pure.

A check asks one question at a time until it can say whether the learner would pass a fresh mock. It decides by P(pass)
over the whole blueprint, not by a score: the stopping rule of computerised classification (Eggen & Straetmans,
Educational and Psychological Measurement 60, 2000, 713-734) with the site's own forecast instead of a single scale.
tests/bench/checks.py measures how often it is right and how many answers it takes.
"""

from __future__ import annotations

import math
from collections.abc import Container, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction

import numpy as np

from practice.measurement.ability.rules.belief import (
    NODES,
    ItemBelief,
    LearnerState,
    Population,
    gap_to,
    matched,
    response,
    with_domain,
)

SURE = 0.9
"""The chance of passing, or of failing, at which a check is sure."""
MOST = 40
"""It always ends after this many answers: twenty more would correct the verdict for two learners in a hundred."""

MEASURED_ANSWERS, MEASURED_UNITS = 400, 45
"""Questions are chosen by information once a domain has this many unseen units whose parameters are based on this many
first answers each: with fewer answers, slopes are noise; with fewer units, there aren't twenty to choose from."""
CANDIDATES = 20
"""Redrawn for each question: a fixed twenty would be used up from the best down."""
EXPOSED = 0.45
"""A check may show at most this share of its possible questions, drawn afresh for each check, so that the most
informative questions aren't the ones that everybody has seen."""


def is_sure(chance: float) -> bool:
    """Whether this chance of passing is a verdict."""
    return max(chance, 1 - chance) >= SURE


def is_known(given: Mapping[int, int], domains: Sequence[int], chance: float) -> bool:
    """Whether a check may stop: every domain of the exam was asked, and the verdict is sure."""
    return all(given.get(domain, 0) for domain in domains) and is_sure(chance)


def next_domain(weights: Sequence[tuple[int, Decimal]], given: Mapping[int, int], left: Container[int]) -> int | None:
    """The domain furthest behind its share, unasked ones first; None if none has a question left.

    ``weights`` are the blueprint's, in the order of the domains' numbers; ties go to the earlier domain.
    """
    total = sum(Fraction(weight) for _, weight in weights)
    asked = sum(given.values()) + 1
    behind = [
        (not given.get(domain, 0), Fraction(weight) * asked / total - given.get(domain, 0), -place, domain)
        for place, (domain, weight) in enumerate(weights)
        if weight and domain in left
    ]
    return max(behind)[-1] if behind else None


def most_telling(state: LearnerState, domain: int, beliefs: Sequence[ItemBelief], population: Population) -> int:
    """The index of the question in this domain most informative about this learner; ties go to the first.

    That is the one whose answer is expected to leave the least variance: minimum expected posterior variance (Owen,
    JASA 70, 1975, 351-356; van der Linden, Psychometrika 63, 1998, 201-216). Unlike Fisher information at the mean, it
    takes into account how little is known about the learner and the question.
    """
    state = with_domain(state, domain, population)
    return int(np.argmax([_told(state, state.places[domain], belief) for belief in beliefs]))


def _told(state: LearnerState, place: int, belief: ItemBelief) -> float:
    """The expected reduction of the ability's variance by an answer, as a share of that variance squared.

    All other abilities learn in proportion to it (``belief.update``), so among one domain's questions, the best for its
    ability is the best for the whole exam.
    """
    gap, spread, _ = gap_to(state, place, belief)
    right = sum(share * response(gap + math.sqrt(spread) * node, belief) for node, share in NODES)
    left = right * matched(gap, spread, belief, True)[1] + (1 - right) * matched(gap, spread, belief, False)[1]
    return (spread - left) / spread**2
