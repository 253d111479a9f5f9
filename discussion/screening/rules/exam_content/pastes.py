"""Long pastes that are built like an exam question, or are another question's scenario."""

# ruff: noqa: RUF001 (letters and signs of other scripts)

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from discussion.screening.rules.exam_content.repeats import words_of
from discussion.screening.rules.parts import QUESTION_PASTE, Hit
from discussion.screening.rules.source_text import SourceText

_OPTION = re.compile(r"(?:(?<=\n)|(?<=\s)|\A)[ \t>*\-•]{0,4}[(\[]?([a-f1-6])(?:[.):\]]|\s?[-–:=])\**\s{1,3}\S", re.I)
_BARE_OPTION = re.compile(r"(?<=\s)([A-F])\s(?=\w)")
_ASKS = re.compile(
    r"\b(?:what|which|how|where|who|when|why)\b[^.\n]{0,160}\?|\bwhat should (?:you|they|he|she|the team"
    r"|we) (?:do|use|choose|recommend|configure|create)"
    r"|\bwhich (?:of the following|two|three|settings?|product|service|option|approach|solution|command|role)"
    r"|\b(?:choose|select) (?:two|three|2|3|all)\b|\bbest (?:choice|answer|option|solution)\b"
    r"|\bwas (?:sollten sie|soll)|\bwelche (?:der folgenden|losung)|\bque (?:debe|deberia|debes)"
    r"|\bquelle (?:solution|option)|\bcual de las siguientes"
)
_SCENE = re.compile(
    r"\byou(?:r (?:company|team|organi[sz]ation|manager|customer|client|boss|application|data science team)"
    r"|\s(?:are|work|need|have been|want|must|manage|deployed|deploy|run|developed|created|built|trained|recently"
    r"|plan|store|use)\b)"
    r"|\b(?:a|an|the) (?:\w+ ){0,3}(?:company|bank|retailer|museum|hospital|platform|manufacturer|startup"
    r"|start-up|airline|insurer|organi[sz]ation|university|team|developer|engineer|business|agency|chain|factory"
    r"|city|customer)\b"
    r"|\b(?:requirements?|case study|scenario|existing environment|business requirements|technical requirements)\b"
)
_LAYOUT = re.compile(
    r"\b(?:topic\s?#?\d+\b.{0,3}question|question\s?#?:?\s?\d+\b|q\s?#?\d{1,3}\s?[:.)]|case study\b"
    r"|community vote|correct answer|correct\s?:\s?[a-f]|(?:suggested |right |correct )?answers?\s?:\s?[a-f]\b"
    r"|ans\s?[:.]\s?[a-f]\b|explanation/reference|reference\s?:|most voted|exam [a-z]{2,4}-?\d{3})"
)
STEM_WORDS = 12  # before the first option
BARE_WORDS = 25  # of a scenario without options
OPENING = 90  # characters in which somebody may introduce what follows
LONG_TEXT = 30  # words
RUN = 4  # words in a row, compared with stems
ALIKE = 0.4  # of the shorter one's runs


def question_pastes(source: SourceText, stems: tuple[str, ...]) -> Iterator[Hit]:
    """A scenario with options, a scenario that ends in the question, or most of a known stem."""
    text = source.prose
    if len(text) < 60:
        return
    if (
        _has_options(source)
        or _is_bare(text)
        or _LISTED.search(text)
        or len(set(_LAYOUT.findall(text))) > 1
        or _is_a_stem(source.plain, stems)
    ):
        yield Hit(QUESTION_PASTE, *source.span(0, len(text)))


def _has_options(source: SourceText) -> bool:
    """Whether something is asked or told and options follow."""
    text = source.prose
    options = _options(source)
    if not options:
        return False
    before = text[: options[0]]
    words, scenes = len(before.split()), len(_SCENE.findall(before))
    asked = bool(_ASKS.search(before))
    told = (asked and words >= STEM_WORDS) or scenes > 1 or (bool(_LAYOUT.search(text)) and words + scenes > 3)
    put = words >= 4 and (asked or "?" in text or bool(_CHOOSE.search(text))) and len(_VERDICT.findall(text)) < 2
    unjudged = words >= 4 and len(options) > 3 and not _VERDICT.search(text)
    return (words >= 4 and told) or put or unjudged


