"""Check the editor without script: writing a question, review, conflicting saves and permissions."""

from __future__ import annotations

import dataclasses
import datetime as dt
import re
import time

import pytest
from django.contrib.auth.models import Permission
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from questions.desk import decide as desk
from questions.desk.forms.editor import MOST_SAID
from questions.desk.publish import publish
from questions.desk.reads.editor import find_draft
from questions.models import Change, Desk, DeskAct, DeskEntry, Question, Waiver
from questions.versions.reads.drafts import draft_of
from tests.support.bank import NOW, draft, make_exam
from tests.support.editing import (
    ADD,
    EDITORS,
    JSON,
    LIST,
    LOOK,
    MODERATORS,
    act,
    address,
    browser_of,
    person,
    save,
    sent,
)
from tests.support.hooks import parsed, states, told
from tests.support.html_forms import form_of

pytestmark = pytest.mark.django_db
PAGE_STATEMENTS = 27
MOST_SECONDS = 2  # seconds for two requests, which took nine without the guard
SAVED = {"title": "A queue that grows at night", "domain": "d1"}


@pytest.fixture
def mona():
    return person("mona", MODERATORS)


@pytest.fixture
def editor(alice):
    return browser_of(alice)


@pytest.fixture
def reviewer(bob):
    return browser_of(bob)


@pytest.fixture
def question(exam, alice):
    return desk.begin(exam, draft(1), alice, NOW)


@pytest.fixture
def live(question):
    publish(question, NOW, Change.FIRST)
    return Question.objects.get(pk=question.pk)


def now_of(question):
    return find_draft(question.pk)


def text_of(response):
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", response.content.decode()))


def word_changes(page):
    shown = parsed(page)
    return [gone.text for gone in shown.select("del")], [new.text for new in shown.select("ins")]


