"""Mail about the day's plan goes out once on each chosen day, never if nothing is due, and ends with one click."""

import datetime as dt
import uuid
from urllib.parse import parse_qs, urlsplit

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse

from courseiva.accounts.changes.delete import remove_account
from courseiva.accounts.models import User
from practice.learners.reads.identity import Owner
from practice.models import ExamPlan, Learner, SessionItem
from practice.notebook.plan import set_plan
from practice.readiness.plan.reminders import send
from practice.readiness.plan.reminders.keep import set_reminders
from practice.readiness.plan.reminders.rules import is_time, mask_of, weekdays_of
from practice.readiness.plan.reminders.send import send_reminders
from questions.models import Blueprint
from tests.practice.test_analysis import sit
from tests.support.bank import NOW, add_questions, make_exam
from tests.support.hooks import states
from tests.support.tallies import forget_tallies

pytestmark = [pytest.mark.long("many requests"), pytest.mark.django_db]
MORNING = NOW.replace(hour=8, minute=0) + dt.timedelta(days=1)
HOUR = dt.timedelta(hours=1)


@pytest.fixture
def exam(time_machine):
    time_machine.move_to(MORNING, tick=False)
    exam = make_exam()
    Blueprint.objects.update(question_count=12, minutes=24)
    add_questions(exam, 14)
    return exam


@pytest.fixture
def carol(exam):
    user = User.objects.create_user("carol@example.com", "long-enough-password", display_name="Carol C.")
    client = Client(headers={"sec-fetch-site": "same-origin"})
    client.force_login(user)
    client.user, client.owner = user, Owner(user_id=user.pk)
    set_plan(client.owner, exam, MORNING.date() + dt.timedelta(20), 45, NOW)
    return client


def ask(client, *weekdays):
    return client.post(reverse("plan-reminders", args=["pmle"]), {"weekdays": weekdays})


def test_nobody_is_mailed_without_asking_for_it(carol):
    assert (send_reminders(MORNING), mail.outbox) == (0, [])


def test_the_plan_is_mailed_once_on_a_chosen_day_and_not_on_others(carol):
    ask(carol, MORNING.weekday())
    assert send_reminders(MORNING - 2 * HOUR) == 0, "before seven"
    assert [send_reminders(MORNING + n * HOUR) for n in range(3)] == [1, 0, 0]
    assert [message.to for message in mail.outbox] == [["carol@example.com"]]
    assert reverse("plan", args=["pmle"]) in mail.outbox[0].body
    assert send_reminders(MORNING + 24 * HOUR) == 0
    assert send_reminders(MORNING + 7 * 24 * HOUR) == 1


def test_the_reminders_hour_is_in_the_learners_time_zone(carol):
    Learner.objects.update(time_zone="America/New_York")
    ask(carol, MORNING.weekday())
    assert send_reminders(MORNING) == 0, "three in the morning there"
    assert send_reminders(MORNING + 5 * HOUR) == 1


def test_no_reminder_is_sent_when_the_minutes_are_done_or_the_exam_is_over(carol, exam):
    ask(carol, *range(7))
    sit(carol.owner, exam, 0.4)
    SessionItem.objects.update(answered_at=MORNING, seconds=600)
    forget_tallies()
    assert send_reminders(MORNING) == 0
    set_plan(carol.owner, exam, MORNING.date() - dt.timedelta(1), 45, NOW)
    assert send_reminders(MORNING + 24 * HOUR) == 0
    set_plan(carol.owner, exam, None, 45, NOW)
    assert send_reminders(MORNING + 48 * HOUR) == 0
    assert mail.outbox == []


def test_a_failing_plan_does_not_stop_the_others_and_the_failure_is_reported(carol, exam, monkeypatch):
    user = User.objects.create_user("bob@example.com", "long-enough-password", display_name="Bob B.")
    plan = set_plan(Owner(user_id=user.pk), exam, MORNING.date() + dt.timedelta(20), 45, NOW)
    for owner in (carol.owner, Owner(user_id=user.pk)):
        set_reminders(owner, exam, range(7))
    found = send.today_of

    def failing(exam, situation, *args):
        if situation.plan.pk != plan.pk:
            raise ZeroDivisionError
        return found(exam, situation, *args)

    monkeypatch.setattr(send, "today_of", failing)
    with pytest.raises(ExceptionGroup) as told:
        send_reminders(MORNING)
    assert [type(error) for error in told.value.exceptions] == [ZeroDivisionError]
    assert [message.to for message in mail.outbox] == [["bob@example.com"]]
    assert set(ExamPlan.objects.filter(reminded_on=None)) == set(ExamPlan.objects.exclude(pk=plan.pk))


