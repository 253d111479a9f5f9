"""A bank in figures, the basis of the bank rules and of its table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import median

from questions.lint.rules.wording import words
from questions.versions.rules.draft import DIFFICULTIES, DraftQuestion


@dataclass(frozen=True)
class Positions:
    """The positions of right options, among questions of one kind and number of options."""

    kind: str
    options: int
    questions: int
    counts: tuple[int, ...]

    @property
    def chi_square(self) -> float:
        """How far the counts are from even: Pearson's statistic, with ``options - 1`` degrees of freedom.

        With several right options, one question's draws are without replacement, which is corrected for.
        """
        even = sum(self.counts) / self.options
        right = sum(self.counts) / self.questions
        spread = (self.options - right) / (self.options - 1)
        return sum((count - even) ** 2 / even for count in self.counts) / spread if spread else 0.0


def positions(questions: Iterable[DraftQuestion]) -> list[Positions]:
    """The key's positions in file order, by kind and number of options."""
    groups: dict[tuple[str, int], list[DraftQuestion]] = {}
    for question in questions:
        groups.setdefault((question.kind, len(question.options)), []).append(question)
    found = []
    for (kind, total), group in sorted(groups.items(), reverse=True):
        counts = Counter(i for question in group for i, option in enumerate(question.options) if option.right)
        if counts:
            found.append(Positions(kind, total, len(group), tuple(counts[i] for i in range(total))))
    return found


def longest_is_right(question: DraftQuestion) -> bool:
    """Whether the longest option is right; in a tie, none is the longest."""
    longest = max(len(option.text) for option in question.options)
    holders = [option for option in question.options if len(option.text) == longest]
    return len(holders) == 1 and holders[0].right


@dataclass(frozen=True)
class Longest:
    """How often the longest option is right in questions of one kind, and how often it would be by chance."""

    name: str
    questions: int
    found: int
    chance: float

    @property
    def limit(self) -> float:
        """The share above which it isn't chance: two standard errors above the expected one."""
        return self.chance + 2 * sqrt(self.chance * (1 - self.chance) / self.questions)


def longest_right(questions: Iterable[DraftQuestion]) -> list[Longest]:
    """Choose-one questions by number of options, then choose-several ones together."""
    groups: dict[str, list[DraftQuestion]] = {}
    for question in questions:
        total = len(question.options)
        name = f"single of {total}" if question.kind == "single" else question.kind
        if total:
            groups.setdefault(name, []).append(question)
    return [
        Longest(
            name,
            len(group),
            sum(map(longest_is_right, group)),
            sum(len(question.right_slots) / len(question.options) for question in group) / len(group),
        )
        for name, group in sorted(groups.items(), reverse=True)
    ]


def stem_median(questions: Sequence[DraftQuestion]) -> float:
    """The median number of words of the stems; 0 for none."""
    return median(words(question.stem) for question in questions) if questions else 0


def percent(part: int, whole: int) -> int:
    """A rounded percentage; 0 of nothing."""
    return round(100 * part / whole) if whole else 0


def bank_figures(questions: Sequence[DraftQuestion]) -> dict[str, str | int]:
    """A bank in one line: the figures the bank rules use."""
    difficulty = Counter(question.difficulty for question in questions)
    kinds = Counter(question.kind for question in questions)
    places = (f"{group.kind} of {group.options} {' / '.join(map(str, group.counts))}" for group in positions(questions))
    longest = (
        f"{each.name} {percent(each.found, each.questions)}% (chance {each.chance:.0%})"
        for each in longest_right(questions)
    )
    return {
        "questions": len(questions),
        "multiple": f"{percent(kinds['multiple'], len(questions))}%",
        "easy / medium / hard": " / ".join(f"{percent(difficulty[name], len(questions))}%" for name in DIFFICULTIES),
        "concepts": len({key for question in questions for key in question.concepts}),
        "median words per stem": f"{stem_median(questions):g}",
        "key positions": "; ".join(places),
        "longest is right": "; ".join(longest),
    }
