"""``make gate`` collects only the files that name its marker, and so has to find all of them."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

TESTS = Path(__file__).parent
MARKED = re.compile(r"\bmark\.gate\b")
ALONE = re.compile(r"\bmark\.alone\b")


def marked(*patterns: re.Pattern[str]) -> set[str]:
    """Return the files, of any name, that use all of these markers."""
    texts = {path: path.read_text() for path in TESTS.rglob("*.py") if path != Path(__file__)}
    found = {path for path, text in texts.items() if all(pattern.search(text) for pattern in patterns)}
    return {str(path.relative_to(TESTS.parent)) for path in found}


def collected() -> list[set[str]]:
    """Return the files that each command of ``make gate`` collects."""
    command = ["make", "-n", "gate"]
    done = subprocess.run(command, cwd=TESTS.parent, capture_output=True, text=True, check=True).stdout
    runs = re.findall(r'pytest .*-m "gate and [a-z ]+"(.*)', done)
    return [set(re.findall(r"tests/\S+\.py", rest)) for rest in runs]


def test_the_gate_collects_every_file_with_one_of_its_tests() -> None:
    together, alone = collected()
    assert together == marked(MARKED)
    assert alone == marked(MARKED, ALONE)


def test_a_marker_is_seen_however_it_is_imported() -> None:
    assert MARKED.search("@pytest." + "mark.gate")
    assert MARKED.search("marks=" + "mark.gate)")
