"""Check the commands that import and export: dry runs, drafts, repeated imports and damaged files."""

from __future__ import annotations

import dataclasses
import datetime as dt
import io
import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError

from questions.formats.intake import take_in as importing
from questions.formats.intake.add import add_drafts
from questions.formats.intake.reads.plan import CHANGED, LEFT_ALONE, NEW, REFUSED, UNCHANGED
from questions.formats.intake.reads.target import Target, name_of
from questions.formats.intake.take_in import import_items, pass_over
from questions.formats.reads import live_items
from questions.formats.rules.items import Item, ItemOption
from questions.formats.rules.registry import BY_NAME, read_items
from questions.models import Desk, DeskEntry, Exam, ImportedItem, Option, Question, QuestionVersion
from questions.versions.reads.drafts import draft_of, with_draft
from questions.versions.rules.draft import DraftQuestion
from questions.versions.save import save_draft
from tests.questions.formats.samples import GIFT, samples
from tests.support.bank import NOW, add_questions, draft, make_exam
from tests.support.hooks import figures

MANY = 6000
FIRST = """// [id:lamp] [tag:c2]
::Lamp:: Which lamp is it? {=amber#Long waves. ~blue#Short waves. ####Because.}

::Tool:: Which tool is it? {=hammer ~saw}
"""


def run(path: Path, *arguments: str) -> str:
    out = io.StringIO()
    call_command("import_questions", str(path), "--exam", "pmle", *arguments, stdout=out)
    return out.getvalue()


@pytest.fixture
def gift(tmp_path: Path) -> Path:
    path = tmp_path / "lamps.txt"
    path.write_text(FIRST)
    return path


def facts() -> list[tuple[object, ...]]:
    """Return everything that an import could have changed."""
    questions = [dataclasses.astuple(draft_of(q)) for q in with_draft(Question.objects.order_by("id"))]
    rows = ImportedItem.objects.order_by("id").values_list("id", "name", "digest", "draft_digest", "at")
    states = Question.objects.order_by("id").values_list("revision", "desk", "changed_at")
    return [*questions, *rows, *states, (DeskEntry.objects.count(), Option.objects.count())]


def test_a_dry_run_needs_no_database(gift: Path, tmp_path: Path) -> None:
    report = tmp_path / "out.json"
    said = run(gift, "--report", str(report))
    assert figures(said.splitlines()[-1])[:2] == [2, 0]
    assert json.loads(report.read_text()) == {
        "format": "gift",
        "taken": [
            {"line": 2, "id": "lamp", "kind": "single", "stem": "Which lamp is it?", "options": ["amber", "blue"],
             "correct": [0]},
            {"line": 4, "id": "Tool", "kind": "single", "stem": "Which tool is it?", "options": ["hammer", "saw"],
             "correct": [0]},
        ],
        "skipped": [],
    }  # fmt: skip


def test_a_report_lists_what_was_skipped_with_line_kind_and_reason(tmp_path: Path) -> None:
    path, report = tmp_path / "a.gift", tmp_path / "out.json"
    path.write_text(GIFT)
    said = run(path, "--report", str(report))
    found = json.loads(report.read_text())
    assert [set(each) for each in found["skipped"]] == [{"line", "kind", "reason"}] * 6
    assert [each["kind"] for each in found["skipped"]][:3] == ["matching", "numerical", "essay"]
    assert re.search(r"^ *line 18: .*“matching”", said, re.M)


def test_a_file_that_cannot_be_read_is_one_error_and_one_reason(tmp_path: Path) -> None:
    path, report = tmp_path / "photo.jpg", tmp_path / "out.json"
    path.write_bytes(b"\xff\xd8\xff\xe0 no questions here")
    with pytest.raises(CommandError, match="picture"):
        run(path, "--report", str(report))
    found = json.loads(report.read_text())
    assert found["taken"] == []
    assert found["skipped"][0]["kind"] == "file"
    with pytest.raises(CommandError, match="papyrus"):
        run(path, "--format", "papyrus")
    with pytest.raises(CommandError, match="nothing.csv"):
        run(tmp_path / "nothing.csv")


