"""The nightly run over an exam's first exposures: item parameters, and how fast people grow."""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from django.db import transaction
from django.db.models import Count, IntegerField
from django.db.models.functions import Cast, Coalesce, ExtractQuarter, ExtractYear

from courseiva.common.quick.arrays import array_of
from practice.measurement.ability.reads import past_of
from practice.measurement.ability.rules.belief import LABEL_DEVIATION, LABEL_OFFSET, GivenAnswer, guess_rate
from practice.measurement.ability.rules.growth import before_gap, with_growth
from practice.measurement.calibration.reads import USUAL_CENTRE, Asked, Bank, asked
from practice.measurement.calibration.rules import fit as engine
from practice.measurement.calibration.rules.anchors import link, newcomers
from practice.measurement.calibration.rules.marginal import Items
from practice.measurement.calibration.rules.rests import rest_ranks
from practice.measurement.calibration.rules.triplets import Answers, Floats, Ints, checked_answers
from practice.measurement.statistics.by_ability import store_by_ability
from practice.measurement.statistics.count import first_exposures
from practice.measurement.statistics.rules import RankedAnswers, Whole
from questions.catalogue.models import Exam
from questions.versions.models.versions import QuestionVersion
from questions.versions.statistics.models import Calibration, ItemParameters

LABELS = tuple(LABEL_OFFSET)
ROW = np.dtype(
    [("learner", np.int64), ("item", np.int64), ("right", np.bool_), ("mask", np.int16), ("quarter", np.int32)]
)
QUARTER = Cast(
    4 * ExtractYear("answered_at", tzinfo=dt.UTC) + ExtractQuarter("answered_at", tzinfo=dt.UTC) - 1, IntegerField()
)
"""Numbered as in ``FirstAnswers``. Computed by the database: parsing datetimes takes longer than the rest of a row."""
RECIPE = 3
"""Increased when a run computes something new: 2 since it also ranks learners for the item statistics, 3 since it also
places those who answered on the scale."""
CENTRE_ITEMS = 10
"""The weight of the usual centre, in calibrated questions."""
GROWTH_LEARNERS, GROWTH_ANSWERS = 500, 60
"""Growth is estimated over at most this many learners, who have at least this many first exposures. 500 determine its
variance to within a fifteenth; twice as many would take a third of the night, for a twentieth."""


@dataclass(frozen=True)
class FirstAnswers:
    """First exposures: the triplets, the version behind each item, and for each answer the chosen slots and the
    quarter.

    Quarters are numbered consecutively: four times the year, plus 0 to 3 (UTC).
    """

    answers: Answers
    versions: list[int]
    masks: Whole
    quarters: Ints


def calibrate_exam(exam: Exam, clock: Callable[[], dt.datetime]) -> Calibration | None:
    """Calibrate on all answers and store the run; None without an answer.

    It is dated when it is done, not when it began: forecasts meanwhile were made without it, and a rebuild must give
    the same. If nothing has changed since the newest run (no new answer, no corrected key), that run is returned, so
    running twice changes nothing.
    """
    first = first_answers(exam)
    given, versions = first.answers, first.versions
    if not len(given):
        return None
    newest = Calibration.objects.filter(exam=exam).order_by("made_at", "pk").last()
    digest = _digest(given, versions)
    if newest and newest.answers_digest == digest:
        return newest
    rows = {row.version: row for row in asked(QuestionVersion.objects.filter(pk__in=versions))}
    items = [rows[version] for version in versions]
    guessing = np.array([guess_rate(item.options, item.choose) for item in items])
    found = engine.calibrate(given, "2pl", label_prior(items), guessing)
    ranks = rest_ranks(given, Items(found.a, found.d, guessing))
    difficulty, error = found.b, _errors(found)
    shift = link(difficulty, error, *_anchors(items, newest))
    difficulty = difficulty + shift.mean
    coming = newcomers(shift, given.learners)
    with transaction.atomic():
        run = Calibration.objects.create(
            exam=exam, made_at=clock(), answers=len(given), learners=given.learners,
            log_likelihood=found.log_likelihood, centre=_centre(items, difficulty), growth_mean=0, growth_variance=0,
            ability_mean=shift.mean, newcomer_mean=coming.mean, newcomer_error=coming.error, answers_digest=digest,
        )  # fmt: skip
        ItemParameters.objects.bulk_create(_parameters(run, items, found, difficulty, error))
        population = with_growth(_histories(Bank(exam, run)))
        # Last, because it locks the rows that every finishing session adds to.
        store_by_ability(exam, versions, RankedAnswers(given.item, given.correct, first.masks, ranks, given.items))
        run.growth_mean, run.growth_variance, run.made_at = population.growth_mean, population.growth, clock()
        run.save(update_fields=["growth_mean", "growth_variance", "made_at"])
    return run


