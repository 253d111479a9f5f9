"""What the stored counts of a version say about its question; pure.

**Rest.** The rank, in thousandths, of the learner's ability, computed by the newest calibration from their other first
exposures. Every correlation here is with this rank, over the ``rest_n`` answers that have one. The item itself doesn't
count towards it, so that the item-rest correlation is "corrected" (Lord & Novick 1968, section 15.2).
**Flags** are raised only where chance is a poor explanation: each compares a bound of an interval, not the figure.
What they cost and find is simulated in tests/bench/items.py: of sound questions at most 5% are flagged at 50 answers,
however short the sessions, and of miskeyed ones at least 85% are found at 200 (table in docs/benchmarks.md).
**Not defined** is None: no answers, or nothing that varies.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

Z95 = 1.959963984540054
Z_ONE_SIDED_95 = 1.6448536269514722
LEAST_TOLD = 30
"""Below this many first exposures, nothing is said about others: with 29, a share can be off by 18 points by chance."""
LEAST_ANSWERS = 50
"""Below this many answers, nothing is flagged."""
TOO_EASY = 0.9
"""Too easy: certainly more than this share are right.

A question that nine in ten know still tells some learners apart.
"""
LEAST_DISCRIMINATION = 0.15
"""Flat: certainly less than this.

For learners with a single drill of ten, whose ability is known least, a sound question has .22 on average.
"""
DEAD_SHARE = 0.05
"""Dead: certainly chosen by fewer, the limit Haladyna & Downing (1993) use for a functioning distractor."""
MISKEY_SHARE = 0.05
"""As DEAD_SHARE: what nearly nobody chooses is a weak distractor, never a second key."""
MISKEY_EVIDENCE = 1.0
"""With three distractors, chance alone takes one past this in 1 of 5 questions whose key says nothing; with a sound
key, in 1 of 100."""
STRONG, FAIR = 3.0, 2.0


class Flag(StrEnum):
    MISKEY = "looks miskeyed"
    EASY = "too easy"
    HARD = "harder than guessing"
    FLAT = "low discrimination"
    DEAD = "dead distractor"


@dataclass(frozen=True)
class OptionCounts:
    """One option: the stored counts (``questions.models.OptionStatistics``), and whether it is keyed."""

    slot: int
    is_key: bool
    n: int = 0
    rest_n: int = 0
    rest_sum: int = 0
    by_rest: Sequence[int] = ()


@dataclass(frozen=True)
class ItemCounts:
    """One version: the stored counts (``questions.models.VersionStatistics``), its options, how many to choose."""

    n: int
    right: int
    rest_n: int
    rest_sum: int
    rest_squares: int
    rest_right_n: int
    rest_right_sum: int
    by_rest: Sequence[Sequence[int]]
    by_seconds: Sequence[int]
    options: Sequence[OptionCounts]
    choose: int = 1


@dataclass(frozen=True)
class Third:
    """The ``n`` answers with a rest from ``low`` to below ``high``, 0 .. 1, and the share of them that is ``right``."""

    low: float
    high: float
    n: int
    right: float | None


@dataclass(frozen=True)
class OptionFigures:
    """One option. ``share``: of the answers that include it; ``by_third``: the same by third of ability.

    ``rest``: correlation of choosing it with the rest; ``evidence``: only of a distractor that looks like the
    key, see ``miskey_evidence``.
    """

    slot: int
    is_key: bool
    n: int
    share: float | None
    rest: float | None
    by_third: tuple[float | None, ...]
    is_dead: bool
    evidence: float | None


@dataclass(frozen=True)
class ItemFigures:
    """One version. ``facility``: share right, with its 95% interval ``low`` .. ``high``.

    ``discrimination``: corrected item-rest correlation with its standard error; ``key_rest``: the correlation of the
    keyed option with the rest, or of the weakest of several; ``seconds``: median time, infinite when more than half
    took longer than the last bin's start.
    """

    n: int
    right: int
    facility: float | None
    low: float | None
    high: float | None
    chance: float
    rest_n: int
    discrimination: float | None
    error: float | None
    key_rest: float | None
    seconds: float | None
    thirds: tuple[Third, ...]
    options: tuple[OptionFigures, ...]
    flags: tuple[Flag, ...]


def item_figures(counts: ItemCounts, time_ends: Sequence[int]) -> ItemFigures:
    """All of a version's figures; ``time_ends`` are the upper ends of the time bins in seconds."""
    low, high = wilson(counts.right, counts.n)
    r = rest_correlation(counts, counts.rest_right_n, counts.rest_right_sum)
    key = weakest_key(counts)
    cuts = third_cuts([n for n, _ in counts.by_rest])
    options = tuple(_option(counts, option, key, cuts) for option in counts.options)
    facility = ratio(counts.right, counts.n)
    chance = 1 / math.comb(len(counts.options), counts.choose)
    figures = ItemFigures(
        n=counts.n,
        right=counts.right,
        facility=facility,
        low=low,
        high=high,
        chance=chance,
        rest_n=counts.rest_n,
        discrimination=r,
        error=correlation_error(r, counts.rest_n),
        key_rest=_rest(counts, key) if key else None,
        seconds=median_seconds(counts.by_seconds, time_ends),
        thirds=_thirds(counts, cuts),
        options=options,
        flags=(),
    )
    return replace(figures, flags=_flags(figures))


