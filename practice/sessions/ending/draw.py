"""A miss enters the trial: what follows it is drawn at random, and recorded before anything is shown."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from django.conf import settings

from courseiva.common.later import after_commit
from practice.learners.trial.models import TrialMiss
from practice.learners.trial.rules import LEAST_FAMILY, PLAN, Draw
from practice.sessions.models import Mode, PracticeSession, SessionItem
from practice.sessions.reads.shown import seen_questions
from practice.sessions.reads.units import locked_families, seen_units, unit_at
from questions.versions.models.drafts import Pool, Question
from questions.versions.models.versions import QuestionVersion

WHERE = (Mode.DRILL, Mode.REVIEW, Mode.MOCK)


def draw_for(session: PracticeSession, items: Sequence[SessionItem], now: dt.datetime) -> None:
    """Record a draw for each of these misses that is eligible. Call where the learner's rows are written."""
    missed = [item for item in items if item.selected and item.is_correct is False]
    if not settings.EVIDENCE or not missed or session.mode not in WHERE or not session.learner.in_trial:
        return
    rows = QuestionVersion.objects.filter(question__family__isnull=False, question__pool=Pool.PUBLIC)
    versions = rows.select_related("question__family").in_bulk([item.version_id for item in missed])
    known = set(TrialMiss.objects.filter(learner=session.learner_id).values_list("family_id", flat=True))
    made = []
    for item in missed:
        version = versions.get(item.version_id)
        if version is None or version.question.family_id in known:
            continue
        miss = _drawn(session, item.position, version, now)
        if miss:
            miss.save()
            made.append(miss)
            known.add(miss.family_id)
    if made:
        after_commit("practice.forecast_trial", session.learner_id)


def _drawn(session: PracticeSession, position: int, version: QuestionVersion, now: dt.datetime) -> TrialMiss | None:
    """None if there are too few unseen variants, or no unseen plain question."""
    learner, question, draw = session.learner_id, version.question, Draw(str(session.uuid), position)
    live = Question.objects.filter(exam=session.exam_id, live_version__isnull=False, withdrawn_at=None, retired_at=None)
    live = live.filter(pool=Pool.PUBLIC, live_version__pool=Pool.PUBLIC)
    family = live.filter(family=question.family_id)
    unseen = family.exclude(pk__in=seen_questions(learner)).exclude(pk=question.pk)
    others = list(unseen.order_by("pk").values_list("pk", flat=True))
    if len(others) < 2 or family.count() < LEAST_FAMILY:
        return None
    elsewhere = live.filter(live_version__domain=version.domain_id).annotate(unit=unit_at("live_version__question"))
    elsewhere = elsewhere.exclude(unit__in=seen_units(learner)).exclude(unit__in=locked_families(learner))
    plain = list(elsewhere.exclude(family=question.family_id).order_by("pk").values_list("pk", flat=True))
    if not plain:
        return None
    rows = TrialMiss.objects.filter(learner=learner, exam=session.exam_id)
    return TrialMiss(
        learner_id=learner, exam_id=session.exam_id, family=question.family, missed=question,
        kept_id=draw.of(others, 1), plain_id=draw.of(plain, 2),
        arm=draw.arm(list(rows.order_by("drawn_at", "pk").values_list("arm", flat=True))), drawn_at=now, plan=PLAN,
    )  # fmt: skip
