"""Retiring questions that an exam's files no longer ask, with the reason and the successor."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection
from pathlib import Path

from django.db import transaction

from questions.bank_files.rules.file import FileProblem, read_whole
from questions.catalogue.models import Exam
from questions.catalogue.rules.retired_file import RETIRED_FILE, fault_of, read_retired
from questions.desk.decide import retire
from questions.desk.models import DeskAct, DeskEntry
from questions.modules.rules.load_report import LoadReport
from questions.versions.models.drafts import Question


def retire_listed(exam: Exam, folder: Path, asked: Collection[str], now: dt.datetime, report: LoadReport) -> None:
    """Retire what ``retired.yaml`` lists, all or nothing; ``asked`` are the ids in the question files.

    Retired questions stay retired; their reason and successor follow the file, unless an editor retired them.
    Questions the site never had are skipped.
    """
    path = folder / RETIRED_FILE
    rows = read_whole(path, read_retired)
    if isinstance(rows, FileProblem):
        report.refused.append(str(rows))
        return
    on_site = {q.key: q for q in Question.objects.filter(exam=exam).exclude(live_version=None)}
    faults = [fault for each in rows if (fault := fault_of(each, asked, on_site))]
    if faults:
        report.refused += [f"{path}: {fault}" for fault in faults]
        return
    # All or nothing: half a list applied would leave questions whose successor is retired as well.
    with transaction.atomic():
        by_list = _retired_by_list(exam)
        for each in rows:
            question, successor = on_site.get(each.key), on_site.get(each.successor)
            if question and not question.retired_at:
                retire(question.pk, None, now, each.why, successor)
                report.counts["retired"] += 1
            elif question and question.pk in by_list:
                _follow(question, each.why, successor)


def _retired_by_list(exam: Exam) -> set[int]:
    entries = DeskEntry.objects.filter(question__exam=exam, act=DeskAct.RETIRED, by=None)
    return set(entries.values_list("question_id", flat=True))


def _follow(question: Question, why: str, successor: Question | None) -> None:
    if (question.retired_why, question.successor_id) != (why, successor.pk if successor else None):
        Question.objects.filter(pk=question.pk).update(retired_why=why, successor=successor)
