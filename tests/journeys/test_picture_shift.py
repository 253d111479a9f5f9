"""Nothing moves when a picture loads late, because its width and height reserve its space."""

from __future__ import annotations

from decimal import Decimal

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, Route, expect

from courseiva.accounts.models import User
from practice.learners.reads.identity import Owner
from questions.desk.publish import publish
from questions.models import Change, Exam, Question
from questions.versions.material.pictures.store import add_picture
from questions.versions.save import save_draft
from tests.discussion.conftest import person
from tests.journeys.device import sign_in
from tests.journeys.test_layout_shift import WATCH
from tests.journeys.test_nothing_is_lost import NARROW, WIDE
from tests.support.bank import NOW, make_exam
from tests.support.pictures import illustrated, image
from tests.support.sessions import begin_mock
from tests.support.subprocesses import Site

pytestmark = [pytest.mark.soak, pytest.mark.browser]
FRAMES = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
SETTLED = {"page": "[data-stranger]", "session": "#savestate[data-state=saved]"}
DRAWN = "() => document.querySelector('img.picture').naturalWidth > 0"


@pytest.fixture(scope="module")
def exam(live_rows: None) -> Exam:
    """Return an exam with one question, whose picture is wider than a phone."""
    made = make_exam(weights=(100,))
    text = illustrated(1, add_picture(image(220, (1200, 700))))
    publish(save_draft(made, text, None), NOW, Change.FIRST)
    return made


@pytest.fixture
def learner(exam: Exam) -> User:
    return person(f"patient{User.objects.count()}")


@pytest.mark.parametrize(
    ("place", "viewport"),
    [
        pytest.param("page", WIDE, id="page-1280"),
        pytest.param("page", NARROW, id="page-390", marks=pytest.mark.gate),
        pytest.param("session", WIDE, id="session-1280", marks=pytest.mark.gate),
        pytest.param("session", NARROW, id="session-390"),
    ],
)
def test_nothing_moves_when_a_picture_loads_late(
    browser: Browser, live_site: Site, exam: Exam, learner: User, place: str, viewport: dict[str, int]
) -> None:
    context = browser.new_context(viewport=viewport, service_workers="block")
    address = Question.objects.get().get_absolute_url()
    if place == "session":
        owner = Owner(user_id=learner.pk)
        address = begin_mock(owner, exam, 1, timezone.now(), time_factor=Decimal(10)).get_absolute_url()
        sign_in(context, live_site, learner)
    page, held = context.new_page(), list[Route]()
    page.add_init_script(WATCH)
    page.route("**/pictures/**", lambda route: held.append(route))  # noqa: PLW0108  Playwright asks for its signature
    page.goto(live_site.url + address, wait_until="domcontentloaded")
    drawn = page.locator("img.picture").first
    expect(drawn).to_be_visible()
    expect(page.locator(SETTLED[place])).to_be_visible()
    page.evaluate(FRAMES)
    before, moves = drawn.bounding_box(), page.evaluate("moves")
    assert before is not None
    assert before["width"] > 300
    assert not page.evaluate(DRAWN)
    while held:
        held.pop().continue_()
    page.wait_for_function(DRAWN)
    page.evaluate(FRAMES)
    assert drawn.bounding_box() == before
    assert page.evaluate("moves") == moves
    context.close()
