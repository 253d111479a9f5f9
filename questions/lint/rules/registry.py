"""The registry of rules: each has an id, a severity, what it finds, how to mend it, and where it comes from.

A rule that refuses is certain, and stops a load and a publishing. A rule that warns can be waived with a reason.
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
ROOT = re.compile(r"\w+")  # of a field's path
QUESTION, BANK, FILE = "question", "bank", "file"  # what a rule looks at
FULL, BASIC = "full", "basic"  # how complete a question is meant to be
DRAFT = "draft"  # what is neither
EITHER = (FULL, BASIC)

HOUSE = "House rule (docs/bank-format.md)"
HALADYNA_2002 = "Haladyna, Downing & Rodriguez 2002"
HALADYNA_2013 = "Haladyna & Rodriguez 2013"
NBME = "NBME Item-Writing Guide"


@dataclass(frozen=True)
class Known:
    """What a question stands among. Where something is not known, the rules that need it stay silent."""

    exam: ExamFile | None = None
    others: tuple[ExamFile, ...] = ()
    glossary: Glossary = field(default_factory=dict)
    names: Mapping[str, Collection[str]] | None = None  # by field: domain, concepts, modules, sections, objectives
    pictures: Collection[str] | None = None  # the names of those that are stored


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
    """A rule; ``check`` is there for the rules that look at one question by itself, of one of these ``levels``."""

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
    """Enter a rule; an id is taken once."""
    if rule.id in RULES:
        raise ValueError(f"two rules are called {rule.id}")
    RULES[rule.id] = rule
    return rule


def rule(
    name: str, severity: str, *, finds: str, fix: str, source: str = HOUSE, levels: tuple[str, ...] = EITHER
) -> Callable[[Check], Check]:
    """Enter a function as the rule of this id; the rules run in the order in which they were entered."""

    def enter(check: Check) -> Check:
        declare(Rule(name, severity, QUESTION, finds, fix, source, check, levels))
        return check

    return enter


def lint(question: DraftQuestion, known: Known = NOTHING, severity: str = "", level: str = FULL) -> list[Problem]:
    """Every finding on one question by itself; with ``severity``, only those of that severity.

    ``level`` is how complete it is meant to be: full, or basic, of which less is asked.
    """
    return [
        each.problem(where, message)
        for each in RULES.values()
        if each.check and severity in ("", each.severity) and level in each.levels
        for where, message in each.check(question, known)
    ]


@dataclass(frozen=True)
class Completeness:
    """How complete a draft is: FULL, BASIC, or DRAFT where it can't be published.

    ``lacks`` are the fields in which the next level asks for more.
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
    """What a waiver is bound to: a warning, and the text it was given for.

    It is the same for the same warning as long as the field it names, all its parts included, stays the same. A field
    that is no field of a question stands for the whole of it.
    """
    root = ROOT.match(problem.field)
    facts = dataclasses.asdict(draft)
    text = facts.get(root.group() if root else "", facts)
    return hashlib.sha256(json.dumps([problem.rule, problem.field, text], default=str).encode()).hexdigest()
