"""A finished session leads to a stored prediction and a new standing, and tests the forecast made before it."""

import datetime as dt

import pytest
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext

from courseiva.accounts.models import User
from practice.handover.adopt import adopt
from practice.learners.reads.identity import Owner
from practice.measurement.calibration.nightly import calibrate_exam
from practice.measurement.calibration.reads import Bank
from practice.measurement.calibration.rules import fit as engine
from practice.models import Forecast, Learner, ReadinessSnapshot, ReviewCard, Standing
from practice.readiness.derive import analyse as analyse_module
from practice.readiness.derive.analyse import analyse, analyse_waiting, refresh_standings
from practice.readiness.derive.rebuild import rebuild_analytics
from practice.sessions.ending.finish import close_expired, finish
from practice.sessions.player import save as saving
from practice.sessions.player.check import answer_on_page
from questions.models import Blueprint, Calibration, Question
from tests.support.bank import NOW, add_questions, make_exam
from tests.support.sessions import batch, begin_drill, begin_mock, guest, right_places, seconds, state

pytestmark = pytest.mark.django_db
DAY = 86400


@pytest.fixture
def exam():
    """Create a short exam of twelve questions, with enough questions for five fresh mocks."""
    exam = make_exam()
    Blueprint.objects.update(question_count=12, minutes=24)
    add_questions(exam, 14)
    return exam


def sit(owner, exam, share, day=0, count=12):
    """Finish a mock on the given day with this share right, and analyse it as a site without workers does."""
    start = seconds(day * DAY)
    session = begin_mock(owner, exam, count, start)
    saving.claim(session.uuid, owner, start)
    states = []
    for position in range(1, count + 1):
        places = right_places(session, position)
        wrong = next(place for place in range(4) if place not in places)
        states.append(state(position, 1, *(places if position <= share * count else (wrong,)), seconds=30))
    saving.save(session.uuid, owner, batch(1, *states), start + dt.timedelta(minutes=1))
    session = finish(session.uuid, owner, start + dt.timedelta(minutes=20))
    analyse(session.pk, start + dt.timedelta(minutes=21))
    return session


def test_there_is_no_prediction_before_thirty_first_exposures(exam):
    alice = guest()[0]
    sit(alice, exam, 0.8, day=0)
    sit(alice, exam, 0.8, day=1)
    standing = Standing.objects.get()
    assert (standing.answers, standing.chance, standing.low) == (24, None, None)
    assert [domain["n"] for domain in standing.domains] == [4] * 6
    sit(alice, exam, 0.8, day=2)
    standing.refresh_from_db()
    assert standing.answers == 36
    assert 0 < standing.chance < 1
    assert standing.low < standing.high <= standing.count == 12


def test_better_answers_give_a_better_chance_of_passing(exam):
    chances = []
    for share in (0.3, 0.6, 0.95):
        owner = guest()[0]
        for day in range(3):
            sit(owner, exam, share, day)
        chances.append(Standing.objects.get(learner__guest_key=owner.guest_key).chance)
    assert chances == sorted(chances)
    assert chances[0] < 0.2
    assert chances[2] > 0.8


def test_each_session_keeps_the_prediction_made_after_it(exam):
    alice = guest()[0]
    for day in range(4):
        sit(alice, exam, 0.8, day)
    assert list(ReadinessSnapshot.objects.values_list("answers", flat=True)) == [12, 24, 36, 48]
    assert [snapshot.chance is None for snapshot in ReadinessSnapshot.objects.all()] == [True, True, False, False]


def test_a_fresh_full_mock_tests_the_prediction_before_it(exam):
    alice = guest()[0]
    for day in range(3):
        sit(alice, exam, 0.8, day)
    assert not Forecast.objects.exists()
    last = sit(alice, exam, 0.75, day=3)
    forecast = Forecast.objects.get()
    assert (forecast.session, forecast.score, forecast.passed) == (last, 9, True)
    said = ReadinessSnapshot.objects.order_by("at")[2]
    assert forecast.chance == pytest.approx(said.chance, abs=0.02)


