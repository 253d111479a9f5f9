"""Migrations run one at a time while the site serves, under a lock timeout, and again if a table is in use."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import OperationalError, connection
from django.db.migrations.loader import MigrationLoader
from psycopg2.errors import LockNotAvailable, QueryCanceled

from courseiva.management.commands import migrate
from tests.support.scratch import scratch_database
from tests.support.subprocesses import run_python

WATCH = """
import django, json
django.setup()
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
seen, apply = {}, MigrationExecutor.apply_migration
def watched(self, state, migration, *args, **kwargs):
    with connection.cursor() as cursor:
        cursor.execute("SHOW lock_timeout")
        seen[f"{migration.app_label} {migration.name}"] = cursor.fetchone()[0]
    return apply(self, state, migration, *args, **kwargs)
MigrationExecutor.apply_migration = watched
call_command("migrate", interactive=False, verbosity=0)
with connection.cursor() as cursor:
    cursor.execute("SHOW lock_timeout")
    print(json.dumps([seen, cursor.fetchone()[0]]))
"""


@pytest.mark.soak
def test_every_migration_runs_under_a_lock_timeout(postgres_url: str, tmp_path: Path) -> None:
    with scratch_database(postgres_url, tmp_path) as url:
        done = run_python("-c", WATCH, timeout=180, DJANGO_SETTINGS_MODULE="tests.settings", DATABASE_URL=url)
    assert done.returncode == 0, done.stderr
    seen, after = json.loads(done.stdout.splitlines()[-1])
    assert set(seen.values()) == {f"{migrate.LOCK_SECONDS}s"}
    assert set(seen) == {f"{app} {name}" for app, name in MigrationLoader(None).disk_migrations}
    assert after == "0"


@pytest.fixture
def tries(monkeypatch: pytest.MonkeyPatch) -> list[BaseException | None]:
    """Replace Django's own command: each call raises or passes, as the next entry of the returned list says."""
    outcomes: list[BaseException | None] = []

    def handle(*_: object, **__: object) -> None:
        outcome = outcomes.pop(0)
        if outcome:
            raise outcome

    monkeypatch.setattr(migrate.DjangosCommand, "handle", handle)
    monkeypatch.setattr(migrate, "PAUSE_SECONDS", 0)
    return outcomes


def locked_out(cause: BaseException) -> OperationalError:
    error = OperationalError("canceling statement")
    error.__cause__ = cause
    return error


@pytest.mark.django_db(transaction=True)
def test_a_migration_of_a_table_in_use_is_tried_again(needs_postgres: None, tries: list[BaseException | None]) -> None:
    tries += [locked_out(LockNotAvailable()), locked_out(LockNotAvailable()), None]
    told = io.StringIO()
    call_command("migrate", stdout=told)
    assert tries == []
    assert told.getvalue().count(f" {migrate.PAUSE_SECONDS} s.") == 2


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("cause", [QueryCanceled(), ValueError()])
def test_any_other_error_stops_the_command(
    needs_postgres: None, tries: list[BaseException | None], cause: Exception
) -> None:
    tries += [locked_out(cause), None]
    with pytest.raises(OperationalError):
        call_command("migrate", stdout=io.StringIO())
    assert tries == [None]


@pytest.mark.django_db(transaction=True)
def test_the_command_finally_gives_up_and_leaves_no_timeout_set(
    needs_postgres: None, tries: list[BaseException | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(migrate, "TRIES", 2)
    tries += [locked_out(LockNotAvailable()) for _ in range(3)]
    with pytest.raises(OperationalError):
        call_command("migrate", stdout=io.StringIO())
    assert len(tries) == 1
    with connection.cursor() as cursor:
        cursor.execute("SHOW lock_timeout")
        assert cursor.fetchone() == ("0",)
        cursor.execute("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()")
        assert cursor.fetchone() == (0,)
