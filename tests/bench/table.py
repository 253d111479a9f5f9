"""The measured rows as a Markdown table, and its place in docs/benchmarks.md."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tests.bench.cases import Row

PAGE = Path(__file__).resolve().parent.parent.parent / "docs" / "benchmarks.md"
BEGIN, END = "<!-- written by python -m tests.bench --write -->", "<!-- end -->"
HEAD = ["Request", "requests/s", "median ms", "95 % ms", "bare view beside it, requests/s", "ratio", "SQL statements"]


def table(rows: Sequence[Row]) -> str:
    """One line for each row, the bare view first, from all its runs."""
    runs = [row.bare for row in rows]
    times = sorted(time for run in runs for time in run.times)
    rate = sum(len(run.times) for run in runs) / sum(run.seconds for run in runs)
    lines = [HEAD, ["---"] + ["---:"] * (len(HEAD) - 1)]
    middle, high = times[len(times) // 2], times[int(len(times) * 0.95)]
    lines.append(["bare Django view", f"{rate:.0f}", f"{middle:.1f}", f"{high:.1f}", "", "1", "0"])
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
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def write(text: str) -> None:
    """Put the text between the page's two marks."""
    page = PAGE.read_text()
    before, rest = page.split(BEGIN)
    _, after = rest.split(END)
    PAGE.write_text(f"{before}{BEGIN}\n{text}\n{END}{after}")
