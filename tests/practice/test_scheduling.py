"""Check when a question comes back for review."""

import datetime as dt

import pytest
from fsrs import Rating
from hypothesis import given
from hypothesis import strategies as st

from practice.reviews.rules import (
    DAILY,
    DAY,
    FORECAST_DAYS,
    SURE_MISS_DAYS,
    Answer,
    cap_at_exam,
    is_very_slow,
    rating_of,
    replay,
    spread,
    whole_days,
)

START = dt.datetime(2026, 3, 1, 9, 0, tzinfo=dt.UTC)
TODAY = START.date()
MINUTES_IN_A_YEAR = 365 * 24 * 60
ENOUGH_ANSWERS = 12


@st.composite
def histories(draw, least=0):
    """Draw answers to one question in order, from seconds to a year apart."""
    at, answers = START, []
    for _ in range(draw(st.integers(least, ENOUGH_ANSWERS))):
        at += dt.timedelta(minutes=draw(st.integers(0, MINUTES_IN_A_YEAR)))
        answers.append(Answer(at, draw(st.booleans()), draw(st.booleans()), draw(st.booleans())))
    return answers


def miss(days=0.0):
    return Answer(START + days * DAY, False)


def right(days=0.0, **marks):
    return Answer(START + days * DAY, True, **marks)


def interval(answers):
    state = replay(answers)
    return (state.due_at - state.reviewed_at) // DAY


def known_well():
    """Return answers missed once and then right for years, after which even a miss is due only weeks later."""
    return [miss(), *(right(days) for days in (1, 8, 60, 400, 1500))]


def test_a_sure_miss_is_due_within_a_week_and_any_other_as_scheduled():
    lapse = START + 3000 * DAY
    assert interval([*known_well(), Answer(lapse, False)]) > SURE_MISS_DAYS
    assert interval([*known_well(), Answer(lapse, False, is_sure=True)]) == SURE_MISS_DAYS
    assert interval([Answer(START, False, is_sure=True)]) == interval([miss()])
    right_and_sure = [*known_well(), Answer(lapse, True, is_sure=True)]
    assert interval(right_and_sure) == interval([*known_well(), Answer(lapse, True)])


@given(histories())
def test_a_sure_miss_is_due_within_a_week_however_well_it_was_known(answers):
    at = answers[-1].at if answers else START
    state = replay([*answers, Answer(at + DAY, False, is_sure=True)])
    assert DAY <= state.due_at - state.reviewed_at <= SURE_MISS_DAYS * DAY


# When a card is made


def test_a_miss_or_a_right_guess_makes_a_card_and_nothing_else_does():
    assert replay([]) is None
    assert replay([right(), right(1)]) is None
    assert replay([right(is_slow=True)]) is None
    assert replay([miss()]) is not None
    assert replay([right(is_guess=True)]) is not None


def test_answers_before_a_card_was_made_do_not_affect_it():
    assert replay([right(), right(3), miss(7)]) == replay([miss(7)])


def test_reviews_and_lapses_count_from_when_the_card_was_made():
    state = replay([miss(), right(1), miss(4), right(5)])
    assert (state.reviews, state.lapses) == (3, 1)
    born = replay([miss()])
    assert (born.reviews, born.lapses) == (0, 0)


# Ratings


def test_an_answers_rating_follows_from_result_and_pace():
    assert rating_of(miss()) == Rating.Again
    assert rating_of(Answer(START, False, is_guess=True, is_slow=True)) == Rating.Again
    assert rating_of(right()) == Rating.Good
    assert rating_of(right(is_guess=True)) == Rating.Hard
    assert rating_of(right(is_slow=True)) == Rating.Hard


@given(st.builds(Answer, st.just(START), st.booleans(), st.booleans(), st.booleans()))
def test_no_answer_is_ever_rated_easy(answer):
    assert rating_of(answer) != Rating.Easy


@pytest.mark.parametrize(("seconds", "slow"), [(0, False), (360, False), (361, True)])
def test_an_answer_is_very_slow_above_three_times_the_pace(seconds, slow):
    assert is_very_slow(seconds, 120) is slow
    assert not is_very_slow(seconds, None)


# Intervals


@given(histories(least=1))
def test_no_card_is_due_within_a_day_of_its_last_answer(answers):
    state = replay(answers)
    if state:
        assert state.due_at - state.reviewed_at >= DAY
        assert (state.due_at - state.reviewed_at) % DAY == dt.timedelta(0)
        assert state.reviewed_at == answers[-1].at


