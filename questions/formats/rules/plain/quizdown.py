"""quizdown (github.com/bonartm/quizdown-js): task lists in a Markdown page, each quiz in its own block, or in a file.

In a quiz, a quoted line before the options is a hint, and a numbered list without boxes asks for an order. A file
without blocks is a quiz if it begins with quizdown's settings. Other pages may have their question in their settings.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain, islice

from questions.catalogue.rules.yaml_fields import BadYaml
from questions.formats.rules.items import Skipped, of_other_kind
from questions.formats.rules.own.own_yaml import parsed
from questions.formats.rules.reading.text_lines import Line

BEGIN = re.compile(
    r"\s*(?:(?P<fence>`{3,}|~{3,}|:{3,})\s*\{?\.?quizdown\}?|<div\s[^>]*class=[\"']quizdown[\"'][^>]*>"
    r"|\{\{[<%]\s*quizdown\s*[>%]\}\})\s*$"
)
END = re.compile(r"\s*(?:</div>|\{\{[<%]\s*/quizdown\s*[>%]\}\})\s*$")
CODE = re.compile(r"\s*(```+|~~~+)")
HEADING = re.compile(r" {0,3}#{1,6}\s")
BOX = re.compile(r"\s*(?:[-*+]|\d{1,3}[.)])\s+\[[ xX]\]\s")
NUMBERED = re.compile(r"\s{0,3}\d{1,3}[.)]\s+\S")
QUOTE = re.compile(r"\s*>\s?")
RULE = "***\n"
SETTING = re.compile(
    r"(?:primary_color|secondary_color|text_color|shuffle_questions|shuffle_answers|n_questions|passing_grade"
    r"|custom_pass_msg|custom_fail_msg|enable_retry|start_on_load)\s*:"
)
SETTINGS = 40  # lines that contain a file's settings
HINT = re.compile(r"\s*>\s?[*_]*(?:hints?|tips?)\b[*_]*\s*:?", re.IGNORECASE)
SEQUENCE = "sequence"


@dataclass
class _Question:
    """What has been read so far of a question in a block."""

    line: int = 0
    boxes: int = 0
    numbers: int = 0
    hints: list[Line] = field(default_factory=list)

    def end(self) -> Iterator[Line]:
        """Its hints, after the options, where explanations go."""
        if self.hints:
            yield self.hints[0][0], "\n"
        yield from self.hints


def unwrapped(lines: Iterable[Line], others: list[Skipped]) -> Iterator[Line]:
    """The lines without what surrounds quizzes, including settings at their start.

    Questions that ask for an order are recorded in ``others``.
    """
    source = iter(lines)
    head = list(islice(source, SETTINGS))
    source = chain(_asked_in_settings(head), source)
    if _is_quiz(head):
        yield from _quiz(source, "", others)
        return
    for number, text in source:
        begin = BEGIN.match(text)
        if begin is None:
            yield number, text
            continue
        yield number, RULE
        yield from _quiz(source, begin.group("fence") or "", others)


def _asked_in_settings(head: list[Line]) -> list[Line]:
    """The first lines with the question in place of a page's settings, if these have one."""
    texts = [text.rstrip() for _, text in head]
    if texts[:1] != ["---"] or "---" not in texts[1:]:
        return head
    end = texts.index("---", 1)
    try:
        said = parsed("\n".join(texts[1:end]))[0]
    except BadYaml:
        return head
    asked = said.get("question") if isinstance(said, dict) else None
    if not isinstance(asked, str) or not asked.strip():
        return head
    return [*((head[1][0], f"{line}\n") for line in asked.strip().splitlines()), *head[end + 1 :]]


def _is_quiz(head: list[Line]) -> bool:
    """Whether the file itself is a quiz: quizdown's settings between rules before any text."""
    texts = [text.strip() for _, text in head if text.strip()]
    if texts[:1] != ["---"] or "---" not in texts[1:]:
        return False
    return any(SETTING.match(text) for text in texts[1 : texts.index("---", 1)])


def _quiz(source: Iterator[Line], fence: str, others: list[Skipped]) -> Iterator[Line]:
    """The lines of one block, up to its end."""
    question, code, settings, begun, margin = _Question(), "", False, False, ""
    for number, raw in source:
        stripped = raw.strip()
        if stripped and not begun:
            margin = raw[: len(raw) - len(raw.lstrip())]  # part of the surrounding HTML
        text = raw.removeprefix(margin)
        if not code and (stripped == fence if fence else END.match(text)):
            yield from _ended(question, others)
            yield number, RULE
            return
        if stripped == "---" and (settings or not begun):
            settings, begun = not settings, True
            continue
        if settings:
            continue
        begun = begun or bool(stripped)
        mark = CODE.match(text)
        if mark:
            code = "" if code else mark.group(1)
        elif not code and HEADING.match(text):
            yield from _ended(question, others)
            question = _Question(number)
        if not code and not mark and not question.boxes and QUOTE.match(text):
            question.hints.append((number, QUOTE.sub("", text, count=1)))
            continue
        question.boxes += bool(BOX.match(text))
        question.numbers += bool(NUMBERED.match(text))
        yield number, text
    yield from _ended(question, others)


def _ended(question: _Question, others: list[Skipped]) -> Iterator[Line]:
    if question.numbers > 1 and not question.boxes:
        others.append(Skipped(question.line or 1, SEQUENCE, str(of_other_kind(SEQUENCE))))
        return
    yield from question.end()
