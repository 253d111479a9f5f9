"""The strings in a script that are words for people; pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

from courseiva.demo.texts.rules.strings import says_something

COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
QUOTED = re.compile(r'"((?:[^"\\\n]|\\.)*)"' + r"|'((?:[^'\\\n]|\\.)*)'")
# `each.total`, `WORDS[choice]` and `answers(count)` are referred to by their last name.
NAMED = re.compile(r"(?:\w+\.)*(\w+)(?:\([\w.]*\)|\[\w+\])?")
# Only strings with a space count as words, and no selectors, code, addresses or lists of classes.
NOT_WORDS = re.compile(
    r"^[.#\[(:]|[\w\]]\[[\w-]+[\]=]|=>|^[\w.#-]+ [>~+] |\w, [.#\[]|^[a-z-]+(?: [a-z-]+)*:|^(?:use strict)$|<\w|:not\("
    r"|[a-z]-[a-z{]+-?-|^[a-z]+(?:, ?[a-z]+(?:[.:][\w()-]+)?)+$|(?:^| )[a-z]+--?[{a-z]"
)


def script_strings(source: str) -> list[str]:
    """Each literal with words for people, its substitutions shown as {name} or {…}."""
    found = []
    for literal in literals(source):
        text = " ".join(literal.split())
        if " " in text and says_something(text) and not NOT_WORDS.search(text):
            found.append(text)
    return found


def literals(source: str) -> Iterator[str]:
    """Every literal of a source; those inside a template literal are part of it."""
    place = 0
    while place < len(source):
        comment, quoted = COMMENT.match(source, place), QUOTED.match(source, place)
        if comment:
            place = comment.end()
        elif quoted:
            yield quoted[1] or quoted[2] or ""
            place = quoted.end()
        elif source[place] == "`":
            text, place = _template(source, place + 1)
            yield text
        else:
            place += 1


def _template(source: str, place: int) -> tuple[str, int]:
    """The template literal that begins here, and where it ends."""
    text = ""
    while place < len(source) and source[place] != "`":
        if source.startswith("${", place):
            end = _end_of_slot(source, place + 2)
            text += _slot(source[place + 2 : end])
            place = end + 1
        else:
            text += source[place]
            place += 1
    return text, place + 1


def _end_of_slot(source: str, place: int) -> int:
    """The position of a slot's closing brace; braces in literals don't count."""
    depth = 0
    while place < len(source) and (source[place] != "}" or depth):
        quoted = QUOTED.match(source, place)
        if source[place] == "`":
            place = _template(source, place + 1)[1]
        elif quoted:
            place = quoted.end()
        else:
            depth += {"{": 1, "}": -1}.get(source[place], 0)
            place += 1
    return place


def _slot(expression: str) -> str:
    """What a reader sees of it: the last of several alternatives, or the name of the substituted value."""
    chosen = list(literals(expression)) if re.search(r" \? | \|\| | \?\? ", expression) else []
    name = NAMED.fullmatch(expression.strip())
    return chosen[-1] if chosen else f"{{{name[1].lower() if name else '…'}}}"
