"""Characters that cannot be seen, and letters that pass for others."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from discussion.screening.rules.parts import INVISIBLE, LOOKALIKE_LETTERS, Hit
from discussion.screening.rules.source_text import INVISIBLE as UNSEEN
from discussion.screening.rules.source_text import passes_for_latin, plain

_UNSEEN_RUN = re.compile(f"[{UNSEEN}]+")
_STACKED_MARKS = re.compile("[\u0300-\u036f\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]{3,}")
_STRUCK = re.compile("(?<=[^\\W_])[\u0305\u0332-\u0338\u20dd\u20de]")
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_ALWAYS_ODD = re.compile("[\U000e0000-\U000e0fff\u202d\u202e\u115f\u1160\u3164\uffa0\u2800\u034f]")
_DIRECTION = re.compile("[\u061c\u200e\u200f\u202a-\u202c\u2066-\u2069]")
_LONE = re.compile("[\u200b\u2060-\u2064\u00ad]")
_JOINED = re.compile("[\u0600-\u08ff\u0900-\u0dff\u0e00-\u0eff\u1780-\u17ff\u1800-\u18af]")
_FLAG = re.compile("\U0001f3f4[\U000e0020-\U000e007e]{2,8}\U000e007f")
_WORD = re.compile(r"[^\W\d_]+")
_STYLED = re.compile(
    "[\U0001d400-\U0001d7ff\uff21-\uff3a\uff41-\uff5a\u24b6-\u24e9\U0001f130-\U0001f189]{3,}"
    "|[ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ]{3,}|[\u02b0-\u02b8\u1d2c-\u1d6a]{3,}"
)
_WIDE_SCRIPT = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")
_RARE = re.compile("[\u0530-\u058f\u13a0-\u13ff\u10a0-\u10ff\u1400-\u167f\u2c80-\u2cff\ua4d0-\ua4ff\uab70-\uabbf]")
_CYRILLIC_WORD = re.compile("[\u0400-\u052f]+")
_TURNED = re.compile("[\u0250-\u02af]")
_GREEK = re.compile("[\u0370-\u03ff]")


def invisible(text: str) -> Iterator[Hit]:
    """Unseen characters inside words, in runs, or of kinds that have no honest use; emoji and scripts that need them
    are left alone."""
    if text.isascii():
        return
    lone = [match.span() for match in _LONE.finditer(text)]
    if len(lone) > 1:
        yield from (Hit(INVISIBLE, *span) for span in lone)
    flags = [match.span() for match in _FLAG.finditer(text)]
    right_to_left = bool(_RIGHT_TO_LEFT.search(text))
    for match in _UNSEEN_RUN.finditer(text):
        start, end = match.span()
        in_flag = any(first <= start and end <= last for first, last in flags)
        if not in_flag and _is_odd(text, start, end, right_to_left):
            yield Hit(INVISIBLE, start, end)
    struck = list(_STRUCK.finditer(text))
    if len(struck) > 2:
        yield Hit(INVISIBLE, struck[0].start() - 1, struck[-1].end())
    for match in _STACKED_MARKS.finditer(text):
        yield Hit(INVISIBLE, *match.span())


def _is_odd(text: str, start: int, end: int, right_to_left: bool) -> bool:
    """Whether a run of unseen characters hides something."""
    run = text[start:end].replace("\ufe0e", "").replace("\ufe0f", "")
    if right_to_left:
        run = _DIRECTION.sub("", run)
    before, after = text[start - 1 : start], text[end : end + 1]
    if not run and before.isalpha() and after.isalpha():
        return True
    if not run or (start == 0 and run == "\ufeff"):
        return False
    if _ALWAYS_ODD.search(run) or len(run) > 1:
        return True
    if run in "\u200c\u200d" and (_JOINED.match(before) or _is_picture(before)):
        return False
    return before.isalnum() and after.isalnum()


def _is_picture(character: str) -> bool:
    """Whether this is an emoji or a part of one."""
    return bool(character) and (unicodedata.category(character) in ("So", "Sk") or character == "\ufe0f")


def lookalike_letters(text: str) -> Iterator[Hit]:
    """Words that mix Latin with letters that only look Latin, and words in ornamental letters."""
    if text.isascii():
        return
    for match in _WORD.finditer(text):
        if not match[0].isascii() and _mixes(match[0]):
            yield Hit(LOOKALIKE_LETTERS, *match.span())
    for start, end in _borrowed_words(text):
        yield Hit(LOOKALIKE_LETTERS, start, end)
    turned = [match.span() for match in _TURNED.finditer(text)]
    if len(turned) > 1:
        yield Hit(LOOKALIKE_LETTERS, turned[0][0], turned[-1][1])
    wide = bool(_WIDE_SCRIPT.search(text))
    for match in _STYLED.finditer(text):
        if not (wide and match[0][0] >= "\uff00" and match[0][0] <= "\uffef"):
            yield Hit(LOOKALIKE_LETTERS, *match.span())


def _mixes(word: str) -> bool:
    """Whether a word is Latin but for look-alike letters. A Greek letter beside one or two is a symbol."""
    small = "".join(plain(each) or each for each in word)
    latin = len(re.findall("[a-z]", small))
    if _RARE.search(small) and latin > 1:
        return True
    symbols = len(_GREEK.findall(small)) == len(small) - latin == 1
    at_an_end = bool(_GREEK.match(small) or _GREEK.match(small[-1:]))
    if len(small) < 3 or latin == 0 or (symbols and at_an_end and latin < 3):
        return False
    return passes_for_latin(small)


def _borrowed_words(text: str) -> Iterator[tuple[int, int]]:
    """Words of look-alike letters alone in a Latin text, where nothing else is in their alphabet."""
    words = list(_CYRILLIC_WORD.finditer(text))
    if not words or len(re.findall("[A-Za-z]", text)) * 2 < len(text):
        return
    if all(passes_for_latin("".join(map(plain, match[0]))) for match in words):
        yield from (match.span() for match in words if len(match[0]) > 2)
