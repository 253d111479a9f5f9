"""Check that a bank fails lint when its readings or the cue probe leave the exam's targets."""

import datetime as dt
import random
from dataclasses import replace

import pytest

from questions.bank_files.readings.rules.findings import readings_say
from questions.bank_files.readings.rules.gates import lint_readings
from questions.bank_files.readings.rules.items import Unit
from questions.bank_files.readings.rules.material import Material
from questions.bank_files.readings.rules.records import OptionsReading, PromptReading, Readings, as_text
from questions.bank_files.rules.folder import read_exam_folder
from questions.catalogue.rules.exam_file import Targets
from tests.questions.readings.test_cue_probe import families, item, lone
from tests.questions.test_bank_loading import EXAM, file, question

DAY = dt.date(2026, 11, 29)


def guessed(unit: Unit, right: bool) -> OptionsReading:
    slot = unit.first.right[0] if right else unit.first.right[0] % 4 + 1
    return OptionsReading(
        unit.key, unit.hash, "R1", "person", DAY, (slot,), 3, False, "one", "single", 1, int(right), 0.25
    )


def read(key: str, verdict: str = "sound", agrees: bool = True, reader: str = "R1") -> PromptReading:
    return PromptReading(
        key, "", 1, reader, "person", DAY, (1,), agrees, 3, verdict, "one", "single", note="It says so."
    )


def told(units: list[Unit], readings: Readings, **targets: int) -> set[tuple[str, str]]:
    """Return the rule of each finding, and the row of figures it is about."""
    found = lint_readings(Material("demo", tuple(units), readings=readings), Targets(**targets))
    return {(each.rule, each.message.split(":")[0]) for each in found}


@pytest.mark.parametrize(("right", "fails"), [(4, False), (5, True)])
def test_readers_of_the_options_may_not_do_better_than_the_target_allows(right, fails):
    units = lone(12)  # 4 of 12 is a leak of 0.11, and 5 of 12 one of 0.22
    readings = Readings(options=tuple(guessed(unit, i < right) for i, unit in enumerate(units)))
    assert (("leak", "all") in told(units, readings, leak=12)) == fails
    assert told(units, readings) == set()


def test_a_leak_in_one_pool_is_told_though_the_whole_bank_keeps_to_the_target():
    leaks = Unit("open", (replace(item("open", "open", 1), pool="open"),))
    units = [*lone(12), leaks]
    readings = Readings(options=(*(guessed(unit, i < 3) for i, unit in enumerate(units[:-1])), guessed(leaks, True)))
    assert told(units, readings, leak=10) == {("leak", "public")}


def test_options_that_nobody_has_read_are_no_success():
    assert ("leak", "all") in told(lone(3), Readings(), leak=10)
    assert ("sound-share", "all") in told(lone(3), Readings(), sound=85)


@pytest.mark.parametrize(("sound", "fails"), [(17, False), (16, True)])
def test_enough_questions_must_be_sound(sound, fails):
    units = lone(20)
    readings = Readings(prompts=tuple(read(f"q{n}", "sound" if n < sound else "too easy") for n in range(20)))
    assert (("sound-share", "all") in told(units, readings, sound=85)) == fails


@pytest.mark.parametrize(("given", "fails"), [(1, False), (2, True)])
def test_few_questions_may_be_given_away_by_their_wording(given, fails):
    readings = Readings(prompts=tuple(read(f"q{n}", "given away" if n < given else "sound") for n in range(20)))
    assert (("given-away", "all") in told(lone(20), readings, given_away=5)) == fails


def test_the_last_verdict_on_a_question_counts():
    again = tuple(read(f"q{n}", reader="R2") for n in range(20))
    readings = Readings(prompts=(*(read(f"q{n}", "given away") for n in range(20)), *again))
    assert told(lone(20), readings, given_away=5, sound=85) == set()


def test_the_cue_probe_may_not_beat_chance_by_more_than_the_target():
    cue = " so that it usually stays below 5"
    assert told(lone(80, cue), Readings(), probe=5) == {("cue-probe", row) for row in ("all", "reserved", "single")}
    assert told(families(20), Readings(), probe=5) == set()
    assert told(lone(80, cue), Readings()) == set()


@pytest.mark.parametrize(("row", "field", "value"), [("multiple", "kind", "multiple"), ("public", "pool", "open")])
def test_the_probes_target_applies_to_each_kind_and_pool(row, field, value):
    draw = random.Random(5)
    items = [item(f"c{n}", f"c{n}", draw.randint(1, 4), " always, 5", n) for n in range(40)]
    cued = [Unit(each.key, (replace(each, **{field: value}),)) for each in items]
    assert ("cue-probe", row) in told([*families(60), *cued], Readings(), probe=5)


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "demo" / "questions").mkdir(parents=True)
    (tmp_path / "demo" / "exam.yaml").write_text(EXAM.replace("blueprints:", "targets: {sound: 85}\nblueprints:", 1))
    (tmp_path / "demo" / "questions" / "one.yaml").write_text(file(question(1), question(2)))
    return tmp_path / "demo"


def found_in(folder, *prompts: PromptReading) -> list[tuple[str, str, str, str]]:
    (folder / "readings.jsonl").write_text(as_text(Readings(prompts=prompts)))
    found = readings_say(read_exam_folder(folder))
    return [(each.path.name, each.question, each.problem.severity, each.problem.rule) for each in found]


@pytest.mark.parametrize("verdict", ["two defensible", "wrong fact"])
def test_a_question_with_an_open_verdict_is_refused(folder, verdict):
    found = found_in(folder, read("case-1"), read("case-2", verdict))
    assert ("one.yaml", "case-2", "refuse", "open-verdict") in found
    assert ("one.yaml", "case-1", "refuse", "open-verdict") not in found
    assert found_in(folder, read("case-1"), read("case-2", verdict), read("case-2", reader="R2")) == []


def test_a_question_whose_last_reader_differs_from_the_key_is_refused(folder):
    assert found_in(folder, read("case-1"), read("case-2", agrees=False)) == [
        ("one.yaml", "case-2", "refuse", "disputed")
    ]
    assert found_in(folder, read("case-1"), read("case-2", agrees=False), read("case-2", reader="R2")) == []


def test_a_missed_target_is_reported_at_its_line_of_the_exams_file(folder):
    assert ("exam.yaml", "", "warn", "sound-share") in found_in(folder, read("case-1"))
