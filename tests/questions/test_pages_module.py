"""Check a study module's page: contents, check questions, number of statements, size, data block and read mark."""

import gzip
import json
import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from questions.bank_files.load import load_bank
from questions.models import Exam, Question, StudyModule
from questions.modules.rules.html import module_html
from tests.support.bank import NOW, add_questions, make_exam
from tests.support.hooks import figures, parsed, states
from tests.support.subprocesses import BASE

pytestmark = pytest.mark.django_db

HTML_BUDGET = 30_000
STATEMENTS = 5
OWN = {"HTTP_SEC_FETCH_SITE": "same-origin"}
BODY = """
:::cards
### A card
Card text.
:::

## The first part

Some text.

:::check q1
:::

:::tip
Look twice.
:::

## The second part

| A | B |
| --- | --- |
| one | two |

```python
print("code")
```

:::check q2
:::

:::focus
Focus text.
:::
"""
ADDRESS = "/exams/pmle/modules/1-chapter-1/"


@pytest.fixture
def exam() -> Exam:
    exam = make_exam()
    add_questions(exam, 3, domains=("d1",))
    return exam


def add_module(exam: Exam, number: int = 1, body: str = BODY, **fields: Any) -> StudyModule:
    return StudyModule.objects.create(
        exam=exam, domain=exam.domains.get(key="d1"), number=number, slug=f"chapter-{number}",
        title=f"Chapter {number}", summary=f"About {number}.", body=body, html=module_html(body), words=2400,
        notebook='{"cells": []}', changed_at=NOW,
        sources=[{"title": "Page", "url": "https://s.example/", "as_of": "2026-11-20"}], **fields,
    )  # fmt: skip


def get(url: str = ADDRESS) -> str:
    answer = Client().get(url)
    assert answer.status_code == 200
    return answer.text


def statements(url: str) -> int:
    with CaptureQueriesContext(connection) as queries:
        get(url)
    return len(queries)


@pytest.mark.parametrize("more", [0, 3])
def test_the_statement_count_grows_with_neither_modules_nor_checks(exam: Exam, more: int) -> None:
    body = BODY + (":::check q3\n:::\n" if more else "")
    for number in range(1, 2 + more):
        add_module(exam, number, body)
    assert statements(ADDRESS) == STATEMENTS


def test_the_page_is_the_same_for_all_and_sets_no_cookie(exam: Exam) -> None:
    add_module(exam)
    reader = Client()
    assert reader.post("/practice/pmle/modules/1/read/", {"on": "1"}, **OWN).status_code == 302
    answers = [client.get(ADDRESS) for client in (Client(), reader)]
    assert answers[0].content == answers[1].content
    assert not answers[1].cookies
    assert "public" in answers[0].headers["Cache-Control"]
    assert "csrf" not in answers[0].text


def test_the_contents_link_to_every_section_and_box(exam: Exam) -> None:
    add_module(exam)
    html = get()
    [contents] = re.findall(r'<nav class="contents[^>]*>(.*?)</nav>', html, re.DOTALL)
    wanted = ["01-the-first-part", "02-the-second-part", "focus"]
    assert re.findall(r'href="#([^"]+)"', contents) == wanted
    assert [name for name in wanted if f'id="{name}"' not in html] == []
    assert [12] in [figures(each.text) for each in parsed(html).select(".secbar span")]
    assert "Exam tip" in html


def test_a_check_question_folds_its_answer_away(exam: Exam) -> None:
    add_module(exam)
    html = get()
    first = html.index("Team 1 has")
    assert first < html.index('<details class="solution', first) < html.index("zqcanary quick 1")
    assert html.count('aria-label="Check question') == 2
    assert "/exams/pmle/questions/1-situation-1/" in html


@pytest.mark.parametrize("state", ["withdrawn_at", "retired_at"])
def test_only_questions_that_are_public_now_are_checks(exam: Exam, state: str) -> None:
    add_module(exam)
    Question.objects.filter(number=1).update(**{state: NOW})
    html = get()
    assert "Team 1 has" not in html
    assert "zqcanary quick 1" not in html
    assert re.findall(r'aria-label="Check question (\d)"', html) == ["1"]


def test_a_reserved_question_is_not_a_check_question(exam: Exam) -> None:
    [version] = add_questions(exam, 1, pool="reserved", domains=("d1",))
    add_module(exam, body=BODY.replace("check q1", f"check {version.question.key}"))
    assert f"Team {version.question.key[1:]} has" not in get()


def test_the_title_and_canonical_address_are_the_modules_own(exam: Exam) -> None:
    add_module(exam)
    html = get()
    assert '<link rel="canonical" href="http://testserver/exams/pmle/modules/1-chapter-1/">' in html
    assert "<title>1 Chapter 1 · PMLE · Courseiva</title>" in html
    assert '<meta name="description" content="About 1.">' in html
    found = re.search(r'<script type="application/ld\+json">(.*?)</script>', html, re.DOTALL)
    assert found
    crumbs, resource = json.loads(found.group(1))["@graph"]
    assert [each["name"] for each in crumbs["itemListElement"]] == ["Exams", "PMLE", "Domain name 1", "Chapter 1"]
    assert resource["@type"] == "LearningResource"
    assert resource["timeRequired"] == "PT12M"
    assert resource["dateModified"] == NOW.date().isoformat()


