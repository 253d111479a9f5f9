"""The checks a question must pass, as small pure rules over drafts, entered in one registry.

A rule that refuses stops a load and a publishing; a rule that warns is reported by ``manage.py lint_bank`` and in the
admin, and can be waived with a reason. docs/lint.md lists them all.
"""

from questions.lint.rules import answers, options, prose  # noqa: F401  (entered in the registry by their import)
from questions.lint.rules.across import ID_TWICE, near_duplicates, repeated_sentences, unknown_names
from questions.lint.rules.bank.targets import lint_bank
from questions.lint.rules.files import FORMAT, MODULE, STALE_WAIVER
from questions.lint.rules.parts import RATIONALE_WORDS, STEM_WORDS, WORD_LIMITS
from questions.lint.rules.registry import NOTHING, REFUSE, RULES, WARN, Known, Problem, Rule, lint
from questions.lint.rules.wording import normal, words

__all__ = [
    "FORMAT",
    "ID_TWICE",
    "MODULE",
    "NOTHING",
    "RATIONALE_WORDS",
    "REFUSE",
    "RULES",
    "STALE_WAIVER",
    "STEM_WORDS",
    "WARN",
    "WORD_LIMITS",
    "Known",
    "Problem",
    "Rule",
    "lint",
    "lint_bank",
    "near_duplicates",
    "normal",
    "repeated_sentences",
    "unknown_names",
    "words",
]
