"""Time lost to an outage is given back to running sessions, exactly and once, and the learners are told."""

import datetime as dt
import json

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from courseiva.accounts.models import User
from practice.models import Heartbeat, Outage, PracticeSession, TimeCredit
from practice.sessions.ending.finish import close_expired, discard, finish
from practice.sessions.ending.outages.give_back import beat, enter
from practice.sessions.ending.outages.rules import BEAT, FLOOR, LONGEST, OLDEST, away_for, lost
from practice.sessions.errors import NotPossible
from practice.sessions.player.reads.page import remaining_ms
from practice.sessions.player.save import claim, pause, resume, save
from practice.sessions.results.reads.results import results_page
from tests.support.bank import NOW, add_questions, make_exam
from tests.support.hooks import codes, parsed
from tests.support.sessions import batch, begin_drill, begin_mock, guest, seconds, state

pytestmark = pytest.mark.long("many requests")

HOUR = 3600


def minutes(n: float) -> dt.datetime:
    return seconds(60 * n)


@pytest.fixture
def exam():
    exam = make_exam()
    add_questions(exam, 4)
    return exam


def sit(exam, now=NOW, **choice):
    """Begin a mock of ten questions in 20 minutes."""
    owner, _ = guest()
    session = begin_mock(owner, exam, 10, now, **choice)
    session.owner = owner
    return session


def given(session):
    session.refresh_from_db()
    return session.given_seconds


class TestTheRule:
    """The rule is made of pure functions that take moments and return a duration."""

    @pytest.mark.parametrize(
        ("gap", "elapsed", "away"),
        [(29, None, 0), (30, None, 30), (HOUR, None, HOUR), (-HOUR, None, 0), (HOUR, 10, 0), (HOUR, 1800, 1800)],
    )
    def test_a_gap_counts_from_the_floor_and_never_exceeds_the_steady_clock(self, gap, elapsed, away):
        steady = None if elapsed is None else dt.timedelta(seconds=elapsed)
        assert away_for(NOW, seconds(gap), steady).total_seconds() == away

    @pytest.mark.parametrize(
        ("started", "others", "expected"),
        [
            (-5, [], 30),
            (10, [], 20),
            (30, [], 0),
            (40, [], 0),
            (-5, [(0, 30)], 0),
            (-5, [(10, 20)], 20),
            (-5, [(-10, 5), (25, 60)], 20),
            (-5, [(5, 15), (10, 20)], 15),
            (12, [(0, 20)], 10),
            (-5, [(40, 50)], 30),
        ],
    )
    def test_lost_time_excludes_time_already_given_back(self, started, others, expected):
        spans = [(minutes(a), minutes(b)) for a, b in others]
        assert lost((minutes(0), minutes(30)), minutes(started), spans) == dt.timedelta(minutes=expected)


@pytest.mark.django_db
class TestTheHeartbeat:
    def test_a_serving_site_writes_one_row_in_one_statement_and_records_no_outage(self, exam):
        beat(NOW)
        for n in range(1, 5):
            with CaptureQueriesContext(connection) as statements:
                assert beat(seconds(n * BEAT.total_seconds())) is None
            assert len(statements) == 1
        assert Heartbeat.objects.get().at == seconds(40)
        assert not Outage.objects.exists()

    def test_without_a_worker_nothing_counts_as_an_outage(self, exam):
        session = sit(exam)
        for n in range(0, 20 * 60, 10):
            beat(seconds(n))
        assert (given(session), Outage.objects.count()) == (0, 0)
        assert close_expired(minutes(21)) == 0, "nobody serves since"
        beat(minutes(20))
        assert close_expired(minutes(20) + FLOOR - BEAT) == 1

    def test_a_restart_within_seconds_gives_no_time_back(self, exam):
        session = sit(exam)
        beat(NOW)
        beat(NOW + FLOOR - dt.timedelta(seconds=1))
        assert given(session) == 0

    def test_only_one_of_many_returning_processes_records_the_outage(self, exam):
        session = sit(exam)
        beat(minutes(1))
        found = [beat(minutes(31)), beat(minutes(31)), beat(seconds(31 * 60 + 1))]
        assert [outage is not None for outage in found] == [True, False, False]
        assert given(session) == 30 * 60

    def test_a_clock_step_in_a_serving_process_is_not_an_outage(self, exam):
        session = sit(exam)
        beat(NOW)
        assert beat(minutes(180), BEAT) is None
        assert beat(seconds(20), BEAT) is None
        assert Heartbeat.objects.get().at == seconds(20)
        assert given(session) == 0

    def test_a_clock_set_back_while_nothing_ran_gives_no_time_back(self, exam):
        beat(minutes(180))
        assert beat(NOW) is None
        assert not Outage.objects.exists()