def _is_bare(text: str) -> bool:
    """Whether a long text tells of somebody's needs and ends in a question, with nobody speaking for himself."""
    opening = text.find(":", 0, OPENING) + 1
    told = text[opening:]
    asks = bool(_LAST_ASKS.search(told) or _ENDS_ASKING.search(told))
    return asks and len(told.split()) >= BARE_WORDS and bool(_NEEDS.search(told)) and not _OWN_VOICE.search(told)


_LAST_ASKS = re.compile(
    r"\b(?:what|which|how|where|who|when)\b[^.?!]{0,200}\?(?:\s*(?:\(|\bchoose\b|\bselect\b|\bpick\b"
    r"|\bmark\b)[^?]{0,60})?\s*\Z"
)
_OWN_VOICE = re.compile(
    r"\b(?:i|i'm|i'd|i've|i'll|my|me|we'd|anyone|anybody|someone|somebody|option [a-f]|the (?:question"
    r"|explanation|answer|docs?|stem))\b"
)
_CHOOSE = re.compile(r"\b(?:choose|select|pick) (?:the|one|two|three|1|2|3|all)\b|\bans(?:wers?)?\b|_{2,}")
_VERDICT = re.compile(
    r"\b(?:because|since|wrong|works?|fails?|i'd|i would|i think|my|no[,:;]|yes[,:;]|too (?:slow|much|many|manual)"
    r"|deprecated|overkill|is right|is correct|incorrect|doesn't|isn't|can't|weil|falsch|porque|parce)\b"
)
_LISTED = re.compile(
    r"\?[^\n?]{0,40}\n\s{0,5}(?:[-*•–○·>]\s{0,3}[^\n]{2,200}\n\s{0,3}){2,6}[-*•–○·>]\s{0,3}[^\n]{2,200}"
)
_NEEDS = re.compile(
    r"\b(?:wants?|needs?|must|has to|have to|requires?|required|plans?"
    r"|asked|may not|not allowed|cannot|should|like to|collects?|stores?|manages?|runs?)\b"
)
_ENDS_ASKING = re.compile(
    r"\b(?:what|which|how)\b[^.?!\n]{0,40}\bshould (?:you|they|he|she|we|the \w+|it)\b[^.?!\n]{0,100}[.:]?\s*\Z"
)


def _options(source: SourceText) -> list[int]:
    """Where the options begin, if at least three letters or numbers follow each other; else nothing."""
    found = [(match[1].lower(), match.start()) for match in _OPTION.finditer(source.prose)]
    best = _in_sequence(found)
    if len(best) >= 3:
        return best
    written = [(match[1].lower(), match.start()) for match in _BARE_OPTION.finditer(source.original)]
    best = _in_sequence(written) if len(source.original) == len(source.prose) else []
    return best if len(best) >= 4 else []


def _in_sequence(found: list[tuple[str, int]]) -> list[int]:
    """The places of the first run a, b, c or 1, 2, 3."""
    for first in ("a", "1"):
        places: list[int] = []
        for label, place in found:
            if label == chr(ord(first) + len(places)):
                places.append(place)
        if len(places) >= 3:
            return places
    return []


def _is_a_stem(plain: str, stems: tuple[str, ...]) -> bool:
    """Whether a long text shares much of its wording with a stem."""
    if not stems or len(words_of(plain)) < LONG_TEXT:
        return False
    mine = runs(plain)
    return any(
        theirs and len(mine & theirs) >= ALIKE * min(len(mine), len(theirs))
        for theirs in (runs(stem) for stem in stems)
    )


@lru_cache(maxsize=2048)
def runs(text: str) -> frozenset[int]:
    """All runs of four words, as hashes of this process."""
    words = words_of(text.lower())
    return frozenset(hash(tuple(words[n : n + RUN])) for n in range(len(words) - RUN + 1))
