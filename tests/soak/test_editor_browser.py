"""Writing questions in Chromium on the live site, under its policy and with nothing on the console."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.utils import timezone
from playwright.sync_api import Browser, BrowserContext, Page, expect

from courseiva.accounts.models import User
from questions.desk import decide as desk
from questions.desk.publish import publish
from questions.desk.reads.editor import find_draft
from questions.models import Change, Desk, Exam, Question
from questions.versions.reads.drafts import draft_of
from tests.support.bank import draft, make_exam
from tests.support.editing import EDITORS, REVIEWERS, address, person
from tests.support.subprocesses import Site
from tests.support.world import signed_in_client

pytestmark = [pytest.mark.soak, pytest.mark.browser]
PATIENCE = 15_000
ADD, LIST = "/admin/questions/question/add/", "/admin/questions/question/"
SIDEWAYS = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
STEM = "Deciding words one stand at the start of this situation. What should the team do?"


class Writer:
    """A person at the editor's page."""

    def __init__(self, context: BrowserContext, site: Site, user: User) -> None:
        self.context, self.site, self.user = context, site, user
        self.said: list[str] = []
        self.sign_in()
        self.page = self.tab()

    def sign_in(self) -> None:
        cookies = signed_in_client(self.user).cookies
        self.context.add_cookies([{"name": n, "value": m.value, "url": self.site.url} for n, m in cookies.items()])

    def tab(self) -> Page:
        page = self.context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("console", lambda message: self.said.append(message.text))
        page.on("pageerror", lambda error: self.said.append(str(error)))
        return page

    def open(self, path: str) -> Page:
        self.page.goto(self.site.url + path)
        return self.page

    def is_in(self, state: str) -> None:
        """Check the state given by the line at the top."""
        expect(self.page.locator("#save-state")).to_have_attribute("data-state", state, timeout=PATIENCE)

    def saved(self) -> None:
        self.is_in("saved")

    def put_back(self) -> None:
        """Restore the text this browser kept."""
        self.page.locator("#kept button").first.click()

    def tab_to(self, field: str) -> None:
        """Move to a field with the Tab key alone."""
        for _ in range(150):
            if self.page.evaluate("document.activeElement.id") == field:
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"the Tab key does not reach {field}")

    def write(self, field: str, text: str) -> None:
        self.tab_to(field)
        self.page.keyboard.type(text)

    def open_step(self, name: str) -> None:
        """Open a step with the Tab key and Space alone."""
        step = self.page.locator(f"details[data-step='{name}']")
        for _ in range(150):
            if self.page.evaluate("document.activeElement.closest('summary')?.parentElement.dataset.step") == name:
                self.page.keyboard.press("Space")
                expect(step).to_have_attribute("open", "")
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"the Tab key does not reach the step {name}")

    def signed_out(self) -> None:
        """Sign the writer out, as when the session ends or another tab signs out."""
        Session.objects.all().delete()


Begin = Callable[..., Writer]


@pytest.fixture(scope="module")
def exam(live_rows: None) -> Exam:
    return make_exam()


@pytest.fixture(scope="module")
def alice(exam: Exam) -> User:
    return person("alice", EDITORS)


@pytest.fixture(scope="module")
def bob(exam: Exam) -> User:
    return person("bob", EDITORS, REVIEWERS)


@pytest.fixture
def question(exam: Exam, alice: User) -> Question:
    number = Question.objects.count() + 1
    return desk.begin(exam, dataclasses.replace(draft(number), key=""), alice, timezone.now())


@pytest.fixture
def begin(browser: Browser, live_site: Site, alice: User) -> Iterator[Begin]:
    writers: list[Writer] = []

    def start(user: User = alice, **options: Any) -> Writer:
        writers.append(Writer(browser.new_context(**options), live_site, user))
        return writers[-1]

    yield start
    for writer in writers:
        writer.context.close()
    assert [line for writer in writers for line in writer.said] == []


