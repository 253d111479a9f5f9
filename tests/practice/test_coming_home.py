"""The home page shows a learner who has practised their readiness, the next step and the last results."""

import datetime as dt

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from practice.measurement.calibration.nightly import calibrate_exam
from practice.models import ExamPlan, SessionItem
from practice.notebook.plan import set_plan
from practice.readiness.derive.analyse import analyse
from practice.sessions.player.check import check
from questions.models import Blueprint
from tests.practice.test_analysis import DAY, sit
from tests.support.bank import NOW, add_questions, make_exam
from tests.support.hooks import figures, parsed
from tests.support.sessions import begin_drill, right_places, seconds, state
from tests.support.tallies import forget_tallies

pytestmark = [pytest.mark.long("simulation"), pytest.mark.django_db]
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


def test_home_shows_readiness_the_next_step_and_the_last_results(exam, returning):
    answer = returning.get("/")
    shown, told = parsed(answer), answer.context["step"]
    own = returning.get(reverse("readiness", args=["pmle"])).context["page"]
    assert (told.verdict, told.step) == (own.verdict, own.step)
    assert figures(shown.select_one("#chance strong").text) == [own.verdict.low, own.verdict.high, 12]
    assert len(shown.select("#latest .sheet--mini")) == 3
    assert "no-store" in answer.headers["Cache-Control"]


def test_kept_notes_and_due_cards_are_shown_on_home(exam, returning):
    answer = returning.get("/")
    links = parsed(answer).select("#kept a")
    assert [link["href"] for link in links] == [reverse(name, args=["pmle"]) for name in ("notebook", "flashcards")]
    assert figures(links[1].text) == [answer.context["step"].found.due.count]


def test_only_the_last_three_results_of_this_exam_are_shown_newest_first(exam, returning):
    newest = sit(returning.owner, exam, 0.5, 3)
    links = [link["href"] for link in parsed(returning.get("/")).select("#latest .session-row a")]
    assert (len(links), links[0]) == (3, reverse("results", args=[newest.uuid]))


def test_without_a_prediction_no_chance_is_shown(exam, alice):
    sit(alice.owner, exam, 0.5)
    shown = parsed(alice.get("/"))
    assert shown.select_one("#chance[data-word=too-early]")
    assert not shown.select("#chance svg")


def test_the_domains_that_need_answers_are_named(exam, alice):
    add_questions(exam, 60, domains=("d1", "d2", "d3", "d4"))
    drill = begin_drill(alice.owner, exam, seconds(0), size=40, order="random", domains=("d1", "d2", "d3", "d4"))
    for n in range(1, 41):
        check(drill.uuid, alice.owner, state(n, 1, *right_places(drill, n)), None, seconds(n))
    analyse(drill.pk, seconds(100))
    answer = alice.get("/")
    shown, told = parsed(answer).select_one("#chance"), answer.context["step"].verdict
    assert [domain.number for domain in told.lacking] == figures(shown.select_one("[data-lacking]").text) == [5, 6]
    assert figures(shown.p.text)[0] == told.missing


def test_the_chance_says_when_difficulties_are_not_yet_measured(exam, returning):
    assert parsed(returning.get("/")).select("#chance [data-state=labels]")
    calibrate_exam(exam, lambda: seconds(4 * DAY))
    shown = parsed(returning.get("/"))
    assert shown.select("#chance svg")
    assert not shown.select("#chance [data-state=labels]")


def test_a_finished_day_still_offers_a_button(exam, returning):
    set_plan(returning.owner, exam, None, 5, NOW)
    SessionItem.objects.update(answered_at=timezone.now(), seconds=300)
    forget_tallies()
    shown = parsed(returning.get("/"))
    assert shown.select_one("[data-step=rest]")
    assert shown.select_one("a.btn")["href"] == reverse("builder", args=["pmle"])
    ExamPlan.objects.all().delete()
    assert not parsed(returning.get("/")).select("[data-step=rest]")


@pytest.mark.parametrize(("ahead", "days"), [(20, "20"), (0, "0"), (-1, None), (None, None)])
def test_the_days_left_are_shown_until_the_exam(exam, returning, ahead, days):
    today = seconds(3 * DAY).date()
    set_plan(returning.owner, exam, None if ahead is None else today + dt.timedelta(ahead), None, NOW)
    page = parsed(returning.get("/"))
    line = page.select_one("[data-days]")
    assert (line and line["data-days"]) == days
    assert figures(page.h1.text) == ([int(days)] if days and ahead else [])


def test_the_statement_count_does_not_grow_with_the_past(exam, returning):
    for day in (3, 4):
        with CaptureQueriesContext(connection) as queries:
            returning.get("/")
        assert len(queries) <= STATEMENTS
        sit(returning.owner, exam, 0.8, day)
