"""Keeping counts, dates and order of the public questions."""

from __future__ import annotations

import datetime as dt

from django.db import transaction

from questions.catalogue.models import Exam
from questions.pages.counted.models import ListPart, PublicCounts
from questions.pages.counted.reads import counts_now, dates_now, order_now


def count_all(now: dt.datetime) -> int:
    """Recount each exam; returns how many exams there are."""
    exams = list(Exam.objects.order_by("pk"))
    for exam in exams:
        count_public(exam, now)
    return len(exams)


def count_public(exam: Exam, now: dt.datetime) -> None:
    """Recount an exam's public questions and store their order; writes only what differs, and the time."""
    # Before the transaction: on SQLite, nobody else could write meanwhile.
    parts = order_now(exam)
    found = counts_now(exam, parts)
    dates = dates_now(exam).stored()
    facts = {"total": found.total, "counts": found.stored(), "dates": dates, "counted_at": now}
    with transaction.atomic():
        # First, because it locks: if two count at once, the second stores its order after the first.
        PublicCounts.objects.update_or_create(exam=exam, defaults=facts)
        _keep_order(exam, parts)


def _keep_order(exam: Exam, parts: list[list[int]]) -> None:
    kept = dict(ListPart.objects.filter(exam=exam).values_list("place", "questions"))
    changed = [
        ListPart(exam=exam, place=place, questions=ids) for place, ids in enumerate(parts) if kept.get(place) != ids
    ]
    ListPart.objects.bulk_create(
        changed, update_conflicts=True, unique_fields=["exam", "place"], update_fields=["questions"]
    )
    if len(kept) > len(parts):
        ListPart.objects.filter(exam=exam, place__gte=len(parts)).delete()
