"""Compare a question's figures with numpy's from the raw answers; only a planted miskey may be flagged as one."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from practice.measurement.statistics.rules import (
    FirstAnswer,
    RankedAnswers,
    RestCounts,
    VersionTally,
    add_session,
    rest_bin,
    rest_counts,
)
from questions.catalogue.rules.shares import missing_for, whole_mocks
from questions.versions.statistics.rules import (
    LEAST_ANSWERS,
    Flag,
    ItemCounts,
    ItemFigures,
    OptionCounts,
    item_figures,
    median_seconds,
    strength,
    third_cuts,
    wilson,
)

BINS, ENDS = 10, (15, 30, 45, 60, 90, 120, 180, 240, 360)
LENGTH, OPTIONS = 20, 4
SOUND, MISKEYED, EASY, HARD, FLAT, DEAD = range(6)


@dataclass
class Simulated:
    """Hold the raw answers by learner and item: what was chosen, whether it counts as right and how long it took."""

    chosen: np.ndarray
    right: np.ndarray
    seconds: np.ndarray
    key: list[int]

    def counts(self, item: int) -> ItemCounts:
        """Return what the site would store of these answers, counted by the site's own functions."""
        tallies: dict[int, VersionTally] = {}
        for chosen, right, seconds in zip(self.chosen, self.right, self.seconds, strict=True):
            answers = [
                FirstAnswer(i, (int(chosen[i]),), bool(right[i]), int(seconds[i])) for i in range(chosen.shape[0])
            ]
            add_session(tallies, answers, ENDS)
        learners = len(self.right)
        ranked = RankedAnswers(
            np.zeros(learners, np.int32), self.right[:, item], 1 << self.chosen[:, item], self.rest(item) / 1000, 1
        )
        return counts_of(tallies[item], rest_counts(ranked, BINS)[0], {self.key[item]})

    def figures(self, item: int) -> ItemFigures:
        return item_figures(self.counts(item), ENDS)

    def rest(self, item: int) -> np.ndarray:
        """Return the share of the other questions that each learner got right, in thousandths."""
        others = np.delete(self.right, item, axis=1)
        return np.array([round(1000 * float(row.mean())) for row in others])


def counts_of(
    tally: VersionTally, rests: RestCounts, key: set[int], slots: int = OPTIONS, choose: int = 1
) -> ItemCounts:
    options = [
        OptionCounts(slot, slot in key, n=tally.options[slot], **rests.options.get(slot, {}))
        for slot in range(1, slots + 1)
    ]
    numbers = ("rest_n", "rest_sum", "rest_squares", "rest_right_n", "rest_right_sum", "by_rest")
    return ItemCounts(
        n=tally.n, right=tally.right, by_seconds=tally.by_seconds, options=options, choose=choose,
        **{name: getattr(rests, name) for name in numbers},
    )  # fmt: skip


def simulate(learners: int = 400, seed: int = 5) -> Simulated:
    """Simulate answers to items of usual difficulty whose true answer is option 1, except those named at the top.

    In MISKEYED the true answer is option 2, which able learners choose, while option 1 is keyed.
    """
    rng = np.random.default_rng(seed)
    ability = rng.standard_normal(learners)
    difficulty = rng.normal(0, 0.8, LENGTH)
    slope = np.full(LENGTH, 1.2)
    difficulty[[SOUND, MISKEYED, EASY, HARD, FLAT, DEAD]] = (0, -0.3, -6, 0, 0, 0)
    slope[FLAT] = 0
    knows = rng.random((learners, LENGTH)) < 1 / (1 + np.exp(-slope * (ability[:, None] - difficulty)))
    wrong = rng.integers(2, OPTIONS + 1, (learners, LENGTH))
    wrong[:, DEAD] = rng.integers(2, OPTIONS, learners)
    chosen = np.where(knows, 1, wrong)
    chosen[:, MISKEYED] = np.where(knows[:, MISKEYED], 2, rng.choice((1, 3, 4), learners))
    chosen[:, HARD] = rng.choice((1, 2, 3, 4), learners, p=(0.1, 0.5, 0.3, 0.1))
    right = chosen == 1
    seconds = rng.integers(1, 500, (learners, LENGTH))
    return Simulated(chosen, right, seconds, [1] * LENGTH)


@pytest.fixture(scope="module")
def answers() -> Simulated:
    return simulate()


