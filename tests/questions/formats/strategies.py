"""Items for property tests: what each format can carry, and nothing that it cannot."""

from __future__ import annotations

import dataclasses
import datetime as dt
import re

from hypothesis import strategies as st

from questions.catalogue.rules.sources import Source
from questions.formats.rules.items import MULTIPLE, SINGLE, Item, ItemOption, item_of_draft
from questions.formats.rules.reading.html_text import literal
from questions.versions.rules.draft import DIFFICULTIES, POOLS, DraftClue, DraftOption, DraftQuestion

ALPHABET = st.one_of(
    st.sampled_from("abc XYZ 019 \\~=#{}:%[]<>&\"'`*_|-+./,;@()$^äß€✓😀\u2028\x85"),
    st.characters(exclude_categories=("Cs", "Cc", "Cn", "Co"), exclude_characters="\xa0"),
)
SPECIAL = (
    "a",
    "[html]<b>x</b>",
    "%50%x",
    "=1+1",
    "'a",
    "-1",
    "@x",
    "->",
    "T",
    "A. b",
    "ANSWER: A",
    "x\\n",
    "#",
    "####",
)


def is_plain(text: str) -> bool:
    """Return whether a text shows no picture and nothing an XML reader could take for an unclosed section."""
    return bool(text) and "![" not in text and "<![CDATA[" not in text


line = st.one_of(
    st.sampled_from(SPECIAL),
    st.text(ALPHABET, min_size=1, max_size=12).map(lambda text: " ".join(text.split())).filter(is_plain),
)
text = st.lists(line, min_size=1, max_size=3).map("\n".join).map(str.strip).filter(is_plain)
optional = st.one_of(st.just(""), text)
word = st.from_regex(r"[a-z][a-z0-9-]{0,8}", fullmatch=True)
identifier = st.from_regex(r"[A-Za-z_][A-Za-z0-9_.-]{0,8}", fullmatch=True)
SENTENCES = st.text(st.sampled_from("ab 1*_`[]<>&#|~-+.:!"), min_size=1, max_size=10).filter(str.strip)
BLOCKS = st.one_of(
    SENTENCES.map(literal).filter(bool),
    st.sampled_from([
        "Some **strong** and *soft* text with `code`.", "- one\n- two", "1. one\n2. two", "```\nx = 1 < 2\n  y\n```",
        "See [the page](https://e.example/a?b=1&c=2).", "Two  \nlines", "> Said.", "x² and CO₂", "a < b & c",
        "| a | b |\n| --- | --- |\n| 1 | 2 |", "### Heading",
    ]),
)  # fmt: skip
rich_text = st.lists(BLOCKS, min_size=1, max_size=3, unique=True).map("\n\n".join)


@st.composite
def items(draw, texts=text, ids=line, single_line=line) -> Item:
    """Generate an item of either kind."""
    kind = draw(st.sampled_from([SINGLE, MULTIPLE]))
    count = draw(st.integers(2, 5))
    right = draw(st.sets(st.integers(0, count - 1), min_size=1, max_size=1 if kind == SINGLE else count))
    feedbacks = st.one_of(st.just(""), texts)
    return Item(
        line=0,
        id=draw(st.one_of(st.just(""), ids)),
        kind=kind,
        stem=draw(texts),
        options=tuple(ItemOption(draw(texts), place in right, draw(feedbacks)) for place in range(count)),
        title=draw(st.one_of(st.just(""), single_line)),
        explanation=draw(feedbacks),
        tags=tuple(draw(st.lists(word, max_size=2, unique=True))),
        category="/".join(draw(st.lists(word, max_size=2))),
    )


def clues(slots: list[int]) -> st.SearchStrategy[DraftClue]:
    """Generate clues that point to the first of these slots and may rule out the second."""
    return st.builds(DraftClue, text, text, st.just((slots[0],)), st.sampled_from(((), (slots[1],))))


def sources(days: st.SearchStrategy[dt.date]) -> st.SearchStrategy[Source]:
    """Generate sources, some opened and some not."""
    return st.builds(Source, text, st.just("https://e.example/"), st.none() | days, optional)


@st.composite
def drafts(draw) -> Item:
    """Generate a complete question in our own form, as an item."""
    count = draw(st.integers(2, 5))
    slots = draw(st.permutations(range(1, 15)))[:count]
    options = tuple(
        DraftOption(
            slot,
            draw(text),
            place == 0,
            draw(optional),
            draw(optional),
            draw(st.none() | word),
            *draw(st.sampled_from((("", ""), ("If one thing changed.", ""), ("", "A misconception.")))),
        )
        for place, slot in enumerate(slots)
    )
    days = st.dates(dt.date(1990, 1, 1), dt.date(2090, 1, 1))
    texts = {name: draw(optional) for name in ("quick_answer", "explanation", "principle", "trap", "detail")}
    texts |= {name: draw(optional) for name in ("takeaway", "example", "second_reader", "title")}
    lists = {name: tuple(draw(st.lists(text, max_size=2))) for name in ("key_concepts", "exam_tips")}
    stem, clause = draw(text), draw(optional)  # its stem lacks the clause, unlike those of families()
    draft = DraftQuestion(
        key=draw(word), domain=draw(word), concepts=tuple(draw(st.lists(word, max_size=2))),
        pool=draw(st.sampled_from(POOLS)), kind=SINGLE, difficulty=draw(st.sampled_from(DIFFICULTIES)),
        stem=stem, options=options,
        clues=tuple(draw(st.lists(clues(slots), max_size=2))),
        sources=tuple(draw(st.lists(sources(days), max_size=2))),
        family=draw(st.just("") | word), clause="" if stem.count(clause) == 1 else clause,
        objectives=tuple(draw(st.lists(word, max_size=2))),
        modules=tuple(draw(st.lists(word, max_size=2))), second_read_on=draw(st.none() | days), **texts, **lists,
    )  # fmt: skip
    return item_of_draft(draft, 0)


@st.composite
def families(draw) -> list[Item]:
    """Generate the variants of one family as items, which share everything a family has to share."""
    first = draw(drafts()).draft
    assert first
    stem, clauses = f"{first.stem.replace('#', '')} # ", draw(st.lists(text, min_size=1, max_size=4, unique=True))
    return [
        item_of_draft(
            dataclasses.replace(
                first,
                key=f"{first.key}-{place}",
                family="kin",
                clause=f"#{clause}",
                stem=f"{stem.strip()} {clause}".replace("# ", "#"),
                title=draw(optional),
                quick_answer=draw(optional),
                options=tuple(
                    dataclasses.replace(option, right=slot == place % len(first.options), why=draw(optional))
                    for slot, option in enumerate(first.options)
                ),
            ),
            0,
        )
        for place, clause in enumerate(clauses)
    ]


def on_line_0(found: object) -> object:
    """Return the item without its line, so that items can be compared."""
    return dataclasses.replace(found, line=0) if isinstance(found, Item) else found


def squeezed(html: str) -> str:
    """Return HTML without the white space between its parts."""
    return re.sub(r"\s+", " ", re.sub(r">\s+|\s+<", lambda found: found.group().strip(), html)).strip()
