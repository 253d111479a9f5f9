from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.db.models import Count, FilteredRelation, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from courseiva.common.quick.statements import composed_once
from practice.learners.models import Learner
from practice.learners.reads.zones import zone_of
from practice.sessions.models import Mode, PracticeSession, SessionItem
from practice.sessions.reads.history import OpenSession, open_sessions
from practice.sessions.reads.shown import seen_items
from practice.sessions.reads.tally.reads import current, seen_by
from practice.start.rationing.reads import DAY, drawn_by_account, may_draw_reserved
from practice.start.reads.bank import bank_of
from practice.start.reads.picking import Stock, stock_of, weights_of
from practice.start.rules import largest_fair_count, minutes_at_pace, shortfall
from questions.catalogue.models import Blueprint, BlueprintDomain, Exam
from questions.catalogue.rules.shares import allocate, printed

SHORTER = (50, 40, 30, 20, 10)


@dataclass(frozen=True)
class DomainShare:
    """How many of a mock's questions come from a domain, and how many of their units the learner has seen."""

    number: int
    name: str
    weight: str
    count: int
    seen: int


@dataclass(frozen=True)
class MockPage:
    """What the start page shows. ``lengths`` are (questions, minutes) on offer, the longest first.

    ``is_rationed``: the next mock takes only public questions, because the day's mocks with reserved ones are used up.
    """

    blueprints: list[Blueprint]
    blueprint: Blueprint
    lengths: list[tuple[int, int]]
    domains: list[DomainShare]
    running: OpenSession | None
    time_factor: str
    is_guest: bool
    is_rationed: bool
    zone: dt.tzinfo

    @property
    def count(self) -> int:
        """The longest mock on offer; 0 if the bank can't fill any."""
        return self.lengths[0][0] if self.lengths else 0

    @property
    def seen(self) -> int:
        """How many of its questions the learner has seen before."""
        return sum(domain.seen for domain in self.domains)

    @property
    def is_short(self) -> bool:
        """Whether the bank can't fill the exam's full length."""
        return self.count < self.blueprint.question_count


def mock_page(exam: Exam, learner: Learner | None, key: str, now: dt.datetime, network: str) -> MockPage:
    """The start page for this learner and the guide ``key``, or the current one."""
    blueprints = list(exam.blueprints.order_by("-effective_from"))
    blueprint = next((g for g in blueprints if g.key == key), None) or next(g for g in blueprints if g.is_current)
    parts = list(blueprint.domains.select_related("domain"))
    is_guest = learner is None or learner.user_id is None
    if learner is None or is_guest:
        reserved = may_draw_reserved(learner, network, now)
        seen = _displayed(learner.pk, exam.pk) if learner else []
        have, unseen = _have_and_unseen(exam, stock_of(exam, reserved, now.date()), seen)
        mine = open_sessions(learner, now) if learner else []
    else:
        reserved, kept, as_of = _account(learner, exam, now)
        done = current(learner, exam.pk, kept, as_of, now)
        have, unseen = _have_and_unseen(exam, stock_of(exam, reserved), done.tally.seen)
        mine = [each.as_open(now) for each in done.open]
    counts = fair_counts(blueprint.question_count, parts, have)
    return MockPage(
        blueprints=blueprints,
        blueprint=blueprint,
        lengths=[(n, minutes_at_pace(blueprint.minutes, blueprint.question_count, n)) for n in counts],
        domains=_domains(unseen, parts, counts[0] if counts else 0),
        running=next((s for s in mine if s.session.mode == Mode.MOCK and s.session.exam_id == exam.pk), None),
        time_factor=f"{learner.time_factor.normalize():f}" if learner else "1",
        is_guest=is_guest,
        is_rationed=not reserved,
        zone=zone_of(learner),
    )


def _account(learner: Learner, exam: Exam, now: dt.datetime) -> tuple[bool, str, dt.datetime | None]:
    """Whether the next mock may take reserved questions, the stored tally, and its time; in one statement."""
    ((drawn, kept, as_of),) = _drawn_and_kept(learner.pk, exam.pk, now - DAY)
    return drawn < settings.ACCOUNT_MOCKS_A_DAY, kept or "", as_of


