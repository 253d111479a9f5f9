"""Exporting: an exam's live versions as items, as learners see them."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence

from django.db.models import F

from questions.catalogue.models import Exam
from questions.formats.errors import ImportRefused
from questions.formats.rules.items import Item, item_of_draft
from questions.versions.material.pictures.reads import content_of
from questions.versions.material.pictures.rules.encode import Encoded
from questions.versions.material.pictures.rules.named import pictures_of
from questions.versions.models.drafts import Question
from questions.versions.models.versions import Solution
from questions.versions.reads.drafts import draft_of, draft_of_version, with_draft

CHUNK = 200
"""An export is streamed: a bank of thousands, with all its texts, is never in memory as a whole."""


def live_items(slug: str, pool: str = "") -> Iterator[Item]:
    """Every live version, neither withdrawn nor retired: single questions, then families. Raises ImportRefused."""
    exam = Exam.objects.filter(slug=slug).first()
    if exam is None:
        raise ImportRefused(f"There’s no exam “{slug}”.")
    solutions = Solution.objects.filter(
        version__live_of__exam=exam,
        version__live_of__withdrawn_at=None,
        version__live_of__retired_at=None,
        **({"version__pool": pool} if pool else {}),
    )
    facts = solutions.select_related("version__question", "version__domain", "version__hint", "version__family")
    family = F("version__family__key").asc(nulls_first=True)
    ordered = facts.order_by(family, "version__question__place", "version__question__number", "version__question_id")
    ordered = ordered.prefetch_related("version__concepts")
    return (_with_pictures(item_of_draft(draft_of_version(solution))) for solution in ordered.iterator(CHUNK))


def _with_pictures(item: Item) -> Item:
    names = sorted(pictures_of(item.draft)) if item.draft else []
    return dataclasses.replace(item, pictures=tuple(Encoded(name, content_of(name)) for name in names))


def desk_items(question_ids: Sequence[int]) -> Iterator[Item]:
    """These questions as on the desk, with a family's variants together."""
    rows = with_draft(Question.objects.filter(pk__in=question_ids))
    for question in rows.order_by("exam", F("family__key").asc(nulls_first=True), "place", "number", "pk").iterator(
        CHUNK
    ):
        yield _with_pictures(item_of_draft(draft_of(question)))