def test_plans_whose_exam_is_over_are_not_read_again(carol, exam):
    ask(carol, *range(7))
    set_plan(carol.owner, exam, MORNING.date() - dt.timedelta(2), 45, NOW)
    assert send_reminders(MORNING) == 0
    assert ExamPlan.objects.get().reminded_on is None


class TestUnsubscribing:
    def mailed(self, carol):
        ask(carol, *range(7))
        send_reminders(MORNING)
        return mail.outbox[0]

    def test_every_mail_has_a_one_click_unsubscribe(self, carol):
        message = self.mailed(carol)
        address = reverse("plan-unsubscribe", args=[ExamPlan.objects.get().reminder_token])
        assert message.extra_headers["List-Unsubscribe"].endswith(f"{address}>")
        assert message.extra_headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
        assert address in message.body

    def test_one_click_unsubscribe_needs_no_login_and_a_get_only_asks(self, carol):
        self.mailed(carol)
        stranger = Client(enforce_csrf_checks=True)
        address = reverse("plan-unsubscribe", args=[ExamPlan.objects.get().reminder_token])
        assert states(stranger.get(address)) == ["asks"]
        assert ExamPlan.objects.get().remind_on
        assert states(stranger.post(address, {"List-Unsubscribe": "One-Click"})) == ["unsubscribed"]
        assert not ExamPlan.objects.get().remind_on
        assert stranger.post(address).status_code == 200
        assert send_reminders(MORNING + 24 * HOUR) == 0

    def test_an_invalid_unsubscribe_token_changes_nothing(self, carol, client):
        self.mailed(carol)
        assert client.post(reverse("plan-unsubscribe", args=[uuid.uuid4()])).status_code == 200
        assert ExamPlan.objects.get().remind_on

    def test_choosing_no_days_ends_the_reminders(self, carol):
        self.mailed(carol)
        ask(carol)
        assert send_reminders(MORNING + 24 * HOUR) == 0

    def test_a_deleted_account_gets_no_reminders(self, carol):
        ask(carol, *range(7))
        remove_account(carol.user.pk, MORNING)
        assert (send_reminders(MORNING), mail.outbox) == (0, [])


def test_a_guest_is_sent_to_sign_in(exam, alice):
    set_plan(alice.owner, exam, MORNING.date() + dt.timedelta(20), 45, NOW)
    answer = alice.post(
        reverse("plan-reminders", args=["pmle"]), {"weekdays": 0}, headers={"sec-fetch-site": "same-origin"}
    )
    assert answer["location"].startswith(reverse("account_login"))
    after = parse_qs(urlsplit(answer["location"]).query)["next"][0]
    assert alice.get(after).status_code == 200
    assert not ExamPlan.objects.get().remind_on


def test_without_a_plan_nothing_is_stored_and_no_guest_is_made(carol, exam):
    Learner.objects.all().delete()
    assert not set_reminders(carol.owner, exam, [0])
    assert not ExamPlan.objects.exists()
    assert not Learner.objects.exists()


@pytest.mark.parametrize("weekdays", [[], [0], [6], [0, 2, 4], list(range(7))])
def test_weekdays_survive_being_stored_as_a_mask(weekdays):
    assert weekdays_of(mask_of(weekdays)) == weekdays


@pytest.mark.parametrize(("hour", "due"), [(0, False), (6, False), (7, True), (19, True), (20, False)])
def test_no_mail_is_sent_at_night(hour, due):
    local = dt.datetime(2026, 11, 27, hour, 59, tzinfo=dt.UTC)
    assert is_time(mask_of([4]), None, local) is due
    assert not is_time(mask_of([4]), local.date(), local)
    assert not is_time(mask_of([3]), None, local)
