"""What an import records: for each item, for the next import; for each question, for the batch's page."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from questions.formats.intake.reads.target import Target
from questions.formats.models import BatchEntry, ImportedItem, Left
from questions.formats.rules.items import Item, digest
from questions.versions.models.drafts import Question
from questions.versions.reads.drafts import digest as draft_digest
from questions.versions.rules.draft import DraftQuestion


def enter(target: Target, pairs: Iterable[tuple[Question, Item]], left: Left, now: dt.datetime) -> None:
    """Record for the batch what was changed in these questions, at their current revision."""
    if target.batch is None:
        return
    entries = [
        BatchEntry(
            batch=target.batch,
            question=question,
            left=left,
            line=item.line,
            revision=question.revision,
            tags=list(item.tags),
            at=now,
        )
        for question, item in pairs
    ]
    # A file may have a question under two names: its first entry stays.
    BatchEntry.objects.bulk_create(entries, ignore_conflicts=True)


def remembering(row: ImportedItem, item: Item, draft: DraftQuestion, now: dt.datetime) -> ImportedItem:
    """The row with the current item and draft."""
    row.digest, row.draft_digest, row.at = digest(item), draft_digest(draft), now
    row.category, row.tags = item.category, list(item.tags)
    return row
