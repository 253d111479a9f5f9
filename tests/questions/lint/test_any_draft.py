"""An unfinished draft may contain anything: the rules report what is wrong with it and never crash."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from questions.lint.rules import RULES, cueing_suspects, lint
from questions.lint.rules.bank.figures import bank_figures
from questions.lint.rules.bank.style import style_figures
from questions.versions.rules.draft import DraftClue, DraftOption
from tests.questions.lint.finding import KNOWN
from tests.support.bank import changed, draft

pytestmark = pytest.mark.long("drawn cases")

BITS = ["`", "```", "{{", "}}", "[a](", ")", "![](x)", "**", "only", "not", "which", "?", "a", "is", ".", "\n", "é", ""]
TEXTS = st.lists(st.sampled_from(BITS) | st.text(max_size=8), max_size=12).map(" ".join)
OPTIONS = st.lists(st.builds(DraftOption, st.integers(0, 20), TEXTS, st.booleans(), TEXTS, TEXTS), max_size=7)
CLUES = st.lists(st.builds(DraftClue, TEXTS, TEXTS, st.lists(st.integers(0, 9), max_size=2).map(tuple)), max_size=2)


@settings(max_examples=300, deadline=None)
@given(
    kind=st.sampled_from(["single", "multiple"]), stem=TEXTS, options=OPTIONS.map(tuple), clues=CLUES.map(tuple),
    quick_answer=TEXTS, explanation=TEXTS, clause=TEXTS,
)  # fmt: skip
def test_no_draft_crashes_a_rule(**fields):
    question = changed(draft(1), **fields)
    assert all(problem.rule in RULES and problem.message for problem in lint(question, KNOWN))
    assert bank_figures([question])["questions"] == 1
    assert style_figures([question], KNOWN.glossary)
    assert list(cueing_suspects([question, changed(question, key="q2")])) is not None
