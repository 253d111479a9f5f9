"""What people read is written in templates and forms; lower layers pass on codes, names and numbers."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.support.imports import nodes_of
from tests.test_architecture import BASE, LAYERS, layer_of, modules

LETTERS = re.compile(r"[^\W\d_]")
NO_WORDS = re.compile(r"[\\<>{}=*|^$]|\n|%\(")
"""Marks of a pattern, an SQL statement or a list over several lines, which nobody reads as a sentence."""
LAYERS_LOOKED_AT = {LAYERS.index(name) for name in ("rules", "reads", "write")}
MAY_SPEAK = {
    "questions/lint/": "findings name what an editor mends; the file that checks is the one that knows",
    "questions/bank_files/": "findings in files, printed by a command",
    "questions/modules/rules/": "findings in files, printed by a command; names of boxes are part of the format",
    "questions/formats/": "findings in other people's files, told to whoever imports them",
    "questions/modules/load.py": "findings in files, printed by a command",
    "questions/catalogue/rules/": "findings in files, printed by a command",
    "questions/versions/rules/draft_diff.py": "a version as a file for the word differences: its labels are its format",
    "questions/versions/rules/text_caps.py": "findings in a text, like those of lint",
    "questions/versions/material/pictures/rules/": "findings in a file, like those of an import",
    "questions/versions/statistics/rules.py": "names of the flags, which filters and columns show",
    "questions/pages/reads/machines/": "what machines are told of a page is text in a data block, not in a template",
    "questions/pages/errata/reads/machines.py": "as for the other heads: text in a data block, not in a template",
    "questions/pages/glossary/reads/head.py": "as for the other heads: text in a data block, not in a template",
    "questions/pages/objectives/reads/case.py": "fields of a file for programs, not a page",
    "questions/pages/objectives/reads/head.py": "as for the other heads: text in a data block, not in a template",
    "questions/pages/rules.py": "a collection's words stand in its page, in lists, and in what machines are told",
    "courseiva/pages/reads.py": "the answered questions stand in the page and, the same, in its data block",
    "courseiva/settings.py": "names of the schedule's entries, which operators read",
    "courseiva/demo/": "what simulated people write",
    "courseiva/serving/checks.py": "told to operators, at the start",
    "courseiva/common/quick/rewriting.py": "statements of PostgreSQL",
    "courseiva/common/rich_text.py": "a list of the tags that survive",
    "courseiva/common/texts/formulas/mathml.py": "findings in a formula, like those of lint; lists of elements",
    "courseiva/accounts/passkeys/reads.py": "allauth asks its adapter for these messages",
    "courseiva/accounts/guarding/adapter.py": "allauth asks its adapter for these messages",
    "courseiva/serving/dates/": "formats of dates, whose letters look like words",
    "courseiva/serving/rules/": "told to operators, in logs and at the start",
    "discussion/screening/rules/": "vocabularies to find things with; and what a finding tells a moderator",
    "discussion/comments/rules/markup.py": "findings in a text, like those of lint",
    "practice/sessions/player/rules.py": "told to whoever writes a client; the player has words of its own",
    "practice/sessions/results/reads/results.py": "how an answer changed, as the file of results names it",
    "practice/readiness/derive/rebuild.py": "a statement of PostgreSQL",
    "discussion/mail/settle.py": "the end of a correction that is cut becomes part of the report's text",
    "practice/measurement/": "told to whoever runs a command of the laboratory, or calls a formula wrongly",
}

SPEAKING = tuple(MAY_SPEAK)


def is_looked_at(module: str) -> bool:
    return layer_of(module) in LAYERS_LOOKED_AT or "errors" in module.split(".")


def test_rules_reads_write_modules_and_errors_contain_no_sentences() -> None:
    found = {
        path: sentences
        for module, file in modules().items()
        if is_looked_at(module)
        if not (path := str(file.relative_to(BASE))).startswith(SPEAKING)
        if (sentences := sentences_in(file))
    }
    assert found == {}, "hand on a code and write the sentence in a template or a form"


def test_every_exempted_file_still_contains_a_sentence() -> None:
    speaking = [
        str(file.relative_to(BASE)) for module, file in modules().items() if is_looked_at(module) and sentences_in(file)
    ]
    assert [each for each in MAY_SPEAK if not any(path.startswith(each) for path in speaking)] == []


def test_a_sentence_is_told_from_a_code() -> None:
    source = '''
"""A docstring says what it likes."""
KIND = "left out"
PATTERN = r"one (two|three) four"
SAID = "This is a sentence."
MADE = f"There are {count} of them."
raise ValueError("needs one two three")
logger.warning("mail %s could not be sent", 3)
'''
    assert list(sentences_of(tuple(ast.walk(ast.parse(source))))) == ["This is a sentence.", "There are … of them."]


@cache
def sentences_in(path: Path) -> list[str]:
    """Return each sentence of a file once."""
    return sorted(set(sentences_of(nodes_of(path))))


def sentences_of(nodes: tuple[ast.AST, ...]) -> Iterator[str]:
    """Yield literals of three words or more, except docstrings and what is said to programmers and operators."""
    skipped = set(_not_said(nodes))
    for node in nodes:
        if id(node) in skipped or not (text := _text(node)):
            continue
        if sum(bool(LETTERS.search(word)) for word in text.split()) >= 3 and not NO_WORDS.search(text):
            yield text


def _text(node: ast.AST) -> str:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "…" for part in node.values)
    return ""


def _not_said(nodes: tuple[ast.AST, ...]) -> Iterator[int]:
    for node in nodes:
        if isinstance(node, ast.Expr):
            yield id(node.value)
        elif isinstance(node, ast.JoinedStr):
            yield from (id(part) for part in node.values)
        elif isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) and _is_valueerror(node.exc):
            yield from (id(argument) for argument in node.exc.args)
        elif isinstance(node, ast.Call) and _is_logged(node):
            yield from (id(argument) for argument in node.args)


def _is_logged(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Attribute) and getattr(call.func.value, "id", "") == "logger"


def _is_valueerror(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Name) and call.func.id == "ValueError"
