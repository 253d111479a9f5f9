"""Check what ``manage.py lint_bank`` prints and waives and when it fails, without a database."""

import datetime as dt
import io
import json
import re
import shutil
from pathlib import Path
from unittest.mock import ANY

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from questions.bank_files.readings.rules.items import read_units
from questions.bank_files.readings.rules.records import OptionsReading, Readings, as_text
from questions.lint.rules import RULES
from tests.questions.test_bank_loading import EXAM, file, question
from tests.support.hooks import figures

FIXTURES = Path(__file__).parents[3] / "fixtures"
ID = re.compile(r"^\s*- id: ([\w-]+)$", re.M)
STEM = (
    "Case {n} speaks of amber lamps in the long hall, and "
    + " ".join(f"n{{n}}w{i}" for i in range(40))
    + ". Which is it?"
)
VAGUE = "Lamp 1 of 2 as required"


def sound(n: int, **changes: str) -> str:
    """Return a question without any findings."""
    return question(n, **{"stem": STEM.format(n=n)} | changes)


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "demo" / "questions").mkdir(parents=True)
    (tmp_path / "demo" / "exam.yaml").write_text(EXAM)
    write(tmp_path, file(sound(1), sound(2)))
    return tmp_path


def write(folder: Path, text: str, name: str = "one.yaml") -> Path:
    path = folder / "demo" / "questions" / name
    path.write_text(text)
    return path


def run(path: Path, *options: str) -> tuple[str, str]:
    """Return what the command printed and the error it failed with."""
    out = io.StringIO()
    try:
        call_command("lint_bank", str(path), *options, stdout=out)
    except CommandError as error:
        return out.getvalue(), str(error)
    return out.getvalue(), ""


def line_of(path: Path, start: str) -> int:
    return max(i for i, line in enumerate(path.read_text().splitlines(), 1) if line.strip().startswith(start))


@pytest.mark.parametrize("left_out", ["pmle", pytest.param("nothing", marks=pytest.mark.long("whole bank"))])
def test_the_projects_own_bank_is_clean(tmp_path, left_out):
    """The smaller exam is linted every day, both in the long tier."""
    shutil.copytree(FIXTURES, tmp_path / "fixtures", ignore=shutil.ignore_patterns(left_out))
    out, failed = run(tmp_path / "fixtures")
    assert failed == "", out
    assert figures(out.splitlines()[-1])[-2:] == [0, 0], "warnings are fixed, not waived"
    assert "allowed by" not in out


def test_a_sound_bank_prints_its_figures_and_counts(folder):
    out, failed = run(folder)
    assert failed == ""
    start = f"{folder / 'demo'}: "
    [line] = [line for line in out.splitlines() if line.startswith(start)]
    assert figures(line.removeprefix(start))[:2] == [2, 0]
    assert figures(out.splitlines()[-1]) == [2, 0, 0, 0]


def test_a_finding_names_file_line_severity_rule_question_field_and_fix(folder):
    path = write(folder, file(sound(1), sound(2, explanation="As option B says here.")))
    out, failed = run(folder)
    start = f"{path}:{line_of(path, 'explanation:')}: refuse letter [case-2] explanation: "
    [line] = [line for line in out.splitlines() if line.startswith(start)]
    message, fix = line.removeprefix(start).split(" — ")
    assert "“option B”" in message
    assert fix == RULES["letter"].fix
    assert figures(failed) == [1, 0]


def vague(*waive: str) -> str:
    return sound(2).replace("text: Lamp 1 of 2,", f"text: {VAGUE},") + "".join(f"    {line}\n" for line in waive)


def test_a_warning_fails_until_it_is_waived_with_a_reason(folder):
    path = write(folder, file(sound(1), vague()))
    out, failed = run(folder)
    assert f"{path}:{line_of(path, '- {slot: 1')}: warn vague-key [case-2] options[0].text: " in out
    assert figures(failed) == [0, 1]
    path = write(folder, file(sound(1), vague("waive:", "  vague-key: It quotes a command.")))
    out, failed = run(folder)
    assert failed == ""
    at = f"{path}:{line_of(path, 'vague-key:')}"
    assert f"{at}: waived vague-key [case-2] 1: It quotes a command." in out
    assert figures(out.splitlines()[-1])[-2:] == [1, 1]


