"""A running session's page is stored on the device until the session ends, for its owner to reload offline."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.utils import timezone
from playwright.sync_api import Browser, Error, expect

from courseiva.accounts.models import User
from practice.learners.reads.identity import Owner
from practice.models import LateAnswer, PracticeSession
from practice.sessions.ending.finish import discard, finish
from questions.models import Exam, Question
from tests.discussion.conftest import person
from tests.journeys.device import NETWORK, Learner, answering, down, sign_in
from tests.support.bank import CANARY
from tests.support.sessions import add_cards, begin_drill, begin_mock, begin_review, learner_of
from tests.support.subprocesses import Site, wait_until

pytestmark = [pytest.mark.soak, pytest.mark.browser]

PROMPT, HINT = "plain situation", "Because"
"""Words in every prompt and in every hint of the test bank."""
A_DAY = 86_400_000
PASSWORD = "three plain words"
Learn = Callable[..., Learner]


@pytest.fixture
def alice(exam: Exam) -> User:
    return person(f"device{User.objects.count()}")


@pytest.fixture
def learn(browser: Browser, live_site: Site, exam: Exam, alice: User) -> Iterator[Learn]:
    """Return a function that opens a session of Alice's in her browser and waits until it is stored."""
    made: list[Learner] = []

    def begin(kind: str = "mock", ends_in: float | None = None, **choice: Any) -> Learner:
        owner, now = Owner(user_id=alice.pk), timezone.now()
        if kind == "mock":
            session = begin_mock(owner, exam, 10, now, **choice)
        elif kind == "drill":
            session = begin_drill(owner, exam, now, size=4, **choice)
        else:
            add_cards(owner, Question.objects.filter(pool="open")[:3], now - dt.timedelta(days=1))
            session = begin_review(owner, exam, now, **choice)
        if ends_in is not None:
            PracticeSession.objects.filter(pk=session.pk).update(deadline=now + dt.timedelta(seconds=ends_in))
        context = browser.new_context()
        sign_in(context, live_site, alice)
        made.append(Learner(context, live_site, session))
        return made[-1].open()

    yield begin
    for learner in made:
        learner.context.close()
    assert [error for learner in made for error in learner.errors] == []


@pytest.mark.gate
def test_an_offline_reload_gives_the_same_page_and_its_queue_continues(learn: Learn) -> None:
    learner = learn()
    learner.press("a n b f n")
    learner.saved()
    with learner.away():
        learner.press("c")
        learner.waits(1)
        learner.reload_from_the_device()
        learner.waits(1)
        expect(learner.page.locator("#kept [data-when=away]")).to_be_visible()
        assert learner.chosen() == {1: ["0"], 2: ["1"], 3: ["2"]}
        expect(learner.page.locator("#sheet a[href='#q2'].is-answered.is-flagged")).to_be_visible()
        learner.press("n d")
        learner.waits(2)
        learner.reload_from_the_device()
        learner.waits(2)
    learner.saved()
    assert learner.answered() == [1, 2, 3, 4]
    expect(learner.page.locator("#kept")).to_be_hidden()
    learner.page.reload()
    expect(learner.page.locator("#session:not([data-kept])")).to_be_attached()
    learner.saved()
    assert learner.chosen() == {1: ["0"], 2: ["1"], 3: ["2"], 4: ["3"]}


def test_a_typed_address_opens_the_stored_page_with_what_was_entered(learn: Learn) -> None:
    learner = learn()
    learner.page.goto(f"{learner.address}sheet/")
    learner.saved()
    with learner.away():
        row = learner.page.locator("[data-row] input").nth(1)
        row.fill("c")
        row.press("Enter")
        learner.waits(1)
        learner.reload_from_the_device()
        assert learner.chosen() == {2: ["2"]}
        learner.waits(1)
    learner.saved()
    assert learner.answered() == [2]


