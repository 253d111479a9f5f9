"""When a check ends, and which question it asks next; pure.

A check asks one question at a time until it can say whether the learner would pass a fresh mock. It decides on P(pass)
over the whole blueprint, not on a score: the stopping rule of computerised classification (Eggen & Straetmans,
Educational and Psychological Measurement 60, 2000, 713-734) with the site's own forecast in place of a single scale.
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
"""The chance to pass, or to fail, at which a check has found out."""
MOST = 40
"""It ends after so many answers whatever it knows: twenty more would be right for two learners in a hundred more."""

MEASURED_ANSWERS, MEASURED_UNITS = 400, 45
"""Questions are chosen by what they tell once a domain has so many unseen units whose parameters rest on so many first
answers each: with fewer answers slopes are noise, with fewer units there are no twenty to choose from."""
CANDIDATES = 20
"""Drawn anew for each question: a fixed twenty would be used up from the best down."""
EXPOSED = 0.45
"""No check may show more than this share of what it could: drawn for each check anew, so that the questions that tell
most are not the ones that everybody has seen."""


def is_sure(chance: float) -> bool:
    """Whether this chance to pass is a verdict."""
    return max(chance, 1 - chance) >= SURE


def is_known(given: Mapping[int, int], domains: Sequence[int], chance: float) -> bool:
    """Whether a check may stop because it knows: every domain of the exam was met, and the verdict is sure."""
    return all(given.get(domain, 0) for domain in domains) and is_sure(chance)


def next_domain(weights: Sequence[tuple[int, Decimal]], given: Mapping[int, int], left: Container[int]) -> int | None:
    """The domain that is furthest behind its share; those not met yet come first. None where none has a question left.

    ``weights`` are the blueprint's in the order of the domains' numbers; among equals the earlier domain.
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
    """The place of the question of this domain that tells most of this learner; among equals the first.

    That is the one whose answer is expected to leave the least variance: minimum expected posterior variance (Owen,
    JASA 70, 1975, 351-356; van der Linden, Psychometrika 63, 1998, 201-216). Unlike Fisher's information at the mean it
    counts how little is known of the learner, and of the question.
    """
    state = with_domain(state, domain, population)
    return int(np.argmax([_told(state, state.places[domain], belief) for belief in beliefs]))


def _told(state: LearnerState, place: int, belief: ItemBelief) -> float:
    """By how much an answer is expected to lower the ability's variance, as a share of that variance squared.

    All other abilities learn in proportion to it (``belief.update``), so of one domain's questions the best for its
    ability is the best for the whole exam.
    """
    gap, spread, _ = gap_to(state, place, belief)
    right = sum(share * response(gap + math.sqrt(spread) * node, belief) for node, share in NODES)
    left = right * matched(gap, spread, belief, True)[1] + (1 - right) * matched(gap, spread, belief, False)[1]
    return (spread - left) / spread**2
