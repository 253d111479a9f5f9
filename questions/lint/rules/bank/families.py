"""Families: whether each option says when it would be right, and whether siblings differ where they must."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from questions.catalogue.rules.exam_file import Targets
from questions.lint.rules.registry import BANK, HOUSE, REFUSE, WARN, Finding, Known, Problem, Rule, declare, rule
from questions.lint.rules.wording import roots
from questions.versions.rules.draft import DraftOption, DraftQuestion
from questions.versions.rules.family import CLAUSE, shared_of

MOST_NEVER = 1
"""An option that no change makes right says nothing about the deciding clause, which is what a family teaches. One may
stand for a common misconception."""
MOST_SIBLINGS = 4
"""As many as there usually are options, each of which is right once (decision 0012)."""
WIDE = 3
"""With two siblings, the key of one says that the other's is among the three options left."""
# A “right if” with this many words of a sibling's clause, and none of its own clause's, looks misplaced. Good writers
# paraphrase: of 142 keys in the first 43 families, 12 have two more words in common with a longer clause.
OTHER_CLAUSE = 3


@rule(
    "right-if",
    WARN,
    finds="A wrong option that doesn’t say under which change of the scenario it would be right, in a family or beside"
    f" options that do; or more than {MOST_NEVER} that would never be right.",
    fix="name the one change that makes the option right; if there is none, name the misconception, or replace the "
    "option",
)
def wrong_options_say_when_they_hold(question: DraftQuestion, known: Known) -> Iterator[Finding]:
    """A distractor that is never right can be ruled out without the scenario."""
    if not (question.family or any(option.right_if or option.never for option in question.options)):
        return
    for i, option in enumerate(question.options):
        if not (option.right or option.right_if or option.never):
            yield f"options[{i}].right_if", "empty; say when the option would be right"
    never = [i for i, option in enumerate(question.options) if option.never]
    if len(never) > MOST_NEVER:
        yield f"options[{never[-1]}].never", f"{len(never)} options are never right; the limit is {MOST_NEVER}"


@rule(
    "clause",
    REFUSE,
    finds="A question of a family whose stem doesn’t contain its clause exactly once.",
    fix=f"put {CLAUSE} in the family’s stem once, and don’t repeat the clause’s words elsewhere in it",
)
def stem_holds_the_clause(question: DraftQuestion, known: Known) -> Iterator[Finding]:
    """The clause is what differs; without it, siblings would be the same question."""
    if question.family and (not question.clause.strip() or question.stem.count(question.clause) != 1):
        yield "clause", "the stem must contain it exactly once"


FAMILY_KEY = declare(
    Rule(
        "family-key",
        REFUSE,
        BANK,
        "Two questions of a family with the same key.",
        "write a clause that makes another option right, or drop one of them",
        HOUSE,
    )
)
FAMILY_SHARED = declare(
    Rule(
        "family-shared",
        REFUSE,
        BANK,
        "Questions of a family that differ in pool, domain, kind, stem outside the clause, or options.",
        "change the shared text for all of them, or take one out of the family",
        HOUSE,
    )
)
FAMILY_NEVER = declare(
    Rule(
        "family-never",
        REFUSE,
        BANK,
        "An option marked never right that is the key in a question of its family.",
        "say when it is right",
        HOUSE,
    )
)
FAMILY_SIZE = declare(
    Rule(
        "family-size",
        WARN,
        BANK,
        f"A family of more than {MOST_SIBLINGS} questions.",
        "keep the most useful clauses, or split the family in two",
        HOUSE,
    )
)
RIGHT_IF_CLAUSE = declare(
    Rule(
        "right-if-clause",
        WARN,
        BANK,
        "An option that is right in one question of its family, but whose “right if” shares several words with"
        " another question’s clause and none with that one’s.",
        "check “right if” against the clause that makes the option right",
        HOUSE,
    )
)

FAMILY_SHARE = declare(
    Rule(
        "family-share",
        WARN,
        BANK,
        f"A smaller share of the questions than the target is in a family of two to {MOST_SIBLINGS}.",
        "write siblings for lone questions, or replace them",
        "House rule (targets in exam.yaml)",
    )
)
WIDE_FAMILIES = declare(
    Rule(
        "wide-families",
        WARN,
        BANK,
        f"A smaller share of the public families than the target has {WIDE} questions or more.",
        "write another clause for families of two",
        "House rule (targets in exam.yaml)",
    )
)