def test_the_notebook_can_be_downloaded(exam: Exam) -> None:
    add_module(exam)
    answer = Client().get(f"{ADDRESS}notebook/")
    assert answer.headers["Content-Disposition"] == 'attachment; filename="01-chapter-1.ipynb"'
    assert json.loads(answer.content) == {"cells": []}
    StudyModule.objects.update(notebook="")
    assert f"{ADDRESS}notebook/" not in get("/exams/pmle/modules/1-chapter-1/?fresh=1")
    assert Client().get(f"{ADDRESS}notebook/?fresh=1").status_code == 404


@pytest.mark.parametrize(
    ("folder", "address"),
    [
        ("", "https://colab.research.google.com/"),
        (
            "acme/bank/blob/main/fixtures",
            "https://colab.research.google.com/github/acme/bank/blob/main/fixtures/pmle/modules/01-chapter-1.ipynb",
        ),
    ],
)
def test_colab_opens_the_notebook_if_it_is_on_github(exam: Exam, settings: Any, folder: str, address: str) -> None:
    add_module(exam)
    settings.NOTEBOOKS = folder
    assert [link["href"] for link in parsed(get(ADDRESS)).select("#contents a[href*=colab]")] == [address]


def test_the_page_fetches_the_read_mark_when_it_comes_into_view(exam: Exam) -> None:
    add_module(exam)
    html = get()
    assert 'data-hx-get="/practice/pmle/modules/1/" data-hx-trigger="intersect once"' in html
    assert 'href="/practice/pmle/modules/1/"' in html  # and it is also a link without script
    reader = Client()
    asked = {"HTTP_HX_REQUEST": "true"}
    assert states(reader.get("/practice/pmle/modules/1/", **asked)) == ["unread"]
    assert not reader.cookies
    marked = reader.post("/practice/pmle/modules/1/read/", {"on": "1"}, **OWN, **asked).text
    assert states(marked) == ["read"]
    assert 'name="on" value="0"' in marked
    assert "<html" not in marked
    assert states(reader.get("/practice/pmle/modules/1/", **asked)) == ["read"]
    assert states(Client().get("/practice/pmle/modules/1/", **asked)) == ["unread"]
    assert states(reader.post("/practice/pmle/modules/1/read/", {"on": "0"}, **OWN, **asked)) == ["unread"]


def test_the_exam_page_lists_minutes_and_fetches_marks(exam: Exam) -> None:
    for number in (1, 2):
        add_module(exam, number)
    html = get("/exams/pmle/")
    assert html.count("12 min</span>") == 2
    assert 'data-hx-get="/practice/pmle/modules/"' in html
    assert "read on" not in html
    reader = Client()
    reader.post("/practice/pmle/modules/2/read/", {"on": "1"}, **OWN)
    fragment = reader.get("/practice/pmle/modules/", HTTP_HX_REQUEST="true")
    assert "no-store" in fragment.headers["Cache-Control"]
    assert re.findall(r"modules/(\d)-[^<]*</a>[^<]*<span[^>]*>12 minutes · read on", fragment.text) == ["2"]
    assert "PMLE" in parsed(reader.get("/practice/pmle/modules/")).h1.text
    assert "read on" not in Client().get("/practice/pmle/modules/").text


@pytest.mark.parametrize("modules", [1, 4])
def test_read_marks_take_the_same_statements_for_any_number_of_modules(exam: Exam, modules: int) -> None:
    for number in range(1, modules + 1):
        add_module(exam, number)
    reader = Client()
    for number in range(1, modules + 1):
        reader.post(f"/practice/pmle/modules/{number}/read/", {"on": "1"}, **OWN)
    with CaptureQueriesContext(connection) as queries:
        assert reader.get("/practice/pmle/modules/").text.count("read on") == modules
    assert len(queries) == 3


@pytest.mark.soak
def test_the_pages_of_our_own_modules_are_within_the_size_budget() -> None:
    report = load_bank(BASE / "fixtures" / "pmle", NOW)
    assert not [line for line in report.refused if "/modules/" in line]
    modules = StudyModule.objects.lines()
    weights = {}
    for module in modules:
        html = get(f"/exams/pmle/modules/{module.number}-{module.slug}/")
        assert html.count('aria-label="Check question') >= 3
        weights[module.number] = len(gzip.compress(html.encode(), 6))
    assert len(weights) >= 8
    assert {number: weight for number, weight in weights.items() if weight > HTML_BUDGET} == {}
    longest = max(modules, key=lambda each: weights[each.number])
    assert statements(f"/exams/pmle/modules/{longest.number}-{longest.slug}/?fresh=1") == STATEMENTS


def test_a_check_question_can_be_answered_on_the_module_page(exam: Exam) -> None:
    add_questions(exam, 1, kind="multiple", domains=("d1",))
    many = Question.objects.get(kind="multiple")
    add_module(exam, body=BODY.replace("check q2", f"check {many.key}"))
    html = get()
    forms = re.findall(r'<form class="ask stack".*?</form>', html, re.DOTALL)
    assert [re.findall(r'name="question" value="(\d+)"', form) for form in forms] == [["1"], [str(many.number)]]
    assert [form.count('type="checkbox"') for form in forms] == [0, 5]
    assert html.count("<div data-verdict>") == 2
