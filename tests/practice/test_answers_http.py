"""Answers on public pages are accepted only from our own pages, and a visitor's first answer makes them a guest."""

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse

from courseiva.accounts.models import User
from practice.learners.reads.identity import GUEST_COOKIE, GUEST_DAYS
from practice.models import Learner, PracticeSession, SessionItem
from questions.models import Question
from tests.support.bank import add_questions, make_exam

pytestmark = pytest.mark.django_db
OWN = {"HTTP_SEC_FETCH_SITE": "same-origin"}
PASSWORD = "a long enough password"


@pytest.fixture
def exam():
    exam = make_exam()
    add_questions(exam, 2, domains=("d1",))
    add_questions(exam, 1, pool="reserved", domains=("d1",))
    return exam


def answer(client, number=1, slot="1", **headers):
    return client.post(reverse("answer", args=["pmle"]), {"question": str(number), "slot": slot}, **headers)


@pytest.mark.parametrize(
    "forged",
    [
        {},
        {"HTTP_ORIGIN": "https://evil.example"},
        {"HTTP_ORIGIN": "null"},
        {"HTTP_ORIGIN": "http://testserver.evil.example"},
        {"HTTP_ORIGIN": "https://testserver"},
        {"HTTP_SEC_FETCH_SITE": "cross-site"},
        {"HTTP_SEC_FETCH_SITE": "same-site"},
        {"HTTP_SEC_FETCH_SITE": "none"},
        {"HTTP_SEC_FETCH_SITE": "cross-site", "HTTP_ORIGIN": "http://testserver"},
        {"HTTP_SEC_FETCH_SITE": "same-origin", "HTTP_ORIGIN": "https://evil.example"},
    ],
)
def test_a_forged_origin_is_refused_and_stores_nothing(exam, forged):
    client = Client(enforce_csrf_checks=True)
    assert answer(client, **forged).status_code == 403
    assert not Learner.objects.exists()
    assert GUEST_COOKIE not in client.cookies


@pytest.mark.parametrize("own", [OWN, {"HTTP_ORIGIN": "http://testserver"}])
def test_our_own_page_may_post_an_answer_and_the_visitor_becomes_a_guest(exam, own):
    client = Client(enforce_csrf_checks=True)
    assert answer(client, **own).status_code == 200
    cookie = client.cookies[GUEST_COOKIE]
    assert (cookie["httponly"], cookie["samesite"], cookie["max-age"]) == (True, "Lax", GUEST_DAYS * 86400)
    assert SessionItem.objects.get().session.learner.guest_key
    assert cookie.value.split(":")[0] not in Learner.objects.get().guest_key


def test_two_answers_by_one_guest_belong_to_one_learner(exam):
    client = Client()
    answer(client, 1, **OWN)
    answer(client, 2, **OWN)
    assert Learner.objects.count() == 1
    assert PracticeSession.objects.get().items.count() == 2


def test_a_get_to_a_form_address_is_refused(exam):
    assert Client().get(reverse("answer", args=["pmle"])).status_code == 405
    assert Client().get(reverse("drill", args=["pmle"])).status_code == 405


@pytest.mark.parametrize("number", ["0", "99", "-1", "x", "1" * 40, "²"])
def test_a_question_that_does_not_exist_is_not_found(exam, number):
    assert answer(Client(), number, **OWN).status_code == 404
    assert not Learner.objects.exists()


@pytest.mark.parametrize("slot", ["", "9", "x", "²", "1" * 40])
def test_an_option_that_does_not_exist_is_refused_with_a_reason(exam, slot):
    response = answer(Client(), 1, slot, **OWN)
    assert response.status_code == 400
    assert "option" in response.content.decode() or "answer" in response.content.decode()
    assert not SessionItem.objects.exists()


def test_a_reserved_question_cannot_be_answered_under_any_number(exam):
    reserved = Question.objects.get(pool="reserved")
    assert reserved.number is None
    assert answer(Client(), reserved.pk, **OWN).status_code == 404


def test_a_withdrawn_question_accepts_no_answer(exam):
    Question.objects.filter(number=1).update(withdrawn_at="2026-11-21T00:00Z")
    assert answer(Client(), 1, **OWN).status_code == 404


def test_a_guests_work_joins_the_account_made_by_signing_up(exam):
    client = Client()
    answer(client, 1, **OWN)
    client.post(reverse("account_signup"), {"email": "carol@example.org", "password1": PASSWORD})
    assert Learner.objects.get().user is None
    link = next(word for word in mail.outbox[-1].body.split() if "/confirm-email/" in word)
    client.post(link.partition("testserver")[2])
    learner = Learner.objects.get()
    assert learner.user == User.objects.get(email="carol@example.org")
    assert learner.sessions.get().items.count() == 1
