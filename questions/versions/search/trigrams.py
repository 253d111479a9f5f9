"""pg_trgm, with which PostgreSQL finds words similar to a mistyped one; search works without it."""

from __future__ import annotations

from django.db import DatabaseError, connection, transaction

from questions.versions.search.reads import have_trigrams

EXTENSION = """
    CREATE EXTENSION IF NOT EXISTS pg_trgm"""
INDEX = """
    CREATE INDEX IF NOT EXISTS search_word_trigrams ON questions_searchword USING gist (word gist_trgm_ops)"""


def make_trigrams() -> bool:
    """Create the extension and its index if missing; False if the role may not or the server lacks it.

    ``docs/operating.md`` says what an operator can then do.
    """
    if connection.vendor != "postgresql":
        return True
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(EXTENSION)
    except DatabaseError:
        if not have_trigrams():
            return False
    with connection.cursor() as cursor:
        cursor.execute(INDEX)
    return True
