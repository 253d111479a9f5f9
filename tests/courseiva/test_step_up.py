"""Staff confirm who they are before they change permissions, and are shown no secret."""

from __future__ import annotations

from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.contrib.auth.models import Group
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import reverse

from courseiva.accounts.models import User
from tests.support.hooks import messages
from tests.support.passkeys import SoftPasskey, posted
from tests.support.world import signed_in_client

pytestmark = pytest.mark.django_db
SECRET = "another long password"


@pytest.fixture
def admin() -> User:
    user = User.objects.create_superuser("root@example.org", SECRET)
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    Group.objects.create(name="A group")
    TOTP.activate(user, generate_totp_secret())
    return user


@pytest.fixture
def old_login(admin: User) -> Client:
    client = Client()
    client.force_login(admin)
    return client


def addresses(admin: User) -> list[str]:
    """Return the addresses of the pages that change permissions."""
    found = [reverse("admin:auth_user_password_change", args=[admin.pk])]
    for model in (User, Group, EmailAddress, Authenticator):
        name, pk = f"admin:{model._meta.label_lower.replace('.', '_')}", model.objects.all()[0].pk
        found += [reverse(f"{name}_change", args=[pk]), reverse(f"{name}_delete", args=[pk])]
        found += [reverse(f"{name}_add")] if model is not Authenticator else []
    return found


def asked_again(response: Any) -> bool:
    return response.status_code == 302 and response.headers["Location"].startswith(reverse("account_reauthenticate"))


def test_pages_that_change_permissions_ask_an_old_login_to_confirm(admin: User, old_login: Client) -> None:
    for address in addresses(admin):
        assert asked_again(old_login.get(address)), address
        assert asked_again(old_login.post(address, {"post": "yes"})), address
    assert Group.objects.filter(name="A group").exists()
    assert User.objects.count() == EmailAddress.objects.count() == Authenticator.objects.count() == 1


def test_a_login_that_just_confirmed_is_let_in(admin: User) -> None:
    browser = signed_in_client(admin)
    assert {browser.get(address).status_code for address in addresses(admin)} == {200}


def test_lists_are_shown_but_their_actions_ask_to_confirm(admin: User, old_login: Client) -> None:
    address = reverse("admin:auth_group_changelist")
    assert old_login.get(address).status_code == 200
    chosen = {"action": "delete_selected", "_selected_action": [Group.objects.get(name="A group").pk], "post": "yes"}
    assert asked_again(old_login.post(address, chosen))
    assert Group.objects.filter(name="A group").exists()
    signed_in_client(admin).post(address, chosen)
    assert not Group.objects.filter(name="A group").exists()


def test_a_form_sent_too_late_is_not_stored(admin: User, old_login: Client) -> None:
    fields = {"email": "erin@example.org", "usable_password": "true", "password1": SECRET, "password2": SECRET}
    response = old_login.post(reverse("admin:accounts_user_add"), fields)
    assert asked_again(response)
    assert not User.objects.filter(email="erin@example.org").exists()
    assert all(SECRET not in str(session.get_decoded()) for session in Session.objects.all())
    assert messages(old_login.get(response.headers["Location"])) == ["too_late"]


def test_a_passkey_lets_staff_continue(admin: User, old_login: Client) -> None:
    passkey = SoftPasskey()
    passkey.put_into(admin)
    wanted, again = reverse("admin:accounts_user_add"), reverse("mfa_reauthenticate_webauthn")
    assert f'href="{again}?' in old_login.get(old_login.get(wanted).headers["Location"]).text
    options = old_login.get(again, {"next": wanted}).context["js_data"]["request_options"]
    said = posted(passkey.get(options))
    assert old_login.post(again, {"next": wanted, **said}).headers["Location"] == wanted
    assert old_login.get(wanted).status_code == 200


def test_the_admin_shows_no_second_factor_secret(admin: User) -> None:
    key = Authenticator.objects.get()
    browser = signed_in_client(admin)
    page = browser.get(reverse("admin:mfa_authenticator_change", args=[key.pk]))
    assert page.status_code == 200
    assert key.data["secret"] not in page.text
    assert browser.get(reverse("admin:mfa_authenticator_add")).status_code == 403


def test_the_admins_own_login_form_accepts_no_password_from_staff(admin: User) -> None:
    editor = User.objects.create_user("editor@example.org", None, is_staff=True)
    client = signed_in_client(editor)
    answer = client.post(reverse("admin:login"), {"username": admin.email, "password": SECRET})
    assert answer.status_code == 405
    assert client.session["_auth_user_id"] == str(editor.pk)
