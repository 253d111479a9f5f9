"""Check saving, conflicts, review, publication by a second person, withdrawal and waivers at the editors' desk."""

import dataclasses
import datetime as dt

import pytest
from django.apps import apps
from django.contrib.auth.models import Group, Permission
from django.db import connection
from django.test.utils import CaptureQueriesContext

from courseiva.accounts.models import User
from courseiva.accounts.staff.groups import GROUPS, grant
from questions.desk import decide as desk
from questions.desk.errors import NotPublishable, Older
from questions.desk.publish import publish
from questions.lint.rules import REFUSE, RULES, WARN, Problem
from questions.lint.rules.registry import fingerprint
from questions.models import Change, Clue, Desk, DeskAct, DeskEntry, Question, Solution, Waiver
from questions.versions.errors import NotNow
from questions.versions.reads.drafts import draft_of, draft_of_version, highest_slot
from tests.support.bank import NOW, draft

pytestmark = pytest.mark.django_db
LATER = NOW + dt.timedelta(hours=1)
SEMANTIC = desk.Publishing(Change.SEMANTIC, "Sharper.")


@pytest.fixture
def alice():
    return User.objects.create_user(email="alice@example.com", password="x")


@pytest.fixture
def bob():
    return User.objects.create_user(email="bob@example.com", password="x")


@pytest.fixture
def question(exam, alice):
    return desk.begin(exam, draft(1), alice, NOW)


@pytest.fixture
def live(question):
    publish(question, NOW, Change.FIRST)
    return Question.objects.get(pk=question.pk)


def said(question):
    return list(DeskEntry.objects.filter(question=question).order_by("id").values_list("act", flat=True))


def changed(question, **facts):
    return dataclasses.replace(draft_of(Question.objects.get(pk=question.pk)), **facts)


class TestSaving:
    def test_a_new_question_is_a_draft_with_an_author_and_a_name(self, exam, alice):
        rows = [desk.begin(exam, dataclasses.replace(draft(n), key=""), alice, NOW) for n in (1, 1, 1)]
        assert rows[0].desk == Desk.DRAFT
        assert list(rows[0].authors.all()) == [alice]
        stem = rows[0].key
        assert [row.key for row in rows] == [stem, f"{stem}-2", f"{stem}-3"]

    def test_a_half_written_question_is_saved(self, exam, alice):
        bare = dataclasses.replace(draft(1), options=(), clues=(), explanation="", sources=())
        row = desk.begin(exam, bare, alice, NOW)
        assert draft_of(row) == bare

    def test_a_save_raises_the_revision_but_saving_the_same_content_does_not(self, question, alice):
        row = desk.keep(question.pk, changed(question, trap="Mind the gap."), 0, alice, LATER)
        assert (row.revision, row.changed_at, row.trap) == (1, LATER, "Mind the gap.")
        assert desk.keep(question.pk, changed(question), 0, alice, LATER).revision == 1

    def test_a_stale_save_changes_nothing_and_shows_the_current_text(self, question, alice, bob):
        old = changed(question, trap="By Bob.")
        desk.keep(question.pk, changed(question, trap="By Alice."), 0, alice, LATER)
        with pytest.raises(Older) as refusal:
            desk.keep(question.pk, old, 0, bob, LATER)
        assert refusal.value.stored.trap == "By Alice."
        assert refusal.value.question.revision == 1
        assert list(question.authors.all()) == [alice]

    def test_options_keep_the_order_their_editors_gave_them(self, question, alice):
        options = draft_of(question).options
        desk.keep(question.pk, changed(question, options=options[::-1]), 0, alice, LATER)
        assert [o.slot for o in changed(question).options] == [o.slot for o in options][::-1]

    def test_a_slot_is_never_reused(self, live, alice):
        most = max(o.slot for o in draft_of(live).options)
        fewer = changed(live, options=tuple(o for o in draft_of(live).options if o.slot != most))
        row = desk.keep(live.pk, fewer, 0, alice, LATER)
        assert highest_slot(row) == most


