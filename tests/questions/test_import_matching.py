"""An item already on the site is compared with its question, and chosen updates wait at the desk for review."""

from __future__ import annotations

import dataclasses
import datetime as dt
import io
from typing import Any

import openpyxl
import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from courseiva.accounts.models import User
from questions.desk import decide as desk
from questions.desk.publish import publish
from questions.formats.intake import take_in as importing
from questions.formats.intake.reads.plan import LEFT_ALONE, NEW, REFUSED, UNCHANGED
from questions.formats.intake.reads.target import BESIDE, UPDATE, Choice, Target
from questions.formats.intake.revise import REVISED
from questions.formats.intake.take_in import import_items
from questions.formats.reads import desk_items, live_items
from questions.formats.rules.items import BadFile, Item, ItemOption, item_of_draft, qti_identifier
from questions.formats.rules.registry import format_named, read_items
from questions.formats.rules.tables import xlsx
from questions.models import BatchEntry, Change, Desk, Exam, ImportJob, Left, Question
from questions.versions.errors import NotNow
from questions.versions.reads.drafts import draft_of, with_draft
from questions.versions.rules.draft import DraftQuestion
from questions.versions.save import save_draft
from tests.questions.test_import_page import client_of, send
from tests.support.bank import NOW, changed, draft, make_exam
from tests.support.hooks import parsed, values
from tests.support.variants import variants

pytestmark = [pytest.mark.long("many requests"), pytest.mark.django_db]


def publish_drafts(exam: Exam, drafts: list[DraftQuestion]) -> list[Question]:
    rows = [save_draft(exam, each, Question(exam=exam, key=each.key, place=n)) for n, each in enumerate(drafts)]
    for row in rows:
        publish(row, NOW, Change.FIRST)
    return rows


@pytest.fixture
def exam() -> Exam:
    return make_exam()


@pytest.fixture
def somebody() -> User:
    return User.objects.create_user(email="some@example.com", password="x", is_staff=True)


def spreadsheet(exam: Exam, *replacements: tuple[str, str], name: str = "csv") -> list[Item]:
    """Return the live questions after they were exported, edited as text and read back."""
    form = format_named(name)
    assert form.write
    content = form.write(live_items(exam.slug))
    for old, new in replacements:
        assert old.encode() in content
        content = content.replace(old.encode(), new.encode())
    return [each for each in read_items(form, io.BytesIO(content)) if isinstance(each, Item)]


def take(exam: Exam, items: list[Item], by: User | None = None, choice: Choice | None = None) -> list[str]:
    target = Target.of(exam.slug, "edited.csv")
    target.by, target.choice = by, choice or Choice()
    return [outcome.result for outcome in import_items(target, items, NOW)]


def stored(key: str) -> DraftQuestion:
    return draft_of(with_draft(Question.objects.filter(key=key)).get())


def test_an_edited_question_waits_for_a_choice_and_nothing_is_stored(exam: Exam, somebody: User) -> None:
    publish_drafts(exam, [draft(1), draft(2)])
    edited = spreadsheet(exam, ("Situation 1", "Renamed"))
    assert take(exam, edited, somebody) == [LEFT_ALONE, UNCHANGED]
    assert Question.objects.count() == 2
    assert set(Question.objects.values_list("desk", "revision")) == {(Desk.NOTHING, 0)}


def test_an_update_is_a_draft_that_its_importer_cannot_publish(exam: Exam, somebody: User) -> None:
    row, other = publish_drafts(exam, [draft(1), draft(2)])
    edited = spreadsheet(exam, ("Situation 1", "Renamed"), ("Thing 2 of 1", "Another thing"))
    assert take(exam, edited, somebody, Choice(UPDATE)) == [REVISED, UNCHANGED]
    row.refresh_from_db()
    assert (row.desk, row.revision, row.title, row.live_version.title) == (Desk.DRAFT, 1, "Renamed", "Situation 1")  # type: ignore[union-attr]
    assert stored("q2") == draft_of(with_draft(Question.objects.filter(pk=other.pk)).get())
    assert list(row.authors.all()) == [somebody]
    desk.submit(row.pk, 1, somebody, NOW)
    with pytest.raises(NotNow):
        desk.release(row.pk, 1, somebody, NOW, desk.Publishing(Change.SEMANTIC))


