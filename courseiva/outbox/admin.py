"""Email in the admin: what is waiting and why, never the text."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from courseiva.outbox.models import OutgoingMail, RefusedAddress


class ReadOnly(admin.ModelAdmin):
    """Rows that only the site writes."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Nobody adds one."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody changes one."""
        return False


@admin.register(OutgoingMail)
class OutgoingMailAdmin(ReadOnly):
    """Who gets what, and when it is tried next. The text is left out: it contains links that sign people in."""

    fields = ("recipient", "subject", "state", "tries", "error", "written_at", "due_at", "ended_at", "message_id")
    list_display = ("recipient", "subject", "state", "tries", "due_at", "error")
    list_filter = ("state",)
    search_fields = ("recipient",)
    ordering = ("-pk",)
    show_full_result_count = False

    def get_queryset(self, request: HttpRequest) -> QuerySet[OutgoingMail]:
        """Without the texts."""
        return super().get_queryset(request).defer("text")

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Waiting mail is owed to somebody; finished mail is deleted automatically."""
        return False


@admin.register(RefusedAddress)
class RefusedAddressAdmin(ReadOnly):
    """Deleting one lets the next email be tried at once."""

    list_display = ("address", "reason", "refused_at")
    search_fields = ("address",)
    ordering = ("-refused_at",)
