"""A question's public page has the same bytes for everybody, takes few statements and shows nothing reserved."""

import datetime as dt
import gzip
import json
import re
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from questions.models import Change, Exam, Question, QuestionVersion, StudyModule, VersionStatistics
from questions.pages.reads.machines.heads import question_head
from questions.pages.reads.questions import find_question, question_page
from questions.templatetags.public_pages import json_ld
from questions.versions.statistics.rules import LEAST_ANSWERS
from tests.support.bank import NOW, add_questions, make_exam
from tests.support.hooks import parsed, states, values

pytestmark = pytest.mark.django_db

HTML_BUDGET = 30_000
STATEMENTS, WITH_CHANGELOG, ON_POST = 4, 5, 1
OWN = {"HTTP_SEC_FETCH_SITE": "same-origin"}


@pytest.fixture
def exam() -> Exam:
    return make_exam()


def address(number: int = 1, slug: str = "pmle") -> str:
    return f"/exams/{slug}/questions/{number}-situation-{number}/"


def statements(client: Client, url: str) -> int:
    client.get(url)  # the first request of a process loads templates and content types
    with CaptureQueriesContext(
        connection,
    ) as queries:
        assert client.get(url).status_code == 200
    return len(queries)


def signed_in() -> Client:
    client = Client()
    client.force_login(get_user_model().objects.create_user(email="alice@example.org", password="x" * 12))
    return client


def graph_of(html: str) -> dict[str, Any]:
    found = re.search(r'<script type="application/ld\+json">(.*?)</script>', html, re.DOTALL)
    assert found
    return json.loads(found.group(1))


def second_version(question: Question, **fields: Any) -> QuestionVersion:
    """Publish a later version of a question with its documents copied, and return it."""
    version = QuestionVersion.objects.get(pk=question.live_version_id)
    hint, solution, concepts = version.hint, version.solution, list(version.concepts.all())
    version.pk, version.number, version.change = None, version.number + 1, Change.TYPO
    for name, value in fields.items():
        setattr(version, name, value)
    version.save()
    version.concepts.set(concepts)
    for document in (hint, solution):
        document.pk, document.version = None, version
        document.save(force_insert=True)
    Question.objects.filter(pk=question.pk).update(live_version=version)
    return version


def test_the_page_is_the_same_for_everybody_and_sets_no_cookie(exam: Exam) -> None:
    add_questions(exam, 1)
    guest = Client()
    guest.post("/practice/pmle/answer/", {"question": "1", "slot": "1"}, **OWN)
    assert guest.cookies
    answers = [client.get(address()) for client in (Client(), Client(), guest, signed_in())]
    assert len({answer.content for answer in answers}) == 1
    for answer in answers:
        assert answer.status_code == 200
        assert not answer.cookies
        assert "Cookie" not in answer.headers.get("Vary", "")
        assert "csrf" not in answer.text
        assert "public" in answer.headers["Cache-Control"]
        assert "max-age=300" in answer.headers["Cache-Control"]


def test_a_browser_with_an_unchanged_page_gets_a_304(exam: Exam) -> None:
    add_questions(exam, 1)
    first = Client().get(address())
    again = Client().get(address(), HTTP_IF_NONE_MATCH=first.headers["ETag"])
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize("per_domain", [1, 3])
def test_the_statement_count_does_not_grow_with_the_bank(exam: Exam, per_domain: int) -> None:
    add_questions(exam, per_domain)
    assert statements(Client(), address()) == STATEMENTS
    assert statements(signed_in(), address()) == STATEMENTS


@pytest.mark.parametrize("versions", [2, 4])
def test_a_changelog_costs_one_more_statement(exam: Exam, versions: int) -> None:
    add_questions(exam, 1)
    for _ in range(versions - 1):
        second_version(Question.objects.get(number=1), change_note="A comma.")
    assert statements(Client(), address()) == WITH_CHANGELOG
    notes = parsed(Client().get(address())).select("#changelog [data-note]")
    assert [note.text for note in notes] == ["A comma."] * (versions - 1)


def test_the_page_after_a_post_costs_one_more_statement_to_find_the_row(exam: Exam) -> None:
    add_questions(exam, 1)
    bare = Question.objects.select_related("exam", "live_version__solution").get(number=1)
    with CaptureQueriesContext(connection) as queries:
        question_page(bare)
    assert len(queries) == STATEMENTS - 2 + ON_POST  # two fewer: the exam and the count of comments aren't looked up


def test_the_page_is_light(exam: Exam) -> None:
    add_questions(exam, 6, domains=("d1",))
    assert len(gzip.compress(Client().get(address()).content)) <= HTML_BUDGET


def test_a_wrong_slug_redirects_permanently_to_the_right_one(exam: Exam) -> None:
    add_questions(exam, 1)
    answer = Client().get("/exams/pmle/questions/1-some-older-title/")
    assert (answer.status_code, answer.headers["Location"]) == (301, address())


