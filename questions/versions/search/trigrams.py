"""pg_trgm, by which PostgreSQL finds the words that a mistyped one is like; search does without where it is refused."""

from __future__ import annotations

from django.db import DatabaseError, connection, transaction

from questions.versions.search.reads import have_trigrams

EXTENSION = """
    CREATE EXTENSION IF NOT EXISTS pg_trgm"""
INDEX = """
    CREATE INDEX IF NOT EXISTS search_word_trigrams ON questions_searchword USING gist (word gist_trgm_ops)"""


def make_trigrams() -> bool:
    """The extension and its index, where they are missing; False where the role may not or the server has none.

    ``docs/operating.md`` says what an operator then does.
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
