"""Item health: the sums equal a count by hand, faults are flagged, and a rebuild changes nothing."""

import datetime as dt
import math

import numpy as np
import pytest
from django.utils import timezone

from courseiva.accounts.models import User
from practice.learners.reads.identity import Owner
from practice.learners.reads.simulated import DOMAIN
from practice.measurement.calibration.nightly import calibrate_exam, first_answers
from practice.measurement.calibration.rules.marginal import Items
from practice.measurement.calibration.rules.rests import rest_chances
from practice.measurement.calibration.rules.triplets import checked_answers
from practice.measurement.health.measure import measure_all, measure_exam
from practice.measurement.health.rules import Curve, Expectations, ability_to_pass, information, sums_by_item
from practice.models import SessionItem
from practice.readiness.derive.analyse import analyse
from practice.readiness.derive.rebuild import rebuild_analytics
from practice.sessions.ending.finish import finish
from practice.sessions.player import save as saving
from practice.tasks import calibrate
from questions.models import Calibration, ItemHealth
from questions.versions.statistics.health.rules import AT_MOST
from tests.bench.health import CASES, Case, measured
from tests.support.bank import add_questions, make_exam
from tests.support.sessions import batch, begin_mock, guest, right_places, seconds, state

pytestmark = pytest.mark.long("simulation")

DAY = 24 * 3600
SMALL = 80


class TestRules:
    def test_an_answers_expected_chance_is_the_mean_of_the_curve_without_that_answer(self):
        who, what = np.array([1, 0, 1, 0, 1], np.int32), np.array([2, 0, 0, 1, 1], np.int32)
        right = np.array([True, False, False, True, True])
        items = Items(np.array([1.0, 0.5, 2.0]), np.array([0.3, -1.0, 0.5]), np.array([0.25, 0.2, 0.0]))
        theta = np.linspace(-6, 6, 61)
        curve = items.c[:, None] + (1 - items.c)[:, None] / (1 + np.exp(-items.a[:, None] * theta - items.d[:, None]))
        found = rest_chances(checked_answers(who, what, right, 2, 3), items)
        for place in range(5):
            weight = np.exp(-0.5 * theta**2)
            for other in range(5):
                if other != place and who[other] == who[place]:
                    weight = weight * (curve[what[other]] if right[other] else 1 - curve[what[other]])
            assert found[place] == pytest.approx(weight @ curve[what[place]] / weight.sum())

    def test_the_sums_match_the_answers_and_drift_is_relative_to_the_bank(self):
        rng = np.random.default_rng(4)
        item, quarter = rng.integers(0, 3, 200).astype(np.int32), rng.integers(0, 2, 200).astype(np.int32)
        chance, common, right = rng.random(200), rng.random(200), rng.random(200) < 0.5
        found = sums_by_item(Expectations(item, right, chance, common, quarter, 4, 2))
        w = chance * (1 - chance)
        for place, sums in enumerate(found[:3]):
            mine = item == place
            v = common[mine] * (1 - common[mine])
            assert sums.n == mine.sum()
            assert sums.squares == pytest.approx(((right - common)[mine] ** 2).sum())
            assert (sums.weight, sums.spread) == pytest.approx((v.sum(), (v - 4 * v * v).sum()))
            for told in sums.quarters:
                at = mine & (quarter == told.quarter)
                rate = (right - chance)[quarter == told.quarter].sum() / w[quarter == told.quarter].sum()
                assert (told.n, told.right) == (at.sum(), right[at].sum())
                assert told.variance == pytest.approx(w[at].sum())
                assert told.surplus == pytest.approx((right - chance)[at].sum() - rate * w[at].sum())
        assert (found[3].n, found[3].quarters) == (0, [])
        assert sum(q.surplus for sums in found for q in sums.quarters) == pytest.approx(0, abs=1e-9)

    def test_information_is_the_squared_slope_over_the_variance(self):
        curve = Curve(1.3, 0.4, 0.25, 0.2, 0.3)

        def right(theta):
            return 0.25 + 0.75 / (1 + math.exp(-1.3 * (theta - 0.4)))

        steep = (right(1.0 + 1e-5) - right(1.0 - 1e-5)) / 2e-5
        told, error = information(curve, 1.0)
        assert told == pytest.approx(steep**2 / (right(1.0) * (1 - right(1.0))), rel=1e-6)
        assert 0 < error < told
        assert information(Curve(1.0, 0.0, 0.25, 0, 0), 0.0)[0] == pytest.approx(0.15)
        assert information(Curve(1.0, 0.0, 0.25, 0, 0), 0.0)[1] == 0

    def test_the_pass_ability_is_where_the_curve_reaches_the_share_needed(self):
        grid = np.linspace(-2, 2, 5)
        assert ability_to_pass(np.array([0.3, 0.4, 0.6, 0.8, 0.9]), grid, 0.7) == pytest.approx(0.5)
        assert ability_to_pass(np.array([0.3, 0.4, 0.5, 0.5, 0.5]), grid, 0.9) == 2


def test_few_sound_questions_are_flagged_and_silent_faults_are_found():
    """A row of docs/benchmarks.md on a small scale; bounds half as wide again, because one bank is a small sample."""
    row = measured(Case(200, 3, 10), banks=1, questions=SMALL)
    assert all(share <= 1.5 * AT_MOST[figure] + 1 / row.sound for figure, share in row.by_chance.items())
    assert row.found[-1] > 0.2