def test_the_address_comes_from_the_published_text_not_from_the_draft(exam: Exam) -> None:
    add_questions(exam, 1)
    Question.objects.filter(number=1).update(title="Not published yet")
    assert Client().get(address()).status_code == 200
    assert "Not published yet" not in Client().get(address()).text


@pytest.mark.parametrize("path", ["7-situation-7", "999-x", "99999999999999999999-x"])
def test_questions_that_are_not_public_are_not_found(exam: Exam, path: str) -> None:
    add_questions(exam, 1)
    assert Client().get(f"/exams/pmle/questions/{path}/").status_code == 404
    assert Client().get("/exams/ace/questions/1-situation-1/").status_code == 404


@pytest.mark.parametrize("change", ["draft", "version", "unpublished"])
def test_a_question_made_reserved_or_unpublished_has_no_page(exam: Exam, change: str) -> None:
    add_questions(exam, 1)
    question = Question.objects.get(number=1)
    if change == "draft":
        Question.objects.filter(pk=question.pk).update(pool="reserved")
    elif change == "version":
        QuestionVersion.objects.filter(pk=question.live_version_id).update(pool="reserved")
    else:
        Question.objects.filter(pk=question.pk).update(live_version=None)
    assert Client().get(address()).status_code == 404


def test_a_withdrawn_question_says_so_and_cannot_be_answered(exam: Exam) -> None:
    add_questions(exam, 1)
    Question.objects.filter(number=1).update(withdrawn_at=NOW)
    html = Client().get(address()).text
    assert states(html) == ["withdrawn"]
    assert "zqcanary" not in html
    assert 'name="slot"' not in html
    assert [node["@type"] for node in graph_of(html)["@graph"]] == ["BreadcrumbList"]


def test_a_retired_questions_address_gets_a_410(exam: Exam) -> None:
    add_questions(exam, 1)
    Question.objects.filter(number=1).update(retired_at=NOW)
    answer = Client().get(address())
    assert answer.status_code == 410
    assert "zqcanary" not in answer.text


def test_a_retired_questions_page_links_to_current_ones_on_its_concepts(exam: Exam) -> None:
    add_questions(exam, 2)
    Question.objects.filter(number=1).update(retired_at=NOW)
    page = parsed(Client().get(address()).text)
    assert [link["href"] for link in page.select("#related a")] == ["/exams/pmle/questions/2-situation-2/"]
    assert page.select("#study [href*='/concepts/']")


def test_the_parts_of_the_page_are_in_order(exam: Exam) -> None:
    add_questions(exam, 2)
    html = Client().get(address()).text
    marks = [
        'class="crumbs"', "data-labelled", 'class="badge"', "<h1>Situation 1</h1>", 'class="scenario"', 'class="hint"',
        'class="ask', 'class="btn check"', 'id="solution"', "zqcanary quick 1", 'class="clue-list"', "zqcanary trap 1",
        "zqcanary takeaway 1", 'name="carry_on"', 'class="deeper', 'id="study"', 'id="related"', 'id="practise"',
        'class="folio"',
    ]  # fmt: skip
    places = [html.index(mark) for mark in marks]
    assert places == sorted(places)
    assert html.count('<mark class="clue">') == 1
    assert html.count("has a plain situation") == 2  # the stem occurs once to be read and once in the data block


def test_next_starts_a_drill_that_begins_with_the_answer_just_given(exam: Exam) -> None:
    add_questions(exam, 3)
    client = Client()
    html = client.post("/practice/pmle/answer/", {"question": "1", "slot": "1"}, **OWN).text
    fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="(\w+)">', html))
    assert fields == {"domain": "d1", "size": "10", "carry_on": "1"}
    answer = client.post("/practice/pmle/drill/", fields, **OWN)
    assert answer.status_code == 302
    assert answer.headers["Location"].endswith("#q2")


def test_without_script_check_returns_the_page_with_the_verdict(exam: Exam) -> None:
    add_questions(exam, 1)
    html = Client().post("/practice/pmle/answer/", {"question": "1", "slot": "2"}, **OWN).text
    assert "<h1>Situation 1</h1>" in html
    assert states(html) == ["wrong"]
    assert parsed(html).select("details.is-chosen.is-wrong .tag--wrong")
    assert 'name="slot"' not in html


def test_with_script_check_returns_only_the_verdict(exam: Exam) -> None:
    add_questions(exam, 1)
    answer = Client().post("/practice/pmle/answer/", {"question": "1", "slot": "1"}, HTTP_HX_REQUEST="true", **OWN)
    assert "<html" not in answer.text
    assert "Right." in answer.text


def test_checking_without_an_answer_says_what_to_do(exam: Exam) -> None:
    add_questions(exam, 1)
    for headers in ({}, {"HTTP_HX_REQUEST": "true"}):
        answer = Client().post("/practice/pmle/answer/", {"question": "1"}, **OWN, **headers)
        assert answer.status_code == 400
        assert 'data-code="too-few-options"' in answer.text
        assert answer.text.count('role="alert"') == 1


