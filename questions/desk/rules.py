"""What a waiver is bound to: a warning, and the text it was given for."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import re

from questions.lint.rules import Problem
from questions.versions.rules.draft import DraftQuestion

ROOT = re.compile(r"\w+")


def fingerprint(draft: DraftQuestion, problem: Problem) -> str:
    """The same for the same warning as long as the field it names, all its parts included, stays the same.

    A field that is no field of a question stands for the whole of it.
    """
    root = ROOT.match(problem.field)
    facts = dataclasses.asdict(draft)
    text = facts.get(root.group() if root else "", facts)
    return hashlib.sha256(json.dumps([problem.rule, problem.field, text], default=str).encode()).hexdigest()