def ratio(part: int, whole: int) -> float | None:
    """part / whole; None if the whole is 0."""
    return part / whole if whole else None


def wilson(right: int, n: int) -> tuple[float | None, float | None]:
    """The 95% score interval of a share (Wilson 1927, JASA 22, 209-212), which contains the share."""
    if not n:
        return None, None
    p, z2 = right / n, Z95**2 / n
    half = Z95 * math.sqrt(p * (1 - p) / n + z2 / (4 * n)) / (1 + z2)
    centre = (p + z2 / 2) / (1 + z2)
    return min(max(centre - half, 0.0), p), max(min(centre + half, 1.0), p)


def rest_correlation(counts: ItemCounts, part_n: int, part_sum: int) -> float | None:
    """Point-biserial correlation of belonging to a part of the answers with the rest.

    With N, S, Q the number, sum and sum of squares of all rests and n, s the number and sum of the part's:
    r = (N s - n S) / sqrt((N n - n n) (N Q - S S)). Whole numbers under the root, so that "does not vary" is exact.
    """
    n = counts.rest_n
    spread = (n * part_n - part_n**2) * (n * counts.rest_squares - counts.rest_sum**2)
    return (n * part_sum - part_n * counts.rest_sum) / math.sqrt(spread) if spread > 0 else None


def correlation_error(r: float | None, n: int) -> float | None:
    """The large-sample standard error (1 - r r) / sqrt(n - 1) of a correlation."""
    return (1 - r * r) / math.sqrt(n - 1) if r is not None and n > 1 else None


def weakest_key(counts: ItemCounts) -> OptionCounts | None:
    """The keyed option that correlates least with the rest; None if none of them varies."""
    keyed = [option for option in counts.options if option.is_key and _rest(counts, option) is not None]
    return min(keyed, key=lambda option: _rest(counts, option) or 0.0, default=None)


def miskey_evidence(counts: ItemCounts, key: OptionCounts, other: OptionCounts) -> float | None:
    """How much better another option correlates with the rest than the key, as a z value; None if not defined.

    The difference r(other) - r(key) is the mean product of the standardised rest with u = other / sd(other) -
    key / sd(key). If the rest had nothing to do with u, then over all ways to deal the rests to the answers
    the difference would have mean 0 and variance (2 - 2 phi) / (N - 1), where phi is the correlation of the two
    options (the permutation variance of a correlation is 1 / (N - 1); Pitman 1937). z = difference / its root.
    phi = (P(both) - p q) / sqrt(p (1-p) q (1-q)), with P(both) = max(0, p + q - 1). In "choose one" nobody chooses both
    and this is exact; in "choose several" P(both) is not stored and this is the least it can be, so that z is too.
    """
    r_key, r_other = _rest(counts, key), _rest(counts, other)
    if r_key is None or r_other is None:
        return None
    p, q = key.rest_n / counts.rest_n, other.rest_n / counts.rest_n
    phi = (max(0.0, p + q - 1) - p * q) / math.sqrt(p * (1 - p) * q * (1 - q))
    return (r_other - r_key) / math.sqrt((2 - 2 * phi) / (counts.rest_n - 1))


