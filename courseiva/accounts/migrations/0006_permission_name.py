from typing import Any

from django.db import migrations


def rename(apps: Any, schema_editor: Any) -> None:
    """The groups' migration names a permission by its model's code name; this one is listed to administrators."""
    named = apps.get_model("auth", "Permission").objects.using(schema_editor.connection.alias)
    named.filter(
        codename="view_versionstatistics", content_type__app_label="questions", name="Can view versionstatistics"
    ).update(name="Can view question statistics")


class Migration(migrations.Migration):

    dependencies = [
        ("accounts", "0005_filter_labels"),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
    ]

    operations = [migrations.RunPython(rename, migrations.RunPython.noop)]
