"""Check the plan's page, today's part of it on home and hub, and the sections marked as read there."""

import datetime as dt
import re
import uuid

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from practice.models import ExamPlan, Learner, ModuleRead, ReviewCard, SectionRead
from practice.notebook.mark_read import set_read
from practice.notebook.plan import set_plan
from practice.readiness.plan.reads import plan_page
from practice.readiness.plan.rules import FARTHEST_DAYS
from practice.readiness.reads.steps import situation
from practice.readiness.rules import REVIEW
from practice.reviews.rules import DAILY
from questions.catalogue.reads import guide_of
from questions.models import Blueprint, Domain, Question, StudyModule
from tests.practice.test_analysis import DAY, sit
from tests.support.bank import NOW, add_questions, make_exam
from tests.support.hooks import figures, parsed, states
from tests.support.sessions import add_cards, begin_drill, learner_of, seconds

pytestmark = [pytest.mark.long("many requests"), pytest.mark.django_db]
STATEMENTS = 11
"""SQL statements of a plan's page, once the modules' outlines are cached."""


@pytest.fixture
def exam(time_machine):
    time_machine.move_to(seconds(3 * DAY), tick=False)
    exam = make_exam()
    Blueprint.objects.update(question_count=12, minutes=24)
    add_questions(exam, 14)
    return exam


@pytest.fixture
def module(exam):
    words = "<p>" + "word " * 800 + "</p>"
    sections = [
        {"number": f"{n:02}", "anchor": f"s{n}", "title": f"Part {n}", "parts": [{"kind": "text", "html": words}]}
        for n in (1, 2, 3)
    ]
    return StudyModule.objects.create(
        exam=exam, domain=Domain.objects.first(), number=1, slug="one", title="Module one", summary="", body="",
        words=2400, html={"cards": [], "sections": sections, "closing": []},
    )  # fmt: skip


def planned(client, exam, days=20, minutes=60):
    return set_plan(client.owner, exam, seconds(3 * DAY).date() + dt.timedelta(days), minutes, NOW)


def get(client, name="plan", query=""):
    return client.get(reverse(name, args=["pmle"]) + query)


def post(client, name="plan", **fields):
    return client.post(reverse(name, args=["pmle"]), fields, headers={"sec-fetch-site": "same-origin"})


def tasks(page):
    return [task["data-task"] for task in parsed(page).select("#today [data-task]")]


@pytest.mark.parametrize(
    ("days", "minutes", "state"),
    [(None, None, "no-plan"), (None, 30, "no-date"), (20, None, "no-minutes"), (-1, 30, "over")],
)
def test_the_page_says_what_a_plan_still_needs(exam, alice, days, minutes, state):
    date = None if days is None else seconds(3 * DAY).date() + dt.timedelta(days)
    set_plan(alice.owner, exam, date, minutes, NOW)
    shown = get(alice)
    assert states(shown)[:1] == [state]
    assert not parsed(shown).select("#today")


@pytest.mark.parametrize(("days", "minutes"), [(-1, 30), (None, 30), (None, None)])
def test_mails_and_feed_can_still_be_stopped_when_the_plan_is_over(exam, alice, days, minutes):
    date = None if days is None else seconds(3 * DAY).date() + dt.timedelta(days)
    set_plan(alice.owner, exam, date, minutes, NOW)
    assert not parsed(get(alice)).select("#calendar, #reminders")
    ExamPlan.objects.update(feed_token=uuid.uuid4())
    shown = parsed(get(alice))
    assert (len(shown.select("#calendar [name=close]")), len(shown.select("#reminders"))) == (1, 0)
    ExamPlan.objects.update(feed_token=None, remind_on=1)
    shown = parsed(get(alice))
    assert (len(shown.select("#calendar")), len(shown.select("#reminders"))) == (0, 1)


def test_a_stranger_gets_the_form_and_no_account(exam, client):
    assert states(get(client))[:1] == ["no-plan"]
    assert not Learner.objects.exists()


def test_each_day_up_to_the_exam_is_listed_and_the_exam_comes_last(exam, alice):
    planned(alice, exam, days=9)
    dates = [day["data-date"] for day in parsed(get(alice)).select("#days [data-date]")]
    today = seconds(3 * DAY).date()
    assert dates == [str(today + dt.timedelta(n)) for n in range(1, 10)]


