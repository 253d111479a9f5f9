"""Columns that take less room on PostgreSQL than Django's, for tables with very many rows."""

from __future__ import annotations

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import ForeignKey


class ShortForeignKey(ForeignKey):
    """A foreign key of four bytes to a number of eight, for targets of which there won't be two billion.

    SQLite stores every number as short as it is.
    """

    def db_type(self, connection: BaseDatabaseWrapper) -> str | None:
        """PostgreSQL compares the two without converting either, by index as well."""
        return "integer" if connection.vendor == "postgresql" else super().db_type(connection)
