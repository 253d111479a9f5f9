"""Check what docs/security.md promises and no other file tests, and that every test it names exists."""

from __future__ import annotations

import logging
import re
from collections import Counter
from http.cookies import SimpleCookie
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.conf import settings as site
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import reverse

from courseiva.accounts.models import User
from tests.support.asvs import items
from tests.support.subprocesses import BASE

PASSWORD = "three plain words"
SHOWN = "Covered by a test"
TABLES = (SHOWN, "Met, without a test of its own", "Left to the operator", "Not met", "Does not apply")
ITEMS = 253
DOCUMENT = (BASE / "docs" / "security.md").read_text()


def test_every_test_that_the_security_page_names_exists() -> None:
    named = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", DOCUMENT)
    assert len(named) > 50
    missing = [f"{path}::{name}" for path, name in named if f"def {name}(" not in (BASE / path).read_text()]
    assert missing == []


def rows_under(heading: str) -> list[tuple[list[str], str]]:
    """Return for each row of the tables under this heading what its first cell names, and the rest."""
    part = DOCUMENT.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    return [(first.split(", "), rest) for first, rest in re.findall(r"^\| (\d[\d., ]*) \|(.*)\|$", part, re.MULTILINE)]


def test_every_item_covered_by_a_test_names_that_test() -> None:
    shown = rows_under(SHOWN)
    assert len(shown) > 60
    assert [named for named, rest in shown if "::test_" not in rest] == []


def test_the_tables_hold_every_item_of_the_standard_once_and_no_other() -> None:
    levels = items()
    assert len([item for item, level in levels.items() if level <= 2]) == ITEMS
    named = [name for heading in TABLES for names, _ in rows_under(heading) for name in names]
    found = [item for name in named for item in levels if item == name or item.startswith(f"{name}.")]
    assert [name for name in named if not any(item == name or item.startswith(f"{name}.") for item in levels)] == []
    assert sorted(item for item, count in Counter(found).items() if count > 1) == []
    assert sorted(item for item, level in levels.items() if level <= 2 and item not in found) == []
    assert f"its {ITEMS} items" in DOCUMENT


@pytest.fixture
def member(db: None) -> User:
    user = User.objects.create_user("alice@example.org", PASSWORD)
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    return user


def sign_in(client: Client, **more: Any) -> Any:
    return client.post("/accounts/login/", {"login": "alice@example.org", "password": PASSWORD, **more})


def test_signing_in_begins_a_new_session(member: User, client: Client) -> None:
    client.get("/accounts/login/")
    client.session["planted"] = "by somebody else"
    planted = client.session
    planted.save()
    client.cookies[site.SESSION_COOKIE_NAME] = planted.session_key
    before = planted.session_key
    assert sign_in(client).status_code == 302
    assert client.cookies[site.SESSION_COOKIE_NAME].value != before
    assert not Session.objects.filter(pk=before).exists()


def test_signing_out_ends_the_session_for_good(member: User, client: Client) -> None:
    sign_in(client)
    kept = client.cookies[site.SESSION_COOKIE_NAME].value
    assert client.get("/accounts/email/").status_code == 200
    client.post("/accounts/logout/")
    client.cookies = SimpleCookie({site.SESSION_COOKIE_NAME: kept})
    assert client.get("/accounts/email/").status_code == 302


def test_a_new_password_ends_the_other_sessions(member: User, client: Client) -> None:
    other = Client()
    for each in (client, other):
        sign_in(each)
    new = {"oldpassword": PASSWORD, "password1": "four other plain words", "password2": "four other plain words"}
    assert client.post("/accounts/password/change/", new).status_code == 302
    assert client.get("/accounts/email/").status_code == 200
    assert other.get("/accounts/email/").status_code == 302


@pytest.mark.parametrize("place", ["https://elsewhere.example/", "//elsewhere.example", "javascript:alert(1)"])
def test_sign_in_redirects_to_no_other_site(member: User, client: Client, place: str) -> None:
    assert sign_in(client, next=place).headers["Location"] == "/"


@pytest.mark.parametrize(("secure", "leads"), [(True, "/"), (False, "http://testserver/reports/")])
def test_sign_in_over_https_redirects_to_https_only(member: User, client: Client, secure: bool, leads: str) -> None:
    fields = {"login": member.email, "password": PASSWORD, "next": "http://testserver/reports/"}
    assert client.post("/accounts/login/", fields, secure=secure).headers["Location"] == leads
    ours = {**fields, "next": "https://testserver/reports/"}
    assert Client().post("/accounts/login/", ours, secure=secure).headers["Location"] == ours["next"]


@pytest.mark.django_db
def test_a_long_password_of_any_characters_is_accepted(client: Client) -> None:
    long = "päss 😀 " * 15
    sent = client.post("/accounts/signup/", {"email": "bob@example.org", "password1": long})
    assert sent.status_code == 302
    assert User.objects.get(email="bob@example.org").check_password(long.strip()) or User.objects.get(
        email="bob@example.org"
    ).check_password(long)


def test_a_forged_ip_address_does_not_get_round_the_limit(member: User, settings: Any) -> None:
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    statuses = []
    for n in range(40):
        client = Client(headers={"x-forwarded-for": f"203.0.113.{n}, 198.51.100.7"})
        sent = client.post("/accounts/login/", {"login": f"nobody{n}@example.org", "password": "wrong"})
        statuses.append(sent.status_code)
    assert 429 in statuses
    fresh = Client(headers={"x-forwarded-for": "203.0.113.1, 198.51.100.8"})
    assert fresh.post("/accounts/login/", {"login": "n@example.org", "password": "wrong"}).status_code == 200


@pytest.mark.django_db
def test_no_other_site_may_read_a_response(client: Client) -> None:
    for address in ("/", "/exams/", "/accounts/login/", "/healthz", "/practice/history/"):
        answer = client.get(address, headers={"origin": "https://elsewhere.example"})
        assert not [name for name in answer.headers if name.lower().startswith("access-control-")]
        assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"


@pytest.mark.django_db
def test_the_log_holds_no_query_string_and_no_form_data(client: Client, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, logger="courseiva.requests")
    client.get("/search/?q=secret-word")
    client.post("/accounts/login/", {"login": "alice@example.org", "password": "secret-word"})
    lines = [record.__dict__ for record in caplog.records if record.name == "courseiva.requests"]
    assert [line["path"] for line in lines] == ["/search/", "/accounts/login/"]
    assert "secret-word" not in str(lines)
    assert "alice" not in str(lines)


@pytest.mark.django_db
def test_the_log_holds_no_key_from_a_mailed_link(client: Client, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, logger="courseiva.requests")
    token = "0f8fad5b-d9cb-469f-a165-70867728950e"
    addresses = {
        reverse("account_reset_password_from_key", args=["1", "c0ffee-secret"]): "/accounts/password/reset/key/1--/",
        reverse("account_confirm_email", args=["MQ:secret"]): "/accounts/confirm-email/-/",
        reverse("report", args=[token]): "/reports/-/",
        reverse("unsubscribe", args=[token]): "/discussion/unsubscribe/-/",
        reverse("exams"): "/exams/",
    }
    for address in addresses:
        client.get(address)
    told = [record.__dict__["path"] for record in caplog.records if record.name == "courseiva.requests"]
    assert told == list(addresses.values())