class TestReview:
    def test_a_blank_question_can_be_taken_through_review_to_live(self, question, alice, bob):
        desk.submit(question.pk, 0, alice, NOW, "Please.")
        version = desk.release(question.pk, 0, bob, LATER, desk.Publishing(Change.FIRST))
        question.refresh_from_db()
        assert (question.live_version, question.desk) == (version, Desk.NOTHING)
        assert version.published_by == bob
        assert not question.authors.exists()
        assert said(question) == [DeskAct.BEGUN, DeskAct.SUBMITTED, DeskAct.PUBLISHED]

    def test_nobody_can_publish_a_draft_they_worked_on(self, question, alice, bob, settings):
        desk.keep(question.pk, changed(question, trap="Bob was here."), 0, bob, NOW)
        desk.submit(question.pk, 1, alice, NOW)
        for who in (alice, bob):
            with pytest.raises(NotNow) as refused:
                desk.release(question.pk, 1, who, LATER, desk.Publishing(Change.FIRST))
            assert refused.value.code == "own-draft"
        settings.PUBLISH_OWN_QUESTIONS = True
        assert desk.release(question.pk, 1, bob, LATER, desk.Publishing(Change.FIRST)).number == 1

    def test_a_draft_cannot_be_published_without_review(self, question, bob):
        with pytest.raises(NotNow):
            desk.release(question.pk, 0, bob, LATER, desk.Publishing(Change.FIRST))

    def test_a_draft_lint_refuses_cannot_be_sent_to_review(self, question, alice):
        desk.keep(question.pk, changed(question, sources=()), 0, alice, NOW)
        with pytest.raises(NotPublishable):
            desk.submit(question.pk, 1, alice, NOW)

    def test_a_name_the_exam_does_not_know_is_refused(self, question, alice):
        question.concepts.clear()
        with pytest.raises(NotPublishable) as refusal:
            desk.submit(question.pk, 0, alice, NOW)
        assert [problem.field for problem in refusal.value.problems] == ["concepts"]

    def test_lint_refusals_are_shown_without_file_paths(self, question, alice):
        options = tuple(dataclasses.replace(option, tempts="") for option in draft_of(question).options)
        desk.keep(question.pk, changed(question, options=options), 0, alice, NOW)
        with pytest.raises(NotPublishable) as refusal:
            desk.submit(question.pk, 1, alice, NOW)
        assert {problem.field for problem in refusal.value.problems} == {f"options[{n}].tempts" for n in range(4)}
        assert "[" not in str(refusal.value)

    def test_sending_back_requires_a_reason(self, question, alice, bob):
        desk.submit(question.pk, 0, alice, NOW)
        with pytest.raises(NotNow) as refused:
            desk.send_back(question.pk, 0, bob, NOW, " ")
        assert refused.value.code == "nothing-to-fix"
        desk.send_back(question.pk, 0, bob, NOW, "The trap is thin.")
        question.refresh_from_db()
        assert question.desk == Desk.SENT_BACK
        assert DeskEntry.objects.filter(question=question).first().text == "The trap is thin."

    def test_editing_takes_a_draft_out_of_review(self, question, alice):
        desk.submit(question.pk, 0, alice, NOW)
        assert desk.keep(question.pk, changed(question, trap="Wider."), 0, alice, LATER).desk == Desk.DRAFT
        assert said(question)[-1] == DeskAct.TAKEN_BACK

    def test_the_live_version_stays_live_while_its_successor_is_written(self, live, alice, bob):
        first = live.live_version
        desk.keep(live.pk, changed(live, trap="Other."), 0, alice, NOW)
        live.refresh_from_db()
        assert (live.live_version, live.desk) == (first, Desk.DRAFT)
        desk.submit(live.pk, 1, alice, NOW)
        second = desk.release(live.pk, 1, bob, LATER, SEMANTIC)
        assert (second.number, second.change_note) == (2, "Sharper.")

    def test_a_changed_key_must_be_declared(self, live, alice, bob):
        options = tuple(dataclasses.replace(o, right=o.slot == 2) for o in draft_of(live).options)
        desk.keep(live.pk, changed(live, options=options, quick_answer=options[1].text), 0, alice, NOW)
        desk.submit(live.pk, 1, alice, NOW)
        with pytest.raises(NotNow) as refused:
            desk.release(live.pk, 1, bob, LATER, SEMANTIC)
        assert refused.value.code == "key-changed"
        assert desk.release(live.pk, 1, bob, LATER, desk.Publishing(Change.KEY)).change == Change.KEY

    @pytest.mark.parametrize("change", [Change.FIRST, Change.KEY])
    def test_a_change_that_was_not_made_cannot_be_declared(self, live, alice, bob, change):
        desk.keep(live.pk, changed(live, trap="Other."), 0, alice, NOW)
        desk.submit(live.pk, 1, alice, NOW)
        with pytest.raises(NotNow):
            desk.release(live.pk, 1, bob, LATER, desk.Publishing(change))

    def test_publishing_reads_the_draft_once_and_runs_lint_once(self, live, alice, bob, monkeypatch):
        desk.keep(live.pk, changed(live, trap="Other."), 0, alice, NOW)
        desk.submit(live.pk, 1, alice, NOW)
        linted = []
        rule = next(each for each in RULES.values() if each.check and each.severity == REFUSE)
        counting = dataclasses.replace(
            rule, check=lambda draft, known: linted.append(draft) or rule.check(draft, known)
        )
        monkeypatch.setitem(RULES, rule.id, counting)
        with CaptureQueriesContext(connection) as asked:
            desk.release(live.pk, 1, bob, LATER, SEMANTIC)
        reads = [each["sql"] for each in asked if f'FROM "{Clue._meta.db_table}"' in each["sql"]]
        assert (len(reads), len(linted)) == (1, 1)


