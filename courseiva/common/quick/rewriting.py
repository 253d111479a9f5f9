"""Rewriting a table of PostgreSQL with its columns in another order, so that there are no gaps between them."""

from __future__ import annotations

from collections.abc import Mapping

from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.backends.utils import CursorWrapper

COLUMNS = """
SELECT a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, pg_get_expr(d.adbin, d.adrelid)
FROM pg_attribute a LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
WHERE a.attrelid = %s::regclass AND a.attnum > 0 AND NOT a.attisdropped
"""
CONSTRAINTS = """
SELECT format('ALTER TABLE %%s ADD CONSTRAINT %%I %%s', conrelid::regclass, conname, pg_get_constraintdef(oid))
FROM pg_constraint WHERE conrelid = %s::regclass AND contype <> 'n' ORDER BY contype = 'f', conname
"""
INDEXES = """
SELECT pg_get_indexdef(indexrelid) FROM pg_index
WHERE indrelid = %s::regclass AND indexrelid NOT IN (SELECT conindid FROM pg_constraint WHERE conrelid = indrelid)
"""
KEY = """
SELECT quote_ident(attname) FROM pg_index JOIN pg_attribute ON attrelid = indrelid AND attnum = ANY(indkey::int2[])
WHERE indrelid = %s::regclass AND indisprimary ORDER BY array_position(indkey::int2[], attnum)
"""
GRANTS = """
SELECT format('GRANT %%s ON %%s TO %%s', privilege_type, oid::regclass,
    CASE grantee WHEN 0 THEN 'PUBLIC' ELSE grantee::regrole::text END)
FROM pg_class, aclexplode(relacl) WHERE oid = %s::regclass AND grantee <> relowner
"""
OPTIONS = "SELECT array_to_string(reloptions, ', ') FROM pg_class WHERE oid = %s::regclass"


def rewrite(editor: BaseDatabaseSchemaEditor, table: str, columns: Mapping[str, str]) -> None:
    """Copy a table into one with exactly these columns, in this order, which gets its name, keys, checks, indexes,
    options and grants.

    A column keeps its type if none is given here. Nobody can use the table meanwhile. Nothing may refer to it.
    """
    with editor.connection.cursor() as cursor:
        cursor.execute(f"LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE")
        defined = {name: rest for name, *rest in _rows(cursor, COLUMNS, table)}
        if defined.keys() != columns.keys():
            raise ValueError(f"{table} has other columns: {sorted(defined)}")
        belongings = [row[0] for query in (CONSTRAINTS, INDEXES, GRANTS) for row in _rows(cursor, query, table)]
        options = _rows(cursor, OPTIONS, table)[0][0]
        lines = [_line(name, kind, *defined[name]) for name, kind in columns.items()]
        cursor.execute(f"CREATE TABLE {table}_new ({', '.join(lines)})")
        names = ", ".join(f'"{name}"' for name in columns)
        key = ", ".join(row[0] for row in _rows(cursor, KEY, table))
        copy = f"INSERT INTO {table}_new ({names}) SELECT {names} FROM {table} ORDER BY {key}"  # noqa: S608
        cursor.execute(copy)
        cursor.execute(f"DROP TABLE {table}")
        cursor.execute(f"ALTER TABLE {table}_new RENAME TO {table}")
        if options:
            cursor.execute(f"ALTER TABLE {table} SET ({options})")
        for statement in belongings:
            cursor.execute(statement)
        cursor.execute(f"ANALYZE {table}")


def _rows(cursor: CursorWrapper, query: str, table: str) -> list[tuple]:
    cursor.execute(query, [table])
    return cursor.fetchall()


def _line(name: str, kind: str, old_kind: str, is_required: bool, default: str | None) -> str:
    required = " NOT NULL" if is_required else ""
    return f'"{name}" {kind or old_kind}{required}' + (f" DEFAULT {default}" if default else "")
