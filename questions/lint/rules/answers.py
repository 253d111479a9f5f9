"""Clue words, and whether the answer's texts name what the key says."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from questions.lint.rules.registry import HALADYNA_2002, REFUSE, WARN, Finding, Known, rule
from questions.lint.rules.wording import normal, parts, roots
from questions.versions.rules.draft import DraftOption, DraftQuestion

NAMED = 0.25  # from this share of an option's own words on, a text is about it
CLEARLY = 0.2  # how many more of one option's own words than of another's
NAMING = re.compile(r"\b(?:right|correct|best) (?:answer|option|choice)s? (?:is|are|would be)\b", re.I)
STOCK = re.compile(
    r"(?:the )?(?:most (?:likely|suitable|appropriate|effective|efficient|cost effective)|best|best way|least effort"
    r"|should (?:they|you|the team) do|what should|which|first|next)"
)


@rule(
    "clue",
    REFUSE,
    finds="A clue phrase that isn’t in the stem, word for word.",
    fix="copy the phrase from the stem",
)
def clues_stand_in_the_stem(question: DraftQuestion, known: Known) -> Iterator[Finding]:
    """A clue must be a phrase of the stem, word for word."""
    stem = " ".join(question.stem.split())
    for i, clue in enumerate(question.clues):
        if " ".join(clue.phrase.split()) not in stem:
            yield f"clues[{i}].phrase", f"“{clue.phrase}” isn’t in the stem"


@rule(
    "clue-confirms",
    REFUSE,
    finds="A clue that neither confirms nor rules out an option, or names one that doesn’t exist.",
    fix="name the slots of the options the phrase points to or rules out",
)
def clues_confirm_options(question: DraftQuestion, known: Known) -> Iterator[Finding]:
    """A clue must point to existing options or rule them out."""
    slots = {option.slot for option in question.options}
    for i, clue in enumerate(question.clues):
        named = {*clue.confirms, *clue.rules_out}
        if not named or not named <= slots or set(clue.confirms) & set(clue.rules_out):
            yield f"clues[{i}].confirms", "name slots of this question, each once"


@rule(
    "stock-clue",
    WARN,
    finds="Clues that are only stock phrases, such as “most likely”.",
    fix="mark the words of the scenario that decide the answer",
)
def clues_decide(question: DraftQuestion, known: Known) -> Iterator[Finding]:
    """Words found in every exam question decide nothing."""
    if question.clues and all(STOCK.fullmatch(normal(clue.phrase)) for clue in question.clues):
        yield "clues", "only stock phrases are marked"


@rule(
    "names-right",
    WARN,
    finds="A quick answer that doesn’t name every right option: it has none of the words unique to the option, and few"
    " of its words at all.",
    fix="name every right option in its own words",
    source=f"{HALADYNA_2002}: make sure it’s clear which answer is right",
)
def quick_answer_names_the_key(question: DraftQuestion, known: Known) -> Iterator[Finding]:
    """The quick answer alone must name every right option."""
    for share in _shares(question, question.quick_answer):
        if share.option.right and share.own == 0 and share.all < NAMED:
            yield "quick_answer", f"the right option “{_short(share.option.text)}” isn’t named"


@rule(
    "names-wrong",
    WARN,
    finds="A quick answer, or a sentence of the explanation on the right answer, that uses a wrong option’s words"
    " rather than a right one’s.",
    fix="check the key against the text, then name the right option in its own words",
    source=f"{HALADYNA_2002}: make sure it’s clear which answer is right",
)
def answers_name_no_wrong_option(question: DraftQuestion, known: Known) -> Iterator[Finding]:
    """An answer describing a wrong option was written for another key. Explanations may mention wrong options."""
    named = [("explanation", part) for part in parts(question.explanation) if NAMING.search(part)]
    for field, text in (("quick_answer", question.quick_answer), *named):
        shares = _shares(question, text)
        least = min((share.own for share in shares if share.option.right), default=1.0)
        for share in shares:
            if not share.option.right and share.words >= 2 and least <= NAMED and share.own >= least + CLEARLY:
                yield field, f"uses the words of the wrong option “{_short(share.option.text)}” rather than a right one"


@dataclass(frozen=True)
class _Share:
    """The share of an option's words in a text: of the words only this option has (``own``), and of all its words."""

    option: DraftOption
    own: float
    words: int
    all: float


def _shares(question: DraftQuestion, text: str) -> list[_Share]:
    said = roots(text)
    texts = [roots(option.text) for option in question.options]
    count = Counter(word for each in texts for word in each)
    shares = []
    for option, each in zip(question.options, texts, strict=True):
        own = {word for word in each if count[word] == 1}
        part = len(own & said) / len(own) if own else 1.0  # an option without its own words can't be missed
        shares.append(_Share(option, part, len(own & said), len(each & said) / max(1, len(each))))
    return shares


def _short(text: str) -> str:
    return text if len(text) <= 50 else f"{text[:49]}…"
