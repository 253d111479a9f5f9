"""The player keeps whatever the server has not acknowledged in the browser, and loses none of it."""

from __future__ import annotations

import datetime as dt
import gzip
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.utils import timezone
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect
from rjsmin import jsmin

from courseiva.accounts.models import User
from discussion.models import Comment
from practice.learners.reads.identity import Owner
from practice.models import LateAnswer, PracticeSession, SessionItem
from practice.sessions.ending.outages.give_back import enter
from questions.models import Exam
from tests.discussion.conftest import person, row
from tests.journeys.device import CUT, holds
from tests.support.bank import add_questions, make_exam
from tests.support.sessions import begin_drill, begin_mock, guest, guest_client
from tests.support.subprocesses import BASE, Site, wait_until
from tests.support.world import signed_in_client

pytestmark = [pytest.mark.soak, pytest.mark.browser]

PASSWORD = "three plain words"
FULL_LENGTH = 60
SLOW_SERVER = 1500  # milliseconds by which a save is delayed
JS_LIMIT = 25_000  # bytes of script that the docs and tests/soak/test_pages.py allow a page
NETWORK = 20_000  # milliseconds the player may take to notice that the network is back


@pytest.fixture(scope="module")
def exam(live_rows: None) -> Exam:
    made = make_exam()
    add_questions(made, 4)
    add_questions(made, 4, kind="multiple")
    add_questions(made, 4, pool="reserved")
    return made


class Sitter:
    """A learner's browser with one session."""

    def __init__(self, context: BrowserContext, site: Site, session: PracticeSession) -> None:
        self.context, self.site, self.session = context, site, session
        self.said: list[str] = []
        self.address = site.url + session.get_absolute_url()
        self.page = self.open()

    def open(self, anchor: str = "") -> Page:
        page = self.context.new_page()
        page.on("pageerror", lambda error: self.said.append(str(error)))
        page.goto(self.address + anchor)
        expect(page.locator("#savestate")).to_have_attribute("data-state", "saved")
        return page

    def press(self, keys: str, page: Page | None = None) -> None:
        for key in keys.split():
            (page or self.page).keyboard.press(key)

    def saved(self, page: Page | None = None) -> None:
        expect((page or self.page).locator("#savestate")).to_have_attribute("data-state", "saved", timeout=NETWORK)

    def waits(self, count: int, page: Page | None = None) -> None:
        holds(page or self.page, count)

    def item(self, position: int) -> SessionItem:
        return SessionItem.objects.get(session=self.session, position=position)

    def answered(self) -> list[int]:
        rows = SessionItem.objects.filter(session=self.session).exclude(selected=0)
        return sorted(rows.values_list("position", flat=True))

    def waiting(self, page: Page | None = None) -> int:
        keys = "Object.keys(localStorage).filter(key => key.startsWith('answers:')).length"
        return int((page or self.page).evaluate(keys))


Sit = Callable[..., Sitter]


@pytest.fixture
def sit(browser: Browser, live_site: Site, exam: Exam) -> Iterator[Sit]:
    contexts: list[BrowserContext] = []
    sitters: list[Sitter] = []

    def begin(kind: str = "mock", ends_in: float | None = None, **choice: Any) -> Sitter:
        owner, token = guest()
        now = timezone.now()
        count = choice.pop("count", 10)
        session = (
            begin_mock(owner, exam, count, now, **choice) if kind == "mock" else begin_drill(owner, exam, now, **choice)
        )
        if ends_in is not None:
            session.deadline = now + dt.timedelta(seconds=ends_in)
            session.save()
        context = browser.new_context()
        for name, morsel in guest_client(token).cookies.items():
            context.add_cookies([{"name": name, "value": morsel.value, "url": live_site.url}])
        contexts.append(context)
        sitters.append(Sitter(context, live_site, session))
        return sitters[-1]

    yield begin
    for context in contexts:
        context.close()
    assert [line for sitter in sitters for line in sitter.said] == []


