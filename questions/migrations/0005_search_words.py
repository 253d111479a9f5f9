"""Full-text indexes for search, on PostgreSQL; on SQLite nothing. The expressions are those of pages/reads/words.py."""

from typing import Any

from django.db import migrations

INDEXES = {
    "question_words": (
        "questions_questionversion",
        "setweight(to_tsvector('english', title), 'A') || setweight(to_tsvector('english', stem), 'B')",
    ),
    "concept_words": ("questions_concept", "setweight(to_tsvector('english', name), 'A')"),
    "module_words": (
        "questions_studymodule",
        "setweight(to_tsvector('english', title), 'A') || setweight(to_tsvector('english', summary), 'B')"
        " || setweight(to_tsvector('english', body), 'C')",
    ),
}


def make_indexes(apps: Any, schema_editor: Any) -> None:
    if schema_editor.connection.vendor == "postgresql":
        for name, (table, words) in INDEXES.items():
            schema_editor.execute(f"CREATE INDEX {name} ON {table} USING gin (({words}))")


def drop_indexes(apps: Any, schema_editor: Any) -> None:
    if schema_editor.connection.vendor == "postgresql":
        for name in INDEXES:
            schema_editor.execute(f"DROP INDEX {name}")


class Migration(migrations.Migration):
    dependencies = [("questions", "0004_modules")]

    operations = [migrations.RunPython(make_indexes, drop_indexes)]
