from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('practice', '0024_labels_read_again'),
    ]

    operations = [
        migrations.AddField(
            model_name='standing',
            name='tally',
            field=models.TextField(blank=True, db_default='', default='', help_text='The answers counted; empty: not yet.'),
        ),
        migrations.AddField(
            model_name='standing',
            name='misses',
            field=models.TextField(blank=True, db_default='', default='', help_text='The misses by reason; empty: to be counted.'),
        ),
    ]