@pytest.mark.django_db
class TestGivingBack:
    def test_a_running_mock_continues_with_the_time_it_had(self, exam):
        session = sit(exam)
        beat(minutes(5))
        session.refresh_from_db()
        left = remaining_ms(session, minutes(5))
        beat(minutes(45))
        assert given(session) == 40 * 60
        assert remaining_ms(session, minutes(45)) == left
        credit = TimeCredit.objects.get()
        assert (credit.session, credit.seconds, credit.outage.made_by) == (session, 40 * 60, None)
        assert (credit.outage.began_at, credit.outage.ended_at) == (minutes(5), minutes(45))

    def test_a_session_begun_within_the_gap_gets_back_only_what_came_after(self, exam):
        beat(NOW)
        session = sit(exam, minutes(2))
        beat(minutes(12))
        assert given(session) == 10 * 60

    def test_a_timed_drill_gets_time_back_as_well(self, exam):
        owner, _ = guest()
        drill = begin_drill(owner, exam, size=5, minutes_each=2)
        beat(minutes(1))
        beat(minutes(4))
        assert given(drill) == 3 * 60

    def test_only_running_timed_sessions_get_time_back(self, exam):
        paused = sit(exam, pausable=True)
        sit(exam, time_factor=0)
        finished, discarded, overdue = sit(exam), sit(exam), sit(exam, minutes(-30))
        pause(paused.uuid, paused.owner, minutes(1))
        finish(finished.uuid, finished.owner, minutes(2))
        discard(discarded.uuid, discarded.owner, minutes(2))
        before = {row["id"]: row for row in PracticeSession.objects.values()}
        beat(minutes(3))
        beat(minutes(33))
        assert {row["id"]: row for row in PracticeSession.objects.values()} == before
        assert overdue.deadline < minutes(3)
        resume(paused.uuid, paused.owner, minutes(40))
        paused.refresh_from_db()
        assert paused.deadline == minutes(20 + 39)

    def test_the_sweeper_closes_nothing_during_an_outage(self, exam):
        session = sit(exam)
        beat(minutes(5))
        assert close_expired(minutes(30)) == 0
        beat(minutes(35))
        assert close_expired(minutes(35)) == 0
        assert close_expired(minutes(35 + 15) + 2 * FLOOR) == 0
        Heartbeat.objects.update(at=minutes(51))
        assert close_expired(minutes(51)) == 1
        session.refresh_from_db()
        assert (session.ended, session.finished_at) == ("time", minutes(50))

    def test_the_time_of_an_outage_is_not_time_spent(self, exam):
        session = sit(exam)
        beat(minutes(1))
        beat(minutes(61))
        session.refresh_from_db()
        assert session.stood_seconds == HOUR


@pytest.fixture
def boss():
    return User.objects.create_superuser("boss@example.org", "a long enough password")


@pytest.mark.django_db
class TestByHand:
    def test_the_command_gives_back_time_that_the_heartbeat_missed(self, exam, boss):
        session = sit(exam)
        beat(minutes(5))
        beat(minutes(15))
        outage = enter((minutes(2), minutes(20)), " the network failed ", boss, minutes(20))
        assert (outage.reason, outage.made_by) == ("the network failed", boss)
        assert given(session) == 18 * 60
        enter((minutes(2), minutes(20)), "", boss, minutes(20))
        assert given(session) == 18 * 60
        assert sorted(TimeCredit.objects.values_list("seconds", flat=True)) == [8 * 60, 10 * 60]

    @pytest.mark.parametrize(
        ("span", "code"),
        [
            ((5, 5), "not-an-outage"),
            ((10, 5), "not-an-outage"),
            ((5, 21), "not-an-outage"),
            ((-LONGEST / dt.timedelta(minutes=1) - 1, 5), "outage-too-long"),
            ((-OLDEST / dt.timedelta(minutes=1), 5 - OLDEST / dt.timedelta(minutes=1)), "outage-too-long"),
        ],
    )
    def test_an_impossible_outage_is_refused(self, exam, boss, span, code):
        session = sit(exam)
        with pytest.raises(NotPossible) as refusal:
            enter((minutes(span[0]), minutes(span[1])), "", boss, minutes(20))
        assert refusal.value.code == code
        assert given(session) == 0

    def test_staff_see_a_preview_of_the_time_given_back(self, exam, boss, client, time_machine):
        time_machine.move_to(minutes(15), tick=False)
        session = sit(exam)
        client.force_login(boss)
        address = reverse("admin:practice_outage_add")
        fields = {
            "began_at": f"{minutes(5):%Y-%m-%dT%H:%M}",
            "ended_at": f"{minutes(9):%Y-%m-%dT%H:%M}",
            "reason": "fog",
        }
        looked = parsed(client.post(address, {**fields, "look": "1"}))
        assert looked.select_one("[data-state=loss]")
        assert looked.select_one("[name=confirm]")
        assert given(session) == 0
        assert client.post(address, {**fields, "confirm": "1"}).url == reverse("admin:practice_outage_changelist")
        assert given(session) == 4 * 60
        again = parsed(client.post(address, {**fields, "look": "1"}))
        assert again.select_one("[data-state=none]")
        wrong = client.post(address, {**fields, "ended_at": fields["began_at"], "confirm": "1"})
        assert codes(wrong.context["form"]) == {"__all__": ["not-an-outage"]}
        assert "fog" in client.get(reverse("admin:practice_outage_changelist")).text
        assert Outage.objects.count() == 1

    def test_no_staff_group_may_give_time_back(self, exam, client):
        editor = User.objects.create_user("ed@example.org", "a long enough password", is_staff=True)
        client.force_login(editor)
        assert client.post(reverse("admin:practice_outage_add"), {"confirm": "1"}).status_code == 403


