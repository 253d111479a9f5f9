"""A button copies the text of a result; without script it can be selected."""

from __future__ import annotations

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, expect

from courseiva.accounts.models import User
from practice.learners.reads.identity import Owner
from practice.models import PracticeSession
from practice.sessions.ending.finish import finish
from questions.models import Exam
from tests.discussion.conftest import person
from tests.journeys.device import sign_in
from tests.support.sessions import begin_mock
from tests.support.subprocesses import Site

pytestmark = [pytest.mark.soak, pytest.mark.browser]


@pytest.fixture
def alice(exam: Exam) -> User:
    return person(f"share{User.objects.count()}")


@pytest.fixture
def session(alice: User, exam: Exam) -> PracticeSession:
    owner, now = Owner(user_id=alice.pk), timezone.now()
    return finish(begin_mock(owner, exam, 10, now).uuid, owner, now)


@pytest.mark.parametrize("script", [True, False], ids=["with script", "without script"])
def test_the_copied_text_is_the_text_shown(
    browser: Browser, live_site: Site, alice: User, session: PracticeSession, script: bool
) -> None:
    context = browser.new_context(base_url=live_site.url, java_script_enabled=script)
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    sign_in(context, live_site, alice)
    page = context.new_page()
    page.goto(f"{session.get_absolute_url()}results/")
    expect(page.locator("[data-copy]")).to_be_visible(visible=script)
    text = page.locator("[data-share]").input_value()
    assert text
    if script:
        page.locator("[data-copy]").click()
        expect(page.locator("[data-copied]")).to_be_visible()
        assert page.evaluate("() => navigator.clipboard.readText()") == text
    with page.expect_download() as download:
        page.locator("#share a[download]").click()
    assert download.value.suggested_filename.endswith(".png")
    context.close()
