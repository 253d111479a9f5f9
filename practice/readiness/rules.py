"""What a prediction comes to, and what to do next; pure. The templates put both into words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from practice.reviews.rules import DAILY

TOO_EARLY, NOT_YET, EITHER_WAY, LIKELY = "too-early", "not-yet", "either-way", "likely"
DUE_FIRST = 5
"""So many reviews due come before anything new."""
LIKELY_FROM, NOT_YET_BELOW = 2 / 3, 1 / 3
"""Chances that have a word of their own; between them it could go either way."""
READ_BELOW = 0.5
READ_AFTER = 10
"""After so many answers in a domain below half right, reading comes before more questions."""
# An even chance, a week apart, and the last unseen mock kept for the week before the exam, whatever the chance then.
MOCK_FROM = 0.5
MOCK_EVERY_DAYS = 7
LAST_WEEK = 7
MOCK_BEFORE_DAYS = 2
"""A mock nearer to the exam than this would only tire."""
LAST_DAYS = 3
"""The days before the exam that bring nothing new: what is due, and the last mock where it was missed."""
BLOCK = 20
"""The questions of a planned drill."""
SMALL_BLOCK = 5
"""A drill of fewer questions waits until the reviews that are due are done, or for tomorrow."""
MEASURE_MOST = 30
DEFAULT_SECONDS = 110
"""What a question takes, until a learner's own pace is known."""
REST, REVIEW, MEASURE, MOCK, READ, PRACTISE = "rest", "review", "measure", "mock", "read", "practise"
"""What can be advised, and but for the first what a plan holds."""


def word_for(chance: float | None) -> str:
    """Which of the four words fits the chance that stands beside it."""
    if chance is None:
        return TOO_EARLY
    if chance < NOT_YET_BELOW:
        return NOT_YET
    return LIKELY if chance >= LIKELY_FROM else EITHER_WAY


def bounded(chance: float) -> int:
    """In percent, never 0 and never 100: nothing here is certain."""
    return min(max(round(100 * chance), 1), 99)


def minutes_for(count: int, seconds: float) -> int:
    """What so many questions take, as every page says it."""
    return max(1, round(count * seconds / 60))


@dataclass(frozen=True)
class DomainFacts:
    """A domain as advice sees it. ``module`` is the number of its study module that was not read, if there is one.

    ``recent`` answers were given in it lately: the more there are, the sooner it is another domain's turn.
    """

    key: str
    number: int
    name: str
    n: int
    share: float
    gain: float
    module: int | None = None
    recent: int = 0
    weight: float = 1.0

    def reads_first(self, drilled: int) -> bool:
        """It is new, or most answers were wrong: reading helps more than guessing."""
        return self.n + drilled == 0 or (self.n >= READ_AFTER and self.share < READ_BELOW)


@dataclass(frozen=True)
class Facts:
    """What the advice rests on. Days and minutes are the learner's own; None where it is not known.

    ``missing`` answers are what a drill of the ``lacking`` domains deals, of all where there are none. A question takes
    ``seconds``. Nothing ``is_begun`` before something was marked: then a check comes first.
    """

    chance: float | None
    missing: int
    lacking: tuple[DomainFacts, ...]
    domains: tuple[DomainFacts, ...]
    due: int
    minutes_today: int
    minutes_a_day: int | None
    days_to_exam: int | None
    days_since_mock: int | None
    unseen_mocks: int
    seconds: int = DEFAULT_SECONDS
    is_begun: bool = True

    @property
    def is_planned(self) -> bool:
        """The days to the exam can be planned: there is a date that is not past, and minutes for each of them."""
        return bool(self.minutes_a_day) and self.days_to_exam is not None and self.days_to_exam >= 0

    @property
    def minutes_left(self) -> int | None:
        """Of today's; None for whoever set none."""
        return None if self.minutes_a_day is None else max(self.minutes_a_day - self.minutes_today, 0)

    @property
    def is_enough(self) -> bool:
        """Today holds no question more. Only whoever set minutes can have done what they set out to do."""
        return self.minutes_left is not None and self.holds(self.minutes_left) == 0

    @property
    def is_last_days(self) -> bool:
        """Nothing new any more."""
        return self.days_to_exam is not None and 0 <= self.days_to_exam <= LAST_DAYS

    @property
    def reviews_today(self) -> int:
        """How many of the reviews that are due today's minutes hold."""
        due = min(self.due, DAILY)
        return due if self.minutes_left is None else min(due, self.holds(self.minutes_left))

    @property
    def smallest(self) -> int:
        """A drill of fewer questions is not worth its start, where a whole day holds more."""
        return max(1, min(SMALL_BLOCK, self.holds(self.minutes_a_day or 0)))

    @property
    def is_crowded(self) -> bool:
        """Beside the reviews that are due there is no room for a drill."""
        return self.due > 0 and self.beside_reviews(SMALL_BLOCK) < self.smallest

    def beside_reviews(self, most: int) -> int:
        """How many other questions today holds, ``most`` at most."""
        if self.minutes_left is None:
            return most
        reviews = self.reviews_today
        taken = minutes_for(reviews, self.seconds) if reviews else 0
        return min(self.holds(max(self.minutes_left - taken, 0)), most)

    def holds(self, minutes: int) -> int:
        """How many questions so many minutes hold. A whole day holds one, however slow its learner is."""
        return minutes * 60 // min(self.seconds, 60 * (self.minutes_a_day or self.seconds))


