"""Quoting a comment at the start of a reply, and whom a comment mentions. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping

MOST_QUOTED = 600
"""So that a quotation leaves most of a reply to its author, even where a comment of full length is quoted."""
MOST_NAMED = 5
"""The most people one comment can notify."""
CODE = re.compile(r"```[\s\S]*?(?:```|\Z)|`[^`\n]+`")
"""In a comment's Markdown: a fenced block, whatever it contains, or words between backticks."""
QUOTED = re.compile(r"(?m)^[ ]{0,3}>.*$")
SIGN = re.compile(r"(?<![\w@.+-])@(?=\w)")
WORD = re.compile(r"\w")


def quoted(text: str, name: str) -> str:
    """Markdown that quotes a text and names its author, if any. Quotes inside the text are left out."""
    words = QUOTED.sub("", text).strip()
    if len(words) > MOST_QUOTED:
        words = words[:MOST_QUOTED].rsplit(None, 1)[0] + " …"
    lines = "\n".join(f"> {line}".rstrip() for line in re.sub(r"\n{3,}", "\n\n", words).splitlines())
    return "\n\n".join(filter(None, [f"@{name}:" if name else "", lines])) + "\n\n"


def named(text: str, people: Mapping[int, str]) -> list[int]:
    """Which of these people a text mentions with an @, in order; not in code or quotes, and the longest name first.

    People who share a name in a discussion are mentioned together.
    """
    plain = QUOTED.sub("", CODE.sub(" ", text)).casefold()
    names = sorted({name.casefold() for name in people.values()}, key=len, reverse=True)
    found: list[int] = []
    for match in SIGN.finditer(plain):
        name = next((each for each in names if _stands_at(plain, match.end(), each)), None)
        found += [pk for pk, each in people.items() if name is not None and each.casefold() == name]
    return list(dict.fromkeys(found))[:MOST_NAMED]


def _stands_at(text: str, place: int, name: str) -> bool:
    end = place + len(name)
    return text.startswith(name, place) and not WORD.match(text[end : end + 1])
