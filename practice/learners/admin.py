"""Learners in the admin: staff can set extra time, and see nothing of the answers."""

from __future__ import annotations

from django.contrib import admin
from django.http import HttpRequest

from practice.learners.models import Learner


@admin.register(Learner)
class LearnerAdmin(admin.ModelAdmin):
    """A person's usual time factor; a mock's start page offers it first."""

    list_display = ["id", "user", "time_factor", "time_zone", "created_at"]
    list_select_related = ["user"]
    search_fields = ["user__email"]
    fields = ["user", "time_factor", "time_zone", "chosen_zone", "created_at"]
    readonly_fields = ["user", "time_zone", "chosen_zone", "created_at"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Learners are created by their first answer."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Learner | None = None) -> bool:
        """Never: deleting a learner would delete their answers."""
        return False
