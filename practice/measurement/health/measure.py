"""The health of every question of an exam, recomputed from all answers and the newest calibration."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from django.db import transaction
from django.db.models import Count
from django.db.models.functions import Coalesce, ExtractQuarter, ExtractYear

from practice.learners.reads import simulated
from practice.measurement.ability.rules.belief import guess_rate
from practice.measurement.ability.rules.pass_chance import GRID
from practice.measurement.calibration.nightly import FirstAnswers, first_answers, label_prior
from practice.measurement.calibration.reads import Bank, asked
from practice.measurement.calibration.rules.fit import calibrate
from practice.measurement.calibration.rules.marginal import Items
from practice.measurement.calibration.rules.rests import rest_chances
from practice.measurement.calibration.rules.triplets import Answers, Floats
from practice.measurement.health.rules import (
    Curve,
    Expectations,
    ItemSums,
    ability_to_pass,
    information,
    sums_by_item,
)
from practice.sessions.models import SessionItem
from questions.catalogue.models import Exam
from questions.versions.models.versions import QuestionVersion
from questions.versions.statistics.models import Calibration, ItemHealth

ROWS_AT_ONCE = 500
"""Bounds a statement, not the change: all of an exam's rows are replaced in one transaction."""
ROOT = Coalesce("version__measured_as_id", "version_id")


@dataclass
class Exposure:
    """How many learners a version was shown to, and how often by quarter: (year, quarter)."""

    met_by: int = 0
    by_quarter: dict[tuple[int, int], int] = field(default_factory=dict)


def measure_all() -> int:
    """Measure every exam; returns the number of versions measured."""
    return sum(measure_exam(exam) for exam in Exam.objects.order_by("pk"))


def measure_exam(exam: Exam) -> int:
    """Replace the stored health of an exam's questions; returns the number of versions measured.

    It depends only on answers, the newest calibration and the current blueprint, so running it twice changes nothing,
    and rebuilding is running it.
    """
    run = Calibration.objects.filter(exam=exam).order_by("made_at", "pk").last()
    shown, learners = _exposures(exam)
    curves = _curves(run) if run else {}
    sums = _sums(exam, run, curves) if run else {}
    ability = _ability_to_pass(Bank(exam, run)) if curves else None
    rows = []
    for pk in sorted(shown.keys() | sums.keys()):
        row = ItemHealth(version_id=pk, calibration=run, learners=learners, **_facts(shown.get(pk), sums.get(pk)))
        if pk in sums and ability is not None:
            row.information, row.information_error = information(curves[pk], ability)
        rows.append(row)
    with transaction.atomic():
        # If two runs are concurrent, the second waits and replaces the first one's rows.
        Exam.objects.select_for_update().get(pk=exam.pk)
        ItemHealth.objects.filter(version__question__exam=exam).delete()
        ItemHealth.objects.bulk_create(rows, batch_size=ROWS_AT_ONCE)
    return len(rows)


def _exposures(exam: Exam) -> tuple[dict[int, Exposure], int]:
    """By full version, whom it was shown to, and how many learners were shown any; without simulated people."""
    shown = SessionItem.objects.filter(
        session__exam=exam, displayed_at__isnull=False, version__is_basic=False
    ).order_by()
    shown = shown.filter(simulated.counts("session__learner__user__email")).annotate(
        root=ROOT,
        year=ExtractYear("displayed_at", tzinfo=dt.UTC),
        quarter=ExtractQuarter("displayed_at", tzinfo=dt.UTC),
    )
    learners = Count("session__learner", distinct=True)
    found = {pk: Exposure(n) for pk, n in shown.values("root").annotate(n=learners).values_list("root", "n")}
    by_quarter = shown.values("root", "year", "quarter").annotate(n=Count("position"))
    for pk, year, quarter, n in by_quarter.values_list("root", "year", "quarter", "n"):
        found[pk].by_quarter[year, quarter] = n
    return found, shown.aggregate(n=learners)["n"]


