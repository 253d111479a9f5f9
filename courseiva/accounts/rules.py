"""The name other people see: what it may be. Pure."""

from __future__ import annotations

import re
import unicodedata
from enum import StrEnum

LONGEST = 60
"""The column's length. Longer names would break the line of a comment on a phone."""
SHORTEST = 2
"""There are surnames of two letters (Wu, Ng); a single letter names nobody."""
MARKS = " '\N{RIGHT SINGLE QUOTATION MARK}.-_"
OURS = re.compile(r"admin|moderator|courseiva|\b(?:editor|staff|support)\b|\blearner\s*\d|former member", re.IGNORECASE)
AN_ADDRESS = re.compile(r"@|//|\bwww\b|\w\.[a-z]{2,}\b", re.IGNORECASE)


class BadName(StrEnum):
    """Why a name cannot be shown to others."""

    ADDRESS = "address"
    LENGTH = "length"
    SIGNS = "signs"
    NO_LETTER = "no letter"
    ALPHABETS = "alphabets"
    OURS = "ours"


def tidy(name: str) -> str:
    """The name in NFKC form, with white space trimmed and collapsed."""
    return " ".join(unicodedata.normalize("NFKC", name).split())


def refusal(name: str) -> BadName | None:
    """The code of the reason a tidied name can't be shown to others, or None. An empty name is allowed."""
    rules = {
        BadName.ADDRESS: AN_ADDRESS.search(name),
        BadName.LENGTH: not SHORTEST <= len(name) <= LONGEST,
        BadName.SIGNS: not all(map(_is_plain, name)),
        BadName.NO_LETTER: not any(map(str.isalpha, name)),
        BadName.ALPHABETS: len(_alphabets(name)) > 1,
        BadName.OURS: OURS.search(name),
    }
    return next((reason for reason, is_broken in rules.items() if is_broken), None) if name else None


def _is_plain(sign: str) -> bool:
    """A letter, a digit, one of a few punctuation marks, or a vowel sign that belongs to the letter before it."""
    return sign.isalnum() or sign in MARKS or unicodedata.category(sign) in {"Mn", "Mc"}


def _alphabets(name: str) -> set[str]:
    """The alphabets of the letters, by their Unicode names. East Asian scripts are normally mixed and count as one."""
    found = {unicodedata.name(each, "?").split()[0] for each in name if each.isalpha()}
    east_asian = {"CJK", "HIRAGANA", "KATAKANA", "HANGUL"}
    return {"CJK"} if found and found <= east_asian else found
