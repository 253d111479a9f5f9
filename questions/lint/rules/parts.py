"""Counts and parts: what a question must have, and how long its parts may be."""

from __future__ import annotations

import re
from collections.abc import Iterator

from questions.catalogue.rules.exam_file import Targets
from questions.lint.rules.registry import (
    BASIC,
    FULL,
    HALADYNA_2002,
    HALADYNA_2013,
    NBME,
    REFUSE,
    WARN,
    Finding,
    Known,
    rule,
)
from questions.lint.rules.wording import normal, words
from questions.versions.rules.draft import DraftQuestion

WORD_LIMITS = {
    "quick_answer": 60,
    "explanation": 140,
    "trap": 50,
    "detail": 120,
    "example": 80,
    "takeaway": 25,
}
RATIONALE_WORDS = 40
"""Four options have two each, so these alone are some 300 words of a breakdown."""
STEM_WORDS = (45, 130)
"""As shown, with the former names of products."""
OVER_SAMPLE = 1.25  # times the official samples' words, above which an item is long
NUMBERS = {"one": 1, "two": 2, "three": 3, "four": 4, "1": 1, "2": 2, "3": 3, "4": 4}
CHOOSE = re.compile(r"\b(?:choose|select|pick)\s+(?:the\s+)?(one|two|three|four|[1-4])\b(?!\s+of\b|-)", re.I)


@rule(
    "key-count",
    REFUSE,
    finds="A choose-one question without exactly one right option, or a choose-several one without two or three.",
    fix="mark the right options, or change the type",
    source=f"{HALADYNA_2002}: make sure that there is only one right answer",
)
def key_fits_kind(question: DraftQuestion, known: Known) -> Iterator[Finding]:
    """Choose-one has one right option, choose-several two or three."""
    right = len(question.right_slots)
    if question.kind == "single" and right != 1:
        yield "options", f"a choose-one question needs exactly 1 right option; this has {right}"
    if question.kind == "multiple" and right not in (2, 3):
        yield "options", f"a choose-several question needs 2 or 3 right options; this has {right}"


@rule(
    "option-count",
    REFUSE,
    finds="Fewer than four options in a choose-one question, fewer than five in choose-several, or more than six.",
    fix="add plausible options, or remove the least plausible",
    source=f"House rule: the real exam has four or more ({HALADYNA_2013}; Rodriguez 2005: three usually do)",
    levels=(FULL,),
)
def options_are_enough(question: DraftQuestion, known: Known) -> Iterator[Finding]:
    """At least four options for one right answer, five for several; at most six."""
    total, least = len(question.options), 4 if question.kind == "single" else 5
    if not least <= total <= 6:
        yield "options", f"{least} to 6 are needed, found {total}"


@rule(
    "choose-count",
    REFUSE,
    finds="A stem that says “choose two” when the key has a different number.",
    fix="ask for as many options as are right",
    source=f"{HALADYNA_2002}: let the stem’s directions be clear",
)
def stem_asks_for_the_key(question: DraftQuestion, known: Known) -> Iterator[Finding]:
    """The number the stem asks for must be the number of right options."""
    asked = [NUMBERS[number.lower()] for number in CHOOSE.findall(question.stem)]
    if asked and asked[-1] != len(question.right_slots):
        yield "stem", f"it asks for {asked[-1]}, but {len(question.right_slots)} options are right"


@rule(
    "slots",
    REFUSE,
    finds="Slots that aren’t distinct numbers from 1 to 14.",
    fix="give every option its own slot, never used before in this question",
)
def slots_are_distinct(question: DraftQuestion, known: Known) -> Iterator[Finding]:
    """Slots are permanent bit numbers: distinct, 1 to 14."""
    slots = [option.slot for option in question.options]
    if len(set(slots)) != len(slots) or not all(1 <= slot <= 14 for slot in slots):
        yield "options", f"slots must be distinct numbers from 1 to 14, found {slots}"


@rule(
    "option-twice",
    REFUSE,
    finds="Two options that say the same, apart from case and punctuation.",
    fix="reword or replace one of them",
    source=f"{HALADYNA_2002}: keep the choices independent of each other",
)
def options_differ(question: DraftQuestion, known: Known) -> Iterator[Finding]:
    """No two options may say the same."""
    texts = [normal(option.text) for option in question.options]
    for i, text in enumerate(texts):
        if text in texts[:i]:
            yield f"options[{i}].text", "the same as another option"


@rule(
    "missing",
    REFUSE,
    finds="An empty field, an option without its rationale, or no concept, clue, key concept or exam tip.",
    fix="fill it in",
    levels=(FULL,),
)
def nothing_is_missing(question: DraftQuestion, known: Known) -> Iterator[Finding]:
    """Every field must be filled in, and every option needs a rationale."""
    for path, text in question.prose():
        if not text.strip():
            yield path, "empty"
    for name in ("concepts", "clues", "key_concepts", "exam_tips"):
        if not getattr(question, name):
            yield name, "add at least one"


@rule(
    "source",
    REFUSE,
    finds="A question without a source that others can open.",
    fix="add the page where the facts were checked",
    levels=(FULL,),
)
def a_source_is_named(question: DraftQuestion, known: Known) -> Iterator[Finding]:
    """Facts must have been checked somewhere; one's own knowledge can't be looked up."""
    if all(source.is_own for source in question.sources):
        yield "sources", "add at least one"


