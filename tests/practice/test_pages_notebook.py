"""Each learner may keep one private note and one star for each question, on marked questions only."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from practice.models import Note, Star
from practice.sessions.ending.finish import finish
from tests.support.bank import NOW, add_questions, make_exam
from tests.support.hooks import codes, parsed
from tests.support.sessions import begin_mock, guest, guest_client

pytestmark = pytest.mark.django_db


@pytest.fixture
def exam():
    exam = make_exam()
    add_questions(exam, 3)
    return exam


@pytest.fixture
def mock(alice, exam):
    return finish(begin_mock(alice.owner, exam).uuid, alice.owner, NOW)


def post(client, session, name, position=1, **fields):
    return client.post(reverse(name, args=[session.uuid, position]), fields)


def test_a_note_is_kept_shown_changed_and_deleted_when_emptied(alice, mock):
    response = post(alice, mock, "note", text="Look at\r\nthe batch size.", show="wrong")
    address = reverse("breakdown", args=[mock.uuid, 1])
    assert response.url == f"{address}?show=wrong&said=note#notebook-1"
    text = alice.get(response.url).content.decode()
    assert parsed(text).select_one("#notebook-1 [role=status]").text.strip()
    assert "Look at\nthe batch size.</textarea>" in text
    post(alice, mock, "note", text="Changed <b>")
    assert Note.objects.get().text == "Changed <b>"
    assert "Changed &lt;b&gt;" in alice.get(address).content.decode()
    assert "said=no-note" in post(alice, mock, "note", text="  ").url
    assert not Note.objects.exists()


def test_a_note_of_4000_characters_fits_whatever_its_line_endings_and_a_longer_one_is_refused(alice, mock):
    post(alice, mock, "note", text="ab\r\n" * 1333 + "c")
    assert len(Note.objects.get().text) == 4000
    response = post(alice, mock, "note", text="x" * 4001)
    assert response.status_code == 400
    assert "x" * 4001 in response.content.decode()
    assert codes(response.context["note_form"]) == {"text": ["max_length"]}
    assert 'id="note-error-1"' in response.content.decode()
    assert Note.objects.get().text.startswith("ab")


def test_a_star_is_set_once_and_removed(alice, mock):
    for _ in range(2):
        assert "said=star" in post(alice, mock, "star", on="1").url
    assert Star.objects.count() == 1
    assert "Starred" in alice.get(reverse("breakdown", args=[mock.uuid, 1])).content.decode()
    post(alice, mock, "star", on="0")
    assert not Star.objects.exists()


def test_a_page_with_script_gets_only_the_notebook(alice, mock):
    address = reverse("star", args=[mock.uuid, 2])
    text = alice.post(address, {"on": "1"}, HTTP_HX_REQUEST="true").content.decode()
    assert text.lstrip().startswith('<section class="stack" id="notebook-2"')
    assert "<html" not in text


def test_a_note_belongs_to_the_question_in_every_session_of_its_learner(alice, mock, exam):
    post(alice, mock, "note", text="Mine alone")
    question = mock.items.first().version.question_id
    again = finish(begin_mock(alice.owner, exam, 12).uuid, alice.owner, NOW)
    item = again.items.filter(version__question=question).first()
    if item:
        assert "Mine alone" in alice.get(reverse("breakdown", args=[again.uuid, item.position])).content.decode()
    bob, token = guest()
    theirs = finish(begin_mock(bob, exam, 12).uuid, bob, NOW)
    for item in theirs.items.all():
        page = guest_client(token).get(reverse("breakdown", args=[theirs.uuid, item.position]))
        assert "Mine alone" not in page.content.decode()


def test_strangers_and_open_mocks_have_no_notebook(alice, mock, exam):
    running = begin_mock(alice.owner, exam, now=timezone.now())
    for name in ("note", "star"):
        assert post(Client(), mock, name, text="x", on="1").status_code == 404
        assert post(guest_client(guest()[1]), mock, name, text="x", on="1").status_code == 404
        assert post(alice, running, name, text="x", on="1").status_code == 404
        assert post(alice, mock, name, position=99, text="x", on="1").status_code == 404
        assert alice.get(reverse(name, args=[mock.uuid, 1])).status_code == 405
    assert not Note.objects.exists()
    assert not Star.objects.exists()


def test_both_forms_require_a_token(alice, mock):
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = alice.cookies
    for name in ("note", "star"):
        assert post(strict, mock, name, text="x", on="1").status_code == 403
