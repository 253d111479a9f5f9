from django.db import migrations

COLUMN = "ALTER TABLE practice_practicesession ADD COLUMN of_the_next_release_too integer NOT NULL DEFAULT 0"
TABLE = "CREATE TABLE next_release_note (session_id bigint NOT NULL REFERENCES practice_practicesession (id))"


class Migration(migrations.Migration):
    dependencies = [("next_release", "0001_initial")]
    operations = [migrations.RunSQL(COLUMN), migrations.RunSQL(TABLE)]
