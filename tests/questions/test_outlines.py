"""An outline is read beside exam.yaml, stored whole or not at all, and unchanged by loading it again."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.conf import settings
from django.db import connection
from django.test.utils import CaptureQueriesContext

from questions.bank_files.load import load_bank
from questions.bank_files.rules.checks import check_path
from questions.bank_files.rules.folder import read_exam_file
from questions.bank_files.rules.outlines import read_outlines
from questions.catalogue.rules.outline_file import Outline
from questions.lint.reads import known_names
from questions.models import Blueprint, BlueprintDomain, Exam, Objective
from tests.questions.test_bank_loading import EXAM, file, question
from tests.support.bank import NOW

pytestmark = pytest.mark.django_db

FIXTURES = Path(settings.BASE_DIR) / "fixtures"
OUTLINE = """
blueprint: now
name: Guide
in_force_from: 2026-06-01
sources:
  - {n: 1, title: The guide, url: "https://vendor.example/guide", copy: false}
  - {n: 2, title: A transcript, find_by: "some words", copy: true, opened: 2026-11-23, note: Whole.}
logistics:
  questions: {least: 8, most: 12, sources: [2]}
  fee_usd: {value: 200, plus_tax: true, sources: [1, 2]}
sections:
  - number: "1"
    printed_name: Part one
    weight: "60"
    domain: one
    objectives:
      - number: "1.1"
        printed_name: Doing things
        ours: Do what has to be done.
        points:
          - {number: 1.1.a, ours: Begin., products: [Lamp]}
          - {number: 1.1.b, ours: Go on., products: []}
  - number: "2"
    printed_name: Part two
    weight: "41.5"
    domain: two
    objectives:
      - {number: "2.1", printed_name: Ending things, ours: Stop., products: [Switch], points: []}
changed:
  compared_with: then
  weights: [{section: "1", former: "50", now: "60"}]
  came: [{where: "1.1", what: Lamps.}]
  renamed: [{former: Light, now: Lamp, source: 2}]
