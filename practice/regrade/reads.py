"""What staff see of regrades: a version with its current key, proposals, and each regrade's progress."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from django.conf import settings
from django.db.models import Count, QuerySet

from courseiva.common.masks import slots_of
from practice.regrade.rules import Moves, Progress, progress
from practice.sessions.models import PracticeSession, SessionItem
from practice.sessions.scoring.models import Regrade, RegradeProposal
from practice.sessions.scoring.reads import keys_in_force
from questions.versions.models.versions import QuestionVersion


@dataclass(frozen=True)
class KeyedOption:
    """An option, with how many accepted answers currently contain it."""

    slot: int
    html: str
    is_right: bool


@dataclass(frozen=True)
class Reach:
    """A regrade, its progress, and how many sessions are left."""

    regrade: Regrade
    progress: Progress
    left: int

    @property
    def can_continue(self) -> bool:
        """Whether it has stopped and somebody has to continue it."""
        return self.progress in (Progress.STALLED, Progress.STOPPED, Progress.FAILED)


@dataclass(frozen=True)
class Proposed:
    """A proposal waiting for a second person; ``answers``: the options of each accepted answer, as HTML.

    ``own``: the viewer may not apply it.
    """

    proposal: RegradeProposal
    answers: Sequence[Sequence[str]]
    own: bool


@dataclass(frozen=True)
class RegradePage:
    """A version, its options with the current key, and its regrades. ``alone``: one person may propose and apply."""

    version: QuestionVersion
    options: list[KeyedOption]
    is_left_out: bool
    is_granted: bool
    proposed: Proposed | None
    regrades: list[Reach]
    alone: bool


def regrade_page(version_id: int, reader_id: int, now: dt.datetime) -> RegradePage:
    """Raises QuestionVersion.DoesNotExist."""
    version = QuestionVersion.objects.select_related("question__exam").get(pk=version_id)
    key = keys_in_force([version.pk])[version.pk]
    right = {slot for mask in key.masks for slot in slots_of(mask)}
    options = [
        KeyedOption(o["slot"], version.options_html[str(o["slot"])], o["slot"] in right) for o in version.options
    ]
    return RegradePage(
        version=version,
        options=options,
        is_left_out=not key.masks,
        is_granted=key.everyone,
        proposed=_proposed(version, reader_id),
        regrades=[_reach(row, now) for row in with_reach(version.regrades.all())],
        alone=settings.PUBLISH_OWN_QUESTIONS,
    )


def holding(version_id: int) -> QuerySet[PracticeSession]:
    """Sessions in which this version was marked or unanswered, by ascending id."""
    items = SessionItem.objects.filter(version_id=version_id)
    marked = PracticeSession.objects.filter(discarded_at=None, items__in=items)
    return marked.order_by("pk").distinct()


def with_reach(regrades: QuerySet[Regrade]) -> QuerySet[Regrade]:
    """Regrades with ``changed``, the number of sessions each has changed so far."""
    named = regrades.select_related("version__question__exam", "made_by", "proposal__made_by")
    return named.annotate(changed=Count("notices__session", distinct=True))


def progress_of(made: Regrade, now: dt.datetime) -> Progress:
    """How far a regrade is, without a query."""
    return progress(Moves(made.made_at, made.reached, made.moved_at, made.failed_at, made.done_at), now)


def _reach(made: Regrade, now: dt.datetime) -> Reach:
    found = progress_of(made, now)
    left = 0 if found == Progress.DONE else holding(made.version_id).filter(pk__gt=made.reached).count()
    return Reach(made, found, left)


def _proposed(version: QuestionVersion, reader_id: int) -> Proposed | None:
    rows = version.regrade_proposals.select_related("made_by")
    proposal = rows.filter(regrade=None, dropped_at=None).first()
    if proposal is None:
        return None
    answers = [[version.options_html[str(slot)] for slot in slots_of(mask)] for mask in proposal.masks]
    return Proposed(proposal, answers, proposal.made_by_id == reader_id and not settings.PUBLISH_OWN_QUESTIONS)