def lint_families(questions: Iterable[DraftQuestion]) -> Iterator[tuple[DraftQuestion, Problem]]:
    """Findings that need the siblings, for every family among the questions."""
    families: dict[str, list[DraftQuestion]] = {}
    for question in questions:
        if question.family:
            families.setdefault(question.family, []).append(question)
    for siblings in families.values():
        for check in (_differ_in_key, _share_the_rest, _never_means_never, _are_few, _right_if_fits):
            yield from check(siblings)


Found = Iterator[tuple[DraftQuestion, Problem]]


def _differ_in_key(siblings: Sequence[DraftQuestion]) -> Found:
    owner: dict[tuple[int, ...], str] = {}
    for question in siblings:
        first = owner.setdefault(tuple(sorted(question.right_slots)), question.key)
        if first != question.key:
            yield question, FAMILY_KEY.problem("options", f"has the same key as “{first}”")


def _share_the_rest(siblings: Sequence[DraftQuestion]) -> Found:
    first = shared_of(siblings[0])
    for question in siblings[1:]:
        own = shared_of(question)
        for name in ("pool", "domain", "kind", "stem", "options"):
            if getattr(own, name) != getattr(first, name):
                yield question, FAMILY_SHARED.problem(name, f"not the same as in “{siblings[0].key}”")


def _never_means_never(siblings: Sequence[DraftQuestion]) -> Found:
    for question in siblings:
        for i, option in enumerate(question.options):
            if option.right and option.never:
                yield question, FAMILY_NEVER.problem(f"options[{i}].never", "is set for an option that is right here")


def _are_few(siblings: Sequence[DraftQuestion]) -> Found:
    if len(siblings) > MOST_SIBLINGS:
        yield siblings[0], FAMILY_SIZE.problem("family", f"{len(siblings)} questions; the limit is {MOST_SIBLINGS}")


def _right_if_fits(siblings: Sequence[DraftQuestion]) -> Found:
    """Only words are compared: a “right if” that contradicts its clause in other words is left to a person."""
    clauses = {question.key: roots(question.clause) for question in siblings}
    for i, option in enumerate(siblings[0].options):
        if not option.right_if:
            continue
        said = roots(option.right_if)
        common = {key: len(said & clause) for key, clause in clauses.items()}
        right_in = [question for question in siblings if _is_right(question, option)]
        wrong_in = [question for question in siblings if not _is_right(question, option)]
        if not right_in or not wrong_in:
            continue
        own = max(common[question.key] for question in right_in)
        worst = max(wrong_in, key=lambda question: common[question.key])
        if own == 0 and common[worst.key] >= OTHER_CLAUSE:
            message = f"has {common[worst.key]} words in common with the clause of “{worst.key}”, none with its own"
            yield right_in[0], RIGHT_IF_CLAUSE.problem(f"options[{i}].right_if", message)


def _is_right(question: DraftQuestion, option: DraftOption) -> bool:
    return option.slot in question.right_slots


def in_families(questions: Sequence[DraftQuestion]) -> float:
    """The per cent of questions in a family of two to ``MOST_SIBLINGS``; 0 of none."""
    inside = sum(size for size in _sizes(questions).values() if 2 <= size <= MOST_SIBLINGS)
    return 100 * inside / max(1, len(questions))


def wide_families(questions: Sequence[DraftQuestion]) -> float:
    """The per cent of public families that have ``WIDE`` questions or more; 0 of none."""
    sizes = _sizes(question for question in questions if question.pool == "open")
    return 100 * sum(size >= WIDE for size in sizes.values()) / max(1, len(sizes))


def lint_family_shares(questions: Sequence[DraftQuestion], targets: Targets) -> Iterator[Problem]:
    """Whether enough of the bank consists of families, and of large ones."""
    yield from _enough(FAMILY_SHARE, "in_families", in_families(questions), targets.in_families)
    yield from _enough(WIDE_FAMILIES, "wide_families", wide_families(questions), targets.wide_families)


def _enough(short: Rule, target: str, share: float, least: int) -> Iterator[Problem]:
    if share < least:
        yield short.problem(f"targets.{target}", f"{share:.1f}%; the target is {least}% or more")


def _sizes(questions: Iterable[DraftQuestion]) -> Counter[str]:
    return Counter(question.family for question in questions if question.family)