notes: [Nobody opened the guide.]
"""
READ = yaml.safe_load(OUTLINE)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "demo" / "outlines").mkdir(parents=True)
    (tmp_path / "demo" / "exam.yaml").write_text(EXAM)
    write(tmp_path, OUTLINE)
    return tmp_path


def write(folder: Path, text: str, name: str = "now.yaml") -> None:
    (folder / "demo" / "outlines" / name).write_text(text)


def test_an_outline_is_stored_with_its_numbers_names_and_points(folder: Path) -> None:
    assert load_bank(folder, NOW).counts == {"outlines new": 1}
    rows = list(Objective.objects.values_list("number", "parent__number", "domain__key", "name", "words", "products"))
    assert rows == [
        ("1.1", None, "one", "Doing things", "Do what has to be done.", []),
        ("1.1.a", "1.1", "one", "", "Begin.", ["Lamp"]),
        ("1.1.b", "1.1", "one", "", "Go on.", []),
        ("2.1", None, "two", "Ending things", "Stop.", ["Switch"]),
    ]
    assert dict(BlueprintDomain.objects.values_list("name", "number")) == {"Part one": "1", "Part two": "2"}
    blueprint = Blueprint.objects.get()
    assert blueprint.logistics == READ["logistics"]
    assert blueprint.outline_sources == [
        {"n": 1, "title": "The guide", "url": "https://vendor.example/guide", "opened": ""},
        {"n": 2, "title": "A transcript", "url": "", "opened": "2026-11-23"},
    ]
    assert blueprint.changed == READ["changed"]


def test_loading_again_writes_nothing(folder: Path) -> None:
    load_bank(folder, NOW)
    before = list(Objective.objects.values_list("pk", flat=True))
    with CaptureQueriesContext(connection) as asked:
        assert load_bank(folder, NOW).counts == {}
    assert not [q for q in asked.captured_queries if "questions_objective" in q["sql"] and "SELECT" not in q["sql"]]
    assert list(Objective.objects.values_list("pk", flat=True)) == before


def test_a_changed_outline_replaces_the_previous_one(folder: Path) -> None:
    load_bank(folder, NOW)
    write(folder, OUTLINE.replace("          - {number: 1.1.b, ours: Go on., products: []}\n", ""))
    assert load_bank(folder, NOW).counts == {"outlines changed": 1}
    assert list(Objective.objects.values_list("number", flat=True)) == ["1.1", "1.1.a", "2.1"]


@pytest.mark.parametrize(
    ("old", "new", "line", "field", "reason"),
    [
        ("blueprint: now", "blueprint: soon", 2, "blueprint", "is not a blueprint of exam.yaml"),
        ("name: Guide", "name: Another", 3, "name", "“Guide” in exam.yaml"),
        ("in_force_from: 2026-06-01", "in_force_from: 2026-06-02", 4, "in_force_from", "“2026-06-01” in exam.yaml"),
        ("n: 1, title", "n: 0, title", 6, "sources[0].n", "whole number"),
        ("opened: 2026-11-23", "opened: lately", 7, "sources[1].opened", "a date"),
        ("sources: [2]}", "sources: [3]}", 9, "logistics.questions.sources[0]", "source 3"),
        ("sources: [2]}", "sources: []}", 9, "logistics.questions.sources", "a source"),
        ("questions: {least", "pages: {least", 9, "logistics.pages", "a field"),
        ("plus_tax: true", "plus_tax: maybe", 10, "logistics.fee_usd.plus_tax", "true"),
        ("printed_name: Part one", "printed_name: One", 13, "sections[0].printed_name", "“Part one” in exam.yaml"),
        ('weight: "60"', 'weight: "59"', 14, "sections[0].weight", "“60” in exam.yaml"),
        ('weight: "60"', "weight: lots", 14, "sections[0].weight", "a number"),
        ("domain: one", "domain: three", 15, "sections[0].domain", "weight"),
        ("number: 1.1.b", "number: 1.2.b", 22, "sections[0].objectives[0].points[1].number", "begin with “1.1.”"),
        ("number: 1.1.b", "number: 1.1.a", 11, "sections", "1.1.a"),
        ("ours: Stop.", "theirs: Stop.", 28, "sections[1].objectives[0].theirs", "a field"),
        ('domain: two\n    objectives:', 'domain: one\n    objectives:', 24, "sections[1].printed_name", "“Part one”"),
        ("what: Lamps.", "which: Lamps.", 32, "changed.came[0].which", "a field"),
        ("source: 2}", "source: 7}", 33, "changed.renamed[0].source", "source 7"),
        ("notes: [", "notes: {", 34, "file", "expected"),
    ],
)  # fmt: skip
def test_an_error_is_reported_with_its_line_and_nothing_is_stored(
    folder: Path, old: str, new: str, line: int, field: str, reason: str
) -> None:
    assert old in OUTLINE
    write(folder, OUTLINE.replace(old, new, 1))
    [refused] = load_bank(folder, NOW).refused
    assert f"now.yaml:{line}: {field}: " in refused
    assert reason in refused
    assert not Objective.objects.exists()
    assert Blueprint.objects.get().logistics == {}


def test_a_domain_with_a_weight_must_be_in_the_outline(folder: Path) -> None:
    write(folder, OUTLINE.partition('  - number: "2"')[0])
    assert "sections: " in load_bank(folder, NOW).refused[0]


def test_the_desk_offers_the_outlines_numbers(folder: Path) -> None:
    load_bank(folder, NOW)
    assert known_names(Exam.objects.get()).names["objectives"] == {"1.1", "1.1.a", "1.1.b", "2.1"}


def test_lint_reports_errors_in_an_outline_and_questions_that_name_none_of_it(folder: Path) -> None:
    (folder / "demo" / "questions").mkdir()
    named = file(question(1)).replace("    concepts: [c1]\n", '    concepts: [c1]\n    objectives: [1.1.a, "1.2"]\n')
    (folder / "demo" / "questions" / "one.yaml").write_text(named)
    told = [each for each in check_path(folder).findings if each.problem.rule == "unknown-objective"]
    assert [(each.question, each.problem.field) for each in told] == [("case-1", "objectives[1]")]
    write(folder, OUTLINE.replace("ours: Stop.", "theirs: Stop."))
    told = [each for each in check_path(folder).findings if each.path.name == "now.yaml"]
    assert [(each.line, each.problem.severity) for each in told] == [(28, "refuse")]


def test_one_bad_outline_leaves_stored_ones_and_the_others_alone(folder: Path) -> None:
    load_bank(folder, NOW)
    write(folder, OUTLINE.replace("ours: Stop.", "ours: [Stop.]"))
    write(folder, OUTLINE.replace("ours: Stop.", "ours: End."), "other.yaml")
    report = load_bank(folder, NOW)
    assert len(report.refused) == 1
    assert Objective.objects.get(number="2.1").words == "End."


def test_a_blueprint_has_one_outline(folder: Path) -> None:
    write(folder, OUTLINE, "zz.yaml")
    assert "zz.yaml:1: blueprint: “now” has an outline in another file too" in load_bank(folder, NOW).refused[0]


def test_a_folder_without_outlines_loads_as_before(folder: Path) -> None:
    (folder / "demo" / "outlines" / "now.yaml").unlink()
    report = load_bank(folder, NOW)
    assert (report.refused, report.counts) == ([], {})
    assert set(BlueprintDomain.objects.values_list("number", flat=True)) == {""}


@pytest.mark.parametrize("exam", ["ace", "pmle"])
def test_every_guide_of_our_own_exams_has_an_outline(exam: str) -> None:
    parsed = read_exam_file(FIXTURES / exam).exam
    assert parsed is not None
    found: list[Any] = list(read_outlines(FIXTURES / exam, parsed))
    assert [str(each) for each in found if not isinstance(each, Outline)] == []
    assert {each.blueprint for each in found} == {each.key for each in parsed.blueprints}


def test_the_newer_ace_guide_is_current_and_the_former_one_is_kept() -> None:
    parsed = read_exam_file(FIXTURES / "ace").exam
    assert parsed is not None
    told = {b.key: (b.current, b.effective_from, [int(w.weight) for w in b.weights]) for b in parsed.blueprints}
    assert told == {
        "current": (False, dt.date(2025, 6, 30), [23, 30, 27, 20]),
        "june-2026": (True, dt.date(2026, 6, 30), [20, 30, 30, 20]),
    }