@pytest.mark.django_db
class TestStored:
    @pytest.fixture(autouse=True)
    def _exam(self) -> None:
        self.exam = make_exam()

    def test_a_dry_run_stores_nothing(self, gift: Path) -> None:
        run(gift)
        assert not Question.objects.exists()

    def test_items_become_drafts_with_their_content(self, gift: Path) -> None:
        assert "2 new" in run(gift, "--commit", "--domain", "d2")
        question = Question.objects.get(key="lamp")
        stored = draft_of(question)
        assert (question.desk, question.live_version, stored.domain, stored.concepts) == (
            Desk.DRAFT,
            None,
            "d2",
            ("c2",),
        )
        assert [(o.slot, o.text, o.right, o.why) for o in stored.options] == [
            (1, "amber", True, "Long waves."), (2, "blue", False, "Short waves."),
        ]  # fmt: skip
        assert stored.explanation == "Because."
        assert not QuestionVersion.objects.exists()
        assert question.imported.tags == ["c2"]

    def test_a_second_import_changes_nothing(self, gift: Path) -> None:
        run(gift, "--commit")
        before = facts()
        assert "2 unchanged" in run(gift, "--commit")
        assert facts() == before

    def test_a_renamed_file_with_the_same_content_makes_no_copies(self, gift: Path) -> None:
        run(gift, "--commit")
        assert "2 unchanged" in run(gift.rename(gift.with_name("other.gift")), "--commit")
        assert Question.objects.count() == 2

    def test_a_changed_item_changes_its_draft_alone_and_keeps_the_slots(self, gift: Path) -> None:
        run(gift, "--commit")
        gift.write_text(FIRST.replace("=amber", "=orange").replace("~blue", "~green ~blue"))
        assert f"1 {CHANGED}, 1 {UNCHANGED}" in run(gift, "--commit")
        changed = draft_of(Question.objects.get(key="lamp"))
        assert {o.text: o.slot for o in changed.options} == {"orange": 3, "green": 4, "blue": 2}
        assert "2 unchanged" in run(gift, "--commit")

    def test_a_draft_that_somebody_edited_is_left_alone_and_reported(self, gift: Path) -> None:
        run(gift, "--commit")
        Question.objects.filter(key="lamp").update(stem="Edited here?")
        gift.write_text(FIRST.replace("=amber", "=orange"))
        said = run(gift, "--commit")
        assert f"line 2: {LEFT_ALONE}: " in said
        assert "“lamp”" in said
        assert Question.objects.get(key="lamp").stem == "Edited here?"

    def test_two_items_with_the_same_name_are_both_imported(self, gift: Path) -> None:
        gift.write_text("::Same:: One? {=a ~b}\n\n::Same:: Two? {=a ~b}\n\n::Same:: One? {=a ~b}\n")
        assert f"2 {NEW}, 1 {UNCHANGED}" in run(gift, "--commit")
        before = facts()
        assert "3 unchanged" in run(gift, "--commit")
        assert facts() == before

    def test_a_category_that_names_a_domain_selects_that_domain(self, gift: Path) -> None:
        gift.write_text("$CATEGORY: x/Domain name 3\n\n" + FIRST)
        run(gift, "--commit")
        assert {draft_of(q).domain for q in Question.objects.all()} == {"d3"}

    def test_an_unknown_exam_or_domain_is_refused(self, gift: Path) -> None:
        with pytest.raises(CommandError, match="“d9”"):
            run(gift, "--commit", "--domain", "d9")
        Exam.objects.update(slug="other")
        with pytest.raises(CommandError, match="“pmle”"):
            run(gift, "--commit")

    def test_one_item_that_cannot_be_stored_does_not_lose_the_others(self, monkeypatch: pytest.MonkeyPatch) -> None:
        real = importing.add_drafts

        def failing(exam: Exam, drafts: list[DraftQuestion], now: dt.datetime, note: str, by: Any) -> list[Question]:
            added = real(exam, drafts, now, note, by)
            if any(each.key == "q2" for each in drafts):
                raise DatabaseError("no")
            return added

        monkeypatch.setattr(importing, "add_drafts", failing)
        items = [
            Item(n, f"q{n}", "single", f"Q{n}?", (ItemOption("a", True), ItemOption("b", False))) for n in range(5)
        ]
        results = [outcome.result for outcome in import_items(Target.of("pmle", "x"), items, NOW)]
        assert results == ["new", "new", "refused", "new", "new"]
        assert sorted(Question.objects.values_list("key", flat=True)) == ["q0", "q1", "q3", "q4"]
        assert Option.objects.count() == 8
        assert [o.result for o in import_items(Target.of("pmle", "x"), items, NOW)].count("unchanged") == 4

    def test_drafts_stored_in_bulk_equal_drafts_stored_singly(self) -> None:
        drafts = [draft(n, kind=kind) for n, kind in enumerate(("single", "multiple"), start=1)]
        drafts = [dataclasses.replace(d, second_read_on=dt.date(2026, 1, 2), second_reader="R") for d in drafts]
        for question, given in zip(add_drafts(self.exam, drafts, NOW, "x"), drafts, strict=True):
            assert draft_of(with_draft(Question.objects.filter(pk=question.pk)).get()) == given
            saved = save_draft(self.exam, given, question)
            assert draft_of(with_draft(Question.objects.filter(pk=saved.pk)).get()) == given

    @pytest.mark.parametrize("name", sorted(samples()))
    def test_items_of_every_format_can_be_stored_twice(self, name: str, tmp_path: Path) -> None:
        path = tmp_path / "file"
        path.write_bytes(samples()[name][1])
        run(path, "--commit")
        before = facts()
        assert Question.objects.exists()
        assert " new" not in run(path, "--commit")
        assert facts() == before


