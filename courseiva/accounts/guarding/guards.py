"""Attempt counts and used codes are kept in the database, where losing the cache can't erase them.

allauth counts in Django's default cache. The two backends here are that cache, and pass allauth's keys on to the table.
"""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.core.cache.backends.base import DEFAULT_TIMEOUT, BaseCache
from django.core.cache.backends.locmem import LocMemCache
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.crypto import salted_hmac

from courseiva.accounts.models import Guard
from courseiva.serving.cache import SoftRedisCache

PREFIX = "allauth"
SALT = "accounts.guards"


class GuardingCache(BaseCache):
    """A cache in which allauth's keys are rows: add, get, set and delete, which is all allauth calls.

    Clearing the cache leaves the rows alone. If the database is down, a guard raises and nobody gets past it.
    """

    def add(self, key: Any, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        """True for exactly one of several concurrent callers."""
        return add_guard(key, value, timeout) if is_guard(key) else super().add(key, value, timeout, version)

    def get(self, key: Any, default: Any = None, version: int | None = None) -> Any:
        """The value, unless it has expired."""
        if not is_guard(key):
            return super().get(key, default, version)
        rows = Guard.objects.filter(pk=row_key(key), expires_at__gt=timezone.now())
        row = rows.first()
        return default if row is None else row.value

    def set(self, key: Any, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> None:
        """Keep the value for ``timeout`` seconds; a guard always has a timeout."""
        if not is_guard(key):
            return super().set(key, value, timeout, version)
        row = Guard(key=row_key(key), value=value, expires_at=timezone.now() + dt.timedelta(seconds=timeout))
        facts = ["value", "expires_at"]
        Guard.objects.bulk_create([row], update_conflicts=True, unique_fields=["key"], update_fields=facts)
        return None

    def delete(self, key: Any, version: int | None = None) -> bool:
        """Delete the key; returns whether it existed."""
        if not is_guard(key):
            return bool(super().delete(key, version))
        return bool(Guard.objects.filter(pk=row_key(key)).delete()[0])

    def make_key(self, key: Any, version: int | None = None) -> str:
        """Refuse a guard's key, so that no method other than those above can put one in the cache, where it could be
        lost."""
        if is_guard(key):
            raise ValueError(f"{key!r} guards an account, and is kept in the database")
        return str(super().make_key(key, version))


class GuardingMemoryCache(GuardingCache, LocMemCache):
    """The default cache of a single-process site."""


class GuardingRedisCache(GuardingCache, SoftRedisCache):
    """The default cache of a site with Redis."""


def is_guard(key: Any) -> bool:
    """Whether this key protects an account."""
    return str(key).startswith(PREFIX)


def row_key(key: Any) -> str:
    """What the table stores of a key: a hash, because allauth's keys contain addresses of people and networks."""
    return salted_hmac(SALT, str(key), algorithm="sha256").hexdigest()


def add_guard(key: Any, value: Any, seconds: float) -> bool:
    """Store a value if there is none or it has expired; False if another request was first."""
    now = timezone.now()
    facts = {"value": value, "expires_at": now + dt.timedelta(seconds=seconds)}
    rows = Guard.objects.filter(pk=row_key(key))
    known = rows.first()
    if known is not None:  # one statement, so that if two find it expired, only one takes it over
        return known.expires_at <= now and bool(rows.filter(expires_at__lte=now).update(**facts))
    try:
        with transaction.atomic():
            Guard.objects.create(key=row_key(key), **facts)
    except IntegrityError:
        return False
    return True


def purge_guards(now: dt.datetime) -> int:
    """Delete expired rows; returns how many."""
    return Guard.objects.filter(expires_at__lte=now).delete()[0]
