"""Passwords, codes, sessions and tokens behave as docs/security.md says."""

from __future__ import annotations

import datetime as dt
import math
import re
import time
from pathlib import Path
from typing import Any

import pytest
import time_machine
from allauth.account.models import EmailAddress
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, format_hotp_value, generate_totp_secret, hotp_value
from django.conf import settings as site
from django.contrib.auth.hashers import MD5PasswordHasher
from django.contrib.sessions.backends.base import VALID_KEY_CHARS
from django.core import mail, signing
from django.core.management import call_command
from django.db import connection
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from courseiva.accounts.models import User
from practice.learners.reads.identity import GUEST_COOKIE, GUEST_DAYS, SALT, guest_token, new_token
from tests.courseiva.test_settings import PRODUCTION
from tests.support.subprocesses import BASE, run_python
from tests.support.world import signed_in_client

PASSWORD, NEW = "three plain words", "four other plain words"
TOTP_PERIOD = 30
ENOUGH_BITS = 128
ITERATIONS = 600_000
pytestmark = pytest.mark.django_db


@pytest.fixture
def member() -> User:
    user = User.objects.create_user("alice@example.org", PASSWORD)
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    return user


def sign_in(client: Client, password: str = PASSWORD) -> Any:
    return client.post(reverse("account_login"), {"login": "alice@example.org", "password": password})


def is_signed_in(client: Client) -> bool:
    return bool(client.get(reverse("account_email")).status_code == 200)


def give_code(code: str) -> Client:
    """Return a browser that has sent the password and then this code."""
    client = Client()
    assert sign_in(client).headers["Location"].startswith(reverse("mfa_authenticate"))
    client.post(reverse("mfa_authenticate"), {"code": code})
    return client


