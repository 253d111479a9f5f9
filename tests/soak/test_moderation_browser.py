"""The moderators' queue in Chromium on the live site: by keyboard, with undo, by two at once, and without script."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator

import pytest
from django.db import transaction
from django.utils import timezone
from playwright.sync_api import Browser, BrowserContext, Page, expect

from courseiva.accounts.models import User
from courseiva.accounts.staff.groups import MODERATORS
from discussion.comments.recount import lock
from discussion.models import Act, Claim, Comment, Hit, LogEntry, Notice, ReplyMail, State
from discussion.moderation.acts.decide import decide
from discussion.moderation.claim import CLAIM_TIME, take
from discussion.moderation.forms import TAKEN_OUT
from discussion.moderation.reads.queue import in_order
from discussion.threads.post import rendered
from questions.models import QuestionVersion
from tests.discussion.conftest import in_group, person, row
from tests.discussion.payloads import PAYLOADS
from tests.support.bank import add_questions, make_exam
from tests.support.subprocesses import Site, wait_until
from tests.support.world import signed_in_client

HELD, MOST_PRESSES = 20, 40
PATIENCE = 30_000  # seconds for twenty acts, one request after another, on a machine that is busy with other work too
CURRENT = ".queue-card.is-current"
UNDO = "form.notice[action$='/undo/'] button"

pytestmark = [pytest.mark.soak, pytest.mark.browser]


@pytest.fixture(scope="module")
def version(live_rows: None) -> QuestionVersion:
    return add_questions(make_exam(), 1, domains=("d1",))[0]


@pytest.fixture(scope="module")
def mona(version: QuestionVersion) -> User:
    return in_group("mona", MODERATORS)


@pytest.fixture(scope="module")
def max_(mona: User) -> User:
    return in_group("max", MODERATORS)


@pytest.fixture
def held(version: QuestionVersion) -> Iterator[list[Comment]]:
    """Create twenty people's comments, in the order of the queue."""
    yield [hold(version, f"Remark {n}.", n) for n in range(HELD)]
    with transaction.atomic():
        lock(
            Comment.objects.values_list("pk", flat=True)
        )  # the previous key's action must end first, or there is no comment to act on
        for rows in (Notice, ReplyMail, Claim, Hit):
            rows.objects.all().delete()
        LogEntry.objects.filter(reverses__isnull=False)._raw_delete("default")
        LogEntry.objects.all()._raw_delete("default")
        Comment.objects.all().delete()


