"""Prints the time each test file took, slowest first, at the end of a run (over all workers)."""

from collections import defaultdict

import pytest

seconds: dict[str, float] = defaultdict(float)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Add setup, call and teardown of each test to its file."""
    seconds[report.nodeid.split("::")[0]] += report.duration


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the table."""
    if not seconds:
        return
    terminalreporter.section("seconds per file")
    for name, total in sorted(seconds.items(), key=lambda pair: -pair[1]):
        terminalreporter.line(f"{total:8.2f}  {name}")
    terminalreporter.line(f"{sum(seconds.values()):8.2f}  in all, over all workers")
