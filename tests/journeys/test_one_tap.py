"""On a phone, strike-out and leaving a drill take one tap, only one Next is shown, and keyboards have a skip link."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Browser, BrowserContext, Page, expect

from questions.models import Exam
from tests.support.sessions import begin_drill, begin_mock, guest, guest_client
from tests.support.subprocesses import Site

pytestmark = [pytest.mark.soak, pytest.mark.browser]
PHONE = {"width": 320, "height": 640}
DESK = {"width": 1280, "height": 900}
NEXT = "a:visible, button:visible"
TOO_WIDE = """
[...document.querySelectorAll(".bar .btn")].filter((button) => {
  const label = document.createRange();
  label.selectNodeContents(button);
  return label.getBoundingClientRect().width > button.clientWidth;
}).map((button) => button.id)
"""
Open = Callable[..., Page]


@pytest.fixture
def opened(browser: Browser, live_site: Site, exam: Exam) -> Iterator[Open]:
    contexts: list[BrowserContext] = []

    def begin(kind: str = "drill", size: dict[str, int] = PHONE) -> Page:
        owner, token = guest()
        now = timezone.now()
        session = begin_drill(owner, exam, now, size=5) if kind == "drill" else begin_mock(owner, exam, 10, now)
        context = browser.new_context(viewport={"width": size["width"], "height": size["height"]})
        contexts.append(context)
        for name, morsel in guest_client(token).cookies.items():
            context.add_cookies([{"name": name, "value": morsel.value, "url": live_site.url}])
        page = context.new_page()
        page.goto(live_site.url + session.get_absolute_url())
        expect(page.locator("#savestate")).to_have_attribute("data-state", "saved")
        return page

    yield begin
    for context in contexts:
        context.close()


@pytest.mark.parametrize("kind", ["drill", "mock"])
def test_strike_out_takes_one_tap_within_reach(opened: Open, kind: str) -> None:
    page = opened(kind)
    button = page.locator("#bar-strike")
    expect(button).to_be_in_viewport(ratio=1)
    button.click()
    expect(page.locator("#q1 .strike").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_the_longest_labels_fit_into_the_bar(opened: Open) -> None:
    page = opened()
    for _ in range(4):
        page.locator("#bar-next").click()
    expect(page.locator("#bar-next")).to_have_text("Summary")
    page.locator("#bar-flag").click()
    expect(page.locator("#bar-flag")).to_have_text("Flagged")
    assert page.evaluate(TOO_WIDE) == []


def test_leaving_a_drill_takes_one_tap_and_a_mock_has_no_such_link(opened: Open) -> None:
    page = opened()
    way = page.locator("#bar-end")
    expect(way).to_be_in_viewport(ratio=1)
    way.click()
    page.wait_for_url("**/finish/")
    expect(opened("mock").locator("#bar-end")).to_have_count(0)


def test_only_one_next_button_is_on_screen_before_and_after_a_check(opened: Open) -> None:
    page = opened()
    nexts = page.locator(NEXT).filter(has_text="Next")
    expect(nexts).to_have_count(1)
    page.locator("#q1 .option input").first.check(force=True)
    page.locator("#q1 [data-check], #q1 .item-tools button").filter(has_text="Check").first.click()
    expect(page.locator("#q1 .verdict")).to_be_visible()
    expect(nexts).to_have_count(1)


@pytest.mark.parametrize("size", [PHONE, DESK])
def test_a_skip_link_leads_from_the_header_to_the_question_in_view(opened: Open, size: dict[str, int]) -> None:
    page = opened(size=size)
    page.locator("#bar-next").click()
    page.evaluate("document.activeElement.blur()")
    page.evaluate("scrollTo(0, 0)")
    page.locator(".skip-link").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('.question')?.id") == "q2"


def test_the_header_of_a_cached_page_says_where_to_sign_in(opened: Open, live_site: Site) -> None:
    page = opened()
    page.goto(live_site.url + reverse("article", args=["privacy"]))
    expect(page.locator(".who a[data-stranger]")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