def hold(version: QuestionVersion, text: str, place: int) -> Comment:
    at = timezone.now() - dt.timedelta(hours=50 - place)
    author = person(f"writer{User.objects.count()}")
    html, slots = rendered(text, version)
    made = row(version, author, text, html=html, slots=slots, state=State.HELD, created_at=at, state_at=at)
    Hit.objects.create(comment=made, rule="link", start=0, end=len(text) // 2, text=text[: len(text) // 2])
    return made


@pytest.fixture
def heard() -> list[str]:
    """Collect all console messages; checked at the end of each test that opens a page with script."""
    return []


@pytest.fixture
def queue(browser: Browser, live_site: Site, mona: User, held: list[Comment], heard: list[str]) -> Iterator[Page]:
    context = signed_in(browser, live_site, mona)
    page = opened(context, live_site, heard)
    yield page
    assert heard == []
    context.close()


def signed_in(browser: Browser, site: Site, user: User, **options) -> BrowserContext:
    context = browser.new_context(base_url=site.url, **options)
    cookies = signed_in_client(user).cookies
    context.add_cookies([{"name": name, "value": morsel.value, "url": site.url} for name, morsel in cookies.items()])
    return context


def opened(context: BrowserContext, site: Site, heard: list[str]) -> Page:
    page = context.new_page()
    page.on("console", lambda message: heard.append(message.text))
    page.on("pageerror", lambda error: heard.append(str(error)))
    response = page.goto("/moderation/")
    assert response
    assert "script-src 'self'" in response.headers["content-security-policy"]
    return page


def states(rows: list[Comment]) -> list[str]:
    found = {each.pk: each.state for each in Comment.objects.filter(pk__in=[row.pk for row in rows])}
    return [found[each.pk] for each in rows]


def test_twenty_held_comments_are_cleared_in_at_most_forty_key_presses(queue, held) -> None:
    presses, expected = 0, []
    for n in range(HELD):
        keys, state = [("a", State.VISIBLE), ("r2", State.REMOVED), ("s", State.SPAM), ("r1", State.REMOVED)][n % 4]
        expected.append(state)
        for key in keys:
            queue.keyboard.press(key)
            presses += 1
    expect(queue.locator("[data-empty=queue]")).to_be_visible(timeout=PATIENCE)
    assert presses <= MOST_PRESSES
    assert states(held) == expected
    assert LogEntry.objects.count() == HELD
    assert set(LogEntry.objects.filter(act="reject").values_list("reason", flat=True)) == {"leak", "advert"}
    assert not Claim.objects.exists()


def test_at_least_four_cards_are_fully_visible_at_once(queue) -> None:
    queue.set_viewport_size({"width": 1280, "height": 900})
    boxes = [each.bounding_box() for each in queue.locator("[data-card]").all()]
    whole = [box for box in boxes if box and box["y"] >= 0 and box["y"] + box["height"] <= 900]
    assert len(whole) >= 4
    assert queue.evaluate("document.documentElement.scrollWidth") <= 1280


def test_rejecting_a_comment_takes_two_key_presses(queue, held) -> None:
    for _ in range(HELD):
        queue.keyboard.press("r")
        queue.keyboard.press("5")
    expect(queue.locator("[data-empty=queue]")).to_be_visible(timeout=PATIENCE)
    assert states(held) == [State.REMOVED] * HELD


@pytest.mark.gate
def test_a_key_undoes_an_act_and_the_card_returns(queue, held) -> None:
    queue.keyboard.press("s")
    toast = queue.locator(".toast")
    expect(toast).to_have_attribute("data-act", "spam")
    expect(queue.locator("[data-backlog]")).to_have_text(str(HELD - 1))
    expect(queue.locator(f"#card-{held[0].pk}")).to_be_hidden()
    assert states(held[:1]) == [State.SPAM]
    queue.keyboard.press("u")
    expect(queue.locator(CURRENT)).to_have_id(f"card-{held[0].pk}")
    expect(toast).to_be_hidden()
    expect(queue.locator("[data-backlog]")).to_have_text(str(HELD))
    assert states(held[:1]) == [State.HELD]
    assert [card.pk for card in in_order()] == [each.pk for each in held]


def test_acts_are_undone_one_by_one_latest_first(queue, held) -> None:
    for key in ("a", "s", "r", "3"):
        queue.keyboard.press(key)
    expect(queue.locator(".toast")).to_have_attribute("data-act", "abuse")
    expect(queue.locator("[data-backlog]")).to_have_text(str(HELD - 3))
    for n in range(3):
        queue.keyboard.press("u")
        expect(queue.locator("[data-backlog]")).to_have_text(str(HELD - 2 + n))
    assert states(held) == [State.HELD] * HELD


def test_the_offer_to_undo_ends_after_ten_seconds(queue, held) -> None:
    queue.clock.install()
    queue.keyboard.press("a")
    expect(queue.locator(".toast")).to_be_visible()
    queue.clock.fast_forward(9_000)
    expect(queue.locator(".toast")).to_be_visible()
    queue.clock.fast_forward(1_500)
    expect(queue.locator(".toast")).to_be_hidden()


def test_the_last_act_of_a_page_can_be_undone_on_the_next_one(queue, held) -> None:
    for _ in range(HELD):
        queue.keyboard.press("a")
    expect(queue.locator("[data-empty=queue]")).to_be_visible()
    queue.locator(UNDO).click()
    expect(queue.locator(".queue-card")).to_have_count(HELD)
    assert states(held) == [State.HELD] * HELD


def test_next_wraps_around_and_keys_act_on_the_current_card(queue, held) -> None:
    queue.keyboard.press("n")
    expect(queue.locator(CURRENT)).to_have_id(f"card-{held[1].pk}")
    queue.keyboard.press("a")
    expect(queue.locator(CURRENT)).to_have_id(f"card-{held[2].pk}")
    queue.locator(f"#card-{held[7].pk} summary").first.click()
    expect(queue.locator(CURRENT)).to_have_id(f"card-{held[7].pk}")
    for _ in range(HELD - 8):
        queue.keyboard.press("n")
    queue.keyboard.press("n")
    expect(queue.locator(CURRENT)).to_have_id(f"card-{held[0].pk}")
    assert wait_until(lambda: states(held[1:2]) == [State.VISIBLE]), "the key did not approve what was current"


def test_shortcut_keys_can_be_switched_off_and_stay_off(queue, held) -> None:
    queue.locator("[data-keys=on] button").click()
    for key in ("a", "s", "r", "1"):
        queue.keyboard.press(key)
    queue.reload()
    expect(queue.locator("[data-keys=off] button")).to_be_visible()
    queue.keyboard.press("a")
    queue.locator("[data-keys=off] button").click()
    assert states(held) == [State.HELD] * HELD
    queue.keyboard.press("a")
    expect(queue.locator(".toast")).to_be_visible()


def test_typing_triggers_no_shortcut_and_the_reason_other_asks_for_words(queue, held) -> None:
    queue.keyboard.press("r")
    queue.keyboard.press("8")
    words = queue.locator(f"{CURRENT} textarea")
    expect(words).to_be_focused()
    queue.keyboard.type("as said ran up 1")
    assert states(held) == [State.HELD] * HELD
    queue.locator(CURRENT).locator("[name=reject][value=other]").click()
    expect(queue.locator(".toast")).to_be_visible()
    assert LogEntry.objects.get().words == "as said ran up 1"


def test_several_cards_are_ticked_and_decided_at_once(queue, held) -> None:
    queue.locator(".bulk > summary").click()
    queue.locator("[data-tick-all]").click()
    queue.locator(f"#card-{held[3].pk}").get_by_role("checkbox").uncheck()
    queue.locator("#bulk [value=spam]").click()
    expect(queue.locator("[data-backlog]")).to_have_text("1")
    assert states(held) == [State.HELD if n == 3 else State.SPAM for n in range(HELD)]
    queue.keyboard.press("u")
    expect(queue.locator("[data-backlog]")).to_have_text(str(HELD))


def test_two_moderators_at_once_never_get_the_same_comment(browser, live_site, queue, held, max_, heard) -> None:
    expect(queue.locator(CURRENT)).to_contain_text("Remark 0.")
    queue.wait_for_load_state("networkidle")
    context = signed_in(browser, live_site, max_)
    other = opened(context, live_site, heard)
    expect(other.locator(f"#card-{held[0].pk} [data-state=taken]")).to_contain_text(re.compile(r"Mona .*\d\d:\d\d"))
    expect(other.locator(CURRENT)).to_have_id(f"card-{held[1].pk}")
    other.wait_for_load_state("networkidle")
    queue.keyboard.press("a")
    expect(queue.locator(CURRENT)).to_have_id(f"card-{held[2].pk}")
    expect(queue.locator(f"#card-{held[1].pk}[data-aside] [data-claim-words]")).not_to_be_empty()
    other.keyboard.press("s")
    expect(other.locator(".toast")).to_be_visible()
    assert states(held[:2]) == [State.VISIBLE, State.SPAM]
    context.close()


def test_a_decision_by_another_moderator_is_shown_and_the_rest_go_through(queue, held, max_) -> None:
    queue.wait_for_load_state("networkidle")
    decide(held[1], Act.APPROVE, max_, timezone.now())
    queue.keyboard.press("a")
    queue.keyboard.press("s")
    queue.keyboard.press("s")
    expect(queue.locator(f"#card-{held[1].pk}[data-aside] [data-claim-words]")).to_contain_text("Max")
    expect(queue.locator("[data-backlog]")).to_have_text(str(HELD - 2))
    assert states(held[:3]) == [State.VISIBLE, State.VISIBLE, State.SPAM]


def test_a_page_whose_remaining_cards_are_claimed_goes_to_the_next(
    browser, live_site, mona, max_, version, held, heard
) -> None:
    free = hold(version, "The one behind them.", HELD)
    take([each.pk for each in held[1:]], max_, timezone.now())
    context = signed_in(browser, live_site, mona)
    page = opened(context, live_site, heard)
    page.keyboard.press("a")
    expect(page.locator(CURRENT)).to_have_id(f"card-{free.pk}")
    expect(page.locator(UNDO)).to_be_visible()
    assert states(held[:2]) == [State.VISIBLE, State.HELD]
    assert heard == []
    context.close()


def test_a_page_where_everything_is_claimed_links_to_the_next(
    browser, live_site, mona, max_, version, held, heard
) -> None:
    free = hold(version, "The one behind them.", HELD)
    take([each.pk for each in held], max_, timezone.now())
    context = signed_in(browser, live_site, mona)
    page = opened(context, live_site, heard)
    nothing = page.locator("[data-nothing]")
    expect(nothing).to_be_visible()
    expect(page.locator(CURRENT)).to_have_count(0)
    page.keyboard.press("a")
    page.keyboard.press("n")
    expect(page.locator(CURRENT)).to_have_id(f"card-{free.pk}")
    expect(nothing).to_be_hidden()
    page.keyboard.press("a")
    expect(nothing).to_be_visible()
    assert states([held[0], free]) == [State.HELD, State.VISIBLE]
    assert heard == []
    context.close()


def test_another_moderators_claim_expires_on_an_open_page(browser, live_site, mona, max_, held, heard) -> None:
    take([each.pk for each in held], max_, timezone.now())
    context = signed_in(browser, live_site, mona)
    page = context.new_page()
    page.clock.install()
    page.goto("/moderation/")
    expect(page.locator("[data-nothing]")).to_be_visible()
    page.clock.fast_forward(int((CLAIM_TIME.total_seconds() - 30) * 1000))
    expect(page.locator(CURRENT)).to_have_count(0)
    Claim.objects.update(until=timezone.now() - dt.timedelta(seconds=1))
    page.clock.fast_forward(40_000)
    expect(page.locator(CURRENT)).to_have_id(f"card-{held[0].pk}")
    expect(page.locator("[data-nothing]")).to_be_hidden()
    page.keyboard.press("s")
    expect(page.locator(".toast")).to_have_attribute("data-act", "spam")
    assert states(held[:2]) == [State.SPAM, State.HELD]
    context.close()


def test_keys_skip_the_moderators_own_comments(browser, live_site, mona, held, heard) -> None:
    Comment.objects.filter(pk=held[1].pk).update(author=mona)
    context = signed_in(browser, live_site, mona)
    page = opened(context, live_site, heard)
    expect(page.locator(f"#card-{held[1].pk} [data-state=own]")).to_be_visible()
    for key in ("a", "s"):
        page.keyboard.press(key)
    expect(page.locator("[data-backlog]")).to_have_text(str(HELD - 2))
    assert states(held[:3]) == [State.VISIBLE, State.HELD, State.SPAM]
    page.locator(".bulk > summary").click()
    page.locator("[data-tick-all]").click()
    page.locator("#bulk [value=approve]").click()
    expect(page.locator("[data-nothing]")).to_be_visible()
    assert states(held[:4]) == [State.VISIBLE, State.HELD, State.SPAM, State.VISIBLE]
    assert heard == []
    context.close()


def test_a_login_renewed_in_another_tab_is_unnoticed_and_an_ended_one_is_reported(queue, held) -> None:
    queue.wait_for_load_state("networkidle")
    queue.context.add_cookies([{"name": "csrftoken", "value": "b" * 32, "domain": "127.0.0.1", "path": "/"}])
    queue.keyboard.press("a")
    expect(queue.locator(".toast")).to_have_attribute("data-act", "approve")
    queue.context.clear_cookies(name="sessionid")
    queue.keyboard.press("s")
    expect(queue.locator(".toast[data-trouble]")).to_be_visible()
    assert states(held[:2]) == [State.VISIBLE, State.HELD]


def test_what_people_write_never_runs_in_the_queue(browser, live_site, version, mona, held, heard) -> None:
    Comment.objects.filter(pk__in=[each.pk for each in held]).update(state=State.SPAM)
    for n, payload in enumerate(PAYLOADS):
        hold(version, payload, n)
    context = signed_in(browser, live_site, mona)
    page = opened(context, live_site, heard)
    seen = 0
    for number in range(1, len(PAYLOADS) // 20 + 2):
        page.goto(f"/moderation/?page={number}")
        seen += page.locator(".said").count()
        page.wait_for_load_state("networkidle")
        assert page.evaluate("() => window.owned") is None
        assert page.locator(".said :not(mark)").count() == 0
    assert heard == []
    assert seen == len(PAYLOADS)
    pages = [f"/moderation/comment/{each.pk}/" for each in Comment.objects.filter(state=State.HELD)]
    for address in (*pages, "/moderation/search/?state=held"):
        page.goto(address)
        page.locator("details:has(.comment-text) > summary").click() if address in pages else None
        assert page.evaluate("() => window.owned") is None
        assert heard == [], address
    context.close()


@pytest.mark.gate
def test_without_script_the_whole_queue_works_by_forms(browser, live_site, mona, held) -> None:
    context = signed_in(browser, live_site, mona, java_script_enabled=False)
    page = context.new_page()
    page.goto("/moderation/")
    page.locator("button[name=next]").click()
    expect(page.locator(".queue-card")).to_have_count(10)
    page.locator(".queue-card [value=approve]").first.click()
    expect(page.locator(".queue-card")).to_have_count(9)
    page.locator(".queue-card [data-reject] > summary").first.click()
    page.locator(".queue-card [name=reject][value=leak]").first.click()
    assert states(held[:3]) == [State.VISIBLE, State.REMOVED, State.HELD]
    page.locator(UNDO).click()
    assert states(held[:3]) == [State.VISIBLE, State.HELD, State.HELD]
    page.locator("nav.contents a[href$='/log/']").click()
    page.locator("[data-act=approve] form button").click()
    assert states(held) == [State.HELD] * HELD
    page.goto("/moderation/")
    page.locator(".bulk > summary").click()
    for n in (4, 5):
        page.locator(f"#card-{held[n].pk}").get_by_role("checkbox").check()
    page.locator("#bulk [value=spam]").click()
    assert states(held[3:7]) == [State.HELD, State.SPAM, State.SPAM, State.HELD]
    context.close()


def test_selected_text_can_be_edited_out(queue, held) -> None:
    queue.goto(f"/moderation/comment/{held[0].pk}/")
    text = queue.locator("#id_edit_text")
    text.evaluate("area => area.setSelectionRange(0, 6)")
    queue.locator("[data-cut]").click()
    expect(text).to_have_value(f"{TAKEN_OUT} 0.")
    queue.locator("#id_edit_reason").select_option("personal")
    queue.locator("#edit-out button.btn:not([name], [type])").click()
    expect(queue.locator("[data-act=edit-out]")).to_be_visible()
    assert states(held[:1]) == [State.VISIBLE]
