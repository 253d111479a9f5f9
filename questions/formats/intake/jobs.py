"""Imports: the file is stored and turned into drafts batch by batch; by a worker if it's too much for one request.

A batch and the record of progress are stored in one transaction. So a worker may be killed at any time and another
continues from there, two workers at once do nothing twice, and a hundred entries are stored whole or not at all.
"""

from __future__ import annotations

import dataclasses
import datetime as dt
import hashlib
import io
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser
from django.db import IntegrityError, transaction

from courseiva.common.later import after_commit, at_once
from questions.catalogue.models import Exam
from questions.formats.errors import ImportRefused
from questions.formats.intake.reads.plan import LEFT_ALONE, REFUSED
from questions.formats.intake.reads.target import Choice, Target
from questions.formats.intake.take_in import BATCH, Outcome, import_batch, pass_over
from questions.formats.models import UNFINISHED, ImportJob, JobState
from questions.formats.rules.items import BadFile, Found, Item
from questions.formats.rules.registry import format_named, read_items
from questions.versions.material.pictures.reads import picture_limits

SKIPPED = "skipped"
MOST_NOTES = 500
MOST_ENTRIES = 250_000  # each run rereads what earlier ones handled, which takes half a minute for this many
AS_LONG_AS_IT_TAKES = float("inf")
SLICE_SECONDS = 20.0  # then others get their turn; the run continues in another task
STALE = dt.timedelta(seconds=90)  # a run that hasn't started or stored anything for this long has died
KEPT = dt.timedelta(days=7)
"""A file that couldn't be imported in a week of trying never will, and it takes up megabytes of the database."""


@dataclass(frozen=True)
class Upload:
    """A file as uploaded, and how to read it."""

    content: bytes
    name: str
    format: str
    exam: Exam
    domain: str = ""
    choice: Choice = field(default_factory=Choice)


def import_now(upload: Upload, by: AbstractBaseUser | None, now: dt.datetime) -> ImportJob:
    """Import a file that one request can read. If the server stops meanwhile, a worker continues."""
    job = _begin(upload, by, now)
    run_job(job.pk, now, seconds=AS_LONG_AS_IT_TAKES)
    return ImportJob.objects.defer("content").get(pk=job.pk)


def begin_here(target: Target, form: str, by: AbstractBaseUser | None, now: dt.datetime) -> ImportJob:
    """Start a batch imported at once by the caller: a command, or the page for tables."""
    return ImportJob.objects.create(
        exam=target.exam,
        by_id=by.pk if by else None,
        source=target.source,
        format=form,
        state=JobState.COMMAND,
        matching={"matching": target.choice.matching, "bases": None},
        made_at=now,
        moved_at=now,
    )


def end_here(job: ImportJob, counts: Counter[str], now: dt.datetime) -> None:
    """Finish an import made at once."""
    job.state, job.counts, job.finished_at, job.moved_at = JobState.DONE, dict(counts), now, now
    job.total = job.position = sum(counts.values())
    job.save()


def begin_job(upload: Upload, by: AbstractBaseUser | None, now: dt.datetime) -> ImportJob:
    """Store the file for a worker; if the same file is already being imported, return that job."""
    job = _begin(upload, by, now)
    # Running it in process would hold up this request; the schedule picks it up.
    if not settings.CELERY_TASK_ALWAYS_EAGER:
        after_commit("questions.run_import_job", job.pk)
    return job


def _begin(upload: Upload, by: AbstractBaseUser | None, now: dt.datetime) -> ImportJob:
    digest = hashlib.sha256(upload.content).hexdigest()
    try:
        with transaction.atomic():
            return ImportJob.objects.create(
                exam=upload.exam,
                by_id=by.pk if by else None,
                source=upload.name[:200],
                domain=upload.domain,
                format=upload.format,
                content=upload.content,
                digest=digest,
                matching=dataclasses.asdict(upload.choice),
                made_at=now,
                moved_at=now,
            )
    except IntegrityError:
        return ImportJob.objects.defer("content").get(exam=upload.exam, digest=digest, state__in=UNFINISHED)


def run_waiting(now: dt.datetime) -> int:
    """Continue the oldest import nobody is working on, for a while, and delete files that can't be imported any
    more."""
    for job in ImportJob.objects.defer("content").filter(state__in=UNFINISHED, made_at__lt=now - KEPT):
        _end(job.pk, JobState.REFUSED, now, "The import didn’t finish within a week. Upload the file again.")
    jobs = ImportJob.objects.filter(state__in=UNFINISHED).order_by("pk").values_list("pk", "state", "moved_at")
    for pk, state, moved_at in jobs:
        if settings.CELERY_TASK_ALWAYS_EAGER or state == JobState.WAITING or moved_at < now - STALE:
            return run_job(pk, now)
    return 0


