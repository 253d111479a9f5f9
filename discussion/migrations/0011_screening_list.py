"""The list that editors keep for screening, with what a new site starts with."""

from django.db import migrations, models

from discussion.screening.rules.screen import starting_list


def begin(apps, schema_editor):
    entries = apps.get_model("discussion", "ListEntry").objects
    entries.bulk_create([entries.model(kind=each.rule, text=each.text) for each in starting_list()])


class Migration(migrations.Migration):
    dependencies = [
        ("discussion", "0010_replies_slow_mode_mentions"),
        ("questions", "0020_statistics_by_ability"),
    ]

    operations = [
        migrations.CreateModel(
            name="ListEntry",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("leak", "leak phrase"),
                            ("dump-site", "name of a dump collection"),
                            ("link", "site that new authors may link to"),
                        ],
                        max_length=20,
                    ),
                ),
                (
                    "text",
                    models.CharField(
                        help_text="In any case and spacing. A star stands for the rest of a word.", max_length=100
                    ),
                ),
                (
                    "exam",
                    models.ForeignKey(
                        blank=True,
                        help_text="Empty: all exams.",
                        null=True,
                        on_delete=models.deletion.CASCADE,
                        to="questions.exam",
                    ),
                ),
            ],
            options={
                "verbose_name": "entry of the screening list",
                "verbose_name_plural": "screening list",
                "constraints": [
                    models.UniqueConstraint(fields=("kind", "text", "exam"), name="list_entry_once"),
                    models.UniqueConstraint(
                        condition=models.Q(("exam", None)), fields=("kind", "text"), name="list_entry_of_all_once"
                    ),
                ],
            },
        ),
        migrations.RunPython(begin, migrations.RunPython.noop),
    ]
