"""Readers' answers are stored with each question, for the history on its page; this isn't an edit of the question."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path

from questions.bank_files.readings.rules.material import READINGS_FILE, Refused, readings_of
from questions.bank_files.readings.rules.records import PromptReading
from questions.catalogue.models import Exam
from questions.modules.rules.load_report import LoadReport
from questions.versions.models.drafts import Question


def store_readings(exam: Exam, folder: Path, report: LoadReport) -> None:
    """Store each question's prompt readings by day; an exam without the file keeps what it has."""
    if not (folder / READINGS_FILE).exists():
        return
    try:
        told = _by_day(readings_of(folder).prompts)
    except Refused as refusal:
        report.refused.append(f"{folder / READINGS_FILE}: {refusal}")
        return
    changed = []
    for question in Question.objects.filter(exam=exam).only("key", "readings"):
        if question.readings != (found := told.get(question.key, [])):
            question.readings = found
            changed.append(question)
    # Updates only what differs, and without ``save``: a reading isn't an edit, so the draft's revision and time must
    # stay.
    Question.objects.bulk_update(changed, ["readings"], batch_size=500)


def _by_day(prompts: Iterable[PromptReading]) -> dict[str, list[dict[str, str | int]]]:
    """By question: per day and kind of reader, how many answered it, and how many agreed with the key."""
    readers: Counter[tuple[str, str, str]] = Counter()
    agreed: Counter[tuple[str, str, str]] = Counter()
    for each in prompts:
        day = (each.question, each.on.isoformat(), each.reader_kind)
        readers[day] += 1
        agreed[day] += each.agrees
    told: dict[str, list[dict[str, str | int]]] = defaultdict(list)
    for day in sorted(readers):
        question, on, kind = day
        told[question].append({"on": on, "by": kind, "readers": readers[day], "agreed": agreed[day]})
    return told