@rule(
    "basic-options",
    REFUSE,
    finds="A basic question with fewer than two options, more than six, or no wrong one.",
    fix="add options, or remove the least plausible",
    source=f"House rule for basic questions: two options are a question, if a weak one ({HALADYNA_2013})",
    levels=(BASIC,),
)
def basic_options_are_enough(question: DraftQuestion, known: Known) -> Iterator[Finding]:
    """At least two options, one of them wrong; at most six."""
    total = len(question.options)
    if not 2 <= total <= 6:
        yield "options", f"2 to 6 are needed, found {total}"
    elif len(question.right_slots) == total:
        yield "options", "at least one must be wrong"


@rule(
    "basic-missing",
    REFUSE,
    finds="A basic question without a title, a stem, the words of an option, any explanation, or a source. “Own” counts"
    " as one.",
    fix="fill it in",
    levels=(BASIC,),
)
def a_basic_question_has_its_parts(question: DraftQuestion, known: Known) -> Iterator[Finding]:
    """Enough to ask, mark and explain; a quick answer, or why the key is right, counts as an explanation."""
    for name in ("title", "stem"):
        if not getattr(question, name).strip():
            yield name, "empty"
    for i, option in enumerate(question.options):
        if not option.text.strip():
            yield f"options[{i}].text", "empty"
    reasons = (option.why for option in question.options if option.right)
    if not any(text.strip() for text in (question.explanation, question.quick_answer, *reasons)):
        yield "explanation", "add one"
    if not question.sources:
        yield "sources", "add one, or “own”"


@rule(
    "basic-place",
    REFUSE,
    finds="A basic question that is reserved or in a family: mocks draw from there, and take full questions alone.",
    fix="make it public, or complete it",
    levels=(BASIC,),
)
def a_basic_question_is_public_and_alone(question: DraftQuestion, known: Known) -> Iterator[Finding]:
    """Nobody would ever see it in the reserved pool, and a family is a unit of mocks."""
    if question.pool != "open":
        yield "pool", "a basic question must be public"
    if question.family:
        yield "family", "a basic question can’t be in a family"


@rule(
    "undated",
    WARN,
    finds="A page as source, without the day somebody opened it. What it said isn’t shown then.",
    fix="open the page and give the day, or leave the source out",
)
def a_page_was_opened_on_a_day(question: DraftQuestion, known: Known) -> Iterator[Finding]:
    """A page changes, so that it only settles something as of the day somebody read it."""
    for i, source in enumerate(question.sources):
        if not source.is_own and not source.as_of:
            yield f"sources[{i}]", f"“{source.title}” has no date"


@rule(
    "length",
    WARN,
    finds="A part that is too long: at most "
    + ", ".join(f"{limit} for {name.replace('_', ' ')}" for name, limit in WORD_LIMITS.items())
    + f", {RATIONALE_WORDS} for each of an option’s reasons.",
    fix="cut what the reader doesn’t need",
)
def lengths_hold(question: DraftQuestion, known: Known) -> Iterator[Finding]:
    """Each part has a length beyond which people don't read it."""
    for name, limit in WORD_LIMITS.items():
        count = words(getattr(question, name))
        if count > limit:
            yield name, f"{count} words; the limit is {limit}"
    for i, option in enumerate(question.options):
        for part in ("tempts", "why"):
            count = words(getattr(option, part))
            if count > RATIONALE_WORDS:
                yield f"options[{i}].{part}", f"{count} words; the limit is {RATIONALE_WORDS}"


@rule(
    "stem-short",
    WARN,
    finds=f"A stem of fewer than {STEM_WORDS[0]} words.",
    fix="add the situation and the deciding constraint",
)
def stem_is_long_enough(question: DraftQuestion, known: Known) -> Iterator[Finding]:
    """A stem needs room for a situation and what decides."""
    if words(question.stem) < STEM_WORDS[0]:
        yield "stem", _usual_length(question)


@rule(
    "stem-length",
    WARN,
    finds=f"A stem of more than {STEM_WORDS[1]} words.",
    fix="cut details that don’t affect the answer",
    source=f"{HALADYNA_2002}: no window dressing in the stem",
)
def stem_is_short_enough(question: DraftQuestion, known: Known) -> Iterator[Finding]:
    """Details that decide nothing cost the reader time."""
    if words(question.stem) > STEM_WORDS[1]:
        yield "stem", _usual_length(question)


def _usual_length(question: DraftQuestion) -> str:
    low, high = STEM_WORDS
    return f"{words(question.stem)} words; the usual range is {low} to {high}"


@rule(
    "reading-load",
    WARN,
    finds="An option longer than the longest of the exam’s official sample items. Where that isn’t known: a stem with"
    " its options more than a quarter longer than the samples’ median.",
    fix="shorten the options first: move what they share into the stem",
    source=f"{HALADYNA_2002}: as little reading as possible; {NBME}: long, complex options add irrelevant difficulty",
)
def reading_load_is_usual(question: DraftQuestion, known: Known) -> Iterator[Finding]:
    """The amount of reading should match the exam; a question with six options may be longer."""
    targets = known.exam.targets if known.exam else Targets()
    if targets.sample_option_words:
        most = targets.sample_option_words[1]
        for i, option in enumerate(question.options):
            if words(option.text) > most:
                yield f"options[{i}].text", f"{words(option.text)} words, the samples’ longest has {most}"
    elif targets.sample_words:
        count = words(question.stem) + sum(words(option.text) for option in question.options)
        if count > OVER_SAMPLE * targets.sample_words[1]:
            yield "stem", f"{count} words with its options; the official samples have {targets.sample_words[1]}"
