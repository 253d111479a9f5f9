"""Options that share a line, or stand in the question's last one: ``A. oak B. ash C. elm``. Each gets its own line.

Letters also stand in options, as in “Henry D. Moss”, so a line is taken apart only if it can be in one way: where a
letter is missing from the beginnings of lines, each missing one stands once in the line, written like the first and in
order. After the last line's option, more are believed only if other options share a line too, after two spaces, or if
the answer is one of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from questions.formats.rules.items import CannotTake
from questions.formats.rules.plain.lists.blocks import ANSWER, LETTERED, TOLD, WORDED

Texts = list[tuple[str, bool]]
TAKEN_APART = "options on one line were taken apart"
SIGN = re.compile(r"(?<!\S)[*!+]?(?P<open>\(?)(?P<letter>[A-Oa-o])(?P<close>[.)])\s+(?=\S)")
LONGEST = 5000
"""Longer lines, in characters, hold a text and no options."""
FEWEST = 3
"""Options within a question count from this number on; fewer can be a list in its text."""
ALPHABET = "ABCDEFGHIJKLMNO"
WIDE = re.compile(r"\s\s$|\t$")
ENDED = re.compile(r"(?:\w{4,}[.]|[?!;:,])\s$")
ASKED = re.compile(r"(?:[.?!:,;]|_{2,}|\s)\s$")


def apart(lines: Texts) -> Texts:
    """A question's lines, with each option on its own. Raises CannotTake if it isn't clear where the last begins."""
    head = next((at for at, (text, code) in enumerate(lines) if not code and _heads(text)), len(lines))
    places = [at for at, (text, code) in enumerate(lines[:head]) if not code and LETTERED.match(text)]
    named = _last_named(lines[head][0]) if head < len(lines) else 0
    cuts = _cuts([text for text, _ in lines], places, named) if places else _within(lines[:head])
    return [(part, code) for at, (text, code) in enumerate(lines) for part in _parts(text, cuts.get(at, []))]


def are_in(text: str) -> bool:
    """Whether a line with several options stands directly above a line that names one."""
    above = ""
    for line in text.splitlines():
        if above and ANSWER.match(line) and len(_within([(above, False)])) == 1:
            return True
        above = line if line.strip() else above
    return False


def _heads(text: str) -> bool:
    return any(form.match(text) for form in (ANSWER, WORDED, TOLD))


def _last_named(text: str) -> int:
    """The place in the alphabet of the last letter that an answer names; 0 if it names none."""
    answer = ANSWER.match(text)
    worded = None if answer else WORDED.match(text)
    said = answer["letters"] if answer else (worded["letter"] or "") if worded else ""
    return max(map(_index, re.findall(r"\b[A-O]\b", said.upper())), default=0)


def _index(letter: str) -> int:
    return ALPHABET.index(letter.upper())


def _parts(text: str, cuts: list[int]) -> Iterator[str]:
    starts = [0, *cuts]
    for start, end in zip(starts, [*cuts, len(text)], strict=True):
        if start or not cuts or text[:end].strip():
            yield text[start:end].rstrip()


def _cuts(lines: list[str], places: list[int], named: int) -> dict[int, list[int]]:
    """Where to cut which lines, of which these begin with an option; the answer's last letter has this place."""
    letters = [_place(lines[at]) for at in places]
    cuts: dict[int, list[int]] = {}
    if letters[0] > 0 and places[0]:
        asked = max((at for at in range(places[0]) if lines[at].strip()), default=0)
        found = _run(lines[asked], _shape(lines[places[0]]), range(letters[0]))
        cuts[asked] = found if found and ASKED.search(lines[asked][: found[0]]) else []
    for at, letter, following in zip(places, letters, letters[1:], strict=False):
        if following > letter + 1:
            cuts[at] = _run(lines[at], _shape(lines[at]), range(letter + 1, following))
    shared = any(cuts.values())
    last = lines[places[-1]]
    more = _greedy(last, _shape(last), letters[-1] + 1)
    if more and (shared or len(places) == 1 or named > letters[-1] or WIDE.search(last[: more[0]])):
        cuts[places[-1]] = more
    elif more and ENDED.search(last[: more[0]]):
        raise CannotTake(f"has “{last[more[0] : more[0] + 40]}” within an option, which may be another option or not")
    return cuts


def _within(lines: Texts) -> dict[int, list[int]]:
    """Where the only line that holds a list of options is cut, if no line begins with one."""
    found: dict[int, list[int]] = {}
    for at, (text, code) in enumerate(lines):
        firsts = [] if code or len(text) > LONGEST else [s for s in SIGN.finditer(text) if s["letter"] in "Aa"]
        cuts = [firsts[0].start(), *_greedy(text, _form(firsts[0]), 1)] if len(firsts) == 1 else []
        if len(cuts) >= FEWEST:
            found[at] = cuts
    return found if len(found) == 1 else {}


def _place(text: str) -> int:
    option = LETTERED.match(text)
    return _index(option["letter"]) if option else 0


def _form(sign: re.Match[str]) -> tuple[str, str, bool]:
    """How an option's letter is written."""
    return sign["open"], sign["close"], sign["letter"].isupper()


def _shape(text: str) -> tuple[str, str, bool] | None:
    sign = SIGN.search(text)
    return _form(sign) if sign else None


def _run(text: str, shape: tuple[str, str, bool] | None, letters: range) -> list[int]:
    """Where these letters begin options, if each of them does so once and in order; otherwise nothing."""
    found = _greedy(text, shape, letters.start)[: len(letters)]
    return found if len(found) == len(letters) else []


def _greedy(text: str, shape: tuple[str, str, bool] | None, first: int) -> list[int]:
    """Where options begin, counted on from this letter; nothing if a letter stands twice or out of order."""
    if len(text) > LONGEST:
        return []
    starts: dict[str, list[int]] = {}
    for sign in SIGN.finditer(text):
        if _form(sign) == shape:
            starts.setdefault(sign["letter"].upper(), []).append(sign.start())
    found: list[int] = []
    for letter in ALPHABET[first:]:
        if letter not in starts:
            break
        if len(starts[letter]) > 1 or (found and starts[letter][0] < found[-1]):
            return []
        found += starts[letter]
    return found
