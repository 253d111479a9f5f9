"""Reopening a session that a wrong clock closed undoes everything derived from its end and computes it again."""

import datetime as dt
import logging

import pytest
from django.urls import reverse

from courseiva.accounts.models import User
from practice.models import (
    Forecast,
    LateAnswer,
    PracticeSession,
    ReadinessSnapshot,
    Reopening,
    ReviewCard,
    Standing,
)
from practice.readiness.derive.analyse import analyse
from practice.readiness.derive.rebuild import rebuild_analytics
from practice.regrade.reopening.reads import reopening_page, session_to_reopen
from practice.regrade.reopening.reopen import Wish, reopen
from practice.regrade.reopening.rules import MOST_DAYS, Times
from practice.sessions.ending.finish import close_expired, finish
from practice.sessions.errors import NotPossible
from practice.sessions.player.reads.page import remaining_ms
from practice.sessions.player.save import claim, resume, save
from tests.support.bank import NOW, add_questions, make_exam
from tests.support.derived import derived
from tests.support.hooks import codes, parsed
from tests.support.sessions import batch, begin_drill, begin_mock, guest, right_places, seconds, state

pytestmark = [pytest.mark.long("many requests"), pytest.mark.django_db]
MINUTES = 20
FOREVER = dt.timedelta(hours=3)
WISH = Wish(14, "the clock was three hours ahead")


def minutes(n: float) -> dt.datetime:
    return seconds(60 * n)


@pytest.fixture
def exam():
    exam = make_exam()
    add_questions(exam, 4)
    add_questions(exam, 4, pool="reserved")
    return exam


@pytest.fixture
def boss():
    return User.objects.create_superuser("boss@example.org", "a long enough password")


def closed_by_a_wrong_clock(owner, exam, begun=NOW):
    """Answer three in six minutes, the last one wrong; then the clock is hours ahead, and the fourth is late."""
    session = begin_mock(owner, exam, 10, begun)
    writer = claim(session.uuid, owner, begun).writer
    for n in (1, 2, 3):
        (place,) = right_places(session, n)
        answer = state(n, 1, place if n < 3 else (place + 1) % 4, seconds=60)
        save(session.uuid, owner, batch(writer, answer), minutes(2 * n))
    assert close_expired(minutes(7) + FOREVER) == 1
    save(session.uuid, owner, batch(writer, state(4, 1, *right_places(session, 4))), minutes(8) + FOREVER)
    analyse(session.pk, minutes(8) + FOREVER)
    session.refresh_from_db()
    assert (session.ended, session.score, LateAnswer.objects.count()) == ("time", 2, 1)
    return session


def items(session):
    return {item.position: item for item in session.items.all()}


def test_a_reopened_session_resumes_with_its_remaining_time_when_the_learner_returns(exam, boss):
    owner, _ = guest()
    session = closed_by_a_wrong_clock(owner, exam)
    reopen(session.pk, WISH, boss, minutes(30))
    session.refresh_from_db()
    assert (session.finished_at, session.ended, session.score, session.total) == (None, "", None, 10)
    assert session.awaits_resuming
    assert close_expired(minutes(600)) == 0
    resume(session.uuid, owner, minutes(100))
    session.refresh_from_db()
    assert remaining_ms(session, minutes(100)) == WISH.minutes * 60_000
    # Six minutes were used before; time while the session was closed or paused doesn't count.
    used = minutes(100) - session.started_at - dt.timedelta(seconds=session.stood_seconds)
    assert used == dt.timedelta(minutes=6)
    assert close_expired(minutes(100 + WISH.minutes + 1)) == 1
    session.refresh_from_db()
    assert (session.finished_at, session.score) == (minutes(100 + WISH.minutes), 3)


@pytest.mark.parametrize("fraction", [0, 0.25])
def test_what_only_the_end_displayed_is_no_longer_displayed(boss, fraction):
    exam = make_exam()
    add_questions(exam, 4)  # public, so nothing is withheld
    session = closed_by_a_wrong_clock(guest()[0], exam, seconds(fraction))
    assert all(item.displayed_at for item in items(session).values())
    reopen(session.pk, WISH, boss, minutes(30))
    assert [n for n, item in items(session).items() if item.displayed_at] == [1, 2, 3]