@pytest.mark.gate
def test_the_players_scripts_stay_light() -> None:
    template = (BASE / "templates/practice/_session_scripts.html").read_text()
    names = [*re.findall(r'"(js/[\w/]+\.js)"', template), "js/theme.js"]
    modules = {f"js/session/{path.name}" for path in (BASE / "static/js/session").glob("*.js")}
    assert modules - set(names) == {"js/session/late.js", "js/session/waiting.js"}  # other pages load these two
    served = {name: jsmin((BASE / "static" / name).read_text()).encode() for name in names}
    weights = {name: len(gzip.compress(script)) for name, script in served.items()}
    assert sum(weights.values()) <= JS_LIMIT, weights


@pytest.mark.gate
def test_a_mock_is_taken_by_keyboard_alone(sit: Sit) -> None:
    sitter = sit()
    page = sitter.page
    sitter.press("b f n 1 n x Shift+C")
    expect(page.locator("#q3.is-current .option.is-struck")).to_have_count(1)
    expect(page.locator("#sheet a[href='#q1'].is-answered.is-flagged")).to_be_visible()
    expect(page.locator("#sheet [aria-current]")).to_have_text("3")
    expect(page.locator("#q3 h2")).to_be_focused()
    sitter.saved()
    assert sitter.answered() == [1, 2]
    assert sitter.item(1).flagged
    assert sitter.item(3).struck
    sitter.press("r")
    expect(page.locator("#summary [data-list=open] a")).to_have_count(8)
    expect(page.locator("#summary [data-list=flagged] a")).to_have_text(["1"])
    for _ in range(20):
        if page.evaluate("document.activeElement.id") == "submit-session":
            break
        sitter.press("Tab")
    sitter.press("Enter")
    page.wait_for_url("**/results/")
    sitter.session.refresh_from_db()
    assert sitter.session.finished_at


def test_a_whole_exam_of_sixty_is_taken_by_keyboard_alone(sit: Sit) -> None:
    sitter = sit(count=FULL_LENGTH)
    for position in range(1, FULL_LENGTH + 1):
        sitter.press("abcd"[position % 4])
        if position < FULL_LENGTH:
            sitter.press("n")
    sitter.saved()
    assert sitter.answered() == list(range(1, FULL_LENGTH + 1))
    sitter.press("r")
    for _ in range(20):
        if sitter.page.evaluate("document.activeElement.id") == "submit-session":
            break
        sitter.press("Tab")
    sitter.press("Enter")
    sitter.page.wait_for_url("**/results/")
    sitter.session.refresh_from_db()
    assert (sitter.session.ended, sitter.session.total) == ("handed_in", FULL_LENGTH)
    keys = [item.version.solution.key_mask == item.selected for item in sitter.session.items.all()]
    assert sitter.session.score == sum(keys)


@pytest.mark.gate
def test_saved_is_never_shown_before_the_server_has_acknowledged(sit: Sit) -> None:
    sitter = sit()
    held: list[Route] = []

    def hold_the_first(route: Route) -> None:
        if held:
            route.continue_()
        else:
            held.append(route)

    sitter.page.route("**/save/", hold_the_first)
    sitter.press("a")
    sitter.page.wait_for_timeout(SLOW_SERVER)
    expect(sitter.page.locator("#savestate")).to_have_attribute("data-state", "saving")
    assert held
    assert sitter.answered() == []
    held[0].continue_()
    sitter.saved()
    assert sitter.answered() == [1]


def test_a_new_browser_continues_where_a_closed_one_stopped(sit: Sit, browser: Browser) -> None:
    sitter = sit()
    sitter.press("a n b f")
    sitter.saved()
    cookies = sitter.context.cookies()
    sitter.context.close()
    fresh = browser.new_context()
    fresh.add_cookies(cookies)  # type: ignore[arg-type]
    again = Sitter(fresh, sitter.site, sitter.session)
    expect(again.page.locator("#q1 input:checked")).to_have_value("0")
    expect(again.page.locator("#sheet a[href='#q2'].is-answered.is-flagged")).to_be_visible()
    expect(again.page.locator("#q2")).to_be_visible()
    again.press("n c")
    again.saved()
    assert again.answered() == [1, 2, 3]
    fresh.close()


