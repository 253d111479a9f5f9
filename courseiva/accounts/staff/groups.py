"""The three staff groups, and the permissions of each."""

from __future__ import annotations

from typing import Any

EDITORS, REVIEWERS, MODERATORS = "Editors", "Reviewers", "Moderators"
WRITING = ("questions.add_question", "questions.change_question", "questions.view_question")
GROUPS: dict[str, tuple[str, ...]] = {
    EDITORS: (*WRITING, "questions.view_versionstatistics", "practice.view_regrade"),
    REVIEWERS: (
        *WRITING, "questions.publish_question", "questions.view_versionstatistics",
        "practice.view_regrade", "practice.add_regrade",
    ),
    MODERATORS: ("discussion.moderate_comment",),
}  # fmt: skip


def grant(apps: Any, groups: dict[str, tuple[str, ...]], using: str = "default") -> None:
    """Create the groups, and give each exactly these permissions, named app.action_model.

    Uses the models in ``apps``, so that a migration can call it before the permissions exist.
    """
    group_model, permission_model = apps.get_model("auth", "Group"), apps.get_model("auth", "Permission")
    types = apps.get_model("contenttypes", "ContentType")
    for name, granted in groups.items():
        group, _ = group_model.objects.using(using).get_or_create(name=name)
        permissions = []
        for full_name in granted:
            app, _, codename = full_name.partition(".")
            action, _, model = codename.partition("_")
            kind, _ = types.objects.using(using).get_or_create(app_label=app, model=model)
            named = {"name": f"Can {action} {model}"}
            row, _ = permission_model.objects.using(using).get_or_create(
                content_type=kind, codename=codename, defaults=named
            )
            permissions.append(row)
        group.permissions.set(permissions)
