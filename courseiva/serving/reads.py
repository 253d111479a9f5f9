"""Whether a web process has what it needs for this release: tables, static files, a correct clock."""

from __future__ import annotations

import datetime as dt
import pkgutil
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from django.apps import apps
from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.db import DatabaseError, connection
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import DateTimeField, Func, Value

OK = "ok"
CLOCK_SECONDS = 5
"""Half a session's grace period: two servers must not disagree about a deadline by more than that."""


def ask_database(now: dt.datetime) -> dict[str, str]:
    """A word each for the database, its migrations and, if it has its own clock, the clocks: one query."""
    moment = DateTimeField()
    has_clock = connection.vendor == "postgresql"
    clock = Func(function="clock_timestamp", output_field=moment) if has_clock else Value(None, output_field=moment)
    try:
        rows = list(MigrationRecorder.Migration.objects.values_list("app", "name", clock))
    except DatabaseError:
        return {"database": OK, "migrations": "missing"} if _answers() else {"database": "unreachable"}
    words = {"database": OK, "migrations": OK if _migrations() <= {row[:2] for row in rows} else "missing"}
    theirs = rows[0][2] if rows else None
    if theirs is not None:
        words["clock"] = OK if _agree(theirs, now) else "wrong"
    return words


def clock_is_right(now: dt.datetime) -> bool:
    """Whether this machine's clock is close to the database's; always True if the database has no clock of its own."""
    if connection.vendor != "postgresql":
        return True
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        (theirs,) = cursor.fetchone()
    return _agree(theirs, now)


def static_files_are_there() -> bool:
    """Whether each of our files has its hashed copy, without which no page can be rendered."""
    names = getattr(staticfiles_storage, "hashed_files", None)
    return names is None or _static_names() <= set(names)


def _agree(theirs: dt.datetime, ours: dt.datetime) -> bool:
    return abs((theirs - ours).total_seconds()) <= CLOCK_SECONDS


def _answers() -> bool:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return False
    return True


@cache
def _migrations() -> frozenset[tuple[str, str]]:
    """This release's migrations. Newer ones in the database belong to another release and do no harm."""
    found = set()
    for config in apps.get_app_configs():
        spec = find_spec(f"{config.name}.migrations")
        places = list(spec.submodule_search_locations or []) if spec else []
        names = [module.name for module in pkgutil.iter_modules(places) if module.name[0] not in "_~"]
        found |= {(config.label, name) for name in names}
    return frozenset(found)


@cache
def _static_names() -> frozenset[str]:
    folder = Path(settings.BASE_DIR) / "static"
    files = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    return frozenset(path.as_posix() for path in files if not any(part.startswith(".") for part in path.parts))
