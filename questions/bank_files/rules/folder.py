"""An exam's folder of bank files, read as a whole: the exam, its questions with their lines, its modules; pure."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from questions.bank_files.rules.file import FileProblem, FileQuestion, format_problem, read_bank_file, read_whole
from questions.bank_files.rules.judged import CUEING_FILE, read_judged
from questions.bank_files.rules.outlines import read_outlines
from questions.catalogue.rules.exam_file import ExamFile, exam_from
from questions.catalogue.rules.glossary import Glossary, read_glossary
from questions.catalogue.rules.outline_file import Outline
from questions.catalogue.rules.retired_file import RETIRED_FILE, fault_of, read_retired
from questions.catalogue.rules.yaml_fields import BadField, BadYaml, read_yaml
from questions.lint.rules import MODULE, REFUSE, RULES, Known, Problem
from questions.lint.rules.prose import dead_links
from questions.lint.rules.wording import FENCED
from questions.modules.rules.file import Bank, read_module_file, sections_of, slug_of
from questions.versions.material.pictures.rules.encode import BadPicture, Encoded, check
from questions.versions.rules.draft import DraftQuestion

EXAM_FILE = "exam.yaml"
PICTURES = "pictures"
T = TypeVar("T")


@dataclass
class ExamFolder:
    """What was read, and every problem found while reading."""

    path: Path
    exam: ExamFile | None = None
    lines: dict[str, int] = field(default_factory=dict)
    rows: list[tuple[Path, FileQuestion]] = field(default_factory=list)
    modules: list[Path] = field(default_factory=list)
    glossary: Glossary = field(default_factory=dict)
    outlines: list[Outline] = field(default_factory=list)
    judged: set[tuple[str, str]] = field(default_factory=set)  # pairs reviewed as not cueing each other
    problems: list[FileProblem] = field(default_factory=list)

    @property
    def questions(self) -> list[DraftQuestion]:
        """The questions that could be read, in file order."""
        return [row.draft for _, row in self.rows]

    @property
    def current_outline(self) -> Outline | None:
        """The current exam guide's outline; None without a file."""
        current = {line.key for line in self.exam.blueprints if line.current} if self.exam else set()
        return next((each for each in self.outlines if each.blueprint in current), None)

    def exam_problem(self, problem: Problem) -> FileProblem:
        """A finding on the exam or its whole bank, at the relevant line of ``exam.yaml``."""
        line = self.lines.get(problem.field) or self.lines.get("targets") or 1
        return FileProblem(self.path / EXAM_FILE, line, "", problem)


def exam_folders(path: Path) -> list[Path]:
    """The exam folders a path refers to: itself, those in it, or the closest one containing it."""
    if (path / EXAM_FILE).is_file():
        return [path]
    within = sorted(each.parent for each in path.glob(f"*/{EXAM_FILE}"))
    around = (each for start in (path, path.resolve()) for each in start.parents if (each / EXAM_FILE).is_file())
    return within or [each for each in [next(around, None)] if each]


def read_exam_file(folder: Path) -> ExamFolder:
    """The exam without its questions."""
    found = ExamFolder(folder)
    try:
        value, found.lines = read_yaml((folder / EXAM_FILE).read_text(encoding="utf-8"))
        found.exam = exam_from(value)
    except BadYaml as error:
        found.problems.append(format_problem(folder / EXAM_FILE, error.line, "file", error.reason))
    except UnicodeDecodeError:
        found.problems.append(format_problem(folder / EXAM_FILE, 1, "file", "is not UTF-8"))
    except BadField as error:
        line = found.lines.get(error.path, 1)
        found.problems.append(format_problem(folder / EXAM_FILE, line, error.path or "exam", error.reason))
    return found


def read_questions(folder: Path, glossary: Glossary | None = None) -> list[tuple[Path, FileQuestion]]:
    """The readable questions of an exam, unchecked: checking would take ten times as long."""
    glossary = read_glossary(folder.parent / "glossary.yaml") if glossary is None else glossary
    paths = sorted((folder / "questions").glob("*.yaml"))
    return [(path, row) for path in paths for row in read_bank_file(path, glossary, known=None)[0]]


def read_unchecked(folder: Path) -> ExamFolder:
    """The exam with its readable questions and modules, for figures."""
    found = read_exam_file(folder)
    found.glossary = read_glossary(folder.parent / "glossary.yaml")
    found.modules = module_files(folder)
    found.rows = read_questions(folder, found.glossary)
    found.judged = _beside(found, CUEING_FILE, read_judged) or set()
    return found