@pytest.mark.parametrize("item", range(LENGTH))
def test_shares_and_correlations_match_the_raw_answers(answers: Simulated, item: int) -> None:
    figures, rest, right = answers.figures(item), answers.rest(item), answers.right[:, item]
    assert (figures.n, figures.rest_n, figures.right) == (400, 400, int(right.sum()))
    assert figures.facility == pytest.approx(right.mean())
    expected = np.corrcoef(right, rest)[0, 1]
    assert figures.discrimination == pytest.approx(expected, abs=1e-12)
    assert figures.error == pytest.approx((1 - expected**2) / math.sqrt(399))
    for option in figures.options:
        chosen = answers.chosen[:, item] == option.slot
        assert option.share == pytest.approx(chosen.mean())
        if chosen.any():
            assert option.rest == pytest.approx(np.corrcoef(chosen, rest)[0, 1], abs=1e-12)
        else:
            assert option.rest is None


def test_figures_by_third_match_the_raw_answers(answers: Simulated) -> None:
    figures, bins = answers.figures(SOUND), rest_bin(answers.rest(SOUND), BINS)
    for place, third in enumerate(figures.thirds):
        inside = (bins >= round(third.low * BINS)) & (bins < round(third.high * BINS))
        assert third.n == inside.sum()
        assert third.right == pytest.approx(answers.right[inside, SOUND].mean())
        for option in figures.options:
            assert option.by_third[place] == pytest.approx((answers.chosen[inside, SOUND] == option.slot).mean())
    assert sum(third.n for third in figures.thirds) == figures.rest_n
    shares = [third.right for third in figures.thirds]
    assert shares == sorted(shares)


def test_only_the_miskeyed_question_is_flagged_and_comes_first(answers: Simulated) -> None:
    evidence = {
        (item, option.slot): option.evidence
        for item in range(LENGTH)
        for option in answers.figures(item).options
        if option.evidence is not None
    }
    assert max(evidence, key=evidence.__getitem__) == (MISKEYED, 2)
    saying_nothing = {FLAT, HARD}  # by design, the keys of these say nothing about ability
    assert {item for item, _ in evidence} <= {MISKEYED} | saying_nothing
    assert Flag.MISKEY in answers.figures(MISKEYED).flags
    assert strength(evidence[MISKEYED, 2]) == "strong"


@pytest.mark.parametrize(
    ("item", "flags"),
    [(SOUND, set()), (EASY, {Flag.EASY}), (HARD, {Flag.HARD, Flag.FLAT}), (FLAT, {Flag.FLAT}), (DEAD, {Flag.DEAD})],
)
def test_flags_match_the_planted_faults(answers: Simulated, item: int, flags: set[Flag]) -> None:
    by_chance = {Flag.MISKEY} if item in (HARD, FLAT) else set()  # the keys of these say nothing about ability
    easy = {Flag.DEAD, Flag.FLAT} if item == EASY else set()  # hardly anybody chooses the distractors of this one
    assert flags <= set(answers.figures(item).flags) <= flags | by_chance | easy


def test_sound_questions_are_not_flagged_whatever_the_seed() -> None:
    flagged = [
        (seed, item, flag)
        for seed in range(5)
        for answers in [simulate(seed=100 + seed)]
        for item in range(DEAD + 1, LENGTH)
        for flag in answers.figures(item).flags
        if flag is Flag.MISKEY
    ]
    assert flagged == []


def test_evidence_is_the_difference_over_its_standard_deviation_under_permutation(answers: Simulated) -> None:
    """With rest shares shuffled among answers, the difference of correlations has the variance the formula gives."""
    figures, rest = answers.figures(MISKEYED), answers.rest(MISKEYED).astype(float)
    key, other = (answers.chosen[:, MISKEYED] == slot for slot in (1, 2))
    rng = np.random.default_rng(1)
    dealt = np.array([rng.permutation(rest) for _ in range(4000)])
    standard = (dealt - rest.mean()) / rest.std()
    products = [standard @ ((x - x.mean()) / x.std()) / len(rest) for x in (other, key)]
    spread = (products[0] - products[1]).std()
    option = next(option for option in figures.options if option.slot == 2)
    assert option.evidence == pytest.approx((option.rest - figures.key_rest) / spread, rel=0.04)


