"""Questions in text with a mark at the right answer: text2qti (github.com/gpoore/text2qti), Respondus, similar lists.

A question is a numbered line, or a paragraph after the previous one's options. Its options are lines ``a)``, right with
a mark before the letter (``*b)``, ``!b)``, ``+b)``), by a line ``Answer: b`` or by a list of all answers below
(answer_keys.py); or boxes ``[ ]`` and ``[*]``, circles ``( )`` and ``(x)``; or dashes, with ``!`` or ``+`` instead for
right ones. Lines with ``...`` are feedback, and so are lines with the options' letters under a heading ``Feedback:``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from questions.formats.rules.items import (
    MULTIPLE,
    CannotTake,
    Found,
    Item,
    ItemOption,
    Skipped,
    item_or_reason,
    kind_of,
    of_other_kind,
)
from questions.formats.rules.limits import ITEM_CHARACTERS, OPTIONS
from questions.formats.rules.plain.below.answer_keys import Key, several, stretches
from questions.formats.rules.plain.lists.blocks import (
    ANSWER,
    BLANK,
    BOX,
    COUNTED,
    DASH,
    FEEDBACK,
    FOLD,
    LETTERED,
    NOTE,
    NUMBER,
    OTHER_KINDS,
    OVER_ANSWER,
    RIGHT,
    TOLD,
    WORDED,
    Block,
    blocks,
    dashes_in,
    option_in,
)
from questions.formats.rules.plain.lists.fences import IN_CODE
from questions.formats.rules.plain.lists.one_line import TAKEN_APART, apart
from questions.formats.rules.reading.html_text import Texts
from questions.formats.rules.reading.markup.list_entries import as_paragraphs, joined, plain
from questions.formats.rules.reading.text_lines import Line

STARRED = re.compile(r"\*(?=[^\s*][^*]*$)")  # a mark after the letter, as no second star ends what is emphasised
SIGN = re.compile(r"(?:^|(?<=\s))\(?(?P<letter>[A-Oa-o])[.)]\s+")
PLURAL = re.compile(r"\W*(?:correct )?answers\b", re.IGNORECASE)
CODED = re.compile(r" {4}|\t")  # what Markdown shows as code
ABOVE = re.compile(r"\W*(?:correct )?(?:answer|solution)s?\s*:\W*$", re.IGNORECASE)
TICKED = re.compile(r"(?<=\S)\s*(?:[✓✔✅]\ufe0f?|\((?:correct|right)(?: answer)?\))\s*$", re.IGNORECASE)


@dataclass
class Piece:
    """An option with its feedback, or the question before the options."""

    lines: list[str] = field(default_factory=list)
    right: bool = False
    letter: str = ""
    feedback: list[str] = field(default_factory=list)


def _row(text: str, options: list[Piece], letters: list[str]) -> re.Match[str] | None:
    """An option without words: a form's blank row, or its words are below. Its letter is the next one."""
    option = option_in(f"{text} {BLANK}")
    if option is None or option.group("text") != BLANK:
        return None
    if not option.group("letter"):
        return option if options and not options[-1].letter else None
    is_next = option.group("letter").upper() == "ABCDEFGHIJKLMNO"[len(options) :][:1]
    return option if is_next and (options or "B" in letters) else None


def read(lines: Iterable[Line]) -> Iterator[Found]:
    """Every question of a file; a paragraph with neither number nor options is skipped."""
    for stretch, key in stretches(lines):
        found = [
            block
            for block in blocks(as_paragraphs(stretch))
            if block.numbered or block.has_options or dashes_in(block) or block.shows_options
        ]
        key.twice |= several(block.number for block in found)
        for block in found:
            if block.shows_options and not block.has_options:
                yield Skipped(block.line, "question", IN_CODE)
                continue
            yield item_or_reason(block.line, "question", lambda block=block, key=key: _item(block, key))  # type: ignore[misc]


def _item(block: Block, key: Key) -> Item:
    if block.size > ITEM_CHARACTERS:
        raise CannotTake(f"is larger than {ITEM_CHARACTERS:,} characters")
    each = apart(block.lines)
    lines, feedback = _feedback_below(each)
    stem, options, told, letters = _pieces(block, lines)
    if not options:
        raise _not_a_choice(block)
    _refuse_two_in_one(stem, options)
    _give(options, feedback)
    letters = _with_list(block, key, letters, options)
    told += filter(None, [key.told.get(block.number, "")])
    if letters:
        _mark(options, letters)
    elif len(options) > 1 and all(option.right and option.letter for option in options):
        raise CannotTake("has a mark at every option, so it doesn’t say which is right")
    texts = Texts()
    boxes = not any(option.letter for option in options) and any(BOX.match(t) for t, code in block.lines if not code)
    right = sum(option.right for option in options)
    tags = block.facts.get("tags", block.facts.get("tag", ""))
    return Item(
        line=block.line,
        id=block.facts.get("id", ""),
        kind=MULTIPLE if boxes else kind_of(right),
        stem=texts.markdown(joined(stem.lines)),
        options=tuple(
            ItemOption(
                texts.markdown(joined(option.lines)),
                option.right,
                texts.markdown(joined(option.feedback), needed=False),
            )
            for option in options
        ),
        title=" ".join(block.facts.get("title", "").split()),
        explanation=texts.markdown(joined([*stem.feedback, *told]), needed=False),
        tags=tuple(part.strip() for part in tags.split(",") if part.strip()),
        category=block.facts.get("category", ""),
        warnings=(*texts.warnings, *([TAKEN_APART] if len(each) > len(block.lines) else [])),
    )


