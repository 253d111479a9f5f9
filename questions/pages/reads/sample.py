"""A public question to try, a different one each day."""

from __future__ import annotations

import datetime as dt

from questions.catalogue.models import Exam
from questions.pages.counted.reads import kept_dates
from questions.pages.counted.rules import NUMBERS
from questions.versions.reads.public import public_questions


def number_of_the_day(exam: Exam, count: int, today: dt.date) -> int | None:
    """Goes through the exam's public questions by number, one a day; ``count`` is how many there are."""
    if not count:
        return None
    start, kept = today.toordinal() % count, kept_dates(exam)
    # Not from the first number on: finding the 20,000th question would mean reading the 19,999 before it.
    part, place = kept.place_of(start) if kept else (1, start)
    rows = public_questions().filter(exam=exam, number__gt=(part - 1) * NUMBERS).order_by("number")
    return rows.values_list("number", flat=True)[place : place + 1].first()
