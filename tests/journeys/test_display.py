"""Text size and width are stored in the browser and apply to every page before it is painted."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.support.bank import add_questions, make_exam
from tests.support.subprocesses import Site

pytestmark = [pytest.mark.soak, pytest.mark.browser]
OF_EXAM = ("/exams/pmle/", "/exams/pmle/questions/", "/practice/pmle/build/", "/practice/pmle/mock/")
PAGES = ("/display/", "/search/", *OF_EXAM)
SPILLS = "() => document.documentElement.scrollWidth > document.documentElement.clientWidth"
FONT = "() => getComputedStyle(document.documentElement).fontSize"


@pytest.fixture(scope="module")
def exam(live_rows: None) -> None:
    add_questions(make_exam(), 2)


@pytest.fixture
def context(browser: Browser, live_site: Site, exam: None) -> Iterator[BrowserContext]:
    context = browser.new_context(base_url=live_site.url, viewport={"width": 320, "height": 640})
    yield context
    context.close()


def choose(page: Page, name: str, value: str) -> None:
    page.locator(f"label:has([name={name}][value='{value}'])").click()


def test_display_settings_apply_everywhere_and_nothing_overflows(context: BrowserContext) -> None:
    page = context.new_page()
    page.goto("/display/")
    choose(page, "size", "larger")
    choose(page, "width", "wide")
    for address in PAGES:
        page.goto(address)
        assert page.evaluate(FONT) == "20px"
        assert page.locator("html").get_attribute("data-width") == "wide"
        assert not page.evaluate(SPILLS), address
    page.goto("/display/")
    expect(page.locator("[name=size][value=larger]")).to_be_checked()
    choose(page, "size", "")
    page.reload()
    assert page.evaluate(FONT) == "16px"


def test_without_script_the_display_page_says_what_to_do_instead(browser: Browser, live_site: Site, exam: None) -> None:
    context = browser.new_context(base_url=live_site.url, java_script_enabled=False)
    page = context.new_page()
    page.goto("/display/")
    expect(page.locator("[data-state=no-script]")).to_be_visible()
    expect(page.locator("[data-display]")).to_be_hidden()
    context.close()
