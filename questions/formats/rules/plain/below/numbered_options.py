"""Options counted by numbers, with the right one named below: ``Correct answer: 2``. They get letters instead.

The numbers of options, questions and steps look alike, so only this is believed: lines counted from 1 directly above
an answer, which names one of them by its number and, if it repeats words, by its own. What a page needs to fold the
answer away is left out, also where options have letters, and what else the fold holds comes after the answer. Other
numbered lines of such a question, and of its explanation, begin no question.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from questions.formats.rules.limits import OPTIONS
from questions.formats.rules.reading.text_lines import Line

ANSWER = re.compile(
    r"[\s*_>]*(?:(?:the\s+)?correct\s+(?:answer|option|choice)|answer|ans|solution)\b[\s*_]*(?:[:=.-]|\bis\b)[\s*_:]*"
    r"\(?(?P<label>\d{1,2}|[A-Oa-o])(?:(?P<closed>[.)]\)?[\s*_]*|\s*[:\u2013\u2014-]\s*)(?P<words>\S.*?)|[.)]?)[\s*_]*$",
    re.IGNORECASE,
)
OPTION = re.compile(r"[ \t]*(?:[-*]\s+)?\(?(?P<label>\d{1,2}|[A-Oa-o])(?:\)\.|[.)]\)?)[ \t]*(?P<words>\S.*)$")
FOLDED = re.compile(
    r"(?:</?(?:details|summary)\b[^<>]{0,100}>|<summary\b[^<>]{0,100}>.{0,100}</summary>"
    r"|(?:choose|select)\s+the\s+(?:correct|best|right)\s+(?:answer|option)s?\W{0,10})?$",
    re.IGNORECASE,
)
FOLD = re.compile(r"\s*</?details\b", re.IGNORECASE)
HEAD = re.compile(r"\s*(?:#{1,6}\s+)?(?:\*\*)?(?:q\.?|question)\s?\d{1,4}\b", re.IGNORECASE)
# The answers that lists with letters have anyway.
USUAL = re.compile(r"\W*(?:correct )?(?:answers?|ans)\W*[:=]", re.IGNORECASE)
COUNTED = re.compile(r"(\s*\d{1,4}\s?)([.):])(?=\s)")
LONGEST_ANSWER = 2000  # characters
LONGEST = 80  # lines from a question's first option to its answer


@dataclass(frozen=True)
class Run:
    """The options above an answer: where each begins, and where the last ends; ``answer`` is the answer's line."""

    starts: list[int]
    end: int
    answer: int
    label: str


def with_letters(lines: Iterable[Line]) -> list[Line]:
    """The lines, in which options with numbers above an answer have letters, and nothing is between them."""
    rest = list(lines)
    runs = list(_runs([text.rstrip("\n") for _, text in rest]))
    return list(_written(rest, runs)) if runs else rest


def are_in(text: str) -> bool:
    """Whether there are numbered options with an answer, or an answer that only this module knows."""
    return any(_runs(text.splitlines()))


def _runs(lines: list[str]) -> Iterator[Run]:
    since = 0
    for place, line in enumerate(lines):
        # An answer is short, and how long the expression takes grows with the square of the line.
        answer = ANSWER.match(line) if len(line) <= LONGEST_ANSWER else None
        run = _run_above(lines, since, place, answer) if answer else None
        if run and (run.label.isdigit() or not USUAL.match(line) or any(map(str.strip, lines[run.end : place]))):
            yield run
        if answer:
            since = place + 1


def _run_above(lines: list[str], since: int, place: int, answer: re.Match[str]) -> Run | None:
    """The options directly above an answer that names one of them, by the words too where it repeats them."""
    end = _end_above(lines, since, place)
    for first in range(end - 1, max(since, end - LONGEST) - 1, -1):
        option = OPTION.match(lines[first])
        if option is None or HEAD.match(lines[first]) or _number(option.group("label")) != 1:
            continue
        digits = option.group("label").isdigit()
        starts = _starts(lines, first, end, digits=digits)
        if len(starts) > 1:
            label = answer.group("label")
            at = _number(label) - 1
            known = label.isdigit() == digits and 0 <= at < len(starts)
            says = known and _says(answer.group("words"), lines, [*starts, end], at)
            return Run(starts, end, place, label) if says else None
    return None


def _end_above(lines: list[str], since: int, place: int) -> int:
    """Where the options above an answer end: where a fold opens that has it, else at what a page needs to fold it."""
    opened = (at for at in range(place - 1, since - 1, -1) if FOLD.match(lines[at]))
    at = next(opened, place)
    end = place if lines[at].lstrip().startswith("</") else at
    while end > since and FOLDED.match(lines[end - 1].strip()):
        end -= 1
    return end


def _starts(lines: list[str], first: int, end: int, *, digits: bool) -> list[int]:
    """Where the options begin that are counted on from the first; nothing if there are too many."""
    starts: list[int] = []
    for place in range(first, end):
        option = OPTION.match(lines[place])
        label = option.group("label") if option else ""
        if label and label.isdigit() == digits and _number(label) == len(starts) + 1:
            starts.append(place)
    return starts if len(starts) <= OPTIONS else []


def _number(label: str) -> int:
    return int(label) if label.isdigit() else ord(label.upper()) - ord("A") + 1


def _says(words: str | None, lines: list[str], starts: list[int], at: int) -> bool:
    """Whether the words of an answer are its option's, or there are none."""
    if not words:
        return True
    option = " ".join(lines[starts[at] : starts[at + 1]])
    match = OPTION.match(option)
    return match is not None and _plain(words) == _plain(match.group("words"))


def _plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))


def _all_headed(lines: list[Line], runs: list[Run]) -> bool:
    """Whether a line such as ``Question 2`` begins every question, so that other numbers begin none."""
    ends = [0, *(run.answer for run in runs)]
    return all(
        any(HEAD.match(text) for _, text in lines[before : run.starts[0]])
        for before, run in zip(ends, runs, strict=False)
    )


def _written(lines: list[Line], runs: list[Run]) -> Iterator[Line]:
    """The lines with the runs' letters, and without what folds an answer away."""
    by_place = {place: (run, at) for run in runs for at, place in enumerate(run.starts)}
    answers = {run.answer for run in runs}
    ends = {run.end: run for run in runs}
    folds = {place for run in runs for place in range(run.end, run.answer)}
    headed = _all_headed(lines, runs)
    for place, (number, text) in enumerate(lines):
        if place in ends:
            yield number, f"Answer: {chr(ord('a') + _number(ends[place].label) - 1)}\n"
        if place in answers or (place in folds and FOLDED.match(text.strip())):
            continue
        if place in by_place and (option := OPTION.match(text)):
            yield number, f"{chr(ord('a') + by_place[place][1])}) {option.group('words').rstrip()}\n"
        else:
            yield number, _escaped(text) if headed else text


def _escaped(text: str) -> str:
    """A line whose number begins no question."""
    counted = COUNTED.match(text)
    return f"{counted.group(1)}\\{text[counted.end() - 1 :]}" if counted else text
