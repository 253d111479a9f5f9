"""The percentile of a mock's score among other learners' scores."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.db.models import BooleanField, Case, Count, Exists, Min, OuterRef, Q, QuerySet, When
from django.utils import timezone

from courseiva.common.quick.statements import composed_once
from practice.learners.reads import simulated
from practice.sessions.models import Mode, PracticeSession, SessionItem
from questions.versions.statistics.rules import LEAST_TOLD


@dataclass(frozen=True)
class Standing:
    """Among ``others`` learners' first mocks, how many scored ``below`` and how many the ``same``.

    ``percentile`` is None below ``LEAST_TOLD``.
    """

    others: int
    below: int
    same: int
    least: int = LEAST_TOLD

    @property
    def percentile(self) -> int | None:
        """The percentage of others who scored lower, counting half of those with the same score."""
        return None if self.others < self.least else int(100 * (self.below + self.same / 2) / self.others)


def standing_of(session: PracticeSession) -> Standing:
    """Compare a finished mock with each other learner's first mock under the same exam guide, in one statement.

    Only first mocks, because later ones contain questions met before; mocks without any answer are left out. Scores are
    counted once every ten minutes, for everybody, because this reads every learner's mock.
    """
    key = f"first-mocks:{session.blueprint_id}"
    kept = cache.get(key)
    if kept is None:
        as_of, counted = timezone.now(), list(_counted(session))
        scores: Counter[tuple[int, int]] = Counter()
        for score, total, _, n in counted:
            scores[score, total] += n
        own = [(score, total) for score, total, is_own, _ in counted if is_own]
        cache.set(key, (as_of, scores), settings.MOCK_SCORES_SECONDS)
    else:
        as_of, scores = kept
        own = _own(session.learner_id, session.blueprint_id or 0, as_of, settings.DEMO)
    return _among(session, scores - Counter(own))


def _among(session: PracticeSession, others: Counter[tuple[int, int]]) -> Standing:
    mine, of = session.score or 0, session.total
    return Standing(
        others=others.total(),
        below=sum(n for (score, total), n in others.items() if score * of < total * mine),
        same=sum(n for (score, total), n in others.items() if score * of == total * mine),
    )


def _counted(session: PracticeSession) -> QuerySet[PracticeSession, Any]:
    """The number of first mocks by score, by total, and by whether it is this learner's own."""
    mocks = _mocks(session.blueprint_id or 0, demo=settings.DEMO)
    firsts = mocks.order_by().values("learner").annotate(first=Min("pk"))
    rows = PracticeSession.objects.filter(pk__in=firsts.values("first")).order_by()
    own = Case(When(learner=session.learner_id, then=True), default=False, output_field=BooleanField())
    return rows.annotate(own=own).values_list("score", "total", "own").annotate(n=Count("pk"))


@composed_once
def _own(learner: int, blueprint: int, as_of: dt.datetime, demo: bool) -> QuerySet[PracticeSession, Any]:
    """This learner's own first mock, if it was finished when the scores were counted."""
    mine = _mocks(blueprint, demo=demo).filter(learner=learner, finished_at__lte=as_of)
    return mine.order_by("pk").values_list("score", "total")[:1]


def _mocks(blueprint: int, *, demo: bool) -> QuerySet[PracticeSession]:
    """The finished mocks with an answer; outside the demo, only those of real people."""
    answered = SessionItem.objects.filter(session=OuterRef("pk"), selected__gt=0)
    whose = Q() if demo else simulated.people("learner__user__email")
    return PracticeSession.objects.filter(
        whose, Exists(answered), mode=Mode.MOCK, blueprint=blueprint, finished_at__isnull=False, discarded_at=None,
        score__isnull=False, total__gt=0,
    )  # fmt: skip
