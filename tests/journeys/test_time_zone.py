"""Each page that sends the browser's time zone delivers it to the server."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from practice.learners.reads.identity import Owner
from practice.models import Learner
from questions.models import Exam, Question
from questions.pages.reads.questions import question_page
from tests.support.bank import add_questions, make_exam
from tests.support.sessions import begin_drill, guest, guest_client
from tests.support.subprocesses import Site

pytestmark = [pytest.mark.soak, pytest.mark.browser]
ZONE = "America/Los_Angeles"


@pytest.fixture(scope="module")
def exam(live_rows: None) -> Exam:
    made = make_exam()
    add_questions(made, 2)
    return made


@pytest.fixture
def context(browser: Browser, live_site: Site, exam: Exam) -> Iterator[BrowserContext]:
    context = browser.new_context(base_url=live_site.url, timezone_id=ZONE)
    yield context
    context.close()


def zone_of_the_newest() -> str:
    return Learner.objects.latest("pk").time_zone


def enter_as(context: BrowserContext, site: Site) -> Owner:
    """Give the browser a guest's cookie."""
    owner, token = guest()
    cookies = guest_client(token).cookies
    context.add_cookies([{"name": name, "value": one.value, "url": site.url} for name, one in cookies.items()])
    return owner


def test_a_session_reports_the_time_zone_when_the_player_opens(
    context: BrowserContext, live_site: Site, exam: Exam
) -> None:
    session = begin_drill(enter_as(context, live_site), exam, size=2)
    page = context.new_page()
    page.goto(session.get_absolute_url())
    expect(page.locator("#savestate")).to_have_attribute("data-state", "saved")
    assert Learner.objects.get(pk=session.learner_id).time_zone == ZONE


def test_a_public_pages_answer_reports_the_time_zone(context: BrowserContext, live_site: Site, exam: Exam) -> None:
    page = context.new_page()
    page.goto(question_page(Question.objects.select_related("exam")[0]).url)
    page.locator("input[name=slot]").first.check(force=True)
    page.locator("form.ask .check").click()
    expect(page.locator("#verdict .verdict")).to_be_visible()
    assert zone_of_the_newest() == ZONE


def test_a_plan_reports_the_time_zone(context: BrowserContext, live_site: Site, exam: Exam) -> None:
    page = context.new_page()
    page.goto("/practice/pmle/readiness/")
    page.locator("#plan [name=minutes_a_day]").fill("30")
    page.locator("#plan button").click()
    page.wait_for_url("**/readiness/?said=plan*")
    assert zone_of_the_newest() == ZONE
