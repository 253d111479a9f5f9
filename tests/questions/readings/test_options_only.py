"""Check what ``manage.py options_only`` shows a reader, accepts and refuses, without a database."""

import io
from itertools import chain
from pathlib import Path
from statistics import median

import pytest
import yaml
from django.core.management import CommandError, call_command

from questions.bank_files.readings.rules.items import read_controls, read_units
from questions.bank_files.readings.rules.leak import both_hit, first, leak_of, present
from questions.bank_files.readings.rules.material import CONTROLS_FILE, read_material
from tests.questions.readings.bank import KEYS, an_exam_folder, family, lone, refused, write
from tests.support.hooks import figures

pytestmark = pytest.mark.long("whole bank")

FIXTURES = Path(__file__).parents[3] / "fixtures"


@pytest.fixture
def folder(tmp_path):
    return an_exam_folder(tmp_path)


def run(folder, *args: str) -> str:
    out = io.StringIO()
    call_command("options_only", "--fixtures", str(folder.parent), *args, stdout=out)
    return out.getvalue()


def drawn(folder, *args: str, reader: str = "R1", n: int = 18) -> dict:
    """Return a sheet as its reader gets it."""
    sheet = folder.parent / "sheet.yaml"
    run(folder, "draw", "--exam", "demo", "--n", str(n), "--out", str(sheet), "--reader", reader, *args)
    return yaml.safe_load(sheet.read_text())


def taken(folder, sheet: dict) -> str:
    path = folder.parent / "back.yaml"
    path.write_text(yaml.safe_dump(sheet))
    return run(folder, "take", str(path))


def answered(sheet: dict, slot: int, controls_missed: int = 0) -> dict:
    """Return the sheet with this slot guessed in every set and all but ``controls_missed`` controls right."""
    missed = 0
    for row in sheet["sets"]:
        want = slot
        if next(iter(row["options"].values())).startswith("control"):
            missed += 1
            want = 2 if missed <= controls_missed else 1
        row["guess"] = [letter for letter, text in row["options"].items() if text.endswith(f"thing {want}")]
        row["confidence"] = 2
    return sheet


def names(sheet: dict) -> set[str]:
    return {row["options"]["A"].rpartition(" thing")[0] for row in sheet["sets"]}


def test_a_sheet_shows_only_option_sets_and_nothing_to_identify_the_bank(folder):
    sheet = drawn(folder)
    assert len(sheet["sets"]) == 18
    assert sum(name.startswith("control") for name in names(sheet)) == 10
    assert sum(name.startswith("family") for name in names(sheet)) == 2
    assert {frozenset(row) for row in sheet["sets"]} == {frozenset({"id", "choose", "options", "guess", "confidence"})}
    text = (folder.parent / "sheet.yaml").read_text()
    for told in ("lone-1", "fam-1", "control-1", "mill", "counts", "tempts", "reserved", "domain"):
        assert told not in text


def test_options_and_controls_are_in_random_order(folder):
    orders, places = set(), set()
    for seed in range(20):
        sheet = drawn(folder, "--seed", str(seed))
        orders |= {tuple(text[-1] for text in row["options"].values()) for row in sheet["sets"]}
        places |= {i for i, row in enumerate(sheet["sets"]) if row["options"]["A"].startswith("control")}
    assert len(orders) > 5
    assert places == set(range(18))


def test_a_reader_gets_no_domain_they_wrote_in_and_no_set_twice(folder):
    assert not any(name.startswith("family") for name in names(drawn(folder, "--wrote", "two")))
    sheet = drawn(folder, n=14)
    taken(folder, answered(sheet, 1))
    again = drawn(folder)
    assert {n for n in names(sheet) & names(again) if not n.startswith("control")} == set()


def test_sets_with_the_fewest_readings_come_first(folder):
    sheet = drawn(folder, n=14)
    taken(folder, answered(sheet, 1))
    other = drawn(folder, reader="R2", n=14)
    assert {n for n in names(sheet) & names(other) if not n.startswith("control")} == set()


def test_a_small_sheet_or_too_few_controls_are_refused(folder):
    with refused("too-small"):
        drawn(folder, n=10)
    write(folder, "controls.yaml", {"controls": []})
    with refused("too-small"):
        drawn(folder)


def test_each_sibling_is_scored_against_the_one_guess(folder):
    said = taken(folder, answered(drawn(folder), 2))
    readings = read_material(folder).readings.options
    of_a_family = [each for each in readings if each.unit == "fam-1"]
    assert [(each.variants, each.hits, each.guess, each.chance) for each in of_a_family] == [(3, 1, (2,), 0.25)]
    lone_hits = sum(n % 4 + 1 == 2 for n in range(6))
    assert figures(said.partition(" Recorded ")[0]) == [lone_hits + 2, 12, 8, 3, 10, 10]


@pytest.mark.parametrize(("missed", "passes"), [(2, True), (3, False)])
def test_a_sheet_with_fewer_than_eight_of_ten_controls_right_is_refused(folder, missed, passes):
    sheet = answered(drawn(folder), 1, controls_missed=missed)
    if passes:
        assert figures(taken(folder, sheet).partition(" Recorded ")[0])[-2:] == [8, 10]
    else:
        with refused("controls-missed"):
            taken(folder, sheet)
        assert not (folder / "readings.jsonl").exists()


