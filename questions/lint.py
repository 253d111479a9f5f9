"""The checks a question must pass, as small pure rules over drafts.

A rule that refuses stops a load; a rule that warns is reported by ``manage.py lint_bank``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from questions.draft import DraftQuestion

REFUSE = "refuse"
WARN = "warn"

SENTENCE_WORDS = 6
WORD_LIMITS = {
    "quick_answer": 60,
    "explanation": 140,
    "trap": 50,
    "detail": 120,
    "example": 80,
    "takeaway": 25,
}
RATIONALE_WORDS = 40
STEM_WORDS = (45, 150)

LETTER = re.compile(
    r"\b(?i:options?|answers?|choices?)\s+\(?[A-H]\b(?![\w'/-])"
    r"|\([A-H]\)"
    r"|\b[A-H]\s+(?:is|was|are)\s+(?:right|wrong|correct|incorrect|true|false)\b"
)
EVERY_OR_NONE = re.compile(r"\b(all|none|both) of the (above|options|answers)\b", re.I)


@dataclass(frozen=True)
class Problem:
    """One finding: which rule, how severe, in which field, and what to do about it."""

    rule: str
    severity: str
    field: str
    message: str


Rule = Callable[[DraftQuestion], Iterator[Problem]]
RULES: list[Rule] = []


def rule(function: Rule) -> Rule:
    """Register a rule; they run in the order of this file."""
    RULES.append(function)
    return function


def lint(question: DraftQuestion) -> list[Problem]:
    """Every finding on one question by itself."""
    return [problem for check in RULES for problem in check(question)]


def words(text: str) -> int:
    """The number of words, as a reader counts them."""
    return len(text.split())


@rule
def key_fits_kind(question: DraftQuestion) -> Iterator[Problem]:
    """Single has one right option of at least four; multiple two or three of at least five."""
    right, total = len(question.right_slots), len(question.options)
    if question.kind == "single" and right != 1:
        yield Problem(
            "key-count",
            REFUSE,
            "options",
            f"kind single needs exactly 1 right option, found {right}",
        )
    if question.kind == "multiple" and right not in (2, 3):
        yield Problem(
            "key-count",
            REFUSE,
            "options",
            f"kind multiple needs 2 or 3 right options, found {right}",
        )
    least = 4 if question.kind == "single" else 5
    if not least <= total <= 6:
        yield Problem(
            "option-count",
            REFUSE,
            "options",
            f"needs {least} to 6 options, found {total}",
        )


@rule
def slots_are_distinct(question: DraftQuestion) -> Iterator[Problem]:
    """Slots are permanent bit numbers: distinct, 1 to 14."""
    slots = [option.slot for option in question.options]
    if len(set(slots)) != len(slots) or not all(1 <= slot <= 14 for slot in slots):
        yield Problem(
            "slots",
            REFUSE,
            "options",
            f"slots must be distinct numbers from 1 to 14, found {slots}",
        )


@rule
def options_differ(question: DraftQuestion) -> Iterator[Problem]:
    """No two options say the same."""
    texts = [normal(option.text) for option in question.options]
    for i, text in enumerate(texts):
        if text in texts[:i]:
            yield Problem("option-twice", REFUSE, f"options[{i}].text", "repeats another option")


@rule
def nothing_is_missing(question: DraftQuestion) -> Iterator[Problem]:
    """Every field is filled in, every option has its rationale, and a source is named."""
    for path, text in question.prose():
        if not text.strip():
            yield Problem("missing", REFUSE, path, "is empty")
    for name in ("concepts", "clues", "key_concepts", "exam_tips"):
        if not getattr(question, name):
            yield Problem("missing", REFUSE, name, "needs at least one entry")
    if not question.sources:
        yield Problem("source", REFUSE, "sources", "needs at least one source")


@rule
def letters_are_not_cited(question: DraftQuestion) -> Iterator[Problem]:
    """Letters are drawn when the question is shown, so prose cannot cite them."""
    for path, text in question.prose():
        found = LETTER.search(text)
        if found:
            yield Problem("letter", REFUSE, path, f"cites an option by letter: “{found.group()}”")


@rule
def no_all_or_none(question: DraftQuestion) -> Iterator[Problem]:
    """Options in shuffled order cannot point at each other (Haladyna, Downing and Rodriguez 2002, rule 18)."""
    for i, option in enumerate(question.options):
        if EVERY_OR_NONE.search(option.text):
            yield Problem(
                "all-or-none",
                REFUSE,
                f"options[{i}].text",
                "“all / none of the above” is not allowed",
            )


@rule
def clues_stand_in_the_stem(question: DraftQuestion) -> Iterator[Problem]:
    """A clue is a phrase of the stem, word for word, and confirms options that exist."""
    slots = {option.slot for option in question.options}
    stem = " ".join(question.stem.split())
    for i, clue in enumerate(question.clues):
        if " ".join(clue.phrase.split()) not in stem:
            yield Problem(
                "clue",
                REFUSE,
                f"clues[{i}].phrase",
                f"“{clue.phrase}” does not stand in the stem",
            )
        if not clue.confirms or not set(clue.confirms) <= slots:
            yield Problem(
                "clue-confirms",
                REFUSE,
                f"clues[{i}].confirms",
                "must name slots of this question",
            )


@rule
def lengths_hold(question: DraftQuestion) -> Iterator[Problem]:
    """Each part has a length beyond which it is not read."""
    for name, limit in WORD_LIMITS.items():
        if words(getattr(question, name)) > limit:
            yield Problem(
                "length",
                WARN,
                name,
                f"{words(getattr(question, name))} words, at most {limit}",
            )
    for i, option in enumerate(question.options):
        for part in ("tempts", "why"):
            if words(getattr(option, part)) > RATIONALE_WORDS:
                count = words(getattr(option, part))
                yield Problem(
                    "length",
                    WARN,
                    f"options[{i}].{part}",
                    f"{count} words, at most {RATIONALE_WORDS}",
                )
    low, high = STEM_WORDS
    if not low <= words(question.stem) <= high:
        yield Problem(
            "stem-length",
            WARN,
            "stem",
            f"{words(question.stem)} words, usual are {low} to {high}",
        )


@rule
def right_is_not_longest(question: DraftQuestion) -> Iterator[Problem]:
    """The longest option being right is the cue test-takers learn first (Haladyna et al. 2002, rule 23)."""
    lengths = sorted(((len(option.text), option.right) for option in question.options), reverse=True)
    if question.kind == "single" and lengths[0][1] and lengths[0][0] > 1.15 * lengths[1][0]:
        yield Problem("longest-right", WARN, "options", "the right option is clearly the longest")


def normal(text: str) -> str:
    """Text for comparing: lower case, words only."""
    return " ".join(re.findall(r"\w+", text.lower()))


def sentences(question: DraftQuestion) -> Iterator[tuple[str, str]]:
    """Field path and normalised sentence, for sentences long enough to be somebody's own words."""
    for path, text in question.prose():
        for sentence in re.split(r"(?<=[.!?])\s+|\n\s*\n|\n\s*[-*]\s", text):
            plain = normal(sentence)
            if words(plain) >= SENTENCE_WORDS:
                yield path, plain


def repeated_sentences(
    questions: Iterable[DraftQuestion],
) -> Iterator[tuple[DraftQuestion, Problem]]:
    """Each sentence that stands in an earlier question too, reported at the later one."""
    seen: dict[str, str] = {}
    for question in questions:
        for path, sentence in sentences(question):
            owner = seen.setdefault(sentence, question.key)
            if owner != question.key:
                yield (
                    question,
                    Problem(
                        "repeated",
                        REFUSE,
                        path,
                        f"stands in “{owner}” too: “{sentence[:60]}…”",
                    ),
                )
