"""Check how the table of the bank is made and that the README shows the current one."""

import dataclasses
from pathlib import Path

import pytest

from questions.bank_files.readings.rules.gates import Read, bank_tables, gates_table
from questions.bank_files.rules.folder import read_unchecked
from questions.bank_files.rules.table import exam_table, with_table
from tests.questions.lint.finding import an_exam, with_options
from tests.questions.test_bank_loading import EXAM, file, question, write
from tests.support.bank import changed, draft
from tests.support.hooks import figures

BASE = Path(__file__).parents[3]


def test_the_readme_shows_the_current_table_of_the_bank():
    readme = (BASE / "README.md").read_text(encoding="utf-8")
    for mark, table in bank_tables(BASE / "fixtures", BASE / "docs" / "second-reading").items():
        assert with_table(readme, table, mark) == readme, "run scripts/bank_table.py --write"


def test_a_row_counts_questions_pools_kinds_difficulties_words_positions_and_lengths():
    questions = [
        changed(with_options("A much longer thing", "Thing", "Thing b", "Thing c"), stem="four words stand here"),
        changed(
            with_options("One", "Two", "Three", "A much longer thing", "Five", right=(1, 3)),
            pool="reserved", difficulty="hard", stem="six words stand here, not four",
        ),
        dataclasses.replace(draft(3), domain="d2", difficulty="easy", second_reader="Somebody"),
    ]  # fmt: skip
    readings = ["| Questions read | 2 (1 here) |\n| Disagreements with the key | 1 |", "| Questions read | 1 |"]
    lines = exam_table(an_exam(), questions, readings).splitlines()
    assert lines[4] == (
        "| 1 Storing Data | 2 | 1 | 1 | 1 (50%) | 0 / 1 / 1 | 5 | 1 / 0 / 0 / 0 | 1 of 1 single, 0 of 1 multiple |"
    )
    assert lines[5].startswith("| 2 Moving Data | 1 | 1 | 0 | 0 (0%) | 1 / 0 / 0 | 14 | 1 / 0 / 0 / 0 | 0 of 1 single")
    assert lines[6].startswith("| **All** | **3** | **2** | **1** |")
    assert figures(lines[8])[-5:] == [1, 1, 3, 3, 1]


def test_a_gate_shows_the_figure_and_its_limit_for_each_exam(tmp_path):
    (tmp_path / "demo" / "questions").mkdir(parents=True)
    (tmp_path / "demo" / "exam.yaml").write_text(EXAM.replace("blueprints:", "targets: {public: 3}\nblueprints:", 1))
    write(tmp_path, file(question(1), question(2, pool="reserved"), question(3)))
    table = gates_table([Read.of(read_unchecked(tmp_path / "demo"))])
    head, _, public, *rest = [row.split(" | ")[-1].strip("| ") for row in table.splitlines()]
    assert head == "demo"
    assert figures(public) == [2, 3]
    assert [figures(cell) for cell in rest] == [[0, 0], [0, 0], [], [0], [0, 0], [0, 0], [0], [0], [0]]


def test_the_table_is_put_between_its_markers():
    text = "before\n<!-- bank -->\nold\n<!-- /bank -->\nafter\n"
    assert with_table(text, "new") == "before\n<!-- bank -->\nnew\n<!-- /bank -->\nafter\n"
    with pytest.raises(ValueError, match="needs <!-- bank -->"):
        with_table("no marks", "new")
