"""An account deleted while a request is using it stays deleted, and the request is redirected to sign in."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone

from courseiva.accounts.changes.delete import remove_account
from courseiva.accounts.forms import NameForm
from courseiva.accounts.models import User, UserGone
from practice.learners.enrol import lock_learner
from practice.learners.errors import AccountGone
from practice.learners.reads.identity import Owner
from practice.models import Learner
from tests.support.world import signed_in_client

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def member() -> User:
    return User.objects.create_user("alice@example.org", "three plain words")


@pytest.mark.parametrize("fields", [None, ["last_login"]])
def test_saving_does_not_bring_a_deleted_account_back(member: User, fields: list[str] | None) -> None:
    held = User.objects.get(pk=member.pk)
    remove_account(member.pk, timezone.now())
    with pytest.raises(UserGone):
        held.save(update_fields=fields)
    assert not User.objects.exists()


def test_no_learner_is_created_for_a_deleted_account(member: User) -> None:
    remove_account(member.pk, timezone.now())
    with pytest.raises(AccountGone), transaction.atomic():
        lock_learner(Owner(user_id=member.pk), timezone.now())
    assert not Learner.objects.exists()


def rename_late(monkeypatch: pytest.MonkeyPatch, member: User) -> None:
    """Delete the account after the view has read it and before it saves the name."""
    rename = NameForm.save
    monkeypatch.setattr(NameForm, "save", lambda form: remove_account(member.pk, timezone.now()) and rename(form))


def test_a_page_opened_after_the_deletion_redirects_to_sign_in(member: User, monkeypatch: pytest.MonkeyPatch) -> None:
    client = signed_in_client(member)
    rename_late(monkeypatch, member)
    answer = client.post(reverse("account_name"), {"name": "Nora"})
    assert (answer.status_code, answer.headers["Location"]) == (302, reverse("account_login"))
    assert not User.objects.exists()


def test_an_error_stays_an_error_while_the_account_exists(member: User, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        raise LookupError("deliberate")

    client = signed_in_client(member)
    client.raise_request_exception = False
    monkeypatch.setattr(NameForm, "save", broken)
    assert client.post(reverse("account_name"), {"name": "Nora"}).status_code == 500
