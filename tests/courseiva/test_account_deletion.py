"""Deleting an account, or clearing a guest, removes the person and keeps the answers."""

import pytest
from django.apps import apps
from django.contrib.sessions.models import Session
from django.core import mail
from django.db.models import CharField, TextField
from django.template.loader import render_to_string
from django.test import Client
from django.urls import reverse

from courseiva.accounts.models import User
from practice.learners.reads.identity import GUEST_COOKIE, Owner
from practice.models import Learner, PracticeSession, SessionItem
from practice.notebook.keep import keep_note
from practice.sessions.ending.finish import finish
from questions.models import ContentReport, Question, ReportKind
from questions.reports.reads.reporters import Reporter
from questions.reports.report import Complaint, report
from tests.support.bank import NOW, add_questions, make_exam
from tests.support.hooks import states
from tests.support.sessions import begin_mock, guest, guest_client, seconds

pytestmark = pytest.mark.django_db
PASSWORD = "correct-horse-battery"
ADDRESS = "carol@example.org"


@pytest.fixture
def exam():
    exam = make_exam()
    add_questions(exam, 2)
    return exam


@pytest.fixture
def carol(exam):
    user = User.objects.create_user(ADDRESS, PASSWORD, display_name="Carol")
    user.emailaddress_set.create(email=ADDRESS, verified=True, primary=True)
    owner = Owner(user_id=user.pk)
    session = begin_mock(owner, exam, 10)
    finish(session.uuid, owner, seconds(9))
    keep_note(owner, session.uuid, 1, "My secret note.", NOW)
    begin_mock(owner, exam, 10, seconds(20))
    return user


def sign_in():
    client = Client()
    client.post(reverse("account_login"), {"login": ADDRESS, "password": PASSWORD})
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    return client


def confirm(client, typed=ADDRESS):
    return client.post(reverse("account_delete_confirm"), {"email": typed})


def test_the_account_is_removed_everywhere_but_its_answers_stay(carol):
    version = Question.objects.first().live_version
    report(version, Complaint(ReportKind.FACT, "Wrong."), Reporter(user_id=carol.pk), NOW)
    browser, other_browser = sign_in(), sign_in()
    response = confirm(browser)
    assert (response.status_code, response["location"]) == (302, reverse("account_deleted"))
    assert not User.objects.exists()
    assert not Session.objects.filter(pk=other_browser.session.session_key).exists()
    learner = Learner.objects.get()
    assert (learner.user, learner.guest_key) == (None, None)
    finished, running = PracticeSession.objects.order_by("started_at")
    assert SessionItem.objects.filter(session=finished).count() == 10
    assert running.discarded_at
    assert not learner.notes.exists()
    assert ContentReport.objects.get().reporter is None
    subject = render_to_string("account/email/account_deleted_subject.txt").strip()
    assert [(m.to, m.subject) for m in mail.outbox][-1] == ([ADDRESS], subject)


def test_nothing_on_the_site_names_the_deleted_account(carol):
    browser = sign_in()
    confirm(browser)
    assert browser.get(reverse("history")).context["user"].is_anonymous
    for model in apps.get_models():
        for field in model._meta.concrete_fields:
            if isinstance(field, CharField | TextField) and field.name != "session_data":
                assert not model.objects.filter(**{f"{field.attname}__icontains": ADDRESS}).exists(), (model, field)


def test_a_wrong_address_changes_nothing(carol):
    response = confirm(sign_in(), "carol@example.com")
    assert response.status_code == 400
    assert User.objects.filter(pk=carol.pk).exists()


def test_after_an_old_login_the_password_is_asked_for_first(carol):
    browser = Client()
    browser.force_login(carol)
    response = confirm(browser)
    assert response.status_code == 302
    assert "reauthenticate" in response["location"]
    assert User.objects.filter(pk=carol.pk).exists()


def test_strangers_are_sent_to_sign_in(carol):
    for name in ("account_delete", "account_delete_confirm"):
        assert reverse("account_login") in Client().get(reverse(name))["location"]


def test_staff_accounts_cannot_be_deleted_here(carol):
    User.objects.update(is_staff=True)
    browser = sign_in()
    assert states(browser.get(reverse("account_delete"))) == ["staff"]
    assert confirm(browser)["location"] == reverse("account_delete")
    assert User.objects.filter(pk=carol.pk).exists()


def test_a_guests_data_is_cleared_from_this_browser(exam):
    owner, token = guest()
    session = begin_mock(owner, exam, 10)
    finish(session.uuid, owner, seconds(9))
    browser = guest_client(token)
    response = browser.post(reverse("forget-guest"), headers={"sec-fetch-site": "same-origin"})
    assert response.status_code == 302
    assert browser.cookies[GUEST_COOKIE].value == ""
    assert Learner.objects.get().guest_key is None
    assert session.items.count() == 10


def test_another_site_cannot_clear_a_guest(exam):
    owner, token = guest()
    begin_mock(owner, exam, 10)
    response = guest_client(token).post(reverse("forget-guest"), headers={"sec-fetch-site": "cross-site"})
    assert response.status_code == 403
    assert Learner.objects.get().guest_key
