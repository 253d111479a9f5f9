from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("questions", "0016_anchored_scale")]

    operations = [
        migrations.AddField(
            model_name="question",
            name="readings",
            field=models.JSONField(
                default=list,
                editable=False,
                help_text="By day: how many readers answered the prompt alone, how many rightly.",
            ),
        ),
    ]
