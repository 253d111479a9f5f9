"""What a prediction means, and what to do next; pure. The templates put both into words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from practice.reviews.rules import DAILY

TOO_EARLY, NOT_YET, EITHER_WAY, LIKELY = "too-early", "not-yet", "either-way", "likely"
DUE_FIRST = 5
"""With this many reviews due, they come before anything new."""
LIKELY_FROM, NOT_YET_BELOW = 2 / 3, 1 / 3
"""Chances with their own word; in between, it could go either way."""
READ_BELOW = 0.5
READ_AFTER = 10
"""After this many answers in a domain with under half right, reading comes before more questions."""
# Mocks are recommended at an even chance and a week apart; the last unseen one is kept for the week before the exam,
# whatever the chance is then.
MOCK_FROM = 0.5
MOCK_EVERY_DAYS = 7
LAST_WEEK = 7
MOCK_BEFORE_DAYS = 2
"""A mock closer to the exam than this would only be tiring."""
LAST_DAYS = 3
"""The days before the exam that bring nothing new: only due reviews, and the last mock if it was missed."""
BLOCK = 20
"""The questions of a planned drill."""
SMALL_BLOCK = 5
"""A smaller drill waits until the due reviews are done, or until tomorrow."""
MEASURE_MOST = 30
"""As ``NEEDED`` in pass_chance.py. A domain that lacks answers too would need more, which the next recommendation asks
for."""
CHECK_ABOVE = 15
"""While more answers than this are missing, as after a first taste, a check finds out sooner than a drill of them."""
DEFAULT_SECONDS = 110
"""Seconds per question until a learner's own pace is known."""
REST, REVIEW, MEASURE, MOCK, READ, PRACTISE = "rest", "review", "measure", "mock", "read", "practise"
"""The kinds of advice; all except the first can be in a plan."""


def word_for(chance: float | None) -> str:
    """Which of the four words fits the chance shown with it."""
    if chance is None:
        return TOO_EARLY
    if chance < NOT_YET_BELOW:
        return NOT_YET
    return LIKELY if chance >= LIKELY_FROM else EITHER_WAY


def bounded(chance: float) -> int:
    """The chance in percent, never 0 or 100: nothing here is certain."""
    return min(max(round(100 * chance), 1), 99)


def minutes_for(count: int, seconds: float) -> int:
    """The minutes for this many questions, as shown on every page."""
    return max(1, round(count * seconds / 60))


@dataclass(frozen=True)
class DomainFacts:
    """A domain as seen by the advice. ``module`` is the number of its unread study module, if there is one.

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
        """Whether it is new or most answers were wrong: then reading helps more than guessing."""
        return self.n + drilled == 0 or (self.n >= READ_AFTER and self.share < READ_BELOW)


@dataclass(frozen=True)
class Facts:
    """What the advice is based on. Days and minutes are the learner's own; None if unknown.

    ``missing`` answers are what a drill of the ``lacking`` domains draws, from all domains if there are none. A
    question takes ``seconds``. ``is_begun`` is False until something was marked: then a check comes first.
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
        """Whether the days until the exam can be planned: there is a date in the future, and minutes per day."""
        return bool(self.minutes_a_day) and self.days_to_exam is not None and self.days_to_exam >= 0

    @property
    def minutes_left(self) -> int | None:
        """Minutes left today; None if none are set."""
        return None if self.minutes_a_day is None else max(self.minutes_a_day - self.minutes_today, 0)

    @property
    def is_enough(self) -> bool:
        """Whether today has no room for another question. Only learners who set minutes can be done for the day."""
        return self.minutes_left is not None and self.holds(self.minutes_left) == 0

    @property
    def is_last_days(self) -> bool:
        """Whether nothing new should be started."""
        return self.days_to_exam is not None and 0 <= self.days_to_exam <= LAST_DAYS

    @property
    def reviews_today(self) -> int:
        """How many of the due reviews fit into today's minutes."""
        due = min(self.due, DAILY)
        return due if self.minutes_left is None else min(due, self.holds(self.minutes_left))

    @property
    def smallest(self) -> int:
        """The smallest drill worth starting, if a whole day has room for more."""
        return max(1, min(SMALL_BLOCK, self.holds(self.minutes_a_day or 0)))

    @property
    def is_crowded(self) -> bool:
        """Whether the due reviews leave no room for a drill."""
        return self.due > 0 and self.beside_reviews(SMALL_BLOCK) < self.smallest

    def beside_reviews(self, most: int) -> int:
        """How many other questions fit into today, at most ``most``."""
        if self.minutes_left is None:
            return most
        reviews = self.reviews_today
        taken = minutes_for(reviews, self.seconds) if reviews else 0
        return min(self.holds(max(self.minutes_left - taken, 0)), most)

    def holds(self, minutes: int) -> int:
        """How many questions fit into this many minutes. A whole day has room for one, however slow the learner is."""
        return minutes * 60 // min(self.seconds, 60 * (self.minutes_a_day or self.seconds))


@dataclass(frozen=True)
class Advice:
    """One step: ``kind`` is rest, review, measure, mock, read or practise; ``domain`` if it is about one.

    ``count`` is the number of questions in a review, measuring drill or drill; 0 for a check, which asks as many as it
    needs.
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
    """Whose turn it is: a domain without answers, then the one with most to gain relative to its recent answers.

    By highest averages, as D'Hondt's method allocates seats; ties go to the lower number. ``drilled`` are recent
    answers.
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
    """By domain, what practice would gain; before that is known, its weight and share of misses."""
    if any(each.gain > 0 for each in domains):
        return {each.key: each.gain for each in domains}
    return {each.key: each.weight * (1 - each.share) for each in domains}


def _measuring(facts: Facts) -> Advice:
    if not facts.is_begun or (facts.minutes_a_day is None and facts.missing > CHECK_ABOVE):
        return Advice(MEASURE)
    return Advice(MEASURE, count=facts.beside_reviews(min(max(facts.missing, 1), MEASURE_MOST)))


def _something_new(facts: Facts) -> Advice:
    best = next_domain(facts.domains, {each.key: each.recent for each in facts.domains})
    if best.module is not None and best.reads_first(best.recent):
        return Advice(READ, best)
    return Advice(PRACTISE, best, facts.beside_reviews(BLOCK))


def _mock_is_due(facts: Facts) -> bool:
    """Whether a mock is due: the last one was at least a week ago, and an unseen one is left.

    Before the week of the exam there must be another for that week, a fair chance of passing, and a week until then:
    otherwise the mock of that week would have to wait.
    """
    days = facts.days_to_exam
    waited = facts.days_since_mock is None or facts.days_since_mock >= MOCK_EVERY_DAYS
    if days is not None and 0 <= days <= LAST_WEEK:
        return waited and facts.unseen_mocks > 0 and days >= MOCK_BEFORE_DAYS
    is_ahead = days is not None and days > LAST_WEEK
    spare = facts.unseen_mocks - (1 if is_ahead else 0)
    too_near = is_ahead and (days or 0) < LAST_WEEK + MOCK_EVERY_DAYS
    return spare > 0 and waited and not too_near and (facts.chance or 0) >= MOCK_FROM
