"""Named sets of questions: each is a filter that a drill takes too, described in words."""

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
        "Choose-one questions labelled easy or medium.",
        "One decision at a time: what a service is for, what a method needs, which of two approaches fits. Start here, "
        "and come back when a domain goes badly in a mock exam.",
        {"difficulty": ("easy", "medium"), "kind": ("single",)},
    ),
    Collection(
        "scenarios",
        "Harder scenarios",
        "Questions labelled medium or hard.",
        "Every question on this site describes a situation. In these it really matters: more than one option would "
        "work somewhere, and a constraint in the text decides which one works here.",
        {"difficulty": ("medium", "hard")},
    ),
    Collection(
        TROUBLESHOOTING,
        "Troubleshooting",
        "Questions on concepts with troubleshooting, debugging, logging or drift in the name.",
        "Something has stopped working or gone quietly wrong. Read the symptom first, then ask which option would "
        "explain all of it, and only then which would fix it.",
        {},
    ),
    Collection(
        "easy",
        "Easy questions",
        "Questions an editor has labelled easy: a judgement, not yet a measurement.",
        "One fact decides, and the question asks for it plainly. If you miss several of these in a domain, read its "
        "study module before you go on.",
        {"difficulty": ("easy",)},
    ),
    Collection(
        "medium",
        "Medium questions",
        "Questions an editor has labelled medium: a judgement, not yet a measurement.",
        "You have two things to weigh against each other: cost against latency, effort against control. Work out which "
        "one the question cares about before you choose.",
        {"difficulty": ("medium",)},
    ),
    Collection(
        "hard",
        "Hard questions",
        "Questions an editor has labelled hard: a judgement, not yet a measurement.",
        "Several options would work and a detail in the text rules out all but one, or the right one isn’t the "
        "usual one. Best once the easy ones no longer surprise you.",
        {"difficulty": ("hard",)},
    ),
    Collection(
        "choose-one",
        "Choose one",
        "Questions with one right option.",
        "Decide on your own answer before you read the options, then look for it. If two remain, find the word in the "
        "text that only one of them satisfies.",
        {"kind": ("single",)},
    ),
    Collection(
        "choose-several",
        "Choose several",
        "Questions with two or three right options; each says how many.",
        "You have to find all of them: a half-right answer counts as wrong, here as in a mock exam. Judge each option "
        "on its own, right or wrong, before you count.",
        {"kind": ("multiple",)},
    ),
)


def collections_of(concepts: Iterable[tuple[str, str]]) -> list[Collection]:
    """The collections of an exam with these concepts, as (key, name); one on troubleshooting only if there is such a
    concept."""
    trouble = tuple(key for key, name in concepts if OF_TROUBLE.search(name))
    found = []
    for each in FIXED:
        if each.slug != TROUBLESHOOTING:
            found.append(each)
        elif trouble:
            found.append(Collection(each.slug, each.name, each.rule, each.words, {"concept": trouble}))
    return found
