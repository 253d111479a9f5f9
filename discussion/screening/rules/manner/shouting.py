"""Shouting: ordinary words in capitals, stretched letters, rows of exclamation marks."""

# ruff: noqa: RUF001 (marks of other scripts)

from __future__ import annotations

import re
from collections.abc import Iterator

from discussion.screening.rules.parts import SHOUTING, Hit
from discussion.screening.rules.source_text import SourceText

# Words that people write in small letters; in capitals they are shouted. Names and abbreviations are not among them.
ORDINARY = frozenset(
    """
    a about after again all already always am an and another answer answered answers any anybody anyone are
    arent ask asking at away bad be because been before best better but buy by can cannot cant change check
    click come comment comments correct could day delete did didnt do docs does doesnt dont dumb either else
    enough even ever every everybody everyone everything exactly exam explain explanation fail failed false
    finally find first fix for forget free friends from get give go good got guaranteed guys had has hate have
    he hello help her here hey his horrible how i idiot idiots if im in is isnt it its just keep kidding know
    later learn let listen lies life like long look looking lost made make many me mean money more most much
    must my name need never new nice no nobody none nonsense not nothing now of off ok okay on once one only
    opinion or other our out over own page pass passed pay people please pls point probably put question
    questions read reading real really reason remove right same say says see seriously she should shut site so
    some somebody someone something stop stupid such sure take talk tell terrible than thank thanks that thats
    the their them then there these they thing things think this those time times to today told tomorrow too
    totally trash true try tried u understand until up urgent us use useless very wait wake want was waste
    wasted watch way we well were what whats when where which who why will wish with without wont work works
    worst would wow write wrong years yes yesterday yet you your youre aber alle auch aufhoren bitte das dass
    der die doch ein eine endlich er es euch falsch ich ihr immer ist ja jetzt kann kein keine mal mehr mein mir
    nein nicht nie nur oder richtig schon sehr sich sie sind so und uns unsinn viel warum was weil wenn wer wie
    wir wird al como con cual cuando de del donde el ella ellos en es esta este esto estan eso mal muy no nunca
    para pero por porque pregunta que quien respuesta se siempre si sin su todo todos un una verdad ya yo avec
    bien c'est ca dans des du elle est et faux il ils je jamais la le les mais mauvaise nous ou par pas plus
    pour pourquoi qu'est que qui quoi reponse sont sur toujours tous tout tres une vous che chi con da della di
    non per perche piu questa questo risposta sbagliata sempre sono tutti ao as com errada esta isso mas muito
    nao nunca os porque por quem resposta sao sempre tudo voce bu cok degil neden yanlis ve
    """.split()  # noqa: SIM905 (a list of words reads better so)
)
_CAPITALS = re.compile(r"(?<![\w-])[^\W\d_]{1,30}(?:['’][^\W\d_]{1,3})?(?![\w-])")
_MARKS = re.compile(r"[!¡！❗‼]{4,}|(?:[!?！？‼⁉❗][ ]?){4,}")
_ALTERNATING = re.compile(r"\b(?=\w{4})(?:[A-Z][a-z]){2,}[A-Z]?\b|\b(?=\w{4})(?:[a-z][A-Z]){2,}[a-z]?\b")
_LONG_LETTER = re.compile(r"\b[^\W\d_]*([^\W\d_])\1{3,}[^\W\d_]*\b")
_TRIPLE = re.compile(r"[!?！？]{3,}")
_STRETCHED = re.compile(r"(?!\bAAAA\b)([A-ZÄÖÜÉÈ])\1{3,}")
_SPACED = re.compile(r"(?<![^\W_])[A-Z](?: [A-Z]){3,}(?![^\W_])")
_BEYOND_LABELS = re.compile("[G-Z]")
MANY_MARKS = 5  # exclamation marks, more than one for each six words
# Words that are put in capitals to stress a condition, not to shout.
STRESSED = frozenset(
    """
    not and or all only no none never must without always both each every is are can cannot first last least
    most more same one any before after in on from to with
    """.split()  # noqa: SIM905 (a list of words reads better so)
)
_STATEMENT = re.compile(
    r"\b(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|CREATE (?:OR|TABLE|MODEL|VIEW)|ALTER TABLE|GRANT|MERGE INTO"
    r"|ORDER BY|GROUP BY|PARTITION BY|IS NOT NULL|LEFT JOIN)\b"
)