def test_coming_back_to_the_session_from_another_page_keeps_saving(sit: Sit) -> None:
    sitter = sit()
    sitter.press("a n")
    sitter.saved()
    sitter.page.goto(f"{sitter.site.url}/exams/")
    sitter.page.go_back()
    sitter.saved()
    expect(sitter.page.locator("#q1 input:checked")).to_have_value("0")
    sitter.press("b")
    sitter.saved()
    assert len(sitter.answered()) == 2


@pytest.mark.parametrize("anchor", ["#summary", "#review"])
def test_the_summary_opens_at_its_address_and_at_its_former_one(sit: Sit, anchor: str) -> None:
    page = sit().open(anchor)
    expect(page.locator("#summary")).to_be_visible()
    expect(page.locator("#answers")).to_be_hidden()


def test_shortcut_keys_can_be_switched_off_and_stay_off(sit: Sit) -> None:
    sitter = sit()
    sitter.press("? Space Escape n")
    expect(sitter.page.locator("#q1")).to_be_visible()
    sitter.page.reload()
    sitter.saved()
    sitter.press("n")
    expect(sitter.page.locator("#q1")).to_be_visible()


@pytest.mark.gate
def test_ten_answers_given_offline_are_sent_afterwards(sit: Sit) -> None:
    sitter = sit()
    sitter.context.set_offline(True)
    sitter.press("a n " * 9 + "a")
    sitter.waits(10)
    assert sitter.answered() == []
    sitter.context.set_offline(False)
    sitter.saved()
    assert sitter.answered() == list(range(1, 11))
    assert sitter.waiting() == 0


def test_the_queue_survives_a_killed_server_and_a_reload(sit: Sit) -> None:
    sitter = sit()
    sitter.saved()
    sitter.site.kill()
    sitter.press("a n b n c")
    sitter.waits(3)
    sitter.site.start()
    sitter.page.reload()
    sitter.saved()
    assert sitter.answered() == [1, 2, 3]
    expect(sitter.page.locator("#q3")).to_be_visible()


@pytest.mark.gate
def test_a_superseded_tab_stops_and_can_take_over(sit: Sit) -> None:
    sitter = sit()
    first = sitter.page
    second = sitter.open("#q5")
    sitter.press("a", second)
    sitter.saved(second)
    sitter.press("b", first)
    expect(first.locator("#savestate")).to_have_attribute("data-state", "stopped", timeout=NETWORK)
    expect(first.locator("[data-notice=older]")).to_contain_text("1")
    expect(first.locator("#q1 input").first).to_be_disabled()
    first.locator("[data-notice=older] button").click()
    sitter.saved(first)
    expect(first.locator("#sheet a[href='#q5'].is-answered")).to_be_visible()
    expect(first.locator("#messages .notice")).to_have_count(0)
    assert sitter.answered() == [1, 5]


def test_answers_left_by_a_closed_tab_are_sent_on_or_offered(sit: Sit) -> None:
    sitter = sit()
    sitter.context.set_offline(True)
    sitter.press("a")
    sitter.waits(1)
    sitter.page.close()
    sitter.context.set_offline(False)
    second = sitter.open()  # accepted, because no other page has saved since
    sitter.saved(second)
    assert sitter.answered() == [1]
    second.route("**/save/", lambda route: route.abort())
    sitter.press("n b", second)
    sitter.waits(1, second)
    third = sitter.open()  # the second tab is still open, so its answers stay with it
    assert sitter.answered() == [1]
    sitter.context.set_offline(True)
    second.close()
    sitter.context.set_offline(False)
    third.reload()
    sitter.saved(third)
    expect(third.locator("[data-notice=left]")).to_contain_text("1")
    third.locator("[data-notice=left] button").first.click()
    sitter.saved(third)
    assert sitter.answered() == [1, 2]


