"""``make bench``: start the site as an operator does, load it, print the figures.

It measures the site embedded on a scratch SQLite file and, if DATABASE_URL names a PostgreSQL server, also in a scratch
database there, with its own Redis, a worker and beat. It touches none of the user's data, sends nothing off this
machine, and stops by itself. ``--growth`` measures how the figures grow with the amount of stored data, ``--visits``
how many learners' whole visits the site can take at once; both need PostgreSQL.
"""

from __future__ import annotations

import argparse
import datetime as dt
import os
import platform
import signal
import sys
from collections.abc import Iterator

from tests.bench import (
    analysis,
    banks,
    calibration,
    costs,
    desk,
    growth,
    harvest,
    health,
    items,
    passing,
    past,
    people,
    readiness,
    saving,
    visits,
)
from tests.bench.cases import CONNECTIONS, Day, Row
from tests.bench.held import STEPS, learners_held
from tests.bench.memory import held_now, memory_table
from tests.bench.pages import packed, public_page
from tests.bench.stack import Stack, running
from tests.bench.table import PAGE, table, write
from tests.support.needs import find_postgres
from tests.support.scratch import rows

SECONDS, STEP_SECONDS, LEARNERS = 5.0, 15.0, 600
ON_A_SITE = ("requests", "pages", "learners", "memory")
ALONE = {"analysis": analysis.section, "calibration": calibration.section, "readiness": readiness.section,
         "people": people.section, "items": items.section, "health": health.section, "harvest": harvest.section,
         "past": past.section, "desk": desk.section, "passing": passing.section, "banks": banks.section,
         "costs": costs.section, "saving": saving.section}  # fmt: skip
ABOUT = {"requests": f"{CONNECTIONS} connections", "learners": "each step after one save of everybody"}
NO_POSTGRES = "Not measured: DATABASE_URL names no PostgreSQL that answers."
CORES = len(os.sched_getaffinity(0))


def main() -> None:
    """Measure and print the figures; with ``--write``, put them into the docs."""
    options = read_options()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that everything started or created is removed
    busy = os.getloadavg()[0]
    for name, text in measured(options):
        whole = f"{heading(name, options, busy)}\n\n{text}"
        say(f"\n## {name}\n\n{whole}\n")
        if options.write:
            write(name, whole)


def read_options() -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    add = parser.add_argument
    add("--seconds", type=float, default=SECONDS, help="for each kind of request (default: %(default)s)")
    add("--step-seconds", type=float, default=STEP_SECONDS, help="for each number of learners (default: %(default)s)")
    add("--learners", type=int, default=LEARNERS, help=f"at most, after {STEPS} (default: %(default)s)")
    add("--only", nargs="+", choices=[*ON_A_SITE, *ALONE], help="these parts instead of all")
    add("--growth", action="store_true", help="measure growth, and nothing else")
    add("--sessions", type=int, nargs="+", default=growth.SESSIONS, help="growth: stored (default: %(default)s)")
    add("--questions", type=int, nargs="+", default=growth.QUESTIONS, help="growth: in the bank (default: %(default)s)")
    add("--visits", type=int, nargs="*", help=f"measure whole visits of so many ({visits.VISITS}), and nothing else")
    add("--visit-seconds", type=float, default=visits.SECONDS, help="for each number (default: %(default)s)")
    add("--write", action="store_true", help=f"write the figures into {PAGE.name}")
    return parser.parse_args()


def measured(options: argparse.Namespace) -> Iterator[tuple[str, str]]:
    """Yield each section's name and text as soon as it is ready."""
    if options.growth:
        yield "growth", growth.section(options.sessions, options.questions, say)
        return
    if options.visits is not None:
        yield "visits", visits.section(options.visits or visits.VISITS, options.visit_seconds, CORES, say)
        return
    wanted = options.only or [*ON_A_SITE, *ALONE]
    on_a_site = [name for name in ON_A_SITE if name in wanted]
    found: dict[str, list[str]] = {name: [] for name in on_a_site}
    if on_a_site:
        for title, server in (("SQLite", ""), ("PostgreSQL", find_postgres())):
            if title == "PostgreSQL" and not server:
                parts = dict.fromkeys(on_a_site, f"### {title}\n\n{NO_POSTGRES}")
            else:
                parts = of_a_site(title, server, on_a_site, options)
            for name, text in parts.items():
                found[name].append(text)
    yield from ((name, "\n\n".join(texts)) for name, texts in found.items())
    yield from ((name, section()) for name, section in ALONE.items() if name in wanted)


def of_a_site(title: str, server: str, wanted: list[str], options: argparse.Namespace) -> dict[str, str]:
    """Return one set-up's texts, each with a description of what was running."""
    say(f"{title}: making a database, a bank, static files; starting the site")
    with running(server) as stack:
        for _ in range(2 * len(stack.workers)):
            packed(stack.port)
        start = held_now(stack)
        texts = {}
        for name in wanted:
            say(f"  {name}")
            if name == "requests":
                texts[name] = table(list(said(Day(stack.port, options.seconds))))
            elif name == "pages":
                texts[name] = public_page(stack, options.seconds)
            elif name == "learners":
                texts[name] = learners_held(stack, options.step_seconds, options.learners, CORES, say)
            else:
                texts[name] = memory_table(start, held_now(stack))
        return {name: f"### {title} {version(stack)}: {stack.described}\n\n{text}" for name, text in texts.items()}


def said(day: Day) -> Iterator[Row]:
    """Report each row as soon as it is measured."""
    for row in day.rows():
        say(f"    {row.name}: {len(row.load.times)} requests, {row.load.rate:.0f}/s")
        yield row


def version(stack: Stack) -> str:
    """Return the version of the database that was measured."""
    sql = "SELECT sqlite_version()" if stack.url.startswith("sqlite") else "SHOW server_version"
    return str(rows(stack.url, sql)[0][0]).split()[0]


def heading(name: str, options: argparse.Namespace, busy: float) -> str:
    """Return a section's first line: date, command and machine."""
    command = " ".join(["python -m tests.bench", *sys.argv[1:]])
    seconds = {"requests": options.seconds, "pages": options.seconds, "learners": options.step_seconds}.get(name)
    how = [f"{seconds:g} s each"] if seconds else []
    how += [ABOUT[name]] if name in ABOUT else []
    told = f" ({', '.join(how)})" if how else ""
    return (
        f"Measured on {dt.datetime.now(dt.UTC):%Y-%m-%d} with `{command}`{told} on a "
        f"machine with {CORES} cores, which the load generator and the database shared, and whose load average was "
        f"{busy:.1f} when it began; Python {platform.python_version()}."
    )


def say(text: str) -> None:
    """Print progress without buffering."""
    print(text, flush=True)


if __name__ == "__main__":
    main()
