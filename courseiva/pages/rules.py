"""A weekly plan: hours shared among an exam's domains, which follow one another."""

from __future__ import annotations

from collections.abc import Mapping

STUDY_WEEKS, HOURS_A_WEEK = 6, 6
MOCK_WEEKS = 2


def lay_out(hours: Mapping[int, int], hours_a_week: int) -> list[list[tuple[int, int]]]:
    """Weeks of (domain, hours), in the given order. A domain that doesn't fit continues in the next week."""
    weeks: list[list[tuple[int, int]]] = []
    left = 0
    for domain, wanted in hours.items():
        rest = wanted
        while rest:
            if not left:
                weeks.append([])
                left = hours_a_week
            taken = min(rest, left)
            weeks[-1].append((domain, taken))
            rest, left = rest - taken, left - taken
    return weeks
