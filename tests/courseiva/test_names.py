"""The name others see is chosen by its owner, is never an email address, and never looks like a staff member's."""

from __future__ import annotations

import pytest
from django.apps import apps
from django.contrib.auth.models import Group
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from courseiva.accounts.models import User
from courseiva.accounts.rules import LONGEST, refusal, tidy
from courseiva.accounts.staff.groups import GROUPS, grant
from tests.discussion.conftest import person, row
from tests.support.bank import add_questions, make_exam
from tests.support.hooks import messages

FINE = [
    "", "Ada", "Ada Lovelace", "Zoë", "José-Luis", "O'Neill", "Ada L.", "J. R. Hartley", "R2 D2",
    "李小龍", "ひらがな 漢字", "नमस्ते", "\N{CYRILLIC CAPITAL LETTER O}\N{CYRILLIC SMALL LETTER ES}",
]  # fmt: skip
REFUSED = [
    "ada@example.org", "ada\N{FULLWIDTH COMMERCIAL AT}example.org", "https://a.example", "www ada", "ada.example",
    "A", "x" * 61, "1234", "--", "Moderator", "Site Admin", "COURSEIVA", "Learner 12", "support",
    "\N{CYRILLIC CAPITAL LETTER A}da", "A\u200bda", "A\u202eda", "<b>Ada</b>", "Ada ✔",
]  # fmt: skip


@pytest.mark.parametrize("name", FINE)
def test_a_persons_name_is_accepted(name: str) -> None:
    assert refusal(tidy(name)) is None


@pytest.mark.parametrize("name", REFUSED)
def test_a_misleading_name_is_refused(name: str) -> None:
    assert refusal(tidy(name))


@given(st.text(max_size=80))
def test_any_input_gets_a_response_and_an_accepted_name_stays_unchanged(name: str) -> None:
    tidied = tidy(name)
    if not refusal(tidied):
        assert tidy(tidied) == tidied
        assert len(tidied) <= LONGEST
        assert not set("@<>&/") & set(tidied)


@pytest.fixture
def alice(db: None) -> User:
    return User.objects.create_user("alice@example.org", None)


def test_a_chosen_name_is_shown_beside_its_owners_comments(client, alice) -> None:
    version = add_questions(make_exam(), 1, domains=("d1",))[0]
    row(version, alice, "A tip.")
    address = f"/discussion/pmle/{version.question_id}/"
    assert f"Learner {alice.pk}" in client.get(address).content.decode()
    client.force_login(alice)
    answer = client.post(reverse("account_name"), {"name": "  Ada   Lovelace "}, follow=True)
    assert messages(answer) == ["renamed"]
    assert "Ada Lovelace" in client.get(address).content.decode()
    client.post(reverse("account_name"), {"name": ""})
    alice.refresh_from_db()
    assert alice.public_name == f"Learner {alice.pk}"


def test_a_refused_name_stays_in_its_field_and_changes_nothing(client, alice) -> None:
    client.force_login(alice)
    answer = client.post(reverse("account_name"), {"name": "alice@example.org"})
    assert answer.status_code == 400
    assert 'value="alice@example.org"' in answer.content.decode()
    assert User.objects.get(pk=alice.pk).display_name == ""


def test_nobody_can_take_the_name_of_staff_or_a_moderator(client, alice) -> None:
    person("boss", is_staff=True)
    mona = person("mona")
    grant(apps, GROUPS)  # the groups exist again even if a test has emptied the database
    mona.groups.add(Group.objects.get(name="Moderators"))
    person("bob")
    client.force_login(alice)
    answers = [client.post(reverse("account_name"), {"name": name}).status_code for name in ("BOSS", "mona", "Bob")]
    assert answers == [400, 400, 302]


def test_a_stranger_is_sent_to_sign_in(client, db) -> None:
    assert client.get(reverse("account_name")).status_code == 302
