"""A player that fails to render, or whose scripts never load, says so, and every answer reaches the server."""

from __future__ import annotations

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from practice.models import PracticeSession
from practice.sessions.player.save import claim, save
from tests.journeys.device import holds
from tests.journeys.test_nothing_is_lost import (  # noqa: F401
    ANSWERED,
    CUT,
    MEND,
    Begin,
    Learner,
    begin,
    saved,
)
from tests.support.sessions import batch, state

pytestmark = [pytest.mark.soak, pytest.mark.browser]

# Before the player's modules run, the page loses a piece that it draws with.
BREAK = "document.addEventListener('readystatechange', () => document.getElementById('summary')?.remove())"


def broken(learner: Learner, place: str = "") -> Page:
    page = learner.context.new_page()
    page.add_init_script(BREAK)
    page.goto(learner.site.url + learner.session.get_absolute_url() + place)
    expect(page.locator("html")).to_have_attribute("data-player", "failed")
    return page


def choose(page: Page, position: int, place: int) -> None:
    page.locator(f"input[name=a-{position}][value='{place}']").check(force=True)


@pytest.mark.gate
@pytest.mark.parametrize("mode", ["mock", "drill"])
def test_a_page_that_fails_to_render_sends_its_queue_and_keeps_saving(begin: Begin, mode: str) -> None:  # noqa: F811
    learner = begin(mode)
    learner.begin().close()
    page = broken(learner, "#summary")
    saved(page)
    expect(page.locator("[data-notice=failed]")).to_be_visible()
    expect(page.locator("#savestate")).to_be_visible()
    assert learner.answered() == ANSWERED
    expect(page.locator("#q4 input:checked")).to_have_value("1")
    choose(page, 5, 2)
    saved(page)
    assert learner.answered() == [*ANSWERED, 5]
    if mode == "mock":
        left = page.locator("#clock-text").inner_text()
        expect(page.locator("#clock-text")).not_to_have_text(left)


def test_a_view_that_fails_later_says_so_and_keeps_saving(begin: Begin) -> None:  # noqa: F811
    learner = begin("mock")
    page = learner.context.new_page()
    page.goto(learner.site.url + learner.session.get_absolute_url())
    saved(page)
    page.locator("#summary h2").evaluate("heading => heading.remove()")
    page.keyboard.press("r")
    expect(page.locator("[data-notice=failed]")).to_be_visible()
    for key in ("Escape", "n", "a"):
        page.keyboard.press(key)
    saved(page)
    assert learner.answered() == [2]


@pytest.mark.gate
def test_submitting_from_a_page_that_failed_to_render_sends_the_queue_first(begin: Begin) -> None:  # noqa: F811
    learner = begin("mock")
    page = broken(learner)
    saved(page)
    page.evaluate(CUT)
    choose(page, 2, 1)
    choose(page, 7, 0)
    holds(page, 2)
    page.locator("button[name=finish]").click()
    expect(page.locator("[data-notice=waiting]")).to_be_visible()
    assert learner.answered() == []
    page.evaluate(MEND)
    page.wait_for_url("**/finish/")
    assert learner.answered() == [2, 7]


def scriptless(learner: Learner) -> Page:
    """Return a page whose player modules never load; the modules of the page that submits do."""
    page = learner.context.new_page()
    page.route("**/session/pages*.js", lambda route: route.abort())
    return page


def submit(page: Page) -> None:
    page.locator("form[data-held] button").click()


@pytest.mark.gate
def test_the_submit_page_sends_what_this_browser_holds(begin: Begin) -> None:  # noqa: F811
    learner = begin("mock")
    learner.begin().close()
    page = scriptless(learner)
    page.goto(f"{learner.site.url}{learner.session.get_absolute_url()}finish/")
    expect(page.locator(".sheet .cell:not(.is-incomplete):not(.is-flagged)")).to_have_count(6, timeout=20_000)
    assert learner.answered() == ANSWERED
    submit(page)
    page.wait_for_url("**/results/")
    learner.session.refresh_from_db()
    assert learner.session.finished_at


def test_submitting_at_once_still_waits_for_this_browsers_queue(begin: Begin) -> None:  # noqa: F811
    learner = begin("mock")
    learner.begin().close()
    page = scriptless(learner)
    page.route("**/claim/", lambda route: (page.wait_for_timeout(500), route.continue_()))
    page.goto(f"{learner.site.url}{learner.session.get_absolute_url()}finish/", wait_until="domcontentloaded")
    submit(page)
    page.wait_for_url("**/results/")
    assert learner.answered() == ANSWERED
    assert not learner.session.late_answers.exists()


@pytest.mark.parametrize("place", ["#summary", "finish/"])
def test_nothing_is_submitted_while_this_browser_holds_superseded_answers(
    begin: Begin,  # noqa: F811
    place: str,
) -> None:
    learner = begin("mock")
    learner.begin().close()
    owner, now = learner.owner, timezone.now()
    writer = claim(learner.session.uuid, owner, now).writer
    save(learner.session.uuid, owner, batch(writer, state(3, 1, 2)), now)
    page = learner.open(f"{learner.site.url}{learner.session.get_absolute_url()}{place}")
    expect(page.locator("[data-notice=left]")).to_be_visible()
    page.locator("#submit-session" if place == "#summary" else "form[data-held] button").click()
    expect(page.locator("[data-notice=left] button").first).to_be_focused()
    assert PracticeSession.objects.get(pk=learner.session.pk).is_open
    assert learner.answered() == [1, 2, 3]
    page.locator("[data-notice=left] button").first.click()
    page.wait_for_function("() => !Object.keys(localStorage).some(key => key.startsWith('answers:'))")
    assert learner.answered() == ANSWERED
    assert learner.session.items.get(position=3).writer > writer


@pytest.mark.gate
@pytest.mark.parametrize("mode", ["mock", "drill"])
def test_coming_back_opens_where_the_learner_left_off(begin: Begin, mode: str) -> None:  # noqa: F811
    learner = begin(mode)
    page = learner.open()
    saved(page)
    for key in "anbnpnn":
        page.keyboard.press(key)
    saved(page)
    page.close()
    page = learner.open()
    expect(page.locator("#q4")).to_be_visible()
    saved(page)
    page.goto(f"{learner.site.url}/practice/pmle/")
    page.locator(f"main a[href^='{learner.session.get_absolute_url()}']").first.click()
    page.wait_for_url("**/#q4")
    expect(page.locator("#q4")).to_be_visible()