class TestWriting:
    def test_a_question_is_written_and_submitted_for_review_on_one_page(self, exam, editor, alice):
        whole = draft(7)
        fields = sent(editor, ADD, title=whole.title, domain="d1", concepts=["c1"], stem=whole.stem)
        assert [name for name in fields if re.fullmatch(r"options-\d-text", name)] == [
            f"options-{n}-text" for n in range(4)
        ]
        for n, option in enumerate(whole.options):
            fields |= {
                f"options-{n}-text": option.text,
                f"options-{n}-tempts": option.tempts,
                f"options-{n}-why": option.why,
            }
        fields |= {"options-0-right": "on", "clues-0-phrase": whole.clues[0].phrase, "clues-0-why": "Because 7."}
        fields |= {"clues-0-confirms": ["1"], "sources-0-title": "Page", "sources-0-url": "https://source.example/page"}
        fields |= {
            name: getattr(whole, name) for name in ("quick_answer", "explanation", "principle", "trap", "detail")
        }
        fields |= {"takeaway": whole.takeaway, "example": whole.example, "recheck_after": "2027-01-01"}
        fields |= {
            "key_concepts": "\r\n".join(whole.key_concepts),
            "exam_tips": whole.exam_tips[0],
            "sources-0-as_of": "2026-11-21",
        }
        response = editor.post(ADD, {**fields, "action": "submit"})
        row = Question.objects.get()
        assert response.headers["Location"] == address(row)
        assert (row.desk, row.key, row.recheck_after) == (Desk.REVIEW, "situation-7", dt.date(2027, 1, 1))
        assert draft_of(now_of(row)) == dataclasses.replace(whole, key="situation-7")
        assert list(row.authors.all()) == [alice]

    def test_opening_and_saving_unchanged_changes_nothing(self, question, editor):
        before = draft_of(now_of(question))
        assert save(editor, address(question)).status_code == 302
        row = now_of(question)
        assert (draft_of(row), row.revision) == (before, 0)

    @pytest.mark.long("many requests")
    @pytest.mark.parametrize("field", ["stem", "explanation", "exam_tips", "options-1-why", "clues-0-why"])
    def test_slow_text_is_refused_at_its_field_and_kept_as_typed(self, question, editor, field):
        slow = "[" * 4000
        fields = {**sent(editor, address(question)), field: slow, "question": question.pk}
        began = time.thread_time()
        for answer in (editor.post(LOOK, fields), editor.post(address(question), fields, **JSON)):
            assert f"id_{field}" in answer.json()["errors"]
        assert time.thread_time() - began < MOST_SECONDS
        page = editor.post(address(question), fields)
        assert slow in page.content.decode()
        assert parsed(page).select(".errorlist")
        assert now_of(question).revision == 0

    @pytest.mark.long("many requests")
    def test_long_slots_and_junk_rows_cause_no_server_error(self, question, editor):
        fields = sent(editor, address(question))
        junk = {"options-0-slot": "9" * 5000, "options-1-slot": "x", "sources-0-url": "http://[", "was": "[" * 5000}
        junk |= {"sources-0-as_of": "2026-02-30", "sources-INITIAL_FORMS": "x", "options-0-ORDER": "9" * 5000}
        for name, value in junk.items():
            page = editor.post(address(question), {**fields, "title": "Kept as typed", name: value})
            assert page.status_code in {200, 302}, name
        page = editor.post(address(question), {**fields, **junk, "title": "Kept as typed"})
        assert page.status_code == 200
        assert "Kept as typed" in page.content.decode()

    @pytest.mark.long("many requests")
    @pytest.mark.parametrize("rows", ["options", "sources"])
    def test_rows_with_a_junk_number_are_shown_again_and_not_lost(self, question, editor, rows):
        before, page = draft_of(now_of(question)), address(question)
        fields = sent(editor, page, title="Kept as typed")
        typed = {name: value for name, value in fields.items() if name.startswith((f"{rows}-0", f"{rows}-1"))}
        shown = []
        for count in ("0", "-1", "x", "", "9" * 5000):
            spoilt = {**fields, f"{rows}-TOTAL_FORMS": count}
            assert f"id_{rows}" in editor.post(page, spoilt, **JSON).json()["errors"], count
            answer = editor.post(page, spoilt)
            assert (answer.status_code, draft_of(now_of(question))) == (200, before), count
            assert parsed(answer).select(".errorlist.nonform"), count
            shown.append(form_of(answer.content.decode(), "question-form"))
            assert typed.items() <= shown[-1].items(), count
        again, *others = [{**each, "csrfmiddlewaretoken": [""]} for each in shown]
        assert others == [again] * 4, "what is sent of each of them is the same, so one stands for all"
        assert editor.post(page, again).status_code == 302
        assert draft_of(now_of(question)) == dataclasses.replace(before, title="Kept as typed")

    def test_a_half_written_draft_is_kept(self, exam, editor):
        assert save(editor, ADD, **SAVED).status_code == 302
        row = now_of(Question.objects.get())
        assert (row.stem, draft_of(row).options, row.desk) == ("", (), Desk.DRAFT)

    @pytest.mark.parametrize(
        ("changes", "field"),
        [
            ({"domain": ""}, "domain"),
            ({"domain": "d99"}, "domain"),
            ({"concepts": ["nonsense"]}, "concepts"),
            ({"sources__0__url": "no address"}, "sources-0-url"),
            ({"sources__0__url": "javascript:alert(1)"}, "sources-0-url"),
            ({"sources__0__as_of": "yesterday"}, "sources-0-as_of"),
            ({"clues__0__phrase": "words of nowhere"}, "clues-0-phrase"),
            ({"options__1__slot": "1"}, "options-1-text"),
            ({"options__1__slot": "15"}, "options-1-slot"),
        ],
    )
    def test_invalid_input_is_refused_at_its_field_and_nothing_is_stored(self, question, editor, changes, field):
        fields = {**sent(editor, address(question), **changes), "action": "save"}
        response = editor.post(address(question), fields | {"title": "Other"}, **JSON)
        assert set(response.json()) == {"errors"}
        said = response.json()["errors"][f"id_{field}"]
        assert said
        page = editor.post(address(question), fields | {"title": "Other words typed"})
        assert set(said) <= {error.text for error in parsed(page).select(".errorlist li")}
        assert 'value="Other words typed"' in page.content.decode()
        assert now_of(question).revision == 0

    def test_options_keep_their_numbers_when_moved_removed_or_added(self, question, editor):
        save(
            editor, address(question), options__0__ORDER="3", options__2__ORDER="1", options__1__DELETE="on",
            options__4__text="A fifth", options__5__text="",
        )  # fmt: skip
        options = draft_of(now_of(question)).options
        assert [(o.slot, o.text) for o in options] == [
            (3, "Thing 3 of 1"), (1, "Thing 1 of 1"), (4, "Thing 4 of 1"), (5, "A fifth"),
        ]  # fmt: skip

    def test_a_published_option_number_is_not_reused(self, live, editor):
        save(editor, address(live), options__3__DELETE="on")
        fields = sent(editor, address(live))
        assert fields["options-3-slot"] == ["5"]

    def test_a_clues_explanation_is_suggested_from_a_different_question(self, question, exam, editor, alice):
        other = desk.begin(exam, dataclasses.replace(draft(2), stem=draft(1).stem, clues=draft(1).clues), alice, NOW)
        save(editor, address(other), clues__0__why="")
        offered = parsed(editor.get(address(other))).select("[data-offers] li")
        assert [offer.text for offer in offered] == ["Because 1."]
        look = editor.post(LOOK, {**sent(editor, address(other)), "question": other.pk})
        assert look.json()["offers"] == {"deciding words 1": ["Because 1."]}

    def test_changing_the_exam_keeps_the_input(self, exam, editor):
        other = make_exam("second")
        page = save(editor, ADD, action="show", exam="second", stem="Typed already.")
        assert "Typed already." in text_of(page)
        assert f'value="{other.slug}" selected' in page.content.decode()
        assert not Question.objects.exists()