def test_fields_missing_from_the_file_are_unchanged(exam: Exam, somebody: User) -> None:
    publish_drafts(exam, [draft(1)])
    before = stored("q1")
    take(exam, spreadsheet(exam, ("Thing 2 of 1", "Another thing")), somebody, Choice(UPDATE))
    second = dataclasses.replace(before.options[1], text="Another thing")
    assert stored("q1") == changed(before, options=(before.options[0], second, *before.options[2:]))


@pytest.mark.parametrize("name", ["csv", "xlsx", "gift", "moodle-xml", "qti-3.0", "yaml", "json"])
def test_importing_an_export_of_any_format_changes_nothing(exam: Exam, somebody: User, name: str) -> None:
    publish_drafts(exam, [draft(1), draft(2, kind="multiple"), *variants()])
    assert take(exam, spreadsheet(exam, name=name), somebody, Choice(UPDATE)) == [UNCHANGED] * 5
    assert Question.objects.count() == 5


@pytest.mark.parametrize(
    ("edits", "facts"),
    [
        ([("https://source.example/page,", "https://source.example/new,")], {"url": "https://source.example/new"}),
        ([("2026-11-21", ""), (",Page,", ",Sheet,")], {"title": "Sheet"}),
    ],
)
def test_a_source_is_edited_in_a_spreadsheet_and_empty_cells_change_nothing(
    exam: Exam, somebody: User, edits: list[tuple[str, str]], facts: dict[str, str]
) -> None:
    publish_drafts(exam, [draft(1)])
    before = stored("q1")
    assert take(exam, spreadsheet(exam, *edits), somebody, Choice(UPDATE)) == [REVISED]
    assert stored("q1") == changed(before, sources=(dataclasses.replace(before.sources[0], **facts),))


def test_an_added_option_gets_a_new_slot(exam: Exam, somebody: User) -> None:
    publish_drafts(exam, [draft(1)])
    item = next(live_items(exam.slug))
    short = Item(1, item.id, "single", item.stem, item.options[:3], item.title)
    assert take(exam, [short], somebody, Choice(UPDATE)) == [REVISED]
    assert [option.slot for option in stored("q1").options] == [1, 2, 3]
    longer = Item(1, item.id, "single", item.stem, (*item.options[:3], ItemOption("New one", False, "No.")), item.title)
    assert take(exam, [longer], somebody, Choice(UPDATE)) == [REVISED]
    assert [(option.slot, option.text) for option in stored("q1").options][3:] == [(5, "New one")]


def test_an_option_after_a_gap_does_not_get_its_neighbours_reasons(exam: Exam, somebody: User) -> None:
    publish_drafts(exam, [draft(1)])
    item = next(live_items(exam.slug))
    first, _, _, fourth = item.options
    said = Item(1, item.id, "single", item.stem, (first, ItemOption("Reworded third", False), fourth), item.title)
    take(exam, [said], somebody, Choice(UPDATE))
    assert [(option.slot, bool(option.tempts)) for option in stored("q1").options] == [(1, True), (4, True), (5, False)]


def test_variants_are_updated_together_and_keep_the_desks_shared_text(exam: Exam, somebody: User) -> None:
    publish_drafts(exam, variants())
    first, second, third = variants()
    items = [
        item_of_draft(changed(first, title="One")),
        item_of_draft(changed(second, title="Two")),
        item_of_draft(changed(third, pool="reserved")),
    ]
    assert take(exam, items, somebody, Choice(UPDATE)) == [REVISED, REVISED, LEFT_ALONE]
    assert set(Question.objects.values_list("desk", "revision")) == {(Desk.DRAFT, 1)}
    assert [stored(each.key).title for each in (first, second, third)] == ["One", "Two", third.title]
    assert {stored(each.key).pool for each in (first, second, third)} == {first.pool}