def test_reopening_keeps_answers_clears_end_stamps_and_counts_late_answers(exam, boss):
    owner, _ = guest()
    session = closed_by_a_wrong_clock(owner, exam)
    before = items(session)
    reopen(session.pk, WISH, boss, minutes(30))
    after = items(session)
    assert {n: after[n].selected for n in (1, 2, 3)} == {n: before[n].selected for n in (1, 2, 3)}
    assert after[4].selected
    assert not LateAnswer.objects.exists()
    stamped = {(i.is_correct, i.first_exposure, i.withheld) for i in after.values()}
    assert stamped == {(None, None, False)}
    assert [n for n, item in after.items() if item.displayed_at] == [1, 2, 3]


def test_answers_after_reopening_are_not_first_exposures(exam, boss):
    owner, _ = guest()
    session = closed_by_a_wrong_clock(owner, exam)
    reopen(session.pk, WISH, boss, minutes(30))
    writer = claim(session.uuid, owner, minutes(31)).writer
    changed, same = state(3, 2, *right_places(session, 3)), state(1, 2, *right_places(session, 1))
    save(session.uuid, owner, batch(writer, state(5, 1, 0), changed, same), minutes(31))
    finish(session.uuid, owner, minutes(32))
    found = {n: item.first_exposure for n, item in items(session).items() if item.selected}
    assert found == {1: True, 2: True, 3: False, 4: False, 5: False}


def test_everything_derived_from_its_result_is_undone_and_a_rebuild_agrees(exam, boss):
    owner, _ = guest()
    session = closed_by_a_wrong_clock(owner, exam)
    assert ReviewCard.objects.exists()
    reopen(session.pk, WISH, boss, minutes(30))
    said = derived()
    assert {name: rows for name, rows in said.items() if rows} == {}
    for model in (Forecast, ReadinessSnapshot, Standing, ReviewCard):
        assert not model.objects.exists()
    rebuild_analytics(minutes(31))
    assert derived() == said
    finish(session.uuid, owner, minutes(40))
    analyse(session.pk, minutes(41))
    again = derived()
    assert again["VersionStatistics"]
    assert again["Standing"]
    rebuild_analytics(minutes(41))
    assert derived() == again


def test_later_sessions_predictions_are_remade_without_the_reopened_one(exam, boss):
    owner, _ = guest()
    session = closed_by_a_wrong_clock(owner, exam)
    other = begin_drill(owner, exam, minutes(200), size=3)
    writer = claim(other.uuid, owner, minutes(200)).writer
    save(other.uuid, owner, batch(writer, state(1, 1, 0)), minutes(201))
    finish(other.uuid, owner, minutes(202))
    analyse(other.pk, minutes(203))
    with_it = ReadinessSnapshot.objects.get(session=other).answers
    reopen(session.pk, WISH, boss, minutes(210))
    assert ReadinessSnapshot.objects.get(session=other).answers < with_it
    said = derived()
    rebuild_analytics(minutes(210))
    assert {name: rows for name, rows in derived().items() if name != "Standing"} == {
        name: rows for name, rows in said.items() if name != "Standing"
    }


def test_a_reopening_leaves_a_record_and_a_log_line(exam, boss, caplog):
    owner, _ = guest()
    session = closed_by_a_wrong_clock(owner, exam)
    caplog.set_level(logging.WARNING, "courseiva.sessions")
    reopen(session.pk, WISH, boss, minutes(30))
    made = Reopening.objects.get()
    assert (made.made_by, made.minutes, made.was_score, made.was_total) == (boss, WISH.minutes, 2, 10)
    assert made.was_finished_at == minutes(MINUTES)
    assert [str(session.uuid) in record.getMessage() for record in caplog.records] == [True]
    assert boss.email not in caplog.text


