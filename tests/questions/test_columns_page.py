"""Check that a table can be imported with columns a person names, in the admin and with the command."""

from __future__ import annotations

import io
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from questions.formats.columns import reads
from questions.formats.intake.take_in import NEW
from questions.formats.rules.items import BadFile
from questions.formats.rules.reading.columns.choice import guessed, parsed
from questions.formats.rules.tables.mapping import beginnings
from questions.models import ImportJob, JobState, Question
from tests.questions.formats.samples import sheet
from tests.questions.test_import_page import client_of, drafts
from tests.support.bank import make_exam
from tests.support.hooks import codes, figures
from tests.support.hooks import parsed as html

PORTUGUESE = (
    b"Nr;Pergunta;Primeira;Segunda;Terceira;Certa;Porque\n"
    b"1;Which lamp?;blue;amber;green;2;Short waves.\n"
    b"2;Which tool?;saw;moss;;1;\n"
    b"3;Broken;;;;1;\n"
)
ROLES = {"role_1": "stem", "role_2": "option", "role_3": "option", "role_4": "option", "role_5": "correct",
         "role_6": "explanation"}  # fmt: skip
PLACE = {"exam": "pmle", "sheet": "0", "looked_at": "0", "above": "1", "counting": "one"}


@pytest.fixture
def editor(db: None) -> Client:
    make_exam()
    cache.clear()
    client: Client = client_of("Editors")
    return client


def send(client: Client, content: bytes | None = PORTUGUESE, name: str = "t.csv", **more: str) -> Any:
    data: dict[str, Any] = {"exam": "pmle"} | more
    if content is not None:
        data["file"] = SimpleUploadedFile(name, content)
    return client.post(reverse("admin:questions_import_columns"), data)


def chosen(client: Client, first: Any, **more: str) -> Any:
    form = first.context["form"]
    held = {"token": form["token"].value(), "name": form["name"].value()}
    return send(client, None, **(PLACE | held | ROLES | more))


def test_the_preview_says_how_complete_each_draft_would_be(editor: Client) -> None:
    page = html(chosen(editor, send(editor), look="1"))
    [level] = page.select("[data-level]")
    assert (level["data-level"], level["data-number"]) == ("draft", "2")
    assert level.select("[data-needs='2']")
    rows = page.select("[data-lacks]")
    assert len(rows) == 2
    assert all("sources" in row["data-lacks"] for row in rows)


def test_the_first_rows_are_shown_under_a_choice_for_each_column(editor: Client) -> None:
    page = html(send(editor))
    assert len(page.select("[data-state=columns] thead select")) == 7
    assert len(page.select("[data-state=columns] tbody tr")) == 4
    assert not page.select("[name=keep]")


def test_a_preview_stores_nothing_and_importing_makes_drafts(editor: Client) -> None:
    first = send(editor)
    looked = chosen(editor, first, look="1")
    assert figures(html(looked).select_one("[data-state=looked]").text) == [2, 1]
    assert not Question.objects.exists()
    kept = chosen(editor, first, keep="1")
    assert kept.status_code == 302
    assert drafts(editor.get(kept["location"])) == f"2 {NEW}"
    assert set(Question.objects.values_list("stem", flat=True)) == {"Which lamp?", "Which tool?"}
    assert Question.objects.get(stem="Which lamp?").explanation == "Short waves."
    [batch] = ImportJob.objects.all()
    assert (batch.state, batch.entries.count(), batch.by) == (JobState.DONE, 2, get_user_model().objects.get())


@pytest.mark.parametrize(
    "change", [{"role_1": ""}, {"role_5": ""}, {"role_3": "", "role_4": ""}, {"role_0": "stem"}, {"role_0": "correct"}]
)
def test_columns_that_cannot_make_questions_are_refused(editor: Client, change: dict[str, str]) -> None:
    looked = chosen(editor, send(editor), **(change | {"keep": "1"}))
    assert codes(looked.context["columns"]) == {"__all__": ["incomplete"]}
    assert not Question.objects.exists()


