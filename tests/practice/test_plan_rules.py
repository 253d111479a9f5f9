"""For any input a plan keeps its rules about minutes, mocks, the last days and order, and missed work moves on."""

import dataclasses
import datetime as dt
from itertools import pairwise

import pytest
from hypothesis import given as given_by
from hypothesis import settings
from hypothesis import strategies as st

from practice.readiness.plan.rules import Known, Section, plan_days
from practice.readiness.rules import (
    LAST_DAYS,
    LAST_WEEK,
    MEASURE,
    MOCK,
    MOCK_BEFORE_DAYS,
    MOCK_EVERY_DAYS,
    PRACTISE,
    READ,
    REST,
    REVIEW,
    DomainFacts,
    Facts,
    advise,
)

pytestmark = pytest.mark.long("drawn cases")

TODAY = dt.date(2026, 11, 27)
KEYS = ("d1", "d2", "d3", "d4")


def given(*strategies):
    """Return Hypothesis's ``given`` without a deadline, because no test measures time."""
    return lambda test: settings(deadline=None, max_examples=60)(given_by(*strategies)(test))


@st.composite
def domains(draw):
    return tuple(
        DomainFacts(
            key,
            number,
            key.upper(),
            n=draw(st.integers(0, 60)),
            share=draw(st.floats(0, 1)),
            gain=draw(st.floats(0, 0.2)),
            module=draw(st.none() | st.just(number)),
            recent=draw(st.integers(0, 80)),
            weight=draw(st.floats(5, 40)),
        )
        for number, key in enumerate(KEYS, 1)
    )


@st.composite
def facts(draw, least_days=0, most_days=80):
    minutes = draw(st.integers(5, 240))
    return Facts(
        chance=draw(st.none() | st.floats(0, 1)),
        missing=draw(st.integers(0, 40)),
        lacking=(),
        domains=draw(domains()),
        due=draw(st.integers(0, 40)),
        minutes_today=draw(st.integers(0, minutes + 30)),
        minutes_a_day=minutes,
        days_to_exam=draw(st.integers(least_days, most_days)),
        days_since_mock=draw(st.none() | st.integers(0, 20)),
        unseen_mocks=draw(st.integers(0, 6)),
        seconds=draw(st.integers(40, 280)),
        is_begun=draw(st.booleans()),
    )


@st.composite
def known(draw, told=None):
    facts_ = draw(facts() if told is None else told)
    sections = [
        Section(each.key, each.module, f"s{number}", "About it", draw(st.integers(1, 12)))
        for each in facts_.domains
        if each.module
        for number in range(1, draw(st.integers(1, 5)) + 1)
    ]
    return Known(
        facts=facts_,
        today=TODAY,
        mock_count=60,
        mock_minutes=120,
        arriving=draw(st.lists(st.integers(0, 30), max_size=90)),
        sections=sections,
    )


def entries(days):
    return [entry for day in days for entry in day.entries]


def of_kind(days, kind):
    return [day.date for day in days if any(entry.kind == kind for entry in day.entries)]


@given(known())
def test_only_a_day_with_a_mock_exceeds_its_minutes_and_it_has_nothing_else(told):
    for day in plan_days(told):
        limit = told.facts.minutes_a_day
        if day.date == TODAY:
            limit = max(limit - told.facts.minutes_today, 0)
        assert day.minutes <= limit or [entry.kind for entry in day.entries] == [MOCK]


@given(known())
def test_days_are_consecutive_up_to_the_exam_and_end_there(told):
    days = plan_days(told)
    assert [day.date for day in days] == [TODAY + dt.timedelta(n) for n in range(told.facts.days_to_exam + 1)]
    assert [day.is_exam for day in days] == [False] * told.facts.days_to_exam + [True]
    assert {entry.kind for entry in days[-1].entries} <= {REVIEW}


@given(known(facts(-30, -1)))
def test_there_is_no_plan_once_the_exam_is_over(told):
    assert plan_days(told) == []


def test_there_is_no_plan_without_a_date_or_minutes():
    for missing in ({"days_to_exam": None}, {"minutes_a_day": None}):
        base = Facts(0.4, 0, (), (), 0, 0, 30, 20, None, 2)
        assert plan_days(Known(dataclasses.replace(base, **missing), TODAY, 60, 120)) == []


@given(known())
def test_mocks_are_a_week_apart_as_many_as_available_and_none_just_before_the_exam(told):
    at = [(date - TODAY).days for date in of_kind(plan_days(told), MOCK)]
    assert len(at) <= told.facts.unseen_mocks
    assert all(later - earlier >= MOCK_EVERY_DAYS for earlier, later in pairwise(at))
    assert all(told.facts.days_to_exam - day >= MOCK_BEFORE_DAYS for day in at)
    if at and told.facts.days_since_mock is not None:
        assert at[0] + told.facts.days_since_mock >= MOCK_EVERY_DAYS