def calibrate_all(clock: Callable[[], dt.datetime]) -> int:
    """Calibrate every exam; returns how many have answers."""
    return sum(calibrate_exam(exam, clock) is not None for exam in Exam.objects.order_by("pk"))


def first_answers(exam: Exam) -> FirstAnswers:
    """Every first exposure of analysed sessions, streamed at 23 bytes per answer.

    Through adoption, a learner can have two first exposures of a question: the earlier one counts.
    """
    version = Coalesce("version__measured_as_id", "version_id")
    rows = first_exposures().filter(session__exam=exam, session__analysed_at__isnull=False)
    columns = rows.order_by("answered_at", "session_id").values_list(
        "session__learner_id", version, "is_correct", "selected", QUARTER
    )
    given = array_of(columns, ROW)
    learners, who = np.unique(given["learner"], return_inverse=True)
    versions, what = np.unique(given["item"], return_inverse=True)
    # The first row for each learner and item, keeping the rows in order of time.
    earliest = np.unique(who.astype(np.int64) * max(1, len(versions)) + what, return_index=True)[1]
    earliest.sort()
    given = given[earliest]
    learner, item = np.empty(len(given), np.int32), np.empty(len(given), np.int32)
    learner[:], item[:] = who[earliest], what[earliest]
    answers = checked_answers(learner, item, given["right"], len(learners), len(versions))
    return FirstAnswers(answers, versions.tolist(), given["mask"].astype(np.int64), given["quarter"])


def label_prior(items: Sequence[Asked]) -> engine.Prior:
    """The prior for items before any answer: from the editor's labels, which say little."""
    group = np.array([LABELS.index(item.difficulty) for item in items], dtype=np.int32)
    means = np.array([-(USUAL_CENTRE + LABEL_OFFSET[label]) for label in LABELS])
    return engine.Prior(group, means, d_sd=LABEL_DEVIATION)


def _digest(given: Answers, versions: Sequence[int]) -> str:
    """A digest of who answered what and how it was marked: it changes with a corrected key, even without new answers.

    It includes RECIPE, so that runs of a release that computed less aren't taken for today's.
    """
    columns = (np.array([RECIPE]), np.asarray(versions, np.int64), given.learner, given.item, given.correct)
    return hashlib.sha256(b"".join(column.tobytes() for column in columns)).hexdigest()


def _anchors(items: Sequence[Asked], newest: Calibration | None) -> tuple[Floats, Floats]:
    """The expected difficulty of each question and its error: from the previous run, else from its label."""
    rows = ItemParameters.objects.filter(calibration=newest) if newest else ItemParameters.objects.none()
    known = {row.version_id: (row.difficulty, row.difficulty_error) for row in rows}
    expected = [
        known.get(item.version, (USUAL_CENTRE + LABEL_OFFSET[item.difficulty], LABEL_DEVIATION)) for item in items
    ]
    anchor, error = np.array(expected).T
    return anchor, error


def _centre(items: Sequence[Asked], difficulty: Floats) -> float:
    surplus = [b - LABEL_OFFSET[item.difficulty] for item, b in zip(items, difficulty.tolist(), strict=True)]
    return (sum(surplus) + CENTRE_ITEMS * USUAL_CENTRE) / (len(surplus) + CENTRE_ITEMS)


def _errors(found: engine.Calibration) -> Floats:
    """The error of b = -d / a by the delta method, ignoring the small covariance of a and d."""
    errors: Floats = np.sqrt(found.se_d**2 + (found.b * found.se_a) ** 2) / found.a
    return errors


def _parameters(
    run: Calibration, items: Sequence[Asked], found: engine.Calibration, difficulty: Floats, error: Floats
) -> list[ItemParameters]:
    columns = zip(found.a, difficulty, found.se_a, error, found.n, strict=True)
    return [
        ItemParameters(
            calibration=run, version_id=item.version, slope=float(a), difficulty=float(b), slope_error=float(se_a),
            difficulty_error=float(se_b), n=int(n),
        )
        for item, (a, b, se_a, se_b, n) in zip(items, columns, strict=True)
    ]  # fmt: skip


def _histories(bank: Bank) -> Iterator[Sequence[GivenAnswer]]:
    """The histories of the learners with the most answers, in the learner model's form."""
    many = first_exposures().filter(session__exam=bank.exam).values("session__learner")
    many = many.annotate(n=Count("position")).filter(n__gte=GROWTH_ANSWERS).order_by("-n", "session__learner")
    chosen = list(many.values_list("session__learner", flat=True)[:GROWTH_LEARNERS])
    # Computed for all questions at once, because learners share them.
    beliefs = bank.beliefs(asked(QuestionVersion.objects.filter(question__exam=bank.exam))) if chosen else {}
    for learner in sorted(chosen):
        past = past_of(learner, bank.exam.pk).answers
        yield before_gap([answer.given(beliefs[answer.version]) for answer in past])
