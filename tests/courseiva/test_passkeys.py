"""With real signatures, people add passkeys and sign in with them, and nothing else gets anybody in."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.conf import settings as site
from django.core import mail
from django.template.loader import render_to_string
from django.test import Client
from django.urls import reverse
from fido2.cose import CoseKey

from courseiva.accounts.models import User
from courseiva.accounts.passkeys.reads import MOST_PASSKEYS
from tests.support.hooks import messages, states, values
from tests.support.passkeys import SoftPasskey, posted
from tests.support.world import PASSWORD, signed_in_client

pytestmark = pytest.mark.django_db
LOGIN, ADD = "/accounts/2fa/webauthn/login/", "/accounts/2fa/webauthn/add/"
AGAIN = "/accounts/2fa/webauthn/reauthenticate/"
NOT_RIGHT = "incorrect_code"


@pytest.fixture
def alice() -> User:
    user = User.objects.create_user("alice@example.org", PASSWORD, display_name="Alice")
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    return user


@pytest.fixture
def browser(alice: User) -> Client:
    return signed_in_client(alice)


def asked(client: Client, **extra: Any) -> dict[str, Any]:
    """Return the options that the sign-in page's script gets."""
    response = client.get(LOGIN, headers={"accept": "application/json"}, **extra)
    return dict(response.json()["request_options"])


def add(client: Client, passkey: SoftPasskey, **fields: str) -> Any:
    page = client.get(ADD)
    credential = passkey.create(page.context["js_data"]["creation_options"])
    return client.post(ADD, {"name": "Phone", **posted(credential), **fields})


def sign_in(client: Client, passkey: SoftPasskey, **fields: str) -> Any:
    return client.post(LOGIN, {**posted(passkey.get(asked(client))), **fields})


def by_password(client: Client) -> Any:
    return client.post(reverse("account_login"), {"login": "alice@example.org", "password": PASSWORD})


def drawn(template: str) -> str:
    return render_to_string(template).strip()


def signed_in_as(client: Client) -> str | None:
    return client.session.get("_auth_user_id")


def test_a_passkey_is_added_and_is_enough_to_sign_in(browser: Client, alice: User) -> None:
    passkey = SoftPasskey()
    response = add(browser, passkey, passwordless="on")
    assert response.headers["Location"] == reverse("mfa_view_recovery_codes")
    stranger = Client()
    asked(stranger)
    before = stranger.cookies[site.SESSION_COOKIE_NAME].value
    assert sign_in(stranger, passkey, next="/practice/history/").headers["Location"] == "/practice/history/"
    assert signed_in_as(stranger) == str(alice.pk)
    assert stranger.cookies[site.SESSION_COOKIE_NAME].value != before


def test_the_owner_is_told_of_a_new_passkey_by_mail_and_on_the_page(browser: Client) -> None:
    page = add(browser, SoftPasskey(), passwordless="on")
    assert "webauthn_added" in messages(browser.get(page.headers["Location"]))
    assert mail.outbox[-1].subject == drawn("mfa/email/webauthn_added_subject.txt")
    key = Authenticator.objects.get(type="webauthn")
    assert browser.post(reverse("mfa_remove_webauthn", args=[key.pk])).status_code == 302
    assert mail.outbox[-1].subject == drawn("mfa/email/webauthn_removed_subject.txt")


def test_with_a_passkey_the_password_alone_is_not_enough(alice: User, client: Client) -> None:
    passkey = SoftPasskey()
    passkey.put_into(alice)
    assert by_password(client).headers["Location"].startswith(reverse("mfa_authenticate"))
    assert signed_in_as(client) is None
    page = client.get(reverse("mfa_authenticate"))
    assert 'data-passkey="get"' in page.text
    said = passkey.get(page.context["js_data"]["request_options"])
    assert client.post(reverse("mfa_authenticate"), posted(said)).status_code == 302
    assert signed_in_as(client) == str(alice.pk)


