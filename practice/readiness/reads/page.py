"""The progress page of an exam: the prediction, the next step, and the evidence."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Any

from practice.learners.models import Learner
from practice.measurement.ability.rules.pass_chance import NEEDED_IN_DOMAIN
from practice.notebook.reads.misses import MissTable, count_misses, unpack
from practice.readiness.models import Standing
from practice.readiness.reads.map import FirstAnswers, Score, Tile, first_answers, tiles
from practice.readiness.reads.progress import Day, PaceBar, Trend, calendar, own_pace, pace_bars, trend
from practice.readiness.reads.steps import Situation, Step, first_step, next_step, situation
from practice.readiness.rules import TOO_EARLY, DomainFacts, bounded, word_for
from practice.sessions.reads.tally.reads import rows_of
from practice.sessions.scoring.rules import needed_to_pass
from practice.start.reads.reviews import DueForecast
from questions.catalogue.models import Blueprint, BlueprintDomain, Exam


@dataclass(frozen=True)
class DomainLine:
    """A domain: the expected share right among fresh questions, in percent with its 80% range; how much was seen.

    ``share`` is None below three answers, which say too little.
    """

    number: int
    key: str
    name: str
    weight: int
    n: int
    share: int | None
    low: int
    high: int
    seen: int
    total: int
    score: Score
    tiles: list[Tile]

    @property
    def fresh(self) -> int:
        return self.total - self.seen

    @property
    def width(self) -> int:
        """Width of the range, at least one percent so that it is visible."""
        return max(self.high - self.low, 1)


@dataclass(frozen=True)
class Verdict:
    """The word and the figures behind it. ``chance`` in percent, scores in percent of the mock's questions.

    ``measured``: difficulties come from a calibration, not from editors' labels alone.
    """

    word: str
    chance: int | None
    low: int | None
    high: int | None
    count: int
    needed: int
    pass_mark: int
    answers: int
    other_answers: int
    missing: int
    lacking: tuple[DomainFacts, ...]
    measured: bool

    @property
    def low_percent(self) -> int:
        return round(100 * (self.low or 0) / self.count)

    @property
    def high_percent(self) -> int:
        return round(100 * (self.high or 0) / self.count)

    @property
    def width(self) -> int:
        """Width of the range, in percent."""
        return self.high_percent - self.low_percent


@dataclass(frozen=True)
class Evidence:
    """The evidence behind the verdict, each part with its chart."""

    trend: Trend
    firsts: FirstAnswers
    pace: list[PaceBar]
    misses: MissTable
    weeks: list[list[Day]]
    forecast: DueForecast
    median_seconds: int | None
    exam_seconds: int


@dataclass(frozen=True)
class ReadinessPage:
    """The page. Without a learner, or before the first answer, it only has a step."""

    exam: Exam
    blueprint: Blueprint
    step: Step
    verdict: Verdict | None
    domains: list[DomainLine]
    evidence: Evidence | None
    found: Situation | None
    waiting: int
    as_of: dt.datetime | None
    zone: dt.tzinfo

    @property
    def asks_outcome(self) -> bool:
        """Whether exam day is past and the outcome wasn't reported."""
        plan, facts = (self.found.plan, self.found.facts) if self.found else (None, None)
        return bool(
            plan and facts and plan.told_at is None and facts.days_to_exam is not None and facts.days_to_exam < 0
        )


def readiness_page(guide: list[BlueprintDomain], learner: Learner | None, now: dt.datetime) -> ReadinessPage:
    """The page of an exam, by the domains of its current guide, in a constant number of queries."""
    blueprint, exam = guide[0].blueprint, guide[0].blueprint.exam
    if learner is None:
        return ReadinessPage(exam, blueprint, first_step(exam), None, [], None, None, 0, None, dt.UTC)
    found = situation(guide, learner, now)
    evidence = _evidence(exam, learner, found) if found.standing else None
    return ReadinessPage(
        exam=exam,
        blueprint=blueprint,
        step=next_step(exam, found),
        verdict=verdict_of(found),
        domains=_domains(found, evidence.firsts, tiles(found.now.tally, found.bank)) if evidence else [],
        evidence=evidence,
        found=found,
        waiting=found.now.waiting,
        as_of=found.standing.as_of if found.standing else None,
        zone=found.today.zone,
    )


def verdict_of(found: Situation) -> Verdict | None:
    """Today's verdict on the learner, from the stored standing; None before there is one."""
    blueprint, facts, standing = found.blueprint, found.facts, found.standing
    if standing is None:
        return None
    needed = needed_to_pass(blueprint.question_count, blueprint.pass_mark)
    word = word_for(standing.chance)
    return Verdict(
        word=word,
        chance=None if standing.chance is None else bounded(standing.chance),
        low=standing.low,
        high=standing.high,
        count=blueprint.question_count,
        needed=needed,
        pass_mark=blueprint.pass_mark,
        answers=standing.answers,
        other_answers=standing.other_answers,
        missing=facts.missing if word == TOO_EARLY else 0,
        lacking=facts.lacking,
        measured=found.measured,
    )


def _domains(found: Situation, firsts: FirstAnswers, concepts: dict[int, list[Tile]]) -> list[DomainLine]:
    said = _by_domain(found.standing)
    lines = []
    for row in found.domains:
        domain, covered = said.get(row.domain_id), found.covered.get(row.domain_id)
        if domain is None:
            continue
        lines.append(
            DomainLine(
                number=row.domain.number,
                key=row.domain.key,
                name=row.name,
                weight=round(row.weight),
                n=domain["n"],
                share=round(100 * domain["share"]) if domain["n"] >= NEEDED_IN_DOMAIN else None,
                low=round(100 * domain["low"]),
                high=round(100 * domain["high"]),
                seen=covered.seen if covered else 0,
                total=covered.total if covered else 0,
                score=firsts.by_domain.get(row.domain_id, Score()),
                tiles=concepts.get(row.domain_id, []),
            )
        )
    return lines


def _by_domain(standing: Standing | None) -> dict[int, dict[str, Any]]:
    return {row["domain"]: row for row in standing.domains} if standing else {}


def _evidence(exam: Exam, learner: Learner, found: Situation) -> Evidence:
    exam_seconds, tally = round(60 * found.blueprint.minutes / found.blueprint.question_count), found.now.tally
    return Evidence(
        trend=trend(learner, exam),
        firsts=first_answers(tally),
        pace=pace_bars(tally, exam_seconds),
        misses=_miss_table(learner, exam, found),
        weeks=calendar(tally, found.today.date),
        forecast=found.reviews.forecast(),
        median_seconds=own_pace(tally),
        exam_seconds=exam_seconds,
    )


def _miss_table(learner: Learner, exam: Exam, found: Situation) -> MissTable:
    """From the stored counts if they are current; otherwise counted."""
    stored = found.standing.misses if found.standing and found.now.is_kept else ""
    counted = unpack(stored) if stored else count_misses(rows_of(learner.pk, exam.pk))
    shown, locked = found.now.tally.shown, found.now.locked
    return counted.table({r: len(found.bank.drillable(qs, shown, locked)) for r, qs in counted.questions.items()})
