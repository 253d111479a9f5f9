"""Which questions a session takes: unseen before seen, one per unit, in a constant number of queries."""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any, TypeAlias

from django.conf import settings
from django.db.models import (
    BooleanField,
    Case,
    Count,
    F,
    IntegerField,
    Max,
    Min,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Value,
    When,
    Window,
)
from django.db.models.functions import Mod, RowNumber
from django.utils import timezone
from django.utils.crypto import salted_hmac

from courseiva.common.quick.statements import composed_once
from practice.learners.models import Learner
from practice.learners.trial.rules import KEPT_BACK
from practice.sessions.models import SessionItem
from practice.sessions.reads.shown import seen_questions
from practice.sessions.reads.siblings import kept_after
from practice.sessions.reads.units import seen_units, taken_units, unit_at
from questions.catalogue.models import Blueprint, BlueprintDomain, Exam
from questions.versions.models.drafts import Pool
from questions.versions.models.versions import QuestionVersion

Versions: TypeAlias = "QuerySet[Any, Any]"
"""Rows of QuestionVersion with their unit; a type checker can't follow a function's annotations."""

# Larger than any question id, so that ``scrambled`` never gives two the same place.
PRIME = 2_147_483_629
RESERVED_UNSEEN, PUBLIC_UNSEEN, VARIANT = 0, 1, 2
PICKED = ("pk", "domain_id", "options", "unit", "is_seen", "is_met")


@dataclass(frozen=True)
class Pick:
    """A version for a session: whether this learner has seen its question before, or only a variant."""

    version_id: int
    domain_id: int
    slots: tuple[int, ...]
    unit: int
    seen_before: bool
    variant_seen: bool

    @classmethod
    def of(cls, row: Sequence[Any]) -> Pick:
        version_id, domain_id, options, unit, is_seen, is_met = row
        slots = tuple(option["slot"] for option in options)
        return cls(version_id, domain_id, slots, unit, is_seen, is_met and not is_seen)


def live_versions(exam: Exam | int) -> Versions:
    """Versions that can enter a new session: live, not withdrawn, not retired; each with its ``unit``."""
    rows = QuestionVersion.objects.filter(live_of__exam=exam, live_of__withdrawn_at=None, live_of__retired_at=None)
    # Refers to the question whose live version it is, not to the version's question: they are the same, but this needs
    # no second join.
    return rows.annotate(unit=unit_at("live_of"))


def with_past(rows: Versions, learner: Learner | int | None) -> Versions:
    """The rows with what this learner has seen: the question itself (``is_seen``), or any of its unit."""
    if "unit" not in rows.query.annotations:
        rows = rows.annotate(unit=unit_at("question"))
    return rows.annotate(
        is_seen=_flag(Q(question_id__in=seen_questions(learner))),
        is_met=_flag(Q(unit__in=seen_units(learner))),
    )


def one_of_a_unit(rows: Versions, seed: int) -> Versions:
    """A random row per unit: the first by ``scrambled``, which gives no two questions the same place.

    Grouped, not windowed: another window would exceed the depth of SQLite's parser.
    """
    return one_each(rows, scrambled(seed))


def one_each(rows: Versions, place: Mod) -> Versions:
    """The same for an order by ``placed``."""
    first = rows.order_by().values("unit").annotate(first=Min(place)).values("first")
    return rows.annotate(place_in_unit=place).filter(place_in_unit__in=first)


def _flag(condition: Q) -> Case:
    return Case(When(condition, then=True), default=False, output_field=BooleanField())


@dataclass(frozen=True)
class Stock:
    """What a mock may take from an exam; without ``reserved``, only public questions.

    Guests take only a share of the reserved ones: ``percent`` of each domain's units, in the order by ``share``.
    """

    exam: int
    reserved: bool = True
    share: tuple[int, int] | None = None
    percent: int | None = None

    def versions(self) -> Versions:
        """The versions, all of them full."""
        rows = live_versions(self.exam).filter(is_basic=False)
        if not self.reserved:
            return rows.filter(pool=Pool.PUBLIC)
        if self.share is None or self.percent is None:
            return rows
        return rows.filter(Q(pool=Pool.PUBLIC) | Q(pk__in=_part_of_reserved(self.exam, self.share, self.percent)))


def stock_of(exam: Exam, reserved: bool = True, guests_on: dt.date | None = None) -> Stock:
    """What a mock may take; ``guests_on`` is the day of a guest's mock."""
    if not reserved or guests_on is None:
        return Stock(exam.pk, reserved)
    return Stock(exam.pk, reserved, _order_of_month(exam, guests_on), settings.GUEST_POOL_PERCENT)