def test_questions_seen_offline_count_as_seen_after_a_reload(learn: Learn) -> None:
    learner = learn()
    with learner.cut_off():
        learner.press("n n")
        learner.reload_from_the_device()
    learner.saved()
    shown = learner.session.items.filter(displayed_at__isnull=False).values_list("position", flat=True)
    assert wait_until(lambda: set(shown.all()) == {1, 2, 3})


@pytest.mark.gate
@pytest.mark.parametrize("kind", ["mock", "drill", "review"])
def test_the_store_of_a_running_session_never_holds_a_solution(learn: Learn, kind: str) -> None:
    learner = learn(kind)
    page = learner.page
    learner.press("a")
    if kind != "mock":
        assert HINT in page.content()
        page.locator("#q1").locator("button[name=check]").click()
        expect(page.locator("#q1 .verdict")).to_be_visible()
        assert CANARY in page.content()
        holds_prompts_alone(learner)
        page.reload()
        expect(page.locator("#q1 .verdict")).to_be_visible()
    learner.saved()
    learner.kept()
    holds_prompts_alone(learner)
    with learner.away():
        learner.reload_from_the_device()
        learner.waits(0)
        assert PROMPT in page.content()
        for words in (CANARY, HINT, "is-right", "is-wrong"):
            assert words not in page.locator("#answers, #sheet").evaluate_all("all => all.map(e => e.outerHTML).join()")
        holds_prompts_alone(learner)
        assert learner.chosen() == {1: ["0"]}
    learner.saved()
    if kind != "mock":
        expect(page.locator("#q1 .verdict")).to_be_visible()
        holds_prompts_alone(learner)


def holds_prompts_alone(learner: Learner) -> None:
    found = learner.stored()
    assert PROMPT in found["opened"]
    assert "data-kept" in found["opened"]
    assert "csrfmiddlewaretoken" not in found["opened"]
    assert PROMPT not in found["raw"] + found["local"] + found["session"]
    assert [part for part in found if CANARY in str(found[part]) or HINT in str(found[part])] == []
    assert found["databases"] == []


def test_a_checked_question_stays_locked_offline(learn: Learn) -> None:
    learner = learn("drill")
    page = learner.page
    learner.press("a")
    page.locator("#q1").locator("button[name=check]").click()
    expect(page.locator("#q1 .verdict")).to_be_visible()
    with learner.away():
        learner.reload_from_the_device()
        expect(page.locator("#q1 .verdict-slot .help")).to_be_visible()
        learner.press("b")
        assert learner.chosen() == {1: ["0"]}
        expect(page.locator("#q1").locator("button[name=check]")).to_be_hidden()
        learner.press("n c")
        page.locator("#q2").locator("button[name=check]").click()
        expect(page.locator("#q2 .check-state")).to_be_visible()
        learner.reload_from_the_device()
        expect(page.locator("#q2 .check-state")).to_be_visible()
    expect(page.locator("#q2 .verdict")).to_be_visible(timeout=NETWORK)
    learner.saved()
    assert learner.session.items.filter(checked_at__isnull=False).count() == 2


@pytest.mark.gate
def test_after_sign_out_no_stored_page_is_left_even_without_script(learn: Learn) -> None:
    learner = learn()
    token = next(cookie["value"] for cookie in learner.context.cookies() if cookie["name"] == "csrftoken")
    form = {"csrfmiddlewaretoken": token}
    assert learner.context.request.post(f"{learner.site.url}/accounts/logout/", form=form).ok
    assert not [cookie for cookie in learner.context.cookies() if cookie["name"] == "courseiva-device"]
    found = learner.stored()
    assert found["caches"]
    assert PROMPT not in str(found)
    with learner.away():
        assert learner.finds_nothing()
    learner.page.goto(f"{learner.site.url}/accounts/login/")
    assert wait_until(learner.keeps_nothing)


