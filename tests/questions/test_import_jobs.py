"""A large import runs once, outside the request and in batches, resumes after a kill and counts its items correctly."""

from __future__ import annotations

import datetime as dt
import hashlib
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from questions.formats import admin as imports
from questions.formats.errors import ImportRefused
from questions.formats.intake import jobs as import_jobs
from questions.formats.intake.jobs import KEPT, SLICE_SECONDS, STALE, Upload, begin_job, run_job, run_waiting
from questions.formats.intake.take_in import BATCH
from questions.models import Exam, ImportedItem, ImportJob, JobState, Question
from questions.tasks import run_import_job, run_imports
from tests.questions.test_import_page import client_of, send
from tests.support.bank import NOW, make_exam

pytestmark = [pytest.mark.long("many requests"), pytest.mark.django_db]
LATER = NOW + dt.timedelta(minutes=5)
ITEMS = 2 * BATCH + 30
BROKEN = "Broken\nA. Alone\nANSWER: A\n\n"


def aiken(count: int, broken: bool = True) -> bytes:
    """Return this many items, every tenth with a repeated name and other options, plus one that can't be imported."""
    items = [f"Which is it, {n % 10 and n}?\nA. This {n}\nB. That\nANSWER: B\n\n" for n in range(count)]
    if broken:
        items.insert(count // 2, BROKEN)
    return "".join(items).encode()


@pytest.fixture
def exam() -> Exam:
    return make_exam()


@pytest.fixture
def editor(exam: Exam) -> Client:
    cache.clear()
    return client_of("Editors")


def begin(exam: Exam, content: bytes = b"", now: dt.datetime = NOW) -> ImportJob:
    return begin_job(Upload(content or aiken(ITEMS), "set.txt", "aiken", exam), None, now)


def state_of(job: ImportJob) -> tuple[str, int | None, int, dict[str, int]]:
    job.refresh_from_db()
    return job.state, job.total, job.position, job.counts


def rows() -> list[tuple[str, str, str]]:
    return list(ImportedItem.objects.order_by("name").values_list("name", "digest", "question__key"))


def test_a_job_imports_all_items_and_deletes_the_file(exam: Exam) -> None:
    job = begin(exam)
    assert state_of(job) == (JobState.WAITING, None, 0, {})
    assert run_job(job.pk, LATER) == ITEMS + 1
    assert state_of(job) == (JobState.DONE, ITEMS + 1, ITEMS + 1, {"new": ITEMS, "skipped": 1})
    assert bytes(job.content) == b""
    assert job.finished_at == LATER
    assert [(what, "option" in why) for _, what, why in job.notes] == [("skipped", True)]
    assert Question.objects.count() == ITEMS
    assert run_job(job.pk, LATER) == 0


def test_a_killed_workers_import_resumes_and_gives_the_same_result(exam: Exam, monkeypatch: pytest.MonkeyPatch) -> None:
    job = begin(exam)
    run_job(job.pk, NOW)
    whole = rows()
    Question.objects.all().delete()
    job = begin(exam)
    original, calls = import_jobs.import_batch, []

    def killed(*args: Any) -> Any:
        calls.append(original(*args))
        if len(calls) == 2:
            raise KeyboardInterrupt  # by now the batch's drafts are stored, but not its progress
        return calls[-1]

    monkeypatch.setattr(import_jobs, "import_batch", killed)
    with pytest.raises(KeyboardInterrupt):
        run_job(job.pk, NOW)
    assert state_of(job)[0] == JobState.RUNNING
    assert (job.position, Question.objects.count()) == (BATCH, BATCH)
    assert run_job(job.pk, LATER) == ITEMS + 1 - BATCH
    assert state_of(job) == (JobState.DONE, ITEMS + 1, ITEMS + 1, {"new": ITEMS, "skipped": 1})
    assert rows() == whole


def test_a_superseded_worker_stores_nothing_more(exam: Exam, monkeypatch: pytest.MonkeyPatch) -> None:
    job = begin(exam)
    original, overtaking = import_jobs._store_batch, []

    def overtaken(*args: Any) -> bool:
        if not overtaking:
            overtaking.append(True)
            run_job(job.pk, NOW)
        return original(*args)

    monkeypatch.setattr(import_jobs, "_store_batch", overtaken)
    assert run_job(job.pk, NOW) == 0
    assert state_of(job) == (JobState.DONE, ITEMS + 1, ITEMS + 1, {"new": ITEMS, "skipped": 1})
    assert Question.objects.count() == ITEMS


def test_a_run_hands_over_to_the_next_when_its_time_is_up(exam: Exam) -> None:
    job = begin(exam)
    assert run_job(job.pk, NOW, seconds=0) == BATCH
    assert state_of(job)[:3] == (JobState.RUNNING, ITEMS + 1, BATCH)
    assert run_waiting(NOW) == ITEMS + 1 - BATCH


def test_the_same_file_is_not_imported_twice_at_once_but_can_be_again(exam: Exam) -> None:
    first = begin(exam)
    assert begin(exam).pk == first.pk
    assert begin(make_exam("second")).pk != first.pk
    run_job(first.pk, NOW)
    again = begin(exam)
    assert again.pk != first.pk
    run_job(again.pk, NOW)
    assert state_of(again)[3] == {"unchanged": ITEMS, "skipped": 1}


def test_a_file_that_cannot_be_read_is_refused_with_nothing_stored(exam: Exam) -> None:
    job = begin_job(Upload(b"\n\n", "set.txt", "aiken", exam), None, NOW)
    run_job(job.pk, NOW)
    assert (state_of(job)[0], bool(job.trouble), bytes(job.content)) == (JobState.REFUSED, True, b"")
    assert not Question.objects.exists()


def test_with_a_queue_the_sweeper_takes_only_a_dead_workers_jobs(exam: Exam, settings: Any) -> None:
    sent: list[int] = []
    settings.CELERY_TASK_ALWAYS_EAGER = False
    run_import_job.delay = sent.append  # type: ignore[method-assign]
    try:
        job = begin(exam)
        run_job(job.pk, NOW, seconds=0)
        assert sent == [job.pk]
        assert run_waiting(NOW + STALE) == 0
        assert run_waiting(NOW + STALE + dt.timedelta(seconds=1)) == ITEMS + 1 - BATCH
    finally:
        del run_import_job.delay


def test_no_second_run_starts_while_one_reads_the_file(
    exam: Exam, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    job, meanwhile = begin(exam), []
    original = import_jobs._count
    settings.CELERY_TASK_ALWAYS_EAGER = False

    def counted(job: ImportJob) -> None:
        meanwhile.append(run_waiting(NOW + STALE))
        original(job)

    monkeypatch.setattr(import_jobs, "_count", counted)
    assert run_job(job.pk, NOW) == ITEMS + 1
    assert meanwhile == [0]


def test_a_run_that_spends_long_reading_still_has_time_to_store(exam: Exam, monkeypatch: pytest.MonkeyPatch) -> None:
    clock, original = [0.0], import_jobs._resumed

    def slowly(job: ImportJob) -> Any:
        clock[0] += 2 * SLICE_SECONDS
        return original(job)

    monkeypatch.setattr(import_jobs, "_resumed", slowly)
    monkeypatch.setattr(import_jobs, "time", SimpleNamespace(monotonic=lambda: clock[0]))
    assert run_job(begin(exam).pk, NOW) == ITEMS + 1


def test_a_file_with_too_many_entries_to_reread_is_refused(exam: Exam, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_jobs, "MOST_ENTRIES", ITEMS)
    job = begin(exam)
    assert run_job(job.pk, NOW) == 0
    assert (state_of(job)[0], f"more than {ITEMS}" in job.trouble) == (JobState.REFUSED, True)
    assert not Question.objects.exists()


def test_a_file_that_failed_to_import_for_a_week_is_deleted(exam: Exam) -> None:
    job = begin(exam)
    ImportJob.objects.filter(pk=job.pk).update(made_at=NOW - KEPT - STALE)
    run_waiting(NOW)
    assert (state_of(job)[0], bytes(job.content)) == (JobState.REFUSED, b"")


def test_a_large_file_is_neither_read_whole_nor_stored_in_the_request(
    editor: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(imports, "ENTRIES_NOW", 20)
    content = aiken(ITEMS)
    looked = send(editor, content)
    assert (looked.context["look"].is_large, len(looked.context["look"].taken)) == (True, 20)
    token = looked.context["form"]["token"].value()
    for _ in range(2):  # a second click
        kept = send(editor, None, token=token, name="set.txt", keep="1")
    job = ImportJob.objects.get()
    assert kept["location"] == reverse("admin:questions_import_job", args=[job.pk])
    assert (job.digest, bytes(job.content)) == (hashlib.sha256(content).hexdigest(), content)
    assert not Question.objects.exists()
    page = editor.get(kept["location"])
    assert 'data-state="waiting"' in page.text
    assert 'id="running"' in page.text
    run_job(job.pk, NOW, seconds=0)
    page = editor.get(kept["location"])
    assert f'<progress max="{ITEMS + 1}" value="{BATCH}"' in page.text
    assert run_imports() == ITEMS + 1 - BATCH
    page = editor.get(kept["location"])
    assert 'data-state="done"' in page.text
    assert 'id="running"' not in page.text
    assert kept["location"] in editor.get(reverse("admin:questions_import")).text


@pytest.mark.parametrize("limit", ["BYTES_NOW", "PACKED_NOW"])
def test_a_very_large_file_is_not_read_in_the_request_at_all(
    editor: Client, monkeypatch: pytest.MonkeyPatch, limit: str
) -> None:
    monkeypatch.setattr(imports, limit, 100)
    looked = send(editor, aiken(3, broken=False)).context["look"]
    assert (looked.is_large, looked.taken) == ((True, []) if limit == "BYTES_NOW" else (False, looked.taken))


def test_only_editors_see_an_imports_progress(exam: Exam) -> None:
    address = reverse("admin:questions_import_job", args=[begin(exam).pk])
    assert client_of("Moderators").get(address).status_code == 403
    assert Client().get(address).status_code == 302
    assert client_of("Editors").get(reverse("admin:questions_import_job", args=[99999])).status_code == 404


def test_a_deleted_exam_stops_the_import(exam: Exam, monkeypatch: pytest.MonkeyPatch) -> None:
    job = begin(exam)

    def gone(*args: Any) -> Any:
        raise ImportRefused("There is no exam.")

    monkeypatch.setattr(import_jobs.Target, "of", gone)
    run_job(job.pk, NOW)
    assert (state_of(job)[0], job.trouble) == (JobState.REFUSED, "There is no exam.")
