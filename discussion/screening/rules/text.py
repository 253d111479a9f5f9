"""A text in the rules' plain form: lower case, with original positions; and hidden content.

Accents, invisible characters and letters from other alphabets are undone, so that no disguise hides a word.
"""

# ruff: noqa: RUF001 (letters and signs of other scripts)

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

from discussion.comments.rules.quoting import CODE
from discussion.screening.rules.parts import INVISIBLE, LOOKALIKE_LETTERS, Hit

UNSEEN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U000e0000-\U000e0fff]"
)
_WORD = re.compile(r"[^\W\d_]+")
_LATIN = re.compile(r"[a-zªºß-öø-ɏ]")
# Letters that look Latin: Cyrillic, Greek, then small capitals.
_PAIRS = (
    "аa вb еe ѕs іi јj кk мm нh оo рp сc тt уy хx ԁd ԛq ԝw һh ӏl ѵv гr ьb зe αa βb εe ηn ιi κk μu νv οo ρp τt υu χx ωw"
    " γy ᴀa ʙb ᴄc ᴅd ᴇe ꜰf ɢg ʜh ɪi ᴊj ᴋk ʟl ᴍm ɴn ᴏo ᴘp ʀr ꜱs ᴛt ᴜu ᴠv ᴡw ʏy ᴢz ɑa ɡg"
)
PASSING = str.maketrans({pair[0]: pair[1] for pair in _PAIRS.split()})
_ALWAYS = {"ı": "i", "ł": "l", "ø": "o", "đ": "d", "ß": "ss", "æ": "ae", "’": "'", "‘": "'", "–": "-", "—": "-"}
_NO_HONEST_USE = re.compile(
    "[\u202d\u202e\u115f\u1160\u3164\uffa0\u2800\u034f]|\\w[\u0300-\u036f\u0489\u20d0-\u20ff]{3,}"
)
_RUN = re.compile("[\u00ad\u200b\u2060-\u2064\ufeff\U000e0000-\U000e0fff]+")
_FLAG = re.compile("\U0001f3f4[\U000e0020-\U000e007e]{2,8}\U000e007f")
_JOINED_LATIN = re.compile("(?<=[A-Za-z\u0400-\u04ff])[\u200c\u200d\ufe00-\ufe0f]+(?=[A-Za-z\u0400-\u04ff])")
_STYLED = re.compile("[\U0001d400-\U0001d7ff\u24b6-\u24e9\U0001f130-\U0001f189]{3,}|[ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ]{3,}")
_STRUCK = re.compile("(?:[^\\W_][\u0305\u0332-\u0338]){3,}")


# A comment is read character by character, and each takes several look-ups; the cache has room for every script in use.
@lru_cache(maxsize=20_000)
def _plain(character: str) -> str:
    """A character in plain form: lower case, without accents; empty if invisible."""
    if UNSEEN.match(character):
        return ""
    if character.isspace():
        return "\n" if character in "\n\r\u2028\u2029\u0085" else " "
    small = unicodedata.normalize("NFKC", character).lower()
    if not "\uac00" <= character <= "\ud7a3":
        small = unicodedata.normalize("NFKD", small)
    return "".join(_ALWAYS.get(each, each) for each in small if unicodedata.category(each) not in ("Mn", "Me", "Cf"))


@dataclass(frozen=True)
class Source:
    """A text as written and in plain form, with each plain character's original position."""

    original: str
    plain: str
    places: tuple[int, ...]

    def hit(self, rule: str, start: int, end: int) -> Hit:
        """A hit at a span of the plain form."""
        return Hit(rule, self.places[start], self.places[end - 1] + 1)

    @cached_property
    def prose(self) -> str:
        """The plain form with code blanked out, of the same length."""
        return CODE.sub(lambda match: " " * len(match[0]), self.plain)


def read(text: str) -> Source:
    """The text in plain form. Words mixing alphabets become Latin; in a Latin text, so do words of only look-alikes."""
    pairs = [(each, place) for place, character in enumerate(text) for each in _plain(character)]
    small = "".join(each for each, _ in pairs)
    if not small.isascii():
        mostly_latin = 2 * len(_LATIN.findall(small)) > sum(map(str.isalpha, small))
        small = _WORD.sub(lambda match: _made_latin(match[0], mostly_latin), small)
    return Source(text, small, tuple(place for _, place in pairs))


def _made_latin(word: str, mostly_latin: bool) -> str:
    made = word.translate(PASSING)
    borrowed = not word.isascii() and made != word and all(map(_LATIN.match, made))
    return made if borrowed and (_LATIN.search(word) or (mostly_latin and len(word) > 2)) else word


def hidden(source: Source) -> Iterator[Hit]:
    """Invisible characters without an honest use, or inside words; words in letters that only look Latin."""
    text = source.original
    if text.isascii():
        return
    flags = [match.span() for match in _FLAG.finditer(text)]
    for pattern in (_NO_HONEST_USE, _JOINED_LATIN, _STRUCK, _RUN):
        for match in pattern.finditer(text):
            start, end = match.span()
            in_flag = any(first <= start and end <= last for first, last in flags)
            alone = (
                pattern is _RUN and end - start == 1 and not (text[start - 1 : start] + text[end : end + 1]).isalnum()
            )
            if not in_flag and not alone and text[start:end] != "\u00ad":
                yield Hit(INVISIBLE, start, end)
    for match in _WORD.finditer(text):
        small = "".join(map(_plain, match[0]))
        latin = len(_LATIN.findall(small))
        # A Greek letter next to one or two others is a symbol.
        is_symbol = len(small) < 4 and len(re.findall("[\u0370-\u03ff]", small)) == len(small) - latin
        if latin and not is_symbol and _made_latin(small, mostly_latin=False) != small:
            yield Hit(LOOKALIKE_LETTERS, *match.span())
    for match in _STYLED.finditer(text):
        yield Hit(LOOKALIKE_LETTERS, *match.span())
