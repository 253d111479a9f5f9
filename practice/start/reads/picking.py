"""Which questions a sitting takes: unseen before seen, within each domain, in a constant number of statements."""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.conf import settings
from django.db.models import Case, Count, F, IntegerField, Max, Q, QuerySet, Value, When, Window
from django.db.models.functions import Mod, RowNumber
from django.utils.crypto import salted_hmac

from practice.learners.models import Learner
from practice.sessions.models import SessionItem
from practice.sessions.reads.shown import seen_questions
from questions.catalogue.models import Blueprint, Exam
from questions.versions.models.drafts import Pool
from questions.versions.models.versions import QuestionVersion

PRIME = 2_147_483_629
RESERVED_UNSEEN, OPEN_UNSEEN = 0, 1
PICKED = ("pk", "domain_id", "options")


@dataclass(frozen=True)
class Pick:
    """A version for a sitting, and whether this learner was shown its question before."""

    version_id: int
    domain_id: int
    slots: tuple[int, ...]
    seen_before: bool

    @classmethod
    def of(cls, row: Sequence[Any], seen_before: bool) -> Pick:
        """A pick from a row of ``PICKED``."""
        version_id, domain_id, options = row
        return cls(version_id, domain_id, tuple(option["slot"] for option in options), seen_before)


def live_versions(exam: Exam) -> QuerySet[QuestionVersion]:
    """The versions that may enter a new sitting: live, not withdrawn, not retired."""
    return QuestionVersion.objects.filter(live_of__exam=exam, live_of__withdrawn_at=None, live_of__retired_at=None)


def drawable(exam: Exam, reserved: bool = True, guests_on: dt.date | None = None) -> QuerySet[QuestionVersion]:
    """The versions a mock may take; without ``reserved`` the public ones alone.

    ``guests_on`` is the day of a guest's mock: of the reserved questions it takes those of the month's share.
    """
    rows = live_versions(exam)
    if not reserved:
        return rows.filter(pool=Pool.OPEN)
    return rows.filter(Q(pool=Pool.OPEN) | Q(pk__in=guest_share(exam, guests_on))) if guests_on else rows


def guest_share(exam: Exam, day: dt.date) -> QuerySet[QuestionVersion, Any]:
    """The reserved questions open to guests in a month, by domain the same share rounded up, as a subquery of ids.

    One share for all guests: whoever makes new cookies, or comes from ever more networks, meets the same ones again.
    """
    secret = salted_hmac("practice.guest_share", f"{exam.slug} {day:%Y-%m}", algorithm="sha256")
    order = [scrambled(int(secret.hexdigest()[:12], 16)), F("pk").asc()]
    rows = (
        live_versions(exam)
        .filter(pool=Pool.RESERVED)
        .annotate(
            place=Window(RowNumber(), partition_by=F("domain_id"), order_by=order),
            size=Window(Count("pk"), partition_by=F("domain_id")),
        )
    )
    beyond = F("place") * 100 - F("size") * settings.GUEST_POOL_PERCENT
    return rows.annotate(beyond=beyond).filter(beyond__lt=100).values("pk")


def scrambled(seed: int) -> Mod:
    """A database expression that orders rows by chance, the same for the same seed.

    id -> (a id + b) mod p with a, b from the seed: a permutation below the prime, on any database.
    """
    rng = random.Random(seed)
    a, b = rng.randrange(1, 2**30), rng.randrange(PRIME)
    return Mod(F("question_id") * Value(a) + Value(b), Value(PRIME))


def available(versions: QuerySet[QuestionVersion]) -> dict[int, int]:
    """By domain id, how many there are of what a mock may take."""
    rows = versions.values_list("domain_id").annotate(n=Count("pk"))
    return dict(rows.order_by())


def weights_of(blueprint: Blueprint) -> list[tuple[int, Decimal]]:
    """The blueprint's weights in the order of the domains' numbers."""
    return list(blueprint.domains.order_by("domain__number").values_list("domain_id", "weight"))


def pick_mock(
    versions: QuerySet[QuestionVersion], learner: Learner | None, wanted: Mapping[int, int], seed: int
) -> list[Pick]:
    """Of the versions those of a mock, shuffled: by domain exactly ``wanted``, where the bank has them.

    Reserved unseen first, then open unseen, then least recently seen. At most three statements, and as
    rows at most two for each question wanted, however large the bank or the learner's past.
    """
    picks = _unseen(versions, learner, wanted, seed)
    missing = dict(wanted)
    for pick in picks:
        missing[pick.domain_id] -= 1
    missing = {domain: n for domain, n in missing.items() if n > 0}
    if missing and learner:
        picks += _least_recent(versions, learner, missing)
    random.Random(seed).shuffle(picks)
    return picks


def _unseen(
    versions: QuerySet[QuestionVersion], learner: Learner | None, wanted: Mapping[int, int], seed: int
) -> list[Pick]:
    tier = Case(When(pool=Pool.RESERVED, then=RESERVED_UNSEEN), default=OPEN_UNSEEN, output_field=IntegerField())
    unseen = versions.exclude(question_id__in=seen_questions(learner))
    rows = first_of_each(unseen, wanted, [tier, scrambled(seed), F("pk").asc()])
    return [Pick.of(row, seen_before=False) for row in rows.order_by("pk").values_list(*PICKED)]


def _least_recent(versions: QuerySet[QuestionVersion], learner: Learner, wanted: Mapping[int, int]) -> list[Pick]:
    """The questions shown longest ago, chosen by domain in the database: it is not the whole past that comes back."""
    shown = SessionItem.objects.filter(
        displayed_at__isnull=False,
        session__learner=learner,
        version__question__live_version__in=versions.filter(domain_id__in=wanted),
    )
    live, domain = F("version__question__live_version_id"), F("version__question__live_version__domain_id")
    limit = Case(*[When(domain_id=pk, then=Value(count)) for pk, count in wanted.items()])
    oldest = (
        shown.order_by()  # the items' own order would be grouped by too, and count a question met twice as two
        .values(live_id=live, domain_id=domain)
        .annotate(last=Max("displayed_at"))
        .annotate(place=Window(RowNumber(), partition_by=F("domain_id"), order_by=[F("last"), F("live_id")]))
        .filter(place__lte=limit)
    )
    found = QuestionVersion.objects.filter(pk__in=[row["live_id"] for row in oldest])
    return [Pick.of(row, seen_before=True) for row in found.order_by("pk").values_list(*PICKED)]


def first_of_each(
    rows: QuerySet[QuestionVersion], wanted: Mapping[int, int], order: Sequence[Any]
) -> QuerySet[QuestionVersion]:
    """Of each domain the first wanted; what is sorted are ids alone, however long the texts of the rows."""
    place = Window(RowNumber(), partition_by=F("domain_id"), order_by=order)
    among = Q(pk__in=[])
    for domain, count in wanted.items():
        among |= Q(domain_id=domain, place__lte=count)
    return QuestionVersion.objects.filter(pk__in=rows.annotate(place=place).filter(among).values("pk"))