def test_a_mock_that_is_short_or_already_seen_tests_no_prediction(exam):
    alice = guest()[0]
    for day in range(3):
        sit(alice, exam, 0.8, day)
    sit(alice, exam, 0.8, day=3, count=10)
    begin = begin_mock(alice, exam, 12, seconds(4 * DAY))
    begin.items.update(seen_before=True)
    finish(begin.uuid, alice, seconds(4 * DAY + 60))
    analyse(begin.pk, seconds(4 * DAY + 61))
    assert not Forecast.objects.exists()


def test_a_session_that_ended_earlier_but_arrived_later_changes_later_predictions(exam):
    alice = guest()[0]
    overdue = begin_mock(alice, exam, 12, NOW)
    saving.claim(overdue.uuid, alice, NOW)
    saving.save(overdue.uuid, alice, batch(1, *[state(n, 1, 0) for n in range(1, 13)]), seconds(60))
    other = make_exam("ace")
    assert other != exam
    ReadinessSnapshot.objects.all().delete()
    assert close_expired(seconds(DAY)) == 1
    overdue.refresh_from_db()
    assert analyse(overdue.pk, seconds(DAY))
    late = ReadinessSnapshot.objects.get()
    assert late.at == overdue.finished_at < seconds(DAY)


def test_a_prediction_uses_the_calibration_in_force_at_the_time(exam):
    alice = guest()[0]
    for day in range(3):
        sit(alice, exam, 0.8, day)
    run = calibrate_exam(exam, lambda: seconds(3 * DAY))
    sit(alice, exam, 0.8, day=4)
    used = list(ReadinessSnapshot.objects.values_list("calibration", flat=True))
    assert used == [None, None, None, run.pk]


def test_a_rebuild_repeats_predictions_made_during_a_calibration(exam, monkeypatch):
    alice = guest()[0]
    sit(alice, exam, 0.8, day=0)
    days, estimate = [1], engine.calibrate

    def meanwhile(*args, **kwargs):
        sit(alice, exam, 0.5, day=2)
        days.append(3)
        return estimate(*args, **kwargs)

    monkeypatch.setattr(engine, "calibrate", meanwhile)
    run = calibrate_exam(exam, lambda: seconds(days[-1] * DAY))
    said = list(ReadinessSnapshot.objects.order_by("at").values("calibration", "chance", "low", "high"))
    assert [each["calibration"] for each in said] == [None, None]
    assert run.made_at == seconds(3 * DAY)
    rebuild_analytics(seconds(4 * DAY))
    assert list(ReadinessSnapshot.objects.order_by("at").values("calibration", "chance", "low", "high")) == said


def test_calibrating_twice_without_new_answers_keeps_one_run(exam):
    sit(guest()[0], exam, 0.5)
    assert calibrate_exam(exam, lambda: seconds(DAY)) == calibrate_exam(exam, lambda: seconds(2 * DAY))
    assert Calibration.objects.count() == 1


def test_an_exam_without_answers_is_not_calibrated(exam):
    assert calibrate_exam(exam, lambda: NOW) is None
    assert not Calibration.objects.exists()


def test_the_sweeper_analyses_sessions_whose_task_was_lost(exam):
    alice = guest()[0]
    session = begin_mock(alice, exam, 12)
    finish(session.uuid, alice, seconds(60))
    assert analyse_waiting(seconds(120)) == 1
    assert analyse_waiting(seconds(130)) == 0
    session.refresh_from_db()
    assert session.analysed_at == seconds(120)


def test_the_nightly_run_updates_standings_and_time_away_widens_the_range(exam):
    alice = guest()[0]
    for day in range(3):
        sit(alice, exam, 0.9, day)
    before = Standing.objects.get()
    assert refresh_standings(seconds(2 * DAY + 7200)) == 0
    assert refresh_standings(seconds(200 * DAY)) == 1
    after = Standing.objects.get()
    assert after.as_of == seconds(200 * DAY)
    assert after.chance < before.chance


