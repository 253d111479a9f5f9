"""From the front page a visitor needs few actions, and no account, to get a verdict or a mock."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from questions.models import Exam
from tests.support.bank import add_questions, make_exam
from tests.support.subprocesses import Site

VERDICT_ACTIONS, MOCK_ACTIONS = 2, 3
VERDICT = re.compile(r"✓\s+\w|✗\s+\w")

pytestmark = [pytest.mark.soak, pytest.mark.browser]


@pytest.fixture(scope="module")
def exam(live_rows: None) -> Exam:
    made = make_exam()
    add_questions(made, 2)
    add_questions(made, 2, pool="reserved")
    return made


class Walk:
    """A stranger who begins at the front page, counts every action, and notes where an account was asked for."""

    def __init__(self, page: Page, site: Site) -> None:
        self.page, self.actions = page, 0
        self.asked: list[str] = []
        page.on("load", self.look)
        page.goto(site.url)
        self.look(page)

    def look(self, page: Page) -> None:
        fields = page.locator("input[type=password]:visible, input[type=email]:visible").count()
        if fields or "/accounts/" in page.url:
            self.asked.append(page.url)

    def click(self, target: Locator) -> None:
        target.click()
        self.actions += 1


@pytest.fixture
def walk(browser: Browser, live_site: Site, exam: Exam) -> Iterator[Walk]:
    context = browser.new_context()
    assert context.cookies() == []
    yield Walk(context.new_page(), live_site)
    context.close()


@pytest.mark.gate
def test_a_first_verdict_takes_two_actions(walk: Walk) -> None:
    walk.click(walk.page.locator(".option").first)
    walk.click(walk.page.locator("form.ask .check").first)
    verdict = walk.page.locator("#verdict .verdict h2")
    expect(verdict).to_have_text(VERDICT)
    assert walk.actions <= VERDICT_ACTIONS
    assert walk.asked == []


@pytest.mark.gate
def test_a_running_mock_takes_three_actions(walk: Walk) -> None:
    walk.click(walk.page.locator(".places a[href$='/mock/']"))
    walk.click(walk.page.locator("#start button.btn"))
    expect(walk.page.locator("#savestate")).to_have_attribute("data-state", "saved")
    expect(walk.page.locator("#clock")).to_be_visible()
    assert walk.page.locator("#q1 .option").first.is_visible()
    assert walk.actions <= MOCK_ACTIONS
    assert walk.asked == []
