"""The learner's past and running sittings."""

from __future__ import annotations

from dataclasses import dataclass

from django.core.paginator import Page, Paginator

from practice.models import Learner, Mode, PracticeSession

PER_PAGE = 20


@dataclass(frozen=True)
class HistoryPage:
    """Sittings, newest first, and what is still open."""

    sessions: Page[PracticeSession] | None
    open: list[PracticeSession]
    is_guest: bool


def own_sessions(learner: Learner) -> list[PracticeSession]:
    """Open sittings that can be gone on with, newest first."""
    rows = PracticeSession.objects.filter(learner=learner, finished_at=None, discarded_at=None)
    return list(rows.exclude(mode=Mode.PAGE).select_related("exam", "blueprint")[:10])


def history_page(learner: Learner | None, number: str) -> HistoryPage:
    """One page of history; the statements do not grow with the number of sittings."""
    if learner is None:
        return HistoryPage(None, [], True)
    rows = PracticeSession.objects.filter(learner=learner, finished_at__isnull=False).exclude(mode=Mode.PAGE)
    pages = Paginator(rows.select_related("exam", "blueprint").order_by("-finished_at", "-pk"), PER_PAGE)
    return HistoryPage(pages.get_page(number), own_sessions(learner), learner.user_id is None)
