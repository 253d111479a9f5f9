"""Backups by docs/operating.md: after dump, drop and restore, every table has as many rows; SQLite's copy too."""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
import subprocess
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.support.needs import missing
from tests.support.scratch import fill, rows, scratch_database
from tests.support.servers import find_program
from tests.support.subprocesses import run_python

SESSIONS = 5
PER_DOMAIN = 4
SITE = {"DJANGO_SETTINGS_MODULE": "tests.settings"}

pytestmark = pytest.mark.soak


def sit(url: str) -> None:
    done = run_python("-m", "tests.support.derived", "sit", str(SESSIONS), timeout=120, **SITE, DATABASE_URL=url)
    assert done.returncode == 0, done.stderr


def counts(url: str) -> dict[str, int]:
    """Return how many rows each table has."""
    tables = (
        "SELECT name FROM sqlite_master WHERE type = 'table'"
        if url.startswith("sqlite")
        else "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'"
    )
    return {table: rows(url, f'SELECT count(*) FROM "{table}"')[0][0] for (table,) in rows(url, tables)}


def answers_of(url: str) -> list[tuple[object, ...]]:
    return rows(url, "SELECT session_id, position, selected, is_correct FROM practice_sessionitem ORDER BY 1, 2")


def serves(url: str) -> bool:
    """Return whether the site finds nothing to migrate and no fault in the restored database."""
    done = run_python("manage.py", "migrate", "--check", **SITE, DATABASE_URL=url)
    return done.returncode == 0


@pytest.mark.gate
def test_a_postgresql_database_is_the_same_after_dump_drop_and_restore(postgres_url: str, tmp_path: Path) -> None:
    dump = tmp_path / "courseiva.dump"
    with scratch_database(postgres_url, tmp_path) as url:
        fill(url, PER_DOMAIN)
        sit(url)
        before, held = counts(url), answers_of(url)
        assert before["practice_practicesession"] >= SESSIONS
        name, server = urlsplit(url).path[1:], f"--maintenance-db={postgres_url}"

        def run(program: str, *more: str) -> None:
            subprocess.run([find_program(program), *more], check=True, timeout=120)

        run("pg_dump", "-Fc", "--file", str(dump), url)
        run("dropdb", "--force", server, name)
        run("createdb", server, name)
        assert counts(url) == {}
        run("pg_restore", "-d", url, "--exit-on-error", str(dump))
        assert counts(url) == before
        assert answers_of(url) == held
        assert serves(url)


@pytest.mark.gate
def test_an_sqlite_database_is_the_same_after_copy_loss_and_restore(tmp_path: Path) -> None:
    with scratch_database("", tmp_path) as url:
        fill(url, PER_DOMAIN)
        sit(url)
        before, held = counts(url), answers_of(url)
        file, copy = Path(url.removeprefix("sqlite:///")), tmp_path / "copy.sqlite3"
        sqlite = shutil.which("sqlite3") or missing("sqlite3", "sudo apt install sqlite3")
        with contextlib.closing(sqlite3.connect(file)) as open_site:  # so that part of it is in the log beside the file
            open_site.execute("CREATE TABLE beside_it (n integer)")
            open_site.commit()
            assert Path(f"{file}-wal").stat().st_size > 0
            subprocess.run([sqlite, file.name, f".backup {copy.name}"], cwd=tmp_path, check=True)
        for left in tmp_path.glob(f"{file.name}*"):
            left.unlink()
        copy.rename(file)
        assert rows(url, "SELECT count(*) FROM beside_it") == [(0,)]
        rows(url, "DROP TABLE beside_it")
        assert counts(url) == before
        assert answers_of(url) == held
        assert serves(url)
