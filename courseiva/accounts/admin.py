"""Users in the admin: find by address, set staff and groups, reset a password."""

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin

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
