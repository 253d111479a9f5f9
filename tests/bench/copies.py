"""Stores very many sessions quickly by letting the database copy one learner's whole record.

Needs Django, PostgreSQL and a database that nobody else uses: while rows go in, the tables of practice have no indexes
and no constraints.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from django.db import connection
from django.db.backends.utils import CursorWrapper
from django.db.models import Model

from practice.models import Learner, PracticeSession, ReadinessSnapshot, ReviewCard, SessionItem, Standing
from questions.models import Question, QuestionVersion

SHIFT = 7
"""Each copy's questions are this much further on in the bank, so that answers are spread over all of it."""


def insert_from(model: type[Model], other: dict[str, str], key: str = "") -> str:
    """Return an INSERT ... SELECT of all columns of ``t`` but ``key``, some of them replaced by these expressions."""
    columns = [field.column for field in model._meta.concrete_fields if field.column and field.column != key]
    chosen = ", ".join(other.get(column, f't."{column}"') for column in columns)
    named = ", ".join(f'"{column}"' for column in columns)
    return f"INSERT INTO {model._meta.db_table} ({named}) SELECT {chosen}"


def copy_learner(learner_id: int, copies: int, unmoved: int) -> int:
    """Store this many copies; the first ``unmoved`` keep the learner's own questions. Returns the first new id.

    Learners get no name. The ids of learners and sessions are consecutive, so that no join is needed to find them.
    """
    with connection.cursor() as cursor, bare_tables(cursor):
        first_learner, first_session = _next_id(cursor, Learner), _next_id(cursor, PracticeSession)
        sessions = _prepare(cursor, learner_id)
        moved = f"(CASE WHEN n < {unmoved} THEN 0 ELSE n::bigint * {SHIFT} END)"
        learner = f"{first_learner} + n"
        session = f"{first_session} + n::bigint * {sessions} + t.place"
        version, question = (
            _moved(cursor, *each, moved) for each in ((QuestionVersion, "version"), (Question, "question"))
        )
        of_learner = {"id": learner, "user_id": "NULL::integer", "guest_key": "NULL"}
        _insert(cursor, insert_from(Learner, of_learner), "held_learner", copies)
        of_session = {"id": session, "uuid": "gen_random_uuid()", "learner_id": learner}
        _insert(cursor, insert_from(PracticeSession, of_session), "held_session", copies)
        _insert(cursor, insert_from(SessionItem, {"session_id": session, "version_id": version}), "held_item", copies)
        of_snapshot = {"session_id": session, "learner_id": learner}
        _insert(cursor, insert_from(ReadinessSnapshot, of_snapshot), "held_snapshot", copies)
        _insert(cursor, insert_from(Standing, {"learner_id": learner}, "id"), "held_standing", copies)
        of_card = {"learner_id": learner, "question_id": question}
        _insert(cursor, insert_from(ReviewCard, of_card), "held_card", copies)
        for model in (Learner, PracticeSession):
            table = model._meta.db_table
            cursor.execute(f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), (SELECT max(id) FROM {table}))")
    return first_learner


def _prepare(cursor: CursorWrapper, learner_id: int) -> int:
    """Put the record into temporary tables with each session's position; returns the number of sessions."""
    own = f"learner_id = {learner_id}"
    placed = f"SELECT *, row_number() OVER (ORDER BY id) - 1 AS place FROM practice_practicesession WHERE {own}"
    with_place = "SELECT r.*, s.place FROM {} r JOIN held_session s ON s.id = r.session_id"
    for name, rows in (
        ("session", placed),
        ("learner", f"SELECT * FROM practice_learner WHERE id = {learner_id}"),
        ("item", with_place.format("practice_sessionitem")),
        ("snapshot", with_place.format("practice_readinesssnapshot")),
        ("standing", f"SELECT * FROM practice_standing WHERE {own}"),
        ("card", f"SELECT * FROM practice_reviewcard WHERE {own}"),
    ):
        cursor.execute(f"DROP TABLE IF EXISTS held_{name}")
        cursor.execute(f"CREATE TEMPORARY TABLE held_{name} AS {rows}")
    cursor.execute("SELECT count(*) FROM held_session")
    return int(cursor.fetchone()[0])


def _insert(cursor: CursorWrapper, insert: str, source: str, copies: int) -> None:
    """Insert copy by copy, so that one learner's rows are stored together, as they are in real use."""
    cursor.execute(
        f"{insert} FROM generate_series(0, {copies - 1}) n, LATERAL (SELECT *, n AS copy FROM {source} OFFSET 0) t"
    )


def _moved(cursor: CursorWrapper, model: type[Model], name: str, moved: str) -> str:
    """Return the key of the row this far ahead, wrapping around at the end."""
    cursor.execute(f"SELECT min(id), count(*), max(id) FROM {model._meta.db_table}")
    low, count, high = cursor.fetchone()
    assert high - low + 1 == count, f"the keys of {model.__name__} have gaps"
    return f"{low} + (t.{name}_id - {low} + {moved}) % {count}"


def _next_id(cursor: CursorWrapper, model: type[Model]) -> int:
    cursor.execute(f"SELECT coalesce(max(id), 0) + 1 FROM {model._meta.db_table}")
    return int(cursor.fetchone()[0])


@contextlib.contextmanager
def bare_tables(cursor: CursorWrapper) -> Iterator[None]:
    """Drop the foreign keys, other constraints and indexes of practice for the block, and restore them afterwards.

    Foreign keys are restored without checking the existing rows.
    """
    cursor.execute(
        "SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid), contype = 'f' FROM pg_constraint"
        " WHERE conrelid::regclass::text LIKE 'practice\\_%' AND contype IN ('f', 'p', 'u') ORDER BY contype, conname"
    )
    constraints = cursor.fetchall()
    for table, name, _, _ in constraints:
        cursor.execute(f'ALTER TABLE {table} DROP CONSTRAINT "{name}"')
    cursor.execute("SELECT indexname, indexdef FROM pg_indexes WHERE tablename LIKE 'practice\\_%'")
    indexes = cursor.fetchall()
    for name, _ in indexes:
        cursor.execute(f'DROP INDEX "{name}"')
    yield
    for _, definition in indexes:
        cursor.execute(definition)
    for is_foreign in (False, True):
        for table, name, definition, foreign in constraints:
            if foreign == is_foreign:
                cursor.execute(
                    f'ALTER TABLE {table} ADD CONSTRAINT "{name}" {definition}{" NOT VALID" if foreign else ""}'
                )
