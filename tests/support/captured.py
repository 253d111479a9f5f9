"""Shortens a failed test's captured output to the end, where the error is."""

from __future__ import annotations

from collections.abc import Generator

import pytest

MOST = 10_000


def end_of(text: str, most: int = MOST) -> str:
    """Return the end of a text, preceded by the number of characters left out."""
    left_out = len(text) - most
    return f"[{left_out} characters left out]\n{text[left_out:]}" if left_out > 0 else text


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Shorten the output: a server under load logs megabytes, which would bury the reason for the failure."""
    report = yield
    report.sections = [(title, end_of(text)) for title, text in report.sections]
    return report
