"""Callers, the schedule and messages waiting in a broker depend on the names of tasks."""

import ast

import pytest
from django.conf import settings

from courseiva.celery import app
from courseiva.common.later import after_commit
from tests.support.imports import APPS, BASE

SENDERS = {"after_commit", "at_once"}
# A message with one of these names may wait in a broker during a release, so no name may be removed.
NAMES = {
    "discussion.screen_comment",
    "discussion.screen_waiting",
    "discussion.send_corrections",
    "discussion.send_digest",
    "discussion.send_notices",
    "discussion.send_reply_mails",
    "discussion.tell_of_takedowns",
    "practice.analyse_session",
    "practice.analyse_waiting",
    "practice.calibrate",
    "practice.close_expired_sessions",
    "practice.purge_idle_guests",
    "practice.measure_honesty",
    "practice.refresh_standings",
    "practice.run_regrade",
    "practice.run_regrades",
    "questions.tell_outcomes",
}


def sent_names() -> set[str]:
    """Return the names of the tasks that the code sends."""
    files = [path.read_text() for root in APPS for path in (BASE / root).rglob("*.py")]
    calls = [
        node
        for source in files
        if any(name in source for name in SENDERS)
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in SENDERS
    ]
    return {ast.literal_eval(call.args[0]) for call in calls}


def test_every_task_is_still_known_by_its_name():
    assert {name for name in NAMES if name not in app.tasks} == set()


def test_every_name_sent_is_a_task():
    sent = sent_names()
    assert sent, "nothing is sent: the search above is wrong"
    assert {name for name in sent if name not in app.tasks} == set()


def test_every_scheduled_name_is_a_task():
    scheduled = {entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()}
    assert scheduled
    assert {name for name in scheduled if name not in app.tasks} == set()


def test_a_name_that_is_not_a_task_is_refused_at_once():
    with pytest.raises(KeyError):
        after_commit("practice.nothing")