def test_distant_days_are_grouped_by_week(exam, alice):
    planned(alice, exam, days=50)
    shown = parsed(get(alice))
    assert len(shown.select("#days [data-date]")) == 14
    assert len(shown.select("#days tbody tr")) == 6


def test_today_begins_with_the_recommended_step_on_plan_home_and_hub(exam, alice):
    sit(alice.owner, exam, 0.4)
    planned(alice, exam)
    pages = [get(alice), alice.get("/"), get(alice, "hub")]
    steps = {parsed(page).select_one("[data-step]")["data-step"] for page in pages}
    assert len(steps) == 1
    assert tasks(pages[0]) == tasks(pages[1]) == tasks(pages[2]) != []


@pytest.mark.parametrize("due", [0, 3, 12])
def test_the_first_task_of_today_is_as_long_as_the_step(exam, alice, due):
    for day in (0, 1, 2):
        sit(alice.owner, exam, 0.4, day)
    ReviewCard.objects.all().delete()
    add_cards(alice.owner, Question.objects.all()[:due], NOW)
    planned(alice, exam, days=9, minutes=30)
    page = get(alice).context["page"]
    first = page.today.tasks[0]
    assert first.is_step
    assert (first.entry.kind, first.entry.count, first.entry.minutes) == (
        page.step.advice.kind, page.step.count, page.step.minutes,
    )  # fmt: skip


def test_without_a_plan_home_and_hub_show_none_and_take_no_extra_statements(exam, alice):
    sit(alice.owner, exam, 0.4)
    with CaptureQueriesContext(connection) as without:
        shown = [alice.get("/"), get(alice, "hub")]
    assert not any(parsed(page).select("#today") for page in shown)
    assert not any("sectionread" in each["sql"] for each in without)


def test_a_missed_days_work_moves_to_the_next_day(exam, alice, module, time_machine):
    planned(alice, exam)
    before = get(alice).context["page"].today.day.entries
    time_machine.move_to(seconds(5 * DAY), tick=False)
    after = get(alice).context["page"].today.day.entries
    assert [(entry.kind, entry.sections) for entry in after] == [(entry.kind, entry.sections) for entry in before]


def test_reviews_beyond_todays_limit_move_to_the_next_days(exam, alice):
    add_cards(alice.owner, Question.objects.all()[: DAILY + 15])
    planned(alice, exam, minutes=240)
    page = plan_page(exam, learner_of(alice.owner), seconds(3 * DAY))
    held = [sum(each.count for each in day.entries if each.kind == REVIEW) for day in [page.today.day, *page.days]]
    assert held[:3] == [DAILY, 15, 0]


def test_a_plan_ends_after_a_year_however_distant_the_exam(exam, alice):
    planned(alice, exam)
    ExamPlan.objects.update(exam_date=dt.date(9999, 12, 31))
    learner, now = learner_of(alice.owner), seconds(3 * DAY)
    reviews = situation(guide_of(pk=exam.pk), learner, now).reviews
    assert len(reviews.arriving(dt.date(9999, 12, 31), FARTHEST_DAYS)) == FARTHEST_DAYS
    page = plan_page(exam, learner, now)
    assert page.weeks[-1].last == now.date() + FARTHEST_DAYS * dt.timedelta(1)


def test_the_plans_statement_count_is_the_same_for_any_history_and_length(exam, alice, module):
    planned(alice, exam, days=5)
    get(alice)
    for day in (0, 1):
        sit(alice.owner, exam, 0.5, day)
        planned(alice, exam, days=60 * (day + 1))
        with CaptureQueriesContext(connection) as queries:
            get(alice)
        assert len(queries) <= STATEMENTS


def test_saving_is_confirmed_and_can_be_undone(exam, alice):
    planned(alice, exam, days=20, minutes=30)
    old = ExamPlan.objects.get().exam_date
    answer = post(alice, to="plan", exam_date=str(old + dt.timedelta(9)), minutes_a_day="45")
    shown = parsed(alice.get(answer["location"]))
    form = shown.select_one("[data-said=plan] form")
    fields = {field["name"]: field["value"] for field in form.select("input")}
    assert alice.post(form["action"], fields, headers={"sec-fetch-site": "same-origin"}).status_code == 302
    plan = ExamPlan.objects.get()
    assert (plan.exam_date, plan.minutes_a_day) == (old, 30)


