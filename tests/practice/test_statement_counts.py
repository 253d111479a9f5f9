"""The session's requests take the same SQL statements, BEGIN and COMMIT included, for any number of questions."""

import json
from unittest import mock

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from courseiva.accounts.models import User
from practice.learners.reads.identity import Owner
from practice.readiness.derive.analyse import analyse
from practice.start.reads.bank import bank_of
from practice.tasks import analyse_session
from tests.support.bank import add_questions, make_exam
from tests.support.sessions import begin_drill, begin_mock

pytestmark = pytest.mark.django_db(transaction=True)
START, SAVE, FINISH, RESULTS = 14, 7, 15, 13
CHECK, REVIEW = 22, 16
"""SQL statements of a drill's answer, marked at once with all that follows it, and of a marked question's own page."""
ANALYSE = 35
"""SQL statements after the commit. SQLite splits long inserts, so sixty questions cost a few more than ten."""


@pytest.fixture
def exam():
    exam = make_exam()
    add_questions(exam, 14)
    return exam


@pytest.fixture
def carol(exam):
    user = User.objects.create_user(email="carol@example.com", password="x")
    client = Client()
    client.force_login(user)
    begin_mock(Owner(user_id=user.pk), exam, count=6, time_factor=0)  # she already has a learner
    client.post(reverse("discard", args=[user.learner.sessions.get().uuid]))
    client.user = user
    return client


def counted(call):
    with CaptureQueriesContext(connection) as statements:
        response = call()
    assert response.status_code in (200, 302)
    return [statement["sql"] for statement in statements]


def start(client, count):
    fields = {"blueprint": "june-2026", "count": str(count), "time_factor": "1", "conditions": "exam"}
    return client.post(reverse("mock", args=["pmle"]), fields, HTTP_SEC_FETCH_SITE="same-origin")


@pytest.mark.parametrize("count", [10, 60])
def test_starting_saving_finishing_and_results_keep_their_statement_counts(carol, exam, count):
    bank_of(exam)  # counted once a minute, for all learners
    assert len(counted(lambda: start(carol, count))) <= START
    session = carol.user.learner.sessions.exclude(discarded_at__isnull=False).get()
    body = json.dumps({"writer": 0, "items": [{"p": n, "seq": 1, "sel": [0]} for n in range(1, count + 1)]})
    address = reverse("save", args=[session.uuid])
    saved = counted(lambda: carol.post(address, body, content_type="application/json"))
    assert len(saved) <= SAVE
    assert sum(sql == "COMMIT" for sql in saved) == 1
    with mock.patch.object(analyse_session, "delay") as queued:
        assert len(counted(lambda: carol.post(reverse("finish", args=[session.uuid])))) <= FINISH
    queued.assert_called_once_with(session.pk)
    with CaptureQueriesContext(connection) as statements:
        assert analyse(session.pk, timezone.now())
    assert len(statements) <= ANALYSE
    assert len(counted(lambda: carol.get(reverse("results", args=[session.uuid])))) <= RESULTS


def test_the_session_itself_costs_the_same_at_any_length(carol, exam):
    costs = []
    for count in (6, 60):
        session = begin_mock(Owner(user_id=carol.user.pk), exam, count=count, now=timezone.now())
        costs.append(len(counted(lambda s=session: carol.get(s.get_absolute_url()))))
        carol.post(reverse("discard", args=[session.uuid]))
    assert costs[0] == costs[1] <= 8


@pytest.mark.parametrize("size", [6, 20])
def test_an_answer_marked_at_once_and_its_page_keep_their_statement_counts(carol, exam, size):
    drill = begin_drill(Owner(user_id=carol.user.pk), exam, timezone.now(), size=size)
    address, costs = reverse("check", args=[drill.uuid]), []
    for position in (1, 2):
        body = json.dumps({"writer": 0, "items": [{"p": position, "seq": 1, "sel": [position]}]})
        costs.append(len(counted(lambda sent=body: carol.post(address, sent, content_type="application/json"))))
    assert max(costs) <= CHECK
    assert len(counted(lambda: carol.get(reverse("breakdown", args=[drill.uuid, 1])))) <= REVIEW
