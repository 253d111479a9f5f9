"""With the server down, an offline drill of thirty questions opens and marks, and its answers are sent afterwards."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, Error, Page, expect

from courseiva.accounts.models import User
from practice.learners.reads.identity import Owner
from practice.models import Mode, PracticeSession, SessionItem
from questions.models import Exam
from tests.discussion.conftest import person
from tests.journeys.device import NETWORK, STORED, answering, browsing, down
from tests.support.bank import CANARY
from tests.support.sessions import begin_mock, right_places
from tests.support.subprocesses import Site, wait_until

pytestmark = [pytest.mark.soak, pytest.mark.browser]
NAMES = "async () => await caches.keys()"


@pytest.fixture
def alice(exam: Exam) -> User:
    return person(f"along{User.objects.count()}")


@pytest.fixture
def page(browser: Browser, live_site: Site, alice: User) -> Iterator[Page]:
    """Yield a page in Alice's browser, with an offline drill stored in it."""
    with browsing(browser, live_site, alice) as page:
        page.goto("/practice/pmle/take/")
        page.locator("main form button").click()
        stored(page)
        yield page


def stored(page: Page) -> None:
    expect(page.locator("[data-stored]")).to_be_visible(timeout=NETWORK)


def session() -> PracticeSession:
    return PracticeSession.objects.filter(mode=Mode.TAKEN).latest("pk")


def saved(page: Page) -> None:
    expect(page.locator("#savestate")).to_have_attribute("data-state", "saved", timeout=NETWORK)


def waits(page: Page, count: int) -> None:
    line = page.locator(f'#savestate[data-state=offline][data-waiting="{count}"]')
    expect(line).to_be_visible(timeout=NETWORK)


def choose(page: Page, position: int, right: bool) -> None:
    place = right_places(session(), position)[0]
    page.locator(f"#q{position} .option").nth(place if right else (place + 1) % 4).click()


def test_with_the_server_down_a_drill_opens_marks_and_stores_answers_and_later_sends_them(
    page: Page, live_site: Site
) -> None:
    saved(page)
    with down(live_site):
        page.reload()
        choose(page, 1, right=True)
        page.locator("#q1 [data-check]").click()
        expect(page.locator("#q1 .verdict.is-right")).to_be_visible()
        choose(page, 2, right=False)
        page.locator("#q2 [data-check]").click()
        expect(page.locator("#q2 .verdict.is-wrong")).to_be_visible()
        expect(page.locator("#q2 [data-solution]")).to_contain_text(CANARY)
        choose(page, 3, right=True)
        waits(page, 3)
        page.reload()
        expect(page.locator("#q1 .verdict.is-right")).to_be_visible()
        expect(page.locator("#q3 input:checked")).to_have_count(1)
        expect(page.locator("#q3 [data-solution]")).to_be_hidden()
        waits(page, 3)
    saved(page)
    assert wait_until(lambda: SessionItem.objects.filter(session=session()).exclude(selected=0).count() == 3)
    page.reload()
    saved(page)
    expect(page.locator("#q1 .verdict.is-right")).to_be_visible()
    page.locator("[data-end]").click()
    page.locator("main form button.btn:visible").first.click()
    expect(page).to_have_url(f"{live_site.url}/practice/sessions/{session().uuid}/results/")
    marks = session().items.order_by("position").values_list("is_correct", "first_exposure")
    assert list(marks[:3]) == [(True, False), (False, False), (True, False)]


def test_a_marked_question_shows_its_options_once_and_names_the_learners_answer(page: Page, live_site: Site) -> None:
    for position, right in ((1, True), (2, False)):
        choose(page, position, right)
        page.locator(f"#q{position} [data-check]").click()
    for _ in range(2):
        expect(page.locator("#q2 .verdict.is-wrong")).to_be_visible()
        expect(page.locator("#q2 .option:visible")).to_have_count(4)
        expect(page.locator("#q2 .is-chosen.is-wrong[open] .tag--wrong")).to_be_visible()
        expect(page.locator("#q1 .is-chosen.is-right .tag")).to_have_count(1)
        page.reload()


def test_a_proxy_answering_for_the_server_counts_as_offline(page: Page, live_site: Site) -> None:
    with answering(live_site, 502):
        page.goto(f"{live_site.url}/practice/sessions/taken/")
        expect(page.locator("#q1")).to_be_visible()


def test_an_offline_drill_has_its_own_store_and_is_deleted_when_it_ends(
    page: Page, live_site: Site, alice: User, exam: Exam
) -> None:
    mock = begin_mock(Owner(user_id=alice.pk), exam, 10, timezone.now())
    page.goto(live_site.url + mock.get_absolute_url())
    expect(page.locator("#savestate")).to_have_attribute("data-state", "saved", timeout=NETWORK)
    assert wait_until(lambda: any(name.startswith("session:") for name in page.evaluate(NAMES)))
    assert CANARY not in page.evaluate(STORED)["opened"]
    mine = [name for name in page.evaluate(NAMES) if name.startswith("taken:")]
    assert [name.rpartition(":")[2] for name in mine] == [str(session().uuid)]
    page.goto(f"{live_site.url}/practice/sessions/{session().uuid}/finish/")
    page.locator("main form button.btn:visible").first.click()
    page.wait_for_url("**/results/")
    page.goto(f"{live_site.url}/practice/sessions/taken/")
    assert wait_until(lambda: not [name for name in page.evaluate(NAMES) if name.startswith("taken:")])


def test_nobody_else_can_open_the_offline_drill(page: Page, live_site: Site) -> None:
    page.context.clear_cookies()
    with down(live_site), pytest.raises(Error, match="ERR_"):
        page.goto(f"{live_site.url}/practice/sessions/taken/")
