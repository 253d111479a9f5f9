"""What a drill may take: the learner's choices, and the versions that they allow."""

from __future__ import annotations

import datetime as dt
import uuid
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any

from django.db.models import Q, QuerySet
from django.utils import timezone

from practice.learners.models import Learner, Star
from practice.learners.trial.rules import KEPT_BACK
from practice.sessions.models import SessionItem
from practice.sessions.reads.marked import guessed_questions, missed_for, missed_questions
from practice.sessions.reads.shown import seen_questions, shown_questions
from practice.sessions.reads.siblings import kept_after
from practice.sessions.reads.units import locked_families, seen_units, shown_units
from practice.start.reads.picking import Versions, among, live_versions
from practice.start.rules import Order, State
from questions.catalogue.models import Exam
from questions.versions.models.drafts import Pool
from questions.versions.models.versions import QuestionVersion
from questions.versions.reads.objectives import named


@dataclass(frozen=True)
class DrillChoice:
    """A chosen drill; empty tuples mean "any". ``minutes_each`` None is untimed.

    The state "due" makes it a review. ``session`` narrows the state "missed" to that session's misses. ``miss`` narrows
    any state to questions the learner says were missed for that reason. ``objective`` is a number in the current
    guide's outline and includes its points. ``expects`` is how many questions its page said it would have; None if it
    didn't say.
    """

    size: int = 10
    domains: tuple[str, ...] = ()
    concepts: tuple[str, ...] = ()
    difficulties: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    state: State = State.ALL
    order: Order = Order.UNSEEN
    minutes_each: float | None = None
    feedback_each: bool = True
    ask_confidence: bool = False
    label: str = ""
    session: uuid.UUID | None = None
    miss: str = ""
    objective: str = ""
    expects: int | None = None
    public_only: bool = False

    @property
    def is_review(self) -> bool:
        """Whether it takes due questions, and counts as the day's reviews."""
        return self.state == State.DUE


class Part(Enum):
    """Which of the matching questions are drawn: all, those of unseen units, unseen variants of seen ones, or all of
    seen units."""

    ALL = 1
    FRESH = 2
    VARIANTS = 3
    MET = 4


@dataclass(frozen=True)
class Fitting:
    """What a choice allows one learner, as the values of a statement; ``fitting`` says which versions.

    ``versions`` are those of the chosen objective. It has no state "due", because due questions are drawn by card. If
    it ``is_known`` which reserved ones the learner was shown, the rows don't look for them.
    """

    exam: int
    learner: int | None
    kept_since: dt.datetime
    siblings: bool = False
    public_only: bool = False
    domains: tuple[str, ...] = ()
    concepts: tuple[str, ...] = ()
    difficulties: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    versions: tuple[int, ...] | None = None
    miss: str | None = None
    state: State = State.ALL
    session: uuid.UUID | None = None
    is_known: bool = False

    @classmethod
    def of(cls, learner: Learner | None, exam: Exam, choice: DrillChoice, *, siblings: bool = False) -> Fitting:
        """The choice for this learner, at this moment, in any state."""
        objective = choice.objective
        return cls(
            exam.pk,
            learner.pk if learner else None,
            timezone.now() - KEPT_BACK,
            siblings=siblings,
            public_only=choice.public_only,
            domains=choice.domains,
            concepts=choice.concepts,
            difficulties=choice.difficulties,
            kinds=choice.kinds,
            versions=tuple(each.version for each in named(exam) if each.is_under(objective)) if objective else None,
            miss=choice.miss or None,
        )

    def in_state(self, choice: DrillChoice) -> Fitting:
        """The same in the chosen state."""
        is_of_session = choice.state == State.MISSED and choice.session
        return replace(self, state=State(choice.state), session=choice.session if is_of_session else None)

    def rows(self) -> Versions:
        """The versions."""
        rows = self._labelled(self._allowed())
        if self.versions is not None:
            rows = rows.filter(pk__in=self.versions)
        if self.miss:
            rows = rows.filter(question_id__in=missed_for(self.learner, self.miss))
        return self._in_state(rows)

    def _allowed(self) -> Versions:
        rows = live_versions(self.exam).exclude(unit__in=locked_families(self.learner))
        rows = rows.exclude(question_id__in=kept_after(self.learner, self.kept_since))
        if self.public_only:
            return rows.filter(pool=Pool.PUBLIC)
        if self.is_known:
            return rows
        shown = (
            Q(unit__in=shown_units(self.learner)) if self.siblings else Q(question_id__in=shown_questions(self.learner))
        )
        return rows.exclude(~Q(pool=Pool.PUBLIC) & ~shown)

    def _labelled(self, rows: Versions) -> Versions:
        if self.domains:
            rows = rows.filter(domain__key__in=self.domains)
        if self.concepts:
            rows = rows.filter(pk__in=QuestionVersion.objects.filter(concepts__key__in=self.concepts).values("pk"))
        if self.difficulties:
            rows = rows.filter(difficulty__in=self.difficulties)
        return rows.filter(kind__in=self.kinds) if self.kinds else rows

    def _in_state(self, rows: Versions) -> Versions:
        if self.state == State.UNSEEN:
            return rows.exclude(unit__in=seen_units(self.learner))
        if self.session:
            return rows.filter(question_id__in=wrong_in(self.learner, self.session))
        found = {State.MISSED: missed_questions, State.GUESSED: guessed_questions, State.STARRED: starred_questions}
        return rows.filter(question_id__in=found[self.state](self.learner)) if self.state in found else rows


@dataclass(frozen=True)
class Draw:
    """What is drawn from, for one learner: the matching versions, without some units; ``sample`` restricts it to these
    questions."""

    fitting: Fitting
    without: tuple[int, ...] = ()
    sample: tuple[int, ...] | None = None

    def rows(self, part: Part) -> Versions:
        """The versions of this part."""
        rows, learner = self.fitting.rows(), self.fitting.learner
        if self.without:
            rows = rows.exclude(unit__in=self.without)
        if self.sample is not None:
            rows = among(rows, self.sample)
        if part == Part.ALL:
            return rows
        if part == Part.FRESH:
            return rows.exclude(unit__in=seen_units(learner))
        met = rows.filter(unit__in=seen_units(learner))
        return met.exclude(question_id__in=seen_questions(learner)) if part == Part.VARIANTS else met


def starred_questions(learner: Learner | int | None) -> QuerySet[Star, Any]:
    """The learner's starred questions, as a subquery of ids."""
    return Star.objects.filter(learner=learner).values("question_id")


def fitting(learner: Learner | None, exam: Exam, choice: DrillChoice, *, siblings: bool = False) -> Versions:
    """The versions a choice allows: public ones, and reserved ones that a finished session showed this learner.

    With ``siblings``, also reserved ones of which a sibling was shown. None in a family in an unfinished mock, and none
    held back by the trial. In any state.
    """
    return Fitting.of(learner, exam, choice, siblings=siblings).rows()


def wrong_in(learner: Learner | int | None, session: uuid.UUID) -> QuerySet[SessionItem, Any]:
    """Questions a finished session of this learner got wrong or left unanswered, as a subquery of ids."""
    mine = SessionItem.objects.filter(session__learner=learner, session__uuid=session, is_correct=False)
    return mine.filter(session__finished_at__isnull=False).values("version__question_id")
