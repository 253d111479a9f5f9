"""An address has one account whatever its letter case; people sign up by a mailed link and can add a second factor."""

import re
from typing import Any

import pytest
from django.core import mail
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from courseiva.accounts.models import User
from tests.support.world import signed_in_client

pytestmark = pytest.mark.django_db
PASSWORD = "correct-horse-battery"


@pytest.fixture
def alice() -> User:
    user = User.objects.create_user("alice@example.org", PASSWORD, display_name="Alice")
    user.emailaddress_set.create(email=user.email, verified=True, primary=True)
    return user


def sign_in(client: Client, email: str, password: str = PASSWORD) -> Any:
    return client.post(reverse("account_login"), {"login": email, "password": password})


def signed_in_as(client: Client) -> str | None:
    return client.session.get("_auth_user_id")


def test_an_address_is_kept_in_lower_case() -> None:
    user = User.objects.create_user("Alice@Example.ORG", PASSWORD)
    user.refresh_from_db()
    assert user.email == "alice@example.org"
    assert User.objects.get_by_natural_key("ALICE@example.org") == user


def test_the_same_address_in_another_case_is_refused(alice: User) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.create_user("ALICE@example.org", PASSWORD)


def test_the_database_itself_refuses_upper_case(alice: User) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.filter(pk=alice.pk).update(email="Alice@example.org")


def test_a_user_needs_an_address() -> None:
    with pytest.raises(ValueError, match="email"):
        User.objects.create_user("")


def test_a_user_without_a_password_cannot_sign_in(client: Client) -> None:
    User.objects.create_user("bob@example.org")
    sign_in(client, "bob@example.org", "")
    assert signed_in_as(client) is None


def test_a_superuser_may_do_everything() -> None:
    admin = User.objects.create_superuser("root@example.org", PASSWORD)
    assert admin.is_staff
    assert admin.has_perm("accounts.delete_user")


def test_the_name_shown_to_others_is_never_the_address(alice: User) -> None:
    bob = User.objects.create_user("bob@example.org")
    assert (alice.public_name, bob.public_name) == ("Alice", f"Learner {bob.pk}")
    assert (alice.get_full_name(), alice.get_short_name(), str(alice)) == ("Alice", "Alice", "alice@example.org")


def test_signing_in_ignores_letter_case(client: Client, alice: User) -> None:
    assert sign_in(client, "ALICE@Example.org").status_code == 302
    assert signed_in_as(client) == str(alice.pk)


def test_a_wrong_password_does_not_sign_in(client: Client, alice: User) -> None:
    assert sign_in(client, alice.email, "wrong").status_code == 200
    assert signed_in_as(client) is None


def test_password_guessing_is_slowed_down(client: Client, alice: User) -> None:
    for _ in range(10):
        sign_in(client, alice.email, "wrong")
    sign_in(client, alice.email)
    assert signed_in_as(client) is None


def test_the_link_mailed_at_sign_up_signs_the_person_in(client: Client) -> None:
    response = client.post(reverse("account_signup"), {"email": "Carol@Example.org", "password1": PASSWORD})
    assert (response.status_code, response.headers["Location"]) == (302, reverse("account_email_verification_sent"))
    assert signed_in_as(client) is None
    link = re.search(r"http://testserver(/\S+)", str(mail.outbox[0].body))
    assert link
    assert client.get(link.group(1)).status_code == 200
    assert signed_in_as(client) is None, "a GET writes nothing"
    assert client.post(link.group(1)).status_code == 302
    assert signed_in_as(client) == str(User.objects.get(email="carol@example.org").pk)


def test_sign_up_does_not_reveal_who_has_an_account(client: Client, alice: User) -> None:
    taken = client.post(reverse("account_signup"), {"email": alice.email, "password1": PASSWORD})
    free = client.post(reverse("account_signup"), {"email": "new@example.org", "password1": PASSWORD})
    assert (taken.status_code, taken.headers["Location"]) == (free.status_code, free.headers["Location"])
    assert User.objects.filter(email=alice.email).count() == 1


def test_a_weak_password_is_refused(client: Client) -> None:
    client.post(reverse("account_signup"), {"email": "dave@example.org", "password1": "password12"})
    assert not User.objects.filter(email="dave@example.org").exists()


def test_a_forgotten_password_is_set_by_the_mailed_link(client: Client, alice: User) -> None:
    client.post(reverse("account_reset_password"), {"email": alice.email})
    link = re.search(r"http://testserver(/\S+)", str(mail.outbox[0].body))
    assert link
    form = client.get(link.group(1), follow=True)
    new = "another-long-password"
    client.post(form.request["PATH_INFO"], {"password1": new, "password2": new})
    alice.refresh_from_db()
    assert alice.check_password(new)


@pytest.mark.parametrize(
    "name",
    ["account_login", "account_signup", "account_reset_password", "account_email_verification_sent"],
)
def test_pages_for_strangers_open_without_an_account(client: Client, name: str) -> None:
    assert client.get(reverse(name)).status_code == 200


@pytest.mark.parametrize("name", ["account_email", "account_change_password", "account_logout", "mfa_index"])
def test_pages_for_members_open_only_to_members(client: Client, alice: User, name: str) -> None:
    assert client.get(reverse(name)).status_code == 302
    sign_in(client, alice.email)
    assert client.get(reverse(name)).status_code == 200


def test_once_set_up_a_second_factor_is_asked_for(client: Client, alice: User) -> None:
    from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret

    sign_in(client, alice.email)
    asked_again = client.get(reverse("mfa_activate_totp"))
    assert asked_again.headers["Location"].startswith(reverse("account_reauthenticate"))
    assert client.post(asked_again.headers["Location"], {"password": PASSWORD}, follow=True).status_code == 200
    assert client.get(reverse("mfa_activate_totp")).status_code == 200
    TOTP.activate(alice, generate_totp_secret())
    stranger = Client()
    response = sign_in(stranger, alice.email)
    assert response.headers["Location"].startswith(reverse("mfa_authenticate"))
    assert signed_in_as(stranger) is None


def test_the_admin_sends_strangers_to_the_sites_own_sign_in(client: Client) -> None:
    response = client.get("/admin/", follow=True)
    assert response.redirect_chain[-1][0].startswith(reverse("account_login"))


def test_the_admin_is_for_staff(client: Client, alice: User) -> None:
    sign_in(client, alice.email)
    assert client.get("/admin/accounts/user/").status_code == 302


def test_staff_add_and_find_users_in_the_admin() -> None:
    client = signed_in_client(User.objects.create_superuser("root@example.org", PASSWORD))
    fields = {"email": "Erin@Example.org", "usable_password": "true", "password1": PASSWORD, "password2": PASSWORD}
    assert client.post("/admin/accounts/user/add/", fields).status_code == 302
    assert b"erin@example.org" in client.get("/admin/accounts/user/?q=erin").content
    erin = User.objects.get(email="erin@example.org")
    assert client.get(f"/admin/accounts/user/{erin.pk}/change/").status_code == 200
