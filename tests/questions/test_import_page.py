"""Importing in the admin: look first, then keep; for editors alone."""

import pytest
from django.apps import apps
from django.contrib.auth.models import Group
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from courseiva.accounts.models import User
from courseiva.accounts.staff.groups import GROUPS, grant
from questions.formats.forms import MOST_BYTES
from questions.models import Desk, Question
from tests.support.bank import make_exam

pytestmark = pytest.mark.django_db
AIKEN = (
    b"Which one?\nA. This\nB. That\nANSWER: B\n\nBroken\nA. Alone\nANSWER: A\n\nAnd now?\nA) Up\nB) Down\nANSWER: A\n"
)


def client_of(group):
    grant(apps, GROUPS)
    user = User.objects.create_user(email=f"{group.lower()}@example.com", password="x", is_staff=True)
    user.groups.add(Group.objects.get(name=group))
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def editor():
    make_exam()
    cache.clear()
    return client_of("Editors")


def send(client, content=AIKEN, name="set.txt", **more):
    data = {"format": "auto", "exam": "pmle", "look": "1"} | more
    if content is not None:
        data["file"] = SimpleUploadedFile(name, content)
    return client.post(reverse("admin:questions_import"), data)


def test_a_look_stores_nothing_and_the_second_step_needs_no_file(editor):
    response = send(editor)
    assert "2 taken, 1 skipped. Nothing is stored yet." in response.text
    assert not Question.objects.exists()
    form = response.context["form"]
    kept = send(editor, None, token=form["token"].value(), name=form["name"].value(), keep="1")
    assert kept.status_code == 302
    assert "Drafts: 2 new" in editor.get(kept["location"]).text
    assert set(Question.objects.values_list("desk", flat=True)) == {Desk.DRAFT}
    again = send(editor, keep="1")
    assert "Drafts: 2 unchanged" in editor.get(again["location"]).text


def test_a_file_that_is_gone_from_the_cache_is_asked_for_again(editor):
    text = send(editor, None, token="gone", keep="1").text
    assert "choose it again" in text


@pytest.mark.parametrize(
    ("content", "name", "says"),
    [(b"\x00\x01\x02", "x.bin", "format that was not recognised"), (b"x" * (MOST_BYTES + 1), "x.gift", "Larger than")],
)
def test_what_cannot_be_read_is_said(editor, content, name, says):
    assert says in send(editor, content, name).text


def test_nothing_chosen(editor):
    assert "Choose a file." in send(editor, None).text


def test_a_domain_of_another_exam_is_refused(editor):
    other = make_exam("ace").domains.first()
    assert "belongs to another exam" in send(editor, domain=str(other.pk)).text


def test_moderators_may_not(editor):
    moderator = client_of("Moderators")
    assert send(moderator, keep="1").status_code == 403
    assert moderator.get(reverse("admin:questions_importeditem_changelist")).status_code == 403
    assert not Question.objects.exists()
