"""What an item nearly always has, it no longer stores on PostgreSQL: null stands for it, and takes no room.

Rows stay as they are: what is written from now on has the nulls, and both are read. Nothing is copied, so this takes no
longer than getting the table's lock. Going back fills the nulls in.
"""

import courseiva.common.quick.columns
from django.db import migrations

FLAGS = ('flagged', 'hint_opened', 'revealed', 'seen_before', 'variant_seen', 'granted', 'withheld')
DEFAULTS = dict.fromkeys(FLAGS, 'false') | {
    'struck': '0', 'changes': '0', 'writer': '0', 'sequence': '0', 'miss_class': "''",
}  # fmt: skip


def make_nullable(apps, schema_editor):
    if schema_editor.connection.vendor == 'postgresql':
        changes = ', '.join(f'ALTER COLUMN {name} DROP NOT NULL' for name in DEFAULTS)
        schema_editor.execute(f'ALTER TABLE practice_sessionitem {changes}')


def fill_in(apps, schema_editor):
    is_postgresql = schema_editor.connection.vendor == 'postgresql'
    defaults = {'first_selected': 'selected'} | (DEFAULTS if is_postgresql else {})
    # In one statement: a row updated twice would have its keys checked at the end, and until then no ALTER TABLE runs.
    filled = ', '.join(f'{name} = COALESCE({name}, {default})' for name, default in defaults.items())
    schema_editor.execute(f'UPDATE practice_sessionitem SET {filled}')
    if is_postgresql:
        changes = ', '.join(f'ALTER COLUMN {name} SET NOT NULL' for name in DEFAULTS)
        schema_editor.execute(f'ALTER TABLE practice_sessionitem {changes}')


class Migration(migrations.Migration):

    dependencies = [
        ('practice', '0037_short_review_cards'),
    ]

    operations = [
        migrations.AlterField(
            model_name='sessionitem',
            name='first_selected',
            field=courseiva.common.quick.columns.SameAsField(default=0, null=True, other='selected'),
        ),
        migrations.SeparateDatabaseAndState(
            database_operations=[migrations.RunPython(make_nullable, fill_in)],
            state_operations=[
                migrations.AlterField(
                    model_name='sessionitem',
                    name='changes',
                    field=courseiva.common.quick.columns.SparseSmallField(default=0),
                ),
                migrations.AlterField(
                    model_name='sessionitem',
                    name='flagged',
                    field=courseiva.common.quick.columns.SparseBooleanField(default=False),
                ),
                migrations.AlterField(
                    model_name='sessionitem',
                    name='granted',
                    field=courseiva.common.quick.columns.SparseBooleanField(db_default=False, default=False, help_text='Right for everybody, whatever was chosen: it counts in the score and says nothing of anybody.'),
                ),
                migrations.AlterField(
                    model_name='sessionitem',
                    name='hint_opened',
                    field=courseiva.common.quick.columns.SparseBooleanField(default=False),
                ),
                migrations.AlterField(
                    model_name='sessionitem',
                    name='miss_class',
                    field=courseiva.common.quick.columns.SparseCharField(blank=True, choices=[('knowledge', 'Didn’t know it'), ('misread', 'Misread a clue'), ('changed', 'Changed from right to wrong'), ('time', 'Ran out of time')], max_length=9),
                ),
                migrations.AlterField(
                    model_name='sessionitem',
                    name='revealed',
                    field=courseiva.common.quick.columns.SparseBooleanField(default=False),
                ),
                migrations.AlterField(
                    model_name='sessionitem',
                    name='seen_before',
                    field=courseiva.common.quick.columns.SparseBooleanField(default=False),
                ),
                migrations.AlterField(
                    model_name='sessionitem',
                    name='sequence',
                    field=courseiva.common.quick.columns.SparseNumberField(default=0),
                ),
                migrations.AlterField(
                    model_name='sessionitem',
                    name='struck',
                    field=courseiva.common.quick.columns.SparseSmallField(default=0),
                ),
                migrations.AlterField(
                    model_name='sessionitem',
                    name='variant_seen',
                    field=courseiva.common.quick.columns.SparseBooleanField(db_default=False, default=False, help_text='The learner had seen another variant of this question, but not this one.'),
                ),
                migrations.AlterField(
                    model_name='sessionitem',
                    name='withheld',
                    field=courseiva.common.quick.columns.SparseBooleanField(db_default=False, default=False, help_text='Reserved and never displayed, so the result shows no solution.'),
                ),
                migrations.AlterField(
                    model_name='sessionitem',
                    name='writer',
                    field=courseiva.common.quick.columns.SparseNumberField(default=0),
                ),
            ],
        ),
    ]
