"""How many mocks a guest's network or an account has drawn in a day, and what each network has been shown."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.conf import settings
from django.db.models import Count, IntegerField, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from practice.learners.models import GuestAct, GuestNetwork, Learner
from practice.sessions.models import Mode, PracticeSession, SessionItem
from questions.versions.models.drafts import Pool

HOUR, DAY = dt.timedelta(hours=1), dt.timedelta(days=1)
# A class that starts together creates about 30 guests in an hour, and finishes a mock or two of 60 reserved questions
# before reaching the limit. More of either needs a human look.
FLAG_GUESTS_AN_HOUR = 40
FLAG_SOLUTIONS_A_DAY = 120


def may_draw_reserved(learner: Learner | None, network: str, now: dt.datetime) -> bool:
    """Whether the next mock may take reserved questions: counted by network for guests, by account for signed-in
    learners.

    Counted over the 24 hours before ``now``, only in the database. Without a network there is no request behind it, so
    it may.
    """
    if learner is not None and learner.user_id:
        return drawn_by_account(learner.pk, now - DAY).count() < settings.ACCOUNT_MOCKS_A_DAY
    drawn = GuestAct.objects.filter(network=network, reserved=True, at__gt=now - DAY)
    return not network or drawn.count() < settings.GUEST_MOCKS_A_DAY


def drawn_by_account(learner: int, since: dt.datetime) -> QuerySet[PracticeSession]:
    """An account's mocks since then, including those from before a fresh start, which mustn't reset the ration."""
    mine = Q(learner=learner) | Q(learner__archive_of__learner=learner)
    return PracticeSession.objects.filter(mine, mode=Mode.MOCK, started_at__gt=since)


def shown_to_guests(since: dt.datetime) -> QuerySet[SessionItem]:
    """Reserved questions that guests' mocks have shown with their solutions for the first time since then."""
    return SessionItem.objects.filter(
        session__guest_act__isnull=False,
        session__finished_at__gt=since,
        session__discarded_at=None,
        version__pool=Pool.RESERVED,
        withheld=False,
        seen_before=False,
    )


def watched_networks(now: dt.datetime) -> QuerySet[GuestNetwork]:
    """Every network, with its guests created, mocks started and reserved solutions shown in the last hour and day."""
    hour, day = now - HOUR, now - DAY
    return GuestNetwork.objects.annotate(
        guests_hour=_acts(hour, is_mock=False),
        guests_day=_acts(day, is_mock=False),
        mocks_hour=_acts(hour, is_mock=True),
        mocks_day=_acts(day, is_mock=True),
        solutions_hour=_solutions(hour),
        solutions_day=_solutions(day),
    ).order_by("-solutions_day", "-mocks_day", "-guests_day", "key")


def flagged_networks(now: dt.datetime) -> QuerySet[GuestNetwork]:
    """Networks above a threshold, which somebody should look at."""
    busy = Q(guests_hour__gt=FLAG_GUESTS_AN_HOUR) | Q(solutions_day__gt=FLAG_SOLUTIONS_A_DAY)
    return watched_networks(now).filter(busy)


def is_above_bound(row: GuestNetwork) -> bool:
    """The same for one row of ``watched_networks``."""
    return row.guests_hour > FLAG_GUESTS_AN_HOUR or row.solutions_day > FLAG_SOLUTIONS_A_DAY  # type: ignore[attr-defined]


def flagged_count(now: dt.datetime) -> int:
    """How many networks are above a threshold."""
    return flagged_networks(now).count()


def shown_in_hour(now: dt.datetime) -> int:
    """Reserved solutions shown to guests within the last hour."""
    return shown_to_guests(now - HOUR).count()


def _acts(since: dt.datetime, is_mock: bool) -> Coalesce:
    acts = GuestAct.objects.filter(network=OuterRef("pk"), at__gt=since, session__isnull=not is_mock)
    return _counted(acts.order_by().values("network"))


def _solutions(since: dt.datetime) -> Coalesce:
    shown = shown_to_guests(since).filter(session__guest_act__network=OuterRef("pk"))
    return _counted(shown.order_by().values("session__guest_act__network"))


def _counted(grouped: QuerySet[Any, Any]) -> Coalesce:
    return Coalesce(Subquery(grouped.annotate(n=Count("*")).values("n"), output_field=IntegerField()), 0)
