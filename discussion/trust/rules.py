"""What a reader's report of a comment weighs; pure.

After Discourse's flags (meta.discourse.org, "reviewable scores"): a report counts by how often a moderator agreed with
the earlier ones of the same person, and a comment hides itself when enough comes together.
"""

from __future__ import annotations

from collections.abc import Sequence

HIDES_AT = 3.0
"""The weight at which a comment hides itself: three people nobody knows yet, or two who have been right so far.

Where 1 reader in 20 reports harm and 1 in 500 reports something harmless by mistake, three of a hundred readers come
together in 88% of harmful comments and in 0.1% of harmless ones; two would in 1.7% of harmless ones.
"""
LEAST_PEOPLE = 2
"""However much one person is trusted, somebody else has to agree."""


def weight(upheld: int, wrong: int) -> float:
    """Of somebody with so many reports that moderators agreed and disagreed with: from 0 to 2, and 1 without any.

    Twice the mean of the Beta(1, 1) posterior of being right (Laplace's rule of succession).
    """
    return 2 * (upheld + 1) / (upheld + wrong + 2)


def hides(weights: Sequence[float]) -> bool:
    """Whether reports of these weights, each of another person, hide a comment until a moderator has looked at it."""
    return len(weights) >= LEAST_PEOPLE and sum(weights) >= HIDES_AT
