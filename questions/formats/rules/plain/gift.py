"""GIFT (docs.moodle.org/en/GIFT_format), read as Moodle does, but more leniently in three ways: a blank line among the
answers doesn't end the question, a question that follows without a blank line is separate, and braces without a
backslash are text if only one pair can contain the answers.

``=`` marks the right answer of a choice, ``~`` the others, ``%50%`` a weight, ``#`` feedback, ``####`` the general one.
Without any ``=`` several answers are to be chosen: those with a positive weight.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from decimal import Decimal

from questions.formats.rules.items import (
    MULTIPLE,
    SINGLE,
    CannotTake,
    Found,
    Item,
    ItemOption,
    item_or_reason,
    of_other_kind,
    true_or_false,
)
from questions.formats.rules.limits import ITEM_CHARACTERS
from questions.formats.rules.reading.html_text import Texts
from questions.formats.rules.reading.markup.moodle_markdown import to_moodle
from questions.formats.rules.reading.text_lines import Line

ESCAPE = re.compile(r"\\([\\:#={}~n])")
WEIGHT = re.compile(r"%(-?\d{1,3}(?:\.\d*)?)%")
FORMAT = re.compile(r"\[(html|moodle|plain|markdown)\]")
COMMENT_FACT = re.compile(r"\[(id|tag):((?:\\.|[^\]\\])+)\]")
TRUE_FALSE = {"T", "TRUE", "F", "FALSE"}
ANSWERS = re.compile(r"\s*(?:[=~#}]|(?:T|TRUE|F|FALSE)\s*(?:[#}]|$))", re.IGNORECASE)
"""How answers in braces start, including the closing brace."""
CATEGORY = "$CATEGORY:"
BLANK = "_____"


@dataclass
class Block:
    """The lines of one question, without comments, and the facts from its comments."""

    lines: list[Line] = field(default_factory=list)
    facts: list[tuple[str, str]] = field(default_factory=list)
    depth: int = 0  # number of open braces
    begins: str = ""  # the text after the outermost one
    pairs: int = 0
    closed_after: int = 0  # how many lines there were when the answers ended; 0 until then
    blank: bool = False
    size: int = 0

    def add(self, line: Line) -> None:
        """Add a line, tracking whether the answers are open. Anything too large for a question isn't kept."""
        self.size += len(line[1])
        if self.lines and self.size > ITEM_CHARACTERS:
            return
        self.lines.append(line)
        self.blank = False
        self.begins = self.begins or line[1].strip()
        for place in bare(line[1], "{}"):
            if line[1][place] == "{":
                self.begins = self.begins if self.depth else line[1][place + 1 :].strip()
                self.depth += 1
            elif self.depth:
                self.depth -= 1
                self.pairs += not self.depth
                if not self.depth and ANSWERS.match(self.begins):
                    self.closed_after = self.closed_after or len(self.lines)

    def note(self, comment: str) -> None:
        """Moodle writes a question's id and tags in a comment before it."""
        self.facts += [(name, re.sub(r"\\(.)", r"\1", value).strip()) for name, value in COMMENT_FACT.findall(comment)]

    def is_ended_by(self, text: str) -> bool:
        """Whether this line starts something new."""
        if text.startswith(CATEGORY) or self.lines[0][1].lstrip().startswith(CATEGORY):
            return True
        if self.depth:
            return (self.blank and not text.startswith(("=", "~", "}", "#", "//"))) or text.startswith("::")
        return self.blank or (bool(self.pairs) and text.startswith(("::", "//")))

    def split(self) -> tuple[Block, Block]:
        """The finished question, and the lines after it, which start the next one."""
        first, second = Block(facts=self.facts), Block()
        for place, line in enumerate(self.lines):
            (first if place < self.closed_after else second).add(line)
        return first, second


def bare(text: str, characters: str) -> Iterator[int]:
    """Where one of the characters occurs unescaped."""
    for match in re.finditer(rf"\\[\\:#={{}}~n]|[{re.escape(characters)}]", text):
        if len(match.group()) == 1:
            yield match.start()


def unescaped(text: str) -> str:
    """The text with its backslashes gone; ``\\n`` is a line break."""
    return ESCAPE.sub(lambda match: "\n" if match.group(1) == "n" else match.group(1), text)


def read(lines: Iterable[Line]) -> Iterator[Found]:
    """Every question of a file; a category applies to what follows it."""
    category = ""
    for block in blocks(lines):
        first = block.lines[0][1].strip()
        if first.startswith(CATEGORY):
            category = re.sub(r"^\$[a-z]+\$(?:/top\b)?/?", "", first.removeprefix(CATEGORY).strip())
        else:
            yield read_block(block, category)


def blocks(lines: Iterable[Line]) -> Iterator[Block]:
    """Blocks of lines, each a question or a category."""
    block = Block()
    for number, raw in lines:
        text = raw.rstrip()
        start = text.lstrip()
        if not start:
            block.blank = bool(block.lines)
            continue
        if block.lines and block.is_ended_by(start):
            yield block
            block = Block()
        if start.startswith("//"):
            block.note(start)
            continue
        if block.closed_after and any(text[place] == "{" for place in bare(text, "{}")):
            done, block = block.split()
            yield done
        block.add((number, text))
    if block.lines:
        yield block