@pytest.mark.parametrize("rule", ["overlap", "no-such-rule", "letter"])
def test_an_unused_waiver_is_reported(folder, rule):
    text = sound(2, explanation="As option B says here.") if rule == "letter" else sound(2)
    path = write(folder, file(sound(1), f"{text}    waive:\n      {rule}: Because.\n"))
    out, failed = run(folder)
    assert failed
    at = f"{path}:{line_of(path, rule + ':')}"
    assert f"{at}: warn stale-waiver [case-2] waive.{rule}: “{rule}” " in out
    assert ("refuse letter" in out) == (rule == "letter")


@pytest.mark.parametrize("waive", ["waive: yes please", "waive: {overlap: ''}", "waive: [overlap]"])
def test_a_waiver_needs_a_rule_and_a_reason(folder, waive):
    write(folder, file(sound(1), f"{sound(2)}    {waive}\n"))
    out, _ = run(folder)
    assert "refuse format [case-2] waive" in out


def test_sentences_ids_and_near_duplicates_are_reported_across_files(folder):
    again = "The lamp glows in the long dark night."
    write(folder, file(sound(1, explanation=again)))
    twin = STEM.format(n=1).replace("Case 1", "Case 3")
    path = write(folder, file(sound(1, explanation="Other."), sound(3, explanation=again, stem=twin)), "two.yaml")
    out, _ = run(folder)
    assert f"{path}:{line_of(path, '- id: case-1')}: refuse id-twice [case-1] id: is also in one.yaml" in out
    assert f"{path}:{line_of(path, 'explanation:')}: refuse repeated [case-3] explanation: is also in “case-1”" in out
    assert f"{path}:{line_of(path, 'stem:')}: warn near-duplicate [case-3] stem: " in out


def test_one_file_is_checked_beside_the_rest_of_its_exam_and_reported_alone(folder):
    again = "The lamp glows in the long dark night."
    bad = write(folder, file(sound(4, sources="[]")), "bad.yaml")
    write(folder, file(sound(1, explanation=again)))
    path = write(folder, file(sound(3, explanation=again, phrase="green lamps")), "two.yaml")
    out, failed = run(path)
    assert figures(failed) == [2, 0]
    assert "refuse repeated [case-3]" in out
    assert "refuse clue [case-3]" in out
    assert str(bad) not in out
    assert figures(out.splitlines()[-1])[:2] == [1, 0]
    assert "case-4" in run(folder / "demo")[0]


def test_a_file_outside_the_folder_of_questions_is_checked_with_its_exam(folder):
    waiting = folder / "demo" / "waiting"
    waiting.mkdir()
    path = waiting / "new.yaml"
    path.write_text(file(sound(1, explanation="Other words.")))
    out, _ = run(path)
    assert f"{path}:{line_of(path, '- id: case-1')}: refuse id-twice [case-1]" in out
    assert run(folder)[1] == ""


def test_a_question_file_without_an_exam_is_checked_by_itself(tmp_path):
    path = tmp_path / "loose.yaml"
    path.write_text(file(sound(1), sound(2, sources="[]")))
    out, failed = run(path)
    assert figures(failed) == [1, 0]
    assert f"{path}:{line_of(path, 'sources: []')}: refuse source [case-2]" in out


def test_unknown_names_and_unreadable_files_are_reported(folder):
    write(folder, file(sound(3).replace("concepts: [c1]", "concepts: [c9]"), domain="nowhere"), "two.yaml")
    write(folder, "domain: one\nquestions: [", "three.yaml")
    out, _ = run(folder)
    unknown = [line for line in out.splitlines() if "refuse unknown [case-3]" in line]
    assert any(" domain: " in line and "“nowhere”" in line for line in unknown)
    assert any(" concepts: " in line and "“c9”" in line for line in unknown)
    assert "three.yaml:3: refuse format file: " in out or "three.yaml:2: refuse format file: " in out