def module_files(folder: Path) -> list[Path]:
    return sorted((folder / "modules").glob("*.md"))


def read_pictures(folder: Path) -> tuple[list[Encoded], list[FileProblem]]:
    """The pictures next to the questions, and those that don't match their name."""
    pictures: list[Encoded] = []
    problems: list[FileProblem] = []
    for path in sorted((folder / PICTURES).glob("*.*")):
        content = path.read_bytes()
        try:
            check(path.name, content)
        except BadPicture as refusal:
            problems.append(format_problem(path, 1, "file", str(refusal)))
        else:
            pictures.append(Encoded(path.name, content))
    return pictures, problems


def read_exam_folder(
    folder: Path, others: Sequence[ExamFile] = (), extra: Sequence[Path] = (), checked: Path | None = None
) -> ExamFolder:
    """The exam with its questions and modules, each question under ``checked``, or each at all, checked on its own.

    ``others`` are the exams next to it; ``extra`` are question files outside its folder of questions.
    """
    found = read_exam_file(folder)
    found.glossary = glossary = read_glossary(folder.parent / "glossary.yaml")
    found.modules = module_files(folder)
    pictures, faults = read_pictures(folder)
    found.problems += faults
    known = dataclasses.replace(_known(found, others, glossary), pictures={each.name for each in pictures})
    questions = sorted((folder / "questions").glob("*.yaml"))
    for path in [*questions, *(path for path in extra if path not in questions)]:
        is_checked = checked is None or path.is_relative_to(checked)
        rows, problems = read_bank_file(path, glossary, known if is_checked else None)
        found.rows += [(path, row) for row in rows]
        found.problems += problems
    found.problems += _module_problems(found, known)
    found.judged = _beside(found, CUEING_FILE, read_judged) or set()
    retired = _beside(found, RETIRED_FILE, read_retired) or []
    asked = {question.key for question in found.questions}
    found.problems += [
        format_problem(folder / RETIRED_FILE, 1, "retired", fault)
        for each in retired
        if (fault := fault_of(each, asked, asked))
    ]
    return found


def _beside(found: ExamFolder, name: str, read: Callable[[Path], T]) -> T | None:
    """The contents of a file next to the questions; None, and a problem of the folder, if it can't be read."""
    said = read_whole(found.path / name, read)
    if isinstance(said, FileProblem):
        found.problems.append(said)
        return None
    return said


def _known(found: ExamFolder, others: Sequence[ExamFile], glossary: Glossary) -> Known:
    if not found.exam:
        return Known(glossary=glossary)
    domains = found.exam.domains
    names = {
        "domain": {domain.key for domain in domains},
        "concepts": {key for domain in domains for key, _ in domain.concepts},
        "modules": {slug_of(path) for path in found.modules},
        "sections": set[str]().union(*(sections_of(path, glossary) for path in found.modules)),
        "objectives": _objectives(found, found.exam),
    }
    return Known(found.exam, tuple(o for o in others if o.slug != found.exam.slug), glossary, names)


def _objectives(found: ExamFolder, exam: ExamFile) -> set[str]:
    """The numbers in every outline; an unusable outline is a problem of the folder."""
    for each in read_outlines(found.path, exam):
        if isinstance(each, FileProblem):
            found.problems.append(each)
        else:
            found.outlines.append(each)
    return {number for outline in found.outlines for number in outline.numbers}


def _module_problems(found: ExamFolder, known: Known) -> Iterator[FileProblem]:
    domains = {domain.key for domain in found.exam.domains} if found.exam else set()
    bank = Bank(domains, {question.key: question for question in found.questions})
    for path in found.modules:
        _, faults = read_module_file(path, known.glossary, bank)
        for each in faults:
            problem = Problem(MODULE.id, each.fault.severity, "module", each.fault.reason)
            yield FileProblem(each.path, each.fault.line, "", problem)
        if not any(each.fault.severity == REFUSE for each in faults):
            yield from _module_links(path, known)


def _module_links(path: Path, known: Known) -> Iterator[FileProblem]:
    """A module's broken links, each with its line."""
    text = FENCED.sub(lambda code: "\n" * code.group().count("\n"), path.read_text(encoding="utf-8"))
    for line, prose in enumerate(text.splitlines(), 1):
        for reason in dead_links(prose, known):
            yield FileProblem(path, line, "", RULES["link"].problem("module", reason))
