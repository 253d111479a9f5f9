"""The site with JavaScript off: a whole mock, a drill with check and reveal, the question page, Enter everywhere."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from practice.models import PracticeSession
from practice.sessions.ending.rules import UNMEASURED_SECONDS
from questions.models import Exam, Question
from questions.pages.reads.questions import question_page
from tests.support.bank import add_questions, make_exam
from tests.support.sittings import right_places
from tests.support.subprocesses import Site

RIGHT = 3  # answers of the mock that are right
DRILL = 4  # questions of the drill
RESULTS = re.compile(r"/results/$")

pytestmark = [pytest.mark.soak, pytest.mark.browser]


@pytest.fixture(scope="module")
def exam(live_rows: None) -> Exam:
    made = make_exam()
    add_questions(made, 2)
    add_questions(made, 1, kind="multiple")
    add_questions(made, 2, pool="reserved")
    return made


@pytest.fixture
def page(browser: Browser, live_site: Site, exam: Exam) -> Iterator[Page]:
    context = browser.new_context(java_script_enabled=False, base_url=live_site.url)
    yield context.new_page()
    context.close()


def start_mock(page: Page) -> PracticeSession:
    """The shortest mock that is offered."""
    page.goto("/practice/pmle/mock/")
    lengths = page.locator("input[name=count]")
    shortest = min(range(lengths.count()), key=lambda n: int(lengths.nth(n).get_attribute("value") or 0))
    lengths.nth(shortest).check(force=True)
    page.get_by_role("button", name="Start the mock now").click()
    return sitting_at(page)


def start_drill(page: Page) -> PracticeSession:
    """A drill of one's own choice, which judges each answer at once."""
    page.goto(f"/practice/pmle/?size={DRILL}")
    page.get_by_role("button", name="Start this drill").click()
    return sitting_at(page)


def sitting_at(page: Page) -> PracticeSession:
    """The sitting whose page this is."""
    found = re.search(r"/practice/sessions/([0-9a-f-]{36})/", page.url)
    assert found, page.url
    return PracticeSession.objects.get(uuid=found.group(1))


def choose(page: Page, position: int, places: tuple[int, ...]) -> None:
    for place in places:
        page.locator(f"input[name=a-{position}][value='{place}']").check(force=True)


def chosen(page: Page) -> dict[int, set[int]]:
    """What the page shows as chosen, by question."""
    marks: dict[int, set[int]] = {}
    fields = page.locator("#answers input[name^=a-]")
    for n in range(fields.count()):
        if fields.nth(n).is_checked():
            name, value = fields.nth(n).get_attribute("name") or "", fields.nth(n).get_attribute("value") or ""
            marks.setdefault(int(name[2:]), set()).add(int(value))
    return marks


@pytest.mark.gate
def test_a_whole_mock_from_start_to_result(page: Page) -> None:
    mock = start_mock(page)
    # A page without script measures nothing: what opens the reserved solutions is the time the whole of it took.
    begun = mock.started_at - dt.timedelta(seconds=UNMEASURED_SECONDS * mock.total)
    PracticeSession.objects.filter(pk=mock.pk).update(started_at=begun)
    answers = {n: right_places(mock, n) for n in range(1, RIGHT + 1)}
    for position, places in answers.items():
        choose(page, position, places)
    page.locator(f"input[name=f-{RIGHT}]").check(force=True)
    page.get_by_role("button", name="Save so far").first.click()
    assert chosen(page) == {position: set(places) for position, places in answers.items()}
    assert page.locator(f"input[name=f-{RIGHT}]").is_checked()

    last = mock.total
    wrong = next(place for place in range(4) if place not in right_places(mock, last))
    choose(page, last, (wrong,))
    page.get_by_role("button", name="Go on to handing in").click()
    expect(page.locator("h1")).to_have_text("Hand in this mock?")
    expect(page.locator(".lede")).to_contain_text(f"{RIGHT + 1} of {last} answered, {last - RIGHT - 1} still open")
    page.get_by_role("link", name="Back to the questions").click()
    assert chosen(page)[last] == {wrong}
    page.go_back()

    page.get_by_role("button", name="Hand in").click()
    expect(page).to_have_url(RESULTS)
    expect(page.locator(".figure-number")).to_contain_text(f"{RIGHT} of {last}")
    mock.refresh_from_db()
    assert (mock.score, mock.ended) == (RIGHT, "handed_in")

    page.locator(f"a[href*='/items/{last}/']").first.click()
    expect(page.locator("main")).to_contain_text("Why it is right.")


@pytest.mark.parametrize("kind", ["mock", "drill"])
def test_enter_in_any_field_never_hands_in(page: Page, kind: str) -> None:
    if kind == "mock":
        sitting = start_mock(page)
    else:
        sitting = start_drill(page)
    address = page.url.partition("#")[0]
    fields = page.locator("#answers input:not([type=hidden])")
    total = fields.count()
    assert total >= sitting.total * 5  # at least four options and a flag each
    for n in range(total):
        fields.nth(n).focus()
        page.keyboard.press("Enter")
        page.wait_for_load_state()
        assert page.url.partition("#")[0] == address, f"Enter in field {n} led away"
    sitting.refresh_from_db()
    assert sitting.finished_at is None
    assert sitting.writer > 0  # each Enter was a save
    assert not sitting.items.exclude(checked_at=None).exists()


@pytest.mark.gate
def test_a_drill_checks_and_reveals(page: Page) -> None:
    drill = start_drill(page)
    choose(page, 1, right_places(drill, 1))
    page.locator("#q1").get_by_role("button", name="Check").click()
    expect(page.locator("#q1 .verdict")).to_contain_text("Right.")
    page.locator("#q2").get_by_role("button", name="Check").click()
    expect(page.get_by_role("alert")).to_contain_text("Choose an answer first")
    page.locator("#q2").get_by_role("button", name="Show the answer").click()
    expect(page.locator("#q2 .verdict")).to_contain_text("The answer")
    expect(page.locator("#q1 .verdict")).to_contain_text("Right.")
    page.get_by_role("button", name="End this drill").click()
    page.get_by_role("button", name="End the drill").click()
    expect(page).to_have_url(RESULTS)
    expect(page.locator(".figure-number")).to_contain_text("1 of 1")


@pytest.mark.parametrize("kind", ["single", "multiple"])
def test_the_question_page_judges_an_answer_and_shows_it_unasked(page: Page, exam: Exam, kind: str) -> None:
    question = Question.objects.filter(exam=exam, kind=kind, number__isnull=False).order_by("number")[0]
    page.goto(question_page(question).url)
    page.locator("#solution > summary").click()
    expect(page.locator("#solution .verdict")).to_be_visible()
    page.locator("input[name=slot][value='2']").check(force=True)
    if kind == "multiple":
        page.get_by_role("button", name="Check", exact=True).click()
        expect(page.locator("#verdict").get_by_role("alert")).to_contain_text("Choose 1 more.")
        expect(page.locator("input[name=slot]:checked")).to_have_value("2")
        page.locator("input[name=slot][value='4']").check(force=True)
    page.get_by_role("button", name="Check", exact=True).click()
    expect(page.locator("#verdict .verdict h2")).to_contain_text("Not this one." if kind == "single" else "of 2")
    page.get_by_role("button", name="Next question in this section").first.click()
    sitting = sitting_at(page)
    assert sitting.mode == "drill"
    expect(page.locator("#q1 .verdict")).to_be_visible()  # the answer just given is its first item