def test_another_person_who_signs_in_after_an_ended_login_finds_nothing_stored(learn: Learn, exam: Exam) -> None:
    learner = learn()
    learner.context.clear_cookies(name="sessionid")
    sign_in_by_hand(learner, with_password("somebody"))
    assert learner.keeps_nothing()
    with learner.away():
        assert learner.finds_nothing()


def with_password(name: str) -> User:
    user = User.objects.create_user(f"{name}{User.objects.count()}@example.org", PASSWORD)
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    return user


def sign_in_by_hand(learner: Learner, user: User) -> None:
    page = learner.page
    page.goto(f"{learner.site.url}/accounts/login/")
    page.fill("[name=login]", user.email)
    page.fill("[name=password]", PASSWORD)
    page.press("[name=password]", "Enter")
    page.wait_for_url(f"{learner.site.url}/")


def test_signing_out_warns_and_the_queue_waits_for_its_owner(learn: Learn, alice: User) -> None:
    learner = learn()
    page, base = learner.page, learner.site.url
    with down(learner.site):
        learner.press("a n b")
        learner.waits(2)
        page.goto("about:blank")
    page.goto(f"{base}/accounts/")
    page.locator("main form[action$='/logout/'] button").click()
    page.wait_for_url(f"{base}/accounts/logout/")
    expect(page.locator("#unsent [data-words]")).to_contain_text("2")
    expect(page.locator("#unsent a")).to_have_attribute("href", learner.session.get_absolute_url())
    page.locator("main form[action$='/logout/'] button").click()
    page.wait_for_url(f"{base}/")
    found = learner.stored()
    assert found["caches"] == []
    assert found["local"].count("answers:") == 1
    assert learner.answered() == []
    another_finds_nothing_of_it(learner)
    sign_in(learner.context, learner.site, alice)
    learner.open()
    if page.locator("[data-notice=left]").is_visible():
        page.locator("[data-notice=left] button").first.click()
    assert wait_until(lambda: learner.answered() == [1, 2])


def another_finds_nothing_of_it(learner: Learner) -> None:
    page, base = learner.page, learner.site.url
    sign_in_by_hand(learner, with_password("another"))
    page.goto(f"{base}/accounts/logout/")
    expect(page.locator("form[data-empties]")).to_be_visible()
    expect(page.locator("#unsent")).to_be_hidden()
    page.goto(learner.address)
    expect(page.locator("#session")).to_have_count(0)
    page.goto(f"{base}/accounts/logout/")
    page.locator("main form[action$='/logout/'] button").click()
    page.wait_for_url(f"{base}/")


def test_signing_out_asks_nothing_if_nothing_is_queued(learn: Learn) -> None:
    learner = learn()
    learner.page.goto(f"{learner.site.url}/accounts/")
    learner.page.locator("main form[action$='/logout/'] button").click()
    learner.page.wait_for_url(f"{learner.site.url}/")
    assert learner.keeps_nothing()


def test_a_login_renewed_in_place_stores_the_page_again(browser: Browser, live_site: Site, exam: Exam) -> None:
    user = with_password("renewed")
    context = browser.new_context()
    sign_in(context, live_site, user)
    session = begin_mock(Owner(user_id=user.pk), exam, 10, timezone.now())
    learner = Learner(context, live_site, session).open()
    context.clear_cookies(name="sessionid")
    learner.press("a")
    expect(learner.page.locator("#login")).to_be_visible(timeout=NETWORK)
    learner.page.fill("#login-address", user.email)
    learner.page.fill("#login-password", PASSWORD)
    learner.press("Enter")
    learner.saved()
    key = lambda: [cookie for cookie in context.cookies() if cookie["name"] == "courseiva-device"]  # noqa: E731
    assert wait_until(lambda: bool(key()) and PROMPT in learner.stored()["opened"])
    with learner.away():
        learner.reload_from_the_device()
        assert learner.chosen() == {1: ["0"]}
    assert learner.errors == []
    context.close()


