"""What was and is said about a learner's next fresh mock: snapshots, forecasts and the standing, all derived."""

from __future__ import annotations

import dataclasses
import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from django.db.models import Count, Q

from practice.learners.models import Learner
from practice.measurement.ability.reads import Past
from practice.measurement.calibration.reads import Bank, Banks
from practice.notebook.reads.misses import count_misses
from practice.readiness.models import Forecast, ReadinessSnapshot, Standing
from practice.readiness.reads.outlooks import Claim, Prediction, next_mock, predict, states_at
from practice.sessions.models import UNLISTED, Mode, PracticeSession
from practice.sessions.reads.tally.reads import rows_of, tally_of
from practice.sessions.reads.tally.rules import pack
from practice.sessions.scoring.rules import needed_to_pass
from questions.catalogue.models import Blueprint, Exam

FRESH_SHARE = 0.9
"""A mock tests a prediction if at least this share of its questions hadn't been seen before."""
SNAPSHOT_FIELDS = ("learner", "exam", "calibration", "at", "answers", "chance", "low", "high", "count")
FORECAST_FIELDS = ("exam", "answers", "abandoned", "chance", "low", "high", "score", "passed")


@dataclass(frozen=True)
class Asking:
    """A time at which a prediction was made: after a session, or before a mock.

    ``blueprint`` None means today's; ``factor`` None means the time of the previous mock.
    """

    at: dt.datetime
    session: PracticeSession
    blueprint: Blueprint | None = None
    factor: float | None = None


def store_snapshots(learner: Learner, banks: Banks, past: Past, since: dt.datetime) -> None:
    """A snapshot for each analysed session that ended since ``since``; other rows from then on are deleted."""
    exam = banks.exam
    ended = [(session.finished_at, session) for session in _ended(learner, exam, since)]
    rows = [
        ReadinessSnapshot(
            session=asking.session, learner=learner, exam=exam, calibration=bank.calibration, at=asking.at,
            answers=said.answers, count=bank.blueprint.question_count, **_claimed(said.claim),
        )
        for asking, bank, said in _say(banks, past, [Asking(at, session) for at, session in ended if at])
    ]  # fmt: skip
    kept = [row.session for row in rows]
    ReadinessSnapshot.objects.filter(learner=learner, exam=exam, at__gte=since).exclude(session__in=kept).delete()
    ReadinessSnapshot.objects.bulk_create(
        rows, update_conflicts=True, unique_fields=["session"], update_fields=SNAPSHOT_FIELDS
    )


def store_forecasts(learner: Learner, banks: Banks, past: Past, since: dt.datetime) -> None:
    """A forecast for each fresh full-length mock that ended since ``since``, with its result."""
    exam = banks.exam
    askings = [
        Asking(s.started_at, s, s.blueprint, float(s.time_factor))
        for s in _ended(learner, exam, since)
        if _tests_a_prediction(s)
    ]
    rows = [
        Forecast(
            session=asking.session, exam=exam, answers=said.answers, abandoned=asking.session.pk in past.abandoned,
            **_claimed(said.claim), **_result(asking.session),
        )
        for asking, _, said in _say(banks, past, askings)
        if said.claim
    ]  # fmt: skip
    stale = Forecast.objects.filter(session__learner=learner, exam=exam, session__finished_at__gte=since)
    stale.exclude(session__in=[row.session for row in rows]).delete()
    Forecast.objects.bulk_create(rows, update_conflicts=True, unique_fields=["session"], update_fields=FORECAST_FIELDS)


def store_standing(learner: Learner, banks: Banks, past: Past, now: dt.datetime) -> None:
    """Today's prediction, and the tally of answers, which pages show without counting."""
    bank, rows = banks.at(now), rows_of(learner.pk, banks.exam.pk, until=now)
    said = predict(bank, states_at(bank, past.answers, [now])[0], next_mock(bank, past, now, bank.blueprint))
    facts = {
        "as_of": now,
        "answers": said.answers,
        "other_answers": len(past.answers) - said.answers,
        "count": bank.blueprint.question_count,
        "domains": [dataclasses.asdict(domain) for domain in said.domains],
        "tally": pack(tally_of(learner, rows, now)),
        "misses": count_misses(rows).pack(),
        **_claimed(said.claim),
    }
    row = Standing(learner=learner, exam=banks.exam, **facts)
    Standing.objects.bulk_create(
        [row], update_conflicts=True, unique_fields=["learner", "exam"], update_fields=list(facts)
    )


def _ended(learner: Learner, exam: Exam, since: dt.datetime) -> Sequence[PracticeSession]:
    """The analysed sessions that ended since then, each with its number of questions from unseen units.

    No contrasts: nothing new is known after one.
    """
    rows = PracticeSession.objects.filter(
        learner=learner, exam=exam, finished_at__gte=since, analysed_at__isnull=False, discarded_at=None
    ).exclude(mode__in=UNLISTED)
    fresh = Count("items__position", filter=Q(items__seen_before=False, items__variant_seen=False))
    return list(rows.select_related("blueprint").annotate(fresh=fresh).order_by("finished_at", "pk"))


def _say(banks: Banks, past: Past, askings: Sequence[Asking]) -> list[tuple[Asking, Bank, Prediction]]:
    """Predictions as known at each time, with the calibration of that time: one pass over the history per
    calibration."""
    said = []
    askings = sorted(askings, key=lambda asking: (asking.at, asking.session.pk))
    for bank, group in groupby(askings, key=lambda asking: banks.at(asking.at)):
        among = list(group)
        for asking, state in zip(among, states_at(bank, past.answers, [asking.at for asking in among]), strict=True):
            mock = next_mock(bank, past, asking.at, asking.blueprint or bank.blueprint, asking.factor)
            said.append((asking, bank, predict(bank, state, mock)))
    return said


def _tests_a_prediction(session: PracticeSession) -> bool:
    """Whether it was a mock of its guide's full length with nearly all questions unseen."""
    blueprint = session.blueprint
    if session.mode != Mode.MOCK or blueprint is None or session.total != blueprint.question_count:
        return False
    return bool(session.fresh >= FRESH_SHARE * session.total)  # type: ignore[attr-defined]


def _claimed(claim: Claim | None) -> dict[str, float | int | None]:
    return dataclasses.asdict(claim) if claim else {"chance": None, "low": None, "high": None}


def _result(session: PracticeSession) -> dict[str, int | bool]:
    score, mark = session.score or 0, session.blueprint.pass_mark if session.blueprint else 100
    return {"score": score, "passed": score >= needed_to_pass(session.total, mark)}
