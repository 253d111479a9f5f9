"""The percentile of a mock's score among other learners' scores."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count, Exists, F, Min, OuterRef, Q

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
    """Compare a finished mock with each other learner's first mock under the same exam guide, in one query.

    Only first mocks, because later ones contain questions seen before; mocks without any answer are left out.
    """
    answered = SessionItem.objects.filter(session=OuterRef("pk"), selected__gt=0)
    mocks = PracticeSession.objects.filter(
        simulated.counts("learner__user__email"), Exists(answered), mode=Mode.MOCK, blueprint=session.blueprint_id,
        finished_at__isnull=False, discarded_at=None, total__gt=0,
    )  # fmt: skip
    firsts = mocks.exclude(learner=session.learner_id).order_by().values("learner").annotate(first=Min("pk"))
    rows = PracticeSession.objects.filter(pk__in=firsts.values("first")).annotate(
        theirs=F("score") * session.total, mine=F("total") * (session.score or 0)
    )
    found = rows.aggregate(
        others=Count("pk"),
        below=Count("pk", filter=Q(theirs__lt=F("mine"))),
        same=Count("pk", filter=Q(theirs=F("mine"))),
    )
    return Standing(**found)
