"""Indexes that only one of the two databases needs."""

from __future__ import annotations

from typing import Any

from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.backends.ddl_references import Statement
from django.db.models import Index


class IndexOnSqlite(Index):
    """An index for SQLite only: PostgreSQL finds these rows just as quickly without it.

    It is named in the model, so that SQLite still has it after Django has remade the table.
    """

    def create_sql(self, model: Any, schema_editor: BaseDatabaseSchemaEditor, using: str = "", **kwargs: Any) -> Any:
        """Django needs a statement, so on PostgreSQL it gets one that does nothing."""
        if schema_editor.connection.vendor == "postgresql":
            return Statement("SELECT 1")
        return super().create_sql(model, schema_editor, using, **kwargs)