def submit(learner: Learner) -> None:
    learner.press("r")
    learner.page.locator("#submit-session").click()
    learner.page.wait_for_url("**/results/")


def let_time_run_out(learner: Learner) -> None:
    learner.page.wait_for_url("**/results/", timeout=40_000)


def finish_elsewhere(learner: Learner) -> None:
    finish(learner.session.uuid, Owner(user_id=learner.session.learner.user_id), timezone.now())
    learner.page.reload()
    learner.page.wait_for_url("**/results/")


def discard_elsewhere(learner: Learner) -> None:
    discard(learner.session.uuid, Owner(user_id=learner.session.learner.user_id), timezone.now())
    learner.page.reload()


def take_the_session_away(learner: Learner) -> None:
    other = learner_of(Owner(user_id=person(f"other{User.objects.count()}").pk), timezone.now())
    PracticeSession.objects.filter(pk=learner.session.pk).update(learner=other)
    learner.page.reload()
    expect(learner.page.locator("h1")).to_be_visible()


def lose_it_while_the_page_is_open(learner: Learner) -> None:
    other = learner_of(Owner(user_id=person(f"other{User.objects.count()}").pk), timezone.now())
    PracticeSession.objects.filter(pk=learner.session.pk).update(learner=other)
    learner.press("a")
    expect(learner.page.locator("[data-notice=gone]")).to_be_visible()


def pause(learner: Learner) -> None:
    learner.page.locator("#bar-pause").click()
    expect(learner.page.locator("#savestate")).to_have_count(0)


@pytest.mark.parametrize(
    ("end", "choice"),
    [
        (submit, {}),
        (let_time_run_out, {"ends_in": 6}),
        (finish_elsewhere, {}),
        (discard_elsewhere, {}),
        (take_the_session_away, {}),
        (lose_it_while_the_page_is_open, {}),
        (pause, {"pausable": True}),
    ],
)
def test_after_a_session_ends_nothing_is_stored(
    learn: Learn, end: Callable[[Learner], None], choice: dict[str, Any]
) -> None:
    learner = learn(**choice)
    end(learner)
    assert wait_until(lambda: not learner.names()["caches"])
    if end is not pause:
        learner.page.goto(f"{learner.site.url}/accounts/")
        assert wait_until(learner.keeps_nothing)
    with learner.away():
        assert learner.finds_nothing()


def test_an_abandoned_session_is_cleared_with_the_next_one(learn: Learn, alice: User, exam: Exam) -> None:
    learner = learn(ends_in=30)
    learner.page.goto("about:blank")
    begun = begin_drill(Owner(user_id=alice.pk), exam, timezone.now(), size=4)
    learner.page.add_init_script(
        "Object.defineProperty(performance, 'timeOrigin', {value: performance.timeOrigin + 2e5})"
    )
    learner.page.goto(learner.site.url + begun.get_absolute_url())
    learner.saved()
    assert wait_until(lambda: [each.rpartition(":")[2] for each in learner.names()["caches"]] == [str(begun.uuid)])
    assert learner.stored()["local"].count("session:") == 1


@pytest.mark.gate
def test_online_pages_come_from_the_network_and_only_sessions_are_stored(learn: Learn) -> None:
    learner = learn()
    learner.session.items.filter(position=5).update(selected=2, flagged=True)
    learner.page.reload()
    expect(learner.page.locator("#session:not([data-kept])")).to_be_attached()
    learner.saved()
    assert list(learner.chosen()) == [5]
    learner.kept()
    paths = set(learner.stored()["files"])
    assert {path for path in paths if not path.startswith("/static/")} == {learner.session.get_absolute_url()}
    with learner.away():
        for path in ("finish/", "results/", "device/"):
            with pytest.raises(Error, match="ERR_"):
                learner.page.goto(learner.address + path)
        with pytest.raises(Error, match="ERR_"):
            learner.page.goto(f"{learner.site.url}/exams/")


