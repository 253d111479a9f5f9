"""With JavaScript off the site still offers a whole mock, a drill with check and reveal, and the question page."""

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
from tests.support.sessions import right_places
from tests.support.subprocesses import Site

RIGHT = 3  # right answers in the mock
DRILL = 4  # questions in the drill
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
    """Start the shortest mock that is offered."""
    page.goto("/practice/pmle/mock/")
    lengths = page.locator("input[name=count]")
    shortest = min(range(lengths.count()), key=lambda n: int(lengths.nth(n).get_attribute("value") or 0))
    lengths.nth(shortest).check(force=True)
    page.locator("#start button.btn").click()
    return session_at(page)


def start_drill(page: Page) -> PracticeSession:
    """Start a custom drill, which marks each answer at once."""
    page.goto(f"/practice/pmle/?size={DRILL}")
    page.locator("form.choices[action$='/drill/'] button:not([formaction], [name])").click()
    return session_at(page)


def session_at(page: Page) -> PracticeSession:
    """Return the session that this page shows."""
    found = re.search(r"/practice/sessions/([0-9a-f-]{36})/", page.url)
    assert found, page.url
    return PracticeSession.objects.get(uuid=found.group(1))


def choose(page: Page, position: int, places: tuple[int, ...]) -> None:
    for place in places:
        page.locator(f"input[name=a-{position}][value='{place}']").check(force=True)


def chosen(page: Page) -> dict[int, set[int]]:
    """Return the places chosen on the page, by question."""
    marks: dict[int, set[int]] = {}
    fields = page.locator("#answers input[name^=a-]")
    for n in range(fields.count()):
        if fields.nth(n).is_checked():
            name, value = fields.nth(n).get_attribute("name") or "", fields.nth(n).get_attribute("value") or ""
            marks.setdefault(int(name[2:]), set()).add(int(value))
    return marks


@pytest.mark.gate
def test_a_whole_mock_works_without_script(page: Page) -> None:
    mock = start_mock(page)
    # A page without script measures no question, so the time of the whole mock decides whether solutions are shown.
    begun = mock.started_at - dt.timedelta(seconds=UNMEASURED_SECONDS * mock.total)
    PracticeSession.objects.filter(pk=mock.pk).update(started_at=begun)
    answers = {n: right_places(mock, n) for n in range(1, RIGHT + 1)}
    for position, places in answers.items():
        choose(page, position, places)
    page.locator(f"input[name=f-{RIGHT}]").check(force=True)
    page.locator("button[name=place]").first.click()
    assert chosen(page) == {position: set(places) for position, places in answers.items()}
    assert page.locator(f"input[name=f-{RIGHT}]").is_checked()

    last = mock.total
    right = right_places(mock, last)
    wrong = tuple(place for place in range(4) if place not in right)[: len(right)]  # as many as asked for
    choose(page, last, wrong)
    page.locator("button[name=finish]").click()
    page.wait_for_url("**/finish/")
    figures = [f"{n}\\b" for n in (RIGHT + 1, last, last - RIGHT - 1)]
    expect(page.locator(".lede")).to_have_text(re.compile(rf"^\s*{'.*'.join(figures)}"))
    page.locator("form[data-held] a").click()
    expect(page.locator("#answers")).to_be_visible()  # otherwise the check below might read the previous page
    assert chosen(page)[last] == set(wrong)
    page.go_back()

    page.locator("form[data-held] button").click()
    expect(page).to_have_url(RESULTS)
    expect(page.locator(".figure-number")).to_contain_text(f"{RIGHT} of {last}")
    mock.refresh_from_db()
    assert (mock.score, mock.ended) == (RIGHT, "handed_in")

    page.locator(f"a[href*='/items/{last}/']").first.click()
    expect(page.locator(".rationale").first).to_be_attached()
    expect(page.locator("main .option.is-wrong")).to_have_count(len(wrong))


@pytest.mark.parametrize("kind", ["mock", "drill"])
def test_enter_in_a_field_never_submits(page: Page, kind: str) -> None:
    if kind == "mock":
        session = start_mock(page)
    else:
        session = start_drill(page)
    address = page.url.partition("#")[0]
    fields = page.locator("#answers input:not([type=hidden])")
    total = fields.count()
    assert total >= session.total * 5  # each question has at least four options and a flag
    for n in range(total):
        fields.nth(n).focus()
        page.keyboard.press("Enter")
        page.wait_for_load_state()
        assert page.url.partition("#")[0] == address, f"Enter in field {n} led away"
    session.refresh_from_db()
    assert session.finished_at is None
    assert session.writer > 0  # each Enter saved
    assert not session.items.exclude(checked_at=None).exists()


@pytest.mark.gate
def test_a_drill_checks_and_reveals(page: Page) -> None:
    drill = start_drill(page)
    choose(page, 1, right_places(drill, 1))
    page.locator("#q1 button[name=check]").click()
    expect(page.locator("#q1 .verdict.is-right")).to_be_visible()
    page.locator("#q2 button[name=check]").click()
    expect(page.get_by_role("alert").locator("a[href='#q2']")).to_be_visible()
    expect(page.locator("#q2 .verdict")).to_have_count(0)
    page.locator("#q2 button[name=reveal]").click()
    expect(page.locator("#q2 .verdict")).to_be_visible()
    expect(page.locator("#q2 .verdict.is-right")).to_have_count(0)
    expect(page.locator("#q1 .verdict.is-right")).to_be_visible()
    page.locator("button[name=finish]").click()
    page.locator("form[data-held] button").click()
    expect(page).to_have_url(RESULTS)
    expect(page.locator(".figure-number")).to_contain_text("1 of 1")


@pytest.mark.parametrize("kind", ["single", "multiple"])
def test_the_question_page_marks_an_answer_and_shows_the_verdict_at_once(page: Page, exam: Exam, kind: str) -> None:
    question = Question.objects.filter(exam=exam, kind=kind, number__isnull=False).order_by("number")[0]
    page.goto(question_page(question).url)
    page.locator("#solution > summary").click()
    expect(page.locator("#solution .verdict")).to_be_visible()
    page.locator("input[name=slot][value='2']").check(force=True)
    if kind == "multiple":
        page.locator("form.ask .check").click()
        expect(page.locator("#verdict").get_by_role("alert")).to_contain_text("1")
        expect(page.locator("input[name=slot]:checked")).to_have_value("2")
        page.locator("input[name=slot][value='4']").check(force=True)
    page.locator("form.ask .check").click()
    expect(page.locator("#verdict .verdict.is-wrong")).to_be_visible()
    page.locator("#verdict form[action$='/drill/'] button").first.click()
    session = session_at(page)
    assert session.mode == "drill"
    expect(page.locator("#q1 .verdict")).to_be_visible()  # the drill's first question is the one just answered
