"""Questions that are entries of a Markdown list, with their options indented below."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from questions.formats.rules.reading.text_lines import Line

ENTRY = re.compile(r"[-*+]\s+(?=\S)")
FIRST_OPTION = re.compile(r"(?: {1,12}|\t{1,3})(?:- )?[*!+]? ?\(?[Aa][.)]\s+\S")
LONGEST = 30
"""The most lines that a question can have above its first option."""


def as_paragraphs(lines: Sequence[Line]) -> Iterator[Line]:
    """The lines, with each entry whose options are indented below it as a paragraph of its own."""
    for place, (number, text) in enumerate(lines):
        entry = ENTRY.match(text)
        if entry and _has_options_below(lines[place + 1 : place + 1 + LONGEST]):
            yield number, "\n"
            yield number, text[entry.end() :]
        else:
            yield number, text


def _has_options_below(lines: Sequence[Line]) -> bool:
    """Whether the first option comes before the entry's end, which is a line that isn't indented."""
    for _, text in lines:
        if FIRST_OPTION.match(text):
            return True
        if text.strip() and not text.startswith((" ", "\t")):
            return False
    return False


def joined(lines: list[str]) -> str:
    """The lines as one text, without the indentation under a marker."""
    indents = [len(line) - len(line.lstrip()) for line in lines[1:] if line.strip()]
    margin = min(indents, default=0)
    return "\n".join([*lines[:1], *(line[margin:] for line in lines[1:])]).strip()


def plain(text: str) -> str:
    """The words of an option without what surrounds them, for comparing."""
    return " ".join(text.split()).strip(" *_`.").casefold()
