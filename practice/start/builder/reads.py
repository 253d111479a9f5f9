"""How many questions each choice leaves a learner; the number of queries doesn't grow with the bank."""

from __future__ import annotations

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db.models import QuerySet

from practice.learners.models import DrillPreset, Learner
from practice.reviews.reads import Today, done_today, due_cards, left_today
from practice.sessions.reads.marked import guessed_questions, missed_for, missed_questions
from practice.sessions.reads.shown import shown_questions
from practice.sessions.reads.units import seen_units
from practice.start.reads.drills import guide_shares
from practice.start.reads.fitting import DrillChoice, fitting, starred_questions, wrong_in
from practice.start.rules import Order, State
from questions.catalogue.models import Exam, Objective
from questions.versions.models.drafts import Pool
from questions.versions.models.versions import QuestionVersion
from questions.versions.reads.objectives import is_under, named

FACETS = ("state", "domain", "objective", "concept", "difficulty", "kind")


@dataclass(frozen=True)
class Candidate:
    """A question that could be drawn: its unit, its domain's row, and its values by facet."""

    unit: int
    domain_id: int
    values: Mapping[str, frozenset[str]]


@dataclass(frozen=True)
class BuilderPage:
    """The builder. ``counts`` are units by facet and value; ``total`` match all choices, ``drawn`` would be asked."""

    counts: dict[str, Counter[str]]
    total: int
    drawn: int
    asked: int
    objectives: list[tuple[str, list[Objective]]]
    presets: list[DrillPreset]

    @property
    def is_short(self) -> bool:
        """Whether there are fewer than requested."""
        return self.drawn < self.asked


def builder_page(exam: Exam, learner: Learner | None, choice: DrillChoice, now: dt.datetime) -> BuilderPage:
    """What each choice leaves given the others, so that a number says what one more tap would give."""
    objectives = list(_objectives(exam))
    rows = _candidates(exam, learner, choice, objectives, now)
    chosen = _chosen(choice)
    fits = [row for row in rows if _misses(row, chosen) == []]
    by_domain: dict[str, list[Objective]] = defaultdict(list)
    for each in objectives:
        by_domain[str(each.domain)].append(each)
    return BuilderPage(
        counts=_counts(rows, chosen),
        total=len({row.unit for row in fits}),
        drawn=_drawn(exam, learner, choice, fits, now),
        asked=choice.size,
        objectives=list(by_domain.items()),
        presets=presets_of(learner, exam),
    )


def presets_of(learner: Learner | None, exam: Exam) -> list[DrillPreset]:
    """The learner's presets, by name."""
    return list(DrillPreset.objects.filter(learner=learner, exam=exam).select_related("exam")) if learner else []


def _chosen(choice: DrillChoice) -> dict[str, frozenset[str]]:
    """The chosen values by facet; a facet without any isn't restricted."""
    chosen: dict[str, Sequence[str]] = {
        "state": (str(choice.state),),
        "domain": choice.domains,
        "objective": (choice.objective,) if choice.objective else (),
        "concept": choice.concepts,
        "difficulty": choice.difficulties,
        "kind": choice.kinds,
    }
    return {facet: frozenset(values) for facet, values in chosen.items() if values}


def _misses(row: Candidate, chosen: Mapping[str, frozenset[str]]) -> list[str]:
    """The facets that a row doesn't match."""
    return [facet for facet, values in chosen.items() if not values & row.values[facet]]


def _counts(rows: Sequence[Candidate], chosen: Mapping[str, frozenset[str]]) -> dict[str, Counter[str]]:
    """By facet and value, the units that match all the other facets."""
    units: dict[tuple[str, str], set[int]] = defaultdict(set)
    for row in rows:
        missed = _misses(row, chosen)
        if len(missed) > 1:
            continue
        for facet in missed or FACETS:
            for value in row.values[facet]:
                units[facet, value].add(row.unit)
    found: dict[str, Counter[str]] = {facet: Counter() for facet in FACETS}
    for (facet, value), of_value in units.items():
        found[facet][value] = len(of_value)
    return found


