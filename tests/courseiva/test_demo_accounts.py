"""Creating the demo accounts again changes nothing, and is refused where DEBUG is off."""

from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from courseiva.accounts.models import User
from courseiva.demo.accounts import DEMO_ACCOUNTS, DEMO_PASSWORD
from tests.support.subprocesses import run_python

pytestmark = pytest.mark.django_db
NAMES = ["admin", "editor", "learner", "moderator", "reviewer"]


def make(settings: Any) -> str:
    settings.DEBUG = True
    out = StringIO()
    call_command("make_demo_accounts", stdout=out)
    return out.getvalue()


def test_five_demo_accounts_are_created_and_printed(settings: Any) -> None:
    printed = make(settings)
    emails = sorted(User.objects.values_list("email", flat=True))
    assert emails == [f"{name}@demo.courseiva.example" for name in NAMES]
    assert all(email in printed for email in emails)
    assert DEMO_PASSWORD in printed


def test_creating_demo_accounts_again_restores_only_what_was_altered(settings: Any) -> None:
    make(settings)
    before = list(User.objects.order_by("pk").values())
    make(settings)
    assert list(User.objects.order_by("pk").values()) == before
    editor = User.objects.get(email__startswith="editor@")
    editor.groups.clear()
    editor.set_password("something else entirely")
    editor.save()
    make(settings)
    editor.refresh_from_db()
    assert editor.check_password(DEMO_PASSWORD)
    assert [group.name for group in editor.groups.all()] == ["Editors"]


def test_each_demo_account_is_in_its_groups(settings: Any) -> None:
    make(settings)
    groups = {
        user.email.split("@")[0]: sorted(group.name for group in user.groups.all()) for user in User.objects.all()
    }
    assert groups == {
        "learner": [],
        "editor": ["Editors"],
        "reviewer": ["Editors", "Reviewers"],
        "moderator": ["Moderators"],
        "admin": [],
    }
    assert [user.email.split("@")[0] for user in User.objects.filter(is_superuser=True)] == ["admin"]
    assert not User.objects.get(email__startswith="learner@").is_staff


@pytest.mark.parametrize("account", DEMO_ACCOUNTS, ids=lambda account: account.name)
def test_each_demo_account_can_sign_in_at_once(client: Client, settings: Any, account: Any) -> None:
    make(settings)
    response = client.post(reverse("account_login"), {"login": account.email, "password": DEMO_PASSWORD})
    assert response.status_code == 302
    assert "_auth_user_id" in client.session


def test_demo_accounts_are_refused_with_debug_off(settings: Any) -> None:
    settings.DEBUG = False
    with pytest.raises(CommandError, match="DEBUG"):
        call_command("make_demo_accounts")
    assert not User.objects.exists()


def test_demo_accounts_are_refused_by_a_production_process() -> None:
    result = run_python(
        "manage.py",
        "make_demo_accounts",
        SECRET_KEY="x" * 50,
        ALLOWED_HOSTS="a.example",
        DATABASE_URL="sqlite:////nowhere/x",
    )
    assert result.returncode == 1
    assert "DEBUG" in result.stderr