def read_block(block: Block, category: str) -> Found:
    """One question, or the reason why it isn't acceptable."""
    text = "\n".join(line for _, line in block.lines).strip()
    if block.size > ITEM_CHARACTERS:
        return item_or_reason(block.lines[0][0], "question", _too_large)
    title, text = _title(text)
    try:
        before, answers, after = _parts(text)
    except CannotTake as refusal:
        reason = refusal
        return item_or_reason(block.lines[0][0], "question", lambda: _refuse(reason))
    kind = _kind(answers)
    stem = before if not after else before + BLANK + after
    return item_or_reason(block.lines[0][0], kind, lambda: _item(block, kind, title, (stem, answers or ""), category))


def _too_large() -> Item:
    raise CannotTake(f"is larger than {ITEM_CHARACTERS:,} characters")


def _refuse(refusal: CannotTake) -> Item:
    raise refusal


def _title(text: str) -> tuple[str, str]:
    if not text.startswith("::"):
        return "", text
    end = next((at for at in bare(text[2:], ":") if text[2:].startswith("::", at)), None)
    if end is None:
        return "", text
    return " ".join(unescaped(text[2 : 2 + end]).split()), text[end + 4 :].strip()


def _parts(text: str) -> tuple[str, str | None, str]:
    """The text before, inside and after the answers' braces; None without braces. Raises CannotTake."""
    signs = "".join(text[place] for place in bare(text, "{}"))
    if not signs:
        return text, None, ""
    if signs in ("{", "}"):
        raise CannotTake("has an unmatched brace")
    pairs = _pairs(text)
    if signs != "{}":
        pairs = [pair for pair in pairs if pair[1] > pair[0] + 1 and ANSWERS.match(text[pair[0] + 1 : pair[1] + 1])]
    if len(pairs) != 1 or (signs != "{}" and not _can_be_answers(text[pairs[0][0] + 1 : pairs[0][1]])):
        raise CannotTake("has more than one pair of braces; a literal brace needs a backslash")
    start, end = pairs[0]
    return text[:start], text[start + 1 : end].strip(), text[end + 1 :]


def _pairs(text: str) -> list[tuple[int, int]]:
    """The outermost pairs of braces; none if one is unmatched."""
    depth, start, found = 0, 0, list[tuple[int, int]]()
    for place in bare(text, "{}"):
        start = start if depth else place
        depth += 1 if text[place] == "{" else -1
        if depth < 0:
            return []
        if not depth:
            found.append((start, place))
    return [] if depth else found


def _can_be_answers(inside: str) -> bool:
    """Whether this can be the answers, next to braces without a backslash.

    A GIFT symbol between such braces, or a second ``=``, could be text, so it decides nothing.
    """
    nested = "".join(inside[start:end] for start, end in _pairs(inside))
    return not any(True for _ in bare(nested, "=~#")) and len(list(bare(inside, "="))) <= 1


def _kind(answers: str | None) -> str:
    """Moodle's name for it (question/format/gift, in the order of its checks)."""
    if not answers:
        return "description" if answers is None else "essay"
    if any(True for _ in bare(answers, "~")):
        return "multichoice"
    if answers.startswith("#") and not answers.startswith("####"):
        return "numerical"
    if answers.split("#", 1)[0].strip().upper() in TRUE_FALSE:
        return "truefalse"
    return "matching" if "->" in answers else "shortanswer"


def _item(block: Block, kind: str, title: str, parts: tuple[str, str], category: str) -> Item:
    if kind not in ("multichoice", "truefalse"):
        raise of_other_kind(kind)
    texts = Texts()
    stem, answers = parts
    stated = FORMAT.match(stem.strip())
    default = stated.group(1) if stated else "moodle"
    answers, general = _general_feedback(answers)
    single = kind == "truefalse" or any(True for _ in bare(answers, "="))
    options = _judged(answers, default, texts) if kind == "truefalse" else _options(answers, single, default, texts)
    ids = [value for name, value in block.facts if name == "id"]
    return Item(
        line=block.lines[0][0],
        id=ids[-1] if ids else "",
        kind=SINGLE if single else MULTIPLE,
        stem=_text(stem, default, texts),
        options=options,
        title=title,
        explanation=_text(general, default, texts, needed=False),
        tags=tuple(value for name, value in block.facts if name == "tag"),
        category=category,
        warnings=tuple(texts.warnings),
    )


def _judged(answers: str, default: str, texts: Texts) -> tuple[ItemOption, ...]:
    """``{T#if wrong#if right}``: the first feedback is for a wrong answer."""
    marks = list(bare(answers, "#"))[:2]
    ends = [*marks, len(answers), len(answers)]
    wrong = _text(answers[ends[0] + 1 : ends[1]], default, texts, needed=False)
    well = _text(answers[ends[1] + 1 :], default, texts, needed=False)
    right = answers[: ends[0]].strip().upper() in ("T", "TRUE")
    return true_or_false(right, well if right else wrong, wrong if right else well)


