from typing import Any

from django.db import migrations

from courseiva.accounts.staff.groups import grant

WRITING = ("questions.add_question", "questions.change_question", "questions.view_question")
GROUPS = {
    "Editors": (*WRITING, "questions.view_versionstatistics", "practice.view_regrade"),
    "Reviewers": (
        *WRITING, "questions.publish_question", "questions.view_versionstatistics",
        "practice.view_regrade", "practice.add_regrade",
    ),
    "Moderators": ("discussion.moderate_comment",),
}


def make_groups(apps: Any, schema_editor: Any) -> None:
    grant(apps, GROUPS, schema_editor.connection.alias)


class Migration(migrations.Migration):

    dependencies = [
        ("accounts", "0001_initial"),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
    ]

    operations = [migrations.RunPython(make_groups, migrations.RunPython.noop)]
