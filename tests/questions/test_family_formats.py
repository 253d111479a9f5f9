"""Our own formats keep families when exporting and importing; the others say what they leave out."""

import dataclasses
import io
import json
from operator import attrgetter
from pathlib import Path

import pytest
import yaml
from django.core.management import call_command

from questions.bank_files.rules.file import read_bank_file
from questions.catalogue.rules.glossary import read_glossary
from questions.desk.publish import publish
from questions.formats.intake.reads.target import Target
from questions.formats.intake.take_in import import_items
from questions.formats.reads import live_items
from questions.formats.rules.items import Item, Skipped, digest, item_of_draft
from questions.formats.rules.registry import format_named
from questions.models import Change, Desk, DeskEntry, Family, ImportedItem, Question
from questions.versions.reads.drafts import draft_of
from questions.versions.save import save_draft
from tests.support.bank import NOW, add_questions, changed, draft, make_exam
from tests.support.hooks import figures
from tests.support.variants import variants

pytestmark = [pytest.mark.long("whole bank"), pytest.mark.django_db]
KEY = attrgetter("key")
FIXTURES = Path(__file__).parents[2] / "fixtures"
BEFORE_FAMILIES = "a2f55622c00063012ff68cd7538d083c0a59a6b844ab4e13961514b47c518e7d"


def publish_drafts(exam, drafts):
    for place, each in enumerate(drafts):
        publish(save_draft(exam, each, Question(exam=exam, key=each.key, place=place)), NOW, Change.FIRST)


def read(name, content):
    return list(format_named(name).read(io.BytesIO(content)))


def take(exam, items, source="bank.yaml"):
    return [outcome.result for outcome in import_items(Target.of(exam.slug, source), items, NOW)]


@pytest.mark.parametrize("name", ["yaml", "json"])
def test_a_family_exported_by_one_site_is_the_same_on_another(name):
    here, there = make_exam("here"), make_exam("there")
    publish_drafts(here, variants())
    items = read(name, format_named(name).write(live_items("here")))
    assert take(there, items) == ["new"] * 3
    rows = list(Question.objects.filter(exam=there).order_by("place"))
    assert [draft_of(row) for row in rows] == variants()
    assert {row.family.stem for row in rows} == {Family.objects.get(exam=here).stem}
    assert take(there, items) == ["unchanged"] * 3


@pytest.mark.parametrize("name", ["yaml", "json"])
def test_importing_a_sites_own_export_changes_nothing(name):
    exam = make_exam()
    add_questions(exam, 2)
    publish_drafts(exam, variants())
    items = list(live_items(exam.slug))
    content = format_named(name).write(items)
    assert len(items) > 3
    counts = Question.objects.count(), DeskEntry.objects.count(), ImportedItem.objects.count()
    assert take(exam, read(name, content)) == ["unchanged"] * len(items)
    assert (Question.objects.count(), DeskEntry.objects.count(), ImportedItem.objects.count()) == counts
    Question.objects.filter(key="q1-2").update(title="Edited on the desk since")
    assert take(exam, read(name, content)) == ["unchanged"] * len(items)


def test_a_changed_question_with_a_known_id_is_not_a_copy():
    exam = make_exam()
    add_questions(exam, 1)
    item = next(live_items(exam.slug))
    count = Question.objects.count()
    assert take(exam, [item_of_draft(changed(item.draft, title="Another one"))]) == ["left alone"]
    assert Question.objects.count() == count


def written(name, items):
    """Return the contents of a file that this format writes."""
    content = format_named(name).write(items)
    return yaml.safe_load(content) if name == "yaml" else json.loads(content)


@pytest.mark.parametrize("name", ["yaml", "json"])
def test_a_family_is_written_once_with_its_variants(name):
    file = written(name, map(item_of_draft, [variants()[0], draft(1), *variants()[1:]]))
    (family,) = file["families"]
    assert [row["id"] for row in file["questions"]] == ["q1"]
    assert family["stem"].count("{clause}") == 1
    assert set(family["options"][0]) == {"slot", "text", "tempts", "right_if"}
    assert [(each["id"], each["key"]) for each in family["variants"]] == [("q1-1", [1]), ("q1-2", [2]), ("q1-3", [3])]
    assert {"domain", "concepts", "sources", "difficulty"} <= set(family)
    assert not set(family) - {"variants", "id"} & set(family["variants"][0])


@pytest.mark.parametrize("name", ["yaml", "json"])
def test_a_variant_that_differs_from_its_familys_shared_text_is_written_alone_and_read_back(name):
    one, two, three = variants()
    drafts = [one, changed(two, pool="reserved"), changed(three, clause="")]
    items = [item_of_draft(each) for each in drafts]
    file = written(name, items)
    assert [row["id"] for row in file["questions"]] == ["q1-2", "q1-3"]
    assert [len(family["variants"]) for family in file["families"]] == [1]
    back = {item.draft.key: item.draft for item in read(name, format_named(name).write(items))}
    assert [back[each.key] for each in drafts] == drafts


