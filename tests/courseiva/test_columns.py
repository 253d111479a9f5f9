"""Columns that take less room on PostgreSQL, and rewriting a table so that there are no gaps between them."""

from __future__ import annotations

import datetime as dt
from itertools import pairwise

import pytest
from django.db import IntegrityError, connection, transaction
from django.db.models import Count

from courseiva.common.quick.columns import ShortFloatField, ShortMomentField, six_digits, whole_second
from courseiva.common.quick.rewriting import rewrite
from practice.models import PracticeSession, ReviewCard, SessionItem
from questions.models import QuestionVersion

pytestmark = pytest.mark.django_db
WIDTHS = """
SELECT attname, attlen FROM pg_attribute WHERE attrelid = %s::regclass AND attnum > 0 AND NOT attisdropped
ORDER BY attnum
"""


def rows(statement: str, *values: float | str) -> list[tuple]:
    """Run one statement; returns its rows, if any."""
    with connection.cursor() as cursor:
        cursor.execute(statement, values or None)
        return cursor.fetchall() if cursor.description else []


@pytest.fixture
def table(needs_postgres: None) -> str:
    """Create a table with a gap, a default, a key, a check, an index, an option, a grant and two rows."""
    rows(
        "CREATE TABLE gaps (b smallint NOT NULL DEFAULT 7 CHECK (b > 0), a bigint, team integer NOT NULL"
        " REFERENCES auth_group, PRIMARY KEY (team, b))"
    )
    rows("CREATE INDEX gaps_a ON gaps (a) WHERE a IS NOT NULL")
    rows("ALTER TABLE gaps SET (fillfactor = 80)")
    rows("GRANT SELECT ON gaps TO PUBLIC")
    rows("INSERT INTO auth_group (id, name) VALUES (77, 'gaps')")
    rows("INSERT INTO gaps (b, a, team) VALUES (2, NULL, 77), (1, 5, 77)")
    rows("SET CONSTRAINTS ALL IMMEDIATE")
    return "gaps"


def narrowed(table: str) -> str:
    """Rewrite the table with its widest column first and a shorter number."""
    with connection.schema_editor(atomic=False) as editor:
        rewrite(editor, table, {"a": "integer", "team": "", "b": ""})
    return table


def test_a_rewritten_table_has_its_columns_in_the_new_order_and_its_rows_in_that_of_the_key(table: str) -> None:
    narrowed(table)
    assert rows(WIDTHS, table) == [("a", 4), ("team", 4), ("b", 2)]
    assert rows("SELECT team, b, a FROM gaps") == [(77, 1, 5), (77, 2, None)]


def test_a_rewritten_table_keeps_constraints_indexes_defaults_options_and_grants(table: str) -> None:
    belongings = (
        "SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid = 'gaps'::regclass ORDER BY 1",
        "SELECT indexdef FROM pg_indexes WHERE tablename = 'gaps' ORDER BY 1",
        "SELECT reloptions, relacl FROM pg_class WHERE relname = 'gaps'",
        "SELECT column_name, column_default, is_nullable FROM information_schema.columns WHERE table_name = 'gaps'"
        " ORDER BY 1",
    )
    before = [rows(query) for query in belongings]
    narrowed(table)
    assert [rows(query) for query in belongings] == before
    with pytest.raises(IntegrityError), transaction.atomic():
        rows("INSERT INTO gaps (b, team) VALUES (1, 77)")


def test_a_table_with_other_columns_is_not_rewritten(table: str) -> None:
    rows("ALTER TABLE gaps ADD COLUMN later integer")
    with pytest.raises(ValueError, match="later"):
        narrowed(table)
    assert len(rows("SELECT * FROM gaps")) == 2


@pytest.mark.usefixtures("needs_postgres")
@pytest.mark.parametrize("name", ["practice_sessionitem", "practice_reviewcard"])
def test_the_largest_tables_have_no_gaps_between_their_columns(name: str) -> None:
    widths = [width for _, width in rows(WIDTHS, name)]
    assert all(here >= after for here, after in pairwise(widths)), rows(WIDTHS, name)


@pytest.mark.usefixtures("needs_postgres")
def test_the_largest_tables_refer_to_other_rows_in_four_bytes() -> None:
    wide = [
        (name, column)
        for name in ("practice_sessionitem", "practice_reviewcard")
        for column, width in rows(WIDTHS, name)
        if column.endswith("_id") and width != 4
    ]
    assert wide == []


@pytest.mark.usefixtures("needs_postgres")
def test_a_short_foreign_key_is_joined_without_converting_either_side() -> None:
    """A converted column can't be looked up by its index, so a join would read the whole table."""
    both_ways = (
        SessionItem.objects.filter(session__learner=1, version__question=1),
        PracticeSession.objects.filter(learner=1).annotate(n=Count("items__position")),
        QuestionVersion.objects.filter(sessionitem__session=1),
        ReviewCard.objects.filter(question__number=1),
    )
    for each in both_ways:
        assert " JOIN " in str(each.query)
        assert "::integer" not in str(each.query)
        assert "::bigint" not in str(each.query)


@pytest.mark.usefixtures("needs_postgres")
def test_a_new_short_foreign_key_takes_four_bytes() -> None:
    field = SessionItem._meta.get_field("session")
    assert field.db_parameters(connection)["type"] == "integer"
    with connection.schema_editor() as editor:
        assert "integer" in editor.column_sql(SessionItem, field)[0]


@pytest.mark.parametrize("value", [0.1 + 0.2, 1 / 3, 36500.123456, 2.118103e-05, 0.0])
def test_a_short_float_is_read_as_it_was_stored(value: float) -> None:
    stored = ShortFloatField().get_prep_value(value)
    assert stored == six_digits(value) == pytest.approx(value, rel=1e-5)
    if connection.vendor == "postgresql":
        assert rows("SELECT %s::real", stored) == [(stored,)]


def test_no_short_float_stays_none() -> None:
    assert ShortFloatField().get_prep_value(None) is None


@pytest.mark.parametrize(("microsecond", "stored"), [(0, 7), (1, 8), (999_999, 8)])
def test_a_time_is_rounded_up_to_the_next_whole_second(microsecond: int, stored: int) -> None:
    moment = dt.datetime(2026, 11, 30, 2, 51, 7, microsecond, tzinfo=dt.UTC)
    assert whole_second(moment) == dt.datetime(2026, 11, 30, 2, 51, stored, tzinfo=dt.UTC)


def test_rounding_up_reaches_the_next_year() -> None:
    last = dt.datetime(2026, 12, 31, 23, 59, 59, 1, tzinfo=dt.UTC)
    assert whole_second(last) == dt.datetime(2027, 1, 1, tzinfo=dt.UTC)


@pytest.mark.parametrize("year", [1953, 2020, 2039, 2087])
def test_a_short_time_is_read_as_it_was_stored(year: int) -> None:
    moment = dt.datetime(year, 6, 1, 12, 30, 59, tzinfo=dt.UTC)
    stored = ShortMomentField().get_db_prep_save(moment, connection)
    if connection.vendor == "postgresql":
        column = f"to_timestamp(%s::integer + {ShortMomentField.EPOCH}::float8)"
        assert rows(f"SELECT {column}", stored) == [(moment,)]
    else:
        assert stored == f"{moment:%Y-%m-%d %H:%M:%S}"


def test_no_short_time_stays_none() -> None:
    assert ShortMomentField().get_db_prep_save(None, connection) is None
