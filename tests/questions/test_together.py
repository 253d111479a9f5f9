"""One person proposes a change to several questions; another applies it to all or none of them, families whole."""

from __future__ import annotations

import dataclasses
import datetime as dt

import pytest
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.test import Client
from django.urls import reverse

from questions.desk import decide as desk
from questions.desk.errors import Older
from questions.desk.many import drafts, families
from questions.desk.many.change import Proposal, apply, decline, propose
from questions.desk.many.reads import preview, preview_of, questions_for, with_families
from questions.desk.many.rules import FIELDS, Facts, Replacement, Withdrawal, recipe_of, stored
from questions.desk.publish import Publishing, publish
from questions.models import BulkChange, Change, ChangeState, Desk, DeskAct, DeskEntry, Family, Question
from questions.versions.errors import NotNow
from questions.versions.reads.drafts import draft_of
from questions.versions.rules.family import shared_of
from questions.versions.save import save_draft
from tests.support.bank import NOW, add_outline, draft, make_exam
from tests.support.basics import basic, publish_basic
from tests.support.editing import LIST, act, browser_of
from tests.support.hooks import codes, parsed, told
from tests.support.html_forms import form_of
from tests.support.pictures import publish_illustrated
from tests.support.variants import variants

pytestmark = [pytest.mark.long("many requests"), pytest.mark.django_db]
LATER = NOW + dt.timedelta(hours=1)
REPLACE = reverse("admin:questions_question_replace")


@pytest.fixture
def live(exam, alice):
    """Return three live questions without drafts at the desk."""
    for n in (1, 2, 3):
        publish(desk.begin(exam, draft(n), alice, NOW), NOW, Change.FIRST)
    Question.objects.update(desk=Desk.NOTHING)
    return list(Question.objects.order_by("pk"))


def ids(rows):
    return [row.pk for row in rows]


def bases_of(rows):
    return {row.pk: row.revision for row in rows}


def fresh(row):
    return Question.objects.select_related("live_version").get(pk=row.pk)


def put_up(recipe, rows, by, change=Change.TYPO, why="The guide was revised."):
    seen = preview(questions_for(recipe, ids(rows)), recipe).seen
    return propose(Proposal(recipe, change, why), ids(rows), seen, by, NOW)


def go(change, by):
    return apply(change.pk, preview_of(change).seen, by, LATER)