def test_known_names_are_preselected(editor: Client) -> None:
    content = sheet([["Quiz"], ["Question", "Answer 1", "Answer 2", "Correct answer"], ["Which?", "a", "b", 1]])
    response = send(editor, content, "t.xlsx")
    columns = response.context["columns"]
    assert [columns[f"role_{place}"].value() for place in range(1)] == [""]
    second = response.context["table"].sheets[1]
    looked = chosen(editor, response, sheet="1", looked_at="0")
    columns = looked.context["columns"]
    assert looked.context["sheet"] == second
    assert [columns[f"role_{place}"].value() for place in range(4)] == ["stem", "option", "option", "correct"]
    assert columns["above"].value() == 2


def test_answer_numbers_may_count_from_zero(editor: Client) -> None:
    looked = chosen(editor, send(editor), counting="zero", look="1")
    assert [item.correct for item in looked.context["look"].taken] == [[2], [1]]


def test_a_table_too_large_for_a_request_is_not_stored(editor: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reads, "MOST_ROWS", 1)
    looked = chosen(editor, send(editor), keep="1")
    assert html(looked).select("[data-state=large]")
    assert not Question.objects.exists()


@pytest.mark.parametrize(
    ("content", "code"), [(b"%PDF-1.7", "unreadable"), (b"\n\n", "unreadable"), (b"PK\x03\x04 no", "unreadable")]
)
def test_a_file_that_is_not_a_table_is_reported(editor: Client, content: bytes, code: str) -> None:
    assert codes(send(editor, content).context["form"]) == {"file": [code]}


def test_a_person_is_asked_again_for_a_file_that_has_expired(editor: Client) -> None:
    assert codes(send(editor, None, token="gone", **PLACE).context["form"]) == {"file": ["gone"]}
    assert codes(send(editor, None).context["form"]) == {"file": ["required"]}


@pytest.mark.django_db
def test_moderators_may_not_import() -> None:
    make_exam()
    moderator = client_of("Moderators")
    assert moderator.get(reverse("admin:questions_import_columns")).status_code == 403
    assert send(moderator).status_code == 403


def run(path: Any, *arguments: str) -> str:
    out = io.StringIO()
    call_command("import_questions", str(path), "--exam", "pmle", *arguments, stdout=out)
    return out.getvalue()


def test_the_command_takes_columns_by_letter_or_number(tmp_path: Any) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(PORTUGUESE)
    assert figures(run(path, "--columns", "question=B option=C-E answer=F explanation=G").splitlines()[-1])[:2] == [
        2,
        1,
    ]
    assert figures(run(path, "--columns", "question=2 option=3,4,5 answer=6", "--first-row", "2").splitlines()[-1])[
        :2
    ] == [2, 1]
    with pytest.raises(CommandError):
        run(path, "--columns", "question=B")


def test_a_source_may_be_in_a_column_with_any_name(editor: Client, tmp_path: Any) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(b"Frage,a,b,Antwort,Quelle,Stand\nWhich?,blue,amber,B,https://a.example,2026-11-28\n")
    run(path, "--columns", "question=A option=B,C answer=D source_url=E source_as_of=F", "--commit")
    (source,) = Question.objects.get().sources.all()
    assert (source.url, str(source.as_of)) == ("https://a.example", "2026-11-28")


@pytest.mark.parametrize("text", ["what=B", "question", "question=B-C-D", "question=ZZZ", "question=0"])
def test_columns_that_cannot_be_read_are_refused(text: str) -> None:
    with pytest.raises(BadFile):
        parsed(text)


def test_no_column_is_guessed_without_a_known_name() -> None:
    (found,) = beginnings(io.BytesIO(PORTUGUESE.replace(b"Pergunta", b"Kysymys")))
    assert (guessed(found).roles, guessed(found).above) == (("",) * 7, 0)
