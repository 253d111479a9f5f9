"""Everything ``manage.py lint_bank`` finds under a path, with what is waived and the banks' figures; pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

from questions.bank_files.rules.across import Row, at_their_lines, ids_and_names
from questions.bank_files.rules.file import FileProblem, read_bank_file
from questions.bank_files.rules.folder import EXAM_FILE, ExamFolder, exam_folders, read_exam_file, read_exam_folder
from questions.catalogue.rules.glossary import Glossary, UnknownTerm, expand, read_glossary
from questions.lint.rules import (
    RULES,
    STALE_WAIVER,
    WARN,
    ModuleSentence,
    Problem,
    cueing_suspects,
    lint_bank,
    lint_families,
    lint_outline,
    near_duplicates,
    repeated_sentences,
)
from questions.lint.rules.bank.cueing import Teller
from questions.modules.rules.file import slug_of
from questions.modules.rules.text import sentences_of


@dataclass(frozen=True)
class Waiver:
    """A warning that somebody accepted, and why."""

    path: Path
    line: int
    question: str
    rule: str
    reason: str
    findings: tuple[FileProblem, ...]


@dataclass
class BankReport:
    """Open findings, those waived or allowed by a target, and the figures of every completely checked bank."""

    findings: list[FileProblem] = field(default_factory=list)
    waivers: list[Waiver] = field(default_factory=list)
    allowed: list[FileProblem] = field(default_factory=list)
    whole: list[ExamFolder] = field(default_factory=list)
    questions: int = 0
    modules: int = 0

    def count(self, severity: str) -> int:
        """The number of open findings with a severity."""
        return sum(each.problem.severity == severity for each in self.findings)

    def by_rule(self) -> Counter[str]:
        """The number of open findings per rule."""
        return Counter(each.problem.rule for each in self.findings)


Elsewhere = Callable[[ExamFolder], Iterable[FileProblem]]


def check_path(path: Path, elsewhere: Elsewhere | None = None) -> BankReport:
    """Check every exam under a path, or the single file or folder within an exam that the path names.

    Neighbouring files are read too, since sentences must not repeat; only what is under the path is reported.
    ``elsewhere`` finds problems in other rooms' files for an exam.
    """
    report = BankReport()
    folders = exam_folders(path)
    if not folders:
        _one_file(path, report)
        return report
    beside = {each for folder in folders for each in folder.parent.glob(f"*/{EXAM_FILE}")}
    others = [found.exam for each in sorted(beside) if (found := read_exam_file(each.parent)).exam]
    for place in folders:
        inside = path if path == place or path in place.parents or place in path.parents else path.resolve()
        extra = [inside] if inside.suffix == ".yaml" and inside.name != EXAM_FILE else []
        folder = read_exam_folder(place, others, extra, inside)
        _report(folder, inside, report, elsewhere(folder) if elsewhere else ())
    return report


def _one_file(path: Path, report: BankReport) -> None:
    """A question file outside any exam: its questions are checked on their own."""
    folder = ExamFolder(path.parent)
    around = (each / "glossary.yaml" for each in path.resolve().parents)
    glossary = next((read_glossary(each) for each in around if each.exists()), {})
    rows, folder.problems = read_bank_file(path, glossary)
    folder.rows = [(path, row) for row in rows]
    _report(folder, path, report)


def _report(folder: ExamFolder, path: Path, report: BankReport, more: Iterable[FileProblem] = ()) -> None:
    problems = [*folder.problems, *_across(folder), *more]
    whole = folder.path == path or path in folder.path.parents
    if whole and folder.exam:
        problems += map(folder.exam_problem, lint_bank(folder.questions, folder.exam, folder.glossary))
        found_on_guide = lint_outline(folder.questions, folder.exam.targets, folder.current_outline)
        problems += map(folder.exam_problem, found_on_guide)
        report.whole.append(folder)
    rows = [(file, row) for file, row in folder.rows if file.is_relative_to(path)]
    waivers = list(_waivers(rows, problems))
    waived = {id(each) for waiver in waivers for each in waiver.findings}
    inside = {each for each in {problem.path for problem in problems} if each.is_relative_to(path)}
    found = [each for each in problems if each.path in inside and id(each) not in waived]
    found += [_stale(waiver) for waiver in waivers if not waiver.findings]
    allowed = _allowed(found, folder) if whole else []
    report.allowed += allowed
    found = [each for each in found if each not in allowed]
    report.findings += sorted(found, key=lambda each: (str(each.path), each.line))
    report.waivers += [waiver for waiver in waivers if waiver.findings]
    report.questions += len(rows)
    report.modules += sum(file.is_relative_to(path) for file in folder.modules)


def _allowed(found: list[FileProblem], folder: ExamFolder) -> list[FileProblem]:
    """Warnings allowed by the exam's targets: all of a rule's, or none if there are more than allowed."""
    allowed = folder.exam.targets.allowed if folder.exam else {}
    count = Counter(each.problem.rule for each in found)
    return [
        each
        for each in found
        if each.problem.severity == WARN and count[each.problem.rule] <= allowed.get(each.problem.rule, 0)
    ]


def _across(folder: ExamFolder) -> Iterator[FileProblem]:
    """Findings that need the exam's other questions."""
    rows = folder.rows
    drafts = [row.draft for _, row in rows]
    suspects = cue_pairs(folder)
    found = chain(
        ids_and_names(rows),
        repeated_sentences(drafts),
        near_duplicates(drafts),
        lint_families(drafts),
        ((each, problem) for each, problem in suspects if not isinstance(each, ModuleSentence)),
    )
    yield from at_their_lines(rows, found)
    modules = _modules(folder)
    for each, problem in suspects:
        if isinstance(each, ModuleSentence):
            yield FileProblem(modules[each.key], each.line, "", problem)