def test_a_clause_can_be_edited_and_stays_the_clause(exam: Exam, somebody: User) -> None:
    publish_drafts(exam, variants())
    first = variants()[0]
    assert take(exam, spreadsheet(exam, (first.clause, "a quite different need")), somebody, Choice(UPDATE)) == [
        REVISED, UNCHANGED, UNCHANGED,
    ]  # fmt: skip
    assert stored(first.key).clause == "a quite different need"


def test_a_family_split_across_two_batches_gets_one_revision(
    exam: Exam, somebody: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importing, "BATCH", 2)
    rows = publish_drafts(exam, variants())
    items = [item_of_draft(changed(each, title=f"New {n}")) for n, each in enumerate(variants())]
    target = Target.of(exam.slug, "edited.yaml")
    target.by, target.choice = somebody, Choice(UPDATE, {str(row.pk): 0 for row in rows})
    target.batch = ImportJob.objects.create(exam=exam, source="x", format="yaml", made_at=NOW, moved_at=NOW)
    assert [outcome.result for outcome in import_items(target, items, NOW)] == [REVISED] * 3
    entries = BatchEntry.objects.values_list("left", "revision")
    assert set(entries) == {(Left.REVISED, Question.objects.first().revision)}  # type: ignore[union-attr]


def test_only_previewed_items_are_updated(exam: Exam, somebody: User) -> None:
    one, two, _ = publish_drafts(exam, [draft(1), draft(2), draft(3)])
    edited = spreadsheet(exam, ("Situation", "Renamed"))
    Question.objects.filter(pk=two.pk).update(revision=1, title="Saved meanwhile")
    bases = {str(one.pk): 0, str(two.pk): 0}
    assert take(exam, edited, somebody, Choice(UPDATE, bases)) == [REVISED, LEFT_ALONE, LEFT_ALONE]
    assert [stored(key).title for key in ("q1", "q2", "q3")] == ["Renamed 1", "Saved meanwhile", "Situation 3"]


def test_a_differing_item_can_become_a_new_draft_beside_the_existing_question(exam: Exam, somebody: User) -> None:
    publish_drafts(exam, [draft(1), draft(2)])
    Question.objects.filter(key="q2").update(retired_at=NOW)
    items = [item_of_draft(changed(draft(n), title="Other")) for n in (1, 2)]
    assert take(exam, items, somebody) == [LEFT_ALONE] * 2
    assert take(exam, items, somebody, Choice(BESIDE)) == [NEW] * 2
    assert set(Question.objects.filter(title="Other").values_list("desk", flat=True)) == {Desk.DRAFT}
    assert take(exam, items, somebody, Choice(BESIDE)) == [UNCHANGED] * 2


def test_an_import_without_a_person_updates_nothing(exam: Exam) -> None:
    publish_drafts(exam, [draft(1)])
    assert take(exam, spreadsheet(exam, ("Situation 1", "Renamed")), None, Choice(UPDATE)) == [LEFT_ALONE]


def test_a_name_that_is_not_an_identifier_is_found_under_its_qti_identifier(exam: Exam, somebody: User) -> None:
    publish_drafts(exam, [changed(draft(1), key="1-first")])
    items = spreadsheet(exam, name="qti-2.1")
    assert [item.id for item in items] == [qti_identifier("1-first")]
    assert take(exam, items, somebody, Choice(UPDATE)) == [UNCHANGED]


def test_new_drafts_belong_to_their_importer(exam: Exam, somebody: User) -> None:
    assert take(exam, [item_of_draft(draft(1))], somebody) == [NEW]
    assert list(Question.objects.get().authors.all()) == [somebody]