def test_time_runs_out_whatever_the_computers_clock_says(sit: Sit) -> None:
    sitter = sit(ends_in=8)
    sitter.page.evaluate("Date.now = () => 0")
    sitter.press("a")
    sitter.saved()
    expect(sitter.page.locator("[data-notice=time]")).to_be_visible(timeout=NETWORK)
    sitter.press("b")
    sitter.page.wait_for_url("**/results/", timeout=30_000)
    sitter.session.refresh_from_db()
    assert sitter.session.ended == "time"
    assert sitter.answered() == [1]


def test_a_queue_that_is_offline_when_time_runs_out_arrives_late(sit: Sit) -> None:
    sitter = sit(ends_in=6)
    sitter.context.set_offline(True)
    sitter.press("a")
    expect(sitter.page.locator("[data-notice=time]")).to_contain_text("1", timeout=NETWORK)
    sitter.page.wait_for_timeout(11_000)
    sitter.context.set_offline(False)
    sitter.page.wait_for_url("**/results/", timeout=40_000)
    assert list(LateAnswer.objects.filter(session=sitter.session).values_list("position", flat=True)) == [1]
    assert sitter.waiting() == 0


def test_a_page_that_stopped_at_zero_resumes_when_time_is_given_back(sit: Sit) -> None:
    sitter = sit(ends_in=6)
    began = timezone.now() - dt.timedelta(minutes=10)
    PracticeSession.objects.filter(pk=sitter.session.pk).update(started_at=began)
    sitter.context.set_offline(True)
    sitter.press("a")
    expect(sitter.page.locator("[data-notice=time]")).to_be_visible(timeout=NETWORK)
    boss = User.objects.create_superuser(f"boss{sitter.session.pk}@example.org", "a long enough password")
    enter((began, timezone.now()), "", boss, timezone.now())
    sitter.context.set_offline(False)
    expect(sitter.page.locator("[data-notice=given]")).to_be_visible(timeout=40_000)
    sitter.saved()
    sitter.press("n b")
    sitter.saved()
    assert sitter.answered() == [1, 2]
    assert sitter.waiting() == 0


def test_an_open_page_says_how_much_time_was_given_back(sit: Sit) -> None:
    sitter = sit()
    began = timezone.now() - dt.timedelta(minutes=10)
    PracticeSession.objects.filter(pk=sitter.session.pk).update(started_at=began)
    boss = User.objects.create_superuser(f"boss{sitter.session.pk}@example.org", "a long enough password")
    enter((began, began + dt.timedelta(minutes=4)), "", boss, timezone.now())
    assert sitter.page.locator("[data-notice=given]").count() == 0
    sitter.press("a")
    expect(sitter.page.locator("[data-notice=given]")).to_contain_text("4 min", timeout=NETWORK)


def test_the_results_page_sends_the_answers_a_closed_page_left(sit: Sit) -> None:
    sitter = sit()
    sitter.context.set_offline(True)
    sitter.page.evaluate(CUT)  # otherwise the page could still send the answer in time while it is being left
    sitter.press("a")
    sitter.waits(1)
    sitter.page.close()
    PracticeSession.objects.filter(pk=sitter.session.pk).update(deadline=timezone.now() - dt.timedelta(minutes=1))
    sitter.context.set_offline(False)
    page = sitter.context.new_page()
    page.goto(sitter.address, wait_until="commit")  # the page loads itself again as soon as the answer is in
    late = LateAnswer.objects.filter(session=sitter.session)
    assert wait_until(lambda: late.count() == 1)
    page.wait_for_timeout(1000)  # by then the page has finished loading
    page.goto(f"{sitter.address}results/")
    assert sitter.waiting(page) == 0