def test_findings_on_targets_name_the_targets_lines(folder):
    exam = folder / "demo" / "exam.yaml"
    exam.write_text(EXAM.replace("blueprints:", "targets:\n  questions: 9\n  difficulty: [30, 45, 25]\nblueprints:", 1))
    out, failed = run(folder)
    assert f"{exam}:{line_of(exam, 'questions: 9')}: warn blueprint-counts targets.questions: 2 " in out
    assert f"{exam}:{line_of(exam, 'difficulty:')}: warn difficulty-mix targets.difficulty: 100% " in out
    assert figures(failed) == [0, 4]
    assert run(folder / "demo" / "questions" / "one.yaml")[1] == ""


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("targets: {unseen: 2}", "unseen"),
        ("targets: {difficulty: [30, 45]}", "difficulty"),
        ("targets: {questions: many}", "questions"),
    ],
)
def test_targets_of_a_wrong_shape_are_refused(folder, line, named):
    exam = folder / "demo" / "exam.yaml"
    exam.write_text(EXAM.replace("blueprints:", f"{line}\nblueprints:", 1))
    out, _ = run(folder)
    start = f"{exam}:{line_of(exam, 'targets:')}: refuse format targets"
    assert [named in told for told in out.splitlines() if told.startswith(start)] == [True]


def files_that_hold(text: str, questions: Path) -> list[Path]:
    """Return only the files with questions that this text names: checking all of them takes four seconds longer."""
    return [path for path in sorted(questions.glob("*.yaml")) if set(ID.findall(path.read_text())) & set(words(text))]


def words(text: str) -> list[str]:
    return re.findall(r"[\w-]+", text)


def test_modules_and_their_links_are_checked(folder):
    module = folder / "demo" / "modules" / "01-lamps.md"
    module.parent.mkdir()
    module.write_text("no front matter")
    assert f"{module}:1: refuse module module: " in run(folder)[0]
    sound_one = FIXTURES / "pmle"
    name = "01-ml-with-sql-and-ready-made-models"
    text = (sound_one / "modules" / f"{name}.md").read_text()
    (folder / "pmle").mkdir()
    (folder / "pmle" / "exam.yaml").symlink_to(sound_one / "exam.yaml")
    (folder / "pmle" / "questions").mkdir()
    for each in files_that_hold(text, sound_one / "questions"):
        (folder / "pmle" / "questions" / each.name).symlink_to(each)
    (folder / "glossary.yaml").symlink_to(FIXTURES / "glossary.yaml")
    (folder / "pmle" / "modules").mkdir()
    (folder / "pmle" / "modules" / f"{name}.ipynb").symlink_to(sound_one / "modules" / f"{name}.ipynb")
    copy = folder / "pmle" / "modules" / f"{name}.md"
    copy.write_text(text.replace("## ", "## [Gone](/exams/pmle/modules/9-gone/) ", 1))
    out, _ = run(copy)
    at = next(i for i, line in enumerate(copy.read_text().splitlines(), 1) if "9-gone" in line)
    assert f"{copy}:{at}: refuse link module: " in out
    assert "“/exams/pmle/modules/9-gone/”" in out


def test_the_json_output_has_the_same_findings(folder):
    path = write(folder, file(sound(1, sources="[]"), vague("waive:", "  vague-key: It quotes a command.")))
    out, failed = run(folder, "--json")
    report = json.loads(out)
    assert failed
    assert report["findings"] == [
        {
            "file": str(path),
            "line": line_of(path, "sources: []"),
            "question": "case-1",
            "severity": "refuse",
            "rule": "source",
            "field": "sources",
            "message": ANY,
            "fix": RULES["source"].fix,
        }
    ]
    assert report["findings"][0]["message"]
    assert [(each["rule"], each["reason"]) for each in report["waivers"]] == [("vague-key", "It quotes a command.")]
    assert [each["rule"] for each in report["waivers"][0]["findings"]] == ["vague-key"]
    assert report["counts"] == {
        "questions": 2, "modules": 0, "refused": 1, "warned": 0, "waived": 1, "by_rule": {"source": 1},
    }  # fmt: skip
    assert report["banks"][str(folder / "demo")]["questions"] == 2


def test_a_path_that_does_not_exist_is_reported(tmp_path):
    with pytest.raises(CommandError, match="nothing"):
        call_command("lint_bank", str(tmp_path / "nothing"))


def allowing(folder: Path, number: int) -> None:
    text = EXAM.replace("blueprints:", f"targets: {{allowed: {{vague-key: {number}}}}}\nblueprints:", 1)
    (folder / "demo" / "exam.yaml").write_text(text)


def test_warnings_within_the_targets_allowance_are_counted_separately(folder):
    path = write(folder, file(sound(1), vague()))
    allowing(folder, 1)
    out, failed = run(folder)
    assert failed == ""
    assert re.search(r"allowed\D+1 vague-key$", out, re.MULTILINE)
    assert json.loads(run(folder, "--json")[0])["allowed"][0]["rule"] == "vague-key"
    more = sound(3).replace("text: Lamp 1 of 3,", "text: Lamp 1 of 3 as required,")
    write(folder, file(sound(1), vague(), more))
    out, failed = run(folder)
    assert figures(failed) == [0, 2]
    assert "allowed by" not in out
    assert "warn vague-key [case-2]" in run(path)[0]


