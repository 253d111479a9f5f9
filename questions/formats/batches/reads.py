"""What the page of an import shows."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from django.core.paginator import Page, Paginator

from questions.formats.models import ImportJob, Left

PAGE = 100
"""As many as a batch, one short line each."""
MOST_TAGS = 40
"""The most frequent, to see what the file calls its topics. Some files tag each item differently."""


@dataclass(frozen=True)
class BatchPage:
    """An import with a page of the questions it changed, and the tags of all.

    ``by`` and ``undone_by`` are names, "" if the account is gone or a command ran without one.
    """

    batch: ImportJob
    by: str
    undone_by: str
    entries: Page
    made: int
    revised: int
    tags: list[tuple[str, int]]


def batch_page(batch: ImportJob, number: str) -> BatchPage:
    """The page, in a constant number of queries; ``number`` is the requested page, valid or not."""
    entries = batch.entries.select_related("question__live_version").order_by("line", "pk")
    entries = entries.only(
        "batch", "left", "line", "tags", "question__key", "question__title", "question__desk",
        "question__live_version__number", "question__retired_at", "question__withdrawn_at",
    )  # fmt: skip
    facts = list(batch.entries.order_by().values_list("left", "tags"))
    left = Counter(left for left, _ in facts)
    tags = Counter(tag for _, named in facts for tag in named)
    return BatchPage(
        batch=batch,
        by=str(batch.by.get_full_name()) if batch.by else "",
        undone_by=str(batch.undone_by.get_full_name()) if batch.undone_by else "",
        entries=Paginator(entries, PAGE).get_page(number),
        made=left[Left.MADE],
        revised=left[Left.REVISED],
        tags=tags.most_common(MOST_TAGS),
    )


def find_batch(batch_id: int) -> ImportJob:
    """An import without its file. Raises ImportJob.DoesNotExist."""
    return ImportJob.objects.defer("content").select_related("exam", "by", "undone_by").get(pk=batch_id)
