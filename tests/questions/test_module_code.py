"""The Python in the study modules' texts runs, and prints what its comments say; `make notebooks` runs the rest."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts.module_code import NOT_RUN, Block, blocks, free_names, run, run_all


def test_what_needs_no_package_beyond_the_sites_runs_and_prints_what_its_comments_say() -> None:
    ran, wrong = run_all()
    assert wrong == []
    assert len(ran) >= 12
    assert {each.module for each in ran} >= {"01", "02", "06", "11", "12"}


def test_every_block_is_python_and_those_that_do_not_run_exist() -> None:
    assert NOT_RUN.keys() <= {(each.module, each.number) for each in blocks()}


@pytest.mark.parametrize(
    ("line", "is_wrong"),
    [
        ("print(2 + 2)  # 4", False),
        ("print(2 + 2)  # 5", True),
        ("print(round(0.98765, 2), 3)  # 0.99 and 3 hours", False),
        ("print([0.5, -1])  # [0.5, -1]", False),
        ("print([0.5, -1])  # [0.5, 1]", True),
        ("print(7)  # days, of which 5 are free", False),
        ("x = 7  # 8 would do as well", False),
    ],
)
def test_a_comment_that_begins_with_figures_says_what_its_line_prints(
    line: str, is_wrong: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert bool(run(Block("99", 1, line), {})) is is_wrong


def test_names_from_an_earlier_block_are_found() -> None:
    code = "import os\ndef f(a):\n    return [b for b in a]\nprint(f(data), os.sep, later)\nlater = 1"
    assert free_names(code) - {"print"} == {"data"}


def test_a_blocks_functions_have_their_source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    code = "import inspect\n\n\ndef twice(n):\n    return 2 * n\n\n\nprint(inspect.getsource(twice).count('n'))  # 3"
    assert run(Block("99", 2, code), {"__name__": "module"}) == []
