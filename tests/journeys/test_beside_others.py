"""After a mock a learner is told how it compares with others, or that there are too few to compare with."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect

from practice.models import PracticeSession
from practice.readiness.derive.analyse import analyse
from practice.sessions.ending.finish import finish
from practice.sessions.player.save import claim, save
from questions.models import Exam
from questions.versions.statistics.rules import LEAST_TOLD
from tests.support.sessions import batch, begin_mock, guest, guest_client, right_places, state
from tests.support.subprocesses import Site

pytestmark = [pytest.mark.soak, pytest.mark.browser]
SPILLS = "() => document.documentElement.scrollWidth > document.documentElement.clientWidth"


def finished_mock(exam: Exam, right: int) -> tuple[PracticeSession, str]:
    """Finish a new guest's mock with this many right; return it and the guest's token."""
    owner, token = guest()
    now = timezone.now()
    session = begin_mock(owner, exam, 10, now)
    writer = claim(session.uuid, owner, now).writer
    states = [state(n, 1, *right_places(session, n), seconds=30) for n in range(1, right + 1)]
    save(session.uuid, owner, batch(writer, *states), now)
    analyse(finish(session.uuid, owner, now).pk, now)
    return session, token


@pytest.fixture
def page(browser: Browser, live_site: Site, exam: Exam) -> Iterator[Page]:
    """Yield the result page of a mock with five right."""
    session, token = finished_mock(exam, 5)
    context = browser.new_context(base_url=live_site.url)
    for name, morsel in guest_client(token).cookies.items():
        context.add_cookies([{"name": name, "value": morsel.value, "url": live_site.url}])
    page = context.new_page()
    page.goto(f"{session.get_absolute_url()}results/")
    yield page
    context.close()


def test_the_percentile_is_shown_once_there_are_thirty_mocks(page: Page, exam: Exam) -> None:
    line = page.locator("[data-among]")
    for width in (320, 390, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        expect(line).to_be_visible()
        expect(line).to_have_attribute("data-among", "few")
        assert page.locator("[data-percentile]").count() == 0
        assert not page.evaluate(SPILLS)
    for n in range(LEAST_TOLD):
        finished_mock(exam, 3 if n % 3 else 8)
    page.reload()
    expect(line).to_be_visible()
    expect(line).to_have_attribute("data-among", "told")
    assert 0 < int(line.get_attribute("data-percentile") or 0) < 100