class TestFacts:
    FACTS = Facts(
        domain="d2", difficulty="hard", add_concepts=("c2",), drop_concepts=("c1",), as_of=dt.date(2026, 11, 25)
    )

    def test_a_change_waits_for_review_and_is_applied_to_all_together(self, live, alice, bob):
        change = put_up(self.FACTS, live, alice)
        assert {fresh(row).difficulty for row in live} == {"medium"}
        go(change, bob)
        for row in map(fresh, live):
            text = draft_of(row)
            assert (text.domain, text.difficulty, text.concepts) == ("d2", "hard", ("c2",))
            assert {source.as_of for source in text.sources} == {dt.date(2026, 11, 25)}
            assert (row.desk, row.revision) == (Desk.NOTHING, 1)
            version = row.live_version
            assert (version.number, version.domain.key, version.change) == (2, "d2", Change.TYPO)
            assert (version.published_by, version.measured_as.number) == (bob, 1)
            acts = list(DeskEntry.objects.filter(question=row).order_by("id").values_list("act", "by"))
            assert acts[-2:] == [(DeskAct.CHANGED, alice.pk), (DeskAct.PUBLISHED, bob.pk)]
        change.refresh_from_db()
        assert (change.state, change.decided_by) == (ChangeState.APPLIED, bob)

    def test_nobody_can_apply_their_own_proposal(self, live, bob, settings):
        change = put_up(self.FACTS, live, bob)
        with pytest.raises(NotNow) as refused:
            go(change, bob)
        assert refused.value.code == "own-change"
        assert fresh(live[0]).difficulty == "medium"
        settings.PUBLISH_OWN_QUESTIONS = True
        go(change, bob)
        assert fresh(live[0]).difficulty == "hard"

    def test_an_edit_since_the_diff_was_shown_stops_the_whole_change(self, live, alice, bob):
        change = put_up(self.FACTS, live, alice)
        seen = preview_of(change).seen
        desk.keep(live[2].pk, dataclasses.replace(draft_of(live[2]), trap="Other."), 0, alice, NOW)
        with pytest.raises(NotNow) as refused:
            apply(change.pk, seen, bob, LATER)
        assert refused.value.code == "changed-meanwhile"
        assert {fresh(row).difficulty for row in live} == {"medium"}
        go(change, bob)
        assert {fresh(row).difficulty for row in live} == {"hard"}

    def test_a_draft_stays_a_draft_and_its_live_version_stays_live(self, live, alice, bob):
        desk.keep(live[0].pk, dataclasses.replace(draft_of(live[0]), trap="Half"), 0, bob, NOW)
        go(put_up(self.FACTS, live, alice), bob)
        row = fresh(live[0])
        assert (row.desk, row.difficulty, row.revision, row.live_version.number) == (Desk.DRAFT, "hard", 2, 1)
        assert set(row.authors.all()) == {alice, bob}

    def test_a_change_refused_for_one_question_changes_none(self, live, alice):
        with pytest.raises(NotNow) as refused:
            put_up(Facts(add_concepts=("unheard-of",)), live, alice)
        assert refused.value.code == "checks-refuse"
        assert not BulkChange.objects.exists()

    def test_a_change_is_not_applied_if_lint_refuses_it_by_then(self, live, alice, bob):
        change = put_up(Facts(domain="d2"), live, alice)
        live[1].sources.all().delete()
        with pytest.raises(NotNow) as refused:
            go(change, bob)
        assert refused.value.code == "checks-refuse"
        assert {fresh(row).domain.key for row in live} == {"d1"}

    @pytest.mark.parametrize(
        ("recipe", "why", "code"),
        [
            (Facts(difficulty="medium"), "Because.", "nothing-changes"),
            (Facts(difficulty="hard"), " ", "no-reason-to-change"),
        ],
    )
    def test_an_empty_change_or_one_without_a_reason_is_refused(self, live, alice, recipe, why, code):
        with pytest.raises(NotNow) as refused:
            put_up(recipe, live, alice, why=why)
        assert refused.value.code == code

    def test_a_basic_question_is_checked_as_one_and_stays_basic(self, exam, live, alice, bob):
        (version,) = publish_basic(exam, basic(7))
        go(put_up(Facts(difficulty="hard"), [version.question, live[0]], alice), bob)
        rows = fresh(version.question), fresh(live[0])
        assert [(row.difficulty, row.live_version.number, row.live_version.is_basic) for row in rows] == [
            ("hard", 2, True), ("hard", 2, False),
        ]  # fmt: skip
        with pytest.raises(NotNow) as refused:
            put_up(Facts(pool="reserved"), [version.question], alice)
        assert refused.value.code == "checks-refuse"

    def test_a_basic_draft_in_review_is_checked_as_one(self, exam, alice, bob):
        row = desk.begin(exam, basic(7), alice, NOW)
        desk.submit(row.pk, 0, alice, NOW, basic=True)
        go(put_up(Facts(difficulty="hard"), [row], alice), bob)
        assert (fresh(row).difficulty, fresh(row).desk) == ("hard", Desk.REVIEW)

    def test_a_question_with_pictures_is_changed_like_any_other(self, exam, alice, bob):
        version, prompt, _ = publish_illustrated(exam, 7)
        go(put_up(Facts(difficulty="hard"), [version.question], alice), bob)
        row = fresh(version.question)
        assert (row.difficulty, row.live_version.number, prompt in row.stem) == ("hard", 2, True)

    def test_words_that_name_a_picture_are_not_replaced_by_others(self, exam, alice):
        version, prompt, _ = publish_illustrated(exam, 7)
        with pytest.raises(NotNow) as refused:
            put_up(Replacement(prompt[:8], "0" * 8), [version.question], alice)
        assert refused.value.code == "checks-refuse"

    def test_changing_the_pool_of_several_questions_keeps_their_public_numbers(self, live, alice, bob):
        numbers = [fresh(row).number for row in live]
        page = Client().get(live[0].get_absolute_url())
        assert page.status_code == 200
        go(put_up(Facts(pool="reserved"), live[:2], alice), bob)
        rows = [fresh(row) for row in live]
        assert [(row.pool, row.live_version.pool, row.live_version.number) for row in rows] == [
            ("reserved", "reserved", 2), ("reserved", "reserved", 2), ("open", "open", 1),
        ]  # fmt: skip
        assert [row.number for row in rows] == numbers
        assert [Client().get(row.get_absolute_url()).status_code for row in live] == [404, 404, 200]
        go(put_up(Facts(pool="open"), live[:1], alice), bob)
        assert Client().get(live[0].get_absolute_url()).status_code == 200

    def test_retired_questions_are_left_alone(self, live, alice, bob):
        change = put_up(self.FACTS, live, alice)
        desk.retire(live[0].pk, bob, NOW, "The product is gone.")
        go(change, bob)
        assert [fresh(row).difficulty for row in live] == ["medium", "hard", "hard"]

    def test_a_change_is_declined_with_a_reason_or_cancelled_by_its_author(self, live, alice, bob):
        one, two = put_up(self.FACTS, live, alice), put_up(self.FACTS, live[:1], alice)
        with pytest.raises(NotNow) as refused:
            decline(one.pk, bob, LATER, " ")
        assert refused.value.code == "no-reason-to-decline"
        assert decline(one.pk, bob, LATER, "Not yet.").state == ChangeState.DECLINED
        assert decline(two.pk, alice, LATER, "").state == ChangeState.WITHDRAWN
        with pytest.raises(NotNow) as refused:
            go(one, bob)
        assert refused.value.code == "change-decided"


