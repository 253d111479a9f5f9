"""The word probably meant by a mistyped one."""

from __future__ import annotations

from collections.abc import Mapping

from questions.versions.search.rules.asking import STOP_WORDS, WORD

SHORTEST, LONGEST = 3, 40  # lengths of words that are kept for comparison with mistyped ones
# How many letters may be wrong, by the number of letters typed; for longer words, the last number applies.
WRONG_LETTERS = ((4, 1), (8, 2), (LONGEST, 3))


def kept_words(*texts: str) -> set[str]:
    """The words in texts kept for comparison with mistyped ones: no numbers, no stop words."""
    words = {word.lower() for text in texts for word in WORD.findall(text)}
    return {
        word
        for word in words - STOP_WORDS
        if SHORTEST <= len(word) <= LONGEST and not any(letter.isdigit() for letter in word)
    }


def meant(typed: str, candidates: Mapping[str, int]) -> str:
    """The candidate probably meant; "" if none is close enough.

    Fewest wrong letters first, then the one in most entries. A prefix counts as one wrong letter.
    """
    most = next((wrong for length, wrong in WRONG_LETTERS if len(typed) <= length), 0)
    near = []
    for word, entries in candidates.items():
        is_beginning = len(typed) >= SHORTEST and word.startswith(typed)
        wrong = 1 if is_beginning else distance(typed, word, most)
        if wrong <= most and word != typed:
            near.append((wrong, -entries, word))
    return min(near)[2] if near else ""


def distance(one: str, other: str, most: int) -> int:
    """The number of letters to change, add, drop or swap; above ``most``, any larger number."""
    if abs(len(one) - len(other)) > most:
        return most + 1
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, letter in enumerate(one, 1):
        last, before, row = before, row, [i]
        for j, beside in enumerate(other, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (letter != beside))
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == beside:
                cost = min(cost, last[j - 2] + 1)
            row.append(cost)
    return row[-1]


def with_meant(text: str, instead: Mapping[str, str]) -> str:
    """The text as typed, with mistyped words replaced."""
    return WORD.sub(lambda found: instead.get(found.group().lower(), found.group()), text)


def trigrams(word: str) -> list[str]:
    """Trigrams, with two spaces before the word and one after it, as in pg_trgm."""
    padded = padded_word(word)
    return [padded[at : at + 3] for at in range(len(padded) - 2)]


def padded_word(word: str) -> str:
    """The word as stored by migration 0024 for SQLite's trigrams."""
    return f"  {word} "