def test_a_text_too_long_for_a_cell_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(xlsx, "CELL_CHARACTERS", 10)
    with pytest.raises(BadFile):
        xlsx.write([item_of_draft(draft(1))])


def test_text_that_looks_like_a_formula_is_written_as_text_in_a_sheet() -> None:
    item = Item(1, "q1", "single", "=1+1", (ItemOption("+2", True), ItemOption("'quoted", False)))
    (back,) = xlsx.read(io.BytesIO(xlsx.write([item])))
    assert isinstance(back, Item)
    assert (back.stem, [option.text for option in back.options]) == ("=1+1", ["+2", "'quoted"])


class TestInTheBrowser:
    @pytest.fixture(autouse=True)
    def _setup(self, exam: Exam) -> None:
        cache.clear()
        self.exam = exam
        self.rows = publish_drafts(exam, [draft(1), draft(2), draft(3)])
        self.client = client_of("Editors")

    def exported(self, *replacements: tuple[str, str], name: str = "csv") -> bytes:
        """Return the file that the list's action downloads, with these replacements."""
        ids = [str(row.pk) for row in self.rows]
        asked = self.client.post(
            reverse("admin:questions_question_changelist"), {"action": "export_all", "_selected_action": ids}
        )
        assert values(asked, "data-count") == ["3"]
        handed = parsed(asked).select_one("input[name=questions]")
        assert handed
        response = self.client.post(reverse("admin:questions_export"), {"questions": handed["value"], "format": name})
        assert response["Content-Disposition"].endswith(f'.{name}"')
        content: bytes = response.content
        for old, new in replacements:
            assert old.encode() in content
            content = content.replace(old.encode(), new.encode())
        return content

    def keep(self, looked: Any, **more: Any) -> Any:
        form = looked.context["form"]
        hidden = {name: form[name].value() for name in ("token", "name", "bases")}
        return send(self.client, None, keep="1", **hidden, **more)

    @pytest.mark.parametrize("name", ["csv", "xlsx", "yaml", "json"])
    def test_a_selection_survives_a_round_trip(self, name: str) -> None:
        looked = send(self.client, self.exported(name=name), f"questions.{name}")
        assert looked.context["look"].counts == [(UNCHANGED, 3)]

    def test_a_workbook_saved_by_a_spreadsheet_program_changes_only_what_was_edited(self) -> None:
        book = openpyxl.load_workbook(io.BytesIO(self.exported(name="xlsx")))
        sheet = book.active
        assert sheet
        columns = {cell.value: cell.column for cell in sheet[1]}
        lines = {sheet.cell(line, columns["id"]).value: line for line in range(2, sheet.max_row + 1)}
        wrong = next(option for option in stored("q1").options if not option.right)
        sheet.cell(lines["q1"], columns[f"option {'abcd'[wrong.slot - 1]}"]).value = 42
        sheet.cell(lines["q1"], columns["explanation"]).value = words = "Two lines,\nand a “quote”."
        # A spreadsheet program stores a date it recognises as a date and may leave stray rows and columns behind.
        read = sheet.cell(lines["q2"], columns["source 1 as of"])
        read.value = dt.datetime.fromisoformat(str(read.value))
        sheet.cell(lines["q3"] + 3, 1).value = " "
        sheet.cell(1, sheet.max_column + 2).value = "my notes"
        sheet.cell(lines["q3"], sheet.max_column).value = "Ask Bob."
        book.create_sheet("Ideas").append(["Nothing", "of the kind"])
        edited = io.BytesIO()
        book.save(edited)
        looked = send(self.client, edited.getvalue(), "questions.xlsx")
        assert values(looked, "data-differs") == ["q1"]
        assert looked.context["look"].skipped == []
        before = stored("q1")
        self.keep(looked, matching="update")
        options = tuple(
            dataclasses.replace(each, text="42") if each.slot == wrong.slot else each for each in before.options
        )
        assert stored("q1") == changed(before, options=options, explanation=words)
        assert ImportJob.objects.get().counts == {REVISED: 1, UNCHANGED: 2}
        page = self.client.get(reverse("admin:questions_question_compare", args=[self.rows[0].pk]))
        assert page.status_code == 200

    def test_the_preview_shows_each_change_and_the_ticked_ones_are_updated(self) -> None:
        looked = send(self.client, self.exported(("Situation 1", "First"), ("Situation 2", "Second")), "questions.csv")
        assert values(looked, "data-differs") == ["q1", "q2"]
        assert [each.text for each in parsed(looked).select("[data-differs=q1] ins")] == ["First"]
        tick = parsed(looked).select_one("[data-differs=q2] input[name=update]")
        assert tick
        kept = self.keep(looked, matching="ticked", update=tick["value"])
        assert [stored(row.key).title for row in self.rows] == ["Situation 1", "Second", "Situation 3"]
        page = self.client.get(kept["location"])
        assert values(page, "data-left") == [Left.REVISED]
        assert reverse("admin:questions_question_compare", args=[self.rows[1].pk]) in page.text

    def test_all_differing_questions_are_updated_except_those_saved_meanwhile(self) -> None:
        looked = send(self.client, self.exported(("Situation", "New")), "questions.csv")
        Question.objects.filter(pk=self.rows[2].pk).update(revision=9)
        self.keep(looked, matching="update")
        assert [stored(row.key).title for row in self.rows] == ["New 1", "New 2", "Situation 3"]

    def test_if_nothing_is_ticked_nothing_changes(self) -> None:
        self.keep(send(self.client, self.exported(("Situation", "New")), "questions.csv"))
        assert set(Question.objects.values_list("desk", flat=True)) == {Desk.NOTHING}
        assert ImportJob.objects.get().counts == {LEFT_ALONE: 3}

    def test_the_query_count_does_not_grow_with_the_questions(self, django_assert_max_num_queries: Any) -> None:
        content = self.exported(("Situation", "New"))
        publish_drafts(self.exam, [draft(n) for n in range(4, 12)])
        rows = list(Question.objects.values_list("pk", flat=True))
        form = format_named("csv")
        assert form.write
        more = form.write(desk_items(rows)).replace(b"Situation", b"New")
        with django_assert_max_num_queries(40):
            few = send(self.client, content, "questions.csv")
        assert len(few.context["look"].differing) == 3
        with django_assert_max_num_queries(40):
            assert len(send(self.client, more, "questions.csv").context["look"].differing) == 11

    def test_only_editors_can_export(self) -> None:
        asked = {"questions": str(self.rows[0].pk), "format": "csv"}
        assert client_of("Moderators").post(reverse("admin:questions_export"), asked).status_code == 403
        assert Client().post(reverse("admin:questions_export"), asked).status_code == 302
        assert self.client.get(reverse("admin:questions_export")).status_code == 405

    @pytest.mark.parametrize("asked", [{"questions": "1,x", "format": "csv"}, {"questions": "1", "format": "exe"}, {}])
    def test_input_our_page_does_not_send_is_refused(self, asked: dict[str, str]) -> None:
        assert self.client.post(reverse("admin:questions_export"), asked).status_code == 400


def test_a_choice_posted_along_with_the_file_itself_updates_nothing(exam: Exam) -> None:
    publish_drafts(exam, [draft(1)])
    form = format_named("csv")
    assert form.write
    content = form.write(live_items(exam.slug)).replace(b"Situation", b"New")
    client = client_of("Editors")
    file = SimpleUploadedFile("questions.csv", content)
    data = {"format": "auto", "exam": exam.slug, "keep": "1", "matching": "update", "bases": "x:1 9:9", "file": file}
    client.post(reverse("admin:questions_import"), data)
    assert stored("q1").title == "Situation 1"
    assert REFUSED not in ImportJob.objects.get().counts
