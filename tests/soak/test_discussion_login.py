"""A login ends while somebody writes, in Chromium on the live site: the text stays, and a new login sends it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

import pytest
from django.contrib.sessions.models import Session
from django.utils import timezone
from django.utils.crypto import get_random_string
from playwright.sync_api import Browser, Locator, Page, expect

from courseiva.accounts.models import User
from discussion.models import Comment, State
from questions.models import QuestionVersion
from tests.discussion.conftest import person, row
from tests.support.bank import add_questions, make_exam
from tests.support.subprocesses import Site
from tests.support.world import signed_in_client

POST, PREVIEW = "p button:not([name])", "button[name=preview]"
WORDS = "The subnet is regional, so a second zone needs none of its own."

pytestmark = [pytest.mark.soak, pytest.mark.browser]


@pytest.fixture(scope="module")
def version(live_rows: None) -> QuestionVersion:
    return add_questions(make_exam(), 1, domains=("d1",))[0]


@pytest.fixture
def alice(live_rows: None, version: QuestionVersion) -> User:
    made = person(f"alice{User.objects.count()}")
    row(version, made, "An early remark.", created_at=timezone.now() - dt.timedelta(days=9))
    row(version, person(f"bob{User.objects.count()}"), "A remark of somebody else.")
    return made


@pytest.fixture
def page(browser: Browser, live_site: Site, alice: User) -> Iterator[Page]:
    """Open a page on which alice is signed in."""
    context = browser.new_context(viewport={"width": 390, "height": 844})
    made = context.new_page()
    sign_in(made, live_site, alice)
    yield made
    context.close()


def sign_in(page: Page, site: Site, user: User) -> None:
    """Give the browser what a login leaves in it: a session, and a new token."""
    cookies = {name: morsel.value for name, morsel in signed_in_client(user).cookies.items()}
    cookies["csrftoken"] = get_random_string(32)
    page.context.add_cookies([{"name": name, "value": value, "url": site.url} for name, value in cookies.items()])


def end_login(page: Page) -> None:
    Session.objects.all().delete()
    page.context.clear_cookies(name="sessionid")


def message(place: Locator) -> Locator:
    return place.locator("[role=alert][data-state=signed-out]")


def write(page: Page, site: Site, version: QuestionVersion) -> Locator:
    page.goto(f"{site.url}/discussion/pmle/{version.question_id}/")
    page.locator(".composer > summary").click()
    page.locator("input[name=kind][value=tip]").check(force=True)
    page.locator("textarea[name=text]").fill(WORDS)
    return page.locator("form.stack")


@pytest.mark.gate
def test_typed_text_survives_the_end_of_a_login_and_is_sent_after_signing_in(version, live_site, page, alice) -> None:
    form = write(page, live_site, version)
    end_login(page)
    for button in (PREVIEW, POST, POST):
        form.locator(button).click()
        expect(message(form)).to_have_count(1)
        expect(message(form)).to_be_in_viewport()
    assert message(form).get_by_role("link").get_attribute("target") == "_blank"
    expect(page.locator("textarea[name=text]")).to_have_value(WORDS)
    expect(page.locator("input[name=kind][value=tip]")).to_be_checked()
    sign_in(page, live_site, alice)
    form.locator(POST).click()
    expect(page.locator("[data-message=posted]")).to_be_visible()
    assert Comment.objects.get(author=alice, text=WORDS).state == State.VISIBLE


def test_a_vote_after_the_login_ended_is_explained_at_the_comment(version, live_site, page) -> None:
    write(page, live_site, version)
    end_login(page)
    comment = page.locator("article.comment", has=page.locator(".vote")).first
    comment.locator(".vote button").click()
    expect(message(comment)).to_have_count(1)
    expect(page.locator("textarea[name=text]")).to_have_value(WORDS)


def test_a_failed_comment_is_reported_in_the_form(version, live_site, page) -> None:
    form = write(page, live_site, version)
    page.route("**/new/", lambda route: route.abort())
    for _ in range(2):
        form.locator(POST).click()
        expect(form.get_by_role("alert")).to_have_attribute("data-code", "unreachable")
        expect(form.get_by_role("alert")).to_be_in_viewport()
    expect(page.locator("textarea[name=text]")).to_have_value(WORDS)
