from __future__ import annotations

import re
from collections.abc import Iterator

from discussion.screening.rules.parts import INSULT, VOTE_BEGGING, Hit
from discussion.screening.rules.source_text import SourceText
from discussion.screening.rules.words import Clue, Marks, matches

INSULTS = (
    Clue(("insult_noun",), unless=("harmless_noun",), around=2),
    Clue(("you", "insult_word"), within=6, unless=("harmless_word",), around=1),
    Clue(("you", "belittle"), within=9, unless=("self",), around=1),
    Clue(("intense", "mild_noun"), within=1, ordered=True, unless=("self", "humble")),
    Clue(("harsh",), unless=("self",), around=3),
    Clue(("harsh_about", "about"), within=2, ordered=True, unless=("humble",), around=3),
    Clue(("you", "schooling"), within=8),
    Clue(("you", "embarrassing"), within=60),
    Clue(("you_are", "worthless"), within=3, ordered=True, unless=("harmless_bad",)),
    Clue(("your_words", "bad_words"), within=7, ordered=True, unless=("harmless_bad",)),
    Clue(("abuse",), unless=("harmless_abuse",), around=2),
)
VOTES = (
    Clue(("plead", "vote"), within=4, unless=("voting_model",), around=3),
    Clue(("vote_strong",), unless=("voting_model",), around=3),
)


_CENSORED = re.compile(
    r"(?<![\w*`/])[a-z]{1,4}(?:\*{2,4}|[*#@%&]{2,4})[a-z]{0,5}(?![\w*`/])|(?<![\w*`/.])(?:st|id|mor|f|sh|b|a|c|d|cr)"
    r"[*#%@!1$](?:pid|ot|diot|on|ck|cking|t|tty|tch|ss|sshole|nt|mb|ap|uck|hit|ffhead)\w{0,4}(?![\w*`/])"
)


def insults(source: SourceText, marks: Marks) -> Iterator[Hit]:
    """Words against a person, not against an argument or oneself."""
    for clue in INSULTS:
        for found in matches(clue, marks):
            yield Hit(INSULT, *source.span(found.start, found.end))
    for match in _CENSORED.finditer(source.prose):
        yield Hit(INSULT, *source.span(*match.span()))


_REACT = re.compile("[👍❤⭐🔥⬆👎💯🔼♥]\ufe0f?\\W{0,3}(?:if|=|for|when|fur|si|se)\\b")


def vote_begging(source: SourceText, marks: Marks) -> Iterator[Hit]:
    """Asking for votes, likes or points."""
    for clue in VOTES:
        for found in matches(clue, marks):
            yield Hit(VOTE_BEGGING, *source.span(found.start, found.end))
    for match in _REACT.finditer(source.prose):
        yield Hit(VOTE_BEGGING, *source.span(*match.span()))
