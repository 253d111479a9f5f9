"""How the stem's words, or an option's style, give the key away."""

from __future__ import annotations

import re
from collections.abc import Iterator

from questions.lint.rules.registry import HALADYNA_2002, NBME, WARN, Finding, Known, rule
from questions.lint.rules.wording import CODE, roots, without_code
from questions.versions.rules.draft import DraftQuestion

HEDGE = re.compile(r"\b(?:can|could|may|might|usually|often|typically|generally|where possible|as needed)\b", re.I)
FIGURE = re.compile(r"\d")
IN_A_NAME = re.compile(r"(?<=[A-Za-z_])\d+")  # digits in SHA256 and stage_1 aren't figures the author chose
# The brackets of `persist()` belong to its name.
ASIDE = re.compile(r"(?<!\w)\([^)]*\)|, (?:such as|for example|including)\b")
VAGUE = re.compile(
    r"\b(?:appropriate(?:ly)?|suitabl[ey]|proper(?:ly)?|adequate(?:ly)?|as (?:needed|required|appropriate)"
    r"|efficient(?:ly)?|effective(?:ly)?|optimal(?:ly)?|best practices?|robust(?:ly)?|if necessary|where possible)\b",
    re.I,
)
MANNERS = {
    "a hedge": lambda text: bool(HEDGE.search(without_code(text))),
    "a figure": lambda text: bool(FIGURE.search(text)),
    "code": lambda text: bool(CODE.search(text)),
    "an aside": lambda text: bool(ASIDE.search(without_code(text))),
}
# Two texts that have only these in common aren't about the same thing. Rules that measure how much texts share still
# count them.
LIGHT = roots(
    "among came come comes coming gave give given gives giving keep keeping keeps kept put puts putting taken takes "
    "taking took"
)
FEWEST_ECHOES = 2  # how many of a clue's roots recur only in the key; one may be the subject itself


def _only_in_the_key(question: DraftQuestion) -> frozenset[str]:
    """The roots in right options and in no wrong one, without light verbs."""
    right = frozenset().union(*(roots(option.text) for option in question.options if option.right))
    wrong = frozenset().union(*(roots(option.text) for option in question.options if not option.right))
    return right - wrong - LIGHT


def _shared_stem(question: DraftQuestion) -> frozenset[str]:
    """The roots that a family's questions all have in their stems, whichever option is right."""
    return roots(question.stem.replace(question.clause, " ")) if question.clause else frozenset()


@rule(
    "echo",
    WARN,
    finds=f"A clue in the stem with {FEWEST_ECHOES} or more words that recur in a right option and in no wrong one. "
    "Light verbs such as “keep”, and words that all stems of a family share, don’t count.",
    fix="word the need differently from the option, or use the same words in a wrong option",
    source=f"{NBME}: word repeats, clang clues; {HALADYNA_2002}: no clang associations",
)
def no_clue_returns_in_the_key_alone(question: DraftQuestion, known: Known) -> Iterator[Finding]:
    """Matching words must not be enough."""
    own = _only_in_the_key(question) - _shared_stem(question)
    for i, clue in enumerate(question.clues):
        shared = sorted(roots(clue.phrase) & own)
        if len(shared) >= FEWEST_ECHOES:
            yield f"clues[{i}].phrase", f"its words recur only in the key: {', '.join(shared)}"


@rule(
    "clause-words",
    WARN,
    finds="A word of the clause that is in a right option, in no other one, and nowhere else in the stem. Light verbs, "
    "such as keep, don’t count.",
    fix="make the clause state a need, a limit or a figure, never what only one option does",
    source=f"{NBME}: word repeats",
)
def the_clause_does_not_name_the_key(question: DraftQuestion, known: Known) -> Iterator[Finding]:
    """In a family only the clause decides, so one matching word is enough, unless all siblings have it."""
    shared = sorted((roots(question.clause) - _shared_stem(question)) & _only_in_the_key(question))
    if shared:
        yield "clause", f"only the key repeats its words: {', '.join(shared)}"


@rule(
    "only-key",
    WARN,
    finds="A hedge, figure, code or aside in every right option and in no wrong one.",
    fix="give wrong options as much detail, or remove it from the right one",
    source=f"{NBME}: the key is longer, more specific or more complete; {HALADYNA_2002}",
)
def detail_is_not_the_keys_alone(question: DraftQuestion, known: Known) -> Iterator[Finding]:
    """Extra care with one option shows that it is the key."""
    for manner, has in MANNERS.items():
        right = [has(IN_A_NAME.sub("", option.text)) for option in question.options if option.right]
        wrong = [has(option.text) for option in question.options if not option.right]
        if right and all(right) and wrong and not any(wrong):
            yield "options", f"only the key has {manner}"


@rule(
    "vague-key",
    WARN,
    finds="A vague term in a right option: appropriate, suitable, as needed, efficiently and the like.",
    fix="say exactly what is done",
    source=f"{NBME}: vague terms; {HALADYNA_2002}",
)
def the_key_is_definite(question: DraftQuestion, known: Known) -> Iterator[Finding]:
    """An option that can't be wrong is recognised as right without reading on."""
    for i, option in enumerate(question.options):
        found = VAGUE.search(without_code(option.text)) if option.right else None
        if found:
            yield f"options[{i}].text", f"“{found.group()}” is right in any situation"
