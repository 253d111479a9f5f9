"""A learner's estimate for each objective of the exam guide: the learner model with objectives as skills."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from practice.learners.models import Learner
from practice.measurement.ability.reads import PastAnswer, days_of, past_of
from practice.measurement.ability.rules.belief import LearnerState, Vector, at, follow
from practice.measurement.ability.rules.pass_chance import NEEDED_IN_DOMAIN, abilities, fresh_curve, fresh_share
from practice.measurement.calibration.reads import Bank, Banks, asked
from practice.readiness.rules import bounded
from questions.catalogue.models import Exam, Objective
from questions.versions.models.versions import QuestionVersion
from questions.versions.reads.objectives import lead_objectives, named


@dataclass(frozen=True)
class Estimate:
    """An objective: first answers, and the share of unseen questions expected right with its 80% range, in percent.

    Share and range are None below three answers, and if no question is left to answer.
    """

    objective: Objective
    n: int
    share: int | None = None
    low: int | None = None
    high: int | None = None


@dataclass(frozen=True)
class EstimatesPage:
    """The objectives of the current guide, in its order. ``needed`` is the fewest answers for an estimate.

    ``measured``: difficulties come from a calibration, not from editors' labels alone.
    """

    exam: Exam
    lines: list[Estimate]
    measured: bool
    needed: int = NEEDED_IN_DOMAIN

    @property
    def begun(self) -> list[Estimate]:
        """Objectives with an answer."""
        return [line for line in self.lines if line.n]

    @property
    def answers(self) -> int:
        """The number of first answers to questions that name an objective."""
        return sum(line.n for line in self.lines)


def estimates_page(exam: Exam, learner: Learner | None, now: dt.datetime) -> EstimatesPage:
    """For this learner, in a constant number of queries; without a learner there are no answers."""
    rows = Objective.objects.filter(blueprint__exam=exam, blueprint__is_current=True, parent=None)
    objectives = list(rows.order_by("place"))
    found = past_of(learner.pk, exam.pk).answers if learner and objectives else []
    past = [each for each in found if each.known_at <= now]  # a session may end during this read
    if not past:
        return EstimatesPage(exam, [Estimate(each, 0) for each in objectives], measured=False)
    bank = Banks(exam).at(now)
    state = _followed(bank, past, objectives, now)
    return EstimatesPage(exam, _estimates(bank, state, objectives), measured=bank.calibration is not None)


def _followed(
    bank: Bank, past: Sequence[PastAnswer], objectives: Sequence[Objective], now: dt.datetime
) -> LearnerState:
    """The learner today. A question counts under the first objective it names; without one, only by its domain."""
    versions = {answer.version for answer in past}
    beliefs = bank.beliefs(asked(QuestionVersion.objects.filter(pk__in=versions)))
    lead = lead_objectives(versions, {each.number: each.pk for each in objectives})
    given = [replace(a.given(beliefs[a.version]), domain=lead.get(a.version, -a.domain)) for a in past]
    return at(follow(given, bank.population), days_of(now), bank.population)


def _estimates(bank: Bank, state: LearnerState, objectives: Sequence[Objective]) -> list[Estimate]:
    told = [each for each in objectives if state.firsts.get(each.pk, 0) >= NEEDED_IN_DOMAIN]
    curves = _curves(bank, told) if told else {}
    believed = abilities(state, list(curves), bank.population) if curves else {}
    lines = []
    for each in objectives:
        n = state.firsts.get(each.pk, 0)
        if each.pk in curves:
            shares = (bounded(share) for share in fresh_share(believed[each.pk], curves[each.pk]))
            lines.append(Estimate(each, n, *shares))
        else:
            lines.append(Estimate(each, n))
    return lines


def _curves(bank: Bank, objectives: Sequence[Objective]) -> Mapping[int, Vector]:
    """By objective, the chance at each ability of answering a full question that names it."""
    named_here = named(bank.exam)
    versions = QuestionVersion.objects.filter(pk__in=[each.version for each in named_here], is_basic=False)
    beliefs = bank.beliefs(asked(versions))
    live = [each for each in named_here if each.version in beliefs]
    under = {
        objective.pk: [beliefs[each.version] for each in live if each.is_under(objective.number)]
        for objective in objectives
    }
    return {pk: fresh_curve(among) for pk, among in under.items() if among}
