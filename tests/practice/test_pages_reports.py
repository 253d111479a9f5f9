"""Learners can report errors in marked questions of their own sessions, reserved ones included, and in no others."""

import re

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from practice.models import PracticeSession
from practice.sessions.ending.finish import finish
from practice.sessions.player.check import check
from questions.models import ContentReport, Pool
from tests.support.bank import NOW, add_questions, make_exam
from tests.support.sessions import begin_drill, begin_mock, guest, guest_client, read_through, state

pytestmark = pytest.mark.django_db


@pytest.fixture
def exam():
    exam = make_exam()
    add_questions(exam, 3, pool="reserved")
    return exam


@pytest.fixture
def mock(alice, exam):
    session = begin_mock(alice.owner, exam)
    return finish(session.uuid, alice.owner, read_through(session, alice.owner))


def address(session, position=1):
    return reverse("report-item", args=[session.uuid, position])


def send(client, session, position=1, **fields):
    return client.post(address(session, position), {"kind": "key", "text": "It is wrong.", **fields})


def test_a_reserved_question_is_reported_from_the_result_that_showed_it(alice, mock):
    assert address(mock) in alice.get(reverse("breakdown", args=[mock.uuid, 1])).text
    text = alice.get(address(mock)).text
    item = mock.items.select_related("version").get(position=1)
    assert item.version.pool == Pool.RESERVED
    assert f"<h1>{item.version.title}</h1>" in text
    shown = re.findall(r'name="slot" value="(\d+)"', text)
    assert shown == [str(int(slot, 16)) for slot in item.option_order]  # the number in this learner's order
    answer = send(alice, mock, slot=shown[0])
    made = ContentReport.objects.get()
    assert (made.version, made.slot) == (item.version, int(shown[0]))
    assert answer.url == f"/reports/{made.token}/?session={mock.uuid}&item=1"
    receipt = alice.get(answer.url).text
    assert f'href="{reverse("breakdown", args=[mock.uuid, 1])}">' in receipt
    assert item.version.title not in Client().get(answer.url).text


def test_only_what_may_be_shown_can_be_reported(alice, exam, mock):
    running = begin_mock(alice.owner, exam, now=timezone.now())
    for client, session, position in (
        (alice, running, 1), (alice, mock, 99), (Client(), mock, 1), (guest_client(guest()[1]), mock, 1),
    ):  # fmt: skip
        assert client.get(address(session, position)).status_code == 404
        assert send(client, session, position).status_code == 404
    PracticeSession.objects.filter(pk=mock.pk).update(discarded_at=NOW)
    assert send(alice, mock).status_code == 404
    assert not ContentReport.objects.exists()


def test_a_checked_question_of_a_running_drill_links_to_the_report_form(alice, exam):
    add_questions(exam, 1)
    drill = begin_drill(alice.owner, exam)
    assert alice.get(address(drill)).status_code == 404
    check(drill.uuid, alice.owner, state(1, 1, 0), None, NOW)
    assert address(drill) in alice.get(drill.get_absolute_url()).text
    assert alice.get(address(drill)).status_code == 200
    body = {"writer": 0, "items": [{"p": 2, "seq": 1, "sel": [0]}]}
    fragment = alice.post(reverse("check", args=[drill.uuid]), body, content_type="application/json").text
    assert address(drill, 2) in fragment


def test_the_form_requires_a_token(alice, mock):
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = alice.cookies
    assert send(strict, mock).status_code == 403
    assert send(alice, mock, text="").status_code == 400
