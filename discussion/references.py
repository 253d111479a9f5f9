"""Options in a comment: a reference that holds in every order of letters, and letters that hold in none."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import unescape

REFERENCE = re.compile(r"\{option:(\d{1,2})\}")
CODE = re.compile(r"(?s)```.*?(?:```|\Z)|`[^`\n]*`")
LETTER = "[A-H]"
AND = r"(?:\s*(?:,|/|and|or|nor|&|\+)\s*)"
LETTERS = rf"{LETTER}(?:{AND}{LETTER})*"
NAMED = rf"(?i:options?|answers?|choices?|distractors?|letters?)\s+\(?(?P<named>{LETTERS})\b"
VERB = (
    r"(?:is|isn['’]t|are|aren['’]t|was|were|has|had|does|doesn['’]t|do|did|didn['’]t|can|can['’]t|cannot|could|would"  # noqa: RUF001
    r"|won['’]t|will|should|must|may|might|looks?|seems?|fails?|works?|wins?|says?|needs?|tempts?|sounds?|makes?|because"  # noqa: RUF001
    r"|correct|right|wrong|instead|too)"
)
SUBJECT = rf"(?<![\w'’.#+-])(?P<subject>{LETTERS})(?=\s+{VERB}\b)"  # noqa: RUF001
SPOKEN = (
    r"(?i:why|not|than|choose|chose|chosen|picked?|selected?|say|said|think|thought|between|both|only|except|exclude"
    rf"|eliminate|ruled? out|it['’]s|its|for|with|against|about|to|like|took)\s+\(?(?P<spoken>{LETTERS})\b(?![\w'’+#-])"  # noqa: RUF001
)
ALONE = rf"(?m)^\s*(?:[-*]\s+)?\(?(?P<alone>{LETTERS})\)?\s*(?:[.:)=!?,–—-]|$)"  # noqa: RUF001
PATTERNS = [re.compile(pattern) for pattern in (NAMED, SUBJECT, SPOKEN, ALONE)]
TAG = re.compile(r"<[^>]*>")
OTHER_THING = re.compile(
    r"(?i)\b(?:plan|type|class|model|group|team|version|variant|zone|table|dataset|bucket|project|part|section|phase"
    r"|step|grade|case|scenario|vitamin)\s+\Z"
)
ARTICLE = re.compile(r"\bA\s+[a-z]")


def option_words(options_html: Mapping[str, str]) -> dict[int, str]:
    """The options of a version by slot, as plain words."""
    return {int(slot): " ".join(unescape(TAG.sub("", html)).split()) for slot, html in options_html.items()}


def option_slots(text: str) -> list[int]:
    """The options a text refers to, in the order of their first reference."""
    return list(dict.fromkeys(int(slot) for slot in REFERENCE.findall(_without_code(text))))


def bare_letters(text: str) -> list[str]:
    """Letters that seem to name options, in alphabetical order; code and the article "A" are no such letters."""
    return sorted({text[place] for place in _places(text)})


def name_options(text: str, meant: Mapping[str, int | None]) -> str:
    """The text with each bare letter replaced by the option it means; None leaves the letter as it is."""
    for place in sorted(_places(text), reverse=True):
        slot = meant.get(text[place])
        if slot is not None:
            text = f"{text[:place]}{{option:{slot}}}{text[place + 1 :]}"
    return text


def _places(text: str) -> set[int]:
    """Where the letters stand that seem to name options."""
    plain = _without_code(text)
    found = set()
    for pattern in PATTERNS:
        for match in pattern.finditer(plain):
            group = match.lastgroup or 0
            start, end = match.span(group)
            found |= {place.start() + start for place in re.finditer(rf"\b{LETTER}\b", plain[start:end])}
    return {place for place in found if not _is_article(plain, place) and not OTHER_THING.search(plain[:place][-20:])}


def _is_article(text: str, place: int) -> bool:
    """Whether an A is the article: a small word follows that is no verb an option would have."""
    match = ARTICLE.match(text, place)
    return match is not None and not re.match(rf"A\s+(?:{VERB}|and|or|nor)\b", text[place:])


def _without_code(text: str) -> str:
    """The text with code blanked out, so that places stay the same."""
    return CODE.sub(lambda match: " " * len(match.group()), text)
