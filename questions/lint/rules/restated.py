"""Whether each text of the answer adds something, and where the question is taught."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

from questions.lint.rules.registry import WARN, Finding, Known, rule
from questions.lint.rules.wording import parts, roots
from questions.versions.rules.draft import DraftQuestion

# The share of a text's words above which another text has said it; if it were any lower, shared terms would be enough.
RESTATED = 0.75
LEAST_ROOTS = 4  # with fewer words, two texts may say the same by chance
READ_TOGETHER = ("quick_answer", "explanation", "principle", "takeaway")


@rule(
    "restated",
    WARN,
    finds="A part of the answer (quick answer, reasons for the right options, explanation, key principle, takeaway) "
    "that repeats another: three quarters of its words, counted sentence by sentence, are in the other’s sentences. "
    "Only the worst pair of a question is reported.",
    fix="let it say what the others don’t, such as why, when it changes, or what to do next time",
    source="House rule (docs/writing-questions.md)",
)
def each_text_adds_something(question: DraftQuestion, known: Known) -> Iterator[Finding]:
    """Each text should tell the reader something new."""
    texts = {name: getattr(question, name) for name in READ_TOGETHER}
    texts["options"] = "\n\n".join(option.why for option in question.options if option.right)
    pairs = permutations((name for name, text in texts.items() if len(roots(text)) >= LEAST_ROOTS), 2)
    # If two pairs overlap equally, this takes the one whose texts are read first.
    share, name, other = max(((overlap(texts[a], texts[b]), a, b) for a, b in pairs), key=_share, default=(0.0, "", ""))
    if share >= RESTATED:
        yield name, f"{share:.0%} of its words are in the same sentences of “{other.replace('_', ' ')}”"


def overlap(text: str, other: str) -> float:
    """The share of a text's words repeated in another: each sentence counts with its best match among the other's
    sentences."""
    sentences = [roots(part) for part in parts(text)]
    others = [roots(part) for part in parts(other)]
    total = sum(map(len, sentences))
    said = sum(max((len(sentence & each) for each in others), default=0) for sentence in sentences)
    return said / total if total else 0.0


def _share(pair: tuple[float, str, str]) -> float:
    return pair[0]


@rule(
    "module-section",
    WARN,
    finds="A question that names no section of a study module, where its exam has modules.",
    fix="name the section that teaches it, as module#section, or write one",
    source="House rule (docs/bank-format.md)",
)
def a_section_teaches_it(question: DraftQuestion, known: Known) -> Iterator[Finding]:
    """After a miss, readers are sent to where it is taught."""
    if known.names and known.names["modules"] and not any("#" in module for module in question.modules):
        yield "modules", "no section of a study module is named"