class TestWithdrawal:
    def test_several_questions_are_withdrawn_together_by_another_person_and_keep_their_texts(self, live, alice, bob):
        change = put_up(Withdrawal(), live[:2], alice, why="The price list changed.")
        assert {fresh(row).withdrawn_at for row in live} == {None}
        go(change, bob)
        assert [fresh(row).withdrawn_at for row in live] == [LATER, LATER, None]
        assert {(fresh(row).live_version.number, fresh(row).revision) for row in live} == {(1, 0)}
        entries = DeskEntry.objects.filter(question=live[0]).order_by("id").values_list("act", "by", "text")
        assert list(entries)[-2:] == [
            (DeskAct.CHANGED, alice.pk, "The price list changed."),
            (DeskAct.WITHDRAWN, bob.pk, "The price list changed."),
        ]

    def test_a_question_withdrawn_in_the_meantime_requires_a_new_preview(self, live, alice, bob):
        change = put_up(Withdrawal(), live, alice)
        seen = preview_of(change).seen
        desk.withdraw(live[0].pk, alice, NOW, "At once.")
        with pytest.raises(NotNow) as refused:
            apply(change.pk, seen, bob, LATER)
        assert refused.value.code == "changed-meanwhile"
        go(change, bob)
        assert [fresh(row).withdrawn_at for row in live] == [NOW, LATER, LATER]

    def test_drafts_and_withdrawn_questions_cannot_be_withdrawn(self, live, exam, alice):
        desk.withdraw(live[0].pk, alice, NOW, "At once.")
        with pytest.raises(NotNow) as refused:
            put_up(Withdrawal(), [live[0], desk.begin(exam, draft(9), alice, NOW)], alice)
        assert refused.value.code == "nothing-changes"

    def test_questions_selected_in_the_list_can_be_withdrawn_and_put_back_together(self, live, alice, bob):
        editor, reviewer = browser_of(alice), browser_of(bob)
        chosen = {ACTION_CHECKBOX_NAME: ids(live), "apply": "1", "reason": "Doubtful.", "propose": "1"}
        page = editor.post(LIST, {"action": "withdraw_all", **chosen}, follow=True)
        assert told(page) == ["proposed"]
        address = page.redirect_chain[-1][0]
        page = reviewer.get(address)
        lines = {line["data-question"]: line for line in parsed(page).select("[data-question]")}
        assert set(lines) == {str(row.pk) for row in live}
        for row in live:
            assert row.title in lines[str(row.pk)].summary.text
            states = lines[str(row.pk)].select("[data-to=withdrawn]")
            assert [(each["data-from"], bool(each.text.strip())) for each in states] == [("live", True)]
            assert not lines[str(row.pk)].select("ins, del")
        fields = form_of(page.content.decode(), "decision-form")
        reviewer.post(address, {**fields, "decision": "apply"})
        assert None not in {fresh(row).withdrawn_at for row in live}
        editor.post(LIST, {"action": "put_back_all", ACTION_CHECKBOX_NAME: ids(live)})
        assert {fresh(row).withdrawn_at for row in live} == {None}