def shouting(source: SourceText) -> Iterator[Hit]:
    """Ordinary words in capitals that make up most of a text or stand in a row, and rows of exclamation marks."""
    prose = _as_written(source)
    for match in _MARKS.finditer(prose):
        yield Hit(SHOUTING, *match.span())
    triples = list(_TRIPLE.finditer(prose))
    if len(triples) >= 3:
        yield Hit(SHOUTING, triples[0].start(), triples[-1].end())
    for match in _STRETCHED.finditer(prose):
        yield Hit(SHOUTING, *match.span())
    yield from _playful(prose)
    for match in _SPACED.finditer(prose):
        if _BEYOND_LABELS.search(match[0]):
            yield Hit(SHOUTING, *match.span())
    signs = [place for place, character in enumerate(prose) if character in "!！"]
    if len(signs) >= MANY_MARKS and len(signs) * 6 > len(prose.split()):
        yield Hit(SHOUTING, signs[0], signs[-1] + 1)
    if not _STATEMENT.search(prose):
        yield from _capitals(prose)


def _playful(prose: str) -> Iterator[Hit]:
    """Letters that alternate in size, and several words with a letter drawn out, or one drawn out far."""
    for found in (list(_ALTERNATING.finditer(prose)), list(_LONG_LETTER.finditer(prose))):
        if len(found) > 1:
            yield Hit(SHOUTING, found[0].start(), found[-1].end())
    for match in re.finditer(r"([^\W\d_])\1{5,}", prose):
        yield Hit(SHOUTING, *match.span())


def _as_written(source: SourceText) -> str:
    """The original with code blanked out."""
    if not source.code:
        return source.original
    letters = list(source.original)
    for span in source.code:
        start, end = source.span(*span)
        letters[start:end] = " " * (end - start)
    return "".join(letters)


def _capitals(prose: str) -> Iterator[Hit]:
    """Shouted words: enough of them for the whole text, or in a row."""
    words = [match for match in _CAPITALS.finditer(prose) if len(match[0]) > 1 or match[0] in "IAU"]
    loud = [match for match in words if match[0].isupper()]
    ordinary = [match for match in loud if _is_ordinary(match[0])]
    if not ordinary and not _is_loud_throughout(words, loud):
        return
    counted = [match for match in ordinary if len(match[0]) > 1]
    mostly = len(words) >= 2 and len(counted) >= 2 and len(loud) >= 0.6 * len(words)
    if mostly or _is_loud_throughout(words, loud):
        yield Hit(SHOUTING, loud[0].start(), loud[-1].end())
        return
    if len(words) <= 2 and counted and len(loud) == len(words) and "!!" in prose:
        yield Hit(SHOUTING, loud[0].start(), loud[-1].end())
        return
    stressed = [match for match in counted if match[0].lower() not in STRESSED]
    if len(stressed) >= 3 and len(stressed) * 4 >= len(words):
        yield Hit(SHOUTING, stressed[0].start(), stressed[-1].end())
    yield from _rows(words)


def _is_ordinary(word: str) -> bool:
    return word.lower().replace("'", "").replace("’", "") in ORDINARY


def _is_loud_throughout(words: list[re.Match[str]], loud: list[re.Match[str]]) -> bool:
    """Whether a text of some length has nothing but capitals, in words too long for abbreviations."""
    return len(words) >= 4 and len(loud) >= 0.9 * len(words) and sum(len(match[0]) for match in loud) >= 4.5 * len(loud)


def _rows(words: list[re.Match[str]]) -> Iterator[Hit]:
    """Rows of at least four words in capitals of which three are ordinary."""
    row: list[re.Match[str]] = []
    for match in [*words, None]:
        if match is not None and match[0].isupper():
            row.append(match)
            continue
        if len(row) >= 4 and sum(_is_ordinary(each[0]) and len(each[0]) > 1 for each in row) >= 3:
            yield Hit(SHOUTING, row[0].start(), row[-1].end())
        row = []