def _drawn(
    exam: Exam, learner: Learner | None, choice: DrillChoice, fits: Sequence[Candidate], now: dt.datetime
) -> int:
    """How many questions the drill would have: reviews are limited per day, and a share of the guide may run short."""
    found = len({row.unit for row in fits})
    if choice.is_review:
        today = Today.of(learner, now) if learner else None
        return min(choice.size, found, left_today(done_today(learner, exam, today))) if learner and today else 0
    if choice.order != Order.GUIDE:
        return min(choice.size, found)
    units: dict[int, set[int]] = defaultdict(set)
    for row in fits:
        units[row.domain_id].add(row.unit)
    return sum(min(n, len(units[domain])) for domain, n in guide_shares(exam, choice.size, choice.domains).items())


def _objectives(exam: Exam) -> Sequence[Objective]:
    """The current guide's objectives, without points."""
    rows = Objective.objects.filter(blueprint__exam=exam, blueprint__is_current=True, parent=None)
    return list(rows.select_related("domain").order_by("place"))


def _candidates(
    exam: Exam, learner: Learner | None, choice: DrillChoice, objectives: Sequence[Objective], now: dt.datetime
) -> list[Candidate]:
    """Every question that some choice could give this learner; reasons for misses narrow all of them."""
    rows = fitting(learner, exam, DrillChoice(), siblings=True)
    concepts = defaultdict(set)
    tagged = QuestionVersion.concepts.through.objects.filter(questionversion__live_of__exam=exam)
    for version, key in tagged.values_list("questionversion_id", "concept__key"):
        concepts[version].add(key)
    numbers = {
        each.version: {top.number for top in objectives if any(is_under(n, top.number) for n in each.objectives)}
        for each in named(exam)
    }
    past = Past.of(learner, exam, choice, now)
    found = []
    columns = ("pk", "question_id", "unit", "pool", "domain_id", "domain__key", "difficulty", "kind")
    for pk, question, unit, pool, domain_id, domain, difficulty, kind in rows.order_by().values_list(*columns):
        states = past.states(question, unit, pool == Pool.PUBLIC)
        if not states or (past.for_reason is not None and question not in past.for_reason):
            continue
        values = {
            "state": states,
            "domain": {domain},
            "objective": numbers.get(pk, set()),
            "concept": concepts[pk],
            "difficulty": {difficulty},
            "kind": {kind},
        }
        found.append(Candidate(unit, domain_id, {facet: frozenset(each) for facet, each in values.items()}))
    return found


@dataclass(frozen=True)
class Past:
    """A learner's history: ids of questions, or of units where the name says so. ``for_reason`` None means any."""

    shown: frozenset[int] = frozenset()
    seen_units: frozenset[int] = frozenset()
    due_units: frozenset[int] = frozenset()
    of_state: Mapping[State, frozenset[int]] = field(default_factory=dict)
    for_reason: frozenset[int] | None = None

    @classmethod
    def of(cls, learner: Learner | None, exam: Exam, choice: DrillChoice, now: dt.datetime) -> Past:
        if learner is None:
            return cls(for_reason=frozenset() if choice.miss else None)
        wrong = wrong_in(learner, choice.session) if choice.session else missed_questions(learner)
        due = due_cards(learner, exam, Today.of(learner, now))
        return cls(
            shown=_ids(shown_questions(learner)),
            seen_units=_ids(seen_units(learner)),
            due_units=_ids(due.values("unit")),
            of_state={
                State.MISSED: _ids(wrong),
                State.GUESSED: _ids(guessed_questions(learner)),
                State.STARRED: _ids(starred_questions(learner)),
            },
            for_reason=_ids(missed_for(learner, choice.miss)) if choice.miss else None,
        )

    def states(self, question: int, unit: int, is_public: bool) -> set[str]:
        """A question's states; one that may only be shown as a variant of something due has no state but that."""
        found = {str(State.DUE)} if unit in self.due_units else set()
        if not is_public and question not in self.shown:
            return found
        found |= {str(state) for state, questions in self.of_state.items() if question in questions}
        return found | {str(State.ALL)} | (set() if unit in self.seen_units else {str(State.UNSEEN)})


def _ids(rows: QuerySet[Any, Any]) -> frozenset[int]:
    """The single column of the rows."""
    return frozenset(next(iter(row.values())) for row in rows)
