"""The glossary follows its file, shows the status of each product and is linked once per product from a module."""

from __future__ import annotations

import datetime as dt
import re
from pathlib import Path

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from practice.sessions.player.check import check
from questions.catalogue.glossary import store_glossary
from questions.catalogue.reads import TERMS, term_addresses
from questions.catalogue.rules.glossary import GlossaryFile, Term, read_glossary_file
from questions.catalogue.rules.term_links import TermLinks
from questions.models import Exam, GlossaryTerm, StudyModule
from questions.modules.rules.html import module_html
from tests.support.bank import NOW, add_questions, make_exam
from tests.support.hooks import parsed, states
from tests.support.imports import BASE
from tests.support.sessions import begin_drill, guest, guest_client, state

FILE = GlossaryFile(
    {
        "lamps": Term(
            "Lampworks", "Old Lampworks", "deprecated", "Bulbworks", dt.date(2027, 3, 16), "https://e.example/l"
        ),
        "bulbs": Term("Bulbworks", what="Makes light."),
        "gone": Term("Candles", "", "retired", "the sun", dt.date(2026, 1, 2), "https://e.example/c"),
        "anew": Term("Newname", "Oldname"),
    },
    "https://e.example/renamed",
    dt.date(2026, 11, 21),
)


@pytest.mark.django_db
def test_the_rows_follow_the_file_and_a_bank_without_one_changes_nothing() -> None:
    store_glossary(FILE)
    store_glossary(GlossaryFile({}))
    assert dict(GlossaryTerm.objects.values_list("key", "source")) == {
        "lamps": "https://e.example/l",
        "bulbs": "",
        "gone": "https://e.example/c",
        "anew": "https://e.example/renamed",
    }
    store_glossary(GlossaryFile({"bulbs": Term("Bulbworks", what="Makes more light.")}))
    assert [(row.key, row.what, row.checked_on) for row in GlossaryTerm.objects.all()] == [
        ("bulbs", "Makes more light.", None)
    ]


@pytest.mark.django_db
def test_the_page_shows_which_products_continue_and_their_successors() -> None:
    assert states(Client().get("/glossary/").text) == ["none"]
    store_glossary(FILE)
    page = parsed(Client().get("/glossary/?fresh"))
    assert [term.text for term in page.select("dl dt")] == ["Bulbworks", "Candles", "Lampworks", "Newname"]
    lamps = page.select_one("#lamps")
    assert lamps.select_one("[data-status]")["data-status"] == "deprecated"
    assert "16 March 2027" in lamps.text
    assert lamps.select_one("[data-status] a")["href"] == "/glossary/#bulbs"
    assert lamps.select_one('a[href="https://e.example/l"]')
    assert not page.select_one("#bulbs [data-status]")
    assert not page.select_one("#gone [data-status] a")
    assert [row["data-status"] for row in page.select("#ending li")] == ["retired", "deprecated"]


@pytest.mark.django_db
@pytest.mark.parametrize("more", [0, 20])
def test_the_page_takes_one_statement(django_assert_num_queries, more: int) -> None:
    store_glossary(FILE)
    GlossaryTerm.objects.bulk_create(GlossaryTerm(key=f"k{n}", name=f"Name {n}", status="current") for n in range(more))
    with django_assert_num_queries(1):
        Client().get("/glossary/")


