"""A keyboard alone leads from a marked answer to a variant and its verdict, also without script; axe finds nothing."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Browser, Page, Response, expect

from practice.models import Note, Star
from questions.models import Exam, Question
from tests.support.bank import make_exam
from tests.support.families import add_family
from tests.support.subprocesses import Site

HTML_LIMIT, COLD_LIMIT = 30_000, 60_000  # bytes after gzip
MOST_STOPS = 60
PATIENCE = 15_000
AXE = "() => axe.run({resultTypes: ['violations'], preload: false}).then(results => results.violations)"
SIDEWAYS = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"

pytestmark = [pytest.mark.soak, pytest.mark.browser]


@pytest.fixture(scope="module")
def exam(live_rows: None) -> Exam:
    made = make_exam()
    add_family(made)
    return made


@pytest.fixture
def page(browser: Browser, live_site: Site, exam: Exam) -> Iterator[Page]:
    context = browser.new_context(java_script_enabled=False, base_url=live_site.url)
    context.set_default_timeout(PATIENCE)
    yield context.new_page()
    context.close()


def walk_to(page: Page, sought: str) -> None:
    """Move the focus to the element with Tab, from where it is."""
    element = page.locator(sought).first
    for _ in range(MOST_STOPS):
        if element.evaluate("element => element === document.activeElement"):
            return
        page.keyboard.press("Tab")
    pytest.fail(f"Tab doesn't lead to {sought}")


def press_on(page: Page, sought: str, key: str = "Enter") -> None:
    """Tab to the element and press a key on it."""
    walk_to(page, sought)
    page.keyboard.press(key)


def answered_variant(page: Page) -> str:
    """Finish a drill of one question and answer its variant; return the address of the verdict."""
    page.goto("/practice/pmle/?size=1")
    press_on(page, "form.choices[action$='/drill/'] button:not([formaction], [name])")
    press_on(page, "input[name=a-1]", "Space")
    press_on(page, "button[name=check]")
    expect(page).to_have_url(re.compile(r"/results/"))
    press_on(page, "a[href*='/items/1/']")
    press_on(page, "a[data-variant]")
    expect(page.locator("form.ask")).to_be_visible()
    press_on(page, "input[name=slot]", "Space")
    press_on(page, "form.ask button.btn")
    expect(page).to_have_url(re.compile(r"/contrast/[0-9a-f-]{36}/$"))
    return page.url


@pytest.mark.gate
def test_a_variant_is_answered_starred_noted_and_reported_by_keyboard_alone(page: Page) -> None:
    verdict = answered_variant(page)
    expect(page.locator(".verdict")).to_have_attribute("data-state", re.compile("right|wrong"))
    expect(page.locator(".is-marked mark")).to_have_count(2)
    press_on(page, "button[formaction$='/star/']")
    expect(page.locator("button[formaction$='/star/']")).to_have_attribute("aria-pressed", "true")
    press_on(page, "details.note summary")
    walk_to(page, "textarea[name=text]")
    page.keyboard.type("Mind the figure.")
    press_on(page, "button[formaction$='/note/']")
    expect(page.locator("textarea[name=text]")).to_have_value("Mind the figure.")
    variant = Question.objects.get(pk=Note.objects.get().question_id)
    assert Star.objects.get().question_id == variant.pk
    press_on(page, "a[href$='/report/']")
    expect(page.locator("form textarea").first).to_be_visible()
    page.goto(verdict)
    press_on(page, "a[data-variant]")
    expect(page.locator("form.ask")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 1280])
def test_the_contrasts_two_pages_are_valid_and_light(
    page: Page, browser: Browser, live_site: Site, width: int, scheme: str
) -> None:
    verdict = answered_variant(page)
    cookies = page.context.cookies()
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme, bypass_csp=True)
    context.add_cookies(cookies)
    said: list[str] = []
    for address in (verdict.rsplit("/", 2)[0] + "/", verdict):
        context.clear_cookies()
        context.add_cookies(cookies)
        fresh = context.new_page()
        fresh.on("console", lambda message: said.append(message.text))
        weights: dict[str, int] = {}

        def weigh(response: Response, weights: dict[str, int] = weights) -> None:
            weights[response.url] = len(gzip.compress(response.body(), 6)) if response.ok else 0

        fresh.on("response", weigh)
        fresh.goto(address, wait_until="networkidle")
        assert weights[address] <= HTML_LIMIT
        assert sum(weights.values()) <= COLD_LIMIT
        assert fresh.evaluate(SIDEWAYS) <= 0
        fresh.evaluate(AXE_SCRIPT)
        assert [found["id"] for found in fresh.evaluate(AXE)] == []
        fresh.close()
    context.close()
    assert said == []
