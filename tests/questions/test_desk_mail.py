"""Each step of a review is mailed once and never to the person who took it; one switch turns this mail off."""

from __future__ import annotations

import dataclasses
import datetime as dt

import pytest
from django.core import mail
from django.urls import reverse

from questions.desk import decide as desk
from questions.desk.mail.send import switch_mail, tell_waiting
from questions.desk.many import families
from questions.models import Change, Question, ToldEntry
from questions.tasks import tell_desk
from questions.versions.reads.drafts import draft_of
from tests.support.bank import NOW, draft, make_exam
from tests.support.editing import browser_of
from tests.support.hooks import parsed

pytestmark = pytest.mark.django_db
HOME = reverse("admin:questions_question_desk")
FIRST = desk.Publishing(Change.FIRST, "Sharper.")


def minute(n):
    return NOW + dt.timedelta(minutes=n)


@pytest.fixture
def question(alice):
    row = desk.begin(make_exam(), draft(1), alice, NOW)
    desk.submit(row.pk, 0, alice, minute(1))
    return row


def told():
    """Send the waiting mail and return the recipients and the subject of each."""
    mail.outbox.clear()
    tell_waiting(minute(60))
    return [(letter.to, letter.subject) for letter in mail.outbox]


def test_authors_are_mailed_the_outcome_and_reviewers_a_new_submission(question, alice, bob):
    assert told() == []
    desk.send_back(question.pk, 0, bob, minute(2), "The trap is thin.")
    ((to, subject),) = told()
    assert (to, "Situation 1" in subject) == ([alice.email], True)
    assert "The trap is thin." in mail.outbox[0].body
    assert reverse("admin:questions_question_change", args=[question.pk]) in mail.outbox[0].body
    desk.keep(question.pk, dataclasses.replace(draft_of(question), trap="Wider."), 0, alice, minute(3))
    desk.submit(question.pk, 1, alice, minute(4))
    assert [to for to, _ in told()] == [[bob.email]]
    desk.release(question.pk, 1, bob, minute(5), FIRST)
    assert [to for to, _ in told()] == [[alice.email]]
    assert told() == []


def test_a_draft_sent_back_before_its_latest_publication_notifies_nobody(question, alice, bob):
    desk.send_back(question.pk, 0, bob, minute(2), "Thin.")
    desk.submit(question.pk, 0, alice, minute(3))
    desk.release(question.pk, 0, bob, minute(4), FIRST)
    told()
    row = desk.keep(question.pk, dataclasses.replace(draft_of(question), trap="Wider."), 0, alice, minute(5))
    desk.submit(question.pk, row.revision, alice, minute(6))
    assert told() == []


def test_nobody_is_mailed_about_their_own_action(question, alice, settings):
    settings.PUBLISH_OWN_QUESTIONS = True
    desk.release(question.pk, 0, alice, minute(2), FIRST)
    assert told() == []
    assert ToldEntry.objects.count() == 2


def test_one_mail_is_sent_for_a_family(alice, bob):
    row = desk.begin(make_exam(), draft(1), alice, NOW)
    families.add_to_lone(row.pk, 0, "", "deciding words 1", families.NewVariant("Other", "other words"), alice, NOW)
    Question.objects.update(desk="review")
    for each in Question.objects.all():
        desk.note(each, desk.DeskAct.SUBMITTED, alice, minute(1))
    desk.send_back(row.pk, 1, bob, minute(2), "Thin.")
    assert [to for to, _ in told()] == [[alice.email]]


@pytest.mark.parametrize("change", [{"is_active": False}, {"is_staff": False}])
def test_a_closed_account_gets_no_mail(question, alice, bob, change):
    desk.send_back(question.pk, 0, bob, minute(2), "Thin.")
    type(alice).objects.filter(pk=alice.pk).update(**change)
    assert told() == []


def test_one_switch_turns_the_desks_mail_off_and_on_again(question, alice, bob):
    browser = browser_of(alice)
    assert parsed(browser.get(HOME)).select_one("[data-mail]")["data-mail"] == "on"
    browser.post(reverse("admin:questions_question_desk_mail"), {"mail": "off"})
    assert parsed(browser.get(HOME)).select_one("[data-mail]")["data-mail"] == "off"
    desk.send_back(question.pk, 0, bob, minute(2), "Thin.")
    assert told() == []
    switch_mail(alice, wanted=True)
    assert told() == []
    desk.submit(question.pk, 0, alice, minute(3))
    desk.send_back(question.pk, 0, bob, minute(4), "Thin again.")
    assert len([to for to, _ in told() if to == [alice.email]]) == 1


def test_mail_older_than_a_week_is_dropped(question, alice, bob):
    desk.send_back(question.pk, 0, bob, minute(2), "Thin.")
    assert tell_waiting(NOW + dt.timedelta(days=8)) == 0


def test_the_task_sends_the_waiting_mail(question, bob, monkeypatch):
    desk.send_back(question.pk, 0, bob, minute(2), "Thin.")
    monkeypatch.setattr("django.utils.timezone.now", lambda: minute(3))
    assert tell_desk() == 1
