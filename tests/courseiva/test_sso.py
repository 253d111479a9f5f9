"""People sign in through an OpenID Connect provider; these tests use a small one of our own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from allauth.socialaccount.models import SocialAccount, SocialApp
from allauth.socialaccount.providers import registry
from django.contrib import admin
from django.core import mail
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from courseiva.accounts.changes.delete import remove_account
from courseiva.accounts.models import User
from courseiva.accounts.sso import reads
from courseiva.serving.rules.environment import SettingError, read_oidc
from tests.support.bank import NOW
from tests.support.hooks import states
from tests.support.oidc import CLIENT, SECRET, Provider, oidc_provider, query_of
from tests.support.subprocesses import run_python

pytestmark = [pytest.mark.long("many processes"), pytest.mark.django_db]
ALICE = {"sub": "7", "email": "alice@example.org", "email_verified": True, "name": "Alice Surname", "picture": "p.png"}
LOGIN, CALLBACK = "/accounts/oidc/login/", "/accounts/oidc/callback/"
GIVEN = {"OIDC_CLIENT_ID": CLIENT, "OIDC_CLIENT_SECRET": SECRET, "OIDC_NAME": "Staff login"}


@pytest.fixture
def provider(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Provider]:
    with oidc_provider() as found:
        settings.OIDC = read_oidc({"OIDC_URL": found.url, **GIVEN})
        settings.ROOT_URLCONF = "tests.support.oidc_urls"
        found.person = dict(ALICE)
        monkeypatch.setitem(registry.provider_map, "openid_connect", reads.Provider)
        yield found


def leave(client: Client, path: str = LOGIN) -> str:
    """Press the button, and return the address it leads to."""
    page = client.post(path)
    assert page.status_code == 200
    assert "form-action 'self'" in page.headers["Content-Security-Policy"], "no other host is let in for this"
    (address,) = set(re.findall(r'(?:0;url=|<a href=")(http://127[^"]+)"', page.text))
    return unescape(address)


def sign_in(client: Client, provider: Provider, path: str = LOGIN) -> HttpResponse:
    """Sign in, all the way to the provider and back."""
    back = provider.authorise(query_of(leave(client, path)))
    return client.get(f"{CALLBACK}?{query_of(back)}")


def who(client: Client) -> str:
    return str(User.objects.get(pk=client.session["_auth_user_id"]).email) if "_auth_user_id" in client.session else ""


def test_a_newcomer_gets_an_account_whose_address_is_confirmed(provider: Provider, client: Client) -> None:
    answer = sign_in(client, provider, f"{LOGIN}?next=/exams/")
    assert (answer.status_code, answer.headers["Location"], who(client)) == (302, "/exams/", "alice@example.org")
    assert EmailAddress.objects.get().verified
    user = User.objects.get()
    assert not user.has_usable_password()
    assert user.display_name == "", "a real name is nobody's public name until they say so"
    assert SocialAccount.objects.get().extra_data == {}, "no name and no picture is kept"
    assert mail.outbox == []


def test_a_returning_person_keeps_the_account_whatever_their_address_is_now(provider: Provider) -> None:
    sign_in(Client(), provider)
    provider.person["email"] = "alice@elsewhere.example"
    client = Client()
    sign_in(client, provider)
    assert who(client) == "alice@example.org"
    assert User.objects.count() == 1


def alice() -> User:
    user = User.objects.create_user("alice@example.org", "three plain words")
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    return user


def test_a_confirmed_address_signs_in_to_its_account_and_the_owner_is_told(provider: Provider, client: Client) -> None:
    user = alice()
    sign_in(client, provider)
    assert (who(client), User.objects.count()) == (user.email, 1)
    assert user.has_usable_password()
    (message,) = mail.outbox
    assert message.to == [user.email]
    assert "Staff login" in message.subject


@pytest.mark.parametrize("word", [False, "false", None, "no"])
def test_an_unconfirmed_address_signs_in_to_no_account(provider: Provider, client: Client, word: object) -> None:
    alice()
    provider.person["email_verified"] = word
    sign_in(client, provider)
    assert who(client) == ""
    assert not SocialAccount.objects.exists()


def test_a_second_factor_is_still_asked_for(provider: Provider, client: Client) -> None:
    TOTP.activate(alice(), generate_totp_secret())
    answer = sign_in(client, provider)
    assert answer.headers["Location"] == reverse("mfa_authenticate")
    assert who(client) == ""


def test_without_an_address_from_the_provider_one_is_asked_for_and_confirmed(
    provider: Provider, client: Client
) -> None:
    provider.person = {"sub": "8"}
    answer = sign_in(client, provider)
    assert answer.headers["Location"] == reverse("socialaccount_signup")
    assert client.get(answer.headers["Location"]).status_code == 200
    client.post(answer.headers["Location"], {"email": "bob@example.org"})
    assert who(client) == ""
    assert not EmailAddress.objects.get().verified
    assert [message.to for message in mail.outbox] == [["bob@example.org"]]


@pytest.mark.parametrize("trouble", ["other audience", "other person", "other state", "used code"])
def test_a_wrong_response_signs_nobody_in(provider: Provider, client: Client, trouble: str) -> None:
    if trouble == "other audience":
        provider.audience = "another-client"
    elif trouble == "other person":
        provider.userinfo = {"sub": "8"}
    back = query_of(provider.authorise(query_of(leave(client))))
    if trouble == "other state":
        client = Client()
    elif trouble == "used code":
        provider.codes.clear()
    answer = client.get(f"{CALLBACK}?{back}")
    assert "refused" in states(answer)
    assert (answer.status_code, who(client), User.objects.count()) == (401, "", 0)


def test_cancelling_at_the_provider_is_explained(provider: Provider, client: Client) -> None:
    asked = dict(part.split("=") for part in query_of(leave(client)).split("&"))
    answer = client.get(f"{CALLBACK}?error=access_denied&state={asked['state']}")
    assert answer.headers["Location"] == reverse("socialaccount_login_cancelled")
    assert client.get(answer.headers["Location"]).status_code == 200


def test_if_the_provider_is_down_its_sign_in_is_a_503_and_passwords_still_work(
    provider: Provider, client: Client, settings: Any, unused_port: int
) -> None:
    alice()
    settings.OIDC = read_oidc({"OIDC_URL": f"http://127.0.0.1:{unused_port}", **GIVEN})
    answer = client.post(LOGIN)
    assert answer.status_code == 503
    assert "away" in states(answer)
    client.post(reverse("account_login"), {"login": "alice@example.org", "password": "three plain words"})
    assert who(client) == "alice@example.org"


def test_a_link_alone_never_connects_an_account(provider: Provider, client: Client) -> None:
    assert client.get(LOGIN).status_code == 200
    assert client.get(f"{LOGIN}?process=connect").status_code == 404
    assert client.post(f"{LOGIN}?process=connect").status_code == 404
    strict = Client(enforce_csrf_checks=True)
    assert strict.post(LOGIN).status_code == 403


def test_the_button_is_shown_where_people_sign_in_and_only_with_a_provider(provider: Provider, settings: Any) -> None:
    for path in ("/accounts/login/", "/accounts/signup/"):
        assert f'action="{LOGIN}"' in Client().get(path).text
    assert "data-provider" in Client().get("/articles/privacy/").text
    settings.OIDC = {}
    settings.ROOT_URLCONF = "courseiva.urls"
    assert "oidc" not in Client().get("/accounts/login/").text
    assert Client().get(LOGIN).status_code == 404


def test_a_provider_cannot_be_added_by_a_row_or_in_the_admin(provider: Provider, client: Client) -> None:
    SocialApp.objects.create(provider="openid_connect", provider_id="evil", client_id="x", settings={"server_url": "x"})
    assert CLIENT in leave(client)
    assert [model for model in admin.site._registry if model._meta.app_label == "socialaccount"] == []


def test_deleting_the_account_deletes_the_connection(provider: Provider, client: Client) -> None:
    sign_in(client, provider)
    remove_account(User.objects.get().pk, NOW)
    assert not SocialAccount.objects.exists()


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ({"OIDC_URL": "http://login.example.org", **GIVEN}, "OIDC_URL"),
        ({"OIDC_URL": "login.example.org", **GIVEN}, "OIDC_URL"),
        ({"OIDC_URL": "https://login.example.org", "OIDC_CLIENT_SECRET": "x"}, "OIDC_CLIENT_ID"),
        ({"OIDC_URL": "https://login.example.org", "OIDC_CLIENT_ID": "x"}, "OIDC_CLIENT_SECRET"),
    ],
)
def test_an_incomplete_provider_is_refused_and_named(given: dict[str, str], name: str) -> None:
    with pytest.raises(SettingError, match=f"^{name} "):
        read_oidc(given)


def test_a_provider_without_a_name_is_called_by_its_host() -> None:
    given = {"OIDC_URL": "https://login.example.org/realms/x/", "OIDC_CLIENT_ID": "x", "OIDC_CLIENT_SECRET": "y"}
    found = read_oidc(given)
    assert (found["name"], found["settings"]["server_url"]) == (
        "login.example.org",
        "https://login.example.org/realms/x",
    )
    assert read_oidc({"OIDC_CLIENT_ID": "x"}) == {}


SHOW = """
import sys
import django
django.setup()
from allauth.socialaccount.providers import registry
from django.urls import reverse
heavy = {"requests", "jwt", "courseiva.accounts.sso.reads"} & sys.modules.keys()
kinds = [f"{each.__module__}.{each.__name__}" for each in registry.provider_map.values()]
print(kinds, [reverse("openid_connect_callback", kwargs={"provider_id": "sso"})] if kinds else sorted(heavy))
"""


@pytest.mark.parametrize("is_set", [True, False])
def test_a_process_loads_the_provider_only_if_it_is_configured(is_set: bool) -> None:
    given = {"OIDC_URL": "https://login.example.org", **GIVEN} if is_set else {}
    done = run_python("-c", SHOW, DEBUG="1", DJANGO_SETTINGS_MODULE="courseiva.settings", **given)
    expected = f"['courseiva.accounts.sso.reads.Provider'] ['{CALLBACK}']" if is_set else "[] []"
    assert done.stdout.strip() == expected, done.stderr
