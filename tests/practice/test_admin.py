"""Staff set a person's usual extra time, and the mock's start page preselects it."""

import pytest
from django.test import Client
from django.urls import reverse

from courseiva.accounts.models import User
from practice.learners.reads.identity import Owner
from practice.models import Learner
from tests.support.bank import NOW, add_questions, make_exam
from tests.support.sessions import learner_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def staff():
    client = Client()
    client.force_login(User.objects.create_superuser("admin@example.org", "a long enough password"))
    return client


def test_staff_set_the_time_factor_and_nothing_else(staff):
    carol = User.objects.create_user("carol@example.org", "a long enough password")
    learner = learner_of(Owner(user_id=carol.pk), NOW)
    address = reverse("admin:practice_learner_change", args=[learner.pk])
    staff.post(address, {"time_factor": "1.5", "time_zone": "Mars/Olympus"})
    learner.refresh_from_db()
    assert (learner.time_factor, learner.time_zone) == (1.5, "UTC")
    assert staff.get(reverse("admin:practice_learner_changelist")).status_code == 200
    assert staff.get(reverse("admin:practice_learner_add")).status_code == 403
    assert staff.post(reverse("admin:practice_learner_delete", args=[learner.pk])).status_code == 403
    assert Learner.objects.count() == 1


def test_the_start_page_preselects_the_persons_own_time_factor():
    add_questions(make_exam(), 2)
    carol = User.objects.create_user("carol@example.org", "a long enough password")
    learner_of(Owner(user_id=carol.pk), NOW)
    Learner.objects.update(time_factor="1.50")
    client = Client()
    client.force_login(carol)
    page = client.get(reverse("mock", args=["pmle"])).content.decode()
    assert '<option value="1.5" selected' in page
