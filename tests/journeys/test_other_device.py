"""If a session went on elsewhere while this browser was offline, its queued answers are offered to the learner."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, Locator, expect

from courseiva.accounts.models import User
from courseiva.common.masks import places_from_mask
from practice.learners.reads.identity import Owner
from practice.models import PracticeSession
from questions.models import Exam
from tests.discussion.conftest import person
from tests.journeys.device import NETWORK, Learner, sign_in
from tests.support.sessions import begin_drill, begin_mock
from tests.support.subprocesses import Site

pytestmark = [pytest.mark.soak, pytest.mark.browser]

Pair = tuple[Learner, Learner]
Begin = Callable[..., Pair]


@pytest.fixture
def devices(browser: Browser, live_site: Site, exam: Exam) -> Iterator[Begin]:
    """Return a function that begins a session in two of its owner's browsers, and opens it in the first."""
    made: list[Learner] = []

    def begin(mode: str = "mock") -> Pair:
        alice = person(f"devices{User.objects.count()}")
        owner, now = Owner(user_id=alice.pk), timezone.now()
        session = begin_drill(owner, exam, now, size=4) if mode == "drill" else begin_mock(owner, exam, 10, now)
        for _ in range(2):
            context = browser.new_context()
            sign_in(context, live_site, alice)
            made.append(Learner(context, live_site, session))
        phone, laptop = made[-2:]
        return phone.open(), laptop

    yield begin
    for learner in made:
        learner.context.close()
    assert [error for learner in made for error in learner.errors] == []


def goes_on(learner: Learner, *answers: tuple[int, str]) -> None:
    """Open the session here and answer."""
    learner.page.goto(learner.address)
    learner.saved()
    for position, key in answers:
        turn(learner, position)
        learner.press(key)
        learner.saved()


def turn(learner: Learner, position: int) -> None:
    learner.page.evaluate("hash => { location.hash = hash }", f"q{position}")
    expect(learner.page.locator(f"#q{position}")).to_be_visible()


def offer(learner: Learner) -> Locator:
    return learner.page.locator("[data-notice=left]")


def is_offered(learner: Learner, count: str) -> None:
    expect(offer(learner)).to_contain_text(count, timeout=NETWORK)


def held(session: PracticeSession) -> dict[int, list[int]]:
    """Return the places chosen in each question, as the server has them."""
    rows = session.items.exclude(selected=0)
    return {item.position: places_from_mask(item.selected, item.option_order) for item in rows}


def comes_back_kept(learner: Learner) -> None:
    """Answer offline, reload the page, and answer once more."""
    learner.press("n d")
    learner.waits(2)
    learner.reload_from_the_device()
    learner.press("n d")
    learner.waits(3)


def comes_back_later(learner: Learner) -> None:
    """Leave the page with answers queued, to come back to it later in the same tab."""
    learner.press("n d n d")
    learner.waits(3)
    learner.page.goto("about:blank")


def left_behind(phone: Learner, laptop: Learner, away: Callable[[Learner], None]) -> None:
    """Save question 1, queue 2 to 4 on the phone, and meanwhile answer 2 and 5 on the laptop."""
    phone.press("a")
    phone.saved()
    with phone.cut_off():
        phone.press("n d")
        phone.waits(1)
        away(phone)
        goes_on(laptop, (2, "b"), (5, "c"))
    if away is comes_back_later:
        phone.page.goto(phone.address)
    is_offered(phone, "3 answers")
    phone.saved()
    assert held(phone.session) == {1: [0], 2: [1], 5: [2]}
    assert phone.chosen() == {1: ["0"], 2: ["1"], 5: ["2"]}


def take(learner: Learner) -> dict[int, list[int]]:
    offer(learner).get_by_role("button").first.click()
    return {1: [0], 2: [3], 3: [3], 4: [3], 5: [2]}


def keep(learner: Learner) -> dict[int, list[int]]:
    offer(learner).locator("button.btn--quiet").click()
    return {1: [0], 2: [1], 5: [2]}


@pytest.mark.parametrize(
    ("away", "decide"),
    [
        pytest.param(comes_back_kept, take, id="the kept page-take", marks=pytest.mark.gate),
        pytest.param(comes_back_kept, keep, id="the kept page-keep"),
        pytest.param(comes_back_later, take, id="the same tab-take"),
        pytest.param(comes_back_later, keep, id="the same tab-keep", marks=pytest.mark.gate),
    ],
)
def test_queued_answers_are_offered_and_survive_reloads_until_the_decision(
    devices: Begin, away: Callable[[Learner], None], decide: Callable[[Learner], dict[int, list[int]]]
) -> None:
    phone, laptop = devices()
    left_behind(phone, laptop, away)
    for _ in range(2):
        phone.page.reload()
        is_offered(phone, "3 answers")
        phone.saved()
    assert held(phone.session) == {1: [0], 2: [1], 5: [2]}
    wanted = decide(phone)
    expect(offer(phone)).to_have_count(0)
    phone.saved()
    assert held(phone.session) == wanted
    phone.page.reload()
    phone.saved()
    expect(offer(phone)).to_have_count(0)
    assert '"answers:' not in phone.stored()["local"]


def test_nothing_is_submitted_before_the_decision(devices: Begin) -> None:
    phone, laptop = devices()
    phone.press("a")
    phone.saved()
    with phone.cut_off():
        phone.press("n d")
        phone.reload_from_the_device()
        goes_on(laptop, (2, "b"))
        submit(phone)
    is_offered(phone, "1 answer")
    expect(phone.page.locator("#waiting")).to_be_hidden()
    phone.saved()
    with phone.cut_off():  # asked, undecided and offline again: no choice until the server responds
        phone.reload_from_the_device()
        submit(phone)
    is_offered(phone, "1 answer")
    phone.page.locator("#submit-session").click()
    expect(offer(phone).get_by_role("button").first).to_be_focused()
    phone.session.refresh_from_db()
    assert phone.session.is_open
    assert held(phone.session) == {1: [0], 2: [1]}


def submit(learner: Learner) -> None:
    learner.press("r")
    learner.page.locator("#submit-session").click()
    expect(learner.page.locator("#waiting")).to_be_visible()


def test_a_queued_check_is_set_aside_with_its_answer(devices: Begin) -> None:
    phone, laptop = devices("drill")
    check = partial(phone.page.locator("#q1").get_by_role, "button", name="Check")
    with phone.cut_off():
        phone.press("a")
        check().click()
        phone.reload_from_the_device()
        expect(phone.page.locator("#q1 .check-state")).to_contain_text("Not checked yet")
        goes_on(laptop, (1, "b"))
    is_offered(phone, "1 answer")
    expect(phone.page.locator("#q1 .check-state")).to_contain_text("on another device")
    assert phone.chosen() == {1: ["1"]}
    offer(phone).get_by_role("button").first.click()
    phone.saved()
    assert held(phone.session) == {1: [0]}
    check().click()
    expect(phone.page.locator("#q1 .verdict")).to_be_visible()


def test_nothing_is_asked_if_the_session_did_not_go_on_elsewhere(devices: Begin) -> None:
    """The server accepted a claim, but its response was lost."""
    phone, _ = devices()
    with phone.cut_off():
        phone.press("a n b")
        phone.reload_from_the_device()
        phone.waits(2)
        phone.page.route("**/claim/", lambda route: (route.fetch(), route.abort()), times=1)
    phone.saved()
    phone.session.refresh_from_db()
    assert phone.session.writer == 3
    expect(offer(phone)).to_have_count(0)
    assert held(phone.session) == {1: [0], 2: [1]}