@pytest.mark.gate
def test_a_new_question_is_sent_to_review_by_keyboard_without_leaving_the_page(begin: Begin) -> None:  # noqa: PLR0915 - a story
    writer = begin()
    page, keys = writer.open(ADD), writer.page.keyboard
    loads: list[str] = []
    writer.tab_to("id_domain")
    keys.press("ArrowDown")
    writer.write("id_title", "Situation by keyboard")
    writer.write("id_stem", STEM)
    writer.saved()
    expect(page).to_have_url(re.compile(r"/change/$"))
    page.on("framenavigated", lambda frame: loads.append(frame.url) if frame == page.main_frame else None)
    keys.press("Control+Home")
    for _ in range(3):
        keys.press("Control+Shift+ArrowRight")
    keys.press("Alt+c")
    expect(page.locator("[name$=-phrase]")).to_have_value("Deciding words one")
    keys.type("It decides.")
    writer.tab_to(page.locator("[name$=-confirms]").first.get_attribute("id") or "")
    keys.press("Space")
    for n in range(4):
        if n == 1:
            writer.tab_to("id_options-1-text")
        else:
            writer.tab_to(f"id_options-{n}-right")
            if n == 0:
                keys.press("Space")
        writer.write(f"id_options-{n}-text", f"Way {n} of the keyboard")
        writer.open_step(f"options-{n}")
        writer.write(f"id_options-{n}-tempts", f"It tempts {n}.")
        writer.write(f"id_options-{n}-why", f"Because of {n}.")
    keys.press("Alt+ArrowUp")
    writer.write("id_explanation", "explanation of this one.")
    writer.write("id_sources-0-title", "A page")
    writer.write("id_sources-0-url", "https://source.example/page")
    writer.open_step("answer")
    for name in ("quick_answer", "principle", "trap", "detail", "key_concepts", "exam_tips", "takeaway"):
        writer.write(f"id_{name}", f"{name} of this one.")
    writer.write("id_example", "An example.")
    writer.open_step("place")
    writer.tab_to("id_concepts_0_0")
    keys.press("Space")
    assert loads == []
    keys.press("Control+Enter")
    expect(page.locator(".messagelist .success")).to_be_visible()
    row = find_draft(Question.objects.get(title="Situation by keyboard").pk)
    stored = draft_of(row)
    assert (row.desk, row.key) == (Desk.REVIEW, "situation-by-keyboard")
    assert (stored.stem, stored.right_slots) == (STEM, (1,))
    assert [option.slot for option in stored.options] == [1, 2, 4, 3]
    assert [(clue.phrase, clue.confirms) for clue in stored.clues] == [("Deciding words one", (1,))]


def test_a_reload_while_writing_loses_nothing(begin: Begin, question: Question) -> None:
    writer = begin()
    page = writer.open(address(question))
    page.fill("#id_trap", "Typed and saved.")
    writer.saved()
    page.fill("#id_trap", "Typed a moment before the reload.")
    page.reload()
    expect(page.locator("#kept")).to_be_visible()
    expect(page.locator("#id_trap")).to_have_value("Typed and saved.")
    writer.put_back()
    expect(page.locator("#id_trap")).to_have_value("Typed a moment before the reload.")
    writer.saved()
    assert find_draft(question.pk).trap == "Typed a moment before the reload."
    page.reload()
    expect(page.locator("#id_trap")).to_have_value("Typed a moment before the reload.")
    expect(page.locator("#kept")).to_be_hidden()


def test_a_new_question_without_a_title_survives_a_reload(begin: Begin) -> None:
    writer = begin()
    page = writer.open(ADD)
    before = Question.objects.count()
    page.fill("#id_stem", "A stem before there is a title.")
    writer.is_in("kept")
    page.reload()
    writer.put_back()
    expect(page.locator("#id_stem")).to_have_value("A stem before there is a title.")
    assert Question.objects.count() == before
    page.select_option("#id_domain", "d2")
    page.fill("#id_title", "Now with a title")
    page.focus("#id_stem")
    writer.saved()
    assert Question.objects.get(title="Now with a title").stem == "A stem before there is a title."
    writer.open(ADD)
    expect(page.locator("#kept")).to_be_hidden()


@pytest.mark.gate
def test_a_stale_save_shows_both_texts_and_can_overwrite_the_other(begin: Begin, question: Question, bob: User) -> None:
    writer = begin()
    page = writer.open(address(question))
    theirs = dataclasses.replace(draft_of(find_draft(question.pk)), trap="Theirs stands.", detail="Their detail.")
    desk.keep(question.pk, theirs, 0, bob, timezone.now())
    page.fill("#id_trap", "Mine stands.")
    writer.is_in("clash")
    clash = page.locator("#clash-box")
    expect(clash.locator("[data-field=trap] del")).to_have_text("Theirs")
    expect(clash.locator("[data-field=trap] ins")).to_have_text("Mine")
    expect(clash.locator("[data-field=detail] input[value=theirs]")).to_be_checked()
    expect(page.locator("#id_trap")).to_have_value("Mine stands.")
    assert find_draft(question.pk).trap == "Theirs stands."
    page.reload()
    expect(page.locator("#kept")).to_be_visible()
    writer.put_back()
    expect(page.locator("#id_trap")).to_have_value("Mine stands.")
    writer.saved()


