"""Which study modules a learner has read."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from practice.learners.models import ModuleRead
from practice.learners.reads.identity import Owner
from practice.learners.reads.zones import zone_of
from questions.catalogue.models import Exam, StudyModule


@dataclass(frozen=True)
class ModuleMark:
    """Whether the learner has marked the module, and on which day in their time zone."""

    exam: Exam
    module: StudyModule
    read_on: dt.date | None


@dataclass(frozen=True)
class ModuleLine:
    """A module in an exam's list, and the learner's day of marking it; None if not marked."""

    module: StudyModule
    read_on: dt.date | None


def find_module(exam_slug: str, number: int) -> StudyModule:
    """The module with its exam. Raises StudyModule.DoesNotExist."""
    return StudyModule.objects.lines().select_related("exam").get(exam__slug=exam_slug, number=number)


def module_mark(module: StudyModule, owner: Owner | None) -> ModuleMark:
    """The requester's mark; without an owner there is none."""
    rows = ModuleRead.objects.filter(module=module, **owner.of_row) if owner else ModuleRead.objects.none()
    mark = rows.select_related("learner").first()
    return ModuleMark(module.exam, module, _day(mark) if mark else None)


def module_lines(exam: Exam, owner: Owner | None) -> list[ModuleLine]:
    """The exam's modules in order, with the requester's marks; two queries."""
    marks = ModuleRead.objects.filter(module__exam=exam, **owner.of_row) if owner else ModuleRead.objects.none()
    read = {mark.module_id: _day(mark) for mark in marks.select_related("learner")}
    return [ModuleLine(module, read.get(module.pk)) for module in exam.modules.lines()]


def _day(mark: ModuleRead) -> dt.date:
    return mark.read_at.astimezone(zone_of(mark.learner)).date()
