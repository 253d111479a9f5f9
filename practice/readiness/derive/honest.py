"""How past predictions turned out, stored so that the public page needn't compute it."""

from __future__ import annotations

import datetime as dt

from practice.readiness.models import HonestyFigures
from practice.readiness.reads.honesty import measured, pack
from questions.catalogue.models import Exam


def measure_honesty(now: dt.datetime) -> int:
    """Recompute every exam's figures from its tested predictions; returns the number of exams."""
    exams = list(Exam.objects.order_by("pk"))
    for exam in exams:
        kept = {"figures": pack(measured(exam)), "as_of": now}
        HonestyFigures.objects.update_or_create(exam=exam, defaults=kept)
    return len(exams)
