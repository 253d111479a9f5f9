"""Gives each test process a copied database: migrating takes fifteen CPU seconds, copying a tenth of a second.

The original is kept under the digest of everything its tables and rows come from: on SQLite as a file in .run, on
PostgreSQL as a database on the same server. Any change to those recreates it; so does ``pytest --create-db``.
"""

from __future__ import annotations

import fcntl
import hashlib
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import django
import pytest
from django.apps import apps
from django.conf import settings
from django.db import connection
from django.db.backends.utils import CursorWrapper
from pytest_django.plugin import DjangoDbBlocker

from discussion.screening.rules.screen import LIST
from tests.support.imports import BASE, files_needed_by

KEPT = BASE / ".run" / "tests"
PREFIX = "courseiva_kept_"
MOST_KEPT = 4
"""How many of the newest copies are kept, so that branches and clones on the same server don't delete each other's."""
TURN = 0x74657374
"""The number of the advisory lock that lets one process at a time copy or create the kept database."""


def sources() -> set[Path]:
    """Return the migrations and models of all apps, the settings, and every file of ours that these import or read."""
    found = {BASE / "tests/settings.py", BASE / "courseiva/settings.py", Path(__file__)}
    for app in apps.get_app_configs():
        folder = Path(app.path)
        found |= {*folder.glob("migrations/*.py"), *folder.glob("models.py"), *folder.glob("models/**/*.py")}
    ours = {path for path in found if path.is_relative_to(BASE) and not path.is_relative_to(BASE / ".venv")}
    ours |= {BASE / "courseiva/management/commands/migrate.py"}
    return found | {LIST} | files_needed_by(ours)


def digest() -> str:
    """Return a digest that changes with anything that could change the migrated database."""
    found = hashlib.sha256(f"{django.VERSION} {sqlite3.sqlite_version}".encode())
    for path in sorted(sources()):
        found.update(str(path.relative_to(BASE) if path.is_relative_to(BASE) else path).encode())
        found.update(path.read_bytes())
    return found.hexdigest()[:16]


@pytest.fixture(scope="session")
def django_db_setup(
    request: pytest.FixtureRequest,
    django_test_environment: None,
    django_db_modify_db_settings: None,
    django_db_blocker: DjangoDbBlocker,
) -> Iterator[None]:
    """Replace pytest-django's fixture, which migrates in each process."""
    site, made_for_tests = connection.settings_dict["NAME"], connection.creation._get_test_db_name()
    make = _make_on_postgres if connection.vendor == "postgresql" else _make_on_sqlite
    with django_db_blocker.unblock():
        make(made_for_tests, digest(), anew=request.config.getvalue("create_db"))
    yield
    with django_db_blocker.unblock():
        connection.creation.destroy_test_db(site, verbosity=0)


def copy_kept(name: str) -> bool:
    """Turn this database, to which nobody is connected, into a copy of the kept one; returns False if there is none."""
    if connection.vendor == "postgresql":
        with _turn_on_postgres() as server:
            return _copy_on_postgres(server, name, PREFIX + digest())
    with _turn_on_disk():
        return _copy_on_sqlite(name, KEPT / f"{digest()}.sqlite3")


def _migrate() -> None:
    connection.creation.create_test_db(verbosity=0, autoclobber=True, serialize=False)


def _connect_to(name: str) -> None:
    connection.close()
    settings.DATABASES["default"]["NAME"] = connection.settings_dict["NAME"] = name
    connection.ensure_connection()


@contextmanager
def _turn_on_disk() -> Iterator[None]:
    KEPT.mkdir(parents=True, exist_ok=True)
    with (KEPT / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _copy_on_sqlite(name: str, kept: Path) -> bool:
    if kept.exists():
        for leftover in ("-wal", "-shm"):  # left by a killed run, whose writes would be replayed in the copy
            Path(f"{name}{leftover}").unlink(missing_ok=True)
        shutil.copyfile(kept, name)
        return True
    return False


def _make_on_sqlite(name: str, version: str, *, anew: bool) -> None:
    kept = KEPT / f"{version}.sqlite3"
    with _turn_on_disk():
        if not anew and _copy_on_sqlite(name, kept):
            _connect_to(name)
            return
        _migrate()
        for old in sorted(KEPT.glob("*.sqlite3*"), key=lambda each: each.stat().st_mtime)[: 1 - MOST_KEPT]:
            old.unlink()
        unfinished = kept.with_suffix(".sqlite3-new")
        unfinished.unlink(missing_ok=True)
        with connection.cursor() as cursor:
            cursor.execute("VACUUM INTO %s", [str(unfinished)])
        unfinished.rename(kept)


@contextmanager
def _turn_on_postgres() -> Iterator[CursorWrapper]:
    with connection._nodb_cursor() as server:
        server.execute("SELECT pg_advisory_lock(%s)", [TURN])
        yield server


def _kept_on(server: CursorWrapper) -> list[str]:
    server.execute("SELECT datname FROM pg_database WHERE starts_with(datname, %s) ORDER BY oid", [PREFIX])
    return [name for (name,) in server.fetchall()]


def _copy_on_postgres(server: CursorWrapper, name: str, kept: str) -> bool:
    if kept in _kept_on(server):
        server.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')
        server.execute(f'CREATE DATABASE "{name}" TEMPLATE "{kept}"')
        return True
    return False


def _make_on_postgres(name: str, version: str, *, anew: bool) -> None:
    kept = PREFIX + version
    with _turn_on_postgres() as server:
        if not anew and _copy_on_postgres(server, name, kept):
            _connect_to(name)
            return
        _migrate()
        connection.close()
        others = [each for each in _kept_on(server) if each != kept]
        for old in (kept, *others[: 1 - MOST_KEPT]):
            server.execute(f'DROP DATABASE IF EXISTS "{old}"')
        server.execute(f'CREATE DATABASE "{kept}" TEMPLATE "{name}"')
