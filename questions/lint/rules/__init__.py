"""The checks a question must pass, as small pure rules over drafts, in one registry.

A rule that refuses stops loading and publishing; a rule that warns is reported by ``manage.py lint_bank`` and in the
admin, and can be waived with a reason. docs/lint.md lists them all.
"""

from questions.lint.rules import answers, prose, restated  # noqa: F401  (entered in the registry by their import)
from questions.lint.rules.across import ID_TWICE, near_duplicates, repeated_sentences, unknown_names
from questions.lint.rules.bank.cueing import ModuleSentence, cueing_suspects
from questions.lint.rules.bank.families import lint_families
from questions.lint.rules.bank.files import FORMAT, MODULE, STALE_WAIVER
from questions.lint.rules.bank.outline import lint_outline
from questions.lint.rules.bank.read import (
    CUE_PROBE,
    DISPUTED,
    GIVEN_AWAY_SHARE,
    GUESSABLE,
    LEAK,
    OPEN_VERDICT,
    SOUND_SHARE,
)
from questions.lint.rules.bank.targets import lint_bank
from questions.lint.rules.options import cues, flaws, form  # noqa: F401
from questions.lint.rules.parts import RATIONALE_WORDS, STEM_WORDS, WORD_LIMITS
from questions.lint.rules.registry import (
    BASIC,
    DRAFT,
    FULL,
    NOTHING,
    REFUSE,
    RULES,
    WARN,
    Completeness,
    Known,
    Problem,
    Rule,
    completeness,
    lint,
)
from questions.lint.rules.wording import normal, words

__all__ = [
    "BASIC",
    "CUE_PROBE",
    "DISPUTED",
    "DRAFT",
    "FORMAT",
    "FULL",
    "GIVEN_AWAY_SHARE",
    "GUESSABLE",
    "ID_TWICE",
    "LEAK",
    "MODULE",
    "NOTHING",
    "OPEN_VERDICT",
    "RATIONALE_WORDS",
    "REFUSE",
    "RULES",
    "SOUND_SHARE",
    "STALE_WAIVER",
    "STEM_WORDS",
    "WARN",
    "WORD_LIMITS",
    "Completeness",
    "Known",
    "ModuleSentence",
    "Problem",
    "Rule",
    "completeness",
    "cueing_suspects",
    "lint",
    "lint_bank",
    "lint_families",
    "lint_outline",
    "near_duplicates",
    "normal",
    "repeated_sentences",
    "unknown_names",
    "words",
]
