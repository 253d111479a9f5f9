"""Flaws of option sets, from published lists of item-writing flaws."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import combinations

from questions.lint.rules.registry import HALADYNA_2002, HALADYNA_2013, NBME, WARN, Finding, Known, rule
from questions.lint.rules.wording import normal, roots
from questions.versions.rules.draft import DraftQuestion

OPPOSITES = frozenset(
    frozenset(pair.split("/"))
    for pair in (
        *("enable/disable", "increase/decrease", "raise/lower", "higher/lower", "more/fewer", "more/less"),
        *("with/without", "before/after", "on/off", "true/false", "larger/smaller", "higher/smaller"),
        *("longer/shorter", "allow/deny", "include/exclude", "add/remove", "up/down", "first/last"),
        *("start/stop", "wider/narrower", "manual/automatic", "online/offline"),
    )
)
CLASSES = {
    "a noun with its article": re.compile(r"\A(?:an?|the|one|two|three|each|every)\b", re.I),
    "“by …ing”": re.compile(r"\Aby\s+\w+ing\b", re.I),
    "a place or means": re.compile(r"\A(?:in|on|at|from|with|through|under)\b", re.I),
    "“because” or “that”": re.compile(r"\A(?:because|since|that|so)\b", re.I),
}
OTHER = "a sentence or command"
NUMBER = re.compile(r"\A\W*(\d+(?:[.,]\d+)?)\s*(?:%|\S+)?\W*\Z")
SAME_REASON = 0.6  # the share of both reasons' roots above which they count as the same
BOND = 2  # how many roots link options; one may be the subject itself


def _alike(one: str, two: str) -> float:
    first, second = roots(one), roots(two)
    return len(first & second) / max(1, len(first | second))


def _opposite(one: str, two: str) -> bool:
    """Whether two texts differ in one word, and the two words are opposites."""
    first, second = normal(one).split(), normal(two).split()
    added, dropped = Counter(second) - Counter(first), Counter(first) - Counter(second)
    return added.total() == dropped.total() == 1 and frozenset([*added, *dropped]) in OPPOSITES


@rule(
    "opposite-pair",
    WARN,
    finds="Two options of a choose-one question that differ only in one word and its opposite, one of them right.",
    fix="give other options an opposite too, or reword one of the pair: readers who spot a pair look no further",
    source=f"{HALADYNA_2002}: be careful with opposites; {NBME}: collectively exhaustive subsets",
)
def no_pair_exhausts_the_choice(question: DraftQuestion, known: Known) -> Iterator[Finding]:
    """If one of two opposites is right, the other options aren't read."""
    pairs = [
        (i, j, one.right or two.right)
        for (i, one), (j, two) in combinations(enumerate(question.options), 2)
        if _opposite(one.text, two.text)
    ]
    if question.kind == "single" and len(pairs) == 1 and pairs[0][2]:
        yield (
            f"options[{pairs[0][1]}].text",
            f"is the opposite of option {pairs[0][0] + 1} of the file, one of them right",
        )


@rule(
    "mixed-classes",
    WARN,
    finds="Options of mixed form: only one starts with a noun, a command, “by …ing”, a place or a reason.",
    fix="give all options the same form",
    source=f"{HALADYNA_2002}: homogeneous in content and grammatical structure; {HALADYNA_2013}",
)
def options_are_of_one_class(question: DraftQuestion, known: Known) -> Iterator[Finding]:
    """An option that stands out is ruled out, or chosen, for standing out."""
    classes = [
        next((name for name, begins in CLASSES.items() if begins.match(option.text.lstrip('`*“"'))), OTHER)
        for option in question.options
    ]
    count = Counter(classes)
    for i, name in enumerate(classes):
        if count[name] == 1 and len(count) == 2 and len(classes) > 2:
            yield f"options[{i}].text", f"the only option to start with {name}"


@rule(
    "number-order",
    WARN,
    finds="Options that are numbers but not in order.",
    fix="sort them by size; options keep their slots",
    source=f"{HALADYNA_2002}: place options in logical or numerical order",
)
def numbers_are_in_order(question: DraftQuestion, known: Known) -> Iterator[Finding]:
    """Unordered numbers cost time that has nothing to do with the question."""
    found = [NUMBER.match(option.text) for option in question.options]
    numbers = [float(match.group(1).replace(",", "")) for match in found if match]
    if len(numbers) == len(found) > 1 and numbers not in (sorted(numbers), sorted(numbers, reverse=True)):
        yield "options", f"{', '.join(f'{number:g}' for number in numbers)}: not in order"


@rule(
    "same-misconception",
    WARN,
    finds="Two wrong options of a choose-one question whose reasons, or misconceptions, share"
    f" {SAME_REASON:.0%} of their words.",
    fix="give each wrong option its own reason to fail",
    source=f"{HALADYNA_2013}: distractors from errors that learners really make, each another one",
)
def each_wrong_option_fails_on_its_own(question: DraftQuestion, known: Known) -> Iterator[Finding]:
    """Two options that fail for the same reason are ruled out together, leaving a choice of fewer."""
    wrong = [(i, option) for i, option in enumerate(question.options) if not option.right]
    for (i, one), (j, two) in combinations(wrong, 2):
        never = one.never and two.never and _alike(one.never, two.never) >= SAME_REASON
        if question.kind == "single" and (never or _alike(one.why, two.why) >= SAME_REASON):
            yield f"options[{j}].why", f"the same reason as for option {i + 1} of the file"


@rule(
    "one-combination",
    WARN,
    finds=f"A choose-several question whose right options share {BOND} or more words that no other option has, while no"
    " other combination shares any.",
    fix="make other options belong together too, so several combinations make sense until you read the scenario",
    source=f"{HALADYNA_2013}: keep options independent; {NBME}: logical cues, convergence",
)
def several_combinations_are_coherent(question: DraftQuestion, known: Known) -> Iterator[Finding]:
    """Options that obviously belong together are chosen together, whatever the scenario says."""
    choose = len(question.right_slots)
    if question.kind != "multiple" or not 2 <= choose < len(question.options):
        return
    key = tuple(i for i, option in enumerate(question.options) if option.right)
    texts = [roots(option.text) for option in question.options]
    bonds = {chosen: _bond(texts, chosen) for chosen in combinations(range(len(texts)), choose)}
    if len(bonds[key]) >= BOND and not any(bond for chosen, bond in bonds.items() if chosen != key):
        yield "options", f"only the right options belong together: {', '.join(sorted(bonds[key]))}"


def _bond(texts: list[frozenset[str]], chosen: tuple[int, ...]) -> frozenset[str]:
    """The roots in all the chosen options and in no other one."""
    shared = frozenset.intersection(*(texts[i] for i in chosen))
    return shared.difference(*(text for i, text in enumerate(texts) if i not in chosen))
