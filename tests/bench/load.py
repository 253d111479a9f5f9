"""A small load generator: each thread keeps one connection to this machine and sends one request after another."""

from __future__ import annotations

import itertools
import math
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tests.support.player import Player

Step = Callable[[Player, int], None]
"""Sends one request as this player, the n-th of all; raises if the response isn't the expected one."""


@dataclass(frozen=True)
class Load:
    """The outcome of one kind of request: times in milliseconds, sorted."""

    seconds: float
    times: list[float]

    @property
    def rate(self) -> float:
        """Return the requests per second, all connections together."""
        return len(self.times) / self.seconds

    def quantile(self, share: float) -> float:
        """Return the time within which this share of the requests finished."""
        return self.times[max(0, math.ceil(len(self.times) * share) - 1)]


def joined(parts: Sequence[Load]) -> Load:
    """Merge several runs into one."""
    return Load(sum(part.seconds for part in parts), sorted(time for part in parts for time in part.times))


def drive(players: Sequence[Player], step: Step, seconds: float, most: int) -> Load:
    """Send requests until the time is up or ``most`` have been sent."""
    numbers, errors, lock = itertools.count(), [], threading.Lock()
    times: list[float] = []
    end = time.perf_counter() + seconds

    def run(player: Player) -> None:
        mine = []
        try:
            while time.perf_counter() < end:
                with lock:
                    number = next(numbers)
                if number >= most:
                    break
                began = time.perf_counter()
                step(player, number)
                mine.append(1000 * (time.perf_counter() - began))
        except Exception as error:  # noqa: BLE001 - told to whoever started this
            errors.append(error)
        with lock:
            times.extend(mine)

    threads = [threading.Thread(target=run, args=(player,), daemon=True) for player in players]
    began = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]
    return Load(time.perf_counter() - began, sorted(times))
