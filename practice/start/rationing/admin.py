"""How fast guests on each network see reserved questions: a read-only list for staff."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from practice.learners.models import GuestNetwork
from practice.start.rationing.reads import FLAG_GUESTS_AN_HOUR, FLAG_SOLUTIONS_A_DAY, is_above_bound, watched_networks


@admin.register(GuestNetwork)
class GuestNetworkAdmin(admin.ModelAdmin):
    """Each network by a short hash, the busiest first; rows are deleted after two days."""

    list_display = ["network", "flag", "guests", "mocks", "solutions", "seen_at"]
    list_display_links = None
    list_per_page = 50

    def get_queryset(self, request: HttpRequest) -> QuerySet[GuestNetwork]:
        """Adds what each did in the last hour and day."""
        return watched_networks(timezone.now())

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Adds a heading that says what flags a network."""
        bounds = f"{FLAG_GUESTS_AN_HOUR} guests an hour or {FLAG_SOLUTIONS_A_DAY} solutions to reserved questions a day"
        return super().changelist_view(request, {"title": f"Guests by network (flagged above {bounds})"})

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Counts can't be edited."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: GuestNetwork | None = None) -> bool:
        """Counts can't be edited."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: GuestNetwork | None = None) -> bool:
        """Deleting would reset the network's limit."""
        return False

    @admin.display(description="network")
    def network(self, row: GuestNetwork) -> str:
        """The beginning of its hash."""
        return row.key[:8]

    @admin.display(description="flag")
    def flag(self, row: GuestNetwork) -> str:
        return "flagged" if is_above_bound(row) else "-"

    @admin.display(description="guests made, hour / day")
    def guests(self, row: GuestNetwork) -> str:
        return _pair(row, "guests")

    @admin.display(description="mocks, hour / day")
    def mocks(self, row: GuestNetwork) -> str:
        """Mocks started by guests."""
        return _pair(row, "mocks")

    @admin.display(description="solutions to reserved questions, hour / day")
    def solutions(self, row: GuestNetwork) -> str:
        """Solutions shown to guests for the first time."""
        return _pair(row, "solutions")


def _pair(row: GuestNetwork, name: str) -> str:
    return f"{getattr(row, f'{name}_hour')} / {getattr(row, f'{name}_day')}"