@pytest.mark.django_db
def test_a_module_links_to_the_glossary_once_for_each_product() -> None:
    store_glossary(FILE)
    cache.delete(TERMS)
    exam = make_exam()
    body = "## Lampworks\n\nLampworks lights Bulbworks.\n\n## Two\n\nLampworks, `Newname`, Lampworks-like, Newnames."
    StudyModule.objects.create(
        exam=exam, domain=exam.domains.get(key="d1"), number=1, slug="m", title="M", summary="S.", body=body,
        html=module_html(body),
    )  # fmt: skip
    page = parsed(Client().get("/exams/pmle/modules/1-m/"))
    assert [(link.text, link["href"]) for link in page.select("a.term")] == [
        ("Lampworks", "/glossary/#lamps"),
        ("Bulbworks", "/glossary/#bulbs"),
    ]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>A B and A.</p>", '<p><a class="term" href="/ab">A B</a> and <a class="term" href="/a">A</a>.</p>'),
        ("<p><a href='/x'>A</a> <code>A</code></p><h3>A</h3>", "<p><a href='/x'>A</a> <code>A</code></p><h3>A</h3>"),
        ("<pre><span>A</span></pre><p>AA</p>", "<pre><span>A</span></pre><p>AA</p>"),
        (
            "<form><p>A</p></form><label>A</label><summary>A</summary>",
            "<form><p>A</p></form><label>A</label><summary>A</summary>",
        ),
        (
            "<button>A</button><textarea>A</textarea><li>A</li>",
            '<button>A</button><textarea>A</textarea><li><a class="term" href="/a">A</a></li>',
        ),
        ('<p title="A">R&amp;D</p>', '<p title="A"><a class="term" href="/r">R&amp;D</a></p>'),
    ],
)
def test_names_are_linked_in_text_but_not_in_controls_or_attributes(html: str, expected: str) -> None:
    assert TermLinks({"A": "/a", "A B": "/ab", "R&D": "/r"}).linked(html) == expected


def test_an_article_fits_the_name_that_follows_it() -> None:
    terms = read_glossary_file(BASE / "fixtures/glossary.yaml").terms
    wrong = []
    for path in sorted([*(BASE / "fixtures").rglob("*.yaml"), *(BASE / "fixtures").rglob("*.md")]):
        for article, key in re.findall(r"\b(an?)\s+\{\{([a-z-]+)\}\}", path.read_text(encoding="utf-8"), re.IGNORECASE):
            if (article.lower() == "an") != (terms[key].name[0] in "AEIO"):
                wrong.append(f"{path.name}: {article} {terms[key].name}")
    assert wrong == []


def test_our_own_glossary_says_what_each_product_is() -> None:
    file = read_glossary_file(Path(BASE) / "fixtures/glossary.yaml")
    assert file.source
    assert file.checked_on
    assert [key for key, term in file.terms.items() if not term.what.endswith(".")] == []


class TestQuestions:
    """Check which terms of a question's page and a breakdown are links, using the words of tests/support/bank.py."""

    @pytest.fixture
    def exam(self, db: None) -> Exam:
        exam = make_exam()
        add_questions(exam, 3)
        for key, name in (("stem", "plain situation"), ("why", "why"), ("option", "Thing")):
            GlossaryTerm.objects.create(key=key, name=name, status="current")
        cache.delete(TERMS)
        return exam

    def test_a_questions_page_links_to_the_glossary_once_and_never_from_an_option(self, exam: Exam) -> None:
        page = parsed(Client().get("/exams/pmle/questions/1-situation-1/"))
        links = page.select("#question a.term")
        assert [link["href"] for link in links] == ["/glossary/#stem", "/glossary/#why"]
        assert links[0].find_parent(class_="scenario")
        assert not page.select("form a.term, label a.term, summary a.term")

    def test_a_fetched_verdict_links_to_the_glossary_too(self, exam: Exam) -> None:
        answer = {"question": "1", "slot": "1"}
        marked = Client().post(
            "/practice/pmle/answer/", answer, headers={"hx-request": "true", "sec-fetch-site": "same-origin"}
        )
        assert {link["href"] for link in parsed(marked).select("a.term")} == {"/glossary/#why"}

    def test_a_running_session_links_only_marked_questions(self, exam: Exam) -> None:
        owner, token = guest()
        client = guest_client(token)
        session = begin_drill(owner, exam, size=3, feedback_each=True)
        assert not parsed(client.get(session.get_absolute_url())).select("a.term")
        check(session.uuid, owner, state(2, 1, 0), None, NOW)
        page = parsed(client.get(session.get_absolute_url()))
        assert page.select("#q2 .breakdown a.term")
        assert not page.select("#q1 a.term, #q3 a.term, .scenario a.term")
        assert not parsed(client.get(reverse("device", args=[session.uuid]))).select("a.term")

    def test_links_cost_no_statement_once_the_terms_are_cached(self, exam: Exam, django_assert_num_queries) -> None:
        term_addresses()
        with django_assert_num_queries(0):
            assert term_addresses()["plain situation"] == "/glossary/#stem"
