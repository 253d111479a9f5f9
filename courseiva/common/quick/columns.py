"""Columns that take less room on PostgreSQL than Django's, for tables with very many rows."""

from __future__ import annotations

from typing import Any

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import FloatField, ForeignKey


class ShortForeignKey(ForeignKey):
    """A foreign key of four bytes to a number of eight, for targets of which there won't be two billion.

    SQLite stores every number as short as it is.
    """

    def db_type(self, connection: BaseDatabaseWrapper) -> str | None:
        """PostgreSQL compares the two without converting either, by index as well."""
        return "integer" if connection.vendor == "postgresql" else super().db_type(connection)


class ShortFloatField(FloatField):
    """A number of six digits, in four bytes on PostgreSQL."""

    def db_type(self, connection: BaseDatabaseWrapper) -> str | None:
        """SQLite has only the long one."""
        return "real" if connection.vendor == "postgresql" else super().db_type(connection)

    def get_prep_value(self, value: Any) -> Any:
        """Rounded, so that every database returns what it was given."""
        value = super().get_prep_value(value)
        return None if value is None else six_digits(value)


def six_digits(value: float) -> float:
    """What a short float keeps of a number."""
    return float(f"{value:.6g}")
