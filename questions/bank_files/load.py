"""Loading the bank: files become drafts and published versions, all or nothing per file."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from django.core.exceptions import ValidationError
from django.db import transaction

from questions.bank_files.errors import BankRefused
from questions.bank_files.rules.across import at_their_lines, ids_and_names
from questions.bank_files.rules.file import FileProblem, FileQuestion, read_bank_file
from questions.catalogue.models import (
    Blueprint,
    BlueprintDomain,
    Concept,
    Domain,
    Exam,
    refuse_reserved_slug,
)
from questions.catalogue.rules.exam_file import ExamFile, exam_from
from questions.catalogue.rules.glossary import Glossary, read_glossary
from questions.catalogue.rules.yaml_fields import BadField, BadYaml, read_yaml
from questions.desk.publish import publish
from questions.lint.reads import known_names
from questions.lint.rules import REFUSE, repeated_sentences
from questions.modules.load import load_modules
from questions.modules.rules.file import Bank
from questions.modules.rules.load_report import LoadReport
from questions.versions.models.drafts import Question
from questions.versions.models.versions import Change
from questions.versions.reads.drafts import canonical, digest, draft_of, with_draft
from questions.versions.rules.draft import DraftQuestion
from questions.versions.save import save_draft


@dataclass(frozen=True)
class Site:
    """What of the exam's bank stands on the site before a load."""

    exam: Exam
    questions: dict[str, Question]
    drafts: dict[str, DraftQuestion]

    @classmethod
    def of(cls, exam: Exam) -> Site:
        """Read all drafts of the exam in a constant number of statements."""
        questions = {q.key: q for q in with_draft(Question.objects.filter(exam=exam))}
        return cls(exam, questions, {key: draft_of(q) for key, q in questions.items()})


def load_bank(path: Path, now: dt.datetime, take: str = "") -> LoadReport:
    """Load every exam folder under ``path`` (or ``path`` itself).

    ``take`` settles conflicts with edits made on the site: "file" overwrites them, "site" keeps them for good,
    "" leaves them alone and reports them. Raises BankRefused when ``path`` holds no exam at all.
    """
    folders = [path] if (path / "exam.yaml").exists() else sorted(p.parent for p in path.glob("*/exam.yaml"))
    if not folders:
        raise BankRefused([f"{path}: holds no exam.yaml"])
    report = LoadReport()
    for folder in folders:
        glossary = read_glossary(folder.parent / "glossary.yaml")
        try:
            exam = load_exam(folder / "exam.yaml")
        except BankRefused as refusal:
            report.refused += refusal.findings
            continue
        _load_questions(exam, folder, glossary, now, take, report)
    return report


def load_exam(path: Path) -> Exam:
    """Store ``exam.yaml``; raises BankRefused with file, line, field and reason."""
    try:
        value, lines = read_yaml(path.read_text(encoding="utf-8"))
    except BadYaml as error:
        raise BankRefused([f"{path}:{error.line}: file: {error.reason}"]) from error
    try:
        parsed = exam_from(value)
        refuse_reserved_slug(parsed.slug)
    except BadField as error:
        line = lines.get(error.path, 1)
        raise BankRefused([f"{path}:{line}: {error.path}: {error.reason}"]) from error
    except ValidationError as error:
        raise BankRefused([f"{path}:{lines['slug']}: slug: {error.message}"]) from error
    with transaction.atomic():
        return _store_exam(parsed)


def _store_exam(parsed: ExamFile) -> Exam:
    facts = {name: getattr(parsed, name) for name in ("code", "name", "vendor", "summary", "guide_url")}
    facts["retake_days"] = list(parsed.retake_days)
    exam, _ = Exam.objects.update_or_create(slug=parsed.slug, defaults=facts)
    # A proposal: the files of two exams know nothing of each other, so the place an operator gave stays.
    Exam.objects.filter(pk=exam.pk, place=None).update(place=parsed.place)
    domains = {}
    for line in parsed.domains:
        domains[line.key], _ = Domain.objects.update_or_create(
            exam=exam, key=line.key, defaults={"number": line.number}
        )
        for key, name in line.concepts:
            Concept.objects.update_or_create(domain=domains[line.key], key=key, defaults={"name": name})
    exam.blueprints.update(is_current=False)
    for guide in parsed.blueprints:
        names = ("name", "effective_from", "question_count", "minutes", "pass_mark")
        defaults = {name: getattr(guide, name) for name in names} | {"is_current": guide.current}
        blueprint, _ = Blueprint.objects.update_or_create(exam=exam, key=guide.key, defaults=defaults)
        for weight in guide.weights:
            BlueprintDomain.objects.update_or_create(
                blueprint=blueprint,
                domain=domains[weight.domain],
                defaults={"name": weight.name, "weight": weight.weight},
            )
    return exam