def test_of_several_keyed_options_the_weakest_is_compared() -> None:
    """Here options 1 and 2 are keyed, but able learners choose 1 and 3."""
    rng = np.random.default_rng(2)
    rest = rng.integers(0, 1001, 300)
    able = rng.random(300) < rest / 1000
    masks = np.where(able, 1 << 1 | 1 << 3, 1 << 2 | 1 << rng.choice((4, 5), 300))
    ranked = RankedAnswers(np.zeros(300, np.int32), np.zeros(300, bool), masks, rest / 1000, 1)
    tally = VersionTally(ENDS, n=300)
    tally.options.update({slot: int((masks >> slot & 1).sum()) for slot in range(1, 6)})
    figures = item_figures(counts_of(tally, rest_counts(ranked, BINS)[0], {1, 2}, slots=5, choose=2), ENDS)
    rests = {option.slot: option.rest for option in figures.options}
    assert figures.key_rest == rests[2] < 0 < rests[1]
    assert figures.chance == 1 / 10
    assert figures.discrimination is None  # nobody was right here
    strongest = max(figures.options, key=lambda option: option.evidence or 0)
    assert strongest.slot == 3
    assert not any(option.evidence for option in figures.options if option.is_key)


def test_a_rare_distractor_or_a_few_answers_do_not_flag_a_miskey(answers: Simulated) -> None:
    counts = answers.counts(MISKEYED)
    rare = [replace(option, n=19) if option.slot == 2 else option for option in counts.options]
    assert Flag.MISKEY not in item_figures(replace(counts, options=rare), ENDS).flags
    few = simulate(LEAST_ANSWERS - 1)
    assert [few.figures(item).flags for item in range(LENGTH)] == [()] * LENGTH
    assert Flag.MISKEY in simulate(LEAST_ANSWERS).figures(MISKEYED).flags


def test_without_counts_there_are_no_figures_and_no_errors() -> None:
    nothing = RestCounts(0, 0, 0, 0, 0, [[0, 0]] * BINS, {})
    for bins in (nothing.by_rest, []):
        figures = item_figures(replace(counts_of(VersionTally(ENDS), nothing, {1}), by_rest=bins, by_seconds=[]), ENDS)
        assert (figures.facility, figures.discrimination, figures.seconds, figures.thirds) == (None, None, None, ())
        assert figures.flags == ()
        assert [option.share for option in figures.options] == [None] * OPTIONS


@pytest.mark.parametrize(
    ("right", "n", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_the_wilson_intervals_match_the_published_ones(right: int, n: int, low: float, high: float) -> None:
    """The intervals are from Newcombe 1998, Statistics in Medicine 17, 857-872, table I, method 3."""
    assert wilson(right, n) == pytest.approx((low, high), abs=5e-5)


@pytest.mark.parametrize(
    ("bins", "cuts"),
    [
        ([3, 3, 3], (1, 2)),
        ([1] * 9, (3, 6)),
        ([1] * 10, (3, 6)),
        ([0, 0, 9, 0, 0], (0, 0)),
        ([5, 1, 1, 1, 5], (1, 4)),
        ([], (0, 0)),
    ],
)
def test_the_thirds_are_as_equal_as_whole_bins_allow(bins: list[int], cuts: tuple[int, int]) -> None:
    assert third_cuts(bins) == cuts


@given(st.lists(st.integers(0, 500), min_size=10, max_size=10))
def test_no_other_cuts_give_more_equal_thirds(bins: list[int]) -> None:
    def distance(first: int, second: int) -> float:
        parts = (sum(bins[:first]), sum(bins[first:second]), sum(bins[second:]))
        return sum((part - sum(bins) / 3) ** 2 for part in parts)

    best = min(distance(first, second) for first in range(11) for second in range(first, 11))
    assert distance(*third_cuts(bins)) == pytest.approx(best)


@pytest.mark.parametrize(
    ("by_seconds", "median"),
    [
        ([10], 7.5),
        ([0, 10], 22.5),
        ([1, 1, 0, 0, 2], 30),
        ([1, 0, 0, 0, 3], 70),
        ([0] * 9 + [3], math.inf),
        ([2] + [0] * 8 + [1], 11.25),
        ([0] * 10, None),
        ([], None),
    ],
)
def test_the_median_time_is_read_from_the_bins(by_seconds: list[int], median: float | None) -> None:
    assert median_seconds(by_seconds, ENDS) == (median if median is None else pytest.approx(median))


def test_the_interpolated_median_is_near_the_true_one(answers: Simulated) -> None:
    true = float(np.median(answers.seconds[:, SOUND]))
    assert answers.figures(SOUND).seconds == pytest.approx(true, rel=0.1)


def test_the_domain_that_runs_out_first_decides_how_many_mocks_there_are() -> None:
    wanted, have = {1: 8, 2: 9, 3: 0}, {1: 24, 2: 17}
    assert whole_mocks(wanted, have) == 1
    assert missing_for(2, wanted, have) == {2: 1}
    assert missing_for(4, wanted, have) == {1: 8, 2: 19}
    assert whole_mocks({}, have) == 0
    assert whole_mocks(wanted, {}) == 0
