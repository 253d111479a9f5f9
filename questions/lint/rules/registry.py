"""The registry of rules: each has an id, a severity, what it finds, the fix, and its source.

A rule that refuses is certain, and stops loading and publishing. A rule that warns can be waived with a reason.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field

from questions.catalogue.rules.exam_file import ExamFile
from questions.catalogue.rules.glossary import Glossary
from questions.versions.rules.draft import DraftQuestion

REFUSE = "refuse"
WARN = "warn"
ROOT = re.compile(r"\w+")  # the first part of a field's path
QUESTION, BANK, FILE = "question", "bank", "file"  # what a rule checks
FULL, BASIC = "full", "basic"  # how complete a question is meant to be
DRAFT = "draft"  # a text that is neither full nor basic yet
EITHER = (FULL, BASIC)

HOUSE = "House rule (docs/bank-format.md)"
HALADYNA_2002 = "Haladyna, Downing & Rodriguez 2002"
HALADYNA_2013 = "Haladyna & Rodriguez 2013"
NBME = "NBME Item-Writing Guide"


@dataclass(frozen=True)
class Known:
    """A question's surroundings. If something isn't known, the rules that need it find nothing."""

    exam: ExamFile | None = None
    others: tuple[ExamFile, ...] = ()
    glossary: Glossary = field(default_factory=dict)
    # The names that exist, by field: domain, concepts, modules, sections, objectives.
    names: Mapping[str, Collection[str]] | None = None
    pictures: Collection[str] | None = None  # the names of stored pictures


NOTHING = Known()
Finding = tuple[str, str]  # a field's path, and what is wrong there
Check = Callable[[DraftQuestion, Known], Iterator[Finding]]


@dataclass(frozen=True)
class Problem:
    """One finding: which rule, how severe, in which field, and what was found."""

    rule: str
    severity: str
    field: str
    message: str

    @property
    def fix(self) -> str:
        return RULES[self.rule].fix

    @property
    def source(self) -> str:
        return RULES[self.rule].source


@dataclass(frozen=True)
class Rule:
    """A rule; ``check`` is set for rules on a single question at one of these ``levels``."""

    id: str
    severity: str
    scope: str
    finds: str
    fix: str
    source: str
    check: Check | None = None
    levels: tuple[str, ...] = EITHER

    def problem(self, where: str, message: str) -> Problem:
        return Problem(self.id, self.severity, where, message)


RULES: dict[str, Rule] = {}


def declare(rule: Rule) -> Rule:
    """Register a rule; ids are unique."""
    if rule.id in RULES:
        raise ValueError(f"two rules are called {rule.id}")
    RULES[rule.id] = rule
    return rule


def rule(
    name: str, severity: str, *, finds: str, fix: str, source: str = HOUSE, levels: tuple[str, ...] = EITHER
) -> Callable[[Check], Check]:
    """Register a function as the rule with this id; rules run in order of registration."""

    def enter(check: Check) -> Check:
        declare(Rule(name, severity, QUESTION, finds, fix, source, check, levels))
        return check

    return enter


def lint(question: DraftQuestion, known: Known = NOTHING, severity: str = "", level: str = FULL) -> list[Problem]:
    """All findings on a single question; with ``severity``, only those with that severity.

    ``level`` is how complete it is meant to be: full, or basic, which requires less.
    """
    return [
        each.problem(where, message)
        for each in RULES.values()
        if each.check and severity in ("", each.severity) and level in each.levels
        for where, message in each.check(question, known)
    ]


@dataclass(frozen=True)
class Completeness:
    """How complete a draft is: FULL, BASIC, or DRAFT if it can't be published.

    ``lacks`` are the fields that the next level needs.
    """

    level: str
    lacks: tuple[str, ...]


def completeness(question: DraftQuestion, known: Known = NOTHING) -> Completeness:
    """The highest level at which nothing refuses it."""
    for level, below in ((BASIC, DRAFT), (FULL, BASIC)):
        if problems := lint(question, known, REFUSE, level):
            roots = (ROOT.match(problem.field) for problem in problems)
            lacks = dict.fromkeys(root.group().replace("_", " ") for root in roots if root)
            return Completeness(below, tuple(lacks))
    return Completeness(FULL, ())


def fingerprint(draft: DraftQuestion, problem: Problem) -> str:
    """What a waiver is tied to: a warning and its text.

    It stays the same for a warning as long as the field it names, with all its parts, stays the same. A path that isn't
    a field stands for the whole question.
    """
    root = ROOT.match(problem.field)
    facts = dataclasses.asdict(draft)
    text = facts.get(root.group() if root else "", facts)
    return hashlib.sha256(json.dumps([problem.rule, problem.field, text], default=str).encode()).hexdigest()