@pytest.mark.gate
def test_submitting_waits_for_the_network_and_can_be_cancelled(sit: Sit) -> None:
    sitter = sit()
    page = sitter.page
    sitter.context.set_offline(True)
    sitter.press("a n " * 4 + "r")
    page.locator("#submit-session").click()
    expect(page.locator("#waiting [data-words]")).to_contain_text("4")
    page.locator("#waiting [data-close]").click()
    expect(page.locator("#waiting")).to_be_hidden()
    page.locator("#submit-session").click()
    expect(page.locator("#waiting")).to_be_visible()
    sitter.context.set_offline(False)
    page.wait_for_url("**/results/", timeout=40_000)
    assert sitter.answered() == [1, 2, 3, 4]


@pytest.mark.gate
def test_a_login_that_ended_is_renewed_in_place(browser: Browser, live_site: Site, exam: Exam) -> None:
    user = User.objects.create_user("player@example.org", PASSWORD)
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    session = begin_mock(Owner(user_id=user.pk), exam, 10, timezone.now())
    context = browser.new_context()
    entrance = context.new_page()
    entrance.goto(f"{live_site.url}/accounts/login/")
    entrance.fill("[name=login]", user.email)
    entrance.fill("[name=password]", PASSWORD)
    entrance.press("[name=password]", "Enter")
    entrance.wait_for_url(f"{live_site.url}/")
    sitter = Sitter(context, live_site, session)
    context.clear_cookies()
    sitter.press("a")
    expect(sitter.page.locator("#login")).to_be_visible(timeout=NETWORK)
    sitter.page.fill("#login-address", user.email)
    sitter.page.fill("#login-password", PASSWORD)
    sitter.press("Enter")
    sitter.saved()
    expect(sitter.page.locator("#login")).to_be_hidden()
    assert sitter.answered() == [1]
    context.close()


@pytest.mark.gate
def test_a_drills_answer_is_marked_at_once_or_when_the_network_is_back(sit: Sit) -> None:
    sitter = sit("drill", size=2)
    page = sitter.page
    sitter.press("a")
    page.locator("#q1 input").first.press("Enter")
    expect(page.locator("#q1 .verdict")).to_be_focused()
    sitter.press("Enter")
    expect(page.locator("#q2")).to_be_visible()
    sitter.context.set_offline(True)
    sitter.press("a")
    page.locator("#q2 button[name=check]").click()
    expect(page.locator("#q2 .check-state")).to_be_visible()
    expect(page.locator("#q2 .verdict")).to_have_count(0)
    sitter.context.set_offline(False)
    expect(page.locator("#q2 .verdict")).to_be_visible(timeout=NETWORK)
    page.locator("#done a").click()
    page.wait_for_url("**/results/")
    assert sitter.item(2).checked_at


def test_the_discussion_opens_over_a_drill_and_the_drill_continues(sit: Sit) -> None:
    sitter = sit("drill", size=2)
    page = sitter.page
    row(sitter.item(1).version, None, "Count the zones before the nodes.")
    sitter.press("a")
    page.locator("#q1").locator("button[name=check]").click()
    assert "htmx" not in page.content().replace(page.locator("#thread-parts").evaluate("each => each.outerHTML"), "")
    page.locator("#q1").locator(".thread a[data-hx-get]").press("Enter")
    box = page.locator("#discussion")
    expect(box.locator(".comment-text")).to_have_text("Count the zones before the nodes.")
    assert page.locator("[id]").evaluate_all("all => all.length - new Set(all.map(each => each.id)).size") == 0
    by_helpful = box.locator("a[data-hx-get*='sort=helpful']")
    by_helpful.click()
    expect(by_helpful).to_have_count(0)
    expect(box.locator("[aria-current=true]")).to_be_visible()
    box.locator("[data-state=signed-out] a").first.click()
    expect(page).to_have_url(sitter.address)
    sitter.press("Escape")
    expect(box).to_be_hidden()
    sitter.press("n a")
    sitter.saved()
    assert sitter.answered() == [1, 2]