@pytest.mark.parametrize("allowed", ["[vague-key]", "{vague-key: many}", "{vague-key: 0}"])
def test_an_allowance_of_the_wrong_shape_is_refused(folder, allowed):
    exam = folder / "demo" / "exam.yaml"
    exam.write_text(EXAM.replace("blueprints:", f"targets: {{allowed: {allowed}}}\nblueprints:", 1))
    assert "refuse format targets.allowed" in run(folder)[0]


def test_a_lone_question_two_readers_hit_is_refused_if_reserved_else_warned_about(folder):
    write(folder, file(sound(1, pool="reserved"), sound(2)))
    units = read_units(folder / "demo")
    readings = [
        OptionsReading(
            unit.key, unit.hash, reader, "person", dt.date(2026, 11, 23), (1,), 3, False, "one", "single", 1, 1, 0.25
        )
        for unit in units
        for reader in ("R1", "R2")
    ]
    path = folder / "demo" / "readings.jsonl"
    path.write_text(as_text(Readings(tuple(readings))))
    out, failed = run(folder)
    assert "refuse guessable [case-1] options: two readers hit the key" in out
    assert "warn guessable [case-2] options: two readers hit the key" in out
    assert figures(failed) == [1, 1]
    path.write_text(as_text(Readings(tuple(readings[:1] + readings[2:3]))))
    assert run(folder)[1] == ""
    path.write_text("options: 3")
    assert "refuse format" in run(folder)[0]


def test_stale_sources_are_listed_with_products_that_are_ending(folder):
    ancient = "[{title: Page, url: 'https://vendor.example/p', as_of: 2020-01-31}]"
    never = "[{title: Page, url: 'https://vendor.example/p'}]"
    today = f"[{{title: Page, url: 'https://vendor.example/p', as_of: {timezone.localdate()}}}]"
    named = sound(4, explanation="Old lamps are lit.", sources=today)
    path = write(folder, file(sound(1, sources=ancient), sound(2, sources=never), sound(3, sources=today), named))
    (folder / "glossary.yaml").write_text(
        "terms: {lamps: {name: Old lamps, status: deprecated, ends: 2027-03-16, source: 'https://e.example/p'}}"
    )
    out, failed = run(folder, "--stale", "90")
    at = [i for i, line in enumerate(path.read_text().splitlines(), 1) if line.startswith("    sources")]
    assert out.splitlines() == [
        f"{path}:{at[1]}: [case-2] a source never opened",
        f"{path}:{at[0]}: [case-1] a source last opened on 2020-01-31",
        f"{folder / 'demo'}: Old lamps is deprecated, ends on 2027-03-16: case-4",
    ]
    assert failed == ""


TELLS = "The lamp is lit by amber glass, a brass valve and coal gas together."


def test_a_sentence_that_may_reveal_another_questions_key_is_reported_until_reviewed(folder):
    told = sound(2).replace("text: Lamp 1 of 2,", "text: Amber glass with a brass valve and coal gas,")
    others = [sound(n, pool="reserved") for n in range(3, 60)]
    path = write(folder, file(sound(1, explanation=TELLS), told, *others))
    out, _ = run(folder)
    assert f"{path}:{min(i for i, line in enumerate(path.read_text().splitlines(), 1) if TELLS in line)}: warn" in out
    assert "warn cueing [case-1] explanation: may tell the key of “case-2” (public): " in out
    judged = folder / "demo" / "cueing.yaml"
    row = "{tells: case-1, about: case-2, verdict: VERDICT, why: It names parts only., reader: R1, on: 2026-11-23}"
    judged.write_text(f"judged: [{row.replace('VERDICT', 'helps')}]")
    assert "warn cueing [case-1]" in run(folder)[0]
    judged.write_text(f"judged: [{row.replace('VERDICT', 'harmless')}]")
    assert "cueing" not in run(folder)[0]
    judged.write_text(f"judged: [{row.replace('VERDICT', 'fine')}]")
    assert f"{judged}:1: refuse format judged[0].verdict: must be harmless or helps" in run(folder)[0]
