"""A mock on paper has a booklet of few pages, and its answers can be typed in with the keyboard alone."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect

from courseiva.common.masks import places_from_mask
from practice.models import PracticeSession
from practice.sessions.models import SessionItem
from practice.sessions.player.save import claim, save
from questions.models import Exam, QuestionVersion
from tests.journeys.device import CUT
from tests.journeys.test_nothing_is_lost import MEND
from tests.support.bank import add_questions, make_exam
from tests.support.sessions import batch, begin_mock, guest, guest_client, state
from tests.support.subprocesses import Site

pytestmark = [pytest.mark.soak, pytest.mark.browser]

MOST_PAGES = 20
# As long as the sixty longest of the bank, on average: 690 characters and four times 240.
STEM = f"<p>{'words ' * 115}</p>"
OPTION = "words " * 40


@pytest.fixture(scope="module")
def exam(live_rows: None) -> Exam:
    made = make_exam()
    add_questions(made, 13)
    for version in QuestionVersion.objects.all():
        version.stem_html, version.options_html = STEM, dict.fromkeys(version.options_html, OPTION)
        version.save(update_fields=["stem_html", "options_html"])
    return made


class Paper:
    """A browser with a mock on paper."""

    def __init__(self, page: Page, session: PracticeSession) -> None:
        self.page, self.session, self.said = page, session, list[str]()
        page.add_init_script("window.realFetch = window.fetch")
        page.on("pageerror", lambda error: self.said.append(str(error)))

    def open(self, part: str) -> Page:
        self.page.goto(f"{self.session.get_absolute_url()}{part}/")
        return self.page

    def held(self) -> dict[int, list[int]]:
        rows = SessionItem.objects.filter(session=self.session).exclude(selected=0)
        columns = rows.order_by("position").values_list("position", "selected", "option_order")
        return {n: places_from_mask(mask, order) for n, mask, order in columns}


@pytest.fixture
def paper(browser: Browser, live_site: Site, exam: Exam) -> Iterator[Paper]:
    owner, token = guest()
    session = begin_mock(owner, exam, 60, timezone.now())
    context = browser.new_context(base_url=live_site.url)
    for name, morsel in guest_client(token).cookies.items():
        context.add_cookies([{"name": name, "value": morsel.value, "url": live_site.url}])
    made = Paper(context.new_page(), session)
    made.owner = owner  # type: ignore[attr-defined]
    yield made
    context.close()
    assert made.said == []


def saved(page: Page) -> None:
    expect(page.locator("#savestate")).to_have_attribute("data-state", "saved")
    expect(page.locator("#savestate")).to_have_attribute("data-waiting", "0")


@pytest.mark.parametrize("size", ["A4", "Letter"])
def test_sixty_questions_are_a_booklet_of_at_most_twenty_pages(paper: Paper, size: str) -> None:
    pdf = paper.open("booklet").pdf(format=size)
    assert 10 < len(re.findall(rb"/Type\s*/Page\b(?!s)", pdf)) <= MOST_PAGES


def test_rows_are_typed_and_saved_on_leaving_them(paper: Paper) -> None:
    page = paper.open("sheet")
    saved(page)
    page.locator("#t-1").focus()
    for typed in ("b", "x", "ad", "c"):
        page.keyboard.type(typed)
        page.keyboard.press("Enter")
    expect(page.locator("#t-5")).to_be_focused()
    saved(page)
    assert paper.held() == {1: [1], 3: [0, 3], 4: [2]}
    expect(page.locator("[data-row='2']")).to_have_attribute("data-state", "wrong")
    expect(page.locator("[data-row='3']")).to_have_attribute("data-state", "too-many")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    page.keyboard.type("d")  # typing in a row that has the focus replaces what it held
    page.locator("[name=finish]").click()
    expect(page.locator("[data-code=no-such-letter]")).to_be_visible()
    assert paper.held()[3] == [3]
    page.locator("#t-2").fill("a")
    page.locator("[name=finish]").click()
    page.wait_for_url("**/finish/")
    assert paper.held() == {1: [1], 2: [0], 3: [3], 4: [2]}


def test_answers_typed_offline_are_sent_and_nothing_counts_as_displayed(paper: Paper) -> None:
    page = paper.open("sheet")
    saved(page)
    page.evaluate(CUT)
    page.locator("#t-1").fill("c")
    page.locator("#t-2").fill("a")
    page.locator("#t-2").blur()
    expect(page.locator("#savestate")).to_have_attribute("data-waiting", "2")
    page.evaluate(MEND)
    saved(page)
    assert paper.held() == {1: [2], 2: [0]}
    assert not SessionItem.objects.filter(session=paper.session, displayed_at__isnull=False).exists()


def test_another_pages_answers_are_shown_and_typed_ones_win_after_taking_over(paper: Paper) -> None:
    page = paper.open("sheet")
    saved(page)
    now = timezone.now()
    owner = paper.owner  # type: ignore[attr-defined]
    writer = claim(paper.session.uuid, owner, now).writer
    save(paper.session.uuid, owner, batch(writer, state(5, 1, 1)), now)
    page.locator("#t-1").fill("c")
    page.locator("#t-1").blur()
    page.locator("[data-notice=older] button").click()
    saved(page)
    expect(page.locator("#t-5")).to_have_value("B")
    assert paper.held() == {1: [2], 5: [1]}