class TestClashes:
    def test_autosave_returns_the_new_state(self, question, editor):
        first = save(editor, address(question), json=True, trap="Mind the gap.").json()
        assert (first["id"], first["base"]) == (question.pk, 1)
        fields = {**sent(editor, address(question), trap="Mind it well."), "base": first["base"], "was": first["was"]}
        assert editor.post(address(question), fields, **JSON).json()["base"] == 2

    def test_autosave_of_a_new_question_returns_its_address(self, exam, editor):
        answer = save(editor, ADD, json=True, **SAVED).json()
        assert answer["address"] == address(Question.objects.get())

    def test_a_stale_save_shows_both_texts_and_can_overwrite_the_other(self, question, editor, reviewer):
        mine = sent(editor, address(question), trap="Mine, quite other.", stem=draft(1).stem)
        save(reviewer, address(question), trap="Theirs.", detail="Their detail.")
        page = editor.post(address(question), {**mine, "action": "save"})
        assert page.status_code == 409
        words = text_of(page)
        assert "Theirs" in words
        assert "Mine, quite other." in page.content.decode()
        html = page.content.decode()
        assert "<del>Theirs</del>" in html
        assert 'name="take-detail" value="theirs" checked' in html
        assert not re.search(r'name="take-trap" value="\w+" checked', html)
        assert now_of(question).trap == "Theirs."
        again = {**mine, "base": "1", "take-trap": "mine", "take-detail": "theirs", "action": "save"}
        assert editor.post(address(question), again).status_code == 302
        row = now_of(question)
        assert (row.trap, row.detail, row.revision) == ("Mine, quite other.", "Their detail.", 2)

    def test_a_stale_autosave_gets_both_texts_too(self, question, editor, reviewer):
        mine = sent(editor, address(question), trap="Mine.")
        save(reviewer, address(question), trap="Theirs.")
        response = editor.post(address(question), mine, **JSON)
        assert response.json()["base"] == 1
        assert "saved" not in response.json()
        assert 'name="take-trap"' in response.json()["clash"]

    def test_a_second_conflict_is_refused_again(self, question, editor, reviewer):
        mine = sent(editor, address(question), trap="Mine.")
        save(reviewer, address(question), trap="Theirs.")
        save(reviewer, address(question), trap="Theirs, once more.")
        late = editor.post(address(question), {**mine, "base": "1", "take-trap": "mine", "action": "save"})
        assert late.status_code == 409
        assert now_of(question).trap == "Theirs, once more."

    def test_an_unreadable_state_counts_as_stale(self, question, editor):
        response = save(editor, address(question), base="x", was="[", trap="Mine.")
        assert response.status_code == 409