def test_a_person_with_only_the_app_is_not_asked_for_a_passkey(alice: User, client: Client) -> None:
    TOTP.activate(alice, generate_totp_secret())
    by_password(client)
    page = client.get(reverse("mfa_authenticate")).text
    assert 'name="code"' in page
    assert "passkey" not in page


@pytest.mark.parametrize(
    "spoil",
    [
        lambda passkey: setattr(passkey, "origin", "https://elsewhere.example"),
        lambda passkey: setattr(passkey, "origin", "http://testserver"),
        lambda passkey: setattr(passkey, "host", "elsewhere.example"),
        lambda passkey: setattr(passkey, "knows_its_owner", False),
        lambda passkey: setattr(passkey, "key", SoftPasskey().key),
        lambda passkey: setattr(passkey, "id", b"another"),
        lambda passkey: setattr(passkey, "user_handle", "OTk5"),
    ],
    ids=["other site", "no https", "other host", "holder unknown", "other key", "other credential", "other account"],
)
def test_a_wrong_passkey_answer_signs_nobody_in(
    alice: User, client: Client, spoil: Callable[[SoftPasskey], None]
) -> None:
    passkey = SoftPasskey()
    passkey.put_into(alice)
    spoil(passkey)
    response = sign_in(client, passkey, next="/admin/")
    assert response.headers["Location"] == "/accounts/login/?next=%2Fadmin%2F"
    assert signed_in_as(client) is None
    assert messages(client.get(response.headers["Location"])) == ["refused"]


def test_a_passkeys_answer_counts_once_and_only_in_its_own_browser(alice: User, client: Client) -> None:
    passkey = SoftPasskey()
    passkey.put_into(alice)
    said = posted(passkey.get(asked(client)))
    elsewhere = Client()
    asked(elsewhere)
    elsewhere.post(LOGIN, said)
    assert signed_in_as(elsewhere) is None
    client.post(LOGIN, said)
    assert signed_in_as(client) == str(alice.pk)
    client.post(reverse("account_logout"))
    client.post(LOGIN, said)
    assert signed_in_as(client) is None


def test_a_passkey_does_not_open_a_closed_account(alice: User, client: Client) -> None:
    passkey = SoftPasskey()
    passkey.put_into(alice)
    User.objects.update(is_active=False)
    assert sign_in(client, passkey).headers["Location"] == reverse("account_inactive")
    assert signed_in_as(client) is None


def test_attempts_to_use_a_passkey_are_limited(client: Client) -> None:
    statuses = [client.post(LOGIN, {"credential": "{}"}).status_code for _ in range(15)]
    assert statuses[0] == 302
    assert statuses[-1] == 429


@pytest.mark.parametrize("spoil", ["origin", "host", "holder"])
def test_a_wrong_passkey_is_not_added(browser: Client, spoil: str) -> None:
    passkey = SoftPasskey()
    passkey.origin = "https://elsewhere.example" if spoil == "origin" else passkey.origin
    passkey.host = "elsewhere.example" if spoil == "host" else passkey.host
    passkey.knows_its_owner = spoil != "holder"
    response = add(browser, passkey, passwordless="on")
    assert (response.status_code, values(response, "data-code")) == (200, [NOT_RIGHT])
    assert not Authenticator.objects.exists()


def test_a_key_without_user_verification_may_follow_the_password(browser: Client) -> None:
    passkey = SoftPasskey()
    passkey.knows_its_owner = False
    assert add(browser, passkey).status_code == 302
    assert values(browser.get(reverse("mfa_list_webauthn")), "data-opens") == ["second"]
    stranger = Client()
    sign_in(stranger, passkey)
    assert signed_in_as(stranger) is None


class OfNoKnownKind(SoftPasskey):
    """A passkey whose algorithm the site cannot check."""

    @property
    def public(self) -> CoseKey:
        return CoseKey({**super().public, 3: -99999})


