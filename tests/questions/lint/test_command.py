"""``manage.py lint_bank``: what it prints, what it waives, and when it fails. No test here touches a database."""

import io
import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from tests.questions.test_bank_loading import EXAM, file, question

FIXTURES = Path(__file__).parents[3] / "fixtures"
STEM = (
    "Case {n} speaks of amber lamps in the long hall, and "
    + " ".join(f"n{{n}}w{i}" for i in range(40))
    + ". Which is it?"
)
LONG = "'Lamp 1 of 2, which is by far the longest of all'"


def sound(n: int, **changes: str) -> str:
    """A question that no rule finds anything in."""
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
    """What the command printed, and with what it failed."""
    out = io.StringIO()
    try:
        call_command("lint_bank", str(path), *options, stdout=out)
    except CommandError as error:
        return out.getvalue(), str(error)
    return out.getvalue(), ""


def line_of(path: Path, start: str) -> int:
    return max(i for i, line in enumerate(path.read_text().splitlines(), 1) if line.strip().startswith(start))


def test_the_projects_own_bank_is_clean():
    out, failed = run(FIXTURES)
    assert failed == "", out
    assert "waivers over" in out


def test_a_sound_bank_prints_its_figures_and_counts(folder):
    out, failed = run(folder)
    assert failed == ""
    assert f"{folder / 'demo'}: questions 2, multiple 0 %" in out
    assert "2 questions, 0 modules: nothing found; 0 waivers over 0 findings." in out


def test_a_finding_names_file_line_severity_rule_question_field_and_fix(folder):
    path = write(folder, file(sound(1), sound(2, explanation="As option B says here.")))
    out, failed = run(folder)
    assert (
        f"{path}:{line_of(path, 'explanation:')}: refuse letter [case-2] explanation: "
        "cites an option by letter: “option B” — say what the option does instead"
    ) in out
    assert failed == "1 refused, 0 warnings without a waiver."


def longest(*waive: str) -> str:
    return sound(2).replace("text: Lamp 1 of 2,", f"text: {LONG},") + "".join(f"    {line}\n" for line in waive)


def test_a_warning_fails_until_it_is_waived_with_a_reason(folder):
    path = write(folder, file(sound(1), longest()))
    out, failed = run(folder)
    assert f"{path}:{line_of(path, 'options:')}: warn longest-right [case-2] options: " in out
    assert failed == "0 refused, 1 warnings without a waiver."
    path = write(folder, file(sound(1), longest("waive:", "  longest-right: It quotes a command.")))
    out, failed = run(folder)
    assert failed == ""
    at = f"{path}:{line_of(path, 'longest-right:')}"
    assert f"{at}: waived longest-right [case-2] 1: It quotes a command." in out
    assert "1 waivers over 1 findings." in out


@pytest.mark.parametrize(
    ("rule", "reason"),
    [
        ("overlap", "finds nothing here any more"),
        ("no-such-rule", "is not a rule"),
        ("letter", "refuses, and cannot be waived"),
    ],
)
def test_a_waiver_that_silences_nothing_is_told(folder, rule, reason):
    text = sound(2, explanation="As option B says here.") if rule == "letter" else sound(2)
    path = write(folder, file(sound(1), f"{text}    waive:\n      {rule}: Because.\n"))
    out, failed = run(folder)
    assert failed
    at = f"{path}:{line_of(path, rule + ':')}"
    assert f"{at}: warn stale-waiver [case-2] waive.{rule}: “{rule}” {reason}" in out
    assert ("refuse letter" in out) == (rule == "letter")


@pytest.mark.parametrize("waive", ["waive: yes please", "waive: {overlap: ''}", "waive: [overlap]"])
def test_a_waiver_needs_a_rule_and_a_reason(folder, waive):
    write(folder, file(sound(1), f"{sound(2)}    {waive}\n"))
    out, _ = run(folder)
    assert "refuse format [case-2] waive" in out


def test_sentences_ids_and_near_duplicates_are_told_across_files(folder):
    again = "The lamp glows in the long dark night."
    write(folder, file(sound(1, explanation=again)))
    twin = STEM.format(n=1).replace("Case 1", "Case 3")
    path = write(folder, file(sound(1, explanation="Other."), sound(3, explanation=again, stem=twin)), "two.yaml")
    out, _ = run(folder)
    assert f"{path}:{line_of(path, '- id: case-1')}: refuse id-twice [case-1] id: stands in one.yaml too" in out
    assert f"{path}:{line_of(path, 'explanation:')}: refuse repeated [case-3] explanation: stands in “case-1”" in out
    assert f"{path}:{line_of(path, 'stem:')}: warn near-duplicate [case-3] stem: " in out


