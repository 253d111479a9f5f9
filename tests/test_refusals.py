"""Every error shown to a person has a message in its app's template, and no message is unused."""

from __future__ import annotations

import ast
import importlib
import re
from collections import defaultdict
from functools import cache

import pytest
from django.template.loader import get_template

from discussion.comments.errors import DiscussionError, Locked, Refused, Suspended
from practice.learners.errors import AccountGone, PracticeError
from practice.sessions.errors import NotPossible, NotYours, TooFewQuestions
from questions.bank_files.errors import BankRefused
from questions.formats.errors import ImportRefused
from questions.versions.errors import QuestionsError, WordedError
from tests.support.bank import NOW
from tests.test_architecture import modules, tree_of

BASES = (WordedError, QuestionsError, PracticeError, DiscussionError)
# These are shown as a 404, as the sign-in page, or as findings in files, which have their own messages.
TOLD_OTHERWISE = (NotYours, AccountGone, BankRefused, ImportRefused)


@cache
def errors() -> dict[str, type[WordedError]]:
    """Return the classes that are raised, by name; adding one with a name already in use fails here."""
    for module in modules():
        if "errors" in module.split("."):
            importlib.import_module(module)
    found: dict[str, type[WordedError]] = {}
    waiting = list(WordedError.__subclasses__())
    while waiting:
        each = waiting.pop()
        waiting += each.__subclasses__()
        assert each.__name__ not in found
        found[each.__name__] = each
    return {name: each for name, each in found.items() if each not in BASES and each not in TOLD_OTHERWISE}


@cache
def raised() -> dict[str, set[str]]:
    """Return the codes that our code raises, by template."""
    found: dict[str, set[str]] = defaultdict(set)
    for each in errors().values():
        if each.code != WordedError.code:
            found[each.template].add(each.code)
    for path in modules().values():
        named = errors().keys() & set(from_errors(tree_of(path)))
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in named:
                found[errors()[node.func.id].template] |= set(codes(node))
            elif isinstance(node, ast.ClassDef) and node.name in errors():
                own = [
                    n for n in ast.walk(node) if isinstance(n, ast.Call) and getattr(n.func, "attr", "") == "__init__"
                ]
                found[errors()[node.name].template] |= {code for call in own for code in codes(call)}
    return found


def from_errors(tree: ast.Module) -> list[str]:
    """Return the names a module imports from the modules of errors."""
    imports = [n for n in tree.body if isinstance(n, ast.ImportFrom) and (n.module or "").endswith("errors")]
    return [alias.name for each in imports for alias in each.names]


def codes(call: ast.Call) -> list[str]:
    """Return the code a call passes, or both of ``a if … else b``."""
    first = call.args[0] if call.args else None
    parts = [first.body, first.orelse] if isinstance(first, ast.IfExp) else [first]
    return [part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)]


@pytest.mark.parametrize("app", ["questions", "practice", "discussion"])
def test_each_code_raised_has_a_message_and_each_message_a_code(app):
    template = f"{app}/refused.txt"
    spoken = re.findall(r'code == "([^"]+)"', get_template(template).template.source)
    assert sorted(spoken) == sorted(raised()[template])


@pytest.mark.parametrize(
    ("error", "facts"),
    [
        (TooFewQuestions(3), ["3"]),
        (NotPossible("too-few-options", chosen=1, missing=2), ["2"]),
        (Suspended(NOW, "Insults."), [f"{NOW:%Y}", f"{NOW:%H:%M}", "Insults."]),
        (Locked("Too heated."), ["Too heated."]),
        (Refused("deep", said="Too deep."), ["Too deep."]),
    ],
)
def test_an_error_message_contains_its_facts(error, facts):
    assert [fact for fact in facts if fact not in str(error)] == []


def test_input_is_escaped_in_an_error_message():
    words = str(Locked("<b>no</b>"))
    assert "<b>" in words
    assert not hasattr(words, "__html__")
