"""Check that loading a bank stores its readers' answers with the questions and doesn't treat a reading as an edit."""

from __future__ import annotations

import datetime as dt
import json
from pathlib import Path

import pytest

from questions.bank_files.load import load_bank
from questions.models import Question, QuestionVersion
from tests.questions.test_bank_loading import EXAM, file, question, write
from tests.support.bank import NOW

pytestmark = pytest.mark.django_db
DAY, LATER = dt.date(2026, 11, 25), dt.date(2026, 12, 5)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "demo" / "questions").mkdir(parents=True)
    (tmp_path / "demo" / "exam.yaml").write_text(EXAM, encoding="utf-8")
    write(tmp_path, file(question(1), question(2)))
    return tmp_path


def reading(reader: str, on: dt.date, agrees: bool) -> dict[str, object]:
    return {
        "question": "case-1", "text": "0" * 16, "round": 1, "on": on.isoformat(), "reader": reader,
        "reader_kind": "model", "answered": [1], "agrees": agrees,
        "confidence": 3, "verdict": "sound", "domain": "d1", "kind": "single",
    }  # fmt: skip


def say(folder: Path, *prompts: dict[str, object]) -> None:
    text = "".join(f"{json.dumps(prompt)}\n" for prompt in prompts)
    (folder / "demo" / "readings.jsonl").write_text(text, encoding="utf-8")


def test_readers_are_counted_by_question_and_day(folder: Path) -> None:
    say(folder, reading("1", DAY, True), reading("2", DAY, False), reading("3", LATER, True))
    load_bank(folder, NOW)
    assert Question.objects.get(key="case-1").readings == [
        {"on": "2026-11-25", "by": "model", "readers": 2, "agreed": 1},
        {"on": "2026-12-05", "by": "model", "readers": 1, "agreed": 1},
    ]
    assert Question.objects.get(key="case-2").readings == []


def test_loading_a_reading_is_not_an_edit_of_its_question(folder: Path) -> None:
    load_bank(folder, NOW)
    before = list(Question.objects.order_by("key").values("revision", "changed_at", "loaded_digest"))
    say(folder, reading("1", DAY, True))
    report = load_bank(folder, NOW)
    assert report.counts["unchanged"] == 2
    assert list(Question.objects.order_by("key").values("revision", "changed_at", "loaded_digest")) == before
    assert QuestionVersion.objects.count() == 2
    assert Question.objects.get(key="case-1").readings != []


def test_an_unreadable_file_is_reported_and_changes_nothing(folder: Path) -> None:
    say(folder, reading("1", DAY, True))
    load_bank(folder, NOW)
    (folder / "demo" / "readings.jsonl").write_text("{}\n", encoding="utf-8")
    report = load_bank(folder, NOW)
    assert len(report.refused) == 1
    assert len(Question.objects.get(key="case-1").readings) == 1