class TestReplacement:
    def test_words_are_replaced_everywhere_they_occur_and_nowhere_else(self, live, alice, bob):
        recipe = Replacement("Thing", "Widget")
        go(put_up(recipe, live, alice), bob)
        row = fresh(live[0])
        assert [option.text for option in row.options.all()] == [f"Widget {n} of 1" for n in (1, 2, 3, 4)]
        assert "Thing" in live[0].live_version.options[0]["text"]
        was = live[0].live_version.options[0]["text"]
        assert row.live_version.options[0]["text"] == was.replace("Thing", "Widget") != was

    def test_a_phrase_of_the_stem_changes_with_its_clue(self, live, alice, bob):
        go(put_up(Replacement("deciding words", "telling words"), live, alice), bob)
        text = draft_of(fresh(live[1]))
        phrase = draft(2).clues[0].phrase.replace("deciding", "telling")
        assert (text.clues[0].phrase, phrase in text.stem) == (phrase, True)

    def test_a_clue_left_without_its_phrase_is_refused(self, live, alice):
        with pytest.raises(NotNow) as refused:
            put_up(Replacement("deciding words", "telling words", fields=("stem",)), live, alice)
        assert refused.value.code == "checks-refuse"

    @pytest.mark.parametrize(
        ("recipe", "text", "changed"),
        [
            (Replacement("ai", "ML"), "ai again", "ML agMLn"),
            (Replacement("ai", "ML", whole_words=True), "again ai.", "again ML."),
            (Replacement("ai", "ML", match_case=False, whole_words=True), "AI Ai", "ML ML"),
            (Replacement("C++", "C", whole_words=True), "C++ and C++x", "C and C++x"),
            (Replacement(".*", r"\1\g<0>"), "a.*b", r"a\1\g<0>b"),
        ],
    )
    def test_replacement_follows_case_and_whole_words_as_chosen(self, recipe, text, changed):
        assert recipe.text(text) == changed

    @pytest.mark.parametrize(
        "recipe", [Replacement("a", "b", FIELDS[:2], False, True), Facts(as_of=dt.date(2026, 1, 2)), Withdrawal()]
    )
    def test_a_stored_change_is_read_back_as_stored(self, recipe):
        assert recipe_of(stored(recipe)) == recipe


class TestFamilies:
    @pytest.fixture
    def family(self, live, alice):
        row = live[0]
        variant = families.NewVariant("Other", "other words")
        families.add_to_lone(row.pk, 0, "lamps", "deciding words 1", variant, alice, NOW)
        return list(Question.objects.filter(family__key="lamps").order_by("place"))

    def test_siblings_are_changed_together_even_if_only_one_was_chosen(self, family, alice, bob):
        go(put_up(Facts(domain="d3"), family[:1], alice), bob)
        rows = list(with_families(ids(family)))
        assert {row.domain.key for row in rows} == {"d3"}
        assert len({shared_of(draft_of(row)) for row in rows}) == 1
        assert {row.revision for row in rows} == {2}

    def test_words_are_replaced_in_the_shared_stem_and_in_clauses(self, family, alice, bob):
        go(put_up(Replacement("words", "terms"), family[1:], alice), bob)
        rows = list(with_families(ids(family)))
        assert all("terms" in row.clause and "words" not in row.clause for row in rows)
        assert all(row.clause in row.stem for row in rows)
        assert len({shared_of(draft_of(row)).stem for row in rows}) == 1
        assert "{clause}" in Family.objects.get().stem


