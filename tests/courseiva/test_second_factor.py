"""Staff need a second factor for the admin, and are sent to set one up before they see any of it."""

from __future__ import annotations

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.urls import reverse

from courseiva.accounts.models import User
from tests.support.hooks import parsed
from tests.support.subprocesses import run_python
from tests.support.world import signed_in_client

pytestmark = pytest.mark.django_db
PAGES = ("admin:index", "admin:accounts_user_changelist", "admin:questions_exam_changelist")


@pytest.fixture
def strict(settings):
    settings.STAFF_SECOND_FACTOR = True


@pytest.fixture
def boss() -> User:
    return User.objects.create_superuser("root@example.org", "another long password")


def test_without_a_factor_every_admin_page_redirects_to_setting_one_up(strict, boss):
    client = signed_in_client(boss)
    for name in PAGES:
        for sent in (client.get(reverse(name)), client.post(reverse(name))):
            assert (sent.status_code, sent.url) == (302, reverse("mfa_index") + "?next=admin")
    page = parsed(client.get(reverse("mfa_index") + "?next=admin"))
    assert page.select_one("[data-second-factor]")


def test_with_a_factor_the_admin_opens(strict, boss):
    TOTP.activate(boss, generate_totp_secret())
    assert signed_in_client(boss).get(reverse("admin:index")).status_code == 200
    Authenticator.objects.all().delete()
    assert signed_in_client(boss).get(reverse("admin:index")).status_code == 302


def test_nobody_else_is_asked_for_a_factor_and_signing_out_stays_possible(strict, boss, client):
    reader = User.objects.create_user("reader@example.org", None)
    for each in (client, signed_in_client(reader)):
        sent = each.get(reverse("admin:index"))
        assert "2fa" not in sent.headers.get("Location", "")
    assert signed_in_client(reader).get(reverse("account_home")).status_code == 200
    assert signed_in_client(boss).get(reverse("account_home")).status_code == 200
    assert "2fa" not in signed_in_client(boss).post(reverse("admin:logout")).headers.get("Location", "")


@pytest.mark.parametrize(("debug", "asked"), [("1", "False"), ("0", "True")])
def test_only_debug_lets_staff_in_without_a_factor(debug, asked):
    given = {"SECRET_KEY": "x" * 40, "DEBUG": debug, "SITE_URL": "https://learn.example.org"}
    done = run_python("-c", "from courseiva import settings; print(settings.STAFF_SECOND_FACTOR)", **given)
    assert done.stdout.strip() == asked, done.stderr
