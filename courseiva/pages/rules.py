"""A weekly plan: hours shared among an exam's domains, which follow one another."""

from __future__ import annotations

from collections.abc import Mapping

HOURS_A_WEEK = 6
QUESTIONS_A_WEEK = 10  # the length of a mock exam; a shorter exam needs a shorter plan
MOCK_WEEKS = 2
"""A mock a week at most (``MOCK_EVERY_DAYS`` in practice), so two before the exam."""


def study_weeks(questions: int) -> int:
    """How many weeks of study come before the mock exams, by how many questions the exam has."""
    return max(1, (questions + QUESTIONS_A_WEEK // 2) // QUESTIONS_A_WEEK)


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
