"""What editors search: an entry for each draft, its full-text index beside it, and the order of their list.

The index is kept by the database itself, as that of migration 0024: by a generated column on PostgreSQL, by triggers on
SQLite. It is empty until ``questions.catch_up_search`` or ``rebuild_search`` has run.
"""

from typing import Any

import django.db.models.deletion
from django.db import migrations, models

WORDS_OF = "to_tsvector('english', regexp_replace({}, '[^[:alnum:]]+', ' ', 'g'))"
POSTGRES = (
    "ALTER TABLE questions_draftentry ADD COLUMN words tsvector GENERATED ALWAYS AS ("
    f"{WORDS_OF.format('title')} || {WORDS_OF.format('names')} || {WORDS_OF.format('prompt')}"
    f" || {WORDS_OF.format('rest')}) STORED",
    "CREATE INDEX draft_entry_words ON questions_draftentry USING gin (words)",
    # What the model's own index is on SQLite, where descending puts nulls last: PostgreSQL would put them first.
    "CREATE INDEX question_changed_last ON questions_question (changed_at DESC NULLS LAST, id DESC)",
)
TEXTS = "title, names, prompt, rest"
OLD = "old.id, old.title, old.names, old.prompt, old.rest"
NEW = "new.id, new.title, new.names, new.prompt, new.rest"
ADD = f"INSERT INTO questions_drafttext (rowid, {TEXTS}) VALUES ({NEW});"
DROP = f"INSERT INTO questions_drafttext (questions_drafttext, rowid, {TEXTS}) VALUES ('delete', {OLD});"
SQLITE = (
    f"CREATE VIRTUAL TABLE questions_drafttext USING fts5({TEXTS}, content='questions_draftentry',"
    " content_rowid='id', tokenize='porter unicode61')",
    f"CREATE TRIGGER draft_entry_added AFTER INSERT ON questions_draftentry BEGIN {ADD} END",
    f"CREATE TRIGGER draft_entry_gone AFTER DELETE ON questions_draftentry BEGIN {DROP} END",
    f"CREATE TRIGGER draft_entry_changed AFTER UPDATE ON questions_draftentry BEGIN {DROP} {ADD} END",
)
POSTGRES_BACK = ("DROP INDEX question_changed_last",)
SQLITE_BACK = ("DROP TABLE questions_drafttext",)


def make_index(apps: Any, schema_editor: Any) -> None:
    for statement in POSTGRES if schema_editor.connection.vendor == "postgresql" else SQLITE:
        schema_editor.execute(statement)


def drop_index(apps: Any, schema_editor: Any) -> None:
    for statement in POSTGRES_BACK if schema_editor.connection.vendor == "postgresql" else SQLITE_BACK:
        schema_editor.execute(statement)


class Migration(migrations.Migration):
    dependencies = [("questions", "0027_pictures")]

    operations = [
        migrations.CreateModel(
            name="DraftEntry",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("title", models.TextField()),
                (
                    "names",
                    models.TextField(
                        help_text="Permanent names: its own, its family's, its domain's and its concepts'."
                    ),
                ),
                ("prompt", models.TextField(help_text="Stem and options.")),
                ("rest", models.TextField(help_text="Clues, reasons, the answer and the sources.")),
                (
                    "question",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="questions.question"
                    ),
                ),
            ],
            options={"verbose_name_plural": "draft entries", "default_permissions": ()},
        ),
        migrations.AddIndex(
            model_name="question",
            index=models.Index(
                fields=["recheck_after"], condition=models.Q(("recheck_after__isnull", False)), name="question_recheck"
            ),
        ),
        migrations.AddIndex(
            model_name="question",
            index=models.Index(
                fields=["withdrawn_at"], condition=models.Q(("withdrawn_at__isnull", False)), name="question_withdrawn"
            ),
        ),
        migrations.AddIndex(
            model_name="question", index=models.Index(fields=["-changed_at", "-id"], name="question_changed")
        ),
        migrations.RunPython(make_index, drop_index),
    ]