class TestChecks:
    def test_refusals_are_listed_first_and_link_to_their_fields(self, question, editor):
        save(editor, address(question), options__2__why="", sources__0__title="", sources__0__url="")
        html = editor.get(address(question)).content.decode()
        assert states(html)[-2:] == ["refused", "warned"]
        assert 'href="#id_options-2-why"' in html
        assert 'href="#id_sources"' in html
        assert 'id="id_options-2-why"' in html

    def test_every_finding_names_its_field_in_words(self, exam, editor, alice):
        """A finding doesn't name a field as code does, such as ``options[0].tempts``."""
        whole = draft(1)
        options = [
            dataclasses.replace(each, tempts="", why="", text=f"Always {each.slot // 2}") for each in whole.options
        ]
        sources = [dataclasses.replace(each, title="", url="http://x.example", as_of=None) for each in whole.sources]
        clue = dataclasses.replace(whole.clues[0], phrase="Nowhere", why="", confirms=(9,))
        text = dataclasses.replace(
            whole, options=tuple(options), sources=tuple(sources), clues=(clue,), key_concepts=("", "a" * 999),
            exam_tips=("",), quick_answer="", modules=("none",), objectives=("9.9",),
        )  # fmt: skip
        page = parsed(editor.get(address(desk.begin(exam, text, alice, NOW))))
        found = page.select("#lint p[data-rule]")
        assert len({each.a["href"] for each in found}) > 12
        for each in found:
            assert not re.search(r"[\[\]_]", each.text), each.text

    def test_unsaved_text_is_checked_without_being_stored(self, question, editor):
        fields = sent(editor, address(question), options__0__DELETE="on", options__1__ORDER="9", options__3__why="")
        answer = editor.post(LOOK, {**fields, "question": question.pk}).json()
        assert 'data-rule="option-count"' in answer["lint"]
        assert 'href="#id_options-3-why"' in answer["lint"]
        assert "Thing 3 of 1" in answer["page"]
        assert "Thing 1 of 1" not in answer["session"]
        assert now_of(question).revision == 0

    def test_the_session_preview_hides_the_answer_and_the_page_preview_shows_it(self, question, editor):
        answer = editor.post(LOOK, {**sent(editor, address(question)), "question": question.pk}).json()
        assert "zqcanary" not in answer["session"]
        assert "zqcanary quick 1" in answer["page"]
        assert '<mark class="clue">deciding words 1</mark>' in answer["page"]

    def test_a_clue_no_longer_in_the_stem_is_reported_while_typing(self, question, editor):
        fields = sent(editor, address(question), stem="Another stem altogether.")
        answer = editor.post(LOOK, {**fields, "question": question.pk}).json()
        assert 'href="#id_clues-0-phrase"' in answer["lint"]
        assert 'data-rule="clue"' in answer["lint"]

    def test_input_that_cannot_be_read_is_not_checked(self, question, editor):
        fields = sent(editor, address(question), sources__0__as_of="soon")
        assert set(editor.post(LOOK, {**fields, "question": question.pk}).json()) == {"errors"}

    def test_a_blank_question_can_be_previewed(self, exam, editor):
        answer = editor.post(LOOK, sent(editor, ADD, domain="d1"))
        assert answer.status_code == 200
        assert 'data-rule="missing"' in answer.json()["lint"]

    def test_a_draft_lint_refuses_is_saved_but_not_submitted(self, question, editor):
        page = editor.post(
            address(question), {**sent(editor, address(question), options__0__why=""), "action": "submit"}, follow=True
        )
        assert told(page) == ["not-publishable"]
        row = now_of(question)
        assert (row.desk, row.revision) == (Desk.DRAFT, 1)

    def test_a_waiver_is_folded_with_reason_and_name_until_the_text_changes(self, question, editor):
        page = parsed(act(editor, question, "waive", rule="stem-short", field="stem", text="Short on purpose."))
        [waived] = page.select("[data-state=waived] li")
        assert all(part in waived.text for part in ("Short on purpose.", "Alice"))
        save(editor, address(question), stem=draft(1).stem + " And more.")
        assert "waived" not in states(editor.get(address(question)))

    @pytest.mark.parametrize(
        ("rule", "field", "code"),
        [("missing", "options[0].why", "not-a-warning"), ("stem-short", "trap", "no-such-warning")],
    )
    def test_only_a_current_warning_can_be_waived(self, question, editor, rule, field, code):
        save(editor, address(question), options__0__why="")
        assert told(act(editor, question, "waive", rule=rule, field=field, text="Please."))[-1] == code
        assert not Waiver.objects.exists()


