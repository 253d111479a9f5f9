from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("questions", "0003_reports"),
    ]

    operations = [
        # The derived HTML is parts of a page now; what was text is thrown away and made again by load_bank.
        migrations.RemoveField(model_name="studymodule", name="html"),
        migrations.AddField(
            model_name="studymodule",
            name="html",
            field=models.JSONField(default=dict, editable=False),
        ),
        migrations.AddField(
            model_name="studymodule",
            name="words",
            field=models.PositiveIntegerField(default=0, help_text="Of prose and tables; code is not counted."),
        ),
        migrations.AddField(
            model_name="studymodule",
            name="sources",
            field=models.JSONField(default=list, help_text="Title, address and as-of date of each."),
        ),
        migrations.AddField(
            model_name="studymodule",
            name="notebook",
            field=models.TextField(blank=True, default="", help_text="The text of the .ipynb file."),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="studymodule",
            name="loaded_digest",
            field=models.CharField(blank=True, default="", editable=False, max_length=64),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="studymodule",
            name="changed_at",
            field=models.DateTimeField(
                editable=False, help_text="When a changed file was last loaded.", null=True
            ),
        ),
    ]