def _curves(run: Calibration) -> dict[int, Curve]:
    """By measured version, the curve found by the run."""
    versions = asked(QuestionVersion.objects.filter(parameters__calibration=run))
    guess = {each.version: guess_rate(each.options, each.choose) for each in versions}
    return {
        item.version_id: Curve(
            item.slope, item.difficulty, guess[item.version_id], item.slope_error, item.difficulty_error
        )
        for item in run.items.all()
    }


def _ability_to_pass(bank: Bank) -> float | None:
    """The ability that is expected to just reach the pass mark in a fresh mock; None if no mock can be drawn."""
    mock = bank.mock(bank.blueprint)
    if mock is None:
        return None
    right = np.array([count * mock.curves[domain] for domain, count in mock.counts.items()]).sum(axis=0)
    return ability_to_pass(right / mock.questions, GRID, bank.blueprint.pass_mark / 100)


def _sums(exam: Exam, run: Calibration, curves: Mapping[int, Curve]) -> dict[int, ItemSums]:
    """By version, what its answers say. A version first answered since the run has no curve yet and is left out."""
    first = _with_curves(first_answers(exam), curves)
    if not len(first.answers):
        return {}
    known = [curves[pk] for pk in first.versions]
    slope, place, guess = np.array([(each.slope, each.difficulty, each.guess) for each in known]).T
    # On the scale of the fit, where the abilities of those who answered are N(0, 1).
    items = Items(slope, -slope * (place - run.ability_mean), guess)
    quarters, place_of = np.unique(first.quarters, return_inverse=True)
    given = Expectations(
        item=first.answers.item,
        right=first.answers.correct,
        chance=rest_chances(first.answers, items),
        common=rest_chances(first.answers, _of_one_slope(first, guess)),
        quarter=place_of.astype(np.int32),
        items=len(known),
        quarters=len(quarters),
    )
    return {
        pk: replace(sums, quarters=[replace(each, quarter=int(quarters[each.quarter])) for each in sums.quarters])
        for pk, sums in zip(first.versions, sums_by_item(given), strict=True)
    }


def _of_one_slope(first: FirstAnswers, guess: Floats) -> Items:
    """The curves of these items if they all had the same slope."""
    rows = {row.version: row for row in asked(QuestionVersion.objects.filter(pk__in=first.versions))}
    found = calibrate(first.answers, "rasch", label_prior([rows[pk] for pk in first.versions]), guess)
    return Items(found.a, found.d, guess)


def _with_curves(first: FirstAnswers, curves: Mapping[int, Curve]) -> FirstAnswers:
    """The answers to versions that have a curve, renumbered."""
    known = np.array([pk in curves for pk in first.versions], np.bool_)
    given = first.answers
    if known.all():
        return first
    kept, number = known[given.item], np.cumsum(known, dtype=np.int32) - 1
    return FirstAnswers(
        Answers(
            given.learner[kept],
            number[given.item[kept]].astype(np.int32),
            given.correct[kept],
            given.learners,
            int(known.sum()),
        ),
        [pk for pk in first.versions if pk in curves],
        first.masks[kept],
        first.quarters[kept],
    )


def _facts(exposure: Exposure | None, sums: ItemSums | None) -> dict[str, Any]:
    """The columns for a version that was shown, answered, or both."""
    shown = exposure.by_quarter if exposure else {}
    answered = {(each.quarter // 4, each.quarter % 4 + 1): each for each in sums.quarters} if sums else {}
    quarters = []
    for when in sorted(shown.keys() | answered.keys()):
        told = answered.get(when)
        figures = (told.n, told.right, told.surplus, told.variance) if told else (0, 0, 0.0, 0.0)
        quarters.append([*when, shown.get(when, 0), *figures])
    whole = {name: getattr(sums, name) for name in ("n", "squares", "weight", "spread")} if sums else {}
    return {"met_by": exposure.met_by if exposure else 0, "quarters": quarters, **whole}
