"""Check which questions each collection selects, that it has its own description and that its drill asks just those."""

import re

import pytest
from django.test import Client

from practice.models import PracticeSession
from questions.models import Exam, Question, QuestionVersion
from questions.pages.rules import FIXED, collections_of
from tests.support.bank import add_questions, make_exam
from tests.support.hooks import figures, parsed, states

pytestmark = pytest.mark.django_db

OWN = {"HTTP_SEC_FETCH_SITE": "same-origin"}


@pytest.fixture
def exam() -> Exam:
    """Return an exam with questions 1 to 6, one per domain: 1 is easy, 2 hard; 6 is troubleshooting; 7 has two keys."""
    exam = make_exam()
    add_questions(exam, 1)
    add_questions(exam, 1, kind="multiple", domains=("d5",))
    add_questions(exam, 1, pool="reserved", domains=("d6",))
    for number, difficulty in ((1, "easy"), (2, "hard")):
        QuestionVersion.objects.filter(live_of__number=number).update(difficulty=difficulty)
    exam.domains.get(key="d6").concepts.update(name="Troubleshooting things")
    return exam


def listed(slug: str) -> list[int]:
    answer = Client().get(f"/exams/pmle/collections/{slug}/")
    assert answer.status_code == 200
    return [int(n) for n in re.findall(r'<a href="/exams/pmle/questions/(\d+)-', answer.text)]


@pytest.mark.parametrize(
    ("slug", "expected"),
    [
        ("fundamentals", [1, 3, 4, 5, 6]),
        ("scenarios", [2, 3, 4, 5, 6, 7]),
        ("troubleshooting", [6]),
        ("easy", [1]),
        ("medium", [3, 4, 5, 6, 7]),
        ("hard", [2]),
        ("choose-one", [1, 2, 3, 4, 5, 6]),
        ("choose-several", [7]),
    ],
)
def test_a_collection_has_the_questions_its_rule_selects(exam: Exam, slug: str, expected: list[int]) -> None:
    assert listed(slug) == expected


def test_every_collection_is_listed_with_its_size(exam: Exam) -> None:
    html = Client().get("/exams/pmle/collections/").text
    sizes = dict(re.findall(r'collections/([\w-]+)/">[^<]+</a></h2>\s*<p class="help">(\d+) question', html))
    assert sizes == {each.slug: str(len(listed(each.slug))) for each in FIXED}


@pytest.mark.parametrize("slug", [each.slug for each in FIXED])
def test_the_button_starts_a_drill_of_exactly_that_collection(exam: Exam, slug: str) -> None:
    html = Client().get(f"/exams/pmle/collections/{slug}/").text
    fields: dict[str, list[str]] = {}
    for name, value in re.findall(r'<input type="hidden" name="(\w+)" value="([\w-]+)">', html):
        fields.setdefault(name, []).append(value)
    assert Client().post("/practice/pmle/drill/", fields, **OWN).status_code == 302
    drawn = PracticeSession.objects.get().items.values_list("version__question__number", flat=True)
    assert sorted(drawn) == listed(slug)


def test_the_filtered_list_shows_all_of_a_long_collection(exam: Exam) -> None:
    add_questions(exam, 30, domains=("d1",))
    html = Client().get("/exams/pmle/collections/fundamentals/").text
    [query] = re.findall(r'/exams/pmle/questions/(\?[^"]+)"', html)
    assert query == "?difficulty=easy&amp;difficulty=medium&amp;kind=single"
    assert "35 questions: " in Client().get("/exams/pmle/questions/" + query.replace("&amp;", "&")).text


def test_no_two_collections_have_the_same_description() -> None:
    assert len({each.words for each in FIXED}) == len({each.rule for each in FIXED}) == len(FIXED)


def test_without_a_troubleshooting_concept_that_collection_is_missing() -> None:
    assert "troubleshooting" not in [each.slug for each in collections_of([("a", "Catalogs and driftwood")])]
    [found] = [each for each in collections_of([("a", "Audit logs"), ("b", "Other")]) if each.slug == "troubleshooting"]
    assert found.filters == {"concept": ("a",)}
    make_exam("ace")
    assert Client().get("/exams/ace/collections/troubleshooting/").status_code == 404
    assert Client().get("/exams/ace/collections/hard/").status_code == 200


def test_an_empty_collection_explains_itself(exam: Exam) -> None:
    Question.objects.filter(number=2).update(retired_at="2026-11-21T00:00Z")
    html = Client().get("/exams/pmle/collections/hard/").text
    assert states(html) == ["empty"]
    assert "Practise ten" not in html


def test_a_concept_lists_its_questions_and_the_other_concepts_they_cover(exam: Exam) -> None:
    version = QuestionVersion.objects.get(live_of__number=1)
    version.concepts.add(exam.domains.get(key="d3").concepts.get())
    html = Client().get("/exams/pmle/concepts/c1/").text
    together = parsed(html).select_one("#together")
    assert figures(together.text)[:4] == [1, 1, 0, 0]
    assert [link["href"] for link in together.select("a")] == ["/exams/pmle/concepts/c3/"]
    assert figures(together.text)[-1] == 1