def _options(answers: str, single: bool, default: str, texts: Texts) -> tuple[ItemOption, ...]:
    rows = [_answer(part) for part in _answers(answers)]
    rights = _rights([weight for weight, _, _ in rows], single, texts)
    words = _told_apart([text for _, text, _ in rows], default, texts)
    return tuple(
        ItemOption(text, right, _text(feedback, default, texts, needed=False))
        for text, (_, _, feedback), right in zip(words, rows, rights, strict=True)
    )


def _told_apart(given: list[str], default: str, texts: Texts) -> list[str]:
    """The options; as literal text if only their tags distinguish them."""
    words = [_text(text, default, texts) for text in given]
    if default != "moodle" or len(set(words)) == len(words) or len(set(given)) < len(given):
        return words
    return [_text(text, "plain", texts) for text in given]


def _general_feedback(answers: str) -> tuple[str, str]:
    """The last ``####`` starts the general feedback."""
    places = [place for place in bare(answers, "#") if re.match(r"#{4}(?!#)", answers[place:])]
    if not places:
        return answers, ""
    return answers[: places[-1]].strip(), answers[places[-1] + 4 :]


def _answers(answers: str) -> list[str]:
    starts = list(bare(answers, "=~"))
    if not starts or answers[: starts[0]].strip():
        raise CannotTake("has answers that start with neither = nor ~")
    # Moodle reads "~=right" as one right answer. Any other sign without a text is a blank answer, which may be the key.
    joined = [
        place
        for before, place in zip([-2, *starts], starts, strict=False)
        if before != place - 1 or answers[before : place + 1] != "~="
    ]
    ends = [*joined[1:], len(answers)]
    return [answers[start:end].strip() for start, end in zip(joined, ends, strict=True)]


def _answer(answer: str) -> tuple[Decimal, str, str]:
    """Weight in percent, text and feedback of ``~%50%text#feedback``."""
    right = answer.startswith(("=", "~="))
    answer = answer.lstrip("=~").strip()
    weight = Decimal(100) if right else Decimal(0)
    stated = WEIGHT.match(answer)
    if stated:
        weight, answer = Decimal(stated.group(1)), answer[stated.end() :]
    mark = next(bare(answer, "#"), None)
    return (weight, answer, "") if mark is None else (weight, answer[:mark], answer[mark + 1 :])


def _rights(weights: list[Decimal], single: bool, texts: Texts) -> list[bool]:
    """In choose-one, those worth everything; in choose-several, those worth anything."""
    if not single:
        return [weight > 0 for weight in weights]
    if any(0 < weight < 100 for weight in weights):
        texts.warnings.append("partial marks for an option were dropped; it counts as wrong")
    return [weight >= 100 for weight in weights]


def _text(raw: str, default: str, texts: Texts, *, needed: bool = True) -> str:
    raw = raw.strip()
    stated = FORMAT.match(raw)
    text = unescaped(raw[stated.end() :] if stated else raw).strip()
    name = stated.group(1) if stated else default
    if name == "markdown":
        return texts.moodle_markdown(text, needed=needed)
    if name == "plain":
        return texts.plain(text, needed=needed)
    return texts.html(text, needed=needed) if name == "html" else texts.plain_or_html(text, needed=needed)


def write(items: Iterable[Item]) -> Iterator[str]:
    """Items as GIFT in Markdown format; an answer's first line break is written as ``\\n``."""
    category = ""
    for item in items:
        if item.category != category:
            category = item.category
            yield f"{CATEGORY} {' '.join(category.split())}\n\n"
        yield _block(item)


def _block(item: Item) -> str:
    facts = [f"[id:{_bracketed(item.id)}]"] if item.id else []
    facts += [f"[tag:{_bracketed(tag)}]" for tag in item.tags]
    lines = [f"// {' '.join(facts)}"] if facts else []
    title = f"::{_escaped(item.title)}::" if item.title else ""
    lines.append(f"{title}[markdown]{_escaped(item.stem)} {{")
    share = Decimal(100) / max(1, len(item.correct))
    for option in item.options:
        weight = f"%{share:.5f}%" if option.right else ""
        sign = "=" if option.right and item.kind == SINGLE else f"~{weight}"
        feedback = f"#{_marked(option.feedback)}" if option.feedback else ""
        lines.append(f"\t{sign}{_marked(option.text)}{feedback}")
    if item.explanation:
        lines.append(f"\t####{_marked(item.explanation)}")
    return "\n".join([*lines, "}", "", ""])


def _marked(text: str) -> str:
    """A text that could start with a format or a weight is preceded by its own format."""
    return f"{'[markdown]' if text.startswith(('[', '%')) else ''}{_escaped(text)}"


def _escaped(text: str) -> str:
    return re.sub(r"([\\:#={}~])", r"\\\1", to_moodle(text)).replace("\n", "\\n")


def _bracketed(text: str) -> str:
    return re.sub(r"([\]\\])", r"\\\1", " ".join(text.split()))
