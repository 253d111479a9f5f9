"""Item statistics count first exposures only and each session once, and add up."""

import numpy as np
import pytest

from practice.measurement.calibration.nightly import calibrate_exam
from practice.measurement.calibration.rules.marginal import Items
from practice.measurement.calibration.rules.rests import rest_ranks
from practice.measurement.calibration.rules.triplets import checked_answers
from practice.measurement.statistics.count import count_session, rebuild_statistics
from practice.measurement.statistics.rules import FirstAnswer, RankedAnswers, add_session, rest_bin, rest_counts
from practice.models import PracticeSession
from practice.readiness.derive.analyse import analyse
from practice.sessions.ending.finish import finish
from practice.sessions.player import save as saving
from practice.sessions.player.check import check, open_hint
from questions.models import Change, OptionStatistics, QuestionVersion, VersionStatistics
from tests.bench.items import CASES, FLAGGED, FOUND, Case, measured
from tests.support.bank import NOW, add_questions, make_exam
from tests.support.sessions import batch, begin_drill, begin_mock, guest, right_places, seconds, state

SECOND_BINS = (15, 60)


def answer(version, right, seconds=20, slots=(1,)):
    return FirstAnswer(version, slots, right, seconds)


def test_bins_include_their_lower_end_and_the_last_bin_both_ends():
    assert rest_bin(np.array([0, 99, 100, 999, 1000]), 10).tolist() == [0, 0, 1, 9, 9]


