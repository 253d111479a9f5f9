"""Options in a comment: references independent of the option order, and bare letters, which depend on it.

A capital B to H on its own is taken for an option unless something speaks against it: asking needlessly costs a click,
but "B is right" misleads readers with a different order. "A" is mostly the article, and lower-case letters are mostly
variables, so these need supporting context.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import unescape

from discussion.comments.rules.quoting import CODE

REFERENCE = re.compile(r"\{option:(\d{1,2})\}")
TAG = re.compile(r"<[^>]*>")
# Letters that don't refer to options: in code and URLs, A/B tests, languages, plan B.
OTHERWISE = re.compile(
    rf"{CODE.pattern}|\b[a-z]{{1,10}}://\S+|\bC/C\+\+"
    r"|\bA/B(?=[ -](?:test|experiment|split|comparison|rollout))"
    r"|\b(?i:plan|type|class|model|group|team|version|variant|zone|table|dataset|bucket|project|part|section|phase"
    r"|step|grade|case|scenario|vitamin|series|figure|appendix|drive|hepatitis|ctrl|(?:written|coded) in)(?i:s|es)?:?\s"
    r"[A-H](?:(?:,\s|\sand\s|\sor\s)[A-H]){0,3}\b"
    r"|\b[A-H]\s(?:tree|code|API|compiler|programming|score|measure|Suite|notation|parameter)\b"
)
# The number of spaces is limited, so that matching is bounded, whatever the text.
S0, S1 = r"\s{0,9}", r"\s{1,9}"
BEFORE = r"(?<![^\W_])(?<!\w_)(?<![.'’#+-])"
AFTER = r"(?![^\W_]|_\w|[#+]|-\w|\.\w|['’](?!s\b)\w|:\\)"
CAPITAL = re.compile(rf"{BEFORE}[A-H]{AFTER}")

NOUN = r"\b(?:options?|answers?|choices?|distractors?|letters?)"
IS = r"(?:is|isn['’]t|was|wasn['’]t|seems|looks|sounds)"
TOLD = [
    re.compile(pattern)
    for pattern in (
        rf"(?i:{NOUN}){S0}(?::|=|\bis\b|\bwas\b)?{S1}[(*_\"“]{{0,3}}(?P<letter>[a-h]){AFTER}",
        rf"\b(?i:chose|chosen|picked|selected|got|eliminated|ticked){S1}(?P<letter>[b-h]){AFTER}(?!{S1}of\b)",
        rf"{BEFORE}(?P<letter>[a-h])[)*_\"”]{{0,3}}{S1}{IS}{S1}(?:(?:also|not|clearly|probably|still|just|the){S1})?"
        r"(?:right|wrong|correct|incorrect|true|false|out|best|worse|only)\b",
    )
]
INSIDE = re.compile(r"(?<=[a-z,;] )A")
# Words that can follow A as an option's letter, but not A as the article.
FOLLOWS_A = re.compile(
    r"['’)*_\"”]"
    r"|[^\S\n]{0,9}(?:[.,;:!?=>&–—]|[-/+](?=\s|[B-H]\b)|\Z|\n(?![a-z]))"  # noqa: RUF001
    rf"|{S1}(?:{IS}|are|were|has|had|does|doesn['’]t|do|did|didn['’]t|can|can['’]t|cannot|could|couldn['’]t|would"
    r"|wouldn['’]t|won['’]t|will|should|shouldn['’]t|must|may|might|fails|works|wins|says|needs|tempts|makes|scales"
    r"|uses|requires|violates|avoids|ignores|adds|misses|keeps|gives|takes|leaves|lacks|meets|satisfies|solves|handles"
    r"|costs|breaks|and|or|nor|but|vs|versus|over|not|also|still|too|instead|because|since|if|then|when|while|again"
    r"|for|with|in|on|from|(?:correct|right|wrong)(?=[.,;:!?\n]|\Z))(?![\w-])"
)


def option_words(options_html: Mapping[str, str]) -> dict[int, str]:
    """A version's options by slot, as plain text."""
    return {int(slot): " ".join(unescape(TAG.sub("", html)).split()) for slot, html in options_html.items()}


def option_slots(text: str) -> list[int]:
    """The options a text refers to, in order of first reference."""
    return list(dict.fromkeys(int(slot) for slot in REFERENCE.findall(_plain(text))))


def bare_letters(text: str) -> list[str]:
    """Letters that seem to refer to options, as capitals in alphabetical order.

    Only for text accepted by ``refusal``.
    """
    return sorted({text[place].upper() for place in _places(text)})


def name_options(text: str, meant: Mapping[str, int | None]) -> str:
    """The text with each bare letter replaced by the option it means; None leaves the letter alone."""
    for place in sorted(_places(text), reverse=True):
        slot = meant.get(text[place].upper())
        if slot is not None:
            text = f"{text[:place]}{{option:{slot}}}{text[place + 1 :]}"
    return text


def _places(text: str) -> set[int]:
    """The positions of letters that seem to refer to options."""
    plain = _plain(text)
    capitals = {match.start() for match in CAPITAL.finditer(plain) if not _is_article(plain, match.start())}
    told = {match.start("letter") for pattern in TOLD for match in pattern.finditer(plain)}
    return capitals | {place for place in told if plain[place] != "a" or FOLLOWS_A.match(plain, place + 1)}


def _is_article(text: str, place: int) -> bool:
    """Whether a capital is the article: it starts a sentence, and isn't followed by a word typical after an option."""
    return text[place] == "A" and not INSIDE.match(text, place) and not FOLLOWS_A.match(text, place + 1)


def _plain(text: str) -> str:
    """The text with code and the like blanked out, keeping positions."""
    return OTHERWISE.sub(lambda match: " " * len(match.group()), text)
