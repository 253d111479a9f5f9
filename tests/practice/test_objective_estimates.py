"""Each objective has an estimate of the learner's ability and its evidence, or none if answers are too few."""

import dataclasses
import datetime as dt

import pytest
from bs4 import BeautifulSoup
from django.test import Client
from django.urls import reverse

from practice.learners.models import Learner
from practice.readiness.reads.objectives import estimates_page
from practice.sessions.ending.finish import finish
from practice.sessions.player.check import check
from tests.support.bank import NOW, add_outline, changed, draft, make_exam, publish_all
from tests.support.basics import basic, publish_basic
from tests.support.sessions import begin_drill, right_places, seconds, state

pytestmark = [pytest.mark.long("many requests"), pytest.mark.django_db]
ADDRESS = "/practice/pmle/objectives/"
LATER = NOW + dt.timedelta(hours=1)


@pytest.fixture
def exam():
    made = make_exam()
    add_outline(made)
    return made


def ask(exam, *named, first=1):
    """Publish one public question in the first domain for each group of objectives it is to name."""
    domain = exam.domains.get(key="d1")
    texts = [dataclasses.replace(draft(n), objectives=each) for n, each in enumerate(named, first)]
    publish_all(exam, [(domain, text) for text in texts])


def everything(_):
    return True


def answer_all(alice, exam, right=everything, start=0):
    """Return a finished drill of every question."""
    drill = begin_drill(alice.owner, exam, seconds(start), order="random", size=50)
    for item in drill.items.all():
        places = right_places(drill, item.position)
        chosen = places if right(item.version) else ((places[0] + 1) % 4,)
        check(drill.uuid, alice.owner, state(item.position, 1, *chosen), None, seconds(start + item.position))
    finish(drill.uuid, alice.owner, seconds(start + 99))
    return drill


def lines(exam, alice):
    learner = Learner.objects.get(**alice.owner.of_learner)
    return {each.objective.number: each for each in estimates_page(exam, learner, LATER).lines}


def test_an_objective_with_three_answers_has_an_estimate_and_one_with_two_has_none(exam, alice):
    ask(exam, *[("1.1.a",)] * 3, *[("2.1",)] * 2)
    answer_all(alice, exam)
    found = lines(exam, alice)
    assert list(found) == [f"{n}.1" for n in range(1, 7)]
    told = found["1.1"]
    assert told.n == 3
    assert 1 <= told.low < told.share < told.high <= 99
    assert (found["2.1"].n, found["2.1"].share, found["2.1"].low) == (2, None, None)
    assert found["3.1"].n == 0


def test_strong_and_weak_objectives_are_distinguished(exam, alice):
    ask(exam, *[("1.1.a",)] * 4, *[("2.1.b",)] * 4)
    answer_all(alice, exam, lambda version: version.question.key in {f"q{n}" for n in range(1, 5)})
    found = lines(exam, alice)
    assert found["1.1"].share > found["2.1"].share + 5


def test_a_question_counts_once_under_the_first_objective_it_names(exam, alice):
    ask(exam, *[("1.1.b", "2.1.a")] * 3, (), ())
    answer_all(alice, exam)
    found = lines(exam, alice)
    assert (found["1.1"].n, found["2.1"].n) == (3, 0)
    assert sum(line.n for line in found.values()) == 3


def test_a_basic_question_is_neither_evidence_nor_a_question_to_expect(exam, alice):
    ask(exam, *[("1.1.a",)] * 3)
    answer_all(alice, exam)
    before = lines(exam, alice)
    assert before["1.1"].share
    named = {"objectives": ("1.1.a",), "difficulty": "hard"}
    publish_basic(exam, *(changed(basic(n), **named) for n in range(10, 13)))
    assert lines(exam, alice) == before
    drill = answer_all(alice, exam, start=200)
    assert drill.items.filter(version__is_basic=True).count() == 3
    assert lines(exam, alice) == before


def test_only_first_answers_count(exam, alice):
    ask(exam, *[("1.1",)] * 3)
    for start in (0, 200):
        answer_all(alice, exam, start=start)
    assert lines(exam, alice)["1.1"].n == 3


def test_answers_after_the_given_moment_are_left_out(exam, alice):
    ask(exam, *[("1.1",)] * 3)
    answer_all(alice, exam, start=10_000)
    assert lines(exam, alice)["1.1"].n == 0


def test_the_page_and_the_public_pages_fragment_show_estimates_with_their_evidence(exam, alice):
    ask(exam, *[("1.1.a",)] * 3, ("2.1",))
    answer_all(alice, exam)
    whole, part = alice.get(ADDRESS), alice.get(ADDRESS, HTTP_HX_REQUEST="true")
    assert "<html" in whole.text
    assert "<html" not in part.text
    for response in (whole, part):
        page = BeautifulSoup(response.text, "html.parser")
        row = page.select_one("#estimates [data-objective='1.1']")
        assert row.select_one("a")["href"] == "/exams/pmle/objectives/#objective-1.1"
        assert not row.select_one("[data-state=too-few]")
        assert [row["data-objective"] for row in page.select("#estimates tbody tr")] == ["1.1", "2.1"]
        assert len(page.select("#estimates [data-state=too-few]")) == 1
        assert "no-store" in response.headers["Cache-Control"]


def test_visitors_and_learners_without_answers_are_told_there_are_none(exam, alice):
    ask(exam, ("1.1",))
    for client in (Client(), alice):
        assert BeautifulSoup(client.get(ADDRESS).text, "html.parser").select_one("[data-state=none]")


def test_an_exam_without_an_outline_has_no_estimates(alice):
    make_exam("plain")
    page = BeautifulSoup(alice.get("/practice/plain/objectives/").text, "html.parser")
    assert page.select_one("[data-state=empty]")
    assert alice.get("/practice/nowhere/objectives/").status_code == 404


def test_the_public_page_links_to_the_estimates_and_is_the_same_for_everybody(exam, alice):
    ask(exam, *[("1.1",)] * 3)
    address = reverse("objectives", args=["pmle"])
    before = Client().get(address).text
    answer_all(alice, exam)
    assert alice.get(address).text == before
    assert BeautifulSoup(before, "html.parser").select_one(f"#own a[data-hx-get='{ADDRESS}'][href='{ADDRESS}']")


@pytest.mark.parametrize("objectives", [1, 6])
def test_the_statement_count_does_not_grow_with_answers_or_objectives(
    exam, alice, objectives, django_assert_num_queries
):
    ask(exam, *[(f"{n}.1",) for n in range(1, objectives + 1) for _ in range(3)])
    answer_all(alice, exam)
    learner = Learner.objects.get(**alice.owner.of_learner)
    with django_assert_num_queries(7):
        estimates_page(exam, learner, LATER)
