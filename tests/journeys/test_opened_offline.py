"""Opened with the server down, the installed site lists what this device has stored for the person signed in."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect

from courseiva.accounts.models import User
from practice.learners.reads.identity import Owner
from practice.models import Mode, PracticeSession
from questions.models import Exam
from tests.discussion.conftest import person
from tests.journeys.device import NETWORK, answering, browsing, down
from tests.support.bank import CANARY
from tests.support.sessions import begin_mock
from tests.support.subprocesses import Site, wait_until

pytestmark = [pytest.mark.soak, pytest.mark.browser]
START = "/practice/sessions/app/"
PARTS = ("taken", "sessions", "none")
REGISTER = "async () => await navigator.serviceWorker.register('/practice/sessions/worker.js')"
READY = "async () => (await navigator.serviceWorker.ready).active.state === 'activated'"
KEPT = "async (path) => Boolean(await caches.match(path))"


@pytest.fixture
def alice(exam: Exam) -> User:
    return person(f"opened{User.objects.count()}")


@pytest.fixture
def page(browser: Browser, live_site: Site, alice: User) -> Iterator[Page]:
    """Yield a page in Alice's browser, in which the service worker is already registered."""
    with browsing(browser, live_site, alice) as page:
        page.goto("/practice/sessions/taken/")
        page.evaluate(REGISTER)
        assert wait_until(lambda: bool(page.evaluate(READY)))
        yield page


def take(page: Page) -> PracticeSession:
    page.goto("/practice/pmle/take/")
    page.locator("main form button").click()
    expect(page.locator("[data-stored]")).to_be_visible(timeout=NETWORK)
    return PracticeSession.objects.filter(mode=Mode.TAKEN).latest("pk")


def run_a_mock(page: Page, alice: User, exam: Exam) -> PracticeSession:
    mock = begin_mock(Owner(user_id=alice.pk), exam, 10, timezone.now())
    page.goto(mock.get_absolute_url())
    expect(page.locator("#savestate")).to_have_attribute("data-state", "saved", timeout=NETWORK)
    assert wait_until(lambda: bool(page.evaluate(KEPT, mock.get_absolute_url())))
    return mock


def shows(page: Page, *parts: str) -> None:
    page.goto(START)
    expect(page.locator("[data-offline]")).to_be_attached()
    seen = [part for part in PARTS if page.locator(f"[data-{part}]").is_visible()]
    assert seen == list(parts)


def test_with_the_server_up_the_site_opens_at_the_home_page(page: Page, live_site: Site) -> None:
    page.goto(START)
    expect(page).to_have_url(f"{live_site.url}/")


def test_offline_the_stored_drill_is_one_tap_away(page: Page, live_site: Site) -> None:
    take(page)
    with down(live_site):
        shows(page, "taken")
        page.locator("[data-taken] a").click()
        expect(page.locator("#q1 .option").first).to_be_visible()


def test_offline_a_running_session_is_listed_beside_the_drill(
    page: Page, live_site: Site, alice: User, exam: Exam
) -> None:
    take(page)
    mock = run_a_mock(page, alice, exam)
    with down(live_site):
        shows(page, "taken", "sessions")
        lines = page.locator("[data-session] a")
        expect(lines).to_have_count(1)
        expect(lines).to_contain_text(exam.code)
        assert CANARY not in page.content()
        lines.click()
        expect(page).to_have_url(f"{live_site.url}{mock.get_absolute_url()}")
        expect(page.locator("#session[data-kept]")).to_be_attached()


def test_with_nothing_stored_the_page_says_so_even_behind_a_proxy_that_responds(page: Page, live_site: Site) -> None:
    with answering(live_site, 502):
        shows(page, "none")


def test_stored_sessions_are_listed_only_for_their_owner(page: Page, live_site: Site, alice: User, exam: Exam) -> None:
    take(page)
    run_a_mock(page, alice, exam)
    page.context.clear_cookies()
    with down(live_site):
        shows(page, "none")
