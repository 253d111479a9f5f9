"""A study module as one learner has it: read or not."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from practice.identity import Owner
from practice.models import ModuleRead
from practice.selectors.history import zone_of
from questions.models import Exam, StudyModule


@dataclass(frozen=True)
class ModuleMark:
    """Whether the learner has marked the module, and on which day of theirs."""

    exam: Exam
    module: StudyModule
    read_on: dt.date | None


def find_module(exam_slug: str, number: int) -> StudyModule:
    """The module with its exam. Raises StudyModule.DoesNotExist."""
    return StudyModule.objects.lines().select_related("exam").get(exam__slug=exam_slug, number=number)


def module_mark(module: StudyModule, owner: Owner | None) -> ModuleMark:
    """The mark of whoever asks; nobody has none."""
    rows = ModuleRead.objects.filter(module=module, **owner.of_row) if owner else ModuleRead.objects.none()
    mark = rows.select_related("learner").first()
    read_on = mark.read_at.astimezone(zone_of(mark.learner)).date() if mark else None
    return ModuleMark(module.exam, module, read_on)
