"""Which comments say the same: a fingerprint for equal words, a few hashes for similar ones."""

from __future__ import annotations

import hashlib
import re
import unicodedata

WORD = re.compile(r"\w+")
SHINGLE_WORDS = 3
"""Texts share too many runs of two words by chance ("in the"); in runs of four, one changed word would hide over half
of a short text."""
KEPT = 8
"""Hashes stored for each comment, in a row each. Two shared ones are enough to compare the texts themselves (``SHARED``
in screening/hold.py), so these need only find candidates."""


def fingerprint(text: str) -> str:
    """The same for texts with the same words, whatever their case, spacing and punctuation."""
    return hashlib.sha256(" ".join(_words(text)).encode()).hexdigest()


def shingle_values(text: str) -> list[int]:
    """The smallest hashes of all runs of three words: texts that share most words share most of these."""
    words = _words(text)
    runs = {" ".join(words[i : i + SHINGLE_WORDS]) for i in range(max(1, len(words) - SHINGLE_WORDS + 1))}
    return sorted(_hash(run) for run in runs if run)[:KEPT]


def _words(text: str) -> list[str]:
    return WORD.findall(unicodedata.normalize("NFKC", text).casefold())


def _hash(run: str) -> int:
    return int.from_bytes(hashlib.blake2b(run.encode(), digest_size=7).digest())