def cue_pairs(folder: ExamFolder) -> list[tuple[Teller, Problem]]:
    """The texts that may give away a question's key, except pairs judged harmless."""
    sentences = _sentences(_modules(folder), folder.glossary)
    return list(cueing_suspects(folder.questions, folder.judged, sentences))


def _modules(folder: ExamFolder) -> dict[str, Path]:
    return {f"modules/{slug_of(path)}": path for path in folder.modules}


def _sentences(modules: Mapping[str, Path], glossary: Glossary) -> Iterator[ModuleSentence]:
    """The study modules' sentences, with product names filled in; unreadable modules are reported elsewhere."""
    for key, path in modules.items():
        try:
            said = [(line, expand(each, glossary)) for line, each in sentences_of(path.read_text(encoding="utf-8"))]
        except (UnicodeDecodeError, UnknownTerm):
            continue
        yield from (ModuleSentence(key, line, sentence) for line, sentence in said)


def _waivers(rows: list[Row], problems: list[FileProblem]) -> Iterator[Waiver]:
    """Every waiver with the warnings it silences; refusals can't be waived."""
    by_place: dict[tuple[Path, str, str], list[FileProblem]] = {}
    for each in problems:
        if each.problem.severity == WARN:
            by_place.setdefault((each.path, each.question, each.problem.rule), []).append(each)
    for path, row in rows:
        for rule, reason in row.waive.items():
            hits = tuple(by_place.get((path, row.draft.key, rule), ()))
            yield Waiver(path, row.line(f"waive.{rule}"), row.draft.key, rule, reason, hits)


def _stale(waiver: Waiver) -> FileProblem:
    rule = RULES.get(waiver.rule)
    if rule is None:
        message = f"“{waiver.rule}” is not a rule"
    elif rule.severity != WARN:
        message = f"“{waiver.rule}” refuses, and cannot be waived"
    else:
        message = f"“{waiver.rule}” finds nothing here any more"
    problem: Problem = STALE_WAIVER.problem(f"waive.{waiver.rule}", message)
    return FileProblem(waiver.path, waiver.line, waiver.question, problem)
