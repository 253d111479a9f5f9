"""However people leave any view of a running session, its answers reach the server."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import product

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, BrowserContext, Error, Page, expect

from practice.learners.reads.identity import Owner
from practice.models import PracticeSession, SessionItem
from questions.models import Exam, Question
from tests.journeys.device import holds
from tests.support.sessions import add_cards, begin_drill, begin_mock, begin_review, guest, guest_client
from tests.support.subprocesses import Site, wait_until

pytestmark = [pytest.mark.soak, pytest.mark.browser]

NETWORK = 20_000  # milliseconds the player may take to notice that the network is back
# Only a narrow window has the sheet as a view.
WIDE, NARROW = {"width": 1280, "height": 900}, {"width": 390, "height": 844}
ANSWERED = [1, 2, 3, 4]
MODES = ("mock", "drill", "review")
VIEWS = {"question": "question", "sheet": "sheet", "summary": "summary", "help": "question", "submit": "summary"}
VERDICT = {"verdict": "question"}
CUT = "() => { window.realFetch = fetch; window.fetch = () => Promise.reject(new TypeError('cut')); }"
ON_THE_DEVICE = """async () => {
  for (const name of await caches.keys()) {
    const held = await (await caches.open(name)).keys();
    if (held.some(({ url }) => url.endsWith("/") && url.includes("/practice/sessions/"))) return true;
  }
  return false;
}"""
MEND = "() => { window.fetch = realFetch; dispatchEvent(new Event('online')); }"


@dataclass
class Learner:
    """A browser with a running session, in which two answers are saved and two more are queued."""

    context: BrowserContext
    site: Site
    session: PracticeSession
    owner: Owner
    said: list[str] = field(default_factory=list)

    def open(self, address: str = "") -> Page:
        page = self.context.new_page()
        page.on("pageerror", lambda error: self.said.append(str(error)))
        page.goto(address or self.site.url + self.session.get_absolute_url())
        return page

    def begin(self) -> Page:
        page = self.open()
        saved(page)
        page.wait_for_function(ON_THE_DEVICE)
        press(page, "a")
        if self.session.feedback_each:
            check(page, 1)
            expect(page.locator("#q1 .verdict")).to_be_visible()
        press(page, "n b")
        saved(page)
        page.evaluate(CUT)
        press(page, "n a n b")
        holds(page, 2)
        return page

    def answered(self) -> list[int]:
        rows = SessionItem.objects.filter(session=self.session).exclude(selected=0)
        return sorted(rows.values_list("position", flat=True))

    def checked(self) -> list[int]:
        rows = SessionItem.objects.filter(session=self.session, checked_at__isnull=False)
        return sorted(rows.values_list("position", flat=True))


Begin = Callable[..., Learner]


@pytest.fixture
def begin(browser: Browser, live_site: Site, exam: Exam) -> Iterator[Begin]:
    learners: list[Learner] = []

    def start(mode: str, viewport: dict[str, int] = WIDE) -> Learner:
        owner, token = guest()
        now = timezone.now()
        if mode == "review":
            add_cards(owner, Question.objects.filter(exam=exam, number__isnull=False)[:6], now)
        beginning = {"mock": begin_mock, "drill": begin_drill, "review": begin_review}[mode]
        context = browser.new_context(viewport=viewport)
        for name, morsel in guest_client(token).cookies.items():
            context.add_cookies([{"name": name, "value": morsel.value, "url": live_site.url}])
        learners.append(Learner(context, live_site, beginning(owner, exam, now=now), owner))
        return learners[-1]

    yield start
    for learner in learners:
        learner.context.close()
    assert [line for learner in learners for line in learner.said] == []


def press(page: Page, keys: str) -> None:
    for key in keys.split():
        page.keyboard.press(key)


def saved(page: Page) -> None:
    expect(page.locator("#savestate")).to_have_attribute("data-state", "saved", timeout=NETWORK)


def check(page: Page, position: int) -> None:
    page.locator(f"#q{position}").locator("button[name=check]").click()


# The views of a session


def question(page: Page) -> None:
    expect(page.locator("#q4")).to_be_visible()


def sheet(page: Page) -> None:
    page.locator("#bar-sheet").click()
    expect(page.locator("#sheet")).to_be_visible()


def summary(page: Page) -> None:
    press(page, "r")
    expect(page.locator("#summary")).to_be_visible()


def help_(page: Page) -> None:
    page.keyboard.press("?")
    expect(page.locator("#help")).to_be_visible()


def submit(page: Page) -> None:
    summary(page)
    page.locator("#submit-session").click()
    expect(page.locator("#waiting")).to_be_visible()


def verdict(page: Page) -> None:
    check(page, 4)
    expect(page.locator("#q4 .check-state")).to_be_visible()
    press(page, "p p p")
    expect(page.locator("#q1 .verdict")).to_be_visible()


SHOW = {"question": question, "sheet": sheet, "summary": summary, "help": help_, "submit": submit, "verdict": verdict}


# The ways to leave; each returns the page the learner has afterwards


def reload(learner: Learner, page: Page) -> Page:
    page.reload()
    return page


def back(learner: Learner, page: Page) -> Page:
    page.goto(f"{learner.site.url}/articles/")
    page.go_back()
    return page


def killed_renderer(learner: Learner, page: Page) -> Page:
    address = page.url
    with pytest.raises(Error):
        page.goto("chrome://crash")
    page.close()  # after a page's crash the driver can't restart the worker, whose process died with it
    return learner.open(address)


def offline_reload(learner: Learner, page: Page) -> Page:
    """Reload without the network; the page comes from the device, and its queue is sent once the network is back."""
    learner.context.set_offline(True)
    page.reload()
    holds(page, 2)
    learner.context.set_offline(False)
    return page


def new_tab(learner: Learner, page: Page) -> Page:
    """Open the session in a second tab, then let the first one go back online and take over."""
    second = learner.open(page.url)
    saved(second)
    page.evaluate(MEND)
    take = page.locator("[data-notice=older] button")
    expect(take).to_be_attached(timeout=NETWORK)
    if page.locator("#help").is_visible():
        page.keyboard.press("Escape")
    take.click()
    return page


LEAVE = {
    "reload": reload,
    "back": back,
    "new tab": new_tab,
    "killed renderer": killed_renderer,
    "offline reload": offline_reload,
}
CASES = [*product(MODES, VIEWS, LEAVE), *product(MODES[1:], VERDICT, LEAVE)]
# The gate runs each view, way and mode at least once, and each pair of view and way that has lost an answer before.
GATE = {
    ("mock", "summary", "reload"), ("mock", "sheet", "back"), ("mock", "submit", "offline reload"),
    ("mock", "question", "killed renderer"), ("drill", "verdict", "reload"), ("drill", "summary", "back"),
    ("drill", "help", "new tab"), ("review", "sheet", "reload"), ("review", "verdict", "killed renderer"),
    ("review", "submit", "new tab"),
}  # fmt: skip


@pytest.mark.parametrize(
    ("mode", "view", "way"),
    [pytest.param(*case, marks=pytest.mark.gate if case in GATE else ()) for case in CASES],
)
def test_leaving_a_view_in_any_way_loses_no_answer(begin: Begin, mode: str, view: str, way: str) -> None:
    learner = begin(mode, NARROW if view == "sheet" else WIDE)
    page = learner.begin()
    SHOW[view](page)
    assert learner.answered() == ANSWERED[:2]
    place = page.url
    page = LEAVE[way](learner, page)
    saved(page)
    assert learner.answered() == ANSWERED
    if view == "verdict":
        assert wait_until(lambda: learner.checked() == [1, 4])
    assert page.url == place
    facts = page.evaluate("({...document.documentElement.dataset})")
    assert (facts["player"], facts["view"]) == ("on", (VIEWS | VERDICT)[view])
    expect(page.locator(".question.is-current")).to_have_id("q1" if view == "verdict" else "q4")
    learner.session.refresh_from_db()
    assert learner.session.is_open
    assert wait_until(lambda: page.evaluate("Object.keys(localStorage).filter(key => /^answers:/.test(key))") == [])