class TestWhatStaysClosed:
    def refused(self, session, boss, at=30, wish=WISH):
        now = minutes(at)
        with pytest.raises(NotPossible) as refusal:
            reopen(session.pk, wish, boss, now)
        session.refresh_from_db()
        assert session.finished_at or session.discarded_at or not session.ended
        assert not Reopening.objects.exists()
        return refusal.value.code

    def test_a_submitted_or_running_session_is_not_reopened(self, exam, boss):
        owner, _ = guest()
        session = begin_mock(owner, exam, 10)
        assert self.refused(session, boss) == "not-ended-by-time"
        finish(session.uuid, owner, minutes(5))
        assert self.refused(session, boss) == "not-ended-by-time"

    def test_a_session_that_ended_long_ago_is_not_reopened(self, exam, boss):
        session = closed_by_a_wrong_clock(guest()[0], exam)
        assert self.refused(session, boss, 24 * 60 * MOST_DAYS + 21) == "ended-too-long-ago"

    def test_a_session_whose_learner_has_begun_another_is_not_reopened(self, exam, boss):
        owner, _ = guest()
        session = closed_by_a_wrong_clock(owner, exam)
        begin_mock(owner, exam, 10, minutes(25))
        assert self.refused(session, boss) == "another-running"

    def test_a_session_whose_learner_is_deleted_is_not_reopened(self, exam, boss):
        session = closed_by_a_wrong_clock(guest()[0], exam)
        PracticeSession.objects.get().learner.__class__.objects.update(guest_key=None)
        assert self.refused(session, boss) == "learner-gone"

    @pytest.mark.parametrize("wished", [0, MINUTES + 1])
    def test_no_time_or_more_time_than_the_session_had_is_refused(self, exam, boss, wished):
        session = closed_by_a_wrong_clock(guest()[0], exam)
        assert self.refused(session, boss, wish=Wish(wished, "x")) == "too-many-minutes"


@pytest.mark.parametrize(
    ("stood", "last", "left"),
    [(0, 6, 14), (0, None, 20), (4, 6, 18), (0, 200, 1), (0, -5, 20), (0, 6.5, 14)],
)
def test_the_remaining_time_is_counted_from_the_last_answer(stood, last, left):
    times = Times(NOW, dt.timedelta(minutes=MINUTES), dt.timedelta(minutes=stood))
    assert times.left_at(None if last is None else minutes(last)) == left


class TestTheStaffPage:
    ADDRESS = "admin:practice_reopening_add"

    def test_staff_can_find_preview_and_reopen_a_session(self, exam, boss, client, alice, time_machine):
        session = closed_by_a_wrong_clock(alice.owner, exam)
        time_machine.move_to(minutes(30), tick=False)
        client.force_login(boss)
        address = f"{reverse(self.ADDRESS)}?session={session.uuid}"
        assert not parsed(client.get(reverse(self.ADDRESS))).select("form[method=post] [name=minutes]")
        page = parsed(client.get(address))
        assert page.select_one("[name=minutes]")["value"] == "14"
        assert client.get(address).status_code == 200
        assert not Reopening.objects.exists(), "looking opens nothing"
        short = client.post(address, {"minutes": "14", "reason": ""})
        assert codes(short.context["form"]) == {"reason": ["required"]}
        long = client.post(address, {"minutes": "99", "reason": "x"})
        assert codes(long.context["form"]) == {"__all__": ["too-many-minutes"]}
        done = client.post(address, {"minutes": "14", "reason": "the clock"})
        assert done.url == reverse("admin:practice_reopening_changelist")
        assert client.get(done.url).status_code == 200
        assert parsed(client.get(address)).select_one("[data-code=not-ended-by-time]")
        self.the_learner_finds_it_and_the_result_says_so(alice, session)

    def the_learner_finds_it_and_the_result_says_so(self, alice, session):
        mine = reverse("session", args=[session.uuid])
        waiting = parsed(alice.get(mine))
        assert waiting.select_one("[data-state=reopened]")
        assert not waiting.select("section.question")
        alice.post(reverse("pause", args=[session.uuid]), {"resume": "1"})
        assert parsed(alice.get(mine)).select("section.question")
        alice.post(reverse("finish", args=[session.uuid]))
        assert parsed(alice.get(reverse("results", args=[session.uuid]))).select("#receipt [data-state=reopened]")

    @pytest.mark.parametrize("number", ["x", "00000000-0000-4000-8000-000000000000"])
    def test_a_number_without_a_session_is_reported(self, exam, boss, client, number):
        client.force_login(boss)
        found = client.get(reverse(self.ADDRESS), {"session": number})
        assert list(codes(found.context["find"])) == ["session"]

    def test_staff_without_the_right_get_403(self, exam, client):
        client.force_login(User.objects.create_user("ed@example.org", "a long enough password", is_staff=True))
        assert client.get(reverse(self.ADDRESS)).status_code == 403

    def test_page_answers_cannot_be_reopened(self, exam):
        session = closed_by_a_wrong_clock(guest()[0], exam)
        assert reopening_page(session_to_reopen(session.uuid), minutes(30)).left == 14
        PracticeSession.objects.update(mode="page")
        with pytest.raises(PracticeSession.DoesNotExist):
            session_to_reopen(session.uuid)