@pytest.mark.parametrize(("status", "is_kept"), [(502, True), (503, True), (504, True), (500, False), (429, False)])
def test_an_unreachable_server_counts_as_offline_and_other_errors_are_shown(
    learn: Learn, status: int, is_kept: bool
) -> None:
    learner = learn()
    learner.press("a")
    learner.saved()
    with answering(learner.site, status):
        learner.context.new_cdp_session(learner.page).send("Network.clearBrowserCache")
        learner.page.reload()
        expect(learner.page.locator("#session[data-kept]")).to_have_count(int(is_kept))
        if is_kept:
            assert learner.chosen() == {1: ["0"]}
            learner.press("n b")
            learner.waits(1)
        else:
            assert learner.page.locator("body").inner_text() == "from afar"
            assert learner.stored()["caches"]
    if is_kept:
        learner.saved()
        assert learner.answered() == [1, 2]


SHIFT = """{
  const [date, origin] = [Date.now.bind(Date), performance.timeOrigin];
  Date.now = () => date() + DATE;
  Object.defineProperty(performance, "timeOrigin", {value: origin + ORIGIN});
}"""


@pytest.mark.parametrize(
    ("date", "origin", "passed"),
    [(0, 0, 3), (A_DAY, 0, 3), (-A_DAY, 0, 3), (-A_DAY, -A_DAY, 0)],
    ids=["as it is", "set forward", "set back", "set back and the browser started again"],
)
def test_the_clock_keeps_running_whatever_the_devices_clock_says(
    learn: Learn, date: int, origin: int, passed: int
) -> None:
    learner = learn(ends_in=900)
    with learner.away():
        before = learner.seconds_left()
        learner.page.goto("about:blank")
        learner.page.wait_for_timeout(3000)
        learner.page.add_init_script(SHIFT.replace("DATE", str(date)).replace("ORIGIN", str(origin)))
        learner.page.goto(learner.address)
        expect(learner.page.locator("html[data-player=on]")).to_be_attached()
        assert before - passed - 10 <= learner.seconds_left() <= before - passed
    learner.saved()


def test_a_clock_that_runs_ahead_is_corrected_by_the_server(learn: Learn) -> None:
    learner = learn(ends_in=900)
    with learner.away():
        learner.page.add_init_script(
            SHIFT.replace("DATE", str(A_DAY)).replace("ORIGIN", f"({A_DAY} * !navigator.onLine)")
        )
        learner.reload_from_the_device()
        expect(learner.page.locator("[data-notice=time]")).to_be_visible()
    expect(learner.page.locator("#session:not([data-kept])")).to_be_attached(timeout=NETWORK)
    learner.saved()
    learner.press("a")
    learner.saved()
    assert learner.answered() == [1]


def test_time_running_out_offline_ends_the_stored_page_too(learn: Learn) -> None:
    learner = learn(ends_in=8)
    with learner.away():
        learner.press("a")
        learner.waits(1)
        learner.reload_from_the_device()
        expect(learner.page.locator("[data-notice=time]")).to_contain_text("1 answer", timeout=NETWORK)
        learner.reload_from_the_device()
        expect(learner.page.locator("[data-notice=time]")).to_contain_text("1 answer")
        assert learner.seconds_left() == 0
        expect(learner.page.locator("#q2 input").first).to_be_disabled()
    learner.page.wait_for_url("**/results/", timeout=40_000)
    assert wait_until(lambda: learner.session.items.filter(position=1).exclude(selected=0).exists() or late(learner))


def late(learner: Learner) -> bool:
    return LateAnswer.objects.filter(session=learner.session, position=1).exists()


def test_a_missing_token_does_not_stop_the_stored_page_from_saving(learn: Learn) -> None:
    learner = learn()
    with learner.away():
        learner.press("a")
        learner.reload_from_the_device()
        learner.context.clear_cookies(name="csrftoken")
    learner.saved()
    assert learner.answered() == [1]
