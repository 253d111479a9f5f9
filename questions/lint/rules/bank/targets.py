"""The rules on an exam's whole bank, by the targets in its exam.yaml."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from questions.catalogue.rules.exam_file import ExamFile
from questions.catalogue.rules.glossary import Glossary
from questions.catalogue.rules.shares import allocate
from questions.lint.rules.bank.families import lint_family_shares
from questions.lint.rules.bank.figures import longest_right, percent, positions, stem_median
from questions.lint.rules.bank.style import lint_style
from questions.lint.rules.registry import BANK, HALADYNA_2002, NBME, WARN, Problem, Rule, declare
from questions.versions.rules.draft import DIFFICULTIES, DraftQuestion

TARGETS = "House rule (targets in exam.yaml)"
GUIDE = "The exam’s own guide (blueprints in exam.yaml)"
MIX_POINTS = 5  # a share may be this many points off its target
FEWEST = 20  # with fewer questions than this, a share says nothing
CHI_SQUARE_1_PERCENT = {2: 6.63, 3: 9.21, 4: 11.34, 5: 13.28, 6: 15.09}  # by how many positions the key can have
Check = Callable[[Sequence[DraftQuestion], ExamFile], Iterator[Problem]]


def _rule(name: str, finds: str, fix: str, source: str) -> Rule:
    return declare(Rule(name, WARN, BANK, finds, fix, source))


LONGEST_SHARE = _rule(
    "longest-share",
    "Across the bank, the longest option is right clearly more often than by chance (by more than two standard"
    " errors; for choose-one questions, chance is one in the number of options).",
    "shorten right options, or add plausible detail to wrong ones",
    f"{HALADYNA_2002}: keep the choices about equally long",
)
KEY_POSITIONS = _rule(
    "key-positions",
    "Across the bank, right options are in some positions far more often than others (chi-square at 1 per cent).",
    "reorder the options in some questions; options keep their slots",
    f"{HALADYNA_2002}: vary the location of the right answer; Attali & Bar-Hillel 2003",
)
DIFFICULTY_MIX = _rule(
    "difficulty-mix",
    "The shares of easy, medium and hard questions are more than five points off the target.",
    "write what’s missing, or review the labels",
    TARGETS,
)
MULTIPLE_SHARE = _rule(
    "multiple-share",
    "The share of questions with several right options is more than five points off the target.",
    "write what’s missing",
    TARGETS,
)
COUNTS = _rule(
    "blueprint-counts",
    "Too few questions or public ones in all, too few public ones in a domain, or too few reserved ones to fill the"
    " planned mocks with unseen questions under every blueprint.",
    "write what’s missing",
    GUIDE,
)
CONCEPTS = _rule(
    "concept-count",
    "The questions cover fewer concepts than the target, or leave a concept of the exam without any.",
    "write a question on a concept that has none",
    GUIDE,
)
STEM_MEDIAN = _rule(
    "stem-median",
    "The median length of the stems is outside the target.",
    "lengthen or shorten scenarios to match the real exam",
    f"{NBME}: the stem carries the information, the options are short",
)


def lint_bank(questions: Sequence[DraftQuestion], exam: ExamFile, glossary: Glossary | None = None) -> list[Problem]:
    """Every finding on the bank as a whole."""
    found = [problem for check in CHECKS for problem in check(questions, exam)]
    return [*found, *lint_style(questions, exam, glossary or {})]


def _longest(questions: Sequence[DraftQuestion], exam: ExamFile) -> Iterator[Problem]:
    for each in longest_right(questions):
        if each.questions >= FEWEST and each.found / each.questions > each.limit:
            share = percent(each.found, each.questions)
            message = f"{each.name}: right in {share}% of {each.questions} questions; chance is {each.chance:.0%}"
            yield LONGEST_SHARE.problem("options", message)


def _positions(questions: Sequence[DraftQuestion], exam: ExamFile) -> Iterator[Problem]:
    for group in positions(questions):
        limit = CHI_SQUARE_1_PERCENT.get(group.options)
        if limit and group.questions >= FEWEST and group.chi_square > limit:
            counts = " / ".join(map(str, group.counts))
            yield KEY_POSITIONS.problem("options", f"{group.kind}, {group.options} options: {counts}")


def _difficulty(questions: Sequence[DraftQuestion], exam: ExamFile) -> Iterator[Problem]:
    count = Counter(question.difficulty for question in questions)
    for name, target in zip(DIFFICULTIES, exam.targets.difficulty, strict=False):
        share = 100 * count[name] / max(1, len(questions))
        if abs(share - target) > MIX_POINTS:
            yield DIFFICULTY_MIX.problem("targets.difficulty", f"{share:.0f}% are {name}; the target is {target}%")


def _multiple(questions: Sequence[DraftQuestion], exam: ExamFile) -> Iterator[Problem]:
    share = 100 * sum(question.kind == "multiple" for question in questions) / max(1, len(questions))
    if exam.targets.multiple and abs(share - exam.targets.multiple) > MIX_POINTS:
        yield MULTIPLE_SHARE.problem("targets.multiple", f"{share:.0f}%; the target is {exam.targets.multiple}%")


def _counts(questions: Sequence[DraftQuestion], exam: ExamFile) -> Iterator[Problem]:
    if len(questions) < exam.targets.questions:
        yield COUNTS.problem("targets.questions", f"{len(questions)} questions; the target is {exam.targets.questions}")
    have = Counter((question.domain, "open") for question in questions if question.pool == "open")
    if have.total() < exam.targets.public:
        yield COUNTS.problem("targets.public", f"{have.total()} public questions; the target is {exam.targets.public}")
    # A mock takes only one question of a family.
    units = {(question.domain, question.unit) for question in questions if question.pool == "reserved"}
    have.update((domain, "reserved") for domain, _ in units)
    reserved = reserved_needed(exam)
    for domain in exam.domains:
        for pool, need, name in (
            ("open", exam.targets.public_per_domain, "public_per_domain"),
            ("reserved", reserved.get(domain.key, 0), "unseen_mocks"),
        ):
            if have[domain.key, pool] < need:
                message = f"{domain.key}: {have[domain.key, pool]} {pool} questions; the target is {need}"
                yield COUNTS.problem(f"targets.{name}", message)


def reserved_needed(exam: ExamFile) -> dict[str, int]:
    """By domain, the reserved questions needed for the target number of mocks under any blueprint."""
    number = {domain.key: domain.number for domain in exam.domains}
    need: dict[str, int] = {}
    for blueprint in exam.blueprints:
        ordered = sorted(blueprint.weights, key=lambda line: number[line.domain])
        shares = allocate([(i, line.weight) for i, line in enumerate(ordered)], blueprint.question_count)
        for i, line in enumerate(ordered):
            need[line.domain] = max(need.get(line.domain, 0), exam.targets.unseen_mocks * shares[i])
    return need


def _concepts(questions: Sequence[DraftQuestion], exam: ExamFile) -> Iterator[Problem]:
    if not exam.targets.concepts:
        return
    used = {key for question in questions for key in question.concepts}
    if len(used) < exam.targets.concepts:
        yield CONCEPTS.problem("targets.concepts", f"{len(used)} concepts; the target is {exam.targets.concepts}")
    bare = [key for domain in exam.domains for key, _ in domain.concepts if key not in used]
    if bare:
        yield CONCEPTS.problem("targets.concepts", f"no question on {', '.join(bare)}")


def _stems(questions: Sequence[DraftQuestion], exam: ExamFile) -> Iterator[Problem]:
    if exam.targets.stem_words and questions:
        low, high = exam.targets.stem_words
        found = stem_median(questions)
        if not low <= found <= high:
            yield STEM_MEDIAN.problem("targets.stem_words", f"median {found:g} words; the target is {low} to {high}")


def _families(questions: Sequence[DraftQuestion], exam: ExamFile) -> Iterator[Problem]:
    yield from lint_family_shares(questions, exam.targets)


CHECKS: tuple[Check, ...] = (_longest, _positions, _difficulty, _multiple, _counts, _concepts, _stems, _families)