def test_after_a_conflict_the_text_to_keep_is_chosen_field_by_field(
    begin: Begin, question: Question, bob: User
) -> None:
    writer = begin()
    page = writer.open(address(question))
    theirs = dataclasses.replace(draft_of(find_draft(question.pk)), trap="Theirs stands.", detail="Their detail.")
    desk.keep(question.pk, theirs, 0, bob, timezone.now())
    page.fill("#id_trap", "Mine stands.")
    page.fill("#id_principle", "My principle.")
    page.keyboard.press("Control+s")
    page.locator("[data-field=trap] input[value=mine]").check()
    page.locator("#clash-box button[value=save]").click()
    expect(page.locator("#id_detail")).to_have_value("Their detail.")
    expect(page.locator("#id_trap")).to_have_value("Mine stands.")
    row = find_draft(question.pk)
    assert (row.trap, row.detail, row.principle, row.revision) == ("Mine stands.", "Their detail.", "My principle.", 2)
    expect(page.locator("#kept")).to_be_hidden()


def test_text_survives_a_login_that_ends_while_writing(begin: Begin, question: Question) -> None:
    writer = begin()
    page = writer.open(address(question))
    expect(page.locator("#lint-panel .ed-findings")).to_be_visible()
    writer.signed_out()
    page.fill("#id_takeaway", "Typed while signed out.")
    writer.is_in("signed-out")
    page.reload()
    expect(page).to_have_url(re.compile("/accounts/login/"))
    writer.sign_in()
    writer.open(address(question))
    writer.put_back()
    expect(page.locator("#id_takeaway")).to_have_value("Typed while signed out.")
    writer.saved()
    assert find_draft(question.pk).takeaway == "Typed while signed out."


def test_signing_in_in_another_tab_saves_what_was_typed(begin: Begin, question: Question) -> None:
    writer = begin()
    page = writer.open(address(question))
    writer.signed_out()
    page.fill("#id_takeaway", "Typed before signing in again.")
    writer.is_in("signed-out")
    writer.sign_in()
    page.keyboard.press("Control+s")
    writer.saved()
    assert find_draft(question.pk).takeaway == "Typed before signing in again."


def test_text_typed_offline_is_saved_once_back_online(begin: Begin, question: Question) -> None:
    writer = begin()
    page = writer.open(address(question))
    writer.context.set_offline(True)
    page.fill("#id_takeaway", "Typed offline.")
    writer.is_in("unreachable")
    writer.context.set_offline(False)
    writer.saved()
    assert find_draft(question.pk).takeaway == "Typed offline."
    writer.said = [line for line in writer.said if "ERR_INTERNET_DISCONNECTED" not in line]


def test_a_refused_field_is_marked(begin: Begin, question: Question) -> None:
    writer = begin()
    page = writer.open(address(question))
    page.fill("#id_clues-0-phrase", "words of nowhere")
    writer.is_in("refused")
    expect(page.locator("#id_clues-0-phrase_error")).not_to_be_empty()
    expect(page.locator("[aria-invalid=true]")).to_have_id("id_clues-0-phrase")
    expect(page.locator("#lint-panel a[href*='id_clues']")).to_be_visible()
    page.fill("#id_clues-0-phrase", "plain situation")
    writer.saved()
    expect(page.locator("ul.errorlist")).to_have_count(0)


def test_checks_and_preview_follow_the_text_and_checks_link_to_their_fields(begin: Begin, question: Question) -> None:
    writer = begin()
    page = writer.open(address(question))
    frame = page.frame_locator("#preview-frame")
    page.fill("#id_options-1-text", "A wholly other option")
    expect(frame.locator("fieldset.options")).to_contain_text("A wholly other option")
    page.locator("[data-shape=session]").click()
    expect(frame.locator(".session fieldset.options")).to_contain_text("A wholly other option")
    expect(frame.locator("#solution")).to_have_count(0)
    page.locator("[data-shape=page]").click()
    frame.locator("input[name=slot]").first.check(force=True)
    frame.locator("form.ask .check").click()
    expect(frame.locator("#solution[open]")).to_have_count(1)
    page.fill("#id_options-2-why", "")
    page.locator("#lint-panel a[href='#id_options-2-why']").first.click()
    assert page.evaluate("location.hash") == "#id_options-2-why"
    expect(page.locator("#id_options-2-why")).to_be_in_viewport()
    expect(page.locator("#id_options-2-why")).to_be_focused()
    page.fill("#id_trap", "word " * 51)
    expect(page.locator(".ed-field:has(#id_trap) .ed-count")).to_have_text(re.compile(r"^51\b.*\b50\b.*\b1\b"))


