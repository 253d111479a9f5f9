"""Pages of domains and concepts say what is tested, only in the words of the current guide's outline."""

from __future__ import annotations

import dataclasses

import pytest
from django.test import Client

from questions.models import Exam, Objective
from questions.pages.reads.exams import concept_page, domain_page
from tests.support.bank import add_outline, draft, make_exam, publish_all
from tests.support.hooks import parsed

pytestmark = pytest.mark.django_db


@pytest.fixture
def exam() -> Exam:
    made = make_exam()
    add_outline(made)
    return made


def ask(exam: Exam, *named: tuple[str, ...], pool: str = "open") -> None:
    start = exam.questions.count() + 1
    texts = [dataclasses.replace(draft(n, pool=pool), objectives=each) for n, each in enumerate(named, start)]
    publish_all(exam, [(exam.domains.get(key="d1"), text) for text in texts])


def told(path: str) -> list[tuple[str, str]]:
    """Return each number with the address it links to."""
    links = parsed(Client().get(path).text).select("#tested a")
    return [(link.text, str(link["href"])) for link in links]


def test_a_domain_shows_the_text_of_its_objectives(exam: Exam) -> None:
    assert told("/exams/pmle/domains/d2/") == [("2.1", "/exams/pmle/objectives/#objective-2.1")]
    assert Objective.objects.get(number="2.1").words in Client().get("/exams/pmle/domains/d2/").text


def test_a_concept_shows_the_objectives_its_public_questions_name_most_in_outline_order(exam: Exam) -> None:
    ask(exam, ("1.1.b", "2.1"), ("1.1.b", "1.1.a"), ("1.1.a", "3.1"), ("1.1", "1.1.a", "2.1"))
    ask(exam, *[("6.1",)] * 5, pool="reserved")
    assert [number for number, _ in told("/exams/pmle/concepts/c1/")] == ["1.1.a", "1.1.b", "2.1"]


def test_each_number_links_to_a_place_on_the_objectives_page(exam: Exam) -> None:
    ask(exam, ("1.1.a",))
    page = parsed(Client().get("/exams/pmle/objectives/").text)
    for path in ("/exams/pmle/concepts/c1/", "/exams/pmle/domains/d1/"):
        assert all(page.select(f'[id="{url.partition("#")[2]}"]') for _, url in told(path))


@pytest.mark.parametrize("named", [(), ("9.9",), ("v3.1",)])
def test_no_text_is_shown_if_the_outline_has_none(exam: Exam, named: tuple[str, ...]) -> None:
    ask(exam, named)
    assert told("/exams/pmle/concepts/c1/") == []
    make_exam("plain")
    assert told("/exams/plain/domains/d1/") == []


def test_the_statement_count_does_not_grow_with_questions(exam: Exam, django_assert_num_queries) -> None:
    for _ in range(2):
        ask(exam, *[("1.1.a",)] * 3)
        with django_assert_num_queries(8):
            domain_page(exam, "d1")
        with django_assert_num_queries(8):
            concept_page(exam, "c1")