def test_an_authenticator_code_works_once(member: User) -> None:
    secret = generate_totp_secret()
    TOTP.activate(member, secret)
    with time_machine.travel(timezone.now(), tick=False):
        code = format_hotp_value(hotp_value(secret, int(time.time()) // TOTP_PERIOD))
        assert is_signed_in(give_code(code))
        assert not is_signed_in(give_code(code))
    with time_machine.travel(timezone.now() + dt.timedelta(seconds=3 * TOTP_PERIOD), tick=False):
        assert not is_signed_in(give_code(code)), "its half minute is over"


def test_a_recovery_code_works_once_and_has_twenty_bits(member: User) -> None:
    TOTP.activate(member, generate_totp_secret())
    codes = RecoveryCodes.activate(member).get_unused_codes()
    assert all(len(code) * math.log2(10) >= 20 and code.isdigit() for code in codes)
    assert is_signed_in(give_code(codes[0]))
    assert not is_signed_in(give_code(codes[0]))
    assert is_signed_in(give_code(codes[1]))


def test_a_password_reset_does_not_skip_the_second_step(member: User, client: Client) -> None:
    TOTP.activate(member, generate_totp_secret())
    client.post(reverse("account_reset_password"), {"email": member.email})
    link = re.search(r"http\S+/password/reset/key/\S+", str(mail.outbox[0].body))
    assert link
    form = client.get(link[0], follow=True)
    done = client.post(form.request["PATH_INFO"], {"password1": NEW, "password2": NEW}, follow=True)
    assert done.status_code == 200
    assert not is_signed_in(client)
    assert sign_in(client, NEW).headers["Location"].startswith(reverse("mfa_authenticate"))
    assert not is_signed_in(client)


def test_a_mailed_link_sets_a_password_only_once(member: User, client: Client) -> None:
    client.post(reverse("account_reset_password"), {"email": member.email})
    link = re.search(r"http\S+/password/reset/key/\S+", str(mail.outbox[0].body))
    assert link
    form = client.get(link[0], follow=True)
    client.post(form.request["PATH_INFO"], {"password1": NEW, "password2": NEW})
    again = Client().get(link[0], follow=True)
    assert b'name="password1"' not in again.content


def test_changing_a_password_asks_for_the_old_one(member: User) -> None:
    client = signed_in_client(member)
    fields = {"password1": NEW, "password2": NEW}
    for old in ("", "not the password"):
        assert client.post(reverse("account_change_password"), {**fields, "oldpassword": old}).status_code == 200
    member.refresh_from_db()
    assert member.check_password(PASSWORD)
    assert client.post(reverse("account_change_password"), {**fields, "oldpassword": PASSWORD}).status_code == 302
    member.refresh_from_db()
    assert member.check_password(NEW)


def told(response: Any) -> tuple[int, str, str]:
    """Return a response as its reader sees it: status, redirect, and the page without what differs every time."""
    text = response.content.decode() if response.content else ""
    text = re.sub(r'name="csrfmiddlewaretoken" value="\w+"|\w+@example\.org', "", text)
    return response.status_code, response.headers.get("Location", ""), text


def test_sign_in_does_not_reveal_who_has_an_account(member: User) -> None:
    answers = [
        told(Client().post(reverse("account_login"), {"login": login, "password": "not the password"}))
        for login in (member.email, "nobody@example.org")
    ]
    assert answers[0] == answers[1]
    assert answers[0][0] == 200
    assert 'role="alert"' in answers[0][2] or "error" in answers[0][2]


def test_a_reset_does_not_reveal_who_has_an_account(member: User) -> None:
    answers = []
    for email in (member.email, "nobody@example.org"):
        client = Client()
        sent = client.post(reverse("account_reset_password"), {"email": email})
        answers.append((told(sent), told(client.get(sent.headers["Location"]))))
    assert answers[0] == answers[1]
    assert mail.outbox[0].to == [member.email]


def test_signing_up_again_looks_like_the_first_time(member: User) -> None:
    answers = []
    for email in (member.email, "nobody@example.org"):
        client = Client()
        sent = client.post(reverse("account_signup"), {"email": email, "password1": NEW})
        answers.append((told(sent), told(client.get(sent.headers["Location"]))))
    assert answers[0] == answers[1]


SMALL_CHANGE = 8
"""How far the statement counts may differ: creating an account takes milliseconds, where hashing takes hundreds."""


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("account_signup", {"password1": NEW}),
        ("account_login", {"password": "not the password"}),
        ("account_reset_password", {}),
    ],
)
def test_a_known_address_takes_as_much_work_as_an_unknown_one(
    member: User, name: str, fields: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    hashed: list[str] = []
    encode = MD5PasswordHasher.encode
    monkeypatch.setattr(MD5PasswordHasher, "encode", lambda *args: hashed.append(args[1]) or encode(*args))
    work = []
    for n, email in enumerate((member.email, "nobody@example.org")):
        before = len(hashed), len(mail.outbox)
        with CaptureQueriesContext(connection) as queries:
            client = Client(REMOTE_ADDR=f"198.51.100.{n}")
            client.post(reverse(name), {**fields, "login" if name == "account_login" else "email": email})
        work.append((len(hashed) - before[0], len(mail.outbox) - before[1], len(queries)))
    known, unknown = work
    assert known[:2] == unknown[:2]
    assert known[0] == (0 if name == "account_reset_password" else 1)
    assert abs(known[2] - unknown[2]) <= SMALL_CHANGE, work


@pytest.mark.parametrize("name", ["account_login", "account_signup"])
def test_a_password_is_masked_and_left_to_the_browser_to_fill_in(client: Client, name: str) -> None:
    fields = re.findall(r'<input[^>]*name="password1?"[^>]*>', client.get(reverse(name)).content.decode())
    assert len(fields) == 1
    assert 'type="password"' in fields[0]
    assert re.search(r'autocomplete="(current|new)-password"', fields[0])
    # Pictures are pasted into the editor's form, which asks for no password.
    shown = [path for path in (BASE / "static" / "js").rglob("*.js") if path.name != "pictures.js"]
    scripts = "".join(path.read_text() for path in shown)
    assert not re.search(r"addEventListener\(\s*[\"'](paste|copy)", scripts)


def test_the_first_administrator_confirms_the_address_and_is_signed_in(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DJANGO_SUPERUSER_PASSWORD", PASSWORD)
    call_command("createsuperuser", interactive=False, email="alice@example.org", verbosity=0)
    assert sign_in(client).headers["Location"] == reverse("account_email_verification_sent")
    assert client.get("/admin/").status_code == 302
    link = re.search(r"http\S+/confirm-email/[^/]\S+", str(mail.outbox[0].body))
    assert link
    client.post(link[0])
    assert sign_in(client).status_code == 302
    assert client.get("/admin/").status_code == 200


@pytest.mark.parametrize("change", [str.upper, str.strip, lambda password: password[:64]])
def test_a_password_is_compared_as_it_was_typed(member: User, client: Client, change: Any) -> None:
    long = " three plain words" + "x" * 60
    member.set_password(long)
    member.save()
    sign_in(client, change(long))
    assert not is_signed_in(client)
    sign_in(client, long)
    assert is_signed_in(client)


def test_production_stores_passwords_with_a_slow_hash() -> None:
    code = "import django; django.setup(); from django.contrib.auth import hashers; print(hashers.make_password('x'))"
    made = run_python("-c", code, **PRODUCTION, DJANGO_SETTINGS_MODULE="courseiva.settings")
    name, iterations, *_ = made.stdout.split("$")
    assert (name, int(iterations) >= ITERATIONS) == ("pbkdf2_sha256", True), made.stderr


def test_sessions_and_guests_have_tokens_that_cannot_be_guessed(member: User, client: Client) -> None:
    sign_in(client)
    key = client.cookies[site.SESSION_COOKIE_NAME].value
    assert set(key) <= set(VALID_KEY_CHARS)
    assert len(key) * math.log2(len(VALID_KEY_CHARS)) >= ENOUGH_BITS
    tokens = {new_token() for _ in range(100)}
    assert len(tokens) == 100
    assert all(len(token) * math.log2(64) >= ENOUGH_BITS for token in tokens)


def test_a_guests_token_works_only_for_its_purpose_and_until_it_expires(rf: RequestFactory) -> None:
    now = timezone.now()

    def found(salt: str, days: int) -> str | None:
        with time_machine.travel(now - dt.timedelta(days=days), tick=False):
            signed = signing.get_cookie_signer(salt=GUEST_COOKIE + salt).sign("token")
        request = rf.get("/")
        request.COOKIES[GUEST_COOKIE] = signed
        return guest_token(request)

    assert found(SALT, GUEST_DAYS - 1) == "token"
    assert found(SALT, GUEST_DAYS + 1) is None
    assert found("another purpose", 0) is None


def test_a_closed_account_is_signed_out_everywhere(member: User, client: Client) -> None:
    sign_in(client)
    assert is_signed_in(client)
    User.objects.update(is_active=False)
    assert not is_signed_in(client)
    sign_in(client)
    assert not is_signed_in(client)


def test_a_password_set_by_staff_ends_that_persons_sessions(member: User, client: Client) -> None:
    sign_in(client)
    staff = signed_in_client(User.objects.create_superuser("root@example.org", PASSWORD))
    address = reverse("admin:auth_user_password_change", args=[member.pk])
    sent = staff.post(address, {"password1": NEW, "password2": NEW, "usable_password": "true"})
    assert sent.status_code == 302
    assert not is_signed_in(client)


def test_a_field_the_form_does_not_have_is_ignored(client: Client) -> None:
    more = {"is_staff": "on", "is_superuser": "on", "groups": "1", "email_verified": "on", "pk": "1"}
    client.post(reverse("account_signup"), {"email": "bob@example.org", "password1": PASSWORD, **more})
    bob = User.objects.get()
    assert (bob.email, bob.is_staff, bob.is_superuser, bob.groups.count()) == ("bob@example.org", False, False, 0)
    assert not EmailAddress.objects.get().verified


@pytest.mark.parametrize("address", ["bob@example.org\nBcc: eve@example.org", "bob@example.org\r\n\r\nMore"])
def test_no_address_can_inject_a_line_into_a_mail(client: Client, address: str) -> None:
    for name in ("account_signup", "account_reset_password"):
        sent = client.post(reverse(name), {"email": address, "password1": PASSWORD})
        assert sent.status_code == 200
    assert mail.outbox == []
    assert not User.objects.exists()


# It requests cited pages if the operator wants that, but nothing in a private network (test_source_check.py).
LOOKS_AT_SOURCES = BASE / "questions" / "versions" / "material" / "sources" / "look.py"


def test_our_code_runs_no_commands_or_text_and_opens_no_addresses() -> None:
    # Errors from a library that calls a provider are caught; no address is opened here.
    told = (
        r"^\s*(?:import|from) (subprocess|pickle|marshal|shelve|requests(?! import RequestException$)|httpx"
        r"|urllib3?\.request|http\.client)\b"
    )
    run = r"(?<![\w.])(?<!def )(eval|exec|compile|__import__)\(|\bos\.(system|popen|exec\w*|spawn\w*)\(|\bfrom_string\("
    found = [
        f"{path.relative_to(BASE)}: {match.group()}"
        for app in ("courseiva", "questions", "practice", "discussion")
        for path in sorted(Path(BASE / app).rglob("*.py"))
        if path != LOOKS_AT_SOURCES
        for match in re.finditer(f"{told}|{run}", path.read_text(), re.MULTILINE)
    ]
    assert found == []
