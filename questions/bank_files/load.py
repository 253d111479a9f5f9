"""Loading the bank: files become drafts and published versions, all or nothing per file."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from django.core.exceptions import ValidationError
from django.db import transaction

from questions.bank_files.errors import BankRefused
from questions.bank_files.retire import retire_listed
from questions.bank_files.rules.across import at_their_lines, ids_and_names
from questions.bank_files.rules.file import FileProblem, FileQuestion, read_bank_file
from questions.bank_files.rules.folder import read_pictures
from questions.bank_files.rules.outlines import read_outlines
from questions.bank_files.store_readings import store_readings
from questions.catalogue.glossary import store_glossary
from questions.catalogue.models import (
    Blueprint,
    BlueprintDomain,
    Concept,
    Domain,
    Exam,
    refuse_reserved_slug,
)
from questions.catalogue.outlines import store_outline
from questions.catalogue.rules.exam_file import ExamFile, exam_from
from questions.catalogue.rules.glossary import Glossary, read_glossary_file
from questions.catalogue.rules.yaml_fields import BadField, BadYaml, read_yaml
from questions.desk.publish import Publishing, publish, publish_draft, publish_new
from questions.lint.reads import known_names
from questions.lint.rules import REFUSE, Known, lint_families, repeated_sentences
from questions.modules.load import load_modules
from questions.modules.rules.file import Bank
from questions.modules.rules.load_report import LoadReport
from questions.versions.material.pictures.models import Picture
from questions.versions.material.pictures.store import keep as keep_pictures
from questions.versions.models.drafts import Question
from questions.versions.models.versions import Change
from questions.versions.reads.drafts import canonical, digest, draft_of, with_draft
from questions.versions.rules.draft import DraftQuestion
from questions.versions.rules.family import shared_of, with_shared
from questions.versions.save import save_draft
from questions.versions.search.index import index_concepts

LOADED = "Loaded from the bank's files."  # the changelog entry if the file gives no reason


@dataclass(frozen=True)
class Site:
    """The exam's bank on the site before a load."""

    exam: Exam
    questions: dict[str, Question]
    drafts: dict[str, DraftQuestion]

    @classmethod
    def of(cls, exam: Exam) -> Site:
        """Read all drafts of the exam, in a constant number of queries."""
        questions = {q.key: q for q in with_draft(Question.objects.filter(exam=exam))}
        return cls(exam, questions, {key: draft_of(q) for key, q in questions.items()})

    def loaded(self, key: str) -> str:
        """The digest of what was loaded last; "" if it never was."""
        question = self.questions.get(key)
        return question.loaded_digest if question else ""

    def lacks(self, unit: list[FileQuestion]) -> bool:
        """Whether neither any of the questions nor their family is there."""
        family = unit[0].draft.family
        return not any(row.draft.key in self.questions for row in unit) and not (
            family and any(stored.family == family for stored in self.drafts.values())
        )

    def edited(self, key: str, fresh: str) -> bool:
        """Whether somebody has edited the question on the site: its text is neither what was loaded nor ``fresh``."""
        stored = self.drafts.get(key)
        return stored is not None and digest(stored) not in (self.loaded(key), fresh)


def load_bank(path: Path, now: dt.datetime, take: str = "", report: LoadReport | None = None) -> LoadReport:
    """Load every exam folder under ``path`` (or ``path`` itself).

    ``take`` settles conflicts with edits made on the site: "file" overwrites them, "site" keeps them for good, ""
    leaves them alone and reports them. ``report`` is called with progress, if given. Raises BankRefused if ``path``
    contains no exam.
    """
    folders = [path] if (path / "exam.yaml").exists() else sorted(p.parent for p in path.glob("*/exam.yaml"))
    if not folders:
        raise BankRefused([f"{path}: holds no exam.yaml"])
    report = report or LoadReport()
    for folder in folders:
        dated = read_glossary_file(folder.parent / "glossary.yaml")
        glossary = dated.terms
        store_glossary(dated)
        try:
            parsed = _read_exam(folder / "exam.yaml")
        except BankRefused as refusal:
            report.refused += refusal.findings
            continue
        exam = _store_exam(parsed)
        _load_outlines(exam, parsed, folder, report)
        _load_questions(exam, folder, glossary, now, take, report)
    return report


def load_exam(path: Path) -> Exam:
    """Store ``exam.yaml``; raises BankRefused with file, line, field and reason."""
    return _store_exam(_read_exam(path))


def _read_exam(path: Path) -> ExamFile:
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
    return parsed