@pytest.fixture(scope="module")
def drafts():
    """Return the drafts of every family in the bank, read from its files."""
    glossary = read_glossary(FIXTURES / "glossary.yaml")
    paths = [*(FIXTURES / "pmle").glob("*/*families*.yaml"), *sorted((FIXTURES / "pmle").glob("questions/*.yaml"))[-1:]]
    return tuple(row.draft for path in paths for row in read_bank_file(path, glossary)[0])


@pytest.mark.parametrize("name", ["yaml", "json"])
def test_every_family_of_the_bank_survives_a_round_trip(name, drafts):
    assert sum(bool(each.family) for each in drafts) > 400
    back = read(name, format_named(name).write(map(item_of_draft, drafts)))
    assert [item for item in back if isinstance(item, Skipped)] == []
    assert sorted((item.draft for item in back), key=KEY) == sorted(drafts, key=KEY)


def test_an_import_says_where_a_family_is_wrong(tmp_path):
    text = format_named("yaml").write(map(item_of_draft, [*variants(1), *variants(2)])).decode()
    lines = text.split("\n")
    (where,) = (n for n, line in enumerate(lines) if line.strip().startswith(f"clause: {variants(1)[1].clause}"))
    lines[where] = lines[where].replace("clause:", "claws:")
    found = read("yaml", "\n".join(lines).encode())
    assert [(each.line, each.kind) for each in found if isinstance(each, Skipped)] == [(where + 1, "family")]
    assert [item.draft.family for item in found if isinstance(item, Item)] == ["f2"] * 3


@pytest.mark.parametrize(
    "content",
    [
        b"families:\n  - 3\n",
        b"families:\n  - id: a\n    variants: 7\n",
        b"families:\n- id: a\n  kind: single\n  pool: open\n  stem: 3\n  options: x\n  variants: []\n",
        b"families: []\nquestions:\n- id: a\nfamilies:\n- {id: b}\n",
        b'{"families": [{"id": 3}, 4, {"variants": {}}], "questions": [{}]}',
        b'{"families": [{"id": "a", "kind": "single", "pool": "open", "stem": "{clause}", "options": [{"slot": [], '
        b'"text": 1, "tempts": 2}], "variants": [{"id": 1, "title": 2, "clause": "c", "key": [[]], "why": {}}]}]}',
    ],
)
def test_junk_for_a_family_is_skipped_with_a_reason(content):
    name = "json" if content.startswith(b"{") else "yaml"
    found = read(name, content)
    assert found
    assert all(isinstance(each, Skipped) and each.reason for each in found)


def test_a_family_of_too_many_variants_is_refused():
    rows = [
        {"id": str(n), "title": "t", "clause": f"c{n}", "key": [1], "why": {1: "w"}, "clues": []} for n in range(99)
    ]
    family = {"id": "f", "pool": "open", "kind": "single", "stem": "a {clause}", "variants": rows}
    family["options"] = [{"slot": 1, "text": "a", "tempts": "b"}]
    (found,) = read("json", json.dumps({"families": [family]}).encode())
    assert isinstance(found, Skipped)


def test_a_question_naming_a_family_being_edited_here_is_imported_alone():
    exam = make_exam()
    publish_drafts(exam, variants(size=2))
    newcomer = changed(variants()[2], key="newcomer")
    assert take(exam, [item_of_draft(newcomer)]) == ["new"]
    row = Question.objects.get(key="newcomer")
    assert (row.family, row.clause, row.stem) == (None, "", newcomer.stem)
    assert set(Family.objects.get().questions.values_list("desk", flat=True)) == {Desk.NOTHING}


def test_a_question_that_differs_in_its_familys_shared_text_is_imported_alone():
    exam = make_exam()
    one, two, _ = variants()
    take(exam, [item_of_draft(one), item_of_draft(changed(two, pool="reserved"))])
    assert list(Family.objects.get().questions.values_list("key", flat=True)) == ["q1-1"]


def test_importing_a_changed_item_leaves_its_family_alone():
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
    assert figures(said.getvalue())[:2] == [3, 3]


@pytest.mark.parametrize(("name", "families"), [("yaml", True), ("gift", False)])
def test_there_is_no_warning_if_nothing_is_left_out(name, families, tmp_path):
    exam = make_exam()
    if families:
        publish_drafts(exam, variants())
    else:
        add_questions(exam, 1)
    said = io.StringIO()
    call_command("export_questions", exam="pmle", format=name, out=tmp_path / "out", stderr=said)
    assert "families" not in said.getvalue()


def test_an_item_imported_before_there_were_families_is_still_recognised():
    assert digest(item_of_draft(draft(1))) == BEFORE_FAMILIES
    assert digest(item_of_draft(dataclasses.replace(draft(1), objectives=("1.1.a",)))) != BEFORE_FAMILIES
