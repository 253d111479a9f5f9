"""Letters typed from a paper answer sheet, as places on the learner's page; pure."""

from __future__ import annotations

BETWEEN = " \t,;.+&/"
"""What people write between letters."""


class BadLetter(ValueError):
    """``letter`` matches no option of the question."""

    def __init__(self, letter: str) -> None:
        super().__init__(letter)
        self.letter = letter


def read_letters(typed: str, letters: str) -> tuple[int, ...]:
    """The places for "b d", "BD" or "B, D" among these letters, in order and each once. Raises BadLetter.

    How many were asked for doesn't matter here: a choice is stored as given.
    """
    named = {letter for letter in typed.upper() if letter not in BETWEEN}
    strange = sorted(named - set(letters))
    if strange:
        raise BadLetter(strange[0])
    return tuple(sorted(letters.index(letter) for letter in named))
