"""Review cards take two thirds of the room on PostgreSQL: keys and numbers in four bytes, columns by width.

Part of the downtime of 0.2.0, like the migration before. The numbers can be computed again from the answers.
"""

import django.db.models.deletion
from django.db import migrations

import courseiva.common.quick.columns
from courseiva.common.quick.rewriting import rewrite

COLUMNS = {
    'reviewed_at': '', 'due_at': '',
    'learner_id': 'integer', 'question_id': 'integer', 'exam_id': 'integer', 'stability': 'real', 'difficulty': 'real',
    'reviews': '', 'lapses': '',
}  # fmt: skip


def shorten(apps, schema_editor):
    if schema_editor.connection.vendor == 'postgresql':
        rewrite(schema_editor, 'practice_reviewcard', COLUMNS)


class Migration(migrations.Migration):

    dependencies = [
        ('practice', '0036_items_without_gaps'),
        ('questions', '0034_dates_of_changes'),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[migrations.RunPython(shorten, migrations.RunPython.noop)],
            state_operations=[
                migrations.AlterField(
                    model_name='reviewcard',
                    name='learner',
                    field=courseiva.common.quick.columns.ShortForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='cards', to='practice.learner'),
                ),
                migrations.AlterField(
                    model_name='reviewcard',
                    name='exam',
                    field=courseiva.common.quick.columns.ShortForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, to='questions.exam'),
                ),
                migrations.AlterField(
                    model_name='reviewcard',
                    name='question',
                    field=courseiva.common.quick.columns.ShortForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, to='questions.question'),
                ),
                migrations.AlterField(
                    model_name='reviewcard',
                    name='stability',
                    field=courseiva.common.quick.columns.ShortFloatField(help_text='Days until the chance of recall falls to 90%.'),
                ),
                migrations.AlterField(
                    model_name='reviewcard',
                    name='difficulty',
                    field=courseiva.common.quick.columns.ShortFloatField(help_text='1 to 10.'),
                ),
            ],
        ),
    ]
