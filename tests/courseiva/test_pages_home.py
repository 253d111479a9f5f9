"""The home page offers visitors a question to answer at once, and learners with work a way to resume it."""

import datetime as dt
import re

import pytest
from django.contrib.auth import get_user_model
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from practice.models import PracticeSession
from practice.readiness.rules import DEFAULT_SECONDS, minutes_for
from questions.models import Exam
from questions.pages.reads.sample import number_of_the_day
from tests.support.bank import add_questions, make_exam
from tests.support.hooks import figures, parsed, states

pytestmark = pytest.mark.django_db

OWN = {"HTTP_SEC_FETCH_SITE": "same-origin"}
STRANGER = 6


@pytest.fixture
def exam() -> Exam:
    exam = make_exam()
    add_questions(exam, 3)
    return exam


def fields_of(html: str) -> dict[str, str]:
    return dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', html))


def test_a_stranger_gets_a_public_page_and_no_cookie(exam: Exam) -> None:
    answers = [Client().get("/") for _ in range(2)]
    assert answers[0].content == answers[1].content
    assert "public" in answers[0].headers["Cache-Control"]
    assert "Cookie" in answers[0].headers["Vary"]  # this address shows a learner with work a different page
    assert not answers[0].cookies
    assert "csrf" not in answers[0].text


def test_several_exams_are_each_listed_once(exam: Exam) -> None:
    make_exam("ace")
    text = Client().get("/").text
    for slug in (exam.slug, "ace"):
        assert text.count(f'value="{slug}"') == 1
        assert f'href="{reverse("exam", args=[slug])}"' not in text
    assert f'href="{reverse("exams")}"' in parsed(text).main.decode()


def test_with_several_exams_the_question_names_its_exam_and_the_choice_stays(exam: Exam) -> None:
    add_questions(make_exam("ace"), 1)
    answers = [Client().get("/") for _ in range(2)]
    assert answers[0].content == answers[1].content
    page = parsed(answers[0])
    named = page.select_one("#question [data-exam]")
    assert named
    assert named["data-exam"] == exam.slug  # this exam has more questions than the other
    assert exam.name in named.text
    assert {str(form["action"]).partition("#")[0] for form in page.select("main form[action^='/practice/pmle/']")} == {
        reverse("answer", args=[exam.slug]),
        reverse("drill", args=[exam.slug]),
    }
    assert page.select("#taste")
    assert not page.select(".places [href^='/practice/pmle/']")  # the header doesn't assume this exam


def test_a_strangers_page_shows_what_a_result_looks_like(exam: Exam) -> None:
    sample = parsed(Client().get("/")).select_one("#sample")
    assert sample
    cells = sample.select(".sheet .cell")
    right = len(sample.select(".cell.is-right"))
    assert (len(cells), right) == (60, 44)
    assert f"{right} of {len(cells)}" in sample.text


def test_only_a_stranger_is_told_that_no_account_is_needed(exam: Exam) -> None:
    known = Client()
    known.force_login(get_user_model().objects.create_user(email="carol@example.org", password="x" * 12))
    assert parsed(Client().get("/")).select("main [data-stranger]")
    assert not parsed(known.get("/")).select("main [data-stranger]")


@pytest.mark.parametrize("more", [0, 3])
def test_the_statement_count_does_not_grow_with_the_bank(exam: Exam, more: int) -> None:
    add_questions(exam, more)
    with CaptureQueriesContext(connection) as queries:
        Client().get("/")
    assert len(queries) <= STRANGER


def test_a_strangers_first_verdict_takes_two_actions(exam: Exam) -> None:
    client = Client()
    html = client.get("/").text
    slot = re.search(r'name="slot" value="(\d+)"', html)  # action one: choose
    assert slot
    number = re.search(r'name="question" value="(\d+)"', html)
    assert number
    answer = client.post("/practice/pmle/answer/", {"question": number[1], "slot": slot[1]}, **OWN)  # action two: Check
    assert answer.status_code == 200
    assert "Right." in answer.text


def test_a_strangers_running_mock_takes_three_actions(exam: Exam) -> None:
    add_questions(exam, 13, pool="reserved")
    client = Client()
    assert 'href="/practice/pmle/mock/"' in client.get("/").text
    start = client.get("/practice/pmle/mock/")  # action one
    assert start.status_code == 200
    fields = {"blueprint": "june-2026", "count": "60", "time_factor": "1", "conditions": "exam"}
    answer = client.post("/practice/pmle/mock/", fields, **OWN)  # action two: Start
    assert "/practice/sessions/" in answer.headers["Location"]


def test_a_guest_with_work_gets_a_private_page_that_offers_to_resume_it(exam: Exam) -> None:
    client = Client()
    client.post("/practice/pmle/answer/", {"question": "1", "slot": "1"}, **OWN)
    answer = client.get("/")
    assert "private" in answer.headers["Cache-Control"]
    assert "no-store" in answer.headers["Cache-Control"]
    assert states(answer) == ["next"]
    step = fields_of(answer.text)
    drill = client.post("/practice/pmle/drill/", step, **OWN)
    assert drill.status_code == 302
    again = client.get("/")
    assert states(again) == ["resume"]
    assert drill.headers["Location"].partition("#")[0] in again.text


def test_a_member_without_work_gets_the_question_on_a_private_page(exam: Exam) -> None:
    client = Client()
    client.force_login(get_user_model().objects.create_user(email="bob@example.org", password="x" * 12))
    answer = client.get("/")
    assert "no-store" in answer.headers["Cache-Control"]
    assert 'name="slot"' in answer.text


def test_the_question_changes_every_day(exam: Exam) -> None:
    days = [dt.date(2026, 11, 21) + dt.timedelta(n) for n in range(18)]
    assert {number_of_the_day(exam, 18, day) for day in days} == set(range(1, 19))
    assert number_of_the_day(exam, 0, days[0]) is None


def test_everybody_can_open_the_account_page(exam: Exam) -> None:
    answer = Client().get("/accounts/")
    assert answer.status_code == 200
    assert "no-store" in answer.headers["Cache-Control"]
    assert f'href="{reverse("account_login")}"' in answer.text


def test_a_stranger_is_offered_ten_questions_and_they_start_without_an_account(exam: Exam) -> None:
    add_questions(exam, 3, domains=("d1", "d2", "d3", "d4", "d5", "d6"))
    client = Client()
    taste = parsed(client.get("/")).select_one("#taste")
    assert taste
    head, form = taste.select_one(".secbar"), taste.select_one("form")
    assert head
    assert form
    assert figures(head.get_text(" ")) == [10, minutes_for(10, DEFAULT_SECONDS)]  # the usual estimate
    fields = {str(field["name"]): str(field["value"]) for field in form.select("input")}
    started = client.post(str(form["action"]), fields, **OWN)
    assert PracticeSession.objects.get().total == 10
    assert started.headers["Location"].startswith(PracticeSession.objects.get().get_absolute_url())
