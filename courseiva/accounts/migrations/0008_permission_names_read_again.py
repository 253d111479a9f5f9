from typing import Any

from django.db import migrations

NAMES = {
    "cardturn": ("card turn", "flashcard turn"),
    "forecast": ("forecast", "prediction"),
    "guestact": ("guest act", "guest event"),
    "honestyfigures": ("honesty figures", "prediction accuracy"),
    "standing": ("standing", "current readiness"),
}


def rename(apps: Any, schema_editor: Any) -> None:
    """Django names a permission once, when it makes it, and doesn't follow the model's name later."""
    named = apps.get_model("auth", "Permission").objects.using(schema_editor.connection.alias)
    for model, (before, after) in NAMES.items():
        for act in ("add", "change", "delete", "view"):
            listed = named.filter(content_type__app_label="practice", codename=f"{act}_{model}")
            listed.filter(name=f"Can {act} {before}").update(name=f"Can {act} {after}")


class Migration(migrations.Migration):

    dependencies = [
        ("accounts", "0007_public_name"),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
    ]

    operations = [migrations.RunPython(rename, migrations.RunPython.noop)]
