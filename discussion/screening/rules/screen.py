"""Reasons to hold a comment, each with the words that show it. No framework: text and context in, hits out.

docs/moderation.md lists the rules and what they were found to catch and to miss.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from discussion.screening.rules import signs
from discussion.screening.rules.exam_content import leaks
from discussion.screening.rules.exam_content.pastes import question_pastes
from discussion.screening.rules.exam_content.repeats import near_duplicates, repetitions
from discussion.screening.rules.manner import manners
from discussion.screening.rules.manner.hidden import invisible, lookalike_letters
from discussion.screening.rules.manner.shouting import shouting
from discussion.screening.rules.parts import FIRST_POST, RATE, RULES, Context, Hit, Rule
from discussion.screening.rules.promotion import adverts, contacts
from discussion.screening.rules.promotion.links import links, lookalike_links
from discussion.screening.rules.source_text import read
from discussion.screening.rules.vocabulary import leak_words, manner_words
from discussion.screening.rules.words import Lexicon, Sentences

__all__ = ["APPROVED_NEEDED", "FIRST_POST", "MOST_AN_HOUR", "RULES", "Context", "Hit", "Rule", "screen"]

APPROVED_NEEDED = 1  # comments of the author, before others are shown at once
MOST_AN_HOUR = 8  # comments of one author
MOST_HITS = 20  # of one finder

_LEXICON = Lexicon(
    {
        **leak_words.FAMILIES,
        **adverts.FAMILIES,
        **contacts.FAMILIES,
        **manner_words.FAMILIES,
        **signs.FAMILIES,
    }
)


def screen(text: str, context: Context) -> list[Hit]:
    """Every reason to hold the text, in the order of the text. None: it may be shown at once."""
    found = {*_by_record(text, context)}
    for finder in _finders(text, context):
        found.update(hit for hit in islice(finder, MOST_HITS) if hit.start < hit.end)
    return sorted(found, key=lambda hit: (hit.start, hit.end, hit.rule))


def _by_record(text: str, context: Context) -> Iterator[Hit]:
    """What the author's record says, whatever the text."""
    if context.approved_posts < APPROVED_NEEDED:
        yield Hit(FIRST_POST, 0, len(text))
    if context.author_posts_last_hour >= MOST_AN_HOUR:
        yield Hit(RATE, 0, len(text))


def _finders(text: str, context: Context) -> Iterator[Iterator[Hit]]:
    source = read(text)
    marks = _LEXICON.marks(Sentences(source, _LEXICON.known))
    yield invisible(text)
    yield lookalike_letters(text)
    yield links(source)
    yield lookalike_links(source)
    yield leaks.leaks(source, marks)
    yield leaks.dump_sites(source)
    yield contacts.contacts(source, marks)
    yield adverts.adverts(source, marks)
    yield manners.insults(source, marks)
    yield manners.vote_begging(source, marks)
    yield signs.signs(source, marks)
    yield shouting(source)
    yield repetitions(source)
    yield near_duplicates(source, context.recent)
    yield question_pastes(source, context.stems)
