"""A Redis cache that fails soft: when Redis is down, every read is a miss and every write is dropped."""

import logging
import time
from typing import Any, ClassVar

from django.core.cache.backends.redis import RedisCache, RedisCacheClient
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import RedisError
from redis.exceptions import TimeoutError as RedisTimeoutError

logger = logging.getLogger("courseiva.cache")
PAUSE_SECONDS = 1.0
"""How long a Redis that didn't answer is left alone, so that if it hangs, it holds up one request a second."""


class SoftRedisClient(RedisCacheClient):
    """Django's client, whose calls report "not cached" when Redis doesn't respond."""

    _not_before: ClassVar[dict[str, float]] = {}

    def __init__(self, servers: list[str], **options: Any) -> None:
        super().__init__(servers, **options)
        self._name = servers[0]

    def add(self, *args: Any) -> bool:
        """True when Redis is down, so that callers using the key as a lock go ahead."""
        return bool(self._soft("add", True, *args))

    def get(self, key: Any, default: Any) -> Any:
        """The default when Redis is down."""
        return self._soft("get", default, key, default)

    def set(self, *args: Any) -> None:
        """Dropped when Redis is down."""
        self._soft("set", None, *args)

    def touch(self, *args: Any) -> bool:
        """False when Redis is down."""
        return bool(self._soft("touch", False, *args))

    def delete(self, *args: Any) -> bool:
        """False when Redis is down."""
        return bool(self._soft("delete", False, *args))

    def get_many(self, *args: Any) -> dict[Any, Any]:
        """Nothing found when Redis is down."""
        return dict(self._soft("get_many", {}, *args))

    def has_key(self, *args: Any) -> bool:
        """False when Redis is down."""
        return bool(self._soft("has_key", False, *args))

    def incr(self, key: Any, delta: int) -> int:
        """The step itself when Redis is down, as for a counter that has just begun."""
        return int(self._soft("incr", delta, key, delta))

    def set_many(self, *args: Any) -> None:
        """Dropped when Redis is down."""
        self._soft("set_many", None, *args)

    def delete_many(self, *args: Any) -> None:
        """Dropped when Redis is down."""
        self._soft("delete_many", None, *args)

    def _soft(self, name: str, instead: Any, *args: Any) -> Any:
        if time.monotonic() < self._not_before.get(self._name, 0):
            return instead
        try:
            return getattr(super(), name)(*args)
        except RedisError as error:
            logger.warning("cache %s: Redis does not answer: %s", name, error)
            if isinstance(error, RedisConnectionError | RedisTimeoutError):
                self._not_before[self._name] = time.monotonic() + PAUSE_SECONDS
            return instead


class SoftRedisCache(RedisCache):
    """Django's Redis cache with the soft client. It never flushes the Redis database, which the task queue shares."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._class = SoftRedisClient

    def clear(self) -> None:
        """Delete only this cache's own keys from the Redis database."""
        try:
            client = self._cache.get_client(None, write=True)
            for key in client.scan_iter(match=f"{self.key_prefix}:*", count=500):
                client.delete(key)
        except RedisError as error:
            logger.warning("cache clear: Redis does not answer: %s", error)
