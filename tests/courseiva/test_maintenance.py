"""Planned maintenance is announced on every page to everybody, and no mock that would run into it can start."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.urls import reverse

from courseiva.serving.rules.environment import SettingError
from courseiva.serving.rules.owner import Work, read_maintenance
from practice.models import PracticeSession
from practice.sessions.errors import MeetsMaintenance
from practice.start.begin import MockChoice, start_drill, start_mock
from practice.start.reads.fitting import DrillChoice
from tests.support.bank import NOW, add_questions, make_exam
from tests.support.sessions import guest

HOUR = dt.timedelta(hours=1)
WORK = Work(NOW + HOUR, NOW + 2 * HOUR)


def test_a_maintenance_window_is_two_times_with_utc_offsets() -> None:
    found = read_maintenance({"MAINTENANCE": "2026-12-01T23:00+01:00/2026-12-01T23:30Z"})
    assert found == Work(dt.datetime(2026, 12, 1, 22, tzinfo=dt.UTC), dt.datetime(2026, 12, 1, 23, 30, tzinfo=dt.UTC))
    assert read_maintenance({}) is None


@pytest.mark.parametrize(
    "text",
    [
        "tonight",
        "2026-12-01T22:00Z",
        "2026-12-01T22:00/2026-12-01T23:00",
        "2026-12-01T23:00Z/2026-12-01T22:00Z",
        "2026-12-01T22:00Z/2026-12-04T22:00Z",
    ],
)
def test_a_malformed_window_is_refused(text: str) -> None:
    with pytest.raises(SettingError, match="^MAINTENANCE "):
        read_maintenance({"MAINTENANCE": text})


@pytest.mark.django_db
def test_every_page_announces_the_window_to_everyone_until_it_is_over(settings: Any) -> None:
    settings.MAINTENANCE = WORK
    for path in ("/exams/", "/no/such/page", "/accounts/login/"):
        for moment, shown in ((NOW, True), (NOW + 1.5 * HOUR, True), (NOW + 2 * HOUR, False)):
            with time_machine.travel(moment, tick=False):
                text = Client().get(path).text
            assert ("data-maintenance" in text) is shown, (path, moment)
            assert (f'datetime="{WORK.begins.isoformat()}"' in text) is shown
    with time_machine.travel(NOW, tick=False):
        pages = {Client(headers={"accept-language": word}).get("/exams/").content for word in ("de", "en")}
    assert len(pages) == 1


@pytest.mark.django_db
def test_without_a_window_no_page_announces_maintenance(client: Client) -> None:
    assert "data-maintenance" not in client.get("/exams/").text


@pytest.fixture
def blueprint(db: None) -> Any:
    exam = make_exam()
    add_questions(exam, 4)
    return exam.blueprints.get()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("begins", "factor", "pausable", "starts"),
    [
        (dt.timedelta(minutes=1), "1", False, False),
        (dt.timedelta(minutes=1), "1", True, False),
        (dt.timedelta(minutes=1), "0", False, True),
        (dt.timedelta(days=1), "1", False, True),
        (-2 * HOUR, "1", False, True),
        (-HOUR / 2, "1", False, False),
    ],
    ids=["meets", "pausable meets", "untimed", "ends before", "after", "during"],
)
def test_a_mock_is_refused_only_if_it_would_run_into_the_window(
    blueprint: Any, settings: Any, begins: dt.timedelta, factor: str, pausable: bool, starts: bool
) -> None:
    settings.MAINTENANCE = Work(NOW + begins, NOW + begins + HOUR)
    owner, _ = guest()
    choice = MockChoice(1, Decimal(factor), pausable)
    if starts:
        start_mock(owner, blueprint, choice, 1, NOW)
    else:
        with pytest.raises(MeetsMaintenance):
            start_mock(owner, blueprint, choice, 1, NOW)
    assert PracticeSession.objects.count() == starts
    start_drill(owner, blueprint.exam, DrillChoice(size=1), 1, NOW)


@pytest.mark.django_db
def test_the_page_of_a_refused_mock_explains_why_and_keeps_what_was_chosen(blueprint: Any, settings: Any) -> None:
    settings.MAINTENANCE = WORK
    settings.MAINTENANCE = Work(NOW + dt.timedelta(minutes=1), NOW + HOUR)
    sent = {"blueprint": blueprint.key, "count": "4", "time_factor": "1", "conditions": "exam"}
    with time_machine.travel(NOW, tick=False):
        client = Client(headers={"sec-fetch-site": "same-origin"})
        page = client.get(reverse("mock", args=[blueprint.exam.slug])).context["page"]
        sent["count"] = str(page.count)
        answer = client.post(reverse("mock", args=[blueprint.exam.slug]), sent)
    assert answer.status_code == 400
    assert [error.code for error in answer.context["form"].non_field_errors().as_data()] == ["maintenance"]
    assert not PracticeSession.objects.exists()