def test_a_learner_missed_one_night_comes_first_the_next_night(exam):
    for _ in range(3):
        sit(guest()[0], exam, 0.9, day=0)
    for night in (10, 11):
        for run in (0, 600):
            assert refresh_standings(seconds(night * DAY + run), limit=1) == 1
    told = list(Standing.objects.order_by("learner").values_list("as_of", flat=True))
    assert told == [seconds(11 * DAY + 600), seconds(10 * DAY + 600), seconds(11 * DAY)]


def test_a_guest_adopted_meanwhile_does_not_stop_the_refresh_of_other_learners(exam, monkeypatch):
    alice, bob = guest()[0], guest()[0]
    carol = Owner(user_id=User.objects.create_user(email="carol@example.com", password="x").pk)
    for owner in (alice, bob, carol):
        sit(owner, exam, 0.9, day=0)
    listed = analyse_module._told_longest_ago

    def list_then_adopt(*args):
        pairs = listed(*args)
        adopt(alice, carol, seconds(3 * DAY))
        return pairs

    monkeypatch.setattr(analyse_module, "_told_longest_ago", list_then_adopt)
    assert refresh_standings(seconds(10 * DAY)) == 2
    assert {standing.as_of for standing in Standing.objects.all()} == {seconds(10 * DAY)}


def test_learners_without_a_prediction_do_not_delay_the_nightly_run(exam):
    for _ in range(3):
        alice = guest()[0]
        drill = begin_drill(alice, exam)
        writer = saving.claim(drill.uuid, alice, NOW).writer
        saving.save(drill.uuid, alice, batch(writer, state(1, 1, 0)), NOW)
    sit(guest()[0], exam, 0.9, day=0)
    refresh_standings(seconds(10 * DAY), limit=2)
    assert Standing.objects.get().as_of == seconds(10 * DAY)


def test_page_answers_give_a_standing_and_nightly_cards_but_no_first_exposures(exam):
    alice = guest()[0]
    question = Question.objects.filter(number=1).get()
    answer_on_page(alice, question, [3], NOW)
    assert refresh_standings(seconds(DAY)) == 1
    standing = Standing.objects.get()
    assert (standing.answers, standing.other_answers) == (0, 1)
    assert ReviewCard.objects.get().question == question


def test_adoption_merges_predictions(exam):
    alice = guest()[0]
    carol = Owner(user_id=User.objects.create_user(email="carol@example.com", password="x").pk)
    sit(alice, exam, 0.8, day=0)
    sit(carol, exam, 0.8, day=1)
    sit(alice, exam, 0.8, day=2)
    adopt(alice, carol, seconds(3 * DAY))
    learner = Learner.objects.get()
    assert list(ReadinessSnapshot.objects.values_list("learner", "answers")) == [
        (learner.pk, 12), (learner.pk, 24), (learner.pk, 36),
    ]  # fmt: skip
    assert Standing.objects.get().answers == 36


def test_the_curves_of_a_bank_are_kept_for_a_minute_and_for_one_calibration(exam):
    found = Bank(exam, None).domains
    run = Calibration.objects.create(
        exam=exam, made_at=NOW, answers=9, learners=9, log_likelihood=0, centre=-0.5, growth_mean=0, growth_variance=0
    )
    Question.objects.filter(domain__key="d6").update(withdrawn_at=NOW)
    with CaptureQueriesContext(connection) as asked:
        assert Bank(exam, None).domains is found
    assert len(asked) == 0
    assert len(Bank(exam, run).domains) == len(found) - 1
    Question.objects.update(withdrawn_at=None)
    assert len(Bank(exam, run).domains) == len(found) - 1
    cache.clear()
    assert len(Bank(exam, run).domains) == len(found)


def test_a_bank_with_an_empty_domain_gives_no_prediction(exam):
    alice = guest()[0]
    for day in range(3):
        sit(alice, exam, 0.8, day)
    Question.objects.filter(domain__key="d6").update(withdrawn_at=NOW)
    cache.clear()  # within a minute, the bank is read again
    refresh_standings(seconds(10 * DAY))
    standing = Standing.objects.get()
    assert (standing.chance, standing.domains, standing.answers) == (None, [], 36)
