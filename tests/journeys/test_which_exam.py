"""A newcomer to a site with several exams is asked once which one is theirs, with script and without."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from questions.models import Exam
from tests.support.bank import add_questions, make_exam
from tests.support.subprocesses import Site

pytestmark = [pytest.mark.soak, pytest.mark.browser]
CHOICE = "[name=exam]"
OF_NO_EXAM = ("/articles/", "/exams/", "/search/", "/accounts/")


@pytest.fixture(scope="module")
def exams(live_rows: None) -> list[Exam]:
    made = [make_exam(slug) for slug in ("ace", "pmle", "pca")]
    for exam in made:
        add_questions(exam, 2)
    return made


@pytest.fixture(params=[True, False], ids=["with script", "without script"])
def context(
    request: pytest.FixtureRequest, browser: Browser, live_site: Site, exams: list[Exam]
) -> Iterator[BrowserContext]:
    context = browser.new_context(base_url=live_site.url, java_script_enabled=request.param)
    context.has_script = request.param  # type: ignore[attr-defined]
    yield context
    context.close()


def choose(page: Page, slug: str) -> None:
    page.locator(f"{CHOICE}[value={slug}]").click()


def is_asked(page: Page) -> bool:
    return page.locator(CHOICE).count() > 0


def test_the_exam_is_asked_and_chosen_once_on_the_home_page(context: BrowserContext) -> None:
    page = context.new_page()
    page.goto("/")
    choose(page, "pmle")
    assert not is_asked(page)
    expect(page.locator("form.ask")).to_have_attribute("action", re.compile(r"^/practice/pmle/answer/"))
    page.goto("/articles/")
    page.locator("a.brand").click()
    assert not is_asked(page)
    expect(page.locator(".exam-code")).to_have_text("PMLE")


@pytest.mark.parametrize(
    ("place", "address"),
    [
        (0, "/practice/pca/"),
        (1, "/practice/pca/mock/"),
        (2, "/exams/pca/"),
        (3, "/practice/pca/readiness/"),
    ],
)
def test_the_exam_is_asked_on_the_way_to_a_page_which_then_opens(
    context: BrowserContext, place: int, address: str
) -> None:
    page = context.new_page()
    page.goto("/articles/")
    for is_first in (True, False):
        page.locator(".places a").nth(place).click()
        assert is_asked(page) is is_first
        if is_first:
            choose(page, "pca")
        expect(page).to_have_url(re.compile(rf"{address}$"))
        page.goto("/articles/")


def test_the_exam_can_be_changed_in_the_header_of_any_page(context: BrowserContext) -> None:
    page = context.new_page()
    page.goto("/practice/ace/mock/")
    page.locator(".exam-place a").click()
    choose(page, "pmle")
    expect(page).to_have_url(re.compile(r"/practice/pmle/mock/$"))
    for address in OF_NO_EXAM:
        page.goto(address)
        if context.has_script:  # type: ignore[attr-defined]
            expect(page.locator(".exam-code")).to_have_text("PMLE")
        page.locator(".exam-place a").click()
        expect(page.locator(f"{CHOICE}[aria-current]")).to_have_attribute("value", "pmle")
    page.goto("/exams/ace/")  # a page below an exam's address belongs to that exam, whoever reads it
    expect(page.locator(".exam-code")).to_have_text("ACE")