def test_a_multiple_choice_question_has_checkboxes_and_says_how_many(exam: Exam) -> None:
    add_questions(exam, 1, kind="multiple")
    html = Client().get(address()).text
    assert "Choose two" in html
    assert html.count('type="checkbox" name="slot"') == 5
    assert 'type="radio"' not in html


def test_related_questions_share_a_concept_in_the_domain_and_are_five_at_most(exam: Exam) -> None:
    add_questions(exam, 9, domains=("d1",))
    other = exam.domains.get(key="d1").concepts.create(key="other", name="Other")
    for number in (2, 3):
        version = Question.objects.get(number=number).live_version
        assert version
        version.concepts.set([other])
    page = question_page(find_question("pmle", 1))
    assert [line.number for line in page.related] == [4, 5, 6, 7, 8]
    Question.objects.filter(number__in=[4, 5, 6, 7, 8]).update(withdrawn_at=NOW)
    page = question_page(find_question("pmle", 1))
    assert [line.number for line in page.related] == [9]


def test_reserved_questions_are_neither_related_nor_counted(exam: Exam) -> None:
    add_questions(exam, 1)
    add_questions(exam, 5, pool="reserved")
    page = question_page(find_question("pmle", 1))
    assert page.related == []
    assert (page.question_count, page.domain.count) == (6, 1)


def test_modules_are_those_the_question_names_then_those_of_its_domain(exam: Exam) -> None:
    [version, *_] = add_questions(exam, 1)
    for number, domain in ((1, "d1"), (2, "d2"), (3, "d1")):
        StudyModule.objects.create(
            exam=exam, domain=exam.domains.get(key=domain), number=number, slug=f"m{number}", title=f"Module {number}"
        )
    version.solution.text["modules"] = ["m2"]
    version.solution.save()
    page = question_page(find_question("pmle", 1))
    assert [link.name for link in page.names.modules] == ["Module 2", "Module 1", "Module 3"]
    assert statements(Client(), address()) == STATEMENTS


def test_last_reviewed_is_the_newest_date_of_its_sources(exam: Exam) -> None:
    add_questions(exam, 1)
    assert question_page(find_question("pmle", 1)).history.reviewed == dt.date(2026, 11, 21)


@pytest.mark.parametrize(("n", "is_measured"), [(LEAST_ANSWERS - 1, False), (LEAST_ANSWERS, True)])
def test_the_editors_label_is_an_estimate_until_the_question_is_measured(exam: Exam, n: int, is_measured: bool) -> None:
    add_questions(exam, 1)
    reworded = Question.objects.get(number=1).live_version
    assert reworded
    VersionStatistics.objects.create(version=reworded, n=n, right=31)
    second_version(Question.objects.get(number=1), measured_as=reworded)
    page = Client().get(address())
    assert values(page, "data-measured") == (["62"] if is_measured else [])
    assert bool(parsed(page).select_one("[data-labelled]")) is not is_measured
    assert ("educationalLevel" in page.text) is not is_measured
    assert ("62%" in parsed(page).select_one("meta[name=description]")["content"]) is is_measured


def test_a_source_says_when_it_was_opened_and_what_it_said_or_that_it_was_never_opened(exam: Exam) -> None:
    add_questions(exam, 1)
    solution = Question.objects.get(number=1).live_version.solution
    solution.text["sources"] += [
        {"title": "Read", "url": "https://source.example/read", "as_of": "2026-11-23", "says": "Lamps < 3 shine."},
        {"title": "Named", "url": "https://source.example/named", "as_of": "", "says": "Unread."},
    ]
    solution.save()
    page = Client().get(address())
    assert values(page, "data-opened") == ["2026-11-21", "2026-11-23", ""]
    assert [each.text for each in parsed(page).select("[data-says]")] == ["Lamps < 3 shine."]


def test_the_data_block_has_the_answers_as_on_the_page(exam: Exam) -> None:
    add_questions(exam, 1, kind="multiple")
    page = question_page(find_question("pmle", 1))
    graph = question_head(page, "https://x.example").graph
    assert graph == graph_of(
        Client().get(address(), headers={"host": "x.example"}).text.replace("http://x", "https://x")
    )
    crumbs, quiz = graph["@graph"]
    assert [item["position"] for item in crumbs["itemListElement"]] == [1, 2, 3, 4]
    question = quiz["hasPart"]
    assert [a["text"] for a in question["acceptedAnswer"]] == ["Thing 1 of 1", "Thing 3 of 1"]
    assert [a["position"] for a in question["suggestedAnswer"]] == [1, 3, 4]


def test_no_text_can_end_the_data_block() -> None:
    written = json_ld({"name": "</script><script>alert(1)</script>&<!--"})
    assert written.count("</script>") == 1
    assert "<!--" not in written
    body = written.removeprefix('<script type="application/ld+json">').removesuffix("</script>")
    assert json.loads(body) == {"name": "</script><script>alert(1)</script>&<!--"}