def guest_share(exam: Exam, day: dt.date) -> Versions:
    """The reserved questions available to guests in a month: the same share of units in each domain, as a subquery of
    ids.

    Rounded up. The share is the same for all guests: new cookies or new networks bring the same ones again.
    """
    return _part_of_reserved(exam.pk, _order_of_month(exam, day), settings.GUEST_POOL_PERCENT)


def _order_of_month(exam: Exam, day: dt.date) -> tuple[int, int]:
    # Keyed, so that outsiders can't work out a month's share.
    secret = salted_hmac("practice.guest_share", f"{exam.slug} {day:%Y-%m}", algorithm="sha256")
    return factors(int(secret.hexdigest()[:12], 16))


def _part_of_reserved(exam: int, share: tuple[int, int], percent: int) -> Versions:
    reserved = live_versions(exam).filter(pool=Pool.RESERVED)
    first = reserved.order_by().values("unit").annotate(first=Min("question_id")).values("first")
    rows = reserved.filter(question_id__in=first).annotate(
        place=Window(RowNumber(), partition_by=F("domain_id"), order_by=[placed(*share), F("pk").asc()]),
        size=Window(Count("pk"), partition_by=F("domain_id")),
    )
    beyond = F("place") * 100 - F("size") * percent
    return reserved.filter(unit__in=rows.annotate(beyond=beyond).filter(beyond__lt=100).values("unit")).values("pk")


def scrambled(seed: int) -> Mod:
    """A database expression that orders rows randomly, the same for the same seed."""
    return placed(*factors(seed))


def factors(seed: int) -> tuple[int, int]:
    """The a and b of ``placed`` for a seed."""
    rng = random.Random(seed)
    return rng.randrange(1, 2**30), rng.randrange(PRIME)


def placed(a: int, b: int) -> Mod:
    """A question's place in a random order: id -> (a id + b) mod p, a permutation below the prime, on any database."""
    return Mod(F("question_id") * Value(a) + Value(b), Value(PRIME))


def place_of(question: int, a: int, b: int) -> int:
    """The same place for a question's id."""
    return (a * question + b) % PRIME


def available(versions: Versions) -> dict[int, int]:
    """By domain id, how many units a mock can draw from."""
    rows = versions.values_list("domain_id").annotate(n=Count("unit", distinct=True))
    return dict(rows.order_by())


def weights_of(blueprint: Blueprint) -> list[tuple[int, Decimal]]:
    """The blueprint's weights in the order of the domains' numbers."""
    return _weights(blueprint.pk)


@composed_once
def _weights(blueprint: int) -> QuerySet[BlueprintDomain, tuple[int, Decimal]]:
    rows = BlueprintDomain.objects.filter(blueprint=blueprint).order_by("domain__number")
    return rows.values_list("domain_id", "weight")


def pick_mock(
    stock: Stock,
    learner: Learner | None,
    wanted: Mapping[int, int],
    seed: int,
    sample: Collection[int] | None = None,
) -> list[Pick]:
    """A mock's versions, shuffled: exactly ``wanted`` per domain, if the bank has them.

    Unseen reserved units first, then unseen public ones, then variants of seen ones, then the least recently seen; one
    per unit. At most three queries, and few rows for each question wanted, however large the bank or the history. With
    a ``sample`` of the stock, only its questions are ranked; if it lacks unseen ones, all are, in one more query.
    """
    # Guests' sample has nothing beyond their share, which would take time to find again.
    picks = _unseen(replace(stock, share=None, percent=None), learner, wanted, seed, sample) if sample else []
    if len(picks) < sum(wanted.values()) or any(pick.variant_seen for pick in picks):
        picks = _unseen(stock, learner, wanted, seed)
    missing = dict(wanted)
    for pick in picks:
        missing[pick.domain_id] -= 1
    missing = {domain: n for domain, n in missing.items() if n > 0}
    if missing and learner:
        versions = not_kept(stock.versions(), learner.pk, timezone.now() - KEPT_BACK)
        picks += _least_recent(versions, learner, missing, {pick.unit for pick in picks if pick.domain_id in missing})
    # They come in order of id, with previously seen ones last.
    random.Random(seed).shuffle(picks)
    return picks


def among(versions: Versions, sample: Collection[int]) -> Versions:
    """The versions of these questions."""
    # Restricts both tables: with a condition on only one, PostgreSQL reads all of the other to join it.
    return versions.filter(live_of__in=sample, question_id__in=sample)