@pytest.mark.django_db
class TestExported:
    def test_exports_in_our_own_formats_have_only_the_live_versions(self, tmp_path: Path) -> None:
        exam = make_exam()
        add_questions(exam, 1)
        add_questions(exam, 1, pool="reserved")
        Question.objects.filter(pk=Question.objects.earliest("id").pk).update(withdrawn_at=NOW)
        for name in ("yaml", "json"):
            path = tmp_path / f"out.{name}"
            call_command("export_questions", "--exam", "pmle", "--format", name, "--out", str(path))
            with path.open("rb") as stream:
                came = [found.draft for found in read_items(BY_NAME[name], stream) if isinstance(found, Item)]
            assert came == [item.draft for item in live_items("pmle")]
            assert len(came) == Question.objects.count() - 1

    @pytest.mark.parametrize("name", ["gift", "moodle-xml", "qti-2.1", "qti-3.0", "csv", "anki"])
    def test_each_format_can_be_written(self, name: str, tmp_path: Path) -> None:
        add_questions(make_exam(), 1, pool="reserved")
        path = tmp_path / "out"
        call_command("export_questions", "--exam", "pmle", "--format", name, "--out", str(path), "--pool", "reserved")
        assert b"Team" in path.read_bytes() or path.read_bytes()[:2] == b"PK"

    def test_an_export_that_cannot_be_written_is_an_error(self) -> None:
        make_exam()
        with pytest.raises(CommandError, match="(?i)aiken"):
            call_command("export_questions", "--exam", "pmle", "--format", "aiken")
        with pytest.raises(CommandError, match="“none”"):
            call_command("export_questions", "--exam", "none", "--format", "gift")


@pytest.mark.django_db
def test_an_item_that_would_be_slow_to_render_is_refused_and_the_others_are_imported():
    make_exam()
    slow = f"Which, {'[' * 4000}?\nA. This\nB. That\nANSWER: B\n\nWhich one?\nA. Up\nB. Down\nANSWER: A\n"
    items = [each for each in read_items(BY_NAME["aiken"], io.BytesIO(slow.encode())) if isinstance(each, Item)]
    outcomes = list(import_items(Target.of("pmle", "set.txt"), items, NOW))
    assert [outcome.result for outcome in outcomes] == [REFUSED, NEW]
    assert "4000" in outcomes[0].reason.replace(",", "")


def titled(titles: Iterable[str]) -> list[Item]:
    return [Item(n, "", "single", f"Q{n}?", (ItemOption("a", True),), title) for n, title in enumerate(titles)]


@pytest.mark.django_db
def test_numbered_names_skip_names_used_in_the_file() -> None:
    make_exam()
    target = Target.of("pmle", "set.gift")
    items = titled(["T", "T (2)", "T", "T", "T (2)"])
    names = [name_of(target, item) for item in items]
    assert names == ["T", "T (2)", "T (3)", "T (4)", "T (2) (2)"]
    assert [name_of(target, item) for item in items] == names


class Asked(dict[str, int]):
    """Count how often the code asks whether a name is taken."""

    times = 0

    def __contains__(self, name: object) -> bool:
        self.times += 1
        return super().__contains__(name)


@pytest.mark.django_db
def test_items_that_share_a_title_need_few_more_name_queries_than_others() -> None:
    make_exam()
    target = dataclasses.replace(Target.of("pmle", "set.gift"), numbers=Asked())
    for item in titled(["T"] * MANY):
        pass_over(target, item)
    assert MANY <= target.numbers.times <= 3 * MANY  # type: ignore[attr-defined]
