"""Compares the branches that tests take, package by package, with the floors below. `make cover` calls it.

A floor is a little under the last measurement, so that it fails when a package falls behind, not whenever a line moves.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from pathlib import Path

FLOORS = {"courseiva": 91, "discussion": 96, "practice": 95, "questions": 92}


def shares(report: dict[str, dict[str, dict[str, dict[str, int]]]]) -> dict[str, float]:
    """The percentage of branches taken, by package."""
    taken: dict[str, int] = defaultdict(int)
    there: dict[str, int] = defaultdict(int)
    for name, file in report["files"].items():
        package = Path(name).parts[0]
        taken[package] += file["summary"]["covered_branches"]
        there[package] += file["summary"]["num_branches"]
    return {package: 100 * taken[package] / there[package] for package in there if there[package]}


def main(path: str) -> int:
    """Print each package beside its floor; returns 1 if one is below."""
    found = shares(json.loads(Path(path).read_text()))
    below = False
    for package, floor in FLOORS.items():
        share = found.get(package, 0.0)
        below |= share < floor
        print(f"{package:<12} {share:6.2f}% of branches, floor {floor}%{'  BELOW' if share < floor else ''}")
    return int(below)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
