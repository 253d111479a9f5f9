"""Measures the analysis of one session of 60 questions on PostgreSQL, with few and with very many answers stored.

The stored answers are copies of one real session, spread over all questions and over learners of ten sessions. Each
measured session is a new learner's third, from the call to the commit.
"""

from __future__ import annotations

import datetime as dt
import statistics
import sys
import tempfile
import time
from pathlib import Path
from unittest import mock

from tests.support.needs import find_postgres
from tests.support.scratch import fill, scratch_database
from tests.support.subprocesses import run_python

SIZES = (10_000, 1_000_000)
PER_DOMAIN, LENGTH, RUNS = 50, 60, 15
PER_LEARNER = 10
SETTINGS = {"DJANGO_SETTINGS_MODULE": "tests.settings"}
LONGEST = 900


def section() -> str:
    """Return the table for docs/benchmarks.md, or one line that says there is no PostgreSQL."""
    server = find_postgres()
    if not server:
        return "Not measured: DATABASE_URL names no PostgreSQL that answers."
    with tempfile.TemporaryDirectory() as folder, scratch_database(server, Path(folder)) as url:
        fill(url, PER_DOMAIN, **SETTINGS)
        done = run_python("-m", "tests.bench.analysis", timeout=LONGEST, **SETTINGS, DATABASE_URL=url)
    if done.returncode:
        raise SystemExit(done.stderr)
    head = "| Answers stored | median ms | longest ms | ratio |\n| ---: | ---: | ---: | ---: |\n"
    return f"{head}{done.stdout.strip()}"


def measure() -> None:
    """Print one line of the table per size."""
    first = 0.0
    stored = 0
    for size in SIZES:
        store(size - stored)
        stored = size
        times = [analysed_in(seed) for seed in range(size, size + RUNS)]
        middle = statistics.median(times)
        first = first or middle
        print(f"| {size:,} | {middle:.0f} | {max(times):.0f} | {middle / first:.1f} |")


def store(answers: int) -> None:
    """Store this many more answers, in sessions that have been analysed."""
    from django.db import connection

    from practice.models import PracticeSession, SessionItem
    from tests.bench.copies import insert_from

    template = sat(0, analysed=True)
    sessions = answers // LENGTH
    with connection.cursor() as cursor:
        learners = -(-sessions // PER_LEARNER)
        cursor.execute(
            "INSERT INTO practice_learner (time_zone, chosen_zone, time_factor, created_at)"
            " SELECT 'UTC', '', 1, now() FROM generate_series(1, %s) RETURNING id",
            [learners],
        )
        first = cursor.fetchone()[0]
        cursor.execute(
            insert_from(
                PracticeSession, {"uuid": "gen_random_uuid()", "learner_id": f"{first} + n / {PER_LEARNER}"}, "id"
            )
            + f" FROM practice_practicesession t, generate_series(0, {sessions - 1}) n"
            + f" WHERE t.id = {template} RETURNING id"
        )
        begin = cursor.fetchone()[0]
        cursor.execute("SELECT min(id), count(*) FROM questions_questionversion")
        low, count = cursor.fetchone()
        cursor.execute(
            insert_from(SessionItem, {"session_id": "s.id", "version_id": f"{low} + (t.position * 5 + s.id) % {count}"})
            + " FROM practice_sessionitem t, practice_practicesession s"
            + f" WHERE t.session_id = {template} AND s.id >= {begin}"
        )
        cursor.execute("ANALYZE")


def sat(seed: int, *, analysed: bool = False) -> int:
    """Create a learner with two analysed mocks, let them finish a third, and return its id."""
    from practice.readiness.derive.analyse import analyse
    from practice.sessions.ending.finish import finish
    from practice.sessions.player.save import claim, save
    from practice.tasks import analyse_session
    from questions.models import Exam
    from tests.support.bank import NOW
    from tests.support.sessions import batch, begin_mock, guest, state

    owner, exam = guest()[0], Exam.objects.get()
    session_id = 0
    for n in range(3):
        start = NOW + dt.timedelta(days=n)
        session = begin_mock(owner, exam, LENGTH, start)
        claim(session.uuid, owner, start)
        states = [state(place, 1, (place + n + seed) % 4, seconds=40) for place in range(1, LENGTH + 1)]
        save(session.uuid, owner, batch(1, *states), start)
        with mock.patch.object(analyse_session, "delay"):
            session_id = finish(session.uuid, owner, start + dt.timedelta(minutes=90)).pk
        if n < 2 or analysed:
            analyse(session_id, start + dt.timedelta(minutes=91))
    return session_id


def analysed_in(seed: int) -> float:
    """Analyse this session and return the milliseconds it took."""
    from practice.readiness.derive.analyse import analyse
    from tests.support.bank import NOW

    session_id = sat(seed)
    began = time.perf_counter()
    assert analyse(session_id, NOW + dt.timedelta(days=3))
    return 1000 * (time.perf_counter() - began)


if __name__ == "__main__":
    import django

    django.setup()
    sys.exit(measure())
