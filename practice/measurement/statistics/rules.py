"""What one session adds to the counts of its questions; pure."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field

LEAST_OTHERS = 5
"""Other first exposures a session must hold before it says anything about who does well on the rest."""
THOUSAND = 1000


@dataclass(frozen=True)
class FirstAnswer:
    """A first exposure: ``version`` is the one whose statistics it enters, ``slots`` are the chosen options."""

    version: int
    slots: tuple[int, ...]
    right: bool
    seconds: int


@dataclass
class OptionTally:
    """Whole numbers for one option, as ``questions.models.OptionStatistics`` holds them."""

    bins: int
    n: int = 0
    rest_n: int = 0
    rest_sum: int = 0
    by_rest: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.by_rest = self.by_rest or [0] * self.bins

    def add(self, rest: int | None, sign: int) -> None:
        """One answer that chose this option; ``sign`` -1 takes it back."""
        self.n += sign
        if rest is not None:
            self.rest_n += sign
            self.rest_sum += sign * rest
            self.by_rest[rest_bin(rest, self.bins)] += sign


@dataclass
class VersionTally:
    """Whole numbers for one version, as ``questions.models.VersionStatistics`` holds them."""

    bins: int
    second_bins: Sequence[int]
    n: int = 0
    right: int = 0
    rest_n: int = 0
    rest_sum: int = 0
    rest_squares: int = 0
    rest_right_n: int = 0
    rest_right_sum: int = 0
    by_rest: list[list[int]] = field(default_factory=list)
    by_seconds: list[int] = field(default_factory=list)
    options: dict[int, OptionTally] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.by_rest = self.by_rest or [[0, 0] for _ in range(self.bins)]
        self.by_seconds = self.by_seconds or [0] * (len(self.second_bins) + 1)

    def add(self, answer: FirstAnswer, rest: int | None, sign: int) -> None:
        """One answer to this version; ``sign`` -1 takes it back."""
        right = int(answer.right)
        self.n += sign
        self.right += sign * right
        if answer.seconds:
            self.by_seconds[bisect_left(self.second_bins, answer.seconds)] += sign
        if rest is not None:
            self.rest_n += sign
            self.rest_sum += sign * rest
            self.rest_squares += sign * rest * rest
            self.rest_right_n += sign * right
            self.rest_right_sum += sign * right * rest
            self.by_rest[rest_bin(rest, self.bins)][0] += sign
            self.by_rest[rest_bin(rest, self.bins)][1] += sign * right
        for slot in answer.slots:
            self.options.setdefault(slot, OptionTally(self.bins)).add(rest, sign)


def rest_bin(rest: int, bins: int) -> int:
    """The bin of a rest share in thousandths; the last one holds its upper end."""
    return min(rest * bins // THOUSAND, bins - 1)


def rests(answers: Sequence[FirstAnswer]) -> list[int | None]:
    """For each answer the share of right ones among the others of its session, in thousandths; None for too few."""
    others = len(answers) - 1
    if others < LEAST_OTHERS:
        return [None] * len(answers)
    right = sum(answer.right for answer in answers)
    return [round(THOUSAND * (right - answer.right) / others) for answer in answers]


def add_session(
    tallies: dict[int, VersionTally],
    answers: Sequence[FirstAnswer],
    bins: int,
    second_bins: Sequence[int],
    sign: int = 1,
) -> None:
    """Add a session's first exposures to the tallies by version; ``sign`` -1 takes them back."""
    for answer, rest in zip(answers, rests(answers), strict=True):
        tally = tallies.setdefault(answer.version, VersionTally(bins, second_bins))
        tally.add(answer, rest, sign)
