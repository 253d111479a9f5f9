from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("practice", "0001_initial")]
    operations = [migrations.RunSQL("ALTER TABLE practice_sessionitem ADD COLUMN of_the_next_release integer NULL")]