def not_kept(versions: Versions, learner: int, kept_since: dt.datetime) -> Versions:
    """Without what this learner must not be shown yet, or has the solutions of."""
    versions = versions.exclude(question_id__in=kept_after(learner, kept_since))
    return versions.exclude(unit__in=taken_units(learner))


def _unseen(
    stock: Stock,
    learner: Learner | None,
    wanted: Mapping[int, int],
    seed: int,
    sample: Collection[int] | None = None,
) -> list[Pick]:
    """Unseen questions, with unseen units before variants of seen ones."""
    rows = _unseen_rows(
        stock,
        learner.pk if learner else None,
        timezone.now() - KEPT_BACK if learner else None,
        list(wanted),
        list(wanted.values()),
        [*factors(seed), *factors(seed + 1)],
        sample,
    )
    return [Pick.of(row) for row in rows]


@composed_once
def _unseen_rows(
    stock: Stock,
    learner: int | None,
    kept_since: dt.datetime | None,
    domains: list[int],
    counts: list[int],
    places: list[int],
    sample: Collection[int] | None,
) -> QuerySet[QuestionVersion, Any]:
    versions = stock.versions()
    if learner and kept_since:
        versions = not_kept(versions, learner, kept_since)
    if sample:
        versions = among(versions, sample)
    tier = Case(
        When(is_met=True, then=VARIANT),
        When(pool=Pool.RESERVED, then=RESERVED_UNSEEN),
        default=PUBLIC_UNSEEN,
        output_field=IntegerField(),
    )
    a, b, a_in_unit, b_in_unit = places
    unseen = versions.exclude(question_id__in=seen_questions(learner))
    units = with_past(one_each(unseen, placed(a_in_unit, b_in_unit)), learner)
    wanted = dict(zip(domains, counts, strict=True))
    rows = first_of_each(units, wanted, [tier, placed(a, b), F("pk").asc()])
    return with_past(rows, learner).order_by("pk").values_list(*PICKED)


def _least_recent(versions: Versions, learner: Learner, wanted: Mapping[int, int], without: set[int]) -> list[Pick]:
    """Of the other units, those seen longest ago, selected in the database so that the whole history isn't fetched.

    For each, the question shown longest ago.
    """
    others = versions.filter(domain_id__in=wanted).exclude(unit__in=without)
    shown = SessionItem.objects.filter(
        displayed_at__isnull=False,
        session__learner=learner,
        version__question__live_version__in=others.values("pk"),
    )
    domain = F("version__question__live_version__domain_id")
    oldest = (
        shown.order_by()  # the items' default order would be added to the grouping, and count a unit seen twice as two
        .values(domain_id=domain, unit=unit_at("version__question"))
        .annotate(last=Max("displayed_at"))
        .annotate(place=Window(RowNumber(), partition_by=F("domain_id"), order_by=[F("last"), F("unit")]))
        .filter(place__lte=limit_of(wanted))
    )
    among = with_past(versions.filter(unit__in=[row["unit"] for row in oldest]), learner)
    return list(of_units(among, learner, "unit").values())


def of_units(rows: Versions, learner: Learner, *order: str) -> dict[int, Pick]:
    """By unit, in this order, the question that this learner saw longest ago, or never."""
    shown = SessionItem.objects.filter(session__learner=learner, version__question_id=OuterRef("question_id"))
    last = shown.order_by().values("version__question_id").annotate(at=Max("displayed_at")).values("at")
    found: dict[int, Pick] = {}
    ordered = rows.annotate(last=Subquery(last)).order_by(*order, F("last").asc(nulls_first=True), "pk")
    for row in ordered.values_list(*PICKED):
        pick = Pick.of(row)
        found.setdefault(pick.unit, pick)
    return found


def first_of_each(rows: Versions, wanted: Mapping[int, int], order: Sequence[Any]) -> Versions:
    """The first wanted of each domain; only ids are sorted, however long the rows' texts."""
    place = Window(RowNumber(), partition_by=F("domain_id"), order_by=order)
    among = rows.filter(domain_id__in=wanted).annotate(place=place).filter(place__lte=limit_of(wanted))
    return QuestionVersion.objects.filter(pk__in=among.values("pk"))


def limit_of(wanted: Mapping[int, int]) -> Case:
    """How many a row's domain should have."""
    return Case(*[When(domain_id=pk, then=Value(count)) for pk, count in wanted.items()], default=0)
