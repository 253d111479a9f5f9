"""Who is waiting for the latest steps of drafts and hasn't been emailed yet."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.contrib.auth import get_user_model

from questions.desk.models import DeskAct, DeskEntry, NoDeskMail, ToldEntry

TRIED_FOR = dt.timedelta(days=7)
"""After an upgrade or an outage nobody is mailed about steps from weeks ago."""
TOLD_ACTS = (DeskAct.SUBMITTED, DeskAct.SENT_BACK, DeskAct.PUBLISHED)


@dataclass(frozen=True)
class Step:
    """One step of a draft, or of a family's drafts together: its entries, and who is waiting for it, if anybody."""

    entries: tuple[DeskEntry, ...]
    waits: Any | None

    @property
    def first(self) -> DeskEntry:
        """The entry of the first of its questions."""
        return self.entries[0]


def untold_steps(now: dt.datetime) -> list[Step]:
    """Steps of the last few days that nobody has been told about, oldest first."""
    rows = DeskEntry.objects.filter(act__in=TOLD_ACTS, at__gt=now - TRIED_FOR, toldentry=None)
    grouped: dict[tuple[Any, ...], list[DeskEntry]] = {}
    for entry in rows.select_related("question__exam", "question__family", "by").order_by("at", "id"):
        unit = ("family", entry.question.family_id) if entry.question.family_id else ("question", entry.question_id)
        grouped.setdefault((unit, entry.act, entry.by_id, entry.at), []).append(entry)
    return [Step(tuple(entries), _who_waits(entries)) for entries in grouped.values()]


def wants_mail(user: Any) -> bool:
    """Whether this person wants emails from the desk."""
    return not NoDeskMail.objects.filter(user=user.pk).exists()


def is_told(entries: Iterable[DeskEntry]) -> bool:
    """Whether another process has handled these meanwhile."""
    return ToldEntry.objects.filter(entry__in=list(entries)).exists()


def _who_waits(entries: list[DeskEntry]) -> Any | None:
    """The person who submitted what was reviewed, or who sent back what is resubmitted; not if they did it
    themselves."""
    entry = entries[0]
    questions = [each.question_id for each in entries]
    asked = DeskAct.SENT_BACK if entry.act == DeskAct.SUBMITTED else DeskAct.SUBMITTED
    before = DeskEntry.objects.filter(question__in=questions, at__lte=entry.at, pk__lt=entry.pk)
    if asked == DeskAct.SENT_BACK:
        published = before.filter(act=DeskAct.PUBLISHED).order_by("-id").first()
        before = before.filter(pk__gt=published.pk) if published else before
    last = before.filter(act=asked).order_by("-id").first()
    if last is None or last.by_id in (None, entry.by_id):
        return None
    person: Any = get_user_model()._default_manager.filter(pk=last.by_id, is_active=True, is_staff=True).first()
    if person is None or not person.has_perm("questions.change_question"):
        return None
    return person if wants_mail(person) else None
