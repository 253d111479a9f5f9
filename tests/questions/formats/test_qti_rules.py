"""Items of QTI 2 and 3 whose right answer is given only in their rules are read from those rules."""

from __future__ import annotations

import re

import pytest

from questions.formats.rules.items import Skipped
from tests.questions.formats.finding import found, keys

ITEM = """<assessmentItem identifier="lamp" title="Lamp">
<responseDeclaration identifier="RESPONSE" cardinality="{cardinality}" baseType="identifier"/>
<itemBody><choiceInteraction responseIdentifier="RESPONSE" maxChoices="0"><prompt>Which lamp?</prompt>
<simpleChoice identifier="a">blue</simpleChoice><simpleChoice identifier="b">amber</simpleChoice>
<simpleChoice identifier="c">green</simpleChoice></choiceInteraction></itemBody>
<responseProcessing><responseCondition>{rules}</responseCondition></responseProcessing></assessmentItem>"""
NAMES = ("assessmentItem", "responseDeclaration", "itemBody", "choiceInteraction", "prompt", "simpleChoice", "variable")
NAMES += ("responseProcessing", "responseCondition", "responseIf", "setOutcomeValue", "baseValue", "match")
VARIABLE = '<variable identifier="RESPONSE"/>'


def value(text: str) -> str:
    return f'<baseValue baseType="identifier">{text}</baseValue>'


def branch(condition: str, points: str, name: str = "responseIf") -> str:
    score = f'<setOutcomeValue identifier="SCORE"><baseValue baseType="float">{points}</baseValue></setOutcomeValue>'
    return f"<{name}>{condition}{score}</{name}>"


def item(rules: str, cardinality: str = "single") -> str:
    return ITEM.format(rules=rules, cardinality=cardinality)


@pytest.mark.parametrize(
    ("text", "right"),
    [
        (item(branch(f"<match>{VARIABLE}{value('b')}</match>", "1")), [1]),
        (item(branch(f"<match>{value('b')}{VARIABLE}</match>", "1") + branch("", "0", "responseElse")), [1]),
        (
            item(
                branch(f"<match>{VARIABLE}{value('a')}</match>", "0.5")
                + branch(f"<match>{VARIABLE}{value('c')}</match>", "2", "responseElseIf")
            ),
            [2],
        ),
        (
            item(branch(f"<match>{VARIABLE}<multiple>{value('a')}{value('c')}</multiple></match>", "1"), "multiple"),
            [0, 2],
        ),
        (
            item(branch(f"<isNull>{VARIABLE}</isNull>", "0") + branch(f"<match>{VARIABLE}{value('b')}</match>", "1")),
            [1],
        ),
    ],
)
def test_the_match_with_the_most_points_is_the_key(text: str, right: list[int]) -> None:
    assert keys(found("qti-2.1", text)) == [(["blue", "amber", "green"], right)]


@pytest.mark.parametrize(
    "text",
    [
        item(branch(f"<not><match>{VARIABLE}{value('b')}</match></not>", "1")),
        item(branch(f"<and><match>{VARIABLE}{value('b')}</match></and>", "1")),
        item(branch(f"<member>{value('b')}{VARIABLE}</member>", "1"), "multiple"),
        item(branch(f'<match><variable identifier="OTHER"/>{value("b")}</match>', "1")),
        item(branch(f"<match>{VARIABLE}{value('b')}</match>", "1") + branch("", "1", "responseElse")),
        item(
            branch(f"<match>{VARIABLE}<multiple>{value('a')}{value('c')}</multiple></match>", "1")
            + branch(f"<match>{VARIABLE}<multiple>{value('a')}{value('b')}</multiple></match>", "1", "responseElseIf"),
            "multiple",
        ),
        item(branch(f"<match>{VARIABLE}{value('nothing')}</match>", "1")),
        item(branch(f"<match>{VARIABLE}{value('b')}</match>", "0")),
    ],
)
def test_any_other_rule_leaves_the_key_unknown(text: str) -> None:
    (result,) = found("qti-2.1", text)
    assert isinstance(result, Skipped)


def test_a_nested_rule_is_not_read() -> None:
    match = f"<match>{VARIABLE}{value('b')}</match>"
    inner = f"<responseCondition>{branch(match, '1')}</responseCondition>"
    outer = f"<responseIf><match>{VARIABLE}{value('a')}</match>{inner}</responseIf>"
    (result,) = found("qti-2.1", item(outer))
    assert isinstance(result, Skipped)


def test_the_same_rules_are_read_under_their_names_in_qti_3() -> None:
    text = item(branch(f"<match>{VARIABLE}{value('b')}</match>", "1"))
    for name in NAMES:
        text = re.sub(rf"(</?){name}\b", rf"\1{dashed(name)}", text)
    for name in ("responseIdentifier", "maxChoices"):
        text = text.replace(f" {name}=", f" {dashed(name)[4:]}=")
    assert keys(found("qti-3.0", text)) == [(["blue", "amber", "green"], [1])]


def dashed(name: str) -> str:
    return "qti-" + re.sub(r"([A-Z])", lambda match: "-" + match.group(1).lower(), name)
