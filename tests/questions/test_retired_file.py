"""Questions listed in retired.yaml are retired once, with a reason and a link to their successor."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import reverse

from questions.bank_files.load import load_bank
from questions.bank_files.rules.checks import check_path
from questions.desk.decide import retire
from questions.models import DeskEntry, Question
from tests.questions.test_bank_loading import EXAM, file, question, write
from tests.support.bank import NOW

User = get_user_model()
pytestmark = [pytest.mark.long("many requests"), pytest.mark.django_db]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "demo" / "questions").mkdir(parents=True)
    (tmp_path / "demo" / "exam.yaml").write_text(EXAM, encoding="utf-8")
    return tmp_path


ROW = "retired:\n  - {id: case-1, why: Its options gave the key away., on: 2026-11-23, successor: case-2}\n"


def retired(folder: Path, text: str) -> Path:
    path = folder / "demo" / "retired.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def both_then_one(folder: Path, text: str, pool: str = "public") -> None:
    write(folder, file(question(1, pool=pool), question(2)))
    load_bank(folder, NOW)
    write(folder, file(question(2)))
    retired(folder, text)


def test_a_listed_question_is_retired_once_with_its_reason_and_successor(folder: Path) -> None:
    both_then_one(folder, ROW)
    first, again = load_bank(folder, NOW), load_bank(folder, NOW)
    assert (first.counts["retired"], again.counts["retired"]) == (1, 0)
    assert (first.refused, first.gone) == ([], [])
    row = Question.objects.get(key="case-1")
    assert (row.retired_at, row.retired_why) == (NOW, "Its options gave the key away.")
    assert row.successor == Question.objects.get(key="case-2")
    assert [(entry.by, entry.text) for entry in DeskEntry.objects.filter(question=row)] == [(None, row.retired_why)]


def test_a_reason_and_a_successor_that_the_file_gives_later_reach_a_question_that_is_already_retired(
    folder: Path,
) -> None:
    both_then_one(folder, ROW.replace(", successor: case-2", ""))
    load_bank(folder, NOW)
    retired(folder, ROW.replace("Its options gave the key away.", "Guessable."))
    assert load_bank(folder, NOW + dt.timedelta(days=1)).counts["retired"] == 0
    row = Question.objects.get(key="case-1")
    assert (row.retired_at, row.retired_why, row.successor.key) == (NOW, "Guessable.", "case-2")


def test_what_an_editor_said_when_retiring_a_question_stays(folder: Path) -> None:
    both_then_one(folder, "retired: []")
    load_bank(folder, NOW)
    retire(Question.objects.get(key="case-1").pk, User.objects.create(email="ed@e.example"), NOW, "Wrong.")
    retired(folder, ROW)
    load_bank(folder, NOW)
    row = Question.objects.get(key="case-1")
    assert (row.retired_why, row.successor) == ("Wrong.", None)


def test_a_retired_questions_page_says_why_and_links_to_the_successor(folder: Path) -> None:
    both_then_one(folder, ROW)
    address = Question.objects.get(key="case-1").get_absolute_url()
    load_bank(folder, NOW)
    page = Client().get(address)
    assert page.status_code == 410
    assert b"Its options gave the key away." in page.content
    assert Question.objects.get(key="case-2").get_absolute_url().encode() in page.content


def test_a_retired_questions_discussion_stays_readable(folder: Path) -> None:
    both_then_one(folder, ROW)
    load_bank(folder, NOW)
    row = Question.objects.get(key="case-1")
    address = reverse("thread", args=["demo", row.pk])
    assert address.encode() in Client().get(row.get_absolute_url()).content
    assert Client().get(address, {"version": "1"}).status_code == 200


def test_a_reserved_successor_is_not_linked(folder: Path) -> None:
    write(folder, file(question(1), question(2, pool="reserved")))
    load_bank(folder, NOW)
    address = Question.objects.get(key="case-1").get_absolute_url()
    write(folder, file(question(2, pool="reserved")))
    retired(folder, ROW)
    assert load_bank(folder, NOW).counts["retired"] == 1
    page = Client().get(address)
    assert page.context["page"].successor is None


def test_a_site_without_a_listed_question_skips_it(folder: Path) -> None:
    write(folder, file(question(2)))
    retired(folder, ROW)
    report = load_bank(folder, NOW)
    assert (report.refused, report.counts["retired"]) == ([], 0)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        (ROW.replace("case-1", "case-2").replace("successor: case-2", "successor: ''"), "case-2"),
        (ROW.replace("successor: case-2", "successor: nobody"), "nobody"),
        (ROW.replace("successor: case-2", "successor: case-1"), "retired[0].successor"),
        (ROW + ROW.splitlines()[1] + "\n", "retired[1].id"),
        (ROW.replace("Its options gave the key away.", "''"), "retired[0].why"),
        (ROW.replace("why", "wy"), "retired[0].wy"),
        (ROW.replace("2026-11-23", "today"), "retired[0].on"),
        ("retired: [", "file"),
    ],
)
def test_a_file_that_cannot_be_applied_changes_nothing(folder: Path, text: str, place: str) -> None:
    both_then_one(folder, text)
    [refused] = load_bank(folder, NOW).refused
    assert place in refused
    assert not Question.objects.exclude(retired_at=None).exists()
    assert [
        place in each.problem.field + each.problem.message
        for each in check_path(folder).findings
        if each.path.name == "retired.yaml"
    ] == [True]


def test_a_valid_file_has_no_findings(folder: Path) -> None:
    both_then_one(folder, ROW)
    assert not [each for each in check_path(folder).findings if each.path.name == "retired.yaml"]


def test_a_file_that_is_not_utf_8_is_refused_like_one_that_is_not_yaml(folder: Path) -> None:
    both_then_one(folder, ROW)
    (folder / "demo" / "retired.yaml").write_bytes(ROW.replace("gave", "gäve").encode("latin-1"))
    [refused] = load_bank(folder, NOW).refused
    assert "retired.yaml:1: file: is not UTF-8" in refused
    assert not Question.objects.exclude(retired_at=None).exists()
    assert [each.path.name for each in check_path(folder).findings if each.problem.field == "file"] == ["retired.yaml"]
