"""Users in the admin: find by address, set staff and groups, reset a password, remove."""

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone

from courseiva.accounts.deletion import remove_account
from courseiva.accounts.models import User


@admin.register(User)
class UserAdmin(DjangoUserAdmin):
    """Django's own user pages without the user name."""

    ordering = ("email",)
    list_display = ("email", "display_name", "is_staff", "is_active", "date_joined")
    search_fields = ("email", "display_name")
    readonly_fields = ("last_login", "date_joined")
    fieldsets = [
        (None, {"fields": ("email", "password", "display_name")}),
        ("May", {"fields": ("is_active", "is_staff", "is_superuser", "groups", "user_permissions")}),
        ("Dates", {"fields": ("last_login", "date_joined")}),
    ]
    add_fieldsets = [(None, {"fields": ("email", "usable_password", "password1", "password2")})]

    def delete_model(self, request: HttpRequest, obj: User) -> None:
        """Remove the person as they would themselves: the answers stay, without a name."""
        remove_account(obj.pk, timezone.now())

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[User]) -> None:
        """The same for each of those chosen."""
        for pk in queryset.values_list("pk", flat=True):
            remove_account(pk, timezone.now())
