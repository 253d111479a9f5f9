"""Users in the admin, and what decides who may do what: groups, addresses, second factors."""

from typing import Any

import allauth.socialaccount.admin  # noqa: F401 - registers what is taken away below
from allauth.account.admin import EmailAddressAdmin as AllauthEmailAddressAdmin
from allauth.account.models import EmailAddress
from allauth.mfa.admin import AuthenticatorAdmin as AllauthAuthenticatorAdmin
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount, SocialApp, SocialToken
from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin as DjangoGroupAdmin
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.contrib.auth.forms import AdminUserCreationForm
from django.contrib.auth.models import Group
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from courseiva.accounts.changes.delete import remove_account
from courseiva.accounts.models import User
from courseiva.accounts.staff.admin.step_up import StepUpAdmin, asks_again

# Providers come only from settings, and staff have no say in who is connected with one.
admin.site.unregister([EmailAddress, Authenticator, Group, SocialAccount, SocialApp, SocialToken])


class NewUserForm(AdminUserCreationForm):
    """Django's form. The address is somebody else's, so the browser must not fill it in; a script sets the focus."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        attrs = self.fields["email"].widget.attrs
        attrs["autocomplete"] = "off"
        attrs.pop("autofocus", None)


@admin.register(User)
class UserAdmin(StepUpAdmin, DjangoUserAdmin):
    """Django's user pages without user names."""

    ordering = ("email",)
    list_display = ("email", "display_name", "is_staff", "is_active", "date_joined")
    search_fields = ("email", "display_name")
    readonly_fields = ("last_login", "date_joined")
    fieldsets = [
        (None, {"fields": ("email", "password", "display_name")}),
        ("Permissions", {"fields": ("is_active", "is_staff", "is_superuser", "groups", "user_permissions")}),
        ("Dates", {"fields": ("last_login", "date_joined")}),
    ]
    add_form = NewUserForm
    add_fieldsets = [(None, {"fields": ("email", "usable_password", "password1", "password2")})]

    def delete_model(self, request: HttpRequest, obj: User) -> None:
        """Delete the account as its owner would: the answers stay, without a name."""
        remove_account(obj.pk, timezone.now())

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[User]) -> None:
        """Does the same for each selected account."""
        for pk in queryset.values_list("pk", flat=True):
            remove_account(pk, timezone.now())

    @asks_again
    def user_change_password(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Set somebody's password, after re-authentication."""
        return super().user_change_password(request, *args, **kwargs)


@admin.register(Group)
class GroupAdmin(StepUpAdmin, DjangoGroupAdmin):
    """Django's group pages, with re-authentication."""


@admin.register(EmailAddress)
class EmailAddressAdmin(StepUpAdmin, AllauthEmailAddressAdmin):
    """allauth's pages for addresses, with re-authentication."""


@admin.register(Authenticator)
class AuthenticatorAdmin(StepUpAdmin, AllauthAuthenticatorAdmin):
    """Everybody's second factors. Their secrets are never shown; one can be removed for somebody who lost a phone."""

    fields = readonly_fields = ("user", "type", "created_at", "last_used_at")

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Nobody can add one for somebody else."""
        return False
