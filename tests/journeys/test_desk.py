"""Editors use their desk with the keyboard alone, from a file to published questions, and change several at once."""

from __future__ import annotations

import csv
import dataclasses
import io
from collections.abc import Iterator

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from PIL import Image
from playwright.sync_api import Browser, Locator, Page, expect

from courseiva.accounts.models import User
from questions.desk import decide as desk
from questions.desk.publish import publish
from questions.models import BulkChange, Change, ChangeState, Desk, Exam, ImportJob, JobState, Question
from questions.versions.reads.drafts import draft_of
from tests.journeys.device import sign_in
from tests.support.bank import NOW, draft, make_exam
from tests.support.editing import EDITORS, LIST, REVIEWERS, address, person
from tests.support.families import add_family
from tests.support.subprocesses import Site

pytestmark = [pytest.mark.soak, pytest.mark.browser]
IMPORT, COLUMNS = "/admin/questions/importeditem/new/", "/admin/questions/importeditem/columns/"
REPLACE = "/admin/questions/question/replace/"
MOST_STOPS = 150
PATIENCE = 15_000
TARGETS = (
    "() => axe.run({preload: false, runOnly: {type: 'rule', values: ['target-size']}})"
    ".then(found => found.violations.flatMap(each => each.nodes.map(node => String(node.target))))"
)
LAPTOP = {"width": 1366, "height": 768}
DARK = 128
SIDEWAYS = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
CUT_HEADERS = (
    "[...document.querySelectorAll('#result_list thead th')]"
    ".filter(each => each.scrollWidth > each.clientWidth || each.clientHeight > 40).map(each => each.innerText)"
)
AT_ITS_END = "box => box.scrollTop + box.clientHeight >= box.scrollHeight - 1"
TABLE = (
    "title,question,option a,option b,option c,correct,explanation,source title\n"
    "Lamp {n} at night,Which lamp {n} keeps insects away?,The blue one,The amber one,The red one,B,It draws few.,own\n"
    "Tool {n},Which of these is tool {n}?,A hammer,Some moss,A cloud,A,It drives nails.,own\n"
)


@pytest.fixture(scope="module")
def exam(live_rows: None) -> Exam:
    made = make_exam(weights=(100,))
    add_family(made)
    author = person("ada", EDITORS)
    for n in range(21, 26):
        publish(desk.begin(made, draft(n), author, NOW), NOW, Change.FIRST)
    Question.objects.update(desk=Desk.NOTHING)
    return made


@pytest.fixture(scope="module")
def people(exam: Exam) -> tuple[User, User]:
    return person("edith", EDITORS), person("rita", EDITORS, REVIEWERS)


@pytest.fixture
def desks(browser: Browser, live_site: Site, people: tuple[User, User]) -> Iterator[tuple[Page, Page]]:
    """Yield an editor's page and a reviewer's, neither of which may log anything in the console."""
    contexts, said = [], list[str]()
    for user in people:
        context = browser.new_context(base_url=live_site.url)
        context.set_default_timeout(PATIENCE)
        sign_in(context, live_site, user)
        contexts.append(context)
    pages = [context.new_page() for context in contexts]
    for page in pages:
        page.on("console", lambda message: said.append(message.text))
    yield pages[0], pages[1]
    for context in contexts:
        context.close()
    assert said == []


def press_on(page: Page, sought: str, key: str = "Enter") -> None:
    """Go to an element with Tab, from where the focus is, and press a key on it."""
    element = page.locator(sought).first
    for _ in range(MOST_STOPS):
        if element.evaluate("element => element === document.activeElement"):
            page.keyboard.press(key)
            return
        page.keyboard.press("Tab")
    pytest.fail(f"Tab doesn't lead to {sought}")


def take_action(page: Page, action: str, *ticked: Question) -> None:
    """Tick questions in the list and take an action, with clicks."""
    page.goto(LIST)
    for question in ticked:
        page.locator(f'input[name="_selected_action"][value="{question.pk}"]').check()
    page.locator('select[name="action"]').select_option(action)
    page.locator("#changelist-form .actions button").click()


def bring(page: Page, name: str, content: str, address: str = IMPORT) -> None:
    """Preview what a file contains."""
    page.goto(address)
    page.locator('input[type="file"]').set_input_files(
        {"name": name, "mimeType": "text/csv", "buffer": content.encode()}
    )
    page.locator('select[name="exam"]').select_option("pmle")
    page.locator('input[name="look"]').click()


def table(number: int) -> str:
    return TABLE.replace("{n}", str(number))