def strength(evidence: float) -> str:
    """A word for a z value: by chance alone, 1 in 741 exceeds 3, and 1 in 44 exceeds 2."""
    if evidence >= STRONG:
        return "strong"
    return "fair" if evidence >= FAIR else "weak"


def third_cuts(bins: Sequence[int]) -> tuple[int, int]:
    """The two bins at which the middle and the highest third start.

    Of all ways to cut between bins, the one whose three parts have the least sum of squares, which is the one nearest
    to three equal parts; among equals the lowest cuts. A bin is never split, so thirds may be uneven, or empty.
    """
    places = range(len(bins) + 1)
    ways = [(first, second) for first in places for second in places if first <= second]
    return min(ways, key=lambda cut: (sum(sum(part) ** 2 for part in _parts(bins, cut)), cut))


def median_seconds(by_seconds: Sequence[int], ends: Sequence[int]) -> float | None:
    """The time that half of the answers took at most, interpolated: within a bin times are taken as evenly spread.

    Infinite when it falls into the last bin, which has no upper end; None without times.
    """
    half, before = sum(by_seconds) / 2, 0
    if not half:
        return None
    for start, end, n in zip([0, *ends], ends, by_seconds, strict=False):
        if before + n >= half and n:
            return start + (end - start) * (half - before) / n
        before += n
    return math.inf


def _rest(counts: ItemCounts, option: OptionCounts) -> float | None:
    return rest_correlation(counts, option.rest_n, option.rest_sum)


def _parts(bins: Sequence[int], cuts: tuple[int, int]) -> tuple[Sequence[int], Sequence[int], Sequence[int]]:
    return bins[: cuts[0]], bins[cuts[0] : cuts[1]], bins[cuts[1] :]


def _thirds(counts: ItemCounts, cuts: tuple[int, int]) -> tuple[Third, ...]:
    """Lowest, middle and highest third; none without rests."""
    if not counts.rest_n:
        return ()
    all_n = [sum(part) for part in _parts([n for n, _ in counts.by_rest], cuts)]
    right = [sum(part) for part in _parts([r for _, r in counts.by_rest], cuts)]
    ends = [edge / len(counts.by_rest) for edge in (0, *cuts, len(counts.by_rest))]
    return tuple(Third(ends[i], ends[i + 1], all_n[i], ratio(right[i], all_n[i])) for i in range(3))


def _option(counts: ItemCounts, option: OptionCounts, key: OptionCounts | None, cuts: tuple[int, int]) -> OptionFigures:
    share, rest = ratio(option.n, counts.n), _rest(counts, option)
    whole = [sum(part) for part in _parts([n for n, _ in counts.by_rest], cuts)]
    mine = [sum(part) for part in _parts(option.by_rest, cuts)]
    evidence = None
    if not option.is_key and key and counts.rest_n >= LEAST_ANSWERS and (share or 0.0) >= MISKEY_SHARE:
        evidence = miskey_evidence(counts, key, option)
    return OptionFigures(
        slot=option.slot,
        is_key=option.is_key,
        n=option.n,
        share=share,
        rest=rest,
        by_third=tuple(ratio(mine[i], whole[i]) for i in range(3)) if counts.rest_n else (),
        is_dead=not option.is_key and counts.n >= LEAST_ANSWERS and (wilson(option.n, counts.n)[1] or 0.0) < DEAD_SHARE,
        evidence=evidence if evidence is not None and evidence >= MISKEY_EVIDENCE else None,
    )


def _flags(figures: ItemFigures) -> tuple[Flag, ...]:
    """The flags, in order of importance."""
    enough = figures.n >= LEAST_ANSWERS
    found = {
        Flag.MISKEY: any(option.evidence for option in figures.options),
        Flag.EASY: enough and figures.low is not None and figures.low > TOO_EASY,
        Flag.HARD: enough and figures.high is not None and figures.high < figures.chance,
        Flag.FLAT: figures.rest_n >= LEAST_ANSWERS and _is_flat(figures),
        Flag.DEAD: any(option.is_dead for option in figures.options),
    }
    return tuple(flag for flag, is_so in found.items() if is_so)


def _is_flat(figures: ItemFigures) -> bool:
    r, error = figures.discrimination, figures.error
    return r is not None and error is not None and r + Z_ONE_SIDED_95 * error < LEAST_DISCRIMINATION