class TestDrafts:
    def test_a_copy_is_a_separate_draft_with_all_of_the_text(self, live, alice):
        copy = drafts.copy_question(live[0].pk, alice, LATER)
        text, was = draft_of(Question.objects.get(pk=copy.pk)), draft_of(live[0])
        assert dataclasses.replace(text, key=was.key) == was
        assert (copy.desk, copy.live_version, copy.number, list(copy.authors.all())) == (
            Desk.DRAFT,
            None,
            None,
            [alice],
        )
        assert DeskEntry.objects.get(question=copy).act == DeskAct.COPIED

    def test_the_button_redirects_to_the_copy(self, live, alice):
        page = act(browser_of(alice), live[0], "copy")
        assert page.redirect_chain[0][0] == reverse("admin:questions_question_change", args=[live[2].pk + 1])
        assert told(page) == ["copy"]

    def test_either_all_chosen_unpublished_drafts_are_deleted_or_none(self, live, exam, alice):
        new = [desk.begin(exam, draft(n), alice, NOW) for n in (10, 11)]
        with pytest.raises(NotNow) as refused:
            drafts.delete_drafts(bases_of([*new, live[0]]))
        assert refused.value.code == "draft-published"
        with pytest.raises(Older):
            drafts.delete_drafts({**bases_of(new), new[1].pk: 7})
        assert Question.objects.filter(pk__in=ids(new)).count() == 2
        assert drafts.delete_drafts(bases_of(new)) == 2
        assert not Question.objects.filter(pk__in=ids(new)).exists()

    def test_drafts_in_review_are_not_deleted(self, exam, alice):
        row = desk.begin(exam, draft(10), alice, NOW)
        desk.submit(row.pk, 0, alice, NOW)
        with pytest.raises(NotNow) as refused:
            drafts.delete_drafts({row.pk: 0})
        assert refused.value.code == "draft-in-review"

    def test_deleting_all_of_a_family_deletes_its_row_and_deleting_a_part_leaves_the_rest(self, exam, alice):
        base = desk.begin(exam, draft(10), alice, NOW)
        for clause in ("other words", "third words"):
            row = Question.objects.get(pk=base.pk)
            variant = families.NewVariant(clause, clause)
            if row.family_id:
                families.add_variant(row.family_id, row.revision, variant, alice, NOW)
            else:
                families.add_to_lone(row.pk, row.revision, "lamps", "deciding words 10", variant, alice, NOW)
        rows = list(Question.objects.order_by("place"))
        drafts.delete_drafts(bases_of(rows[2:]))
        assert [(row.clause, row.revision) for row in Question.objects.order_by("place")] == [
            ("deciding words 10", 3), ("other words", 3),
        ]  # fmt: skip
        drafts.delete_drafts(bases_of(Question.objects.all()))
        assert not Family.objects.exists()

    def test_drafts_are_published_together_or_not_at_all(self, exam, live, alice, bob):
        new = desk.begin(exam, draft(10), alice, NOW)
        desk.keep(live[0].pk, dataclasses.replace(draft_of(live[0]), trap="Other."), 0, alice, NOW)
        own = desk.begin(exam, draft(11), bob, NOW)
        for row in (new, live[0], own):
            desk.submit(row.pk, fresh(row).revision, alice, NOW)
        bases = {row.pk: fresh(row).revision for row in (new, live[0], own)}
        with pytest.raises(NotNow) as refused:
            drafts.release_together(bases, Publishing(Change.TYPO), bob, LATER)
        assert refused.value.code == "own-draft"
        assert fresh(new).live_version is None
        del bases[own.pk]
        done = drafts.release_together(bases, Publishing(Change.TYPO, "Sharper."), bob, LATER)
        assert [(v.question_id, v.number, v.change) for v in done] == [
            (live[0].pk, 2, Change.TYPO), (new.pk, 1, Change.FIRST),
        ]  # fmt: skip


