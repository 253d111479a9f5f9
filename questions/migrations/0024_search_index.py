"""The search index. Entries are rows; the full-text index beside them is kept by the database itself.

On PostgreSQL by generated columns, on SQLite by triggers: a later change of these two tables on SQLite makes them anew
and has to make the triggers again. The index is empty until ``questions.catch_up_search`` or ``rebuild_search`` has run.
"""

from typing import Any

import django.db.models.deletion
from django.db import migrations, models

from questions.versions.search.trigrams import make_trigrams

# Letters and digits alone: PostgreSQL would read Pub/Sub as the name of a file.
WORDS_OF = "to_tsvector('english', regexp_replace({}, '[^[:alnum:]]+', ' ', 'g'))"
POSTGRES = (
    f"ALTER TABLE questions_searchentry ADD COLUMN titles tsvector GENERATED ALWAYS AS ({WORDS_OF.format('title')}) STORED",
    "ALTER TABLE questions_searchentry ADD COLUMN words tsvector GENERATED ALWAYS AS ("
    f"setweight({WORDS_OF.format('title')}, 'A') || setweight({WORDS_OF.format('prompt')}, 'B')"
    f" || setweight({WORDS_OF.format('solution')}, 'D')) STORED",
    "CREATE INDEX search_entry_titles ON questions_searchentry USING gin (titles)",
    "CREATE INDEX search_entry_words ON questions_searchentry USING gin (words)",
)
TEXTS = "title, prompt, solution"
OLD, NEW = "old.id, old.title, old.prompt, old.solution", "new.id, new.title, new.prompt, new.solution"
ADD = f"INSERT INTO questions_searchtext (rowid, {TEXTS}) VALUES ({NEW});"
DROP = f"INSERT INTO questions_searchtext (questions_searchtext, rowid, {TEXTS}) VALUES ('delete', {OLD});"
SQLITE = (
    f"CREATE VIRTUAL TABLE questions_searchtext USING fts5({TEXTS}, content='questions_searchentry',"
    " content_rowid='id', tokenize='porter unicode61')",
    f"CREATE TRIGGER search_entry_added AFTER INSERT ON questions_searchentry BEGIN {ADD} END",
    f"CREATE TRIGGER search_entry_gone AFTER DELETE ON questions_searchentry BEGIN {DROP} END",
    f"CREATE TRIGGER search_entry_changed AFTER UPDATE ON questions_searchentry BEGIN {DROP} {ADD} END",
    "CREATE VIRTUAL TABLE questions_searchtrigram USING fts5(word, tokenize='trigram')",
    "CREATE TRIGGER search_word_added AFTER INSERT ON questions_searchword BEGIN"
    " INSERT INTO questions_searchtrigram (rowid, word) VALUES (new.id, '  ' || new.word || ' '); END",
    "CREATE TRIGGER search_word_gone AFTER DELETE ON questions_searchword BEGIN"
    " DELETE FROM questions_searchtrigram WHERE rowid = old.id; END",
)
SQLITE_BACK = ("DROP TABLE questions_searchtext", "DROP TABLE questions_searchtrigram")


def make_index(apps: Any, schema_editor: Any) -> None:
    is_postgres = schema_editor.connection.vendor == "postgresql"
    for statement in POSTGRES if is_postgres else SQLITE:
        schema_editor.execute(statement)
    if is_postgres:
        make_trigrams()


def drop_index(apps: Any, schema_editor: Any) -> None:
    if schema_editor.connection.vendor == "sqlite":
        for statement in SQLITE_BACK:
            schema_editor.execute(statement)


class Migration(migrations.Migration):
    dependencies = [("questions", "0023_labels_read_again")]

    operations = [
        migrations.CreateModel(
            name="SearchWord",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("word", models.CharField(max_length=40, unique=True)),
                ("entries", models.IntegerField()),
            ],
        ),
        migrations.CreateModel(
            name="SearchEntry",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("anchor", models.CharField(blank=True, max_length=200)),
                (
                    "digest",
                    models.CharField(blank=True, help_text="Of the module's file that it was made from.", max_length=64),
                ),
                ("title", models.TextField()),
                ("prompt", models.TextField(help_text="Stem and options, or the text of a section.")),
                (
                    "solution",
                    models.TextField(blank=True, help_text="What a question's page shows behind its answer."),
                ),
                (
                    "concept",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="questions.concept",
                    ),
                ),
                (
                    "module",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="questions.studymodule",
                    ),
                ),
                (
                    "version",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="questions.questionversion",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "search entries",
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("concept", None), ("module", None), ("version__isnull", False)),
                            models.Q(("concept__isnull", False), ("module", None), ("version", None)),
                            models.Q(("concept", None), ("module__isnull", False), ("version", None)),
                            _connector="OR",
                        ),
                        name="search_entry_of_one",
                    )
                ],
            },
        ),
        migrations.RunPython(make_index, drop_index),
    ]