@given(histories(), st.integers(0, MINUTES_IN_A_YEAR))
def test_a_wrong_answer_shortens_the_interval_and_a_right_one_never_does(answers, minutes):
    before = replay(answers)
    if before is None:
        return
    at = answers[-1].at + dt.timedelta(minutes=minutes)
    after = {mark: replay([*answers, mark]) for mark in (Answer(at, False), Answer(at, True))}
    wrong, good = after.values()
    assert wrong.stability <= before.stability <= good.stability  # they are equal at the lowest possible stability
    assert wrong.due_at - wrong.reviewed_at <= before.due_at - before.reviewed_at <= good.due_at - good.reviewed_at
    assert wrong.difficulty >= good.difficulty


@given(histories(), st.integers(0, MINUTES_IN_A_YEAR))
def test_a_right_guess_is_due_no_later_than_a_right_answer(answers, minutes):
    at = (answers[-1].at if answers else START) + dt.timedelta(minutes=minutes)
    guess, sure = replay([*answers, Answer(at, True, is_guess=True)]), replay([*answers, Answer(at, True)])
    assert sure is None or guess.due_at <= sure.due_at


def test_intervals_grow_with_right_answers_on_the_due_day():
    answers = [miss()]
    lengths = [interval(answers)]
    for _ in range(4):
        answers.append(Answer(replay(answers).due_at, True))
        lengths.append(interval(answers))
    assert lengths == [1, 2, 6, 17, 44]


def test_intervals_round_to_the_nearest_day_so_tomorrow_morning_is_one_day_away():
    evening, morning = miss(), right(0.6)
    assert whole_days(morning.at - evening.at) == 1
    assert replay([evening, morning]).stability == replay([evening, right(1)]).stability
    assert [whole_days(dt.timedelta(hours=h)) for h in (-30, 0, 11, 12, 35, 36)] == [0, 0, 0, 1, 1, 2]


# The same answers make the same card


@given(histories())
def test_the_same_answers_give_the_same_card(answers):
    assert replay(answers) == replay(list(answers))


@given(histories())
def test_the_card_does_not_depend_on_the_answers_time_zone(answers):
    zone = dt.timezone(dt.timedelta(hours=9))
    moved = [Answer(a.at.astimezone(zone), a.is_right, a.is_guess, a.is_slow) for a in answers]
    assert replay(moved) == replay(answers)


@given(histories(least=1))
def test_an_answer_changes_only_later_card_states(answers):
    """Each prefix of the answers gives the state before the next answer, so that answer is the only difference."""
    states = [replay(answers[:n]) for n in range(len(answers) + 1)]
    assert states[0] is None
    for before, after, answer in zip(states, states[1:], answers, strict=False):
        if after is None:
            assert before is None
            assert answer.is_right
        elif before is not None:
            assert after.reviews == before.reviews + 1
            assert after.lapses == before.lapses + (not answer.is_right)


# The exam's date


def test_nothing_is_due_later_than_the_exam():
    exam = TODAY + 10 * DAY
    assert cap_at_exam(TODAY + 40 * DAY, exam, TODAY) == exam
    assert cap_at_exam(TODAY + 3 * DAY, exam, TODAY) == TODAY + 3 * DAY
    assert cap_at_exam(TODAY + 40 * DAY, TODAY, TODAY) == TODAY


def test_without_an_exam_date_or_after_it_no_due_date_is_capped():
    late = TODAY + 40 * DAY
    assert cap_at_exam(late, None, TODAY) == late
    assert cap_at_exam(late, TODAY - DAY, TODAY) == late


# Twenty cards a day


def test_each_day_has_the_cards_due_on_it():
    due = [TODAY, TODAY + DAY, TODAY + DAY, TODAY + 13 * DAY, TODAY + 14 * DAY]
    assert spread(due, TODAY, DAILY) == [1, 2, *[0] * 11, 1]


def test_overdue_cards_come_first_twenty_a_day_and_push_the_rest_back():
    due = [TODAY - 9 * DAY] * 45 + [TODAY + DAY] * 3
    assert spread(due, TODAY, DAILY)[:4] == [20, 20, 8, 0]


def test_today_gets_only_what_is_left_of_twenty_reviews():
    assert spread([TODAY] * 30, TODAY, 5)[:3] == [5, 20, 5]
    assert spread([TODAY] * 3, TODAY, 0)[:2] == [0, 3]


@given(st.lists(st.integers(-30, 30), max_size=400), st.integers(0, DAILY))
def test_no_day_has_more_than_twenty_and_no_card_is_early_or_lost(offsets, left):
    held = spread([TODAY + n * DAY for n in offsets], TODAY, left)
    assert len(held) == FORECAST_DAYS
    assert all(count <= DAILY for count in held)
    assert held[0] <= left
    for ahead in range(FORECAST_DAYS):
        arrived = sum(n <= ahead for n in offsets)
        assert sum(held[: ahead + 1]) <= arrived
        is_full = held[ahead] == (left if ahead == 0 else DAILY)
        assert is_full or sum(held[: ahead + 1]) == arrived