def test_a_comment_is_posted_over_a_drill(browser: Browser, live_site: Site, exam: Exam) -> None:
    user = person("drill")
    session = begin_drill(Owner(user_id=user.pk), exam, timezone.now(), size=2)
    context = browser.new_context()
    for name, morsel in signed_in_client(user).cookies.items():
        context.add_cookies([{"name": name, "value": morsel.value, "url": live_site.url}])
    sitter = Sitter(context, live_site, session)
    sitter.press("a")
    sitter.page.locator("#q1").locator("button[name=check]").click()
    sitter.page.locator("#q1").locator(".thread a[data-hx-get]").click()
    box = sitter.page.locator("#discussion")
    expect(box.get_by_role("heading")).to_be_visible()
    if not box.locator("textarea").is_visible():
        box.locator(".composer > summary").click()
    box.locator("input[name=kind][value=tip]").check(force=True)
    box.locator("textarea").fill("Ask what would change the answer.")
    box.locator(".composer form button:not([name])").click()
    expect(box.locator("[data-message=held]")).to_be_visible()
    expect(sitter.page).to_have_url(sitter.address)
    assert Comment.objects.filter(author=user, version=sitter.item(1).version).count() == 1
    assert sitter.said == []
    context.close()


def test_a_thread_that_fails_to_load_says_so_and_can_be_retried(sit: Sit) -> None:
    sitter = sit("drill", size=2)
    page = sitter.page
    sitter.press("a")
    page.locator("#q1").locator("button[name=check]").click()
    link, box = page.locator("#q1").locator(".thread a[data-hx-get]"), page.locator("#discussion")
    expect(link).to_be_visible()
    sitter.context.set_offline(True)
    link.click()
    expect(box.locator("[data-place][data-state=failed]")).not_to_be_empty()
    sitter.context.set_offline(False)
    box.locator("[data-close]").click()
    link.click()
    expect(box.locator("[data-place][data-state=shown]").get_by_role("heading")).to_be_visible()


def test_confidence_is_sent_with_the_check(sit: Sit) -> None:
    sitter = sit("drill", size=2, ask_confidence=True)
    sitter.press("a")
    sitter.page.locator("#q1").locator("[data-sure='2']").click()
    expect(sitter.page.locator("#q1 .verdict")).to_be_visible()
    assert sitter.item(1).confidence == 2


def test_a_pause_waits_for_the_queue_and_stops_the_clock(sit: Sit) -> None:
    sitter = sit(pausable=True)
    sitter.press("a")
    sitter.page.locator("#bar-pause").click()
    expect(sitter.page.locator("[data-state=paused]")).to_be_visible()
    sitter.session.refresh_from_db()
    assert sitter.session.paused_at
    assert sitter.answered() == [1]
    sitter.page.locator("button[name=resume]").click()
    sitter.saved()


def test_nothing_moves_when_the_player_starts(sit: Sit) -> None:
    sitter = sit()
    page = sitter.context.new_page()
    page.add_init_script(
        "window.moved = 0; new PerformanceObserver(list => list.getEntries().forEach(entry => moved += entry.value))"
        ".observe({type: 'layout-shift', buffered: true})"
    )
    page.goto(sitter.address)
    sitter.saved(page)
    assert page.evaluate("moved") == 0


def test_without_script_enter_saves_and_submitting_has_its_own_page(
    browser: Browser, live_site: Site, sit: Sit, tmp_path: Path
) -> None:
    sitter = sit()
    context = browser.new_context(java_script_enabled=False, storage_state=sitter.context.storage_state())
    page = context.new_page()
    page.goto(sitter.address)
    page.locator("input[name=a-2]").nth(1).check(force=True)
    page.locator("input[name=a-2]").nth(1).press("Enter")
    page.wait_for_url("**/#q1")
    assert sitter.answered() == [2]
    page.locator("button[name=finish]").click()
    page.wait_for_url("**/finish/")
    context.close()