@dataclass(frozen=True)
class Advice:
    """One step: ``kind`` is rest, review, measure, mock, read or practise; ``domain`` where it speaks of one.

    ``count`` is of a review's, a measuring's or a drill's questions; 0 of a check's, which asks as many as it needs.
    """

    kind: str
    domain: DomainFacts | None = None
    count: int = 0


def advise(facts: Facts) -> Advice:
    """The step that helps most now; the first rule that fits."""
    review = Advice(REVIEW, count=facts.reviews_today)
    if facts.is_enough:
        return Advice(REST)
    if facts.due >= DUE_FIRST:
        return review
    is_early = facts.chance is None and facts.days_to_exam != 0
    if not is_early and _mock_is_due(facts):
        return Advice(MOCK)
    if (facts.is_last_days and not is_early) or facts.is_crowded:
        return review if facts.due else Advice(REST)
    return _measuring(facts) if is_early else _something_new(facts)


def next_domain(domains: Sequence[DomainFacts], drilled: Mapping[str, int]) -> DomainFacts:
    """Whose turn it is: a domain without an answer, then the one with most to gain for what it had lately.

    By highest averages, as seats are given by D'Hondt; of two alike the lower number. ``drilled`` are recent answers.
    """
    worth = _worth(domains)
    return max(
        domains,
        key=lambda each: (
            each.n + drilled[each.key] == 0,
            worth[each.key] / (1 + drilled[each.key] / BLOCK),
            -each.number,
        ),
    )


def _worth(domains: Sequence[DomainFacts]) -> dict[str, float]:
    """By domain what practice would gain; before anything is known of that, its weight and what is missed of it."""
    if any(each.gain > 0 for each in domains):
        return {each.key: each.gain for each in domains}
    return {each.key: each.weight * (1 - each.share) for each in domains}


def _measuring(facts: Facts) -> Advice:
    most = min(max(facts.missing, 1), MEASURE_MOST)
    return Advice(MEASURE, count=facts.beside_reviews(most) if facts.is_begun else 0)


def _something_new(facts: Facts) -> Advice:
    best = next_domain(facts.domains, {each.key: each.recent for each in facts.domains})
    if best.module is not None and best.reads_first(best.recent):
        return Advice(READ, best)
    return Advice(PRACTISE, best, facts.beside_reviews(BLOCK))


def _mock_is_due(facts: Facts) -> bool:
    """A week since the last one and an unseen one to spare, of which the last is kept for the last week.

    Before that week a fair chance as well, and a week until it: the last one would have to wait otherwise.
    """
    days = facts.days_to_exam
    waited = facts.days_since_mock is None or facts.days_since_mock >= MOCK_EVERY_DAYS
    if days is not None and 0 <= days <= LAST_WEEK:
        return waited and facts.unseen_mocks > 0 and days >= MOCK_BEFORE_DAYS
    is_ahead = days is not None and days > LAST_WEEK
    spare = facts.unseen_mocks - (1 if is_ahead else 0)
    too_near = is_ahead and (days or 0) < LAST_WEEK + MOCK_EVERY_DAYS
    return spare > 0 and waited and not too_near and (facts.chance or 0) >= MOCK_FROM
