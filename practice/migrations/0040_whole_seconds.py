"""Times of items and review cards are stored in whole seconds, in four bytes instead of eight on PostgreSQL.

PostgreSQL writes both tables anew, so this is part of the downtime of 0.2.0, like 0036 and 0037. A time is rounded up:
what is stored is never earlier than what happened. Going back keeps the rounded times.
"""

import courseiva.common.quick.columns
from django.db import migrations

COLUMNS = {
    'practice_sessionitem': ('displayed_at', 'answered_at', 'checked_at'),
    'practice_reviewcard': ('reviewed_at', 'due_at'),
}  # fmt: skip
EPOCH = 1577836800  # the beginning of 2020


def shorten(apps, schema_editor):
    if schema_editor.connection.vendor == 'postgresql':
        _retype(schema_editor, 'integer', f'(ceil(extract(epoch FROM {{name}})) - {EPOCH})::integer')
        return
    for table, names in COLUMNS.items():
        for name in names:
            schema_editor.execute(
                f"UPDATE {table} SET {name} = datetime(substr({name}, 1, 19), '+1 second') WHERE {name} LIKE '%.%'"
            )


def lengthen(apps, schema_editor):
    if schema_editor.connection.vendor == 'postgresql':
        _retype(schema_editor, 'timestamptz', f'to_timestamp({{name}} + {EPOCH}::float8)')


def _retype(schema_editor, kind, value):
    for table, names in COLUMNS.items():
        changes = ', '.join(f'ALTER COLUMN {name} TYPE {kind} USING {value.format(name=name)}' for name in names)
        schema_editor.execute(f'ALTER TABLE {table} {changes}')


class Migration(migrations.Migration):

    dependencies = [
        ('practice', '0039_plain_help_texts'),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[migrations.RunPython(shorten, lengthen)],
            state_operations=[
                migrations.AlterField(
                    model_name='reviewcard',
                    name='due_at',
                    field=courseiva.common.quick.columns.ShortMomentField(),
                ),
                migrations.AlterField(
                    model_name='reviewcard',
                    name='reviewed_at',
                    field=courseiva.common.quick.columns.ShortMomentField(),
                ),
                migrations.AlterField(
                    model_name='sessionitem',
                    name='answered_at',
                    field=courseiva.common.quick.columns.ShortMomentField(blank=True, null=True),
                ),
                migrations.AlterField(
                    model_name='sessionitem',
                    name='checked_at',
                    field=courseiva.common.quick.columns.ShortMomentField(blank=True, null=True),
                ),
                migrations.AlterField(
                    model_name='sessionitem',
                    name='displayed_at',
                    field=courseiva.common.quick.columns.ShortMomentField(blank=True, null=True),
                ),
            ],
        ),
    ]
