"""Each web process records a heartbeat every ten seconds, so that a gap shows an outage, which is then made up for."""

from __future__ import annotations

import contextlib
import datetime as dt
import logging
import threading
import time
from collections.abc import Callable

from django.db import DatabaseError, InterfaceError, OperationalError, connection
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from courseiva.serving.reads import clock_is_right
from practice.sessions.ending.outages.give_back import beat
from practice.sessions.ending.outages.rules import BEAT, FLOOR

logger = logging.getLogger("courseiva.pulse")
OF_SESSIONS = "/practice/"
RETRY_SECONDS = 1.0
"""While the database is away, a failed attempt may take seconds. One attempt a second soon notices that it's back."""
NO_DATABASE = (DatabaseError, InterfaceError)
STEADY = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
"""A clock that nobody can set. On Linux it also runs while the machine sleeps, which is an outage."""


def steady_seconds() -> float:
    """Seconds on that clock."""
    return time.clock_gettime(STEADY)


class Pulse:
    """The heartbeat of this process.

    ``found`` is when it last reached the database and ``tried`` when it last tried to, by the steady clock.
    """

    def __init__(self) -> None:
        self.turn = threading.Lock()
        self.found: float | None = None
        self.tried = 0.0
        self.is_on = self.is_failing = False

    def start(self) -> None:
        """Give back the time of the last outage before this process serves requests, then start the heartbeat."""
        self.is_on = True
        self.look()
        threading.Thread(target=self._go_on, daemon=True, name="pulse").start()

    @property
    def is_late(self) -> bool:
        """Whether there may have been an outage that this process hasn't settled."""
        return self.found is None or steady_seconds() - self.found >= FLOOR.total_seconds()

    def look(self) -> None:
        """Beat once. If the database is down, that is an outage, found by the next beat that reaches it."""
        with self.turn, contextlib.suppress(*NO_DATABASE):
            self._beat()

    def settle(self) -> None:
        """Beat if it is late. Raises DatabaseError while it can't: a session requested now could be closed wrongly."""
        with self.turn:
            if not self.is_late:
                return
            # Many requests may have waited here for one failed attempt; if each of them tried too, it would hold up the
            # others.
            if self.is_failing and steady_seconds() - self.tried < RETRY_SECONDS:
                raise OperationalError("the database was away a moment ago")
            self._beat()

    def _beat(self) -> None:
        at = steady_seconds()
        elapsed = None if self.found is None else dt.timedelta(seconds=at - self.found)
        try:
            now = timezone.now()
            # A machine whose clock is wrong can't tell how long anything took.
            if clock_is_right(now):
                beat(now, elapsed)
        except NO_DATABASE as error:
            if not self.is_failing:
                logger.warning("the heartbeat does not reach the database: %s", error)
            self.is_failing, self.tried = True, steady_seconds()
            raise
        self.found, self.is_failing = at, False

    def _go_on(self) -> None:
        while True:
            time.sleep(BEAT.total_seconds())
            try:
                self.look()
                if self.is_failing:
                    connection.close()
            except Exception:
                logger.exception("the heartbeat failed, it is tried again in %s s", BEAT.total_seconds())


pulse = Pulse()


def settle_first(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """If this process couldn't reach the database for a while, give back the lost time before any session is used.

    Otherwise it just compares two numbers.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        if pulse.is_on and pulse.is_late and request.path.startswith(OF_SESSIONS):
            pulse.settle()
        return get_response(request)

    return middleware