class TestWorkflow:
    def test_a_review_by_another_person_publishes(self, question, editor, reviewer):
        save(editor, address(question), action="submit")
        assert 'id="act-send_back"' in reviewer.get(address(question)).text
        page = parsed(act(reviewer, question, "send_back", text="The trap is thin."))
        sent_back = page.select_one("[data-state=sent-back]").text
        assert all(part in sent_back for part in ("Bob", "The trap is thin."))
        save(editor, address(question), action="submit", trap="Thicker.")
        act(reviewer, question, "publish", change="first", text="New.")
        question.refresh_from_db()
        assert (question.live_version.number, question.desk) == (1, Desk.NOTHING)
        acts = DeskEntry.objects.filter(question=question).order_by("id").values_list("act", flat=True)
        assert list(acts) == [DeskAct.BEGUN, DeskAct.SUBMITTED, DeskAct.SENT_BACK, DeskAct.SUBMITTED, DeskAct.PUBLISHED]

    def test_saving_takes_a_draft_out_of_review(self, question, editor):
        save(editor, address(question), action="submit")
        assert parsed(editor.get(address(question))).select("form[data-review] button[value=save]")
        save(editor, address(question), trap="Other.")
        assert now_of(question).desk == Desk.DRAFT

    def test_the_page_tells_an_author_that_somebody_else_must_publish(self, question, reviewer):
        save(reviewer, address(question), action="submit", trap="By Bob.")
        page = reviewer.get(address(question))
        assert "not-yours" in states(page)
        assert 'name="change"' not in page.text
        assert told(act(reviewer, question, "publish", change="first"))[-1] == "own-draft"
        question.refresh_from_db()
        assert question.live_version is None

    @pytest.mark.parametrize(
        ("words", "code"),
        [("Nul \x00 in it.", "null_characters_not_allowed"), ("x" * (MOST_SAID + 1), "max_length")],
    )
    @pytest.mark.parametrize("name", ["comment", "waive", "publish"])
    def test_text_that_cannot_be_stored_is_refused_and_shown_again(self, question, reviewer, name, words, code):
        before = DeskEntry.objects.count()
        page = act(reviewer, question, name, text=words, rule="stem-short", field="stem", change="first")
        assert told(page) == [code]
        assert words in parsed(page).select_one(".messagelist").text
        assert DeskEntry.objects.count() == before
        assert not Waiver.objects.exists()

    def test_a_refused_action_shows_the_text_again(self, question, reviewer):
        page = act(reviewer, question, "send_back", text="All of it.")
        assert told(page) == ["other-state"]
        assert "All of it." in parsed(page).select_one(".messagelist").text

    def test_an_action_on_an_older_state_is_refused(self, question, editor, reviewer):
        save(editor, address(question), action="submit", trap="Other.")
        page = act(reviewer, question, "publish", change="first", base=0)
        assert told(page)[-1] == "older-revision"

    def test_a_question_is_withdrawn_put_back_and_retired(self, live, editor, reviewer):
        assert told(act(editor, live, "withdraw", text="The key is doubted."))[-1] == "withdraw"
        assert "withdrawn" in states(editor.get(address(live)))
        act(editor, live, "put_back")
        live.refresh_from_db()
        assert live.withdrawn_at is None
        assert "retired" in states(act(reviewer, live, "retire", text="Gone."))

    def test_a_changed_key_is_declared_when_published_and_its_impact_is_linked(self, live, editor, reviewer):
        first = live.live_version
        save(editor, address(live), action="submit", options__0__right=None, options__1__right="on")
        page = reviewer.get(address(live)).content.decode()
        assert f"/admin/practice/regrade/version/{first.pk}/impact/?slot=2" in page
        assert 'name="change" value="key" checked' in page
        assert 'name="change" value="typo"' not in page
        assert told(act(reviewer, live, "publish", change="none"))[-1] == "no-kind-of-change"
        act(reviewer, live, "publish", change="key", text="The price list changed.")
        live.refresh_from_db()
        assert live.live_version.change == Change.KEY

    def test_versions_are_compared_word_by_word_and_restored(self, live, editor, reviewer):
        save(editor, address(live), trap="zqcanary snare 1")
        page = editor.get(address(live)).content.decode()
        assert word_changes(page) == (["trap "], ["snare "])
        compare = editor.get(f"/admin/questions/question/{live.pk}/compare/?old=1&new=desk").content.decode()
        assert word_changes(compare) == (["trap "], ["snare "])
        act(editor, live, "restore", version="1")
        assert now_of(live).trap == draft(1).trap
        act(editor, live, "discard")
        live.refresh_from_db()
        assert live.desk == Desk.NOTHING

    @pytest.mark.parametrize("names", ["old=9&new=desk", "old=1&new=x", "old=1&new=99999"])
    def test_a_version_that_does_not_exist_is_not_compared(self, live, editor, names):
        assert editor.get(f"/admin/questions/question/{live.pk}/compare/?{names}").status_code == 404

    def test_deleting_an_unpublished_draft_returns_to_the_list(self, question, editor):
        assert (
            reverse("admin:questions_question_act", args=[question.pk, "discard"]) in editor.get(address(question)).text
        )
        response = act(editor, question, "discard")
        assert response.redirect_chain == [(LIST, 302)]
        assert not Question.objects.exists()