@given(known(facts(LAST_WEEK + 2 * MOCK_EVERY_DAYS, 80)))
def test_an_unseen_mock_is_left_for_the_last_week(told):
    at = [(date - TODAY).days for date in of_kind(plan_days(told), MOCK)]
    in_last_week = [day for day in at if told.facts.days_to_exam - day <= LAST_WEEK]
    assert len(in_last_week) == min(told.facts.unseen_mocks, 1)


@given(known())
def test_the_last_days_have_reviews_and_at_most_one_mock(told):
    days = plan_days(told)[-LAST_DAYS - 1 :]
    coming = [day for day in days if day.date > TODAY]
    kinds = [entry.kind for entry in entries(coming)]
    assert set(kinds) <= {REVIEW, MOCK}
    assert kinds.count(MOCK) <= 1
    today = [entry.kind for entry in entries(days) if days[0].date == TODAY]
    assert set(today) <= {REVIEW, MOCK, MEASURE} or told.facts.days_to_exam > LAST_DAYS


@given(known())
def test_today_begins_with_the_recommended_step_at_its_length(told):
    first, advice = plan_days(told)[0].entries[:1], advise(told.facts)
    assert [entry.kind for entry in first] == [advice.kind] * (advice.kind != REST)
    for entry in first:
        assert entry.domain == advice.domain
        assert entry.count == {MOCK: told.mock_count}.get(entry.kind, advice.count)
        assert entry.kind != READ or entry.sections[0].module == advice.domain.module


@given(known(facts(30, 80)))
def test_unseen_domains_come_first_then_the_weakest(told):
    even = [dataclasses.replace(each, gain=0, recent=0, weight=25) for each in told.facts.domains]
    unseen = tuple(dataclasses.replace(each, n=0, share=0.5) for each in even[:2])
    seen = tuple(dataclasses.replace(each, n=9, share=share) for each, share in zip(even[2:], (0.9, 0.2), strict=True))
    fresh = dataclasses.replace(
        told.facts, chance=None, missing=0, domains=(*seen, *unseen), minutes_today=0, due=0, unseen_mocks=0
    )
    told = dataclasses.replace(told, facts=fresh, arriving=())
    met = [entry.domain.key for entry in entries(plan_days(told)) if entry.domain]
    order = list(dict.fromkeys(met))
    assert set(order[:2]) <= {"d1", "d2"}
    assert order[2:3] in ([], ["d4"])


@given(known(facts(40, 80)), st.integers(1, 20))
def test_missed_work_moves_to_later_days_in_order(told, missed):
    """After some days without work it resumes where it stopped, and less of it is left."""
    told = dataclasses.replace(
        told, arriving=(), facts=dataclasses.replace(told.facts, minutes_today=0, due=0, days_since_mock=None)
    )
    later = dataclasses.replace(
        told,
        today=TODAY + dt.timedelta(missed),
        facts=dataclasses.replace(told.facts, days_to_exam=told.facts.days_to_exam - missed),
    )
    before, after = work_of(plan_days(told)), work_of(plan_days(later))
    assert before[: len(after)] == after
    assert len(after) <= len(before)
    assert plan_days(later)[-1].date == plan_days(told)[-1].date


def work_of(days):
    return [
        (entry.kind, entry.domain.key, entry.sections[0].anchor if entry.sections else "")
        for entry in entries(days)
        if entry.kind in {READ, PRACTISE}
    ]


@given(known())
def test_each_section_is_read_once_and_in_the_order_of_its_module(told):
    minutes = {}
    order = []
    for entry in entries(plan_days(told)):
        for section in entry.sections:
            at = section.module, section.anchor
            minutes[at] = minutes.get(at, 0) + section.minutes
            order.append(at)
    given_minutes = {(each.module, each.anchor): each.minutes for each in told.sections}
    assert all(minutes[at] <= given_minutes[at] for at in minutes)
    for module in {module for module, _ in order}:
        anchors = [anchor for at, anchor in order if at == module]
        assert anchors == sorted(anchors)


@given(known())
def test_reviews_that_do_not_fit_in_a_day_wait_for_the_next(told):
    days = plan_days(told)
    planned = sum(entry.count for entry in entries(days) if entry.kind == REVIEW)
    assert planned <= told.facts.due + sum(told.arriving[: told.facts.days_to_exam])
