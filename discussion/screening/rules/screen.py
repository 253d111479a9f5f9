"""Every reason to hold a comment, each with the words that show it; docs/moderation.md lists the rules."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain, islice
from pathlib import Path

from discussion.screening.rules.classifier import likely_harm, shipped
from discussion.screening.rules.links import contacts, links, lookalike_links
from discussion.screening.rules.parts import DUMP_SITE, FIRST_POST, INVISIBLE, LINK, RATE, Context, Hit, Listed
from discussion.screening.rules.pastes import near_duplicates, question_pastes, repetitions
from discussion.screening.rules.text import Source, hidden, read
from discussion.trust.rules import MAY

LIST = Path(__file__).parent.parent / "data" / "list.csv"
MOST_HITS = 20
"""Per rule: a text full of links needs no longer list."""


def screen(text: str, context: Context | None = None) -> list[Hit]:
    """Every reason to hold the text, in text order. With none, it can be published at once."""
    known = context or Context()
    source = read(text)
    if not source.plain:
        return [Hit(INVISIBLE, 0, len(text))] if text else []
    finders = _finders(source, known)
    found = {hit for finder in finders for hit in islice(finder, MOST_HITS)}
    return sorted(found, key=lambda hit: (hit.start, hit.end, hit.rule))


def _finders(source: Source, context: Context) -> Iterator[Iterator[Hit]]:
    may = MAY[context.level]
    yield _by_record(len(source.original), context)
    yield hidden(source)
    if not may.link:
        yield links(source, context)
    yield lookalike_links(source)
    yield contacts(source)
    yield question_pastes(source, context.stems)
    yield near_duplicates(source, context.recent)
    yield repetitions(source)
    yield chain.from_iterable(_listed(source, each) for each in context.listed if each.rule != LINK)
    yield likely_harm(source, context.model or shipped(), closely=may.closely)


def _by_record(length: int, context: Context) -> Iterator[Hit]:
    """Reasons from the author's record, whatever the text."""
    if context.posts_shown < context.first_posts:
        yield Hit(FIRST_POST, 0, length)
    if context.posts_last_hour >= MAY[context.level].comments_an_hour:
        yield Hit(RATE, 0, length)


def _listed(source: Source, entry: Listed) -> Iterator[Hit]:
    for match in pattern_of(entry).finditer(source.plain):
        yield source.hit(entry.rule, *match.span())


@lru_cache(maxsize=1024)
def pattern_of(entry: Listed) -> re.Pattern[str]:
    """A pattern for an entry: an asterisk is the rest of a word; hyphens are allowed in a site's name."""
    # An entry without letters or numbers would match the empty string, so it matches nothing.
    plain = read(entry.text).plain
    gap = r"[-_.]?" if entry.rule == DUMP_SITE else r"[\W_]{1,3}"
    words = [r"\w*".join(map(re.escape, word.split("*"))) for word in plain.split()]
    return re.compile(rf"(?<!\w){gap.join(words)}(?!\w)" if any(map(str.isalnum, plain)) else r"(?!)")


def starting_list() -> tuple[Listed, ...]:
    """A new site's list, until editors change it."""
    with LIST.open(newline="", encoding="utf-8") as rows:
        return tuple(Listed(row["kind"], row["text"]) for row in csv.DictReader(rows))
