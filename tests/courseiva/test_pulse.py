"""Each web process has a heartbeat that gives back the time of an outage before a session is served."""

import datetime as dt

import pytest
from django.db import OperationalError, connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from courseiva.serving.middleware import pulse as pulsing
from courseiva.serving.middleware.pulse import RETRY_SECONDS, Pulse
from practice.models import Heartbeat, Outage
from practice.sessions.ending.outages.rules import FLOOR
from tests.support.bank import NOW, add_questions, make_exam
from tests.support.sessions import begin_mock, guest, guest_client

pytestmark = pytest.mark.django_db
AWAY = 1800


class Clocks:
    """The time of day, which may jump, and a clock that never does."""

    def __init__(self, time_machine, monkeypatch) -> None:
        self.machine, self.steady = time_machine, 1000.0
        self.moment = NOW
        monkeypatch.setattr(pulsing, "steady_seconds", lambda: self.steady)
        self.machine.move_to(NOW, tick=False)

    def go_on(self, seconds: float, stepped: float = 0) -> None:
        self.steady += seconds
        self.moment += dt.timedelta(seconds=seconds + stepped)
        self.machine.move_to(self.moment, tick=False)


@pytest.fixture
def clocks(time_machine, monkeypatch):
    # The database's own clock, if it has one, isn't moved by the tests.
    monkeypatch.setattr(pulsing, "clock_is_right", lambda _: True)
    return Clocks(time_machine, monkeypatch)


@pytest.fixture
def pulse(clocks, monkeypatch):
    made = Pulse()
    made.is_on = True
    made.look()
    monkeypatch.setattr(pulsing, "pulse", made)
    return made


@pytest.fixture
def sitter(clocks):
    exam = make_exam()
    add_questions(exam, 2)
    owner, token = guest()
    client = guest_client(token)
    client.raise_request_exception = False
    client.session_of = begin_mock(owner, exam, 10, clocks.moment)
    client.address = reverse("session", args=[client.session_of.uuid])
    return client


@pytest.fixture
def database(monkeypatch):
    """Return a switch: while ``is_off`` is set, the heartbeat does not reach the database."""
    true, state = pulsing.beat, {"is_off": False, "tries": 0}

    def beat(now, elapsed=None):
        state["tries"] += 1
        if state["is_off"]:
            raise OperationalError("away")
        return true(now, elapsed)

    monkeypatch.setattr(pulsing, "beat", beat)
    return state


def writes(client: Client) -> list[str]:
    with CaptureQueriesContext(connection) as statements:
        client.get(client.address)
    return [each["sql"] for each in statements if "heartbeat" in each["sql"]]


def test_a_request_neither_reads_nor_writes_the_heartbeat(pulse, sitter, clocks):
    clocks.go_on(FLOOR.total_seconds() - 1)
    assert writes(sitter) == []


def test_the_first_request_after_an_outage_finds_the_time_given_back(pulse, sitter, clocks, database):
    database["is_off"] = True
    clocks.go_on(10)
    pulse.look()
    clocks.go_on(AWAY)
    pulse.look()
    assert sitter.get(sitter.address).status_code == 503
    database["is_off"] = False
    clocks.go_on(RETRY_SECONDS)
    assert sitter.get(sitter.address).status_code == 200
    sitter.session_of.refresh_from_db()
    assert (sitter.session_of.finished_at, sitter.session_of.given_seconds) == (None, AWAY + 11)


def test_a_process_that_starts_after_an_outage_settles_it_before_its_first_request(sitter, clocks, pulse):
    clocks.go_on(AWAY)
    Pulse().look()
    sitter.session_of.refresh_from_db()
    assert sitter.session_of.given_seconds == AWAY


def test_a_request_that_waited_for_a_failed_try_does_not_try_again(pulse, sitter, clocks, database):
    database["is_off"] = True
    clocks.go_on(AWAY)
    assert {sitter.get(sitter.address).status_code for _ in range(3)} == {503}
    assert database["tries"] == 1
    assert sitter.get("/healthz").status_code == 200


def test_other_pages_do_not_wait_for_the_settlement(pulse, sitter, clocks, database):
    database["is_off"] = True
    clocks.go_on(AWAY)
    assert sitter.get("/accounts/login/").status_code == 200
    assert database["tries"] == 0


def test_a_jump_of_the_clock_is_not_an_outage(pulse, sitter, clocks):
    clocks.go_on(10, stepped=3 * 3600)
    pulse.look()
    clocks.go_on(10, stepped=-3 * 3600)
    pulse.look()
    assert not Outage.objects.exists()
    assert Heartbeat.objects.get().at == clocks.moment


def test_a_machine_with_a_wrong_clock_settles_nothing(pulse, sitter, clocks, monkeypatch):
    monkeypatch.setattr(pulsing, "clock_is_right", lambda _: False)
    clocks.go_on(AWAY)
    Pulse().look()
    assert Heartbeat.objects.get().at == NOW
    assert not Outage.objects.exists()


def test_a_process_without_a_heartbeat_settles_nothing(sitter, clocks, monkeypatch):
    monkeypatch.setattr(pulsing, "pulse", Pulse())
    assert writes(sitter) == []
    assert not Heartbeat.objects.exists()
