"""Check the registry of lint rules and the page that lists them."""

import re
from pathlib import Path

import pytest

from questions.lint.rules import REFUSE, RULES, WARN, Rule
from questions.lint.rules.registry import BANK, FILE, QUESTION, declare

DOCS = Path(__file__).parents[3] / "docs"
ROW = re.compile(r"^\| `([a-z-]+)` \| (\w+) \| (.*) \| (.*) \| (.*) \|$", re.M)


def test_the_page_lists_every_rule_accurately():
    listed = {name: rest for name, *rest in ROW.findall((DOCS / "lint.md").read_text(encoding="utf-8"))}
    held = {
        each.id: [each.severity, each.finds, f"{each.fix[0].upper()}{each.fix[1:]}.", each.source]
        for each in RULES.values()
    }
    assert listed == held


@pytest.mark.parametrize("each", RULES.values(), ids=RULES)
def test_every_rule_states_its_finding_its_fix_and_its_source(each):
    assert each.severity in (REFUSE, WARN)
    assert each.scope in (QUESTION, BANK, FILE)
    assert each.finds.endswith(".")
    assert each.fix
    assert each.source
    assert (each.check is not None) == (each.scope == QUESTION)


def test_only_the_listed_rules_are_refusals():
    assert {each.id for each in RULES.values() if each.severity == REFUSE} == {
        "key-count", "option-count", "choose-count", "slots", "option-twice", "missing", "source", "letter",
        "all-or-none", "clue", "clue-confirms", "leftover", "link", "unknown", "id-twice", "repeated", "format",
        "clause", "family-key", "family-shared", "family-never", "formula", "image-alt", "picture", "basic-options",
        "basic-missing", "basic-place", "disputed", "open-verdict",
    }  # fmt: skip


def test_an_id_can_be_used_only_once():
    with pytest.raises(ValueError, match="length"):
        declare(Rule("length", WARN, QUESTION, "Finds.", "fix", "source"))
