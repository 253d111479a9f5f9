"""Without Redis every call to the cache is a miss and none an error; clearing it leaves other keys alone."""

import socket
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.cache.backends.redis import RedisCacheClient
from redis import Redis
from redis.exceptions import OutOfMemoryError

from courseiva.serving.cache import PAUSE_SECONDS, SoftRedisCache


def cache_at(url: str) -> Any:
    return SoftRedisCache(
        url, {"KEY_PREFIX": "soft-test", "OPTIONS": {"socket_connect_timeout": 0.5, "socket_timeout": 0.5}}
    )


@pytest.fixture
def live(redis_url: str) -> Iterator[Any]:
    cache = cache_at(redis_url)
    yield cache
    cache.clear()


@pytest.fixture
def dead(unused_port: int) -> Any:
    return cache_at(f"redis://127.0.0.1:{unused_port}/0")


def test_without_redis_every_read_is_a_miss(dead: Any) -> None:
    assert dead.get("a") is None
    assert dead.get("a", "else") == "else"
    assert dead.get_many(["a", "b"]) == {}
    assert dead.has_key("a") is False
    assert dead.get_or_set("a", lambda: "made") == "made"


def test_without_redis_every_write_is_dropped(dead: Any) -> None:
    dead.set("a", 1)
    assert dead.set_many({"a": 1}) == []
    assert dead.touch("a") is False
    assert dead.delete("a") is False
    dead.delete_many(["a"])
    dead.clear()


def test_without_redis_a_lock_is_always_granted(dead: Any) -> None:
    assert dead.add("a", 1) is True
    assert dead.incr("a") == 1


def test_with_redis_the_cache_behaves_as_djangos_does(live: Any) -> None:
    live.set("a", {"x": 1})
    live.set_many({"b": 2, "c": 3})
    assert live.get("a") == {"x": 1}
    assert live.get_many(["b", "c", "d"]) == {"b": 2, "c": 3}
    assert live.add("a", 1) is False
    assert live.incr("b", 5) == 7
    assert live.touch("a") is True
    assert live.has_key("a") is True
    assert live.delete("a") is True
    live.delete_many(["b", "c"])
    assert live.get("b") is None


def test_incrementing_a_missing_key_raises_djangos_error(live: Any) -> None:
    with pytest.raises(ValueError, match="not found"):
        live.incr("missing")


def test_clearing_the_cache_leaves_the_task_queue_alone(live: Any, redis_url: str) -> None:
    with Redis.from_url(redis_url) as redis:
        redis.set("another's key", "x", ex=60)
        live.set("mine", 1)
        live.clear()
        assert live.get("mine") is None
        assert redis.delete("another's key") == 1


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Stop the cache's clock and record its time at each call to Redis."""
    times: list[float] = []
    asking = RedisCacheClient.get

    def get(client: RedisCacheClient, key: Any, default: Any) -> Any:
        times.append(clock.monotonic())
        return asking(client, key, default)

    clock = SimpleNamespace(monotonic=lambda: 1000.0)
    monkeypatch.setattr(RedisCacheClient, "get", get)
    monkeypatch.setattr("courseiva.serving.cache.time", clock)
    return times


def test_a_redis_that_hangs_delays_at_most_one_call_a_second(
    asked: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        hung = cache_at(f"redis://127.0.0.1:{silent.getsockname()[1]}/0")
        assert [hung.get("a", "else") for _ in range(20)] == ["else"] * 20
        monkeypatch.setattr("courseiva.serving.cache.time.monotonic", lambda: 1000.0 + PAUSE_SECONDS)
        assert [hung.get("a", "else") for _ in range(20)] == ["else"] * 20
    assert asked == [1000.0, 1000.0 + PAUSE_SECONDS]


def test_a_write_to_a_full_redis_is_dropped(live: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OutOfMemoryError("OOM command not allowed when used memory > 'maxmemory'.")

    live.set("a", 1)
    monkeypatch.setattr("django.core.cache.backends.redis.RedisCacheClient.set", full)
    live.set("a", 2)
    assert live.get("a") == 1, "and is asked at once again"


def test_a_dead_redis_is_tried_once_a_second(dead: Any, asked: list[float]) -> None:
    for _ in range(5):
        dead.get("a")
    assert len(asked) == 1
