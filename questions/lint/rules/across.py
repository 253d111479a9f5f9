"""Findings that need other questions: names, ids, repeated sentences, near-duplicates."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping

from questions.lint.rules.registry import (
    BANK,
    HALADYNA_2002,
    HOUSE,
    REFUSE,
    WARN,
    Finding,
    Known,
    Problem,
    Rule,
    declare,
    rule,
)
from questions.lint.rules.wording import normal, parts, words
from questions.versions.rules.draft import DraftQuestion

SENTENCE_WORDS = 6
"""Shorter sentences recur for good reason ("Choose two."), and would be reported for every question."""
SHINGLE = 4  # words in a row
STOCK = re.compile(r"(?:which|what) (?:\w+ ){0,3}should (?:you|they|the team) (?:do|take|choose|use)")
ALIKE = 0.4  # the share of the shorter text's shingles
MOST_OWNERS = 40  # how many owners of a shingle are compared; beyond that, it's a phrase of the whole bank


@rule(
    "unknown",
    REFUSE,
    finds="A domain, concept or study module the exam doesn’t have.",
    fix="use one from exam.yaml, or a module’s file",
)
def names_are_known(question: DraftQuestion, known: Known) -> Iterator[Finding]:
    """Everything a question names must exist."""
    if known.names:
        yield from ((problem.field, problem.message) for problem in unknown_names(question, known.names))


def unknown_names(question: DraftQuestion, names: Mapping[str, Collection[str]]) -> Iterator[Problem]:
    """Each name the exam doesn't have; ``names`` are given by field: domain, concepts, modules."""
    used = [("domain", question.domain), *(("concepts", key) for key in question.concepts)]
    used += [("modules", each.partition("#")[0]) for each in question.modules]
    used += [("concepts", option.concept) for option in question.options if option.concept]
    for where, name in used:
        if name not in names[where]:
            yield Problem("unknown", REFUSE, where, f"the exam doesn’t have “{name}”")


@rule(
    "unknown-objective",
    WARN,
    finds="An objective that no outline of the exam has.",
    fix="use a number from a file in outlines/, or remove it",
)
def objectives_are_known(question: DraftQuestion, known: Known) -> Iterator[Finding]:
    """Objectives must exist; not checked for an exam without an outline."""
    numbers = (known.names or {}).get("objectives", ())
    for i, number in enumerate(question.objectives):
        if numbers and number not in numbers:
            yield f"objectives[{i}]", f"“{number}” is in none of the exam’s outlines"


@rule(
    "unknown-section",
    WARN,
    finds="A section that the study module doesn’t have.",
    fix="name the section by its place and title, as in the module’s own links",
)
def sections_are_known(question: DraftQuestion, known: Known) -> Iterator[Finding]:
    """A link to a section that has moved opens the module at its top."""
    names = known.names or {}
    for i, name in enumerate(question.modules):
        is_there = name.partition("#")[0] in names.get("modules", ())
        if "#" in name and is_there and name not in names.get("sections", (name,)):
            yield f"modules[{i}]", f"“{name}” is no section of it"


ID_TWICE = declare(
    Rule(
        "id-twice",
        REFUSE,
        BANK,
        "Two questions of an exam with the same id.",
        "give the later one its own id; an id is permanent once loaded",
        HOUSE,
    )
)
REPEATED = declare(
    Rule(
        "repeated",
        REFUSE,
        BANK,
        "A sentence of six words or more that also appears in another question.",
        "reword it for this question",
        f"{HALADYNA_2002}: use novel material, keep the items independent of each other",
    )
)
NEAR_DUPLICATE = declare(
    Rule(
        "near-duplicate",
        WARN,
        BANK,
        f"Two prompts that share {ALIKE:.0%} of their four-word sequences.",
        "ask about a different situation, or drop one of them",
        "Broder 1997: resemblance and containment of documents by shingles",
    )
)


def sentences(question: DraftQuestion) -> Iterator[tuple[str, str]]:
    """Field path and normalised sentence, for sentences long enough to be somebody's own words.

    “Which two actions should you take?” is the exam's own phrase and doesn't count.
    """
    for path, text in question.prose():
        for sentence in parts(text):
            plain = normal(sentence)
            if words(plain) >= SENTENCE_WORDS and not (path == "stem" and STOCK.fullmatch(plain)):
                yield path, plain


def repeated_sentences(questions: Iterable[DraftQuestion]) -> Iterator[tuple[DraftQuestion, Problem]]:
    """Each sentence also in an earlier question, reported at the later one; siblings may share theirs."""
    seen: dict[str, DraftQuestion] = {}
    told: set[tuple[tuple[str, str], str]] = set()
    for question in questions:
        for path, sentence in sentences(question):
            owner = seen.setdefault(sentence, question)
            if owner.unit != question.unit and not (question.family and (question.unit, sentence) in told):
                told.add((question.unit, sentence))
                yield question, REPEATED.problem(path, f"is also in “{owner.key}”: “{sentence[:60]}…”")


def near_duplicates(questions: Iterable[DraftQuestion]) -> Iterator[tuple[DraftQuestion, Problem]]:
    """Each question whose prompt resembles an earlier one's, reported once, for the closest match.

    Families are compared as a whole, since their questions are meant to resemble each other. Every run of four words
    lists its owners, so that only questions that share one are compared.
    """
    units: dict[tuple[str, str], list[DraftQuestion]] = {}
    for question in questions:
        units.setdefault(question.unit, []).append(question)
    owners: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)
    keys: list[str] = []
    sizes: list[int] = []
    for number, siblings in enumerate(units.values()):
        question = siblings[0]
        own = set().union(*map(_shingles, siblings))
        shared = Counter(owner for shingle in own for owner in owners[shingle])
        keys.append(question.family or question.key)
        sizes.append(len(own))
        best = max(shared, key=lambda owner: shared[owner] / max(1, min(sizes[owner], len(own))), default=None)
        if best is not None and shared[best] >= ALIKE * min(sizes[best], len(own)):
            share = shared[best] / min(sizes[best], len(own))
            yield question, NEAR_DUPLICATE.problem("stem", f"{share:.0%} of it is also in “{keys[best]}”")
        for shingle in own:
            if len(owners[shingle]) < MOST_OWNERS:
                owners[shingle].append(number)


def _shingles(question: DraftQuestion) -> set[tuple[str, ...]]:
    """The runs of four words in stem and options, within each text."""
    found: set[tuple[str, ...]] = set()
    for text in (question.stem, *(option.text for option in question.options)):
        row = re.findall(r"\w+", text.lower())
        found |= {tuple(row[i : i + SHINGLE]) for i in range(len(row) - SHINGLE + 1)}
    return found
