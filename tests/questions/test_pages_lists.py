"""Pages that list or find questions take the same statements at any size and show nothing reserved."""

import gzip
import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from questions.models import Blueprint, BlueprintDomain, Exam, Question, StudyModule
from questions.modules.rules.html import module_html
from questions.versions.search.index import index_module
from tests.support.bank import NOW, add_outline, add_questions, make_exam
from tests.support.hooks import figures, parsed, states

pytestmark = pytest.mark.django_db

HTML_BUDGET = 30_000
PAGES = {
    "/exams/": 1,
    "/exams/pmle/": 7,
    "/exams/pmle/questions/": 5,
    "/exams/pmle/questions/?domain=d1&domain=d2&concept=c1&difficulty=medium&kind=single&q=situation": 5,
    "/exams/pmle/domains/d1/": 9,
    "/exams/pmle/concepts/c1/": 8,
    "/exams/pmle/objectives/": 6,
    "/exams/pmle/collections/": 15,
    "/exams/pmle/collections/fundamentals/": 5,
    "/exams/pmle/study-guide/": 8,
    "/exams/pmle/feed.atom": 2,
    "/search/": 0,
    "/search/?q=situation": 4,
}
OWN = {"HTTP_SEC_FETCH_SITE": "same-origin"}


@pytest.fixture
def exam() -> Exam:
    exam = make_exam()
    add_outline(exam)
    return exam


def get(url: str) -> str:
    answer = Client().get(url)
    assert answer.status_code == 200
    return answer.text


def numbers(url: str) -> list[int]:
    return [int(n) for n in re.findall(r'<a href="/exams/pmle/questions/(\d+)-', get(url))]


def add_module(exam: Exam, number: int) -> StudyModule:
    module = StudyModule.objects.create(
        exam=exam, domain=exam.domains.get(key="d1"), number=number, slug=f"chapter-{number}",
        title=f"Chapter {number}", summary=f"About {number}.", body=(body := f"## Part\n\nText {number}"),
        html=module_html(body),
    )  # fmt: skip
    index_module(module)
    return module


@pytest.mark.parametrize("per_domain", [1, 3])
@pytest.mark.parametrize(("url", "expected"), PAGES.items())
def test_the_statement_count_does_not_grow_with_the_bank(exam: Exam, url: str, expected: int, per_domain: int) -> None:
    add_questions(exam, per_domain)
    with CaptureQueriesContext(connection) as queries:
        get(url)
    assert len(queries) == expected


@pytest.mark.parametrize("url", PAGES)
def test_every_page_is_public_light_and_without_cookie_or_token(exam: Exam, url: str) -> None:
    add_questions(exam, 26, domains=("d1",))
    answer = Client().get(url)
    assert "public" in answer.headers["Cache-Control"]
    assert not answer.cookies
    assert "Cookie" not in answer.headers.get("Vary", "")
    assert "csrf" not in answer.text
    assert len(gzip.compress(answer.content)) <= HTML_BUDGET
    assert Client().post(url).status_code == 405


@pytest.mark.parametrize("url", [*PAGES, "/", "/search/?q=zqreserved", "/exams/pmle/questions/?q=zqreserved"])
def test_a_reserved_question_appears_nowhere(exam: Exam, url: str) -> None:
    add_questions(exam, 1)
    for version in add_questions(exam, 2, pool="reserved"):
        version.title, version.stem = f"Hidden {version.pk}", "zqreserved situation"
        version.save()
    html = get(url)
    assert "Hidden" not in html
    assert "zqreserved situation" not in html
    assert "zqcanary" not in html or url == "/"
    assert set(map(int, re.findall(r"/questions/(\d+)-", html))) <= {1, 2, 3, 4, 5, 6}


@pytest.mark.parametrize("state", ["withdrawn_at", "retired_at"])
def test_withdrawn_and_retired_questions_are_in_no_list(exam: Exam, state: str) -> None:
    add_questions(exam, 1)
    Question.objects.filter(number=1).update(**{state: NOW})
    for url in (
        "/exams/pmle/questions/",
        "/search/?q=situation",
        "/exams/pmle/domains/d1/",
        "/exams/pmle/concepts/c1/",
    ):
        assert 1 not in numbers(url)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("", [1, 2, 3, 4, 5, 6, 7]),
        ("domain=d1", [1]),
        ("domain=d1&domain=d3", [1, 3]),
        ("concept=c2&concept=c4", [2, 4]),
        ("domain=d1&concept=c2", []),
        ("kind=multiple", [7]),
        ("difficulty=hard", [5]),
        ("difficulty=hard&difficulty=medium&domain=d5", [5]),
        ('q="SITUATION+4"', [4]),
        ('q="words+4"', [4]),
        ("domain=nothing", [1, 2, 3, 4, 5, 6, 7]),
        ("domain=nothing&kind=multiple", [7]),
        ("page=99", [1, 2, 3, 4, 5, 6, 7]),
        ("page=x", [1, 2, 3, 4, 5, 6, 7]),
    ],
)
def test_more_values_of_one_filter_widen_a_list_and_more_filters_narrow_it(
    exam: Exam, query: str, expected: list[int]
) -> None:
    add_questions(exam, 1)
    add_questions(exam, 1, kind="multiple", domains=("d6",))
    version = Question.objects.get(number=5).live_version
    assert version
    version.difficulty = "hard"
    version.save()
    assert numbers(f"/exams/pmle/questions/?{query}") == expected


