"""Writes figures as Markdown tables and puts them in their places in docs/benchmarks.md."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tests.bench.cases import Row
from tests.bench.load import joined

PAGE = Path(__file__).resolve().parent.parent.parent / "docs" / "benchmarks.md"
HEAD = ["Request", "requests/s", "median ms", "95% ms", "bare view alongside it, requests/s", "ratio", "SQL statements"]


def markdown(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table whose first column is words and whose other columns are numbers."""
    lines = [head, ["---"] + ["---:"] * (len(head) - 1), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def table(rows: Sequence[Row]) -> str:
    """Return a table with one line for each row, the bare view first, from all its runs."""
    bare = joined([row.bare for row in rows])
    times = [f"{bare.quantile(share):.1f}" for share in (0.5, 0.95)]
    lines = [["bare Django view", f"{bare.rate:.0f}", *times, "", "1", "0"]]
    lines += [
        [
            row.name,
            f"{row.load.rate:.0f}",
            f"{row.load.quantile(0.5):.1f}",
            f"{row.load.quantile(0.95):.1f}",
            f"{row.bare.rate:.0f}",
            f"{row.ratio:.1f}",
            str(row.statements),
        ]
        for row in rows
    ]
    return markdown(HEAD, lines)


def replaced(page: str, name: str, text: str) -> str:
    """Return the page with this text between the section's two marks. Raises ValueError if the marks are missing."""
    begin, end = f"<!-- figures: {name} -->", f"<!-- end of figures: {name} -->"
    before, found, rest = page.partition(begin)
    _, ended, after = rest.partition(end)
    if not found or not ended:
        raise ValueError(f"{PAGE.name} has no place for {name}")
    return f"{before}{begin}\n{text}\n{end}{after}"


def write(name: str, text: str) -> None:
    """Put a section's figures into the page."""
    PAGE.write_text(replaced(PAGE.read_text(), name, text))
