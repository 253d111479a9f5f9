"""The builder's numbers follow each choice, and the same page counts without script."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.bank import add_questions, make_exam
from tests.support.subprocesses import Site

pytestmark = [pytest.mark.soak, pytest.mark.browser]
BUILDER = "/practice/pmle/build/?size=100"
TOTAL = "#total [data-total]"


@pytest.fixture(scope="module")
def exam(live_rows: None) -> None:
    add_questions(make_exam(), 4)


@pytest.fixture(params=[True, False], ids=["with script", "without script"])
def page(request: pytest.FixtureRequest, browser: Browser, live_site: Site, exam: None) -> Iterator[Page]:
    context = browser.new_context(base_url=live_site.url, java_script_enabled=request.param)
    page = context.new_page()
    page.has_script = request.param  # type: ignore[attr-defined]
    yield page
    context.close()


def test_a_choice_changes_the_numbers_the_total_and_the_link(page: Page) -> None:
    page.goto(BUILDER)
    total = int(page.locator(TOTAL).get_attribute("data-total") or 0)
    of_domain = page.locator("[data-count='domain d2']").inner_text()
    page.locator("label:has([name=domain][value=d2])").click()
    again = page.locator("[data-count-again]")
    if not page.has_script:  # type: ignore[attr-defined]
        again.click()
    expect(page.locator(TOTAL)).to_have_attribute("data-total", of_domain)
    assert again.is_visible() is not page.has_script  # type: ignore[attr-defined]
    assert int(of_domain) < total
    expect(page.locator("[name=expects]")).to_have_value(of_domain)
    assert "domain=d2" in (page.locator("[data-link]").get_attribute("href") or "")
    assert "domain=d2" in page.url
    page.locator(".builder-end .btn").first.click()
    page.wait_for_url("**/practice/sessions/**")
