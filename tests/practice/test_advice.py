"""Check how a prediction is worded and which next step is recommended."""

import dataclasses

import pytest
from django.template.loader import render_to_string

from practice.readiness.reads.steps import Step
from practice.readiness.rules import EITHER_WAY, LIKELY, NOT_YET, TOO_EARLY, DomainFacts, Facts, advise, word_for
from tests.support.hooks import figures

WEAK = DomainFacts("d2", 2, "Two", n=20, share=0.4, gain=0.05)
STRONG = DomainFacts("d1", 1, "One", n=20, share=0.8, gain=0.01)
FACTS = Facts(
    chance=0.4, missing=0, lacking=(), domains=(STRONG, WEAK), due=0, minutes_today=0,
    minutes_a_day=None, days_to_exam=None, days_since_mock=2, unseen_mocks=3,
)  # fmt: skip


@pytest.mark.parametrize(
    ("chance", "word"),
    [(None, TOO_EARLY), (0.0, NOT_YET), (0.23, NOT_YET), (0.34, EITHER_WAY), (0.66, EITHER_WAY), (0.67, LIKELY)],
)
def test_the_wording_matches_the_chance_beside_it(chance, word):
    assert word_for(chance) == word


def step(**changes):
    return advise(dataclasses.replace(FACTS, **changes))


def test_the_next_step_is_the_one_that_raises_the_chance_most():
    assert (step().kind, step().domain) == ("practise", WEAK)


def test_without_a_prediction_the_advice_is_to_measure_first():
    assert step(chance=None, missing=12, lacking=(STRONG,)).kind == "measure"


@pytest.mark.parametrize(
    ("missing", "minutes", "count"), [(30, None, 0), (20, None, 0), (16, None, 0), (15, None, 15), (20, 60, 20)]
)
def test_after_ten_questions_a_check_comes_next_or_a_drill_that_fits_the_plan(missing, minutes, count):
    advice = step(chance=None, missing=missing, minutes_a_day=minutes)
    assert (advice.kind, advice.count) == ("measure", count)


def test_many_due_reviews_come_before_anything_new_but_a_few_can_wait():
    assert step(due=5).kind == "review"
    assert step(due=4).kind == "practise"


def test_a_planned_day_ends_once_its_minutes_are_done():
    assert step(minutes_a_day=30, minutes_today=30, due=20).kind == "rest"
    assert step(minutes_a_day=90, minutes_today=30).kind == "practise"
    assert step(minutes_today=600).kind == "practise", "nobody without a plan has done what they planned"


def test_a_mock_is_advised_once_a_week_when_the_chance_is_fair():
    assert step(chance=0.6, days_since_mock=7).kind == "mock"
    assert step(chance=0.6, days_since_mock=None).kind == "mock"
    assert step(chance=0.6, days_since_mock=6).kind == "practise"
    assert step(chance=0.4, days_since_mock=30).kind == "practise"


def why(days_since_mock):
    facts = dataclasses.replace(FACTS, chance=0.6, days_since_mock=days_since_mock)
    return render_to_string("practice/_step_why.html", {"next": Step(advise(facts), facts)})


@pytest.mark.parametrize("days", [7, 8, 41])
def test_the_advice_says_how_many_days_ago_the_last_mock_was(days):
    assert figures(why(days)) == [days]
    assert figures(why(None)) == []


@pytest.mark.parametrize(
    ("days", "mocks", "kind"), [(30, 1, "practise"), (30, 2, "mock"), (7, 1, "mock"), (7, 0, "practise")]
)
def test_the_last_unseen_mock_is_kept_for_the_last_week(days, mocks, kind):
    assert step(chance=0.6, days_since_mock=9, days_to_exam=days, unseen_mocks=mocks).kind == kind


def test_reading_comes_first_in_a_weak_domain_with_an_unread_module():
    unread = dataclasses.replace(WEAK, module=3)
    assert step(domains=(STRONG, unread)).kind == "read"
    assert step(domains=(STRONG, dataclasses.replace(unread, n=9))).kind == "practise"
    assert step(domains=(STRONG, dataclasses.replace(unread, share=0.6))).kind == "practise"