class TestPages:
    def run(self, client, action, rows, **fields):
        return client.post(LIST, {"action": action, ACTION_CHECKBOX_NAME: ids(rows), **fields})

    def test_a_change_goes_from_the_list_through_diff_and_review_to_every_question_chosen(self, live, exam, alice, bob):
        add_outline(exam)
        editor, reviewer = browser_of(alice), browser_of(bob)
        assert codes(self.run(editor, "edit_all", live, apply="1", why="So.").context["form"]) == {
            "__all__": ["nothing"]
        }
        page = self.run(editor, "edit_all", live, apply="1", difficulty="hard", add_objectives="2.1.a, 2.1", why="So.")
        shown = parsed(page)
        assert [each["data-changed"] for each in shown.select("[data-changed]")] == ["3"]
        assert {ins.text.strip() for ins in shown.select("ins")} == {"hard", "2.1.a\n2.1"}
        assert not BulkChange.objects.exists()
        fields = {**form_of(page.content.decode(), "together-form"), "step": "send"}
        sent = editor.post(LIST, fields, follow=True)
        change = BulkChange.objects.get()
        address = reverse("admin:questions_question_change_together", args=[change.pk])
        assert sent.redirect_chain[-1][0] == address
        assert editor.post(address, {"decision": "apply", "seen": preview_of(change).seen}).status_code == 403
        page = reviewer.get(address)
        fields = form_of(page.content.decode(), "decision-form")
        done = reviewer.post(address, {**fields, "decision": "apply"}, follow=True)
        assert parsed(done).select_one("[data-change]")["data-change"] == "applied"
        assert {fresh(row).live_version.number for row in live} == {2}

    def test_every_field_of_the_form_is_stored_in_every_question_chosen(self, exam, alice, bob):
        add_outline(exam)
        for n in (1, 2):
            publish(
                desk.begin(exam, dataclasses.replace(draft(n), objectives=("1.1.a",)), alice, NOW), NOW, Change.FIRST
            )
        Question.objects.update(desk=Desk.NOTHING)
        rows = list(Question.objects.order_by("pk"))
        editor, reviewer = browser_of(alice), browser_of(bob)
        chosen = {"domain": "d2", "difficulty": "hard", "pool": "reserved", "add_concepts": "c2", "drop_concepts": "c1",
                  "add_objectives": "2.1.b, 2.1", "drop_objectives": "1.1.a", "as_of": "2026-11-25",
                  "why": "The guide was revised."}  # fmt: skip
        page = self.run(editor, "edit_all", rows, apply="1", **chosen)
        assert set(page.context["form"].fields) == set(chosen)
        editor.post(LIST, {**form_of(page.content.decode(), "together-form"), "step": "send"})
        address = reverse("admin:questions_question_change_together", args=[BulkChange.objects.get().pk])
        fields = form_of(reviewer.get(address).content.decode(), "decision-form")
        reviewer.post(address, {**fields, "decision": "apply"})
        for row in map(fresh, rows):
            assert (row.domain.key, row.difficulty, row.pool) == ("d2", "hard", "reserved")
            assert (row.objectives, [each.key for each in row.concepts.all()]) == (["2.1.b", "2.1"], ["c2"])
            assert [source.as_of for source in row.sources.all()] == [dt.date(2026, 11, 25)]
            version = row.live_version
            assert (version.number, version.domain.key, version.difficulty, version.pool) == (
                2,
                "d2",
                "hard",
                "reserved",
            )
            assert [each.key for each in version.concepts.all()] == ["c2"]

    def test_find_and_replace_shows_what_it_would_do_and_keeps_the_input(self, live, exam, alice):
        editor = browser_of(alice)
        fields = {"exam": exam.slug, "find": "Thing", "to": "Widget", "match_case": "on", "fields_": list(FIELDS),
                  "change": "typo"}  # fmt: skip
        page = editor.post(REPLACE, fields)
        assert codes(page.context["form"]) == {"why": ["required"]}
        assert 'value="Widget"' in page.content.decode()
        page = editor.post(REPLACE, {**fields, "why": "It was renamed."})
        shown = parsed(page)
        assert [each["data-changed"] for each in shown.select("[data-changed]")] == ["3"]
        sent = {**form_of(page.content.decode(), "together-form"), "step": "send"}
        desk.keep(live[0].pk, dataclasses.replace(draft_of(live[0]), trap="Other."), 0, alice, NOW)
        assert codes(editor.post(REPLACE, sent).context["form"]) == {"__all__": ["changed-meanwhile"]}
        sent["seen"] = editor.post(REPLACE, sent).context["preview"].seen
        editor.post(REPLACE, sent)
        assert BulkChange.objects.get().questions.count() == 3

    def test_one_change_cannot_span_two_exams(self, live, alice):
        other = make_exam("ace")
        row = desk.begin(other, draft(1), alice, NOW)
        page = browser_of(alice).post(
            LIST, {"action": "edit_all", ACTION_CHECKBOX_NAME: ids([live[0], row])}, follow=True
        )
        assert told(page) == ["several-exams"]

    def test_publishing_and_deleting_ask_for_confirmation(self, exam, alice, bob):
        rows = [desk.begin(exam, draft(n), alice, NOW) for n in (1, 2, 3)]
        desk.submit(rows[0].pk, 0, alice, NOW)
        reviewer = browser_of(bob)
        page = self.run(reviewer, "publish_all", rows[:1])
        fields = form_of(page.content.decode(), "together-form")
        assert fresh(rows[0]).live_version is None
        told_then = told(reviewer.post(LIST, {**fields, "change": "semantic"}, follow=True))
        assert (told_then, fresh(rows[0]).live_version.number) == (["published"], 1)
        page = self.run(reviewer, "delete_all", rows[1:])
        assert Question.objects.count() == 3
        reviewer.post(LIST, form_of(page.content.decode(), "together-form"))
        assert Question.objects.count() == 1

    def test_before_publishing_each_change_is_shown_word_by_word_siblings_included(self, exam, live, alice, bob):
        family = []
        for place, each in enumerate(variants()):
            family.append(save_draft(exam, each, Question(exam=exam, key=each.key, place=place)))
            publish(family[-1], NOW, Change.FIRST)
        new = desk.begin(exam, draft(10), alice, NOW)
        desk.keep(live[0].pk, dataclasses.replace(draft_of(live[0]), trap="Quicksilver."), 0, alice, NOW)
        for row, word in zip(family[:2], ("Amber.", "Cobalt."), strict=True):
            desk.keep(row.pk, dataclasses.replace(draft_of(row), trap=word), fresh(row).revision, alice, NOW)
        for row in (new, live[0], family[0]):
            desk.submit(row.pk, fresh(row).revision, alice, NOW)
        page = parsed(self.run(browser_of(bob), "publish_all", [new, live[0], family[0]]))
        lines = {line["data-line"]: line for line in page.select("[data-line]")}
        assert {key: [ins.text.strip() for ins in line.select("ins")] for key, line in lines.items()} == {
            new.key: [], live[0].key: ["Quicksilver."], family[0].key: ["Amber."], family[1].key: ["Cobalt."],
        }  # fmt: skip
        assert [key for key, line in lines.items() if line.select("[data-state=first]")] == [new.key]
        assert [key for key, line in lines.items() if line.select("[data-sibling]")] == [family[1].key]
        fields = {**form_of(str(page), "together-form"), "change": "semantic"}
        assert told(browser_of(bob).post(LIST, fields, follow=True)) == ["published"]
        assert [fresh(row).live_version.number for row in (new, live[0], *family)] == [1, 2, 2, 2, 1]

    def test_basic_questions_are_published_together_once_confirmed(self, exam, alice, bob):
        rows = [desk.begin(exam, text, alice, NOW) for text in (draft(1), basic(2), basic(3))]
        for row in rows:
            desk.submit(row.pk, 0, alice, NOW, basic=True)
        reviewer = browser_of(bob)
        page = self.run(reviewer, "publish_all", rows)
        shown = parsed(page)
        assert {each["data-level"]: each["data-number"] for each in shown.select("[data-level]")} == {
            "full": "1", "basic": "2",
        }  # fmt: skip
        assert ["explanation" in each.text for each in shown.select("[data-lacks=basic]")] == [False, False]
        fields = {**form_of(page.content.decode(), "together-form"), "change": "semantic"}
        assert told(reviewer.post(LIST, fields, follow=True)) == ["not-publishable"]
        assert {fresh(row).live_version for row in rows} == {None}
        assert told(reviewer.post(LIST, {**fields, "basic": "on"}, follow=True)) == ["published"]
        assert [fresh(row).live_version.is_basic for row in rows] == [False, True, True]

    def test_an_editor_is_not_offered_publishing(self, live, alice):
        page = browser_of(alice).get(LIST)
        offered = {option["value"] for option in parsed(page).select("select[name=action] option")}
        assert {"edit_all", "delete_all"} <= offered
        assert "publish_all" not in offered
