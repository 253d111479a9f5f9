"""Measures how many bytes a full session leaves on PostgreSQL, rows and indexes, after all its saves.

The first pages of every table and index, and the maps of their free space, belong to no session, so a few sessions go
before those that are counted.

The sessions run one after another through the site's own functions. PostgreSQL's autovacuum runs by the clock, which a
test that hurries through a year of sessions can't wait for: it is off for these tables, and the test vacuums each of
them when autovacuum's own rule says so (50 dead rows plus a share of the table, by default a fifth). Nothing is ever
rewritten (no VACUUM FULL), so the space that updates leave behind counts.
"""

from __future__ import annotations

import datetime as dt

import pytest
from django.apps import apps
from django.db import connection

from practice.models import Learner, PracticeSession, SessionItem
from practice.sessions.ending.finish import finish
from practice.sessions.player.save import claim, save
from practice.start.begin import MockChoice, start_mock
from questions.models import Blueprint
from tests.support.bank import NOW, add_questions, make_exam
from tests.support.sessions import batch, guest, state

FIRST, SESSIONS = 100, 1000
PER_LEARNER = 10
QUESTIONS = 60
BATCH = 5
PER_DOMAIN = 40
LIMIT = 10_000
SECONDS_EACH = 90
LOOK_EVERY = 10
"""Sessions between two checks whether a vacuum is due; a learner's own sessions are days apart."""
DUE = """
SELECT c.relname FROM pg_class c JOIN pg_stat_user_tables s ON s.relid = c.oid
LEFT JOIN LATERAL pg_options_to_table(c.reloptions) o ON o.option_name = 'autovacuum_vacuum_scale_factor'
WHERE c.relname = ANY(%s) AND s.n_dead_tup > 50 + coalesce(o.option_value, '0.2')::float * greatest(c.reltuples, 0)
"""

pytestmark = [
    pytest.mark.soak,
    pytest.mark.usefixtures("needs_postgres"),
    pytest.mark.django_db(transaction=True),
]


def tables() -> list[str]:
    """Return every table of practice."""
    return [model._meta.db_table for model in apps.get_app_config("practice").get_models(include_auto_created=True)]


def execute(sql: str, *values: object) -> list[tuple]:
    """Run one raw statement; returns its rows, if any."""
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        return cursor.fetchall() if cursor.description else []


def sizes() -> dict[str, int]:
    """Return the bytes of each table without its indexes, and of each index."""
    found = {}
    for table in tables():
        found[table] = execute("SELECT pg_table_size(%s)", table)[0][0]
        rows = execute(
            "SELECT indexrelid::regclass::text, pg_table_size(indexrelid) FROM pg_index WHERE indrelid = %s::regclass",
            table,
        )
        found |= dict(rows)
    return found


def total() -> int:
    """Return the bytes of all tables of practice, indexes included."""
    return sum(execute("SELECT pg_total_relation_size(%s)", table)[0][0] for table in tables())


def vacuum_what_is_due() -> None:
    """Do what autovacuum would do now."""
    execute("SELECT pg_stat_force_next_flush()")
    for (table,) in execute(DUE, tables()):
        execute(f"VACUUM (ANALYZE) {table}")


def sit(owner, blueprint: Blueprint, seed: int, start: dt.datetime) -> PracticeSession:
    """Take a complete session: answer every question, save in batches along the way, submit."""
    session = start_mock(owner, blueprint, MockChoice(QUESTIONS), seed, start)
    writer = claim(session.uuid, owner, start).writer
    for first in range(1, QUESTIONS + 1, BATCH):
        now = start + dt.timedelta(seconds=first * SECONDS_EACH)
        places = range(first, first + BATCH)
        states = [state(n, n, (n + seed) % 4, seconds=SECONDS_EACH + n % 7, flagged=n % 9 == 0) for n in places]
        assert save(session.uuid, owner, batch(writer, *states), now).saved == list(places)
    return finish(session.uuid, owner, start + dt.timedelta(seconds=QUESTIONS * SECONDS_EACH + 60))


@pytest.fixture
def blueprint() -> Blueprint:
    """Create an exam with a bank, and turn off autovacuum for the measured tables; returns the blueprint."""
    exam = make_exam()
    add_questions(exam, PER_DOMAIN)
    for table in tables():
        execute(f"ALTER TABLE {table} SET (autovacuum_enabled = off)")
    execute("SET synchronous_commit = off")  # faster, and the same number of bytes is stored
    yield exam.blueprints.get()
    execute("RESET synchronous_commit")
    for table in tables():
        execute(f"ALTER TABLE {table} RESET (autovacuum_enabled)")


def practise(blueprint: Blueprint, numbers: range) -> None:
    """Take a session for each number, ten in a row by the same learner, and vacuum along the way and at the end."""
    for n in numbers:
        if n % PER_LEARNER == 0:
            owner = guest()[0]
        sit(owner, blueprint, n, NOW + dt.timedelta(days=n % PER_LEARNER))
        if n % LOOK_EVERY == 0:
            vacuum_what_is_due()
    execute("VACUUM " + ", ".join(tables()))


def test_a_full_session_leaves_at_most_ten_kilobytes(blueprint: Blueprint) -> None:
    empty = total()
    practise(blueprint, range(FIRST))
    before, parts_before = total(), sizes()
    practise(blueprint, range(FIRST, FIRST + SESSIONS))
    each = (total() - before) / SESSIONS
    parts = {name: (size - parts_before[name]) / SESSIONS for name, size in sizes().items()}
    for name, part in sorted(parts.items(), key=lambda pair: -pair[1]):
        print(f"{part:9.0f}  {name}")
    print(f"{each:9.0f}  bytes for each of {SESSIONS} sessions of {QUESTIONS} questions, {BATCH} answers a save")
    print(f"{(total() - empty) / (FIRST + SESSIONS):9.0f}  with the first {FIRST} and the first pages")
    assert PracticeSession.objects.filter(finished_at__isnull=False, total=QUESTIONS).count() == FIRST + SESSIONS
    answered = SessionItem.objects.exclude(selected=0).exclude(is_correct=None)
    assert answered.count() == (FIRST + SESSIONS) * QUESTIONS
    assert Learner.objects.count() == (FIRST + SESSIONS) // PER_LEARNER
    assert abs(sum(parts.values()) - each) < 1
    assert each <= LIMIT, parts