@pytest.mark.parametrize("kept", [0, 9])
def test_a_sheet_without_its_controls_is_refused(folder, kept):
    """Nine right of ten controls pass, but nine of nine don't: the reader may have removed one they got wrong."""
    sheet = answered(drawn(folder), 1)
    controls = [row for row in sheet["sets"] if row["options"]["A"].startswith("control")]
    sheet["sets"] = [row for row in sheet["sets"] if row not in controls[kept:]]
    with refused("controls-missed"):
        taken(folder, sheet)
    assert not (folder / "readings.jsonl").exists()


@pytest.mark.parametrize(
    ("field", "value", "code"),
    [
        ("guess", [], "letters"),
        ("guess", ["A", "B"], "letters"),
        ("guess", ["Z"], "letters"),
        ("guess", "A", "letters"),
        ("confidence", 4, "confidence"),
        ("options", {"A": "Another text"}, "unknown-set"),
        ("options", ["A"], "options-changed"),
    ],
)
def test_an_incomplete_sheet_is_refused_as_a_whole(folder, field, value, code):
    sheet = answered(drawn(folder), 1)
    sheet["sets"][3][field] = value
    with refused(code):
        taken(folder, sheet)
    assert not (folder / "readings.jsonl").exists()


@pytest.mark.parametrize("text", ["[", "exam: demo", "sets: []", "exam: demo\nreader: R\nsets: 3"])
def test_a_file_that_is_not_a_sheet_is_refused(folder, text):
    path = folder.parent / "back.yaml"
    path.write_text(text)
    with pytest.raises(CommandError):
        run(folder, "take", str(path))


def test_a_sheet_is_accepted_once(folder):
    sheet = answered(drawn(folder), 1)
    taken(folder, sheet)
    before = (folder / "readings.jsonl").read_text()
    with refused("taken-before"):
        taken(folder, sheet)
    assert (folder / "readings.jsonl").read_text() == before


def test_a_reading_expires_when_its_options_change_but_stays_on_file(folder):
    taken(folder, answered(drawn(folder), 2))
    changed = family(1)
    changed["options"][0]["text"] = "family 1 thing, repaired"
    write(folder, "waiting/two.yaml", {"domain": "two", "families": [changed, family(2)]})
    material = read_material(folder)
    readings = material.readings.options
    assert "fam-1" in {each.unit for each in first(readings)}
    assert {each.unit for each in present(readings, material.units)} >= {"fam-2", "lone-1"}
    assert "fam-1" not in {each.unit for each in present(readings, material.units)}


def test_reordering_or_rewrapping_options_does_not_expire_a_reading(folder):
    taken(folder, answered(drawn(folder), 2))
    turned = family(1)
    turned["options"] = [{**each, "text": each["text"].replace(" ", "\n ")} for each in reversed(turned["options"])]
    write(folder, "waiting/two.yaml", {"domain": "two", "families": [turned, family(2)]})
    material = read_material(folder)
    assert "fam-1" in {each.unit for each in present(material.readings.options, material.units)}


def test_options_that_reveal_nothing_have_no_leak_and_controls_do_not_count(folder):
    for reader, slot in zip(("R1", "R2", "R3", "R4"), (1, 2, 3, 4), strict=True):
        taken(folder, answered(drawn(folder, reader=reader), slot))
    readings = read_material(folder).readings.options
    families = leak_of(each for each in readings if each.unit.startswith("fam"))
    assert (families.questions, families.rate, families.value) == (len(KEYS) * 2, 0.25, 0.0)
    low, high = families.interval
    assert low < 0 < high
    assert leak_of(each for each in readings if each.control) is None


def test_options_that_reveal_everything_have_a_full_leak(folder):
    sheet = drawn(folder)
    for row in answered(sheet, 1)["sets"]:
        name = row["options"]["A"].rpartition(" thing")[0]
        if name.startswith("lone"):
            right = int(name.split()[1]) % 4 + 1
            row["guess"] = [letter for letter, text in row["options"].items() if text.endswith(f"thing {right}")]
    taken(folder, sheet)
    readings = read_material(folder).readings.options
    assert leak_of(each for each in readings if each.unit.startswith("lone")).value == 1.0


def test_a_single_question_that_two_readers_hit_is_flagged(folder):
    taken(folder, answered(drawn(folder, reader="R1"), 1))
    units = {unit.key: unit for unit in read_material(folder).units}
    assert not both_hit(units["lone-0"], read_material(folder).readings.options)
    taken(folder, answered(drawn(folder, reader="R2"), 1))
    readings = read_material(folder).readings.options
    assert {key for key, unit in units.items() if both_hit(unit, readings)} == {"lone-0", "lone-4"}
    assert lone(0)["options"][0]["right"]


@pytest.mark.parametrize("exam", ["pmle", "ace"])
def test_controls_cannot_be_told_from_sets_by_the_length_of_their_options(exam):
    of_sets, of_controls = (
        [[len(text.split()) for _, text in unit.first.options] for unit in units]
        for units in (read_units(FIXTURES / exam), read_controls(FIXTURES / exam / CONTROLS_FILE))
    )
    assert {len(each) for each in of_controls} <= {len(each) for each in of_sets}
    assert min(map(min, of_controls)) >= min(map(min, of_sets))
    assert max(map(max, of_controls)) <= max(map(max, of_sets))
    assert abs(median(chain(*of_controls)) - median(chain(*of_sets))) <= 4
