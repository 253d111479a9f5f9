"""What an author may do, how that is earned, and what a reader's report weighs; pure.

Reports after Discourse's flags (meta.discourse.org, "reviewable scores"): a report counts by how often a moderator
agreed with the earlier ones of the same person, and a comment hides itself when enough comes together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum


class Level(StrEnum):
    """How well an author is known here."""

    NEW = "new"
    KNOWN = "known"
    TRUSTED = "trusted"
    SUSPENDED = "suspended"


@dataclass(frozen=True)
class May:
    """What authors of a level may do. ``comments_an_hour`` are shown at once, unless something in them holds them.

    Whoever is screened ``closely`` waits where the classifier has a doubt, others where it has hardly any.
    """

    write: bool
    link: bool
    comments_an_hour: int
    closely: bool


MAY = {
    Level.NEW: May(write=True, link=False, comments_an_hour=5, closely=True),
    Level.KNOWN: May(write=True, link=True, comments_an_hour=8, closely=False),
    Level.TRUSTED: May(write=True, link=True, comments_an_hour=15, closely=False),
    Level.SUSPENDED: May(write=False, link=False, comments_an_hour=0, closely=True),
}


@dataclass(frozen=True)
class Needs:
    """What earns a level: comments that lasted, days since the first of them, and how many for each one removed."""

    lasted: int
    days: int
    for_each_removed: int


NEEDS = {
    Level.TRUSTED: Needs(lasted=30, days=30, for_each_removed=30),
    Level.KNOWN: Needs(lasted=3, days=2, for_each_removed=10),
}
"""The highest level first. Three comments on one evening are easily written by somebody who means no good."""
LASTING_HOURS = 24
"""A comment has lasted when a moderator approved it, or when everybody could read it for so long."""
REMEMBERED_DAYS = 180
"""For so long a removed comment counts, and a suspension makes its author new again once it is over."""


@dataclass(frozen=True)
class Record:
    """What became of an author's comments. ``removed`` and ``suspended`` are of the days that are remembered."""

    lasted: int = 0
    days: int = 0
    removed: int = 0
    suspended: int = 0


def level_of(record: Record) -> Level:
    """The highest level that a record has earned. Whoever is suspended now is told so before anybody asks."""
    for level, needs in NEEDS.items():
        is_clean = not record.suspended and record.removed * needs.for_each_removed <= record.lasted
        if is_clean and record.lasted >= needs.lasted and record.days >= needs.days:
            return level
    return Level.NEW


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
