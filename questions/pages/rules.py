"""Sets of questions with a name: each is a filter that a drill takes too, said in words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

Filters = Mapping[str, Sequence[str]]
OF_TROUBLE = re.compile(r"\b(troubleshooting|debugging|logging|logs|drift)\b", re.IGNORECASE)
TROUBLESHOOTING = "troubleshooting"


@dataclass(frozen=True)
class Collection:
    """A set of questions. ``rule`` says which belong to it, ``words`` what it is good for."""

    slug: str
    name: str
    rule: str
    words: str
    filters: Filters


FIXED = (
    Collection(
        "fundamentals",
        "Fundamentals",
        "Labelled easy or medium, and asking for one option.",
        "One decision at a time: what a service is for, what a method needs, which of two ways fits. Begin here, and "
        "come back when a section of a mock goes wrong.",
        {"difficulty": ("easy", "medium"), "kind": ("single",)},
    ),
    Collection(
        "scenarios",
        "Scenarios",
        "Labelled medium or hard, of either kind.",
        "Every question here tells of a situation; this set leaves out those where it hardly matters. More than one "
        "option would work somewhere, and a constraint in the text decides which one works here.",
        {"difficulty": ("medium", "hard")},
    ),
    Collection(
        TROUBLESHOOTING,
        "Troubleshooting",
        "On a topic whose name speaks of troubleshooting, debugging, logging or drift.",
        "Something has stopped working or gone quietly wrong. Read the symptom first, then ask which option would "
        "explain all of it, and only then which would mend it.",
        {},
    ),
    Collection(
        "easy",
        "Easy questions",
        "Labelled easy by their editor: a judgement, not yet a measurement.",
        "One fact decides, and the text asks for it plainly. If you miss several of these in a section, read its "
        "study module before you go on.",
        {"difficulty": ("easy",)},
    ),
    Collection(
        "medium",
        "Medium questions",
        "Labelled medium by their editor: a judgement, not yet a measurement.",
        "Two things have to be weighed against each other: cost against delay, effort against control. Say which one "
        "the text cares about before you choose.",
        {"difficulty": ("medium",)},
    ),
    Collection(
        "hard",
        "Hard questions",
        "Labelled hard by their editor: a judgement, not yet a measurement.",
        "Several options would work, and a detail of the text rules all but one out, or the right one is not the "
        "usual one. Best once the easy ones no longer surprise you.",
        {"difficulty": ("hard",)},
    ),
    Collection(
        "choose-one",
        "Choose one",
        "One option is right.",
        "Say your own answer before you read the options, then look for it. When two remain, find the word of the text "
        "that only one of them satisfies.",
        {"kind": ("single",)},
    ),
    Collection(
        "choose-several",
        "Choose several",
        "Two or three options are right; the question says how many.",
        "All of them must be found: a half-right choice counts as wrong, here as in a mock. Judge every option alone, "
        "as right or wrong, before you count.",
        {"kind": ("multiple",)},
    ),
)


def collections_of(topics: Iterable[tuple[str, str]]) -> list[Collection]:
    """The collections of an exam with these topics, as (key, name). Without a topic of trouble there is no such one."""
    trouble = tuple(key for key, name in topics if OF_TROUBLE.search(name))
    found = []
    for each in FIXED:
        if each.slug != TROUBLESHOOTING:
            found.append(each)
        elif trouble:
            found.append(Collection(each.slug, each.name, each.rule, each.words, {"concept": trouble}))
    return found