def test_a_finding_opens_the_step_of_its_field_and_its_count_follows_the_text(begin: Begin, exam: Exam) -> None:
    writer = begin()
    page = writer.open(ADD)
    answer = page.locator("[data-step=answer]")
    expect(answer).not_to_have_attribute("open", "")
    expect(answer.locator("[data-lacks]")).to_have_attribute("data-lacks", "8")
    page.select_option("#id_domain", "d1")
    page.locator("#lint-panel a[href='#id_trap']").click()
    expect(page.locator("#id_trap")).to_be_focused()
    page.keyboard.type("Mind the gap.")
    expect(answer.locator("[data-lacks]")).to_have_attribute("data-lacks", "7")


def test_a_refused_field_gets_the_focus_and_its_step_opens(begin: Begin, question: Question) -> None:
    writer = begin()
    page = writer.open(address(question))
    page.locator("[data-step=clues] > summary").click()
    page.evaluate("document.getElementById('id_stem').value = 'Another stem altogether.'")
    page.keyboard.press("Control+s")
    writer.is_in("refused")
    page.locator("#save-state a").click()
    expect(page.locator("#id_clues-0-phrase")).to_be_in_viewport()


def test_review_requested_too_early_opens_what_is_missing_and_loses_nothing(begin: Begin, exam: Exam) -> None:
    writer = begin(java_script_enabled=False)
    page = writer.open(ADD)
    page.select_option("#id_domain", "d1")
    page.fill("#id_title", "Asked for too early")
    page.fill("#id_options-0-text", "The only way")
    expect(page.locator("#id_options-0-why")).to_be_hidden()
    page.locator(".ed-bar button[value=submit]").click()
    for field in ("#id_options-0-why", "#id_trap", "#id_concepts_0_0", "#id_clues-0-phrase"):
        expect(page.locator(field)).to_be_visible()
    expect(page.locator("#id_modules")).to_be_hidden()
    expect(page.locator("#id_options-0-text")).to_have_value("The only way")


def test_options_are_removed_and_restored_and_numbers_are_never_reused(begin: Begin, question: Question) -> None:
    writer = begin()
    page = writer.open(address(question))
    page.locator("[data-rows=options] [data-remove]").nth(3).click()
    writer.saved()
    assert [o.slot for o in draft_of(find_draft(question.pk)).options] == [1, 2, 3]
    page.locator(".ed-removed button").click()
    page.locator("[data-add=options]").click()
    page.keyboard.type("A fifth")
    writer.saved()
    assert [o.slot for o in draft_of(find_draft(question.pk)).options] == [1, 2, 3, 4, 5]
    expect(page.locator("#id_clues-0-confirms input")).to_have_count(5)


def test_a_question_in_review_is_not_autosaved(begin: Begin, question: Question, alice: User) -> None:
    desk.submit(question.pk, 0, alice, timezone.now())
    writer = begin()
    page = writer.open(address(question))
    page.fill("#id_trap", "Typed in review.")
    writer.is_in("held")
    page.locator(".ed-bar button[value=save]").click()
    expect(page.locator(".ed-bar button[value=submit]")).to_be_visible()
    question.refresh_from_db()
    assert (question.desk, question.trap) == (Desk.DRAFT, "Typed in review.")


def test_any_other_action_saves_what_was_typed(begin: Begin, question: Question) -> None:
    writer = begin()
    page = writer.open(address(question))
    page.fill("#id_trap", "Typed before the comment.")
    page.locator("details:has(#act-comment) > summary").click()
    page.fill("#act-comment", "See the trap.")
    page.locator("form:has(#act-comment) button").click()
    expect(page.locator("#history")).to_contain_text("See the trap.")
    expect(page.locator("#id_trap")).to_have_value("Typed before the comment.")


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_page_fits_and_logs_no_errors(
    begin: Begin, question: Question, bob: User, width: int, scheme: str
) -> None:
    publish(find_draft(question.pk), timezone.now(), Change.FIRST)
    writer = begin(bob, viewport={"width": width, "height": 900}, color_scheme=scheme)
    under = f"{LIST}{question.pk}/"
    for path in (LIST, ADD, address(question), f"{under}compare/", f"{under}preview/page/", f"{under}preview/session/"):
        page = writer.open(path)
        page.wait_for_load_state("networkidle")
        assert page.evaluate(SIDEWAYS) == 0, path
    page = writer.open(LIST)
    for action in ("set_recheck", "withdraw_all"):
        writer.open(LIST)
        page.locator("input[name=_selected_action]").first.check()
        page.select_option("select[name=action]", action)
        page.locator(".actions button[name=index]").click()
        expect(page.locator("form.ed [name=apply]")).to_be_attached()
        assert page.evaluate(SIDEWAYS) == 0, action