def test_a_key_whose_signatures_nobody_can_check_is_not_added(browser: Client) -> None:
    assert values(add(browser, OfNoKnownKind(), passwordless="on"), "data-code") == [NOT_RIGHT]


def test_a_passkeys_row_holds_only_what_signing_in_needs(browser: Client) -> None:
    page = browser.get(ADD)
    credential = SoftPasskey().create(page.context["js_data"]["creation_options"])
    more = {**credential, "note": "\x00", "response": {**credential["response"], "transports": ["\x00"]}}
    assert browser.post(ADD, {"passwordless": "on", **posted(more)}).status_code == 302
    stored = Authenticator.objects.get(type="webauthn").data
    assert stored["name"] == "Passkey"
    assert sorted(stored["credential"]) == ["clientExtensionResults", "id", "rawId", "response", "type"]
    assert sorted(stored["credential"]["response"]) == ["attestationObject", "clientDataJSON"]
    assert stored["credential"]["clientExtensionResults"] == {"credProps": {"rk": True}}


MALFORMED: list[Any] = [
    {"id": 1}, ["x"], "x", 7, True, {"id": "YQ", "rawId": "YQ"},
    {"id": "a", "rawId": "b", "response": {}, "type": "public-key"},
    {"id": "YQ", "rawId": "YQ", "response": {"clientDataJSON": "AA", "attestationObject": "AA"}, "type": "public-key"},
    {"id": "YQ", "rawId": "YQ", "response": {"clientDataJSON": "e30", "attestationObject": "oA"}, "type": "public-key"},
    {"id": "YQ", "rawId": "YQ", "response": {"clientDataJSON": "e30", "authenticatorData": "AA", "signature": "AA"}},
    {"id": "YQ", "rawId": "YQ", "response": {"userHandle": 5}, "type": "public-key"},
]  # fmt: skip
TEXTS = [*(json.dumps(each) for each in MALFORMED), "[" * 15_000, "1" * 5_000, "x" * 30_000, "{", "null", "{}", ""]


@pytest.mark.parametrize("text", TEXTS, ids=lambda text: text[:20])
def test_input_that_no_browser_sends_is_refused(browser: Client, alice: User, client: Client, text: str) -> None:
    browser.get(ADD)
    assert browser.post(ADD, {"credential": text}).status_code == 200
    asked(client)
    assert client.post(LOGIN, {"credential": text}).status_code == 302
    SoftPasskey().put_into(alice)
    assert browser.post(AGAIN, {"credential": text}).status_code == 200
    by_password(client)
    client.get(reverse("mfa_authenticate"))
    assert client.post(reverse("mfa_authenticate"), {"credential": text}).status_code == 200
    assert signed_in_as(client) is None


def test_a_passkey_is_renamed_by_its_owner_alone(browser: Client, alice: User) -> None:
    key = SoftPasskey().put_into(alice, "Phone")
    address = reverse("mfa_edit_webauthn", args=[key.pk])
    bob = signed_in_client(User.objects.create_user("bob@example.org"))
    for method in (bob.get, bob.post):
        assert method(address).status_code == 404
    assert bob.post(reverse("mfa_remove_webauthn", args=[key.pk])).status_code == 404
    assert browser.post(address, {"name": "x" * 61}).status_code == 200
    assert browser.post(address, {"name": "Key on the ring"}).status_code == 302
    assert "Key on the ring" in browser.get(reverse("mfa_list_webauthn")).text


def test_removing_the_last_passkey_warns_and_removes_the_recovery_codes(browser: Client, alice: User) -> None:
    first, second = SoftPasskey(), SoftPasskey()
    add(browser, first, passwordless="on")
    add(browser, second, passwordless="on")
    for count, is_last in ((2, False), (1, True)):
        keys = Authenticator.objects.filter(type="webauthn")
        assert keys.count() == count
        address = reverse("mfa_remove_webauthn", args=[keys[0].pk])
        assert states(browser.get(address)) == ["last"] * is_last
        assert browser.post(address).status_code == 302
    assert not Authenticator.objects.exists()
    stranger = Client()
    by_password(stranger)
    assert signed_in_as(stranger) == str(alice.pk)


