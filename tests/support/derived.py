"""Reads everything derived from answers, to compare two ways of deriving it, and makes finished sessions for both.

Run as a program, in a separate process with the site's settings, ``sit N`` leaves N finished sessions whose analysis
was queued three times each, and ``compare`` says whether the rows are those of a clean run.
"""

from __future__ import annotations

import datetime as dt
import random
import sys
from typing import Any


def derived() -> dict[str, list[dict[str, Any]]]:
    """Return every derived row, without keys that a rebuild draws again and without counts of zero. A row whose answers
    a regrade left out means the same as no row; it stays because another count may be waiting for its lock.
    """
    from practice.models import Forecast, ReadinessSnapshot, ReviewCard, Standing
    from questions.models import ItemHealth, OptionStatistics, VersionStatistics

    keys: dict[Any, tuple[str, ...]] = {
        VersionStatistics: ("version",),
        OptionStatistics: ("version", "slot"),
        ItemHealth: ("version",),
        ReadinessSnapshot: ("session",),
        Forecast: ("session",),
        Standing: ("learner", "exam"),
        ReviewCard: ("learner", "question"),
    }
    return {
        model.__name__: [
            {name: value for name, value in row.items() if name != "id"}
            for row in model.objects.order_by(*by).values()
            if row.get("n", 1)
        ]
        for model, by in keys.items()
    }


def sit(count: int, learners: int = 12, length: int = 20, options: int = 4) -> None:
    """Create mocks that finished a month ago; each queues its analysis when it ends, and twice more."""
    from practice.sessions.ending.finish import finish
    from practice.sessions.player.save import claim, save
    from practice.tasks import analyse_session
    from questions.models import Exam
    from tests.support.bank import NOW
    from tests.support.sessions import batch, begin_mock, guest, state

    exam, rng = Exam.objects.get(), random.Random(count)
    owners = [guest()[0] for _ in range(learners)]
    for n in range(count):
        owner, start = owners[n % learners], NOW - dt.timedelta(days=30, hours=count - n)
        session = begin_mock(owner, exam, length, start)
        claim(session.uuid, owner, start)
        states = [state(place, 1, rng.randrange(options), seconds=40) for place in range(1, length + 1)]
        save(session.uuid, owner, batch(1, *states), start)
        finish(session.uuid, owner, start + dt.timedelta(minutes=10))
        for _ in range(2):
            analyse_session.delay(session.pk)


def compare() -> str:
    """Name the models with derived rows that differ from those of a rebuild; "same" if there are none."""
    from django.utils import timezone

    from practice.measurement.health.measure import measure_all
    from practice.readiness.derive.analyse import refresh_standings
    from practice.readiness.derive.rebuild import rebuild_analytics

    now = timezone.now() + dt.timedelta(days=1)
    refresh_standings(now)
    measure_all()
    before = derived()
    assert all(before[name] for name in ("VersionStatistics", "OptionStatistics", "ReadinessSnapshot", "Standing"))
    rebuild_analytics(now)
    after = derived()
    return " ".join(name for name in before if before[name] != after[name]) or "same"


if __name__ == "__main__":
    import django

    django.setup()
    if sys.argv[1] == "sit":
        sit(int(sys.argv[2]))
    else:
        print(compare())
