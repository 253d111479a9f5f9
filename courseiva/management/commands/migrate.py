"""`manage.py migrate` while the site keeps serving: no migration waits long for a lock, and no two run at once."""

from __future__ import annotations

import time
from typing import Any

from django.core.management.commands.migrate import Command as DjangosCommand
from django.db import OperationalError, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from psycopg2.errors import LockNotAvailable

LOCK_SECONDS = 2
"""A statement waiting for a lock makes every request behind it wait as well, so it waits this long at most."""
TRIES, PAUSE_SECONDS = 60, 3
TURN = 0x636F7572
"""The advisory lock that makes two servers starting at once migrate one after the other."""


class Command(DjangosCommand):
    """Django's command, on PostgreSQL with a lock timeout; if a lock can't be had, it retries from where it stopped."""

    def handle(self, *args: Any, **options: Any) -> None:
        """Migrate; on PostgreSQL, holding the advisory lock and with the timeout set."""
        connection = connections[options["database"]]
        if connection.vendor != "postgresql":
            super().handle(*args, **options)
            return
        _say(connection, f"SELECT pg_advisory_lock({TURN})")
        _say(connection, f"SET lock_timeout = '{LOCK_SECONDS}s'")
        try:
            self._until_locked(*args, **options)
        finally:
            _say(connection, "RESET lock_timeout")
            _say(connection, f"SELECT pg_advisory_unlock({TURN})")

    def _until_locked(self, *args: Any, **options: Any) -> None:
        for left in reversed(range(TRIES)):
            try:
                super().handle(*args, **options)
            except OperationalError as error:
                if not left or not isinstance(error.__cause__, LockNotAvailable):
                    raise
                self.stdout.write(f"A table is in use; the migration is tried again in {PAUSE_SECONDS} s.")
                time.sleep(PAUSE_SECONDS)
            else:
                return


def _say(connection: BaseDatabaseWrapper, statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)
