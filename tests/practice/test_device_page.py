"""A browser stores the page of a running session with prompts only, under a key that is dropped with the login."""

import datetime as dt

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from courseiva.accounts.models import User
from practice.learners.reads.identity import DEVICE_COOKIE, Owner, device_key
from practice.models import PracticeSession
from practice.sessions.player.check import check
from questions.models import Question
from tests.support.bank import CANARY, add_questions, make_exam
from tests.support.sessions import add_cards, begin_drill, begin_mock, begin_review, guest, guest_client, state

pytestmark = pytest.mark.django_db


@pytest.fixture
def exam():
    exam = make_exam()
    add_questions(exam, 2)
    add_questions(exam, 2, pool="reserved")
    return exam


@pytest.fixture
def drill(alice, exam):
    session = begin_drill(alice.owner, exam, timezone.now(), size=4)
    check(session.uuid, alice.owner, state(1, 1, 0), None, timezone.now(), False)
    check(session.uuid, alice.owner, state(2, 2), None, timezone.now(), True)
    return session


def kept(client, session):
    return client.get(reverse("device", args=[session.uuid]))


def test_a_drill_with_checked_questions_is_stored_as_prompts_only(alice, drill):
    network = alice.get(reverse("session", args=[drill.uuid])).content.decode()
    assert CANARY in network
    assert "Because" in network
    response = kept(alice, drill)
    page = response.content.decode()
    assert page.count("plain situation") == 4
    for words in (CANARY, "Because", "is-right", "is-wrong", "csrfmiddlewaretoken", "data-checked"):
        assert words not in page
    assert response.headers["Cache-Control"].count("no-store") == 1


def test_a_review_is_stored_as_prompts_only(alice, exam):
    add_cards(alice.owner, Question.objects.filter(pool="open")[:3], timezone.now() - dt.timedelta(days=1))
    session = begin_review(alice.owner, exam, timezone.now())
    check(session.uuid, alice.owner, state(1, 1, 0), None, timezone.now(), False)
    page = kept(alice, session).content.decode()
    assert page.count("plain situation") == session.total
    assert CANARY not in page
    assert "Because" not in page


@pytest.mark.parametrize("kind", ["mock", "drill"])
def test_no_table_with_answers_is_read_for_the_stored_page(alice, exam, drill, kind):
    session = drill if kind == "drill" else begin_mock(alice.owner, exam, now=timezone.now())
    with CaptureQueriesContext(connection) as queries:
        assert kept(alice, session).status_code == 200
    read = " ".join(query["sql"] for query in queries)
    assert "questions_questionversion" in read
    for table in ("questions_solution", "questions_hint", "questions_option", "practice_regrade"):
        assert table not in read


def test_a_session_that_is_not_running_is_not_stored(alice, exam):
    session = begin_mock(alice.owner, exam, now=timezone.now(), pausable=True)
    rows = PracticeSession.objects.filter(pk=session.pk)
    for change in ({"paused_at": timezone.now()}, {"paused_at": None, "discarded_at": timezone.now()}):
        rows.update(**change)
        response = kept(alice, session)
        assert (response.status_code, DEVICE_COOKIE in response.cookies) == (410, False)
    rows.update(discarded_at=None, deadline=timezone.now() - dt.timedelta(minutes=1))
    assert kept(alice, session).status_code == 410
    session.refresh_from_db()
    assert session.finished_at


def test_another_learners_session_is_not_stored(drill):
    for client in (Client(), guest_client(guest()[1])):
        response = kept(client, drill)
        assert (response.status_code, DEVICE_COOKIE in response.cookies) == (404, False)


def test_each_owner_has_a_key_and_gets_it_only_with_the_page(alice, drill):
    network = alice.get(reverse("session", args=[drill.uuid]))
    assert DEVICE_COOKIE not in network.cookies
    assert "Device-Key" not in network.headers
    response = kept(alice, drill)
    cookie = response.cookies[DEVICE_COOKIE]
    assert cookie.value == response.headers["Device-Key"] == device_key(alice.owner)
    assert (cookie["max-age"], cookie["samesite"], cookie["path"]) == (settings.SESSION_COOKIE_AGE, "Lax", "/")
    assert device_key(alice.owner) != device_key(Owner(user_id=1)) != device_key(Owner(user_id=2))


def test_only_the_page_of_a_running_session_says_that_it_is_running(alice, exam, drill):
    address = reverse("session", args=[drill.uuid])
    assert alice.get(address).headers["Session-State"] == "running"
    paused = begin_mock(alice.owner, exam, now=timezone.now(), pausable=True)
    PracticeSession.objects.filter(pk=paused.pk).update(paused_at=timezone.now())
    PracticeSession.objects.filter(pk=drill.pk).update(discarded_at=timezone.now())
    for each in (address, reverse("session", args=[paused.uuid])):
        assert "Session-State" not in alice.get(each).headers


def with_key(client, owner):
    client.cookies[DEVICE_COOKIE] = device_key(owner)
    return client


def test_the_key_is_dropped_at_sign_out_and_when_another_person_signs_in():
    alice, bob = (User.objects.create_user(f"{name}@example.org", "three plain words") for name in ("alice", "bob"))
    client = with_key(Client(), Owner(user_id=alice.pk))
    client.force_login(alice)
    assert client.get(reverse("account_home")).cookies.get(DEVICE_COOKIE) is None
    signed_out = client.post(reverse("account_logout"))
    assert signed_out.cookies[DEVICE_COOKIE]["max-age"] == 0
    client = with_key(Client(), Owner(user_id=alice.pk))
    client.force_login(bob)
    assert client.post(reverse("account_name"), {"display_name": "Bob"}).cookies[DEVICE_COOKIE]["max-age"] == 0
    client = with_key(Client(), Owner(user_id=alice.pk))
    client.force_login(alice)
    assert DEVICE_COOKIE not in client.post(reverse("account_name"), {"display_name": "Alice"}).cookies


def test_the_key_is_dropped_when_a_guest_is_cleared(alice, drill):
    client = with_key(alice, alice.owner)
    response = client.post(reverse("forget-guest"), headers={"sec-fetch-site": "same-origin"})
    assert response.cookies[DEVICE_COOKIE]["max-age"] == 0


def test_the_service_worker_covers_only_sessions_and_is_the_same_for_everybody(alice):
    response = Client().get(reverse("worker"))
    assert response.headers["Content-Type"] == "text/javascript; charset=utf-8"
    assert response.headers["Cache-Control"] == "no-cache"
    assert not response.cookies
    assert "Service-Worker-Allowed" not in response.headers  # so the folder of its address is its widest scope
    assert reverse("worker").rpartition("/")[0] + "/" == "/practice/sessions/"
    assert alice.get(reverse("worker")).content == response.content
    assert "worker-src 'self'" in response.headers["Content-Security-Policy"]
