"""What an author may do, how that is earned, and how much a reader's report weighs; pure.

Reports follow Discourse's flags (meta.discourse.org, "reviewable scores"): a report counts by how often moderators
agreed with the same person's earlier ones, and a comment is hidden when the total is high enough.
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
    """What authors at a level may do. ``comments_an_hour`` are shown at once, unless something in them is held.

    Authors screened ``closely`` are held if the classifier has a doubt, others only if it is nearly sure.
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
    """What earns a level: comments that lasted, days since the first, and how many per removed one."""

    lasted: int
    days: int
    for_each_removed: int


NEEDS = {
    Level.TRUSTED: Needs(lasted=30, days=30, for_each_removed=30),
    Level.KNOWN: Needs(lasted=3, days=2, for_each_removed=10),
}
"""Highest level first.

The minimum of days is there because a bad actor can easily write three comments in one evening.
"""
LASTING_HOURS = 24
"""A comment has lasted if a moderator approved it, or if it was visible for this long."""
REMEMBERED_DAYS = 180
"""How long a removed comment counts, and a suspended author is new again after the suspension."""


@dataclass(frozen=True)
class Record:
    """The record of an author's comments. ``removed`` and ``suspended`` are within the remembered days."""

    lasted: int = 0
    days: int = 0
    removed: int = 0
    suspended: int = 0


def level_of(record: Record) -> Level:
    """The highest level a record has earned. A current suspension is checked elsewhere first."""
    for level, needs in NEEDS.items():
        is_clean = not record.suspended and record.removed * needs.for_each_removed <= record.lasted
        if is_clean and record.lasted >= needs.lasted and record.days >= needs.days:
            return level
    return Level.NEW


HIDES_AT = 3.0
"""The total weight at which a comment is hidden: three unknown people, or two who have been right so far.

If 1 reader in 20 reports harm and 1 in 500 reports something harmless by mistake, three of a hundred readers report 88%
of harmful comments and 0.1% of harmless ones; with two it would be 1.7% of harmless ones.
"""
LEAST_PEOPLE = 2
"""However much one person is trusted, somebody else has to agree."""


def weight(upheld: int, wrong: int) -> float:
    """The weight of a reporter with this many upheld and wrong reports: from 0 to 2, and 1 without any.

    Twice the mean of the Beta(1, 1) posterior of being right (Laplace's rule of succession).
    """
    return 2 * (upheld + 1) / (upheld + wrong + 2)


def hides(weights: Sequence[float]) -> bool:
    """Whether reports with these weights, each from a different person, hide a comment until a moderator has seen
    it."""
    return len(weights) >= LEAST_PEOPLE and sum(weights) >= HIDES_AT