def test_lists_have_pages_of_25_and_keep_the_filter(exam: Exam) -> None:
    add_questions(exam, 60, domains=("d1",))
    url = "/exams/pmle/questions/?domain=d1&page=2"
    assert numbers(url) == list(range(26, 51))
    html = get(url)
    assert "?domain=d1&amp;page=3" in html
    assert figures(parsed(html).select_one(".pager .tiny").text) == [26, 50, 60]
    assert '<meta name="robots" content="noindex">' in html
    assert '/exams/pmle/questions/?page=2">' in get("/exams/pmle/questions/?page=2")


def test_a_ticked_filter_is_still_ticked_in_the_response(exam: Exam) -> None:
    html = get("/exams/pmle/questions/?concept=c3&kind=single")
    assert 'name="concept" value="c3" checked' in html
    assert re.search(r'name="kind" value="single"[^>]* checked', html)


def test_an_empty_search_says_what_to_do(exam: Exam) -> None:
    add_questions(exam, 1)
    assert states(get("/exams/pmle/questions/?q=zebra")) == ["none-fits"]
    assert states(get("/search/?q=zebra")) == ["none-fits"]


def test_search_finds_questions_concepts_and_modules_of_all_exams(exam: Exam) -> None:
    add_questions(exam, 1)
    other = make_exam("ace")
    add_questions(other, 1)
    add_module(exam, 1)
    html = get("/search/?q=situation 2")
    assert re.findall(r"/exams/(\w+)/questions/2-", html) == ["pmle", "ace"]
    assert "/exams/ace/concepts/c4/" in get("/search/?q=CONCEPT 4")
    assert "/exams/pmle/modules/1-chapter-1/" in get("/search/?q=chapter")
    assert 'data-code="too-long"' in get(f"/search/?q={'x' * 101}")


def test_the_search_term_is_escaped(exam: Exam) -> None:
    assert "<script>alert" not in get("/search/?q=<script>alert(1)</script>")


def test_the_exam_page_compares_its_two_exam_guides(exam: Exam) -> None:
    add_questions(exam, 1)
    old = Blueprint.objects.create(
        exam=exam, key="v3", name="v3.1 guide", effective_from="2024-10-01",
        question_count=60, minutes=120, pass_mark=70,
    )  # fmt: skip
    for domain, weight in zip(exam.domains.all(), (13, 14, 18, 20, 22, 13), strict=True):
        BlueprintDomain.objects.create(blueprint=old, domain=domain, name=f"Old {domain.number}", weight=weight)
    html = get("/exams/pmle/")
    changed = {figures(change.text)[0]: figures(change.text)[-2:] for change in parsed(html).select("#changes li")}
    assert changed[2] == [14, 16]
    assert 4 not in changed
    text = parsed(html).get_text()
    assert all(share in text for share in ("100%", "101%", "70%"))


def test_domain_and_concept_pages_start_a_drill_of_their_questions(exam: Exam) -> None:
    add_questions(exam, 2)
    for url, name, value in (
        ("/exams/pmle/domains/d2/", "domain", "d2"),
        ("/exams/pmle/concepts/c2/", "concept", "c2"),
    ):
        assert f'<input type="hidden" name="{name}" value="{value}">' in get(url)
        answer = Client().post("/practice/pmle/drill/", {name: value, "size": "10"}, **OWN)
        assert answer.status_code == 302


def test_empty_lists_explain_themselves(exam: Exam) -> None:
    assert "empty" in states(get("/exams/pmle/domains/d1/"))
    assert "empty" in states(get("/exams/pmle/concepts/c1/"))
    assert "no-modules" in states(get("/exams/pmle/"))


def test_a_module_links_to_its_neighbours(exam: Exam) -> None:
    for number in (1, 2, 3):
        add_module(exam, number)
    html = get("/exams/pmle/modules/2-chapter-2/")
    assert "<p>Text 2</p>" in html
    [back], [on] = parsed(html).select("main a[rel=prev]"), parsed(html).select("main a[rel=next]")
    assert (back["href"], on["href"]) == tuple(f"/exams/pmle/modules/{n}-chapter-{n}/" for n in (1, 3))
    wrong = Client().get("/exams/pmle/modules/2-old/")
    assert (wrong.status_code, wrong.headers["Location"]) == (301, "/exams/pmle/modules/2-chapter-2/")


@pytest.mark.parametrize(
    "url",
    ["none/", "none/questions/", "pmle/domains/x/", "pmle/concepts/x/", "pmle/modules/9-x/", "pmle/modules/99999-x/"],
)
def test_an_unknown_address_is_not_found(exam: Exam, url: str) -> None:
    assert Client().get(f"/exams/{url}").status_code == 404


def test_an_empty_site_says_that_it_is_empty(db: None) -> None:
    assert states(get("/exams/")) == ["no-exam"]
    assert "no-exam" in states(get("/"))
