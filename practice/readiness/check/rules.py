"""When a check ends, and which question it asks next; pure.

A check asks one question at a time until it can say whether the learner would pass a fresh mock. It decides on P(pass)
over the whole blueprint, not on a score: the stopping rule of computerised classification (Eggen & Straetmans,
Educational and Psychological Measurement 60, 2000, 713-734) with the site's own forecast in place of a single scale.
tests/bench/checks.py measures how often it is right and how many answers it takes.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction

import numpy as np

from practice.measurement.ability.rules.belief import GENERAL, ItemBelief, LearnerState, response

SURE = 0.9
"""The chance to pass, or to fail, at which a check has found out."""
MOST = 40
"""It ends after so many answers whatever it knows: twenty more would be right for two learners in a hundred more."""

MEASURED_ANSWERS, MEASURED_UNITS = 400, 45
"""Questions are chosen by what they tell once a domain has so many unseen units whose parameters rest on so many first
answers each: with fewer answers slopes are noise, with fewer units there are no twenty to choose from."""
CANDIDATES = 20
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


def ability_in(state: LearnerState, domain: int) -> float:
    """The mean of what is believed of the ability in a domain; in one never met that of the general ability."""
    place = state.places.get(domain)
    return float(state.means[GENERAL] + (state.means[place] if place is not None else 0.0))


def information(ability: float, belief: ItemBelief) -> float:
    """Fisher's information of an answer at this ability (Lord, Applications of IRT, 1980, equation 5-9)."""
    chance = response(ability - belief.difficulty, belief)
    known = (chance - belief.guess) / (1 - belief.guess)
    return belief.slope**2 * known**2 * (1 - chance) / chance


def most_telling(ability: float, beliefs: Sequence[ItemBelief]) -> int:
    """The place of the question that tells most at this ability; among equals the first."""
    return int(np.argmax([information(ability, belief) for belief in beliefs]))
