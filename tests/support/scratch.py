"""A separate database for a site in another process: creates it, fills it with a synthetic bank, and removes it."""

from __future__ import annotations

import contextlib
import secrets
import sqlite3
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import psycopg2

from tests.support.subprocesses import BASE, run_python

FILL_SECONDS = 300


@contextlib.contextmanager
def scratch_database(server: str, folder: Path, template: str = "") -> Iterator[str]:
    """Yield the address of a fresh database on that PostgreSQL server, or without one of an SQLite file in the folder.

    ``template`` names a database on that server to copy.
    """
    if not server:
        yield f"sqlite:///{folder}/scratch.sqlite3"
        return
    name = f"courseiva_scratch_{secrets.token_hex(6)}"
    by_hand(server, f"CREATE DATABASE {name}" + (f" TEMPLATE {template}" if template else ""))
    try:
        yield urlunsplit(urlsplit(server)._replace(path=f"/{name}"))
    finally:
        by_hand(server, f"DROP DATABASE {name} WITH (FORCE)")


def fill(url: str, per_domain: int, folder: Path = BASE, **ours: str) -> None:
    """Create the tables and load a bank with this many public questions per domain, with the code in that folder."""
    command = ("-m", "tests.support.scratch", str(per_domain))
    settings = {"DJANGO_SETTINGS_MODULE": "tests.settings", **ours, "DATABASE_URL": url}
    done = run_python(*command, timeout=FILL_SECONDS, folder=folder, **settings)
    assert done.returncode == 0, done.stdout + done.stderr


def rows(url: str, sql: str) -> list[tuple[Any, ...]]:
    """Return a statement's rows, without going through Django."""
    if url.startswith("sqlite"):
        connected: Any = sqlite3.connect(url.removeprefix("sqlite:///"), timeout=30)
    else:
        connected = psycopg2.connect(url)
    with contextlib.closing(connected) as connection, contextlib.closing(connection.cursor()) as cursor:
        cursor.execute(sql)
        return list(cursor.fetchall()) if cursor.description else list(connection.commit() or [])


def by_hand(server: str, sql: str) -> None:
    """Run a statement outside any transaction."""
    with contextlib.closing(psycopg2.connect(server)) as connection:
        connection.autocommit = True
        with connection.cursor() as cursor:
            cursor.execute(sql)


def _fill(per_domain: int) -> None:
    import django

    django.setup()
    from django.core.management import call_command
    from django.db import connection

    from tests.support.bank import add_questions, make_exam
    from tests.support.database import copy_kept

    if not copy_kept(str(connection.settings_dict["NAME"])):
        call_command("migrate", interactive=False, verbosity=0)
    add_questions(make_exam(), per_domain)


if __name__ == "__main__":
    _fill(int(sys.argv[1]))
