"""After a miss, Next is within reach on a phone, keys lead through the misses, and selected words are kept."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from practice.models import CardTurn, Highlight, Note, PracticeSession
from practice.reviews.make_cards import refresh_cards
from practice.sessions.ending.finish import finish
from practice.sessions.player.check import check
from questions.models import Exam
from tests.support.sessions import begin_drill, guest, guest_client, right_places, state
from tests.support.subprocesses import Site, wait_until

pytestmark = [pytest.mark.soak, pytest.mark.browser]
PHONE, DESK = (390, 844), (1280, 900)
MISSES = 3
SELECT = """(element) => {
  const range = document.createRange();
  range.selectNodeContents(element);
  const selection = getSelection();
  selection.removeAllRanges();
  selection.addRange(range);
}"""
Opened = tuple[Page, PracticeSession]
Open = Callable[..., Opened]


@pytest.fixture
def opened(browser: Browser, live_site: Site, exam: Exam) -> Iterator[Open]:
    """Return a function that opens a guest's drill of five with three wrong answers, finished or still running."""
    contexts: list[BrowserContext] = []

    def begin(size: tuple[int, int] = DESK, running: bool = False) -> Opened:
        owner, token = guest()
        now = timezone.now() if running else timezone.now() - dt.timedelta(days=3)
        session = begin_drill(owner, exam, now, size=5)
        for position in range(1, MISSES + 1):
            wrong = (right_places(session, position)[0] + 1) % 4
            check(session.uuid, owner, state(position, 1, wrong), None, now)
        if not running:
            finish(session.uuid, owner, now)
            refresh_cards(session.learner_id, exam.pk)
        context = browser.new_context(
            base_url=live_site.url, viewport={"width": size[0], "height": size[1]}, reduced_motion="reduce"
        )
        contexts.append(context)
        for name, morsel in guest_client(token).cookies.items():
            context.add_cookies([{"name": name, "value": morsel.value, "url": live_site.url}])
        return context.new_page(), session

    yield begin
    for context in contexts:
        context.close()


def question(session: PracticeSession, position: int, show: str = "") -> str:
    return reverse("breakdown", args=[session.uuid, position]) + (f"?show={show}" if show else "")


@pytest.mark.parametrize("place", ["drill", "walk"])
def test_next_is_within_reach_on_a_phone_at_the_top_and_end_of_a_verdict(opened: Open, place: str) -> None:
    page, session = opened(PHONE, running=place == "drill")
    page.goto(f"{session.get_absolute_url()}#q1" if place == "drill" else question(session, 1, "wrong"))
    verdict = page.locator("#q1 .verdict" if place == "drill" else "main .verdict").first
    expect(verdict).to_be_visible()
    following = page.locator("#bar-next" if place == "drill" else ".bar [rel=next]")
    assert page.evaluate("document.documentElement.scrollHeight") > 2 * PHONE[1]
    for end in ("0", "document.documentElement.scrollHeight"):
        page.evaluate(f"scrollTo(0, {end})")
        expect(following).to_be_in_viewport(ratio=1)


def test_missed_questions_can_be_walked_through_with_keys(opened: Open) -> None:
    page, session = opened()
    page.goto(question(session, 1, "wrong"))
    page.keyboard.press("k")
    expect(page.locator("[data-star]")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("w")
    page.keyboard.type("npk is text here")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert wait_until(lambda: Note.objects.filter(learner=session.learner_id, text="npk is text here").exists())
    page.evaluate("document.activeElement.blur()")
    for position in (2, 3):
        page.keyboard.press("n")
        page.wait_for_url(f"**/items/{position}/**")
    page.keyboard.press("p")
    page.wait_for_url("**/items/2/**")
    page.locator("[data-keys]").click()
    page.keyboard.press("n")
    expect(page.locator("[data-keys]")).to_have_attribute("aria-pressed", "false")
    assert "/items/2/" in page.url
    page.locator("[data-keys]").click()
    page.keyboard.press("Escape")
    page.wait_for_url("**/results/")


@pytest.mark.parametrize("typed", ["", "np"])
def test_a_note_begun_before_the_star_is_saved_continues_where_it_was(opened: Open, typed: str) -> None:
    page, session = opened()
    page.goto(question(session, 1, "wrong"))
    held: list[Route] = []
    page.route("**/star/", lambda route: held.append(route))  # noqa: PLW0108 - it cannot wrap a built-in
    with page.expect_request("**/star/"):
        page.keyboard.press("k")
    page.keyboard.press("w")
    page.keyboard.type(typed)
    held[0].continue_()
    expect(page.locator("[data-star]")).to_have_attribute("aria-pressed", "true")
    page.keyboard.type("kw")
    expect(page.locator("textarea[name=text]")).to_have_value(f"{typed}kw")
    assert page.url.endswith(question(session, 1, "wrong"))


def test_one_key_press_keeps_selected_words_and_highlights_them(opened: Open) -> None:
    page, session = opened()
    page.goto(question(session, 1))
    page.locator("main .scenario p").first.evaluate(SELECT)
    page.locator(".highlight-button").click()
    assert wait_until(lambda: Highlight.objects.filter(learner=session.learner_id).count() == 1)
    page.reload()
    kept = Highlight.objects.get(learner=session.learner_id).text
    expect(page.locator("main .scenario mark").first).to_be_visible()
    page.goto(reverse("notebook", args=[session.exam.slug]))
    expect(page.locator("[data-highlight] mark")).to_have_text(kept)


def test_cards_are_turned_and_answered_with_keys(opened: Open) -> None:
    page, session = opened()
    page.goto(reverse("flashcards", args=[session.exam.slug]))
    for key, turned in (("1", 1), ("2", 2)):
        back = page.locator(".flashcard form")
        expect(back).to_be_hidden()
        page.keyboard.press("Space")
        expect(back).to_be_visible()
        page.keyboard.press(key)
        assert wait_until(lambda: CardTurn.objects.filter(learner=session.learner_id).count() == turned)  # noqa: B023
        page.wait_for_load_state()