def test_removing_a_passkey_gives_no_warning_if_an_app_is_set_up(browser: Client, alice: User) -> None:
    TOTP.activate(alice, generate_totp_secret())
    key = SoftPasskey().put_into(alice)
    assert states(browser.get(reverse("mfa_remove_webauthn", args=[key.pk]))) == []


def test_an_account_has_at_most_twenty_passkeys(browser: Client, alice: User) -> None:
    for number in range(MOST_PASSKEYS - 1):
        SoftPasskey().put_into(alice, f"Passkey {number}")
    assert add(browser, SoftPasskey(), passwordless="on").status_code == 302
    assert values(add(browser, SoftPasskey(), passwordless="on"), "data-code") == ["too_many"]


def test_default_names_of_passkeys_differ(browser: Client) -> None:
    for _ in range(3):
        add(browser, SoftPasskey(), passwordless="on", name="")
    names = [str(key) for key in Authenticator.objects.filter(type="webauthn").order_by("pk")]
    assert names == ["Passkey", "Passkey 2", "Passkey 3"]


def test_a_passkey_is_enough_to_confirm_an_old_login(alice: User, client: Client) -> None:
    passkey = SoftPasskey()
    passkey.put_into(alice)
    client.force_login(alice)
    way = client.get(ADD).headers["Location"]
    assert way.startswith(reverse("account_reauthenticate"))
    assert f'href="{AGAIN}?next={ADD}"' in client.get(way).text.replace("%2F", "/")
    page = client.get(AGAIN, {"next": ADD})
    wrong = SoftPasskey().get(page.context["js_data"]["request_options"])
    again = client.post(AGAIN, {"next": ADD, **posted(wrong)})
    assert (again.status_code, values(again, "data-code")) == (200, [NOT_RIGHT])
    said = passkey.get(again.context["js_data"]["request_options"])
    assert client.post(AGAIN, {"next": ADD, **posted(said)}).headers["Location"] == ADD
    assert client.get(ADD).status_code == 200


def test_passkeys_belong_to_the_sites_own_host(browser: Client, settings: Any) -> None:
    options = browser.get(ADD).context["js_data"]["creation_options"]["publicKey"]
    assert options["rp"] == {"id": "testserver", "name": "Courseiva"}
    assert (options["user"]["name"], options["user"]["displayName"]) == ("alice@example.org", "Alice")
    settings.SITE_URL = "https://learn.example.org"
    assert browser.get(ADD).context["js_data"]["creation_options"]["publicKey"]["rp"]["id"] == "learn.example.org"
    assert asked(Client())["publicKey"]["rpId"] == "learn.example.org"


def test_no_header_keeps_our_own_pages_from_using_passkeys(client: Client) -> None:
    policy = client.get(reverse("account_login")).headers["Permissions-Policy"]
    assert "publickey-credentials" not in policy  # by default a page may use passkeys and a frame in it may not


def test_the_lists_statement_count_does_not_grow_with_the_passkeys(
    browser: Client, alice: User, django_assert_num_queries: Any
) -> None:
    SoftPasskey().put_into(alice)
    with django_assert_num_queries(6):
        browser.get(reverse("mfa_list_webauthn"))
    for _ in range(2):
        SoftPasskey().put_into(alice)
    with django_assert_num_queries(6):
        browser.get(reverse("mfa_list_webauthn"))


def test_deleting_the_account_deletes_its_passkeys(browser: Client, alice: User) -> None:
    SoftPasskey().put_into(alice)
    browser.post(reverse("account_delete_confirm"), {"email": alice.email})
    assert not Authenticator.objects.exists()
