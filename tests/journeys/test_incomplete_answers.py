"""With one of two options chosen, a drill disables Check, and the sheet of a mock shows the answer as incomplete."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from practice.models import SessionItem
from questions.models import Exam, StudyModule
from questions.modules.rules.html import module_html
from questions.pages.reads.questions import question_page
from tests.journeys.test_nothing_is_lost import Begin, begin, check, press, saved  # noqa: F401
from tests.support.bank import NOW, add_questions, make_exam
from tests.support.subprocesses import Site

pytestmark = [pytest.mark.soak, pytest.mark.browser, pytest.mark.gate]


@pytest.fixture(scope="module")
def exam(live_rows: None) -> Exam:
    made = make_exam()
    add_questions(made, 3, kind="multiple")
    return made


def test_a_drill_disables_check_until_enough_options_are_chosen(begin: Begin) -> None:  # noqa: F811
    learner = begin("drill")
    page = learner.open()
    saved(page)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "/check/" in request.url else None)
    press(page, "a")
    check(page, 1)
    expect(page.locator("#q1 .check-state")).to_have_text(re.compile(r"\b1\b"))
    expect(page.locator("#q1 input").first).to_be_checked()
    saved(page)
    assert (asked, learner.checked()) == ([], [])
    press(page, "b")
    check(page, 1)
    expect(page.locator("#q1 .verdict")).to_be_visible()
    assert learner.checked() == [1]


def test_a_mock_shows_an_answer_as_incomplete_everywhere(begin: Begin) -> None:  # noqa: F811
    learner = begin("mock")
    page = learner.open()
    saved(page)
    press(page, "a n a b n a b c")
    cells = page.locator("#sheet a.cell")
    names = [cells.nth(place).get_attribute("aria-label") for place in range(4)]
    assert names[1] == names[2].replace("3", "2")  # question 2 is answered, like 3; the labels of 1 and 4 are different
    assert len({name.replace(str(n), "") for n, name in enumerate(names, start=1)}) == 3
    expect(page.locator("#sheet .is-answered[href]")).to_have_text(["2", "3"])
    expect(page.locator("#sheet .is-incomplete[href]")).to_have_text(["1"])
    press(page, "r")
    expect(page.locator("#summary [data-list=open] a").first).to_have_text("4")
    expect(page.locator("#summary [data-list=miscounted] li")).to_have_text(
        [re.compile(r"1.*\b1\b"), re.compile(r"3.*\b3\b.*\b2\b")]
    )
    expect(page.locator("#summary [data-tally]")).to_have_text(re.compile(r"^2\b.*\b10\b"))
    saved(page)
    page.goto(f"{learner.site.url}{learner.session.get_absolute_url()}finish/")
    expect(page.locator(".cell.is-incomplete")).to_have_text(["1"])


@pytest.mark.parametrize("place", ["question", "module"])
def test_a_public_page_disables_check_and_keeps_the_choice(
    begin: Begin,  # noqa: F811
    live_site: Site,
    exam: Exam,
    place: str,
) -> None:
    page = begin("mock").context.new_page()
    held = SessionItem.objects.filter(session__mode="page")
    question = exam.questions.filter(number__isnull=False).order_by("number").first()
    assert question
    if place == "module":
        body = f"## The part\n\n:::check {question.key}\n:::\n"
        StudyModule.objects.create(
            exam=exam, domain=exam.domains.get(key="d1"), number=1, slug="part", title="Part", summary="About.",
            body=body, html=module_html(body), words=9, changed_at=NOW,
        )  # fmt: skip
        address = "/exams/pmle/modules/1-part/"
    else:
        address = question_page(question).url
    page.goto(live_site.url + address)
    form, verdict = page.locator("form.ask").first, page.locator("[data-verdict]").first
    form.locator("input[name=slot]").nth(1).check(force=True)
    form.locator(".check").click()
    expect(verdict.get_by_role("alert")).to_contain_text("1")
    expect(form.locator("input:checked")).to_have_count(1)
    assert not held.exists()
    form.locator("input[name=slot]").nth(2).check(force=True)
    form.locator(".check").click()
    expect(verdict.locator(".verdict")).to_be_visible()
    expect(form).to_be_hidden()
    assert held.count() == 1
    held.delete()
