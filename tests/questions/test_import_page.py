"""The admin's import page shows a preview before it stores anything, and only editors may use it."""

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
from questions.formats.intake.reads.plan import NEW, UNCHANGED
from questions.models import Desk, Question
from tests.support.bank import make_exam
from tests.support.hooks import codes, figures, parsed

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


def drafts(page):
    [message] = [message for message in page.context["messages"] if message.extra_tags == "drafts"]
    return message.message.partition(": ")[2]


def test_a_preview_stores_nothing_and_the_second_step_needs_no_file(editor):
    response = send(editor)
    assert figures(parsed(response).select_one("[data-state=looked]").text) == [2, 1]
    assert not Question.objects.exists()
    form = response.context["form"]
    kept = send(editor, None, token=form["token"].value(), name=form["name"].value(), keep="1")
    assert kept.status_code == 302
    assert drafts(editor.get(kept["location"])) == f"2 {NEW}"
    assert set(Question.objects.values_list("desk", flat=True)) == {Desk.DRAFT}
    again = send(editor, keep="1")
    assert drafts(editor.get(again["location"])) == f"2 {UNCHANGED}"


def test_an_exam_is_preselected_only_if_it_is_the_only_one(editor):
    for name in ("questions_import", "questions_import_columns"):
        assert parsed(editor.get(reverse(f"admin:{name}"))).select_one("[name=exam] [selected]")["value"] == "pmle"
    make_exam(slug="ace")
    chosen = parsed(editor.get(reverse("admin:questions_import"))).select_one("[name=exam] [selected]")
    assert chosen is None or not chosen["value"]


def test_a_person_is_asked_again_for_a_file_that_expired_from_the_cache(editor):
    response = send(editor, None, token="gone", keep="1")
    assert codes(response.context["form"]) == {"file": ["gone"]}
    assert parsed(response).select(".errorlist")


@pytest.mark.parametrize(
    ("content", "name", "code"),
    [(b"\x00\x01\x02", "x.bin", "unreadable"), (b"x" * (MOST_BYTES + 1), "x.gift", "too-large")],
)
def test_an_unreadable_file_is_reported(editor, content, name, code):
    assert codes(send(editor, content, name).context["form"])["file"][0] == code


def test_an_import_without_a_file_is_refused(editor):
    assert codes(send(editor, None).context["form"]) == {"file": ["required"]}


def test_a_domain_of_another_exam_is_refused(editor):
    other = make_exam("ace").domains.first()
    assert codes(send(editor, domain=str(other.pk)).context["form"]) == {"domain": ["other-exam"]}


def test_moderators_may_not_import(editor):
    moderator = client_of("Moderators")
    assert send(moderator, keep="1").status_code == 403
    assert moderator.get(reverse("admin:questions_importeditem_changelist")).status_code == 403
    assert not Question.objects.exists()
