"""``make bench``: start the site as an operator does, send it requests, print the table.

On a scratch SQLite file, and where DATABASE_URL names a PostgreSQL server on a scratch database there too. Nothing of
the user's own is touched, nothing leaves this machine, and it ends by itself after about six minutes.
"""

from __future__ import annotations

import argparse
import datetime as dt
import os
import platform
import secrets
import tempfile
from pathlib import Path

from tests.bench import analysis, calibration, readiness
from tests.bench.cases import CONNECTIONS, Day, Row
from tests.bench.table import PAGE, table, write
from tests.support.needs import find_postgres
from tests.support.scratch import fill, rows, scratch_database
from tests.support.subprocesses import Site, run_python

SECONDS = 5.0
PER_DOMAIN = 40


def main() -> None:
    """Measure, print, and with ``--write`` put the figures into the docs."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument(
        "--seconds", type=float, default=SECONDS, help="for each kind of request (default: %(default)s)"
    )
    parser.add_argument("--write", action="store_true", help=f"write the figures into {PAGE.name}")
    options = parser.parse_args()
    busy = os.getloadavg()[0]
    parts = [measured("SQLite", "", options.seconds)]
    server = find_postgres()
    if server:
        parts.append(measured("PostgreSQL", server, options.seconds))
    else:
        say("PostgreSQL: not measured (DATABASE_URL names no PostgreSQL that answers)")
    for each in (analysis, calibration, readiness):
        parts.append(each.section())
        say(f"\n{parts[-1]}\n")
    if options.write:
        write("\n\n".join([heading(options.seconds, busy), *parts]))


def measured(name: str, server: str, seconds: float) -> str:
    """The table of one database, under its heading."""
    with (
        tempfile.TemporaryDirectory(prefix="courseiva-bench-") as folder,
        scratch_database(server, Path(folder)) as url,
    ):
        ours = {
            "DJANGO_SETTINGS_MODULE": "tests.bench.settings",
            "SECRET_KEY": secrets.token_urlsafe(50),
            "ALLOWED_HOSTS": "127.0.0.1",
            "BENCH_STATIC": f"{folder}/static",
        }
        say(f"{name}: making a database, a bank of {6 * PER_DOMAIN} questions, static files")
        fill(url, PER_DOMAIN, **ours)
        collected = run_python("manage.py", "collectstatic", "--noinput", "-v0", timeout=120, **ours, DATABASE_URL=url)
        if collected.returncode:
            raise SystemExit(collected.stderr)
        site = Site(url, **ours).start()
        try:
            found = list(told(Day(site.port, seconds)))
        finally:
            site.stop()
        text = f"### {name} {version(url)}\n\n{table(found)}"
    say(f"\n{text}\n")
    return text


def told(day: Day) -> list[Row]:
    """The rows, each told when it is measured."""
    found = []
    for row in day.rows():
        say(f"    {row.name}: {len(row.load.times)} requests, {row.load.rate:.0f}/s")
        found.append(row)
    return found


def version(url: str) -> str:
    """Of the database that was measured."""
    sql = "SELECT sqlite_version()" if url.startswith("sqlite") else "SHOW server_version"
    return str(rows(url, sql)[0][0]).split()[0]


def heading(seconds: float, busy: float) -> str:
    """When, how and on what."""
    cores = len(os.sched_getaffinity(0))
    return (
        f"Measured on {dt.datetime.now(dt.UTC):%Y-%m-%d} with `python -m tests.bench --write` ({seconds:g} s for each "
        f"kind, {CONNECTIONS} connections) on a machine with {cores} cores, which the load generator and the database "
        f"shared, and whose load average was {busy:.1f} when it began; Python {platform.python_version()}."
    )


def say(text: str) -> None:
    """Progress is visible at once."""
    print(text, flush=True)


if __name__ == "__main__":
    main()
