"""What undoing an import would do to each question it changed, and why some are left alone."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Exists, OuterRef

from questions.desk.models import DeskEntry
from questions.formats.models import BatchEntry, ImportJob, Left
from questions.versions.models.drafts import Desk, Question

OVERWROTE, PUBLISHED, EDITED, REVIEW, DISCUSSED, FAMILY = (
    "overwrote", "published", "edited", "review", "discussed", "family",
)  # fmt: skip


@dataclass(frozen=True)
class Kept:
    """A question that is left alone; ``why`` is a code."""

    entry: BatchEntry
    why: str


@dataclass(frozen=True)
class Undoing:
    """Drafts to delete, questions whose live text returns to the desk, and what stays.

    ``stamp`` changes if any of this does.
    """

    removed: Sequence[BatchEntry]
    restored: Sequence[BatchEntry]
    kept: Sequence[Kept]

    @property
    def stamp(self) -> str:
        facts = [[entry.pk for entry in entries] for entries in (self.removed, self.restored)]
        return hashlib.sha256(repr(facts).encode()).hexdigest()[:16]

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to undo."""
        return not self.removed and not self.restored


def undoing(batch: ImportJob) -> Undoing:
    """In a constant number of queries, however many questions the batch has."""
    later = DeskEntry.objects.filter(question=OuterRef("question"), at__gt=OuterRef("at"))
    entries = batch.entries.select_related("question").defer(*(f"question__{name}" for name in LONG))
    rows = list(entries.annotate(is_discussed=Exists(later)))
    why = {entry.question_id: _why_kept(entry) for entry in rows}
    members = _members({entry.question.family_id for entry in rows} - {None})
    for entry in rows:
        siblings = members.get(entry.question.family_id or 0, [])
        if not why[entry.question_id] and not _all_go(entry, siblings, why):
            why[entry.question_id] = FAMILY
    free = [entry for entry in rows if not why[entry.question_id]]
    return Undoing(
        removed=[entry for entry in free if entry.left == Left.MADE],
        restored=[entry for entry in free if entry.left == Left.REVISED],
        kept=[Kept(entry, why[entry.question_id]) for entry in rows if why[entry.question_id]],
    )


LONG = ("stem", "quick_answer", "explanation", "principle", "trap", "detail", "takeaway", "example")


def _why_kept(entry: BatchEntry) -> str:
    """Why this question stays, considered on its own; "" if it can be undone.

    Every save raises the revision, so the import's recorded revision shows that nobody has saved since.
    """
    question = entry.question
    if entry.left == Left.OVERWROTE:
        return OVERWROTE
    if question.desk == Desk.NOTHING or (entry.left == Left.MADE and question.live_version_id):
        return PUBLISHED
    if question.revision != entry.revision:
        return EDITED
    if question.desk != Desk.DRAFT:
        return REVIEW
    return DISCUSSED if getattr(entry, "is_discussed", False) else ""


def _members(families: set[int | None]) -> dict[int, list[tuple[int, bool]]]:
    """By family: its questions in use, and whether each is published."""
    found = defaultdict(list)
    rows = Question.objects.filter(family__in=families, retired_at=None)
    for family, pk, live in rows.values_list("family", "pk", "live_version"):
        found[family].append((pk, live is not None))
    return found


def _all_go(entry: BatchEntry, siblings: Sequence[tuple[int, bool]], why: dict[int, str]) -> bool:
    """Whether the whole family can be undone with the question: it works as a unit.

    A draft is deleted if all its siblings are; a revision is discarded if none of them is a draft that was never
    published, which discarding would delete.
    """
    if entry.left == Left.MADE:
        return all(why.get(pk) == "" for pk, _ in siblings)
    return all(is_live for _, is_live in siblings)