def _refuse_two_in_one(stem: Piece, options: list[Piece]) -> None:
    """Raise CannotTake if this may be two questions, or an example in a text about something else."""
    if options[0].letter and options[0].letter in [option.letter for option in options[1:]]:
        raise CannotTake(f"has two options {options[0].letter}, so it may be two questions; number them")
    if any(CODED.match(line) and NUMBER.match(line.strip()) for line in stem.lines[1:]):
        raise CannotTake(IN_CODE)
    if any(ABOVE.match(line) for line in stem.lines):
        raise CannotTake("has an answer above its options, so it may be two questions; number them")


def _not_a_choice(block: Block) -> CannotTake:
    for text, code in block.lines:
        kind = "" if code else next((kind for form, kind in OTHER_KINDS if form.match(text)), "")
        if kind:
            return of_other_kind(kind)
    return CannotTake("has no options; each starts with a letter and “)”, or with a box")


def _feedback_below(lines: list[tuple[str, bool]]) -> tuple[list[tuple[str, bool]], dict[str, list[str]]]:
    """A question's lines without the list under a heading such as “Feedback:”, and that list by its letters."""
    kept, by_letter = list[tuple[str, bool]](), dict[str, list[str]]()
    inside, letter = False, ""
    for text, code in lines:
        option = None if code else LETTERED.match(text)
        if inside and option:
            letter = option.group("letter").upper()
            by_letter.setdefault(letter, []).append(option.group("text"))
        elif inside and letter and (code or not _heads(text)):
            by_letter[letter].append(text)
        elif not inside or text.strip():
            headed = not code and TOLD.fullmatch(text) is not None
            inside, letter = headed and any(LETTERED.match(t) for t, is_code in kept if not is_code), ""
            kept.append((text, code))
    return kept, by_letter


def _heads(text: str) -> bool:
    return any(form.match(text) for form in (ANSWER, WORDED, TOLD))


def _give(options: list[Piece], feedback: dict[str, list[str]]) -> None:
    """Give each option the feedback for its letter. Raises CannotTake if there is no such option, as in “J. Watt”."""
    by_letter = {option.letter: option for option in options}
    if unknown := sorted(feedback.keys() - by_letter.keys()):
        words = f"{unknown[0]}. {feedback[unknown[0]][0]}"
        raise CannotTake(f"has “{words[:40]}” below its feedback, which may be another option or not")
    for letter, lines in feedback.items():
        by_letter[letter].feedback += lines


def _pieces(block: Block, lines: list[tuple[str, bool]]) -> tuple[Piece, list[Piece], list[str], str]:
    """The question, its options, the text after them, and the letters of a line naming the right ones."""
    dashed = bool(dashes_in(block)) and not block.has_options
    stem, options, told, letters = Piece(), list[Piece](), list[str](), ""
    target = stem.lines
    known = [] if dashed else _letters(lines)
    for text, code in lines:
        option = None if code else DASH.match(text) if dashed else option_in(text) or _row(text, options, known)
        current = options[-1] if options else stem
        if option:
            options.append(_offered(option))
            target = options[-1].lines
        elif code:
            target.append(text)
        elif len(options) <= OPTIONS and (said := _answered(text, options)):
            if letters and set(letters.upper()) != set(said[0].upper()):
                raise CannotTake(f"has two answers, “{letters[:20]}” and “{said[0][:20]}”")
            letters, rest = said
            told += rest
            target = told
        elif options and FOLD.match(text):
            target = told
        elif options and (note := TOLD.match(text) or (OVER_ANSWER.match(text) if block.named else None)):
            told.append(text[note.end() :])
            target = told
        elif note := FEEDBACK.match(text) or (None if dashed or target is told else NOTE.match(text)):
            target = current.feedback
            target.append(text[note.end() :])
        else:
            target.append(text if target or options else _without_number(text))
    return stem, options, told, letters


def _offered(option: re.Match[str]) -> Piece:
    """An option with its mark, which stands before its letter or box, before its words or after them."""
    mark, words = option.group("mark"), (option.group("text") or "").removeprefix(BLANK)
    ticked = TICKED.search(words)
    words = words[: ticked.start()] if ticked else words
    starred = STARRED.match(words) if option.group("letter") else None
    words = words[1:] if starred else words
    return Piece([words], (mark in RIGHT and mark != "") or bool(ticked or starred), option.group("letter").upper())


