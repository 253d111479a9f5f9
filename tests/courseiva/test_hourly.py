"""Check which actions the hourly limit counts together, and when it starts again."""

from __future__ import annotations

import datetime as dt

import pytest
from django.core.cache import cache

from courseiva.common.hourly import minutes_to_wait

AT = dt.datetime(2026, 3, 4, 10, 45, 30, tzinfo=dt.UTC)


@pytest.fixture(autouse=True)
def nothing_counted():
    cache.clear()
    yield
    cache.clear()


def test_an_action_over_the_limit_has_to_wait_for_the_next_hour() -> None:
    assert [minutes_to_wait("a", "alice", 2, AT) for _ in range(3)] == [0, 0, 15]
    assert minutes_to_wait("a", "alice", 2, AT.replace(hour=11, minute=0, second=0)) == 0


def test_people_and_actions_are_counted_separately() -> None:
    assert [minutes_to_wait("a", "alice", 1, AT) for _ in range(2)] == [0, 15]
    assert (minutes_to_wait("a", "bob", 1, AT), minutes_to_wait("b", "alice", 1, AT)) == (0, 0)


def test_a_count_that_the_cache_dropped_refuses_nobody(monkeypatch) -> None:
    monkeypatch.setattr(cache, "add", lambda *_: False)
    assert minutes_to_wait("a", "alice", 1, AT) == 0