def test_a_file_becomes_published_questions_by_keyboard_alone(desks: tuple[Page, Page]) -> None:
    editor, reviewer = desks
    editor.goto(IMPORT)
    with editor.expect_file_chooser() as chooser:
        press_on(editor, 'input[type="file"]')
    chooser.value.set_files({"name": "lamps.csv", "mimeType": "text/csv", "buffer": table(1).encode()})
    press_on(editor, 'select[name="exam"]', "P")
    press_on(editor, 'input[name="look"]')
    expect(editor.locator('[data-level="basic"]')).to_have_attribute("data-number", "2")
    press_on(editor, 'input[name="keep"]')
    expect(editor.locator("#content-main")).to_have_attribute("data-state", "done")
    press_on(editor, '[data-link="batch"]')
    batch = ImportJob.objects.latest("pk")
    for page, action in ((editor, "Submit for review, inc"), (reviewer, "Publish")):
        page.goto(f"{LIST}?batch={batch.pk}")
        press_on(page, "#action-toggle", "Space")
        press_on(page, 'select[name="action"]', action[0])
        page.keyboard.type(action[1:])
        press_on(page, "#changelist-form .actions button")
    press_on(reviewer, '#together-form input[name="basic"]', "Space")
    press_on(reviewer, "#together-form button.default")
    expect(reviewer.locator(".messagelist .published")).to_be_visible()
    made = [entry.question.live_version for entry in batch.entries.select_related("question__live_version")]
    assert [version is not None and version.is_basic for version in made] == [True, True]


def test_an_import_is_undone_with_clicks(desks: tuple[Page, Page]) -> None:
    editor, _ = desks
    bring(editor, "lamps.csv", table(2))
    editor.locator('input[name="keep"]').click()
    batch = ImportJob.objects.latest("pk")
    assert batch.entries.count() == 2
    editor.goto("/admin/questions/importjob/")
    editor.locator("#result_list tbody a").first.click()
    editor.locator('a[href$="undo/"]').click()
    expect(editor.locator("#content-main")).to_have_attribute("data-removed", "2")
    editor.locator(".submit-row input.default").click()
    expect(editor.locator("[data-undone]")).to_have_attribute("data-undone", "2")
    assert not batch.entries.exists()


def test_a_running_import_is_followed_until_it_is_done(desks: tuple[Page, Page], exam: Exam) -> None:
    editor, _ = desks
    job = ImportJob.objects.create(exam=exam, source="long.csv", format="csv", content=b"", made_at=NOW, moved_at=NOW)
    editor.goto(f"/admin/questions/importjob/{job.pk}/")
    expect(editor.locator("#running progress")).to_have_count(0)
    ImportJob.objects.filter(pk=job.pk).update(total=10, position=4)
    expect(editor.locator("#running progress")).to_have_attribute("value", "4", timeout=PATIENCE)
    ImportJob.objects.filter(pk=job.pk).update(state=JobState.DONE, position=10)
    expect(editor.locator("#content-main")).to_have_attribute("data-state", "done", timeout=PATIENCE)


def test_questions_go_into_a_spreadsheet_and_come_back_changed(desks: tuple[Page, Page]) -> None:
    editor, _ = desks
    first, second = Question.objects.filter(family=None, number__isnull=False).order_by("pk")[:2]
    take_action(editor, "export_all", first, second)
    editor.locator("#format").select_option("csv")
    with editor.expect_download() as saved:
        editor.locator("button.default").click()
    rows = list(csv.DictReader(io.StringIO(saved.value.path().read_text(encoding="utf-8-sig"))))
    assert len(rows) == 2
    rows[0]["explanation"] = "Another word altogether."
    out = io.StringIO()
    writer = csv.DictWriter(out, list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)
    bring(editor, "edited.csv", out.getvalue())
    differing = editor.locator("[data-differs]")
    expect(differing).to_have_count(1)
    differing.locator("summary").first.click()
    expect(differing.locator("ins").first).to_be_visible()
    editor.locator('input[name="update"]').check()
    editor.locator('input[name="keep"]').click()
    expect(editor.locator("#content-main")).to_have_attribute("data-state", "done")
    changed = Question.objects.get(key=rows[0]["id"])
    assert (changed.explanation, changed.desk) == ("Another word altogether.", Desk.DRAFT)
    assert changed.live_version is not None
    assert changed.live_version.number == 1


def test_a_change_to_several_is_previewed_proposed_and_applied_by_another_person(desks: tuple[Page, Page]) -> None:
    editor, reviewer = desks
    chosen = Question.objects.filter(family=None, desk=Desk.NOTHING, live_version__is_basic=False).order_by("pk")[:2]
    take_action(editor, "edit_all", *chosen)
    editor.locator("#id_difficulty").select_option("hard")
    editor.locator("#id_why").fill("They are harder than we thought.")
    editor.locator('button[name="step"][value="look"]').click()
    expect(editor.locator("[data-changed]")).to_have_attribute("data-changed", "2")
    editor.locator('button[name="step"][value="send"]').click()
    expect(editor.locator('[data-change="waiting"]')).to_be_visible()
    reviewer.goto(editor.url)
    reviewer.locator('button[name="decision"][value="apply"]').click()
    expect(reviewer.locator('[data-change="applied"]')).to_be_visible()
    assert {each.difficulty for each in Question.objects.filter(pk__in=[q.pk for q in chosen])} == {"hard"}


