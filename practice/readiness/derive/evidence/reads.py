"""The outcomes of the trial, and its public page."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings
from django.db.models import OuterRef, QuerySet, Subquery

from practice.learners.reads import simulated
from practice.learners.trial.models import TrialMiss
from practice.learners.trial.rules import CONTRAST, KEPT_BACK, LATEST, PLAN
from practice.readiness.derive.evidence.rules import LOOK_AT, Effect, Outcome, effect_of
from practice.sessions.models import Mode, SessionItem
from questions.catalogue.models import Exam

COLUMNS = ("learner_id", "arm", "forecast", "forecast_at", "drawn_at", "answered", "right")


@dataclass(frozen=True)
class EvidencePage:
    """``n`` of ``look_at`` outcomes are in, from ``drawn`` misses; ``effect`` is None before the single analysis."""

    n: int
    look_at: int
    drawn: int
    plan: str
    effect: Effect | None
    is_running: bool


def evidence_page(exam: Exam) -> EvidencePage:
    """The same for everybody, in two queries."""
    drawn = drawn_misses(exam).count()
    outcomes = outcomes_of(exam)
    effect = effect_of(outcomes[:LOOK_AT]) if len(outcomes) >= LOOK_AT else None
    return EvidencePage(min(len(outcomes), LOOK_AT), LOOK_AT, drawn, PLAN, effect, settings.EVIDENCE)


def drawn_misses(exam: Exam) -> QuerySet[TrialMiss]:
    """Draws under the current plan, by people who count."""
    return TrialMiss.objects.filter(simulated.counts("learner__user__email"), exam=exam, plan=PLAN)


def outcomes_of(exam: Exam) -> list[Outcome]:
    """Draws with an outcome, by the time of the answer; in one query."""
    answers = SessionItem.objects.filter(
        session__learner=OuterRef("learner"), session__discarded_at=None, version__question=OuterRef("kept"),
        session__mode__in=[Mode.DRILL, Mode.REVIEW, Mode.MOCK], first_exposure=True, seen_before=False,
        is_correct__isnull=False,
    ).order_by("answered_at")  # fmt: skip
    rows = drawn_misses(exam).filter(forecast__isnull=False)
    rows = rows.annotate(
        answered=Subquery(answers.values("answered_at")[:1]), right=Subquery(answers.values("is_correct")[:1])
    )
    found = [
        (answered, pk, Outcome(learner, arm == CONTRAST, right, forecast))
        for pk, learner, arm, forecast, made, drawn, answered, right in rows.order_by().values_list("pk", *COLUMNS)
        if answered and drawn + KEPT_BACK <= answered <= drawn + LATEST and made < answered
    ]
    return [outcome for *_, outcome in sorted(found, key=lambda each: each[:2])]
