"""When a question comes back, by FSRS (the ``fsrs`` package, default weights, 90% retention); pure.

A card is created by a miss, or by a right answer that the learner calls a guess; every later answer to that question
reviews it. Wrong is Again; right is Good; right but a guess, or very slow, is Hard; Easy is never inferred. There are
no learning or relearning steps and no fuzz: the same answers give the same card, and none is due on the day of its last
answer. A miss the learner was sure of is due within a week, whatever was known before: errors made with confidence are
corrected well and come back as the correction is forgotten (Butler, Fazio & Marsh, Psychonomic Bulletin & Review 18,
2011, 1238-1244).
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass

from fsrs import Card, Rating, Scheduler, State

# How many reviews a day; the rest wait for the next day, oldest first.
DAILY = 20
FORECAST_DAYS = 14
"""Further ahead, answers still to come matter more than what is scheduled now."""
SLOW_PACES = 3
"""An answer that took this many times the exam's pace was worked out, not remembered, even if right. Generous, because
people leave the page as well."""
SURE_MISS_DAYS = 7
"""A learner who is sure and wrong repeats the mistake until they notice; FSRS ignores confidence and might wait for
weeks."""
DAY = dt.timedelta(days=1)
SCHEDULER = Scheduler(learning_steps=(), relearning_steps=(), enable_fuzzing=False)


@dataclass(frozen=True)
class Answer:
    at: dt.datetime
    is_right: bool
    is_guess: bool = False
    is_slow: bool = False
    is_sure: bool = False


@dataclass(frozen=True)
class CardState:
    """A card after its last answer: stability in days, difficulty from 1 to 10.

    ``reviews`` counts the answers after the one that created it, ``lapses`` the wrong ones among them.
    """

    stability: float
    difficulty: float
    reviewed_at: dt.datetime
    due_at: dt.datetime
    reviews: int
    lapses: int


def is_very_slow(seconds: int, pace: float | None) -> bool:
    """More than three times the exam's pace (seconds a question); without a pace nothing is slow."""
    return pace is not None and seconds > SLOW_PACES * pace


def rating_of(answer: Answer) -> Rating:
    if not answer.is_right:
        return Rating.Again
    return Rating.Hard if answer.is_guess or answer.is_slow else Rating.Good


def replay(answers: Iterable[Answer]) -> CardState | None:
    """One learner's card for one question after these answers, oldest first; None while there is no card."""
    state = None
    for answer in answers:
        if state is not None or answer.is_guess or not answer.is_right:
            state = _answered(state, answer)
    return state


def _answered(state: CardState | None, answer: Answer) -> CardState:
    at = answer.at.astimezone(dt.UTC)
    card = Card(card_id=0)
    if state is not None:
        last = at - whole_days(at - state.reviewed_at) * DAY
        card = Card(0, State.Review, stability=state.stability, difficulty=state.difficulty, last_review=last)
    card, _ = SCHEDULER.review_card(card, rating_of(answer), at)
    if card.stability is None or card.difficulty is None:
        raise ValueError("a reviewed card has a stability and a difficulty")
    return CardState(
        stability=card.stability,
        difficulty=card.difficulty,
        reviewed_at=at,
        due_at=min(card.due, at + SURE_MISS_DAYS * DAY) if answer.is_sure and not answer.is_right else card.due,
        reviews=state.reviews + 1 if state else 0,
        lapses=state.lapses + (not answer.is_right) if state else 0,
    )


def whole_days(passed: dt.timedelta) -> int:
    """Rounded to days, at least 0: what is due tomorrow may be answered at an earlier time of day."""
    return max(0, (passed + DAY / 2).days)


def cap_at_exam(day: dt.date, exam_date: dt.date | None, today: dt.date) -> dt.date:
    """The day a card is due with an exam ahead: no later than the exam. A past exam has no effect."""
    return day if exam_date is None or exam_date < today else min(day, exam_date)


def spread(due: Iterable[dt.date], today: dt.date, left_today: int) -> list[int]:
    """How many reviews each of the next 14 days has, today first, given the day each card is due.

    At most 20 a day, and today what is left of them; overdue cards, and those that don't fit into a day, go to the
    first day with room.
    """
    arriving = [0] * FORECAST_DAYS
    for day in due:
        ahead = max(0, (day - today).days)
        if ahead < FORECAST_DAYS:
            arriving[ahead] += 1
    held, waiting = [], 0
    for ahead, count in enumerate(arriving):
        waiting += count
        held.append(min(waiting, left_today if ahead == 0 else DAILY))
        waiting -= held[-1]
    return held