def test_a_find_and_replace_is_previewed_and_cancelled(desks: tuple[Page, Page], exam: Exam) -> None:
    editor, _ = desks
    editor.goto(REPLACE)
    editor.locator("#id_exam").select_option(exam.slug)
    editor.locator("#id_find").fill("Thing")
    editor.locator("#id_to").fill("Widget")
    editor.locator("#id_why").fill("It was renamed.")
    editor.locator('button[name="step"][value="look"]').click()
    expect(editor.locator("[data-changed] ins").first).to_be_visible()
    editor.locator('button[name="step"][value="send"]').click()
    expect(editor.locator('[data-change="waiting"]')).to_be_visible()
    editor.locator('button[name="decision"][value="decline"]').click()
    expect(editor.locator('[data-change="waiting"]')).to_have_count(0)
    assert BulkChange.objects.latest("pk").state != ChangeState.APPLIED


def test_columns_are_named_previewed_and_imported(desks: tuple[Page, Page]) -> None:
    editor, _ = desks
    bring(editor, "t.csv", "Pergunta;Primeira;Segunda;Certa\nWhich lamp is it?;blue;amber;2\n", COLUMNS)
    for number, role in enumerate(("stem", "option", "option", "correct")):
        editor.locator(f'select[name="role_{number}"]').select_option(role)
    editor.locator('input[name="look"]').click()
    expect(editor.locator('[data-state="looked"]')).to_be_visible()
    editor.locator('input[name="keep"]').click()
    made = ImportJob.objects.latest("pk").entries.get().question
    told = [(option.text, option.right) for option in draft_of(made).options]
    assert told == [("blue", False), ("amber", True)]


def test_a_family_is_edited_on_one_page(desks: tuple[Page, Page]) -> None:
    editor, _ = desks
    family = Question.objects.exclude(family=None).values_list("family_id", flat=True).first()
    editor.goto(f"/admin/questions/family/{family}/change/")
    stem = editor.locator('#family-form textarea[name$="stem"]').first
    stem.fill(stem.input_value().replace("Your", "Our", 1) + " Everything else stays.")
    editor.locator("#family-form button.default").click()
    expect(editor.locator(".errornote, .ed-notice--bad")).to_have_count(0)
    stems = set(Question.objects.filter(family=family).values_list("stem", flat=True))
    assert {stem.endswith("Everything else stays.") for stem in stems} == {True}


def test_a_laptop_shows_twenty_five_questions_of_the_list_without_scrolling(
    desks: tuple[Page, Page], exam: Exam, people: tuple[User, User]
) -> None:
    editor, _ = desks
    for n in range(60, 86):
        long = dataclasses.replace(draft(n), title=f"{'Lamps ' * 14}{n}")
        desk.begin(exam, long, people[0], NOW)
    editor.set_viewport_size(LAPTOP)
    editor.goto(LIST)
    rows = editor.locator("#result_list tbody tr")
    expect(rows).to_have_count(25)
    assert editor.evaluate(SIDEWAYS) == 0
    assert editor.evaluate(CUT_HEADERS) == []
    last = rows.last.bounding_box()
    assert last is not None
    assert last["y"] + last["height"] <= LAPTOP["height"]


def test_a_list_of_checks_shows_that_it_continues_below(
    desks: tuple[Page, Page], exam: Exam, people: tuple[User, User]
) -> None:
    """A shadow at its lower edge shows it, and disappears at its end."""
    editor, _ = desks
    blank = dataclasses.replace(draft(90), explanation="", quick_answer="", principle="", trap="", detail="", clues=())
    question = desk.begin(exam, blank, people[0], NOW)
    editor.set_viewport_size(LAPTOP)
    editor.goto(address(question))
    box = editor.locator("#lint")
    expect(box.locator("li").first).to_be_visible()
    assert box.evaluate("box => box.scrollHeight > box.clientHeight")
    assert _lower_edge(box) < DARK
    box.focus()
    editor.keyboard.press("End")
    editor.wait_for_function(f"() => ({AT_ITS_END})(document.getElementById('lint'))")
    assert _lower_edge(box) > DARK


def _lower_edge(box: Locator) -> int:
    """Return the brightness of the list's last line of pixels, from 0 to 255."""
    drawn = Image.open(io.BytesIO(box.screenshot())).convert("L")
    return drawn.getpixel((drawn.width // 3, drawn.height - 2))


@pytest.mark.parametrize("width", [1366, 390])
def test_buttons_in_the_admins_lists_are_large_enough(desks: tuple[Page, Page], width: int) -> None:
    editor, _ = desks
    editor.set_viewport_size({"width": width, "height": 768})
    for path in ("/admin/", LIST, "/admin/questions/importjob/", "/admin/questions/family/"):
        editor.goto(path)
        editor.evaluate(AXE_SCRIPT)
        assert editor.evaluate(TARGETS) == [], path
    editor.goto(LIST)
    box = editor.locator("#searchbar").bounding_box()
    assert box is not None
    assert box["width"] > 180