@pytest.mark.soak
@pytest.mark.parametrize("case", CASES)
def test_false_alarms_stay_within_the_bounds_that_the_page_states(case):
    row = measured(case, seed=18)
    assert row.broken() == []
    assert row.sound > 1000
    assert AT_MOST == {"discrimination": 0.05, "fit": 0.02, "drift": 0.02, "information": 0.02}


@pytest.fixture
def exam():
    exam = make_exam()
    add_questions(exam, 3)
    return exam


def sit(owner, exam, right, start=0):
    """Finish and analyse a mock of ten with its first ``right`` questions right and the others wrong."""
    session = begin_mock(owner, exam, 10, seconds(start))
    saving.claim(session.uuid, owner, seconds(start))
    states = []
    for position in range(1, 11):
        places = right_places(session, position)
        wrong = next(place for place in range(4) if place not in places)
        states.append(state(position, 1, *(places if position <= right else (wrong,)), seconds=20))
    saving.save(session.uuid, owner, batch(1, *states), seconds(start + 1))
    session = finish(session.uuid, owner, seconds(start + 60))
    analyse(session.pk, seconds(start + 61))
    return session


@pytest.mark.django_db
def test_quarters_are_numbered_consecutively_and_change_with_the_year_in_utc(exam):
    session = sit(guest()[0], exam, 5)
    moments = [dt.datetime(2025, 12, 31, 23, 59, tzinfo=dt.UTC), dt.datetime(2026, 1, 1, tzinfo=dt.UTC)]
    for position, moment in enumerate(moments, start=1):
        SessionItem.objects.filter(session=session, position=position).update(answered_at=moment)
    SessionItem.objects.filter(session=session, position__gt=2).update(first_exposure=False)
    with timezone.override("Asia/Tokyo"):
        assert first_answers(exam).quarters.tolist() == [8103, 8104]


def stored():
    return list(ItemHealth.objects.order_by("pk").values())


@pytest.mark.django_db
class TestMeasuring:
    def test_the_nightly_task_measures_and_a_second_run_or_a_rebuild_changes_nothing(self, exam):
        for days, right in ((0, 2), (1, 7), (100, 5)):
            sit(guest()[0], exam, right, start=days * DAY)
        assert calibrate() == 1
        before = stored()
        assert sum(row["n"] for row in before) == 30
        assert {row["calibration_id"] for row in before} == {Calibration.objects.get().pk}
        assert all(row["weight"] > 0 and row["information"] > 0 for row in before)
        assert {tuple(quarter[:2]) for row in before for quarter in row["quarters"]} == {
            (moment.year, (moment.month + 2) // 3) for moment in (seconds(0), seconds(100 * DAY))
        }
        assert measure_all() == len(before)
        assert stored() == before
        ItemHealth.objects.update(n=99, met_by=99)
        rebuild_analytics(seconds(200 * DAY))
        assert stored() == before

    def test_answers_without_a_learner_measure_nothing(self, exam):
        assert measure_all() == 0
        assert stored() == []

    def test_exposure_counts_learners_and_times_even_without_a_curve(self, exam):
        owner = guest()[0]
        sit(owner, exam, 3)
        sit(guest()[0], exam, 3, start=200)
        measure_exam(exam)
        rows = ItemHealth.objects.all()
        shown = SessionItem.objects.filter(displayed_at__isnull=False)
        assert sum(quarter[2] for row in rows for quarter in row.quarters) == shown.count() == 20
        assert {row.learners for row in rows} == {2}
        assert all(row.met_by == shown.filter(version=row.pk).count() for row in rows)
        assert all((row.n, row.calibration, row.information) == (0, None, None) for row in rows)

    def test_simulated_people_count_only_in_the_demo(self, exam, settings):
        settings.DEMO = False
        user = User.objects.create(email=f"simulated@{DOMAIN}")
        sit(Owner(user_id=user.pk), exam, 5)
        assert measure_exam(exam) == 0
        settings.DEMO = True
        assert measure_exam(exam) == 10

    def test_a_version_first_answered_after_the_run_waits_for_its_curve(self, exam):
        sit(guest()[0], exam, 2)
        run = calibrate_exam(exam, lambda: seconds(DAY))
        new = run.items.order_by("pk")[0].version_id
        run.items.filter(version=new).delete()
        measure_exam(exam)
        assert [row.n for row in ItemHealth.objects.filter(pk=new)] == [0]
        assert {row.n for row in ItemHealth.objects.exclude(pk=new)} == {1}

    def test_the_run_estimates_the_abilities_of_those_who_answered(self, exam):
        """On the stored scale the expectations are those of the fit, so the residuals of all answers sum to zero."""
        for start, right in ((0, 9), (1, 8), (2, 9)):
            sit(guest()[0], exam, right, start=start * DAY)
        run = calibrate_exam(exam, lambda: seconds(9 * DAY))
        assert run.ability_mean != 0
        measure_exam(exam)
        moved = stored()
        Calibration.objects.update(ability_mean=run.ability_mean + 1)
        measure_exam(exam)
        assert stored() != moved