def _load_questions(
    exam: Exam, folder: Path, glossary: Glossary, now: dt.datetime, take: str, report: LoadReport
) -> None:
    site = Site.of(exam)
    files: dict[Path, list[FileQuestion]] = {}
    problems: list[FileProblem] = []
    for path in sorted((folder / "questions").glob("*.yaml")):
        files[path], found = read_bank_file(path, glossary, severity=REFUSE)
        problems += found
    load_modules(exam, folder / "modules", glossary, _bank(site, files), now, report)
    problems += _across_files(site, files)
    report.refused += [str(problem) for problem in problems]
    refused_paths = {problem.path for problem in problems}
    for path, rows in files.items():
        if path not in refused_paths:
            with transaction.atomic():
                for row in rows:
                    _load_one(site, row, path, now, take, report)
    in_files = {row.draft.key for rows in files.values() for row in rows}
    if not refused_paths:
        report.gone += sorted(k for k, q in site.questions.items() if q.loaded_digest and k not in in_files)


def _bank(site: Site, files: dict[Path, list[FileQuestion]]) -> Bank:
    """What study modules may name. They are stored before the questions, which may name them."""
    drafts = site.drafts | {row.draft.key: row.draft for rows in files.values() for row in rows}
    return Bank(set(site.exam.domains.values_list("key", flat=True)), drafts)


def _across_files(site: Site, files: dict[Path, list[FileQuestion]]) -> list[FileProblem]:
    """What only shows beside the other files and the site: repeated ids and sentences, unknown names."""
    rows = [(path, row) for path, rows_of_file in files.items() for row in rows_of_file]
    keys = {row.draft.key for _, row in rows}
    elsewhere = [draft for key, draft in site.drafts.items() if key not in keys]
    repeated = repeated_sentences([*elsewhere, *(row.draft for _, row in rows)])
    return list(at_their_lines(rows, chain(ids_and_names(rows, known_names(site.exam).names), repeated)))


def _load_one(site: Site, row: FileQuestion, path: Path, now: dt.datetime, take: str, report: LoadReport) -> None:
    draft = canonical(row.draft)
    question, stored = site.questions.get(draft.key), site.drafts.get(draft.key)
    fresh = digest(draft)
    if question is None:
        question = save_draft(site.exam, draft, None)
        _publish_loaded(question, fresh, Change.FIRST, now)
        report.counts["new"] += 1
        return
    edited = stored is not None and digest(stored) not in (question.loaded_digest, fresh)
    if fresh == question.loaded_digest and not (edited and take == "file"):
        report.counts["edited on the site" if edited else "unchanged"] += 1
    elif edited and take == "site":
        _remember(question, fresh)
        report.counts["kept as on the site"] += 1
    elif edited and take != "file":
        report.conflicts.append(f"{path}:{row.line('id')}: {draft.key}: edited on the site and in the file")
    else:
        save_draft(site.exam, draft, question)
        _publish_loaded(question, fresh, _change(stored, draft), now)
        report.counts["changed"] += 1


def _publish_loaded(question: Question, fresh: str, change: Change, now: dt.datetime) -> None:
    publish(question, now, change, "Loaded from the bank's files.")
    _remember(question, fresh)


def _remember(question: Question, fresh: str) -> None:
    question.loaded_digest = fresh
    question.save(update_fields=["loaded_digest"])


def _change(before: DraftQuestion | None, after: DraftQuestion) -> Change:
    """A new key is a change of key; new words in the prompt may change its meaning; the rest is wording."""
    if before is None or before.right_slots != after.right_slots:
        return Change.KEY
    asked = [(d.stem, [(o.slot, o.text) for o in d.options]) for d in (before, after)]
    return Change.TYPO if asked[0] == asked[1] else Change.SEMANTIC