def test_one_file_is_checked_beside_the_rest_of_its_exam_and_reported_alone(folder):
    again = "The lamp glows in the long dark night."
    bad = write(folder, file(sound(4, sources="[]")), "bad.yaml")
    write(folder, file(sound(1, explanation=again)))
    path = write(folder, file(sound(3, explanation=again, phrase="green lamps")), "two.yaml")
    out, failed = run(path)
    assert failed == "2 refused, 0 warnings without a waiver."
    assert "refuse repeated [case-3]" in out
    assert "refuse clue [case-3]" in out
    assert str(bad) not in out
    assert "1 questions, 0 modules" in out
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
    assert failed == "1 refused, 0 warnings without a waiver."
    assert f"{path}:{line_of(path, 'sources: []')}: refuse source [case-2]" in out


def test_what_the_exam_does_not_have_and_what_cannot_be_read_is_told(folder):
    write(folder, file(sound(3).replace("concepts: [c1]", "concepts: [c9]"), domain="nowhere"), "two.yaml")
    write(folder, "domain: one\nquestions: [", "three.yaml")
    out, _ = run(folder)
    assert "refuse unknown [case-3] domain: “nowhere”" in out
    assert "refuse unknown [case-3] concepts: “c9”" in out
    assert "three.yaml:3: refuse format [file] file: " in out or "three.yaml:2: refuse format [file] file: " in out


def test_the_bank_is_held_to_its_exams_targets_at_their_lines(folder):
    exam = folder / "demo" / "exam.yaml"
    exam.write_text(EXAM.replace("blueprints:", "targets:\n  questions: 9\n  difficulty: [30, 45, 25]\nblueprints:", 1))
    out, failed = run(folder)
    assert f"{exam}:{line_of(exam, 'questions: 9')}: warn blueprint-counts targets.questions: 2 questions" in out
    assert f"{exam}:{line_of(exam, 'difficulty:')}: warn difficulty-mix targets.difficulty: 100 % are easy" in out
    assert failed == "0 refused, 4 warnings without a waiver."
    assert run(folder / "demo" / "questions" / "one.yaml")[1] == ""


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("targets: {unseen: 2}", "is not a field"),
        ("targets: {difficulty: [30, 45]}", "needs 3 numbers"),
        ("targets: {questions: many}", "must be a whole number"),
    ],
)
def test_targets_of_a_wrong_shape_are_refused(folder, line, reason):
    exam = folder / "demo" / "exam.yaml"
    exam.write_text(EXAM.replace("blueprints:", f"{line}\nblueprints:", 1))
    out, _ = run(folder)
    assert f"{exam}:{line_of(exam, 'targets:')}: refuse format targets" in out
    assert reason in out


def test_modules_and_their_links_are_checked(folder):
    module = folder / "demo" / "modules" / "01-lamps.md"
    module.parent.mkdir()
    module.write_text("no front matter")
    assert f"{module}:1: refuse module module: has no front matter" in run(folder)[0]
    sound_one = FIXTURES / "pmle"
    name = "01-ml-with-sql-and-ready-made-models"
    text = (sound_one / "modules" / f"{name}.md").read_text()
    (folder / "pmle").mkdir()
    for each in ("exam.yaml", "questions"):
        (folder / "pmle" / each).symlink_to(sound_one / each)
    (folder / "glossary.yaml").symlink_to(FIXTURES / "glossary.yaml")
    (folder / "pmle" / "modules").mkdir()
    (folder / "pmle" / "modules" / f"{name}.ipynb").symlink_to(sound_one / "modules" / f"{name}.ipynb")
    copy = folder / "pmle" / "modules" / f"{name}.md"
    copy.write_text(text.replace("## ", "## [Gone](/exams/pmle/modules/9-gone/) ", 1))
    out, _ = run(copy)
    at = next(i for i, line in enumerate(copy.read_text().splitlines(), 1) if "9-gone" in line)
    assert f"{copy}:{at}: refuse link module: a link leads to “/exams/pmle/modules/9-gone/”, which is not there" in out


def test_json_says_the_same(folder):
    path = write(folder, file(sound(1, sources="[]"), longest("waive:", "  longest-right: It quotes a command.")))
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
            "message": "needs at least one source",
            "fix": "name the page where the facts were checked",
        }
    ]
    assert [(each["rule"], each["reason"]) for each in report["waivers"]] == [("longest-right", "It quotes a command.")]
    assert [each["rule"] for each in report["waivers"][0]["findings"]] == ["longest-right"]
    assert report["counts"] == {
        "questions": 2, "modules": 0, "refused": 1, "warned": 0, "waived": 1, "by_rule": {"source": 1},
    }  # fmt: skip
    assert report["banks"][str(folder / "demo")]["questions"] == 2


def test_a_path_that_is_not_there_is_told(tmp_path):
    with pytest.raises(CommandError, match="is not there"):
        call_command("lint_bank", str(tmp_path / "nothing"))
