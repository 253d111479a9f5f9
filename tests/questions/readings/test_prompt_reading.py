"""Check that ``manage.py prompt_reading`` shows one prompt and no sibling and records a verdict, without a database."""

import io
import json
import re

import pytest
import yaml
from django.core.management import CommandError, call_command

from questions.bank_files.readings.rules.figures import as_table, bank_rows
from questions.bank_files.readings.rules.material import read_material
from questions.bank_files.readings.rules.records import as_text, read_readings
from tests.questions.readings.bank import an_exam_folder, family, refused, write
from tests.support.hooks import figures


@pytest.fixture
def folder(tmp_path):
    return an_exam_folder(tmp_path)


def run(folder, *args: str) -> str:
    out = io.StringIO()
    call_command("prompt_reading", "--fixtures", str(folder.parent), *args, stdout=out)
    return out.getvalue()


def drawn(folder, *args: str, reader: str = "R1", n: int = 20) -> dict:
    sheet = folder.parent / "sheet.yaml"
    run(folder, "draw", "--exam", "demo", "--n", str(n), "--out", str(sheet), "--reader", reader, *args)
    return yaml.safe_load(sheet.read_text())


def taken(folder, sheet: dict) -> str:
    path = folder.parent / "back.yaml"
    path.write_text(yaml.safe_dump(sheet))
    return run(folder, "take", str(path))


def answered(sheet: dict, slot: int = 1, verdict: str = "sound", note: str = "") -> dict:
    for row in sheet["prompts"]:
        row["answer"] = [letter for letter, text in row["options"].items() if text.endswith(f"thing {slot}")]
        row |= {"confidence": 3, "verdict": verdict, "note": note}
    return sheet


def of_families(sheet: dict) -> list[str]:
    return [row["stem"] for row in sheet["prompts"] if "Need" in row["stem"]]


def test_a_reader_sees_one_variant_of_a_family_with_its_label(folder):
    sheet = drawn(folder)
    assert len(sheet["prompts"]) == 8
    assert len(of_families(sheet)) == 2
    assert {row["label"] for row in sheet["prompts"]} == {"easy", "hard"}
    assert "{clause}" not in str(sheet)
    assert "fam-1" not in str(sheet)


def test_a_stems_line_breaks_are_kept(folder):
    drawn(folder)
    asked = (folder.parent / "sheet.yaml").read_text().splitlines()
    assert "    What should you do?" in asked


def test_a_reader_of_one_sibling_gets_no_other(folder):
    taken(folder, answered(drawn(folder)))
    with refused("nothing-left"):
        drawn(folder)
    assert of_families(drawn(folder, reader="R2"))


def test_the_variant_with_the_fewest_readings_comes_first(folder):
    seen = []
    for reader in ("R1", "R2", "R3"):
        sheet = drawn(folder, reader=reader)
        seen += of_families(sheet)
        taken(folder, answered(sheet))
    assert len(set(seen)) == 6


def test_an_answer_is_compared_with_the_key(folder):
    said = taken(folder, answered(drawn(folder), 1))
    prompts = read_material(folder).readings.prompts
    assert {each.question: each.agrees for each in prompts if each.question.startswith("lone")} == {
        f"lone-{n}": n % 4 == 0 for n in range(6)
    }
    agree = sum(each.agrees for each in prompts)
    assert figures(said.partition(" Recorded ")[0]) == [agree, 8, 8]


@pytest.mark.parametrize(
    ("field", "value", "code"),
    [
        ("answer", [], "letters"),
        ("confidence", 0, "confidence"),
        ("verdict", "fine", "verdict"),
        ("verdict", "too easy", "no-note"),
        ("stem", "Another stem", "unknown-prompt"),
    ],
)
def test_an_incomplete_sheet_is_refused_as_a_whole(folder, field, value, code):
    sheet = answered(drawn(folder))
    sheet["prompts"][2][field] = value
    with refused(code):
        taken(folder, sheet)
    assert not (folder / "readings.jsonl").exists()


def test_a_sheet_is_accepted_once(folder):
    sheet = answered(drawn(folder))
    taken(folder, sheet)
    with refused("taken-before"):
        taken(folder, sheet)


def test_the_last_verdict_counts_until_the_prompt_is_rewritten(folder):
    for reader, verdict in (("R1", "too easy"), ("R2", "sound")):
        sheet = drawn(folder, "--wrote", "two", reader=reader)
        taken(folder, answered(sheet, verdict=verdict, note="Said plainly."))
    taken(folder, answered(drawn(folder, "--wrote", "one", reader="R3"), verdict="given away", note="The clause."))
    rows = {row.name: row for row in bank_rows(read_material(folder), False, {})}
    assert (rows["all"].share("sound"), rows["all"].expired) == (1.0, 0)
    assert [each.round for each in read_material(folder).readings.prompts if each.question == "lone-1"] == [1, 2]
    changed = [{**each, "stem": "Another {clause}"} for each in (family(1), family(2))]
    write(folder, "waiting/two.yaml", {"domain": "two", "families": changed})
    waiting = {row.name: row for row in bank_rows(read_material(folder), True, {"all": "25%"})}
    assert (waiting["two"].share("given away"), waiting["two"].expired) == (1.0, 2)
    table = as_table(list(waiting.values()))
    assert re.search(r"^2 of ", table, re.MULTILINE)
    assert "| all | 6 | not read | not read | 25% | 2 |" in table


@pytest.mark.parametrize(
    ("field", "value"),
    [("agrees", None), ("on", "yesterday"), ("on", 3), ("verdict", "fine"), ("answered", ["A"]), ("answers", [1])],
)
def test_an_unreadable_readings_file_is_reported_with_its_place(folder, field, value):
    taken(folder, answered(drawn(folder)))
    path = folder / "readings.jsonl"
    first, second, *_ = path.read_text(encoding="utf-8").splitlines()
    row = {name: each for name, each in {**json.loads(second), field: value}.items() if each is not None}
    path.write_text(f"{first}\n{json.dumps(row)}\n", encoding="utf-8")
    with pytest.raises(CommandError, match=rf"readings\.jsonl: line 2\.{field}: "):
        drawn(folder, reader="R9")


@pytest.mark.parametrize("line", ["{", "", "3", "[]", "null"])
def test_a_line_that_holds_no_reading_is_reported(folder, line):
    (folder / "readings.jsonl").write_text(f"{line}\n", encoding="utf-8")
    with pytest.raises(CommandError, match="line 1: "):
        drawn(folder)


def test_a_readings_file_is_read_as_it_was_written(folder):
    taken(folder, answered(drawn(folder), verdict="unnatural", note="A “quoted”\nline, \u2028 and \x85"))
    path = folder / "readings.jsonl"
    assert as_text(read_readings(path)) == path.read_text(encoding="utf-8")