def _letters(lines: list[tuple[str, bool]]) -> list[str]:
    found = (option_in(f"{text} {BLANK}") for text, code in lines if not code)
    return [option.group("letter").upper() for option in found if option]


def _without_number(text: str) -> str:
    """The first line of a question without its number; what is bold from there on stays bold."""
    if COUNTED.match(text):
        return ""
    number = NUMBER.match(text)
    return (number.group("bold") or "") + text[number.end() :] if number else text


def _answered(text: str, options: list[Piece]) -> tuple[str, list[str]] | None:
    """The letters that a line of answers names, and what else it says. Raises CannotTake if it is ambiguous."""
    worded = _worded(text, options)
    named = ANSWER.match(text) if options else None
    if named is None:
        return worded
    letters = named.group("letters")
    if worded and worded[0] != letters.upper():
        raise CannotTake(f"has the answer “{letters[:40]}”, which is the letter of one option and the text of another")
    return letters, []


def _worded(text: str, options: list[Piece]) -> tuple[str, list[str]] | None:
    """The letter of the option that an answer names, and what else it says; None if it names none.

    Raises CannotTake if its letter and its words belong to different options.
    """
    said = WORDED.match(text) if options else None
    if said is None:
        return None
    words = plain(said.group("words"))
    same = [option.letter for option in options if plain(joined(option.lines)) == words]
    letter = (said.group("letter") or "").upper()
    if letter and same and letter not in same:
        raise CannotTake(f"has the answer “{text.strip()[:40]}”, whose letter and words are those of two options")
    if letter and (several := _each_worded(f"{letter}) {said.group('words')}", options, plural=PLURAL.match(text))):
        return several, []
    if letter:
        return letter, [] if same or TOLD.fullmatch(said.group("words")) else [said.group("words")]
    return (same[0], []) if len(same) == 1 and same[0] else None


def _with_list(block: Block, key: Key, letters: str, options: list[Piece]) -> str:
    """The letters of a question's answer, from the list of answers if that has it. Raises CannotTake."""
    if block.number in key.letters:
        return _from_below(block.number, key, letters)
    if not key.letters or letters or any(option.right for option in options):
        return letters
    if block.number:
        raise CannotTake(f"has the number {block.number}, for which the list of answers below has no letter")
    raise CannotTake("has no number, so the list of answers below doesn’t say which option is right")


def _each_worded(said: str, options: list[Piece], *, plural: re.Match[str] | None) -> str:
    """The letters of several options that an answer repeats with their words; "" if it seems to name only one.

    Raises CannotTake if it names several and the words of one differ.
    """
    words = {option.letter: plain(joined(option.lines)) for option in options}
    signs = [sign for sign in SIGN.finditer(said) if sign["letter"].upper() in words]
    ends = [*(sign.start() for sign in signs[1:]), len(said)]
    parts = [
        (sign["letter"].upper(), said[sign.end() : end].rstrip(" ,;&").removesuffix(" and").rstrip(" ,;&"))
        for sign, end in zip(signs, ends, strict=True)
    ]
    same = [plain(text) == words[letter] for letter, text in parts]
    if len(parts) < 2 or not (plural or same[0]):
        return ""
    if not all(same):
        raise CannotTake(f"has the answer “{said[:40]}”, which names several options, one of them in other words")
    return "".join(letter for letter, _ in parts)


def _from_below(number: str, key: Key, letters: str) -> str:
    """A question's answer in the list of answers. Raises CannotTake if that isn't certain."""
    if number in key.twice:
        raise CannotTake(f"has the number {number}, which appears twice above its list of answers or in it")
    below = key.letters[number]
    if letters and set(re.findall(r"[A-O]", letters.upper())) != set(re.findall(r"[A-O]", below)):
        raise CannotTake(f"has the answer “{letters[:40]}”, but “{below}” in the list of answers")
    return below


def _mark(options: list[Piece], letters: str) -> None:
    """Mark the options that an answer line names. Raises CannotTake if it names none, or contradicts the marks.

    A sign before every option is a bullet and means nothing.
    """
    named = re.findall(r"[A-Z]", re.sub(r"\band\b", " ", letters, flags=re.IGNORECASE).upper())
    known = [option.letter for option in options]
    if twice := sorted(several(known)):
        raise CannotTake(f"has two options {twice[0]}, so the answer “{letters[:40]}” doesn’t say which is meant")
    if not set(named) <= set(known):
        raise CannotTake(f"has the answer “{letters[:40]}”, which isn’t the letter of one of its options")
    marked = [option.letter for option in options if option.right]
    if marked and marked != known and set(marked) != set(named):
        raise CannotTake(f"marks {', '.join(marked)} as right, but its answer is “{letters[:40]}”")
    for option in options:
        option.right = option.letter in named
