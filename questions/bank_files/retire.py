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
from questions.modules.rules.load_report import LoadReport
from questions.versions.models.drafts import Question


def retire_listed(exam: Exam, folder: Path, asked: Collection[str], now: dt.datetime, report: LoadReport) -> None:
    """Retire what ``retired.yaml`` lists, all or nothing; ``asked`` are the ids in the question files.

    Retired questions stay retired, whatever the file says later, and questions the site never had are skipped.
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
        for each in rows:
            question = on_site.get(each.key)
            if question and not question.retired_at:
                retire(question.pk, None, now, each.why, on_site.get(each.successor))
                report.counts["retired"] += 1