@pytest.mark.django_db
class TestTheLearnerIsTold:
    def test_the_player_the_save_the_result_and_the_export_report_the_time_given_back(self, alice, exam, time_machine):
        time_machine.move_to(NOW, tick=False)
        session = begin_mock(alice.owner, exam, 10)
        address = reverse("session", args=[session.uuid])
        assert not parsed(alice.get(address)).select("[data-notice=given]")
        beat(minutes(1))
        beat(minutes(32))
        time_machine.move_to(minutes(32), tick=False)
        page = parsed(alice.get(address))
        assert page.select_one("[data-notice=given]")["data-seconds"] == str(31 * 60)
        assert page.select_one("#session")["data-given"] == str(31 * 60)
        assert page.select_one("#clock")["data-remaining"] == str(19 * 60 * 1000)
        posted = {"content_type": "application/json", "HTTP_SEC_FETCH_SITE": "same-origin"}
        claimed = alice.post(f"{address}claim/", "{}", **posted).json()
        body = json.dumps({"writer": claimed["writer"], "items": [{"p": 1, "seq": 1, "sel": [0]}]})
        saved = alice.post(f"{address}save/", body, **posted).json()
        assert (claimed["given"], saved["given"], saved["saved"]) == (31 * 60, 31 * 60, [1])
        finish(session.uuid, alice.owner, minutes(40))
        lines = parsed(alice.get(reverse("results", args=[session.uuid]))).select("#receipt [data-credit]")
        assert [line["data-credit"] for line in lines] == [str(31 * 60)]
        export = json.loads(b"".join(alice.get(reverse("export-json")).streaming_content))
        assert [row["seconds"] for row in export["time_given_back"]] == [31 * 60]
        assert export["sessions"][0]["given_seconds"] == 31 * 60

    def test_a_result_without_an_outage_takes_no_extra_statement(self, alice, exam):
        session = begin_mock(alice.owner, exam, 10)
        finish(session.uuid, alice.owner, minutes(1))
        session.refresh_from_db()
        with CaptureQueriesContext(connection) as statements:
            assert results_page(session).credits == []
        assert not [each for each in statements if "timecredit" in each["sql"]]


@pytest.mark.django_db
class TestClocksThatStep:
    """The host's clock jumps by hours in the middle of a session."""

    def test_the_finish_time_is_now_or_the_start_if_later_and_is_never_refused(self, exam):
        session = sit(exam)
        writer = claim(session.uuid, session.owner, NOW).writer
        save(session.uuid, session.owner, batch(writer, state(1, 1, 0, seconds=20)), minutes(-180))
        finished = finish(session.uuid, session.owner, minutes(-179))
        assert (finished.finished_at, finished.ended) == (finished.started_at, "handed_in")
        assert finished.score is not None
        results_page(finished)

    def test_a_clock_set_back_gives_no_more_than_the_full_time(self, exam):
        session = sit(exam)
        assert remaining_ms(session, minutes(-180)) == 20 * 60 * 1000

    def test_a_pause_with_the_clock_set_back_takes_no_time_away(self, exam):
        session = sit(exam, pausable=True)
        pause(session.uuid, session.owner, minutes(5))
        resumed = resume(session.uuid, session.owner, minutes(-180))
        assert (resumed.deadline, resumed.paused_seconds) == (minutes(20), 0)


def test_an_outage_counts_from_a_few_missed_beats_under_a_minute():
    assert 2 * BEAT < FLOOR < dt.timedelta(minutes=1)
