"""Undoing an import, all or nothing: exactly what its preview said, or no change."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from questions.desk.decide import discard, drop_if_empty
from questions.formats.intake.reads.undoing import undoing
from questions.formats.models import BatchEntry, ImportJob, JobState
from questions.versions.errors import NotNow
from questions.versions.models.drafts import Family, Question

CHUNK = 500
"""Questions deleted together: each takes its options, clues and history along, whose keys Django lists in its
statements."""


def undo(batch_id: int, stamp: str, by: AbstractBaseUser, now: dt.datetime) -> ImportJob:
    """Delete the import's drafts that nobody published or saved since, and undo its revisions of live questions.

    Raises NotNow if the import isn't finished, was undone, or if something changed since the preview with this stamp.
    """
    with transaction.atomic():
        batch = ImportJob.objects.select_for_update().defer("content").get(pk=batch_id)
        if batch.state == JobState.UNDONE:
            raise NotNow("import-undone")
        if not batch.is_over:
            raise NotNow("import-running")
        # Locked before looking at what there is to undo: nothing may be saved between the look and the deletion.
        _lock(batch)
        found = undoing(batch)
        if found.stamp != stamp or found.is_empty:
            raise NotNow("import-changed")
        counts = {"removed": len(found.removed), "restored": len(found.restored), "kept": len(found.kept)}
        _remove(found.removed)
        _restore(found.restored, by, now)
        batch.state, batch.undone_at, batch.undone_by_id, batch.undone = JobState.UNDONE, now, by.pk, counts
        batch.save(update_fields=["state", "undone_at", "undone_by", "undone"])
    return batch


def _lock(batch: ImportJob) -> None:
    """Families before questions, in id order, like all code that writes at the desk."""
    questions = BatchEntry.objects.filter(batch=batch).values("question")
    families = Question.objects.filter(pk__in=questions).exclude(family=None).values("family")
    list(Family.objects.select_for_update().filter(pk__in=families).order_by("pk").values_list("pk"))
    list(Question.objects.select_for_update().filter(pk__in=questions).order_by("pk").values_list("pk"))


def _remove(entries: Sequence[BatchEntry]) -> None:
    pks = [entry.question_id for entry in entries]
    families = list(Family.objects.filter(questions__in=pks).distinct())
    for start in range(0, len(pks), CHUNK):
        Question.objects.filter(pk__in=pks[start : start + CHUNK]).delete()
    for family in families:
        drop_if_empty(family)


def _restore(entries: Sequence[BatchEntry], by: AbstractBaseUser, now: dt.datetime) -> None:
    """Restore the live text of each, for a family all at once."""
    done: set[int] = set()
    for entry in entries:
        family = entry.question.family_id
        if family not in done:
            discard(entry.question_id, entry.question.revision, by, now)
        if family:
            done.add(family)