def run_job(job_id: int, now: dt.datetime, seconds: float = SLICE_SECONDS) -> int:
    """Import batch after batch for this long; returns the number of entries handled.

    Safe to run twice or concurrently.
    """
    unfinished = ImportJob.objects.filter(pk=job_id, state__in=UNFINISHED)
    # Before reading the file, which may take longer than the schedule waits before looking for idle jobs.
    if not unfinished.update(state=JobState.RUNNING, moved_at=now):
        return 0
    job, done = unfinished.select_related("exam", "by").first(), 0
    if job is None:
        return 0
    try:
        if job.total is None:
            _count(job)
        target, entries = _resumed(job)
        ends = time.monotonic() + seconds  # counted from here, or a slow read would leave time for only one batch
        while batch := list(islice(entries, BATCH)):
            if not _store_batch(job, target, batch, now):
                return done  # another worker has it
            done += len(batch)
            if time.monotonic() > ends:
                _hand_on(job)
                return done
    except (BadFile, ImportRefused) as refusal:
        _end(job.pk, JobState.REFUSED, now, str(refusal))
        return done
    _end(job.pk, JobState.DONE, now)
    return done


def _count(job: ImportJob) -> None:
    job.total = sum(1 for _ in islice(_entries(job), MOST_ENTRIES + 1))
    if not job.total:
        raise ImportRefused("No questions could be read from the file.")
    if job.total > MOST_ENTRIES:
        raise ImportRefused(
            f"The file has more than {MOST_ENTRIES:,} entries. Split it, or use manage.py import_questions."
        )
    ImportJob.objects.filter(pk=job.pk, total=None).update(total=job.total)


def _entries(job: ImportJob) -> Iterator[Found]:
    return read_items(format_named(job.format), io.BytesIO(bytes(job.content)), picture_limits())


def _resumed(job: ImportJob) -> tuple[Target, Iterator[Found]]:
    """The import's target, and the entries not handled yet."""
    target, entries = Target.of(job.exam.slug, job.source, job.domain), _entries(job)
    target.batch, target.by, target.choice = job, job.by, Choice(**job.matching)
    for found in islice(entries, job.position):
        if isinstance(found, Item):
            pass_over(target, found)
    return target, entries


def _store_batch(job: ImportJob, target: Target, batch: list[Found], now: dt.datetime) -> bool:
    """Store a batch and the progress, unless another worker was faster."""
    with transaction.atomic():
        # Without the file, which can be megabytes: only the progress is needed here.
        rows = ImportJob.objects.select_for_update().defer("content")
        row = rows.filter(pk=job.pk, position=job.position, state__in=UNFINISHED).first()
        if row is None:
            return False
        outcomes = import_batch(target, [found for found in batch if isinstance(found, Item)], now)
        row.counts, row.notes = _added_up(row, batch, outcomes)
        # A family continued in the next batch has a new revision by then, which the choice must know.
        row.matching = dataclasses.asdict(target.choice)
        row.position += len(batch)
        row.state, row.moved_at = JobState.RUNNING, now
        row.save(update_fields=["counts", "notes", "matching", "position", "state", "moved_at"])
    job.position = row.position
    return True


def _added_up(row: ImportJob, batch: list[Found], outcomes: list[Outcome]) -> tuple[dict[str, int], list[Any]]:
    """The job's counts and notes plus those of a batch."""
    counts = Counter(row.counts) + Counter(outcome.result for outcome in outcomes)
    skips = [found for found in batch if not isinstance(found, Item)]
    counts[SKIPPED] += len(skips)
    notes = [[each.line, SKIPPED, f"{each.kind}: {each.reason}"] for each in skips]
    notes += [[o.item.line, o.result, o.reason] for o in outcomes if o.result in (REFUSED, LEFT_ALONE)]
    return {name: count for name, count in counts.items() if count}, (row.notes + sorted(notes))[:MOST_NOTES]


def _hand_on(job: ImportJob) -> None:
    if not settings.CELERY_TASK_ALWAYS_EAGER:
        at_once("questions.run_import_job", job.pk)


def _end(job_id: int, state: JobState, now: dt.datetime, trouble: str = "") -> None:
    """Finish a job and delete its file."""
    values: dict[str, Any] = {"state": state, "trouble": trouble, "finished_at": now, "moved_at": now, "content": b""}
    ImportJob.objects.filter(pk=job_id, state__in=UNFINISHED).update(**values)
