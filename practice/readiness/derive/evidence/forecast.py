"""The chance that the answer to a held-back variant will be right, stored before it is given."""

from __future__ import annotations

import datetime as dt

from django.db import transaction

from practice.learners.models import Learner
from practice.learners.trial.models import TrialMiss
from practice.measurement.ability.reads import days_of, past_of
from practice.measurement.ability.rules.belief import GivenAnswer, chance
from practice.measurement.calibration.reads import Banks, asked
from practice.readiness.reads.outlooks import states_at
from questions.versions.models.versions import QuestionVersion


def forecast_trial(learner_id: int, now: dt.datetime) -> int:
    """Make missing forecasts for a learner's draws, from what was known at the draw; returns how many."""
    with transaction.atomic():
        # Locked as for an analysis: the past must not change hands, or gain an answer, before the forecast is stored.
        learner = Learner.objects.select_for_update().filter(pk=learner_id).first()
        rows = TrialMiss.objects.filter(learner=learner, forecast=None).select_related("exam")
        waiting = list(rows.order_by("drawn_at", "pk")) if learner else []
        for miss in waiting:
            miss.forecast, miss.forecast_at = _chance(miss), now
            miss.save(update_fields=["forecast", "forecast_at"])
    return len(waiting)


def forecast_waiting(now: dt.datetime) -> int:
    """The same for everybody whose task was lost."""
    learners = TrialMiss.objects.filter(forecast=None).order_by().values_list("learner", flat=True).distinct()
    return sum(forecast_trial(pk, now) for pk in list(learners))


def _chance(miss: TrialMiss) -> float | None:
    """None if the variant is no longer live: there will be no outcome."""
    version = QuestionVersion.objects.filter(live_of=miss.kept_id).first()
    if version is None:
        return None
    bank = Banks(miss.exam).at(miss.drawn_at)
    past = past_of(miss.learner_id, miss.exam_id)
    state = states_at(bank, past.answers, [miss.drawn_at])[0]
    belief = bank.beliefs(asked(QuestionVersion.objects.filter(pk=version.pk)))[version.pk]
    coming = GivenAnswer(days_of(miss.drawn_at), version.domain_id, version.question_id, belief, right=False)
    return round(chance(state, coming, bank.population), 4)