@transaction.atomic
def _store_exam(parsed: ExamFile) -> Exam:
    facts = {name: getattr(parsed, name) for name in ("code", "name", "vendor", "summary", "guide_url")}
    facts["retake_days"] = list(parsed.retake_days)
    exam, _ = Exam.objects.update_or_create(slug=parsed.slug, defaults=facts)
    # Only a suggestion: exam files don't know about each other, so a place set by the operator stays.
    Exam.objects.filter(pk=exam.pk, place=None).update(place=parsed.place)
    domains = {}
    for line in parsed.domains:
        domains[line.key], _ = Domain.objects.update_or_create(
            exam=exam, key=line.key, defaults={"number": line.number}
        )
        for key, name in line.concepts:
            Concept.objects.update_or_create(domain=domains[line.key], key=key, defaults={"name": name})
    index_concepts(Concept.objects.filter(domain__exam=exam))
    # All of them first: the database allows one current guide, and the order of the file must not matter.
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


def _load_outlines(exam: Exam, parsed: ExamFile, folder: Path, report: LoadReport) -> None:
    for found in read_outlines(folder, parsed):
        if isinstance(found, FileProblem):
            report.refused.append(str(found))
        elif (done := store_outline(exam, found)) != "unchanged":
            report.counts[f"outlines {done}"] += 1


def _load_questions(
    exam: Exam, folder: Path, glossary: Glossary, now: dt.datetime, take: str, report: LoadReport
) -> None:
    site = Site.of(exam)
    files: dict[Path, list[FileQuestion]] = {}
    problems: list[FileProblem] = []
    paths = sorted((folder / "questions").glob("*.yaml"))
    known, faults = _with_pictures(folder)
    report.refused += [str(fault) for fault in faults]
    for place, path in enumerate(paths, 1):
        files[path], found = read_bank_file(path, glossary, known, REFUSE)
        problems += found
        report.told(place, 2 * len(paths))
    # Before the questions, which may name sections of modules; so their own references are checked against the files,
    # not the rows.
    load_modules(exam, folder / "modules", glossary, _bank(site, files), now, report)
    problems += _across_files(site, files)
    report.refused += [str(problem) for problem in problems]
    refused_paths = {problem.path for problem in problems}
    for place, (path, rows) in enumerate(files.items(), 1):
        if path not in refused_paths:
            with transaction.atomic():
                _load_file(site, path, rows, now, take, report)
        report.told(len(paths) + place, 2 * len(paths))
    in_files = {row.draft.key for rows in files.values() for row in rows}
    # Only a completely read bank says what is gone: a refused file's questions aren't gone.
    if not refused_paths:
        retire_listed(exam, folder, in_files, now, report)
        store_readings(exam, folder, report)
        report.gone += _gone(exam, in_files)


def _with_pictures(folder: Path) -> tuple[Known, list[FileProblem]]:
    """Store the pictures next to the questions; returns those stored, and those that don't match their name."""
    pictures, faults = read_pictures(folder)
    keep_pictures(pictures)
    return Known(pictures=set(Picture.objects.values_list("name", flat=True))), faults


def _gone(exam: Exam, in_files: set[str]) -> list[str]:
    """Questions that were loaded once, are no longer in the files, and are still in use."""
    loaded = Question.objects.filter(exam=exam, retired_at=None).exclude(loaded_digest="")
    return sorted(set(loaded.values_list("key", flat=True)) - in_files)


def _bank(site: Site, files: dict[Path, list[FileQuestion]]) -> Bank:
    """What study modules may refer to. They are stored before the questions, which may refer to them."""
    drafts = site.drafts | {row.draft.key: row.draft for rows in files.values() for row in rows}
    return Bank(set(site.exam.domains.values_list("key", flat=True)), drafts)


def _across_files(site: Site, files: dict[Path, list[FileQuestion]]) -> list[FileProblem]:
    """Findings that need the other files and the site: repeated ids and sentences, unknown names."""
    rows = [(path, row) for path, rows_of_file in files.items() for row in rows_of_file]
    keys = {row.draft.key for _, row in rows}
    elsewhere = [draft for key, draft in site.drafts.items() if key not in keys]
    drafts = [row.draft for _, row in rows]
    beside = chain(repeated_sentences([*elsewhere, *drafts]), lint_families(drafts))
    found = (each for each in beside if each[1].severity == REFUSE)
    return list(at_their_lines(rows, chain(ids_and_names(rows, known_names(site.exam).names), found)))


def _units(rows: list[FileQuestion]) -> list[list[FileQuestion]]:
    units: dict[tuple[str, str], list[FileQuestion]] = {}
    for row in rows:
        units.setdefault(row.draft.unit, []).append(row)
    return list(units.values())


