"""The name under which other people see somebody: what it may be. Pure, with no rows."""

from __future__ import annotations

import re
import unicodedata

LONGEST = 60
SHORTEST = 2
MARKS = " '\N{RIGHT SINGLE QUOTATION MARK}.-_"
OURS = re.compile(
    r"admin|moderator|courseiva|\b(?:editor|staff|support)\b|\blearner\s*\d|somebody who has left", re.IGNORECASE
)
AN_ADDRESS = re.compile(r"@|//|\bwww\b|\w\.[a-z]{2,}\b", re.IGNORECASE)


def tidy(name: str) -> str:
    """The name in composed form (NFKC), without blanks at its ends or in a row."""
    return " ".join(unicodedata.normalize("NFKC", name).split())


def refusal(name: str) -> str:
    """Why a tidy name cannot be shown to others; "" where it can. No name at all is no error."""
    rules = {
        "Leave out addresses of any kind: everybody sees this name.": AN_ADDRESS.search(name),
        f"A name has {SHORTEST} to {LONGEST} characters.": not SHORTEST <= len(name) <= LONGEST,
        "A name has letters, digits, blanks and the signs ' . - _ in it, nothing else.": not all(map(_is_plain, name)),
        "A name has a letter in it.": not any(map(str.isalpha, name)),
        "Write the name in one alphabet: letters of several can look alike.": len(_alphabets(name)) > 1,
        "This name would look like one of the site's own people. Choose another.": OURS.search(name),
    }
    return next((words for words, is_broken in rules.items() if is_broken), "") if name else ""


def _is_plain(sign: str) -> bool:
    """A letter, a digit, one of a few marks, or a vowel sign that belongs to the letter before it."""
    return sign.isalnum() or sign in MARKS or unicodedata.category(sign) in {"Mn", "Mc"}


def _alphabets(name: str) -> set[str]:
    """The alphabets of the letters, by their Unicode names; the writings of East Asia mix theirs and count as one."""
    found = {unicodedata.name(each, "?").split()[0] for each in name if each.isalpha()}
    east_asian = {"CJK", "HIRAGANA", "KATAKANA", "HANGUL"}
    return {"CJK"} if found and found <= east_asian else found