def test_undoing_the_first_plan_leaves_no_plan(exam, alice):
    answer = post(alice, to="plan", exam_date="2026-12-30", minutes_a_day="45")
    form = parsed(alice.get(answer["location"])).select_one("[data-said=plan] form")
    fields = {field["name"]: field["value"] for field in form.select("input")}
    alice.post(form["action"], fields, headers={"sec-fetch-site": "same-origin"})
    assert states(get(alice))[:1] == ["no-plan"]


def test_an_invalid_date_is_reported_on_the_plans_page(exam, alice):
    answer = post(alice, to="plan", exam_date="2020-01-01")
    assert answer.status_code == 400
    assert parsed(answer).select_one("#id_exam_date_error")


class TestSections:
    def first(self, alice, exam):
        planned(alice, exam, minutes=240)
        form = parsed(get(alice)).select_one("#today [data-task=read] form")
        return form["action"], [field["value"] for field in form.select("[name=section]")]

    def test_a_section_marked_as_read_disappears_and_undo_brings_it_back(self, exam, alice, module):
        address, sections = self.first(alice, exam)
        assert sections == ["1:s1", "1:s2"]
        answer = alice.post(address, {"section": sections}, headers={"sec-fetch-site": "same-origin"})
        assert SectionRead.objects.count() == 2
        shown = alice.get(answer["location"])
        assert figures(parsed(shown).select_one("[data-said=read] span").text) == [2]
        again = parsed(shown).select("#today [name=section]")
        assert [field["value"] for field in again] == ["1:s3"]
        undo = parsed(shown).select_one("[data-said=read] form")
        fields = [(field["name"], field["value"]) for field in undo.select("input")]
        body = {name: [value for each, value in fields if each == name] for name, _ in fields}
        alice.post(undo["action"], body, headers={"sec-fetch-site": "same-origin"})
        assert not SectionRead.objects.exists()

    def test_a_module_is_read_once_its_last_section_is(self, exam, alice, module):
        planned(alice, exam)
        post(alice, "plan-read", section=["1:s1", "1:s2", "1:s3"])
        assert ModuleRead.objects.get().module == module
        post(alice, "plan-read", section="1:s2", off="on")
        assert not ModuleRead.objects.exists()
        assert set(SectionRead.objects.values_list("anchor", flat=True)) == {"s1", "s3"}

    def test_a_module_marked_as_a_whole_is_not_planned_until_it_is_unmarked(self, exam, alice, module):
        set_read(alice.owner, module, True, NOW)
        planned(alice, exam)
        assert "read" not in re.findall(r'data-task="(\w+)"', get(alice).text)
        set_read(alice.owner, module, False, NOW)
        assert "read" in re.findall(r'data-task="(\w+)"', get(alice).text)

    @pytest.mark.parametrize("section", ["9:s1", "1:none", "x", ""])
    def test_an_unknown_section_is_neither_stored_nor_confirmed(self, exam, alice, module, section):
        planned(alice, exam)
        answer = post(alice, "plan-read", section=section)
        assert (answer.status_code, answer["location"]) == (302, reverse("plan", args=["pmle"]))
        assert not SectionRead.objects.exists()

    def test_only_sections_that_were_marked_are_confirmed(self, exam, alice, module):
        planned(alice, exam)
        shown = alice.get(post(alice, "plan-read", section=["1:s1", "1:none"])["location"])
        assert [field["value"] for field in parsed(shown).select("[data-said=read] [name=section]")] == ["1:s1"]

    @pytest.mark.parametrize("fields", [{}, {"off": "on"}])
    def test_a_visitor_cannot_mark_sections_and_becomes_no_guest(self, exam, client, module, fields):
        post(client, "plan-read", section="1:s1", **fields)
        assert not Learner.objects.exists()

    def test_another_site_cannot_mark_sections(self, exam, alice, module):
        answer = alice.post(
            reverse("plan-read", args=["pmle"]), {"section": "1:s1"}, headers={"sec-fetch-site": "cross-site"}
        )
        assert answer.status_code == 403


def test_with_a_drill_running_the_first_task_has_its_own_button(exam, alice):
    sit(alice.owner, exam, 0.4)
    planned(alice, exam)
    assert not parsed(alice.get("/")).select("#today li:first-child .btn")
    begin_drill(alice.owner, exam, seconds(3 * DAY), size=5)
    for page in (alice.get("/"), get(alice, "hub")):
        assert parsed(page).select("#today li:first-child .btn")
