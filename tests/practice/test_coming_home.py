"""The home page of whoever has practised: where they stand, what is next, and their last results."""

import datetime as dt

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from practice.notebook.plan import set_plan
from questions.models import Blueprint
from tests.practice.test_analysis import DAY, sit
from tests.support.bank import NOW, add_questions, make_exam
from tests.support.hooks import figures, parsed
from tests.support.sessions import seconds

pytestmark = pytest.mark.django_db
STATEMENTS = 11


@pytest.fixture
def exam(time_machine):
    time_machine.move_to(seconds(3 * DAY), tick=False)
    exam = make_exam()
    Blueprint.objects.update(question_count=12, minutes=24)
    add_questions(exam, 14)
    return exam


@pytest.fixture
def returning(exam, alice):
    for day in range(3):
        sit(alice.owner, exam, 0.5, day)
    return alice


def test_where_they_stand_what_is_next_and_the_last_results(exam, returning):
    answer = returning.get("/")
    shown, told = parsed(answer), answer.context["step"]
    own = returning.get(reverse("readiness", args=["pmle"])).context["page"]
    assert (told.verdict, told.step) == (own.verdict, own.step)
    assert figures(shown.select_one("#chance strong").text) == [own.verdict.low, own.verdict.high, 12]
    assert len(shown.select("#latest .sheet--mini")) == 3
    assert "no-store" in answer.headers["Cache-Control"]


def test_what_was_kept_and_the_cards_that_are_due_are_beside_it(exam, returning):
    answer = returning.get("/")
    links = parsed(answer).select("#kept a")
    assert [link["href"] for link in links] == [reverse(name, args=["pmle"]) for name in ("notebook", "flashcards")]
    assert figures(links[1].text) == [answer.context["step"].found.due.count]


def test_only_the_last_three_results_of_this_exam_are_shown_newest_first(exam, returning):
    newest = sit(returning.owner, exam, 0.5, 3)
    links = [link["href"] for link in parsed(returning.get("/")).select("#latest .session-row a")]
    assert (len(links), links[0]) == (3, reverse("results", args=[newest.uuid]))


def test_before_there_is_a_reading_no_chance_is_drawn(exam, alice):
    sit(alice.owner, exam, 0.5)
    shown = parsed(alice.get("/"))
    assert shown.select_one("#chance[data-word=too-early]")
    assert not shown.select("#chance svg")


@pytest.mark.parametrize(("ahead", "days"), [(20, "20"), (0, "0"), (-1, None), (None, None)])
def test_the_days_left_are_told_until_the_exam(exam, returning, ahead, days):
    today = seconds(3 * DAY).date()
    set_plan(returning.owner, exam, None if ahead is None else today + dt.timedelta(ahead), None, NOW)
    page = parsed(returning.get("/"))
    line = page.select_one("[data-days]")
    assert (line and line["data-days"]) == days
    assert figures(page.h1.text) == ([int(days)] if days and ahead else [])


def test_statements_do_not_grow_with_the_past(exam, returning):
    for day in (3, 4):
        with CaptureQueriesContext(connection) as queries:
            returning.get("/")
        assert len(queries) <= STATEMENTS
        sit(returning.owner, exam, 0.8, day)
