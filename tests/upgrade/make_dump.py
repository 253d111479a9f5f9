"""Makes the dumps of a release: run it against the code of the release's tag, as README.md beside it says.

Everything in them is written by the site's own write functions. The script sets the clock, and whatever
is drawn at random comes from a seed, so that a second run gives the same files.
"""

from __future__ import annotations

import argparse
import contextlib
import gzip
import json
import os
import random
import re
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg2

HERE = Path(__file__).resolve().parent
SECRET_KEY = "the key of the dumps in tests/upgrade, and of nothing else"
SEED = 20_261_122
SITE = {"DEBUG": "1", "SECRET_KEY": SECRET_KEY, "DJANGO_SETTINGS_MODULE": "courseiva.settings", "PYTHONHASHSEED": "0"}
FIXTURES = "fixtures"
PRIMARY_KEYS = """
    SELECT conrelid::regclass, conname FROM pg_constraint
    WHERE contype = 'p' AND connamespace = 'public'::regnamespace ORDER BY 1
"""
OF_THIS_SERVER = re.compile(r"^(SET |SELECT pg_catalog\.set_config|\\|-- Dumped |-- *$|$)")
"""Lines of pg_dump that depend on its version, that only psql understands, or that are empty."""


def main() -> None:
    """Make both dumps from the code in the current folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path, help="the folder of the release, for example tests/upgrade/0.1.0")
    parser.add_argument("--postgresql", required=True, help="the address of an empty PostgreSQL database")
    asked = parser.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "site.sqlite3"
        worlds = [_fill(f"sqlite:///{file}"), _fill(asked.postgresql)]
        assert worlds[0] == worlds[1], "the two databases tell two stories"
        _keep(asked.out / "sqlite.sql.gz", _sqlite_dump(file))
    _put_in_order(asked.postgresql)
    _keep(asked.out / "postgresql.sql.gz", _postgresql_dump(asked.postgresql))
    (asked.out / "world.json").write_text(json.dumps(worlds[0], indent=1, sort_keys=True) + "\n", encoding="utf-8")


def _fill(url: str) -> dict[str, Any]:
    """Fill a database in a process of its own; return what its browsers hold."""
    environment = {name: value for name, value in os.environ.items() if name not in ("REDIS_URL", "DEMO")}
    command = [sys.executable, str(HERE / "make_dump.py"), "--fill"]
    done = subprocess.run(
        command, env={**environment, **SITE, "DATABASE_URL": url}, stdout=subprocess.PIPE, text=True, check=True
    )
    world: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return world


def _sqlite_dump(file: Path) -> str:
    connection = sqlite3.connect(file)
    try:
        return "\n".join(connection.iterdump()) + "\n"
    finally:
        connection.close()


def _put_in_order(url: str) -> None:
    """Sort each table by its key, because pg_dump reads rows as stored, and updated rows are stored anywhere."""
    with contextlib.closing(psycopg2.connect(url)) as connection, connection, connection.cursor() as cursor:
        cursor.execute(PRIMARY_KEYS)
        for table, key in cursor.fetchall():
            cursor.execute(f'CLUSTER {table} USING "{key}"; ALTER TABLE {table} SET WITHOUT CLUSTER')


def _postgresql_dump(url: str) -> str:
    command = ["pg_dump", "--no-owner", "--no-privileges", "--inserts", "--rows-per-insert=50", url]
    text = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    # A line of a stored text may look like one of these, so nothing inside an INSERT statement is left out.
    kept, inside = [], False
    for line in text.split("\n"):
        if inside or not OF_THIS_SERVER.match(line):
            kept.append(line)
        inside = (inside or line.startswith("INSERT INTO ")) and not line.endswith(";")
    return "\n".join(kept) + "\n"


def _keep(path: Path, text: str) -> None:
    path.write_bytes(gzip.compress(text.encode(), mtime=0))


def _fill_here() -> None:
    """Fill the database in this process, with the release's code from the current folder."""
    sys.path[0] = str(Path.cwd())
    sys.path.append(str(HERE))
    _draw_from_a_seed(random.Random(SEED))
    import django

    django.setup()
    from filling import fill
    from small_bank import write_bank

    with tempfile.TemporaryDirectory() as folder:
        write_bank(Path(folder), Path(FIXTURES))
        world = fill(Path(folder))
    print(json.dumps({**world, "secret_key": SECRET_KEY}))


def _draw_from_a_seed(rng: random.Random) -> None:
    """Draw ids, tokens, salts and keys from a seed; all of them come from these two names."""
    drawn: Callable[[int], bytes] = rng.randbytes
    os.urandom = drawn
    random._urandom = drawn  # type: ignore[attr-defined]


if __name__ == "__main__":
    _fill_here() if sys.argv[1:] == ["--fill"] else main()
