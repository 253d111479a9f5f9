"""Ids that don't depend on the tests that ran before."""

from __future__ import annotations

from django.db import connection
from django.db.models import Model


def ids_from_one(model: type[Model]) -> None:
    """The next row gets id 1, until the test is rolled back. Its table must be empty."""
    assert not model._default_manager.exists()
    table = connection.ops.quote_name(model._meta.db_table)
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            # Unlike setval, this is undone with the transaction.
            cursor.execute(f"ALTER TABLE {table} ALTER COLUMN id RESTART WITH 1")
        else:
            cursor.execute("DELETE FROM sqlite_sequence WHERE name = %s", [model._meta.db_table])
