"""Marking sections of study modules as read."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from django.db import transaction

from practice.learners.enrol import lock_known
from practice.learners.models import Learner, ModuleRead, SectionRead
from practice.learners.reads.identity import Owner
from questions.catalogue.models import Exam
from questions.modules.reads import Outline, outlines


def mark_sections(
    owner: Owner, exam: Exam, named: Iterable[tuple[int, str]], on: bool, now: dt.datetime
) -> list[tuple[int, str]]:
    """Mark these (module number, anchor) as read, or unread; returns those that exist.

    A module counts as read if and only if all its sections do. Only the plan uses this, so nothing is stored for people
    who haven't done anything here yet.
    """
    wanted, found = set(named), []
    with transaction.atomic():
        learner = lock_known(owner)
        if learner is None:
            return []
        for module in outlines(exam):
            anchors = [anchor for anchor, *_ in module.sections if (module.number, anchor) in wanted]
            if anchors:
                found += [(module.number, anchor) for anchor in anchors]
                (_mark if on else _unmark)(learner, module, anchors, now)
    return found


def _mark(learner: Learner, module: Outline, anchors: list[str], now: dt.datetime) -> None:
    _add(learner, module, anchors, now)
    read = SectionRead.objects.filter(learner=learner, module=module.pk).values_list("anchor", flat=True)
    if {anchor for anchor, *_ in module.sections} <= set(read):
        ModuleRead.objects.get_or_create(learner=learner, module_id=module.pk, defaults={"read_at": now})


def _unmark(learner: Learner, module: Outline, anchors: list[str], now: dt.datetime) -> None:
    """If the module was marked as a whole, its other sections stay read."""
    if ModuleRead.objects.filter(learner=learner, module=module.pk).delete()[0]:
        _add(learner, module, [anchor for anchor, *_ in module.sections], now)
    SectionRead.objects.filter(learner=learner, module=module.pk, anchor__in=anchors).delete()


def _add(learner: Learner, module: Outline, anchors: list[str], now: dt.datetime) -> None:
    rows = [SectionRead(learner=learner, module_id=module.pk, anchor=anchor, read_at=now) for anchor in anchors]
    SectionRead.objects.bulk_create(rows, ignore_conflicts=True)