class TestVersions:
    def test_a_version_restores_the_draft_it_came_from(self, live):
        before = draft_of(live)
        solution = Solution.objects.select_related("version__question", "version__hint", "version__domain").get()
        assert draft_of_version(solution) == before

    def test_discarding_brings_the_live_text_back(self, live, alice):
        before = draft_of(live)
        desk.keep(live.pk, changed(live, stem="Something else entirely."), 0, alice, NOW)
        desk.discard(live.pk, 1, alice, LATER)
        row = Question.objects.get(pk=live.pk)
        assert (draft_of(row), row.desk) == (before, Desk.NOTHING)
        assert not row.authors.exists()

    def test_discarding_an_unpublished_question_deletes_it(self, question, alice):
        desk.discard(question.pk, 0, alice, NOW)
        assert not Question.objects.exists()

    def test_a_draft_in_review_cannot_be_discarded(self, question, alice):
        desk.submit(question.pk, 0, alice, NOW)
        with pytest.raises(NotNow):
            desk.discard(question.pk, 0, alice, NOW)

    def test_an_earlier_version_is_restored_as_a_draft(self, live, alice, bob):
        first, before = live.live_version, draft_of(live)
        desk.keep(live.pk, changed(live, trap="Other."), 0, alice, NOW)
        desk.submit(live.pk, 1, alice, NOW)
        desk.release(live.pk, 1, bob, NOW, SEMANTIC)
        row = desk.restore(first, 1, bob, LATER)
        assert (draft_of(row), row.desk, row.revision) == (before, Desk.DRAFT, 2)
        assert row.live_version.number == 2


class TestUse:
    def test_one_editor_alone_can_withdraw_a_question_and_put_it_back(self, live, alice):
        desk.withdraw(live.pk, alice, NOW, "The key is doubted.")
        with pytest.raises(NotNow):
            desk.withdraw(live.pk, alice, NOW, "Twice.")
        live.refresh_from_db()
        assert live.withdrawn_at == NOW
        desk.put_back(live.pk, alice, LATER)
        live.refresh_from_db()
        assert live.withdrawn_at is None
        assert said(live)[-2:] == [DeskAct.WITHDRAWN, DeskAct.RETURNED]

    def test_a_retired_question_cannot_be_put_back(self, live, alice):
        desk.retire(live.pk, alice, NOW, "The product is gone.")
        with pytest.raises(NotNow):
            desk.put_back(live.pk, alice, NOW)

    @pytest.mark.parametrize("act", [desk.withdraw, desk.retire])
    def test_withdrawing_or_retiring_needs_a_reason(self, live, alice, act):
        with pytest.raises(NotNow):
            act(live.pk, alice, NOW, " ")
        live.refresh_from_db()
        assert (live.withdrawn_at, live.retired_at) == (None, None)


class TestWaivers:
    WARNING = Problem("absolute-terms", WARN, "options[0].text", "says “always”")

    def test_a_waiver_holds_until_the_field_changes(self, question, alice):
        desk.waive(question.pk, self.WARNING, alice, NOW, "It is a quotation.")
        kept = Waiver.objects.get().fingerprint
        assert kept == fingerprint(changed(question, trap="Another trap."), self.WARNING)
        options = tuple(dataclasses.replace(o, text=o.text + " now") for o in draft_of(question).options)
        assert kept != fingerprint(changed(question, options=options), self.WARNING)

    def test_a_refusal_cannot_be_waived(self, question, alice):
        with pytest.raises(NotNow):
            desk.waive(question.pk, dataclasses.replace(self.WARNING, severity=REFUSE), alice, NOW, "Please.")
        assert not Waiver.objects.exists()


def test_the_groups_exist_with_exactly_the_intended_rights():
    grant(apps, GROUPS)
    for name, granted in GROUPS.items():
        rows = Permission.objects.filter(group=Group.objects.get(name=name)).select_related("content_type")
        assert {f"{row.content_type.app_label}.{row.codename}" for row in rows} == set(granted)


def test_an_editor_may_not_publish_and_a_moderator_may_not_write():
    grant(apps, GROUPS)
    people = {}
    for name in GROUPS:
        people[name] = User.objects.create_user(email=f"{name}@example.com", password="x")
        people[name].groups.add(Group.objects.get(name=name))
    may = {name: {p for p in ("questions.change_question", "questions.publish_question", "practice.add_regrade")
                  if user.has_perm(p)} for name, user in people.items()}  # fmt: skip
    assert may == {
        "Editors": {"questions.change_question"},
        "Reviewers": {"questions.change_question", "questions.publish_question", "practice.add_regrade"},
        "Moderators": set(),
    }