class TestRights:
    PLACES = [
        LIST, ADD, "/admin/questions/question/{}/change/", "/admin/questions/question/{}/compare/",
        "/admin/questions/question/{}/history/", "/admin/questions/question/{}/preview/page/",
        "/admin/questions/question/preview/page/",
    ]  # fmt: skip

    @pytest.mark.parametrize("place", PLACES)
    def test_a_moderator_cannot_open_the_editor(self, live, mona, place):
        assert browser_of(mona).get(place.format(live.pk)).status_code == 403

    @pytest.mark.parametrize("place", PLACES)
    def test_a_learner_and_a_stranger_are_sent_to_sign_in(self, live, mona, place):
        type(mona).objects.filter(pk=mona.pk).update(is_staff=False)
        for client in (Client(), browser_of(mona)):
            assert client.get(place.format(live.pk)).status_code == 302

    def test_forged_posts_by_a_moderator_change_nothing(self, question, mona, editor):
        fields = sent(editor, address(question), trap="Forged.")
        client = browser_of(mona)
        posts = {address(question): fields, ADD: sent(editor, ADD, **SAVED), LOOK: fields}
        posts |= {
            f"/admin/questions/question/{question.pk}/act/{name}/": {"base": 0, "text": "x", "change": "first"}
            for name in (
                "comment",
                "publish",
                "withdraw",
                "retire",
                "discard",
                "waive",
                "send_back",
                "restore",
                "put_back",
            )
        }
        assert {client.post(url, data).status_code for url, data in posts.items()} == {403}
        assert (Question.objects.count(), DeskEntry.objects.count(), now_of(question).revision) == (1, 1, 0)

    @pytest.mark.parametrize("name", ["publish", "send_back", "retire"])
    def test_an_editor_cannot_act_as_a_reviewer(self, question, alice, editor, exam, name):
        carol = browser_of(person("carol", EDITORS))
        desk.submit(question.pk, 0, alice, NOW)
        assert act(carol, question, name, change="first", text="x").status_code == 403
        assert now_of(question).desk == Desk.REVIEW

    def test_the_right_to_publish_alone_does_not_open_the_desk(self, question, mona):
        mona.user_permissions.add(Permission.objects.get(codename="publish_question"))
        assert act(browser_of(mona), question, "publish", change="first").status_code == 403

    def test_a_forged_post_without_the_token_is_refused(self, question, alice):
        strict = Client(enforce_csrf_checks=True)
        strict.force_login(alice)
        fields = sent(strict, address(question), trap="Forged.", csrfmiddlewaretoken="x" * 32)
        del strict.cookies["csrftoken"]
        assert strict.post(address(question), fields).status_code == 403

    def test_nobody_can_delete_a_question(self, question, bob):
        bob.is_superuser = True
        bob.save()
        assert browser_of(bob).get(f"/admin/questions/question/{question.pk}/delete/").status_code == 403
        actions = browser_of(bob).get(LIST).context["action_form"].fields["action"].choices
        assert "delete_selected" not in dict(actions)

    def test_an_action_cannot_be_taken_by_get(self, question, editor):
        assert editor.get(f"/admin/questions/question/{question.pk}/act/comment/").status_code == 405


class TestFrame:
    def test_only_the_preview_may_be_framed_and_only_by_us(self, live, editor):
        page, framed = editor.get(address(live)), editor.get(f"/admin/questions/question/{live.pk}/preview/session/")
        assert (page.headers["X-Frame-Options"], framed.headers["X-Frame-Options"]) == ("DENY", "SAMEORIGIN")
        policies = [response.headers["Content-Security-Policy"] for response in (page, framed)]
        assert "frame-src 'self'" in policies[0]
        assert "frame-ancestors 'none'" in policies[0]
        assert "frame-ancestors 'self'" in policies[1]
        assert "form-action 'none'" in policies[1]
        assert all(policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'") for policy in policies)


def test_the_statement_count_of_the_page_does_not_grow_with_the_history(live, exam, editor, reviewer, alice, bob):
    editor.get(address(live))

    def statements():
        with CaptureQueriesContext(connection) as queries:
            assert editor.get(address(live)).status_code == 200
        return len(queries)

    short = statements()
    for n in range(2):
        save(editor, address(live), action="submit", trap=f"Trap {n}.")
        act(reviewer, live, "publish", change="typo", text=f"Note {n}.")
        act(editor, live, "comment", text="Fine.")
    assert statements() == short == PAGE_STATEMENTS
