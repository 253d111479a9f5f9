"""On a phone, formulas scroll in a box of their own, by key too, name their option, and axe finds nothing."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Browser, Page

from questions.desk.publish import rerender
from questions.models import Domain, QuestionVersion
from tests.journeys.test_contrast import AXE, SIDEWAYS
from tests.support.bank import changed, draft, make_exam, publish_all
from tests.support.subprocesses import Site

pytestmark = [pytest.mark.soak, pytest.mark.browser]

WIDE = r"\mathcal{L} = -\frac{1}{n}\sum_{i=1}^{n}\left(y_i\log\hat{y}_i + (1-y_i)\log(1-\hat{y}_i)\right) + \|w\|"
BOX = ".scenario .formula.is-block"


@pytest.fixture(scope="module")
def address(live_rows: None) -> str:
    """Return the address of a public question with formulas in its stem, its options and its solution."""
    exam = make_exam()
    text = draft(1)
    first, second, *others = text.options
    options = (
        dataclasses.replace(first, text=f"${WIDE}$", why=r"Because $\frac{1}{2}$."),
        dataclasses.replace(second, text=r"Set $w_1 = \frac{1}{2}$"),
        *others,
    )
    stem = f"{text.stem}\n\n$${WIDE} + {WIDE}$$\n\nIt costs $5 an hour, $7 at night, and $x > 0$."
    text = changed(text, stem=stem, options=options, explanation=f"${WIDE}$ and $$x$$")
    (version,) = publish_all(exam, [(Domain.objects.get(key="d1"), text)])
    rerender(QuestionVersion.objects.select_related("hint", "solution").get(pk=version.pk))
    return f"/exams/{exam.slug}/questions/{version.question.number}-situation-1/"


@pytest.fixture(params=["light", "dark"])
def page(browser: Browser, live_site: Site, address: str, request: pytest.FixtureRequest) -> Iterator[Page]:
    context = browser.new_context(
        viewport={"width": 390, "height": 900}, color_scheme=request.param, bypass_csp=True, base_url=live_site.url
    )
    page = context.new_page()
    page.goto(address)
    yield page
    context.close()


def test_a_page_with_formulas_fits_a_phone_and_is_valid(page: Page) -> None:
    for closed in page.locator("details").all():
        closed.evaluate("element => { element.open = true }")
    assert page.locator("math").count() > 8
    assert page.evaluate(SIDEWAYS) <= 0
    page.evaluate(AXE_SCRIPT)
    assert [found["id"] for found in page.evaluate(AXE)] == []


def test_a_wide_formula_is_scrolled_with_keys(page: Page) -> None:
    box = page.locator(BOX)
    assert box.evaluate("box => box.scrollWidth > box.clientWidth")
    box.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function(f"document.querySelector('{BOX}').scrollLeft > 0")


def test_an_option_is_named_by_its_formulas_and_can_be_chosen_by_them(page: Page) -> None:
    assert page.get_by_role("radio", name=r"Set w_1 = \frac{1}{2}").count() == 1
    page.locator(".option .formula").first.click()
    assert page.locator(".option:has(.formula) input").first.is_checked()


def test_a_printed_formula_is_not_cut_off(page: Page) -> None:
    page.emulate_media(media="print")
    assert page.locator(BOX).evaluate("box => getComputedStyle(box).overflowX") == "visible"
