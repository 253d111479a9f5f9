"""Families on their way out and in again: our own formats keep them, the others say what they leave behind."""

import dataclasses
import io

import pytest
from django.core.management import call_command

from questions.desk.publish import publish
from questions.formats.intake.take_in import Target, import_items
from questions.formats.reads import live_items
from questions.formats.rules.items import digest
from questions.formats.rules.own.own_rows import item_of_draft
from questions.formats.rules.registry import format_named
from questions.models import Change, Desk, Family, Question
from questions.versions.reads.drafts import draft_of
from questions.versions.save import save_draft
from tests.support.bank import NOW, add_questions, changed, draft, make_exam
from tests.support.variants import variants

pytestmark = pytest.mark.django_db
BEFORE_FAMILIES = "a2f55622c00063012ff68cd7538d083c0a59a6b844ab4e13961514b47c518e7d"


def publish_drafts(exam, drafts):
    for place, each in enumerate(drafts):
        publish(save_draft(exam, each, Question(exam=exam, key=each.key, place=place)), NOW, Change.FIRST)


def read(name, content):
    return list(format_named(name).read(io.BytesIO(content)))


def take(exam, items, source="bank.yaml"):
    return [outcome.result for outcome in import_items(Target.of(exam.slug, source), items, NOW)]


@pytest.mark.parametrize("name", ["yaml", "json"])
def test_what_one_site_exports_another_imports_as_the_same_family(name):
    here, there = make_exam("here"), make_exam("there")
    publish_drafts(here, variants())
    items = read(name, format_named(name).write(live_items("here")))
    assert take(there, items) == ["new"] * 3
    rows = list(Question.objects.filter(exam=there).order_by("place"))
    assert [draft_of(row) for row in rows] == variants()
    assert {row.family.stem for row in rows} == {Family.objects.get(exam=here).stem}
    assert take(there, items) == ["unchanged"] * 3


def test_a_question_that_names_a_family_at_work_here_comes_alone():
    exam = make_exam()
    publish_drafts(exam, variants(size=2))
    newcomer = changed(variants()[2], key="newcomer")
    assert take(exam, [item_of_draft(newcomer)]) == ["new"]
    row = Question.objects.get(key="newcomer")
    assert (row.family, row.clause, row.stem) == (None, "", newcomer.stem)
    assert set(Family.objects.get().questions.values_list("desk", flat=True)) == {Desk.NOTHING}


def test_a_question_that_differs_in_what_its_family_shares_comes_alone():
    exam = make_exam()
    one, two, _ = variants()
    take(exam, [item_of_draft(one), item_of_draft(changed(two, pool="reserved"))])
    assert list(Family.objects.get().questions.values_list("key", flat=True)) == ["q1-1"]


def test_a_changed_item_leaves_a_family_alone():
    exam = make_exam()
    take(exam, [item_of_draft(each) for each in variants()])
    newer = [item_of_draft(changed(each, pool="reserved")) for each in variants()]
    assert take(exam, newer) == ["left alone"] * 3
    assert set(Question.objects.values_list("pool", flat=True)) == {"open"}


@pytest.mark.parametrize("name", ["gift", "moodle-xml", "qti-2.1", "qti-3.0", "csv", "anki"])
def test_a_format_that_keeps_no_families_says_so(name, tmp_path):
    publish_drafts(make_exam(), variants())
    said = io.StringIO()
    call_command("export_questions", exam="pmle", format=name, out=tmp_path / "out", stderr=said)
    assert "3 of 3 questions" in said.getvalue()


@pytest.mark.parametrize(("name", "families"), [("yaml", True), ("gift", False)])
def test_nothing_is_said_where_nothing_is_left_behind(name, families, tmp_path):
    exam = make_exam()
    if families:
        publish_drafts(exam, variants())
    else:
        add_questions(exam, 1)
    said = io.StringIO()
    call_command("export_questions", exam="pmle", format=name, out=tmp_path / "out", stderr=said)
    assert "families" not in said.getvalue()


def test_an_item_imported_before_there_were_families_is_still_known():
    assert digest(item_of_draft(draft(1))) == BEFORE_FAMILIES
    assert digest(item_of_draft(dataclasses.replace(draft(1), objectives=("1.1.a",)))) != BEFORE_FAMILIES