def test_adding_and_subtracting_a_session_leaves_zeros():
    tallies = {}
    answers = [answer(n, n % 2 == 0, 10 + 30 * n, (n % 4 + 1,)) for n in range(8)]
    add_session(tallies, answers, SECOND_BINS)
    assert [tallies[n].by_seconds for n in (0, 1, 2)] == [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    add_session(tallies, answers, SECOND_BINS, sign=-1)
    for tally in tallies.values():
        assert (tally.n, tally.right, tally.by_seconds) == (0, 0, [0, 0, 0])
        assert set(tally.options.values()) == {0}


def test_counts_by_rank_are_the_sums_over_the_answers():
    rng = np.random.default_rng(1)
    item, right = rng.integers(0, 3, 200).astype(np.int32), rng.random(200) < 0.6
    slots, rank = rng.integers(1, 15, 200), rng.random(200)
    counts = rest_counts(RankedAnswers(item, right, 1 << slots, rank, 4), 10)
    rest = np.rint(1000 * rank).astype(int)
    for number in range(3):
        found, mine = counts[number], item == number
        assert (found.rest_n, found.rest_sum) == (mine.sum(), rest[mine].sum())
        assert found.rest_squares == (rest[mine] ** 2).sum()
        assert (found.rest_right_n, found.rest_right_sum) == ((mine & right).sum(), rest[mine & right].sum())
        assert [n for n, _ in found.by_rest] == np.histogram(rest[mine], range(0, 1001, 100))[0].tolist()
        assert sum(n for _, n in found.by_rest) == found.rest_right_n
        chosen = {slot: rest[mine & (slots == slot)] for slot in range(1, 15)}
        assert {slot: (o["rest_n"], o["rest_sum"]) for slot, o in found.options.items()} == {
            slot: (len(rests), rests.sum()) for slot, rests in chosen.items() if len(rests)
        }
    assert (counts[3].rest_n, counts[3].options) == (0, {})


def test_a_rank_leaves_its_own_answer_out_and_is_the_mean_of_the_posterior_of_the_others():
    """Each rank equals a sum over the grid, with two learners' answers in any order."""
    who, what = np.array([1, 0, 1, 0, 1], np.int32), np.array([2, 0, 0, 1, 1], np.int32)
    right = np.array([True, False, False, True, True])
    items = Items(np.array([1.0, 0.5, 2.0]), np.array([0.3, -1.0, 0.5]), np.array([0.25, 0.2, 0.0]))
    theta = np.linspace(-6, 6, 61)
    chance = items.c[:, None] + (1 - items.c)[:, None] / (1 + np.exp(-items.a[:, None] * theta - items.d[:, None]))
    below = np.cumsum(np.exp(-0.5 * theta**2)) / np.exp(-0.5 * theta**2).sum() - 0.5 * (
        np.exp(-0.5 * theta**2) / np.exp(-0.5 * theta**2).sum()
    )
    found = rest_ranks(checked_answers(who, what, right, 2, 3), items)
    for place in range(5):
        weight = np.exp(-0.5 * theta**2)
        for other in range(5):
            if other != place and who[other] == who[place]:
                weight = weight * (chance[what[other]] if right[other] else 1 - chance[what[other]])
        assert found[place] == pytest.approx(weight @ below / weight.sum(), abs=2e-3)


def test_a_learner_with_one_answer_ranks_in_the_middle():
    one = checked_answers(np.array([0], np.int32), np.array([0], np.int32), np.array([True]), 1, 1)
    assert rest_ranks(one, Items(np.ones(1), np.zeros(1), np.zeros(1))) == pytest.approx([0.5])


def test_in_drills_of_ten_few_sound_questions_are_flagged_and_miskeyed_ones_are_found():
    """The smallest and largest rows in docs/benchmarks.md on a small scale; bounds half as wide again for chance."""
    assert measured(Case(50, 3, 10), banks=1).flagged <= 1.5 * FLAGGED
    assert measured(Case(200, 3, 10), banks=1).found >= 0.7


@pytest.mark.soak
@pytest.mark.parametrize("seed", [11, 12])
@pytest.mark.parametrize("case", CASES)
def test_flag_rates_stay_within_their_bounds(case, seed):
    row = measured(case, seed=seed)
    assert row.broken() == []
    assert row.sound > 1500
    assert (FLAGGED, FOUND) == (0.05, 0.85)


@pytest.fixture
def exam():
    exam = make_exam()
    add_questions(exam, 3)
    return exam


def sit(owner, exam, right, count=10, start=0):
    """Finish a mock with its first questions right, the others wrong and the last unanswered."""
    session = begin_mock(owner, exam, count, seconds(start))
    saving.claim(session.uuid, owner, seconds(start))
    states = []
    for position in range(1, count):
        places = right_places(session, position)
        wrong = next(place for place in range(4) if place not in places)
        states.append(state(position, 1, *(places if position <= right else (wrong,)), seconds=20))
    saving.save(session.uuid, owner, batch(1, *states), seconds(start + 1))
    return finish(session.uuid, owner, seconds(start + 60))


@pytest.mark.django_db
class TestCounting:
    def test_a_mock_counts_once_and_unanswered_questions_not_at_all(self, exam):
        session = sit(guest()[0], exam, right=4)
        assert analyse(session.pk, seconds(70))
        assert not analyse(session.pk, seconds(80))
        rows = VersionStatistics.objects.all()
        assert sum(row.n for row in rows) == 9
        assert sum(row.right for row in rows) == 4
        assert all(row.rest_n == 0 and row.by_seconds[1] == 1 for row in rows)
        assert sum(option.n for option in OptionStatistics.objects.all()) == 9

    def test_an_answer_after_a_hint_or_earlier_meeting_or_on_a_page_does_not_count(self, exam):
        alice = guest()[0]
        drill = begin_drill(alice, exam, size=2)
        open_hint(drill.uuid, alice, 1)
        for position in (1, 2):
            check(drill.uuid, alice, state(position, 1, 0), None, seconds(position))
        drill.refresh_from_db()
        assert drill.finished_at
        assert analyse(drill.pk, seconds(9))
        assert sum(VersionStatistics.objects.values_list("n", flat=True)) == 1

        again = begin_drill(alice, exam, now=seconds(20), size=2, state="missed")
        for item in again.items.all():
            check(again.uuid, alice, state(item.position, 1, 0), None, seconds(30))
        again.refresh_from_db()
        analyse(again.pk, seconds(40))
        assert sum(VersionStatistics.objects.values_list("n", flat=True)) == 1

    def test_two_learners_add_up_and_a_rebuild_gives_the_same_rows(self, exam):
        for start, right in ((0, 2), (100, 7)):
            analyse(sit(guest()[0], exam, right, start=start).pk, seconds(start + 90))
        before = list(VersionStatistics.objects.order_by("pk").values())
        options = list(OptionStatistics.objects.order_by("version", "slot").values())
        VersionStatistics.objects.update(n=77)
        rebuild_statistics()
        assert list(VersionStatistics.objects.order_by("pk").values()) == before
        assert list(OptionStatistics.objects.order_by("version", "slot").values()) == options

    def test_the_nightly_run_ranks_learners_by_all_their_answers_and_so_does_a_rebuild(self, exam):
        for start, right in ((0, 2), (100, 7), (200, 5)):
            analyse(sit(guest()[0], exam, right, start=start).pk, seconds(start + 90))
        run = calibrate_exam(exam, lambda: seconds(400))
        rows = list(VersionStatistics.objects.order_by("pk").values())
        assert all(row["rest_n"] == row["n"] and row["rest_right_n"] == row["right"] for row in rows)
        assert sum(row["rest_n"] for row in rows) == 27
        options = list(OptionStatistics.objects.order_by("version", "slot").values())
        assert all(option["rest_n"] == option["n"] for option in options)
        rebuild_statistics()
        assert list(VersionStatistics.objects.order_by("pk").values()) == rows
        assert list(OptionStatistics.objects.order_by("version", "slot").values()) == options
        analyse(sit(guest()[0], exam, 9, start=500).pk, seconds(590))
        assert sum(VersionStatistics.objects.values_list("n", flat=True)) == 36
        assert sum(VersionStatistics.objects.values_list("rest_n", flat=True)) == 27
        assert calibrate_exam(exam, lambda: seconds(600)) != run
        assert sum(VersionStatistics.objects.values_list("rest_n", flat=True)) == 36

    def test_an_answer_no_longer_a_first_exposure_loses_its_ranks(self, exam):
        analyse(sit(guest()[0], exam, right=4).pk, seconds(90))
        analyse(sit(guest()[0], exam, right=6, start=100).pk, seconds(190))
        calibrate_exam(exam, lambda: seconds(200))
        gone = VersionStatistics.objects.order_by("pk")[0]
        gone.version.sessionitem_set.update(first_exposure=False)
        calibrate_exam(exam, lambda: seconds(300))
        gone.refresh_from_db()
        assert (gone.rest_n, gone.rest_sum, gone.rest_right_n) == (0, 0, 0)
        assert set(OptionStatistics.objects.filter(version=gone.pk).values_list("rest_n", flat=True)) == {0}

    def test_removing_a_session_and_adding_it_again_changes_nothing(self, exam):
        session = sit(guest()[0], exam, right=5)
        analyse(session.pk, seconds(70))
        before = list(VersionStatistics.objects.order_by("pk").values())
        count_session(session, sign=-1)
        assert sum(VersionStatistics.objects.values_list("n", flat=True)) == 0
        count_session(session)
        assert list(VersionStatistics.objects.order_by("pk").values()) == before

    def test_a_reworded_versions_answers_are_added_to_those_of_the_original(self, exam):
        old = QuestionVersion.objects.first()
        fields = {
            field.name: getattr(old, field.name)
            for field in QuestionVersion._meta.concrete_fields
            if field.name not in ("id", "number", "measured_as", "change")
        }
        new = QuestionVersion.objects.create(**fields, number=2, measured_as=old, change=Change.TYPO)
        session = sit(guest()[0], exam, right=9)
        session.items.filter(version=old).update(version=new)
        item = session.items.order_by("position")[0]
        session.items.filter(position=item.position).update(version=new)
        analyse(session.pk, seconds(70))
        assert VersionStatistics.objects.filter(pk=old.pk).exists()
        assert not VersionStatistics.objects.filter(pk=new.pk).exists()

    def test_a_discarded_session_has_nothing_to_analyse(self, exam):
        session = begin_mock(guest()[0], exam)
        PracticeSession.objects.filter(pk=session.pk).update(discarded_at=NOW)
        assert not analyse(session.pk, seconds(9))