def _load_file(
    site: Site, path: Path, rows: list[FileQuestion], now: dt.datetime, take: str, report: LoadReport
) -> None:
    """Load a file; questions that the site lacks are stored together, since a first load has two thousand of them."""
    new: list[list[FileQuestion]] = []
    known: list[list[FileQuestion]] = []
    for unit in _units(rows):
        (new if site.lacks(unit) else known).append(unit)
    _load_new(site.exam, new, now, report)
    for unit in known:
        _load_unit(site, unit, path, now, take, report)


def _load_new(exam: Exam, units: list[list[FileQuestion]], now: dt.datetime, report: LoadReport) -> None:
    pairs = []
    for unit in units:
        for place, row in enumerate(unit):
            draft = canonical(row.draft)
            pairs.append((Question(exam=exam, key=draft.key, place=place, loaded_digest=digest(draft)), draft))
    if pairs:
        publish_new(exam, pairs, now, LOADED)
        report.counts["new"] += len(pairs)


def _load_unit(
    site: Site, rows: list[FileQuestion], path: Path, now: dt.datetime, take: str, report: LoadReport
) -> None:
    """Load a question or a whole family; if any of it was edited on the site since, all of it is one conflict."""
    pairs = [(canonical(row.draft), digest(row.draft)) for row in rows]
    fresh = all(site.loaded(draft.key) == mark for draft, mark in pairs)
    edited = any(site.edited(draft.key, mark) for draft, mark in pairs)
    # By the digest of the file, not by its date: a checkout touches every file, and most loads change a handful.
    if fresh and not (edited and take == "file"):
        report.counts["edited on the site" if edited else "unchanged"] += len(rows)
    elif edited and take == "site":
        for draft, mark in pairs:
            if draft.key in site.questions:
                _remember(site.questions[draft.key], mark)
        report.counts["kept as on the site"] += len(rows)
    elif edited and take != "file":
        draft = rows[0].draft
        name = draft.family or draft.key
        report.conflicts.append(f"{path}:{rows[0].line('id')}: {name}: edited on the site and in the file")
    else:
        for place, (row, (draft, mark)) in enumerate(zip(rows, pairs, strict=True)):
            report.counts[_store(site, draft, mark, place, now, row.changed)] += 1
        _carry_along(site, pairs[0][0], {draft.key for draft, _ in pairs}, now)


def _store(site: Site, draft: DraftQuestion, mark: str, place: int, now: dt.datetime, why: str) -> str:
    """Publish the file's text on the site; returns the outcome. ``why`` is for the changelog."""
    question, stored = site.questions.get(draft.key), site.drafts.get(draft.key)
    if question is None:
        question = save_draft(site.exam, draft, Question(exam=site.exam, key=draft.key, place=place))
        _publish_loaded(question, draft, mark, Change.FIRST, now)
        return "new"
    question.place = place
    if stored == draft and question.loaded_digest == mark:
        question.save(update_fields=["place"])
        return "unchanged"
    save_draft(site.exam, draft, question)
    _publish_loaded(question, draft, mark, _change(stored, draft), now, why)
    return "changed"


def _carry_along(site: Site, written: DraftQuestion, in_file: set[str], now: dt.datetime) -> None:
    """Siblings no longer in the file stay, with their family's current shared text."""
    if not written.family:
        return
    shared = shared_of(written)
    for key, stored in site.drafts.items():
        draft = with_shared(stored, shared)
        if stored.family == written.family and key not in in_file and draft != stored:
            question = save_draft(site.exam, draft, site.questions[key])
            if question.live_version_id and not question.retired_at:
                publish(question, now, _change(stored, draft), LOADED)


def _publish_loaded(
    question: Question, draft: DraftQuestion, fresh: str, change: Change, now: dt.datetime, why: str = ""
) -> None:
    """``draft`` is canonical and has just been stored: equal to reading it from the rows, with six fewer queries.

    Reading its file has checked it; a file with a refused question isn't loaded at all.
    """
    publish_draft(question, draft, now, Publishing(change, why or LOADED), None, known=None)
    _remember(question, fresh)


def _remember(question: Question, fresh: str) -> None:
    question.loaded_digest = fresh
    question.save(update_fields=["loaded_digest"])


def _change(before: DraftQuestion | None, after: DraftQuestion) -> Change:
    """A new key changes the key; new words in the prompt may change its meaning; everything else is wording."""
    if before is None or before.right_slots != after.right_slots:
        return Change.KEY
    return Change.TYPO if before.prompt == after.prompt else Change.SEMANTIC