@composed_once
def _drawn_and_kept(learner: int, exam: int, since: dt.datetime) -> QuerySet[Learner, Any]:
    drawn = drawn_by_account(learner, since).order_by().values("mode").annotate(n=Count("pk")).values("n")
    rows = Learner.objects.annotate(
        standing=FilteredRelation("standings", condition=Q(standings__exam=exam)), drawn=Coalesce(Subquery(drawn), 0)
    )
    return rows.filter(pk=learner).values_list("drawn", "standing__tally", "standing__as_of")


def _have_and_unseen(exam: Exam, stock: Stock, seen: Collection[int]) -> tuple[dict[int, int], dict[int, int]]:
    """By domain id, how many units a mock may take, and how many of these the learner hasn't seen."""
    covered = bank_of(exam).left(stock, seen)
    return {d: each.total for d, each in covered.items()}, {d: each.fresh for d, each in covered.items()}


@composed_once
def _displayed(learner: int, exam: int) -> QuerySet[SessionItem, Any]:
    return seen_items(learner).filter(session__exam=exam).order_by().values_list("version__question", flat=True)


@dataclass(frozen=True)
class Retake:
    """Another mock like a finished one.

    ``unseen`` is how many of its questions would be; ``left`` counts unseen units.
    """

    blueprint: Blueprint
    count: int
    time_factor: str
    conditions: str
    unseen: int
    left: int


def retake_of(session: PracticeSession, now: dt.datetime, network: str) -> Retake | None:
    """A mock with the same guide, length and time; None if the bank can't fill it any more or it wasn't a mock."""
    blueprint = session.blueprint
    if session.mode != Mode.MOCK or blueprint is None:
        return None
    wanted = allocate(weights_of(blueprint), session.total)
    have, unseen = _left_for(session.learner, session.exam, now, network)
    if shortfall(wanted, have):
        return None
    return Retake(
        blueprint=blueprint,
        count=session.total,
        time_factor=f"{session.time_factor.normalize():f}",
        conditions="pausable" if session.pausable else "exam",
        unseen=sum(min(count, unseen.get(domain, 0)) for domain, count in wanted.items()),
        left=sum(unseen.values()),
    )


def _left_for(learner: Learner, exam: Exam, now: dt.datetime, network: str) -> tuple[dict[int, int], dict[int, int]]:
    """By domain id, how many units the next mock may take, and how many would be unseen."""
    if learner.user_id is None:
        stock = stock_of(exam, may_draw_reserved(learner, network, now), now.date())
        return _have_and_unseen(exam, stock, _displayed(learner.pk, exam.pk))
    reserved, kept, as_of = _account(learner, exam, now)
    seen = seen_by(learner, exam.pk, kept, as_of) if kept and as_of else _displayed(learner.pk, exam.pk)
    return _have_and_unseen(exam, stock_of(exam, reserved), seen)


def fair_counts(full: int, parts: Sequence[BlueprintDomain], have: Mapping[int, int]) -> list[int]:
    """The exam's own length, or the longest the bank can fill exactly, and shorter ones it can fill."""
    weights = [(part.domain_id, part.weight) for part in parts]
    longest = largest_fair_count(weights, full, have)
    shorter = [n for n in SHORTER if n < longest and not shortfall(allocate(weights, n), have)]
    return [longest, *shorter] if longest else []


def _domains(unseen: Mapping[int, int], parts: Sequence[BlueprintDomain], count: int) -> list[DomainShare]:
    wanted = allocate([(part.domain_id, part.weight) for part in parts], count)
    return [
        DomainShare(
            number=part.domain.number,
            name=part.name,
            weight=printed(part.weight),
            count=wanted[part.domain_id],
            seen=max(0, wanted[part.domain_id] - unseen.get(part.domain_id, 0)),
        )
        for part in parts
    ]
