"""Item statistics: first exposures only, each session once, and what they come to."""

import pytest

from practice.measurement.statistics.count import count_session, rebuild_statistics
from practice.measurement.statistics.rules import FirstAnswer, add_session, rest_bin, rests
from practice.models import PracticeSession
from practice.readiness.derive.analyse import analyse
from practice.sessions.ending.finish import finish
from practice.sessions.player import save as saving
from practice.sessions.player.check import check, open_hint
from questions.models import Change, OptionStatistics, QuestionVersion, VersionStatistics
from tests.support.bank import NOW, add_questions, make_exam
from tests.support.sessions import batch, begin_drill, begin_mock, guest, right_places, seconds, state

BINS, SECOND_BINS = 10, (15, 60)


def answer(version, right, seconds=20, slots=(1,)):
    return FirstAnswer(version, slots, right, seconds)


def test_the_rest_is_the_share_of_the_others_in_thousandths():
    answers = [answer(n, n < 4) for n in range(7)]
    assert rests(answers) == [500, 500, 500, 500, 667, 667, 667]


def test_a_session_of_too_few_says_nothing_of_the_rest():
    assert rests([answer(n, True) for n in range(5)]) == [None] * 5
    assert rests([answer(n, True) for n in range(6)]) == [1000] * 6


def test_bins_hold_their_lower_end_and_the_last_both():
    assert [rest_bin(rest, 10) for rest in (0, 99, 100, 999, 1000)] == [0, 0, 1, 9, 9]


def test_adding_and_taking_back_leaves_zeros():
    tallies = {}
    answers = [answer(n, n % 2 == 0, 10 + 30 * n, (n % 4 + 1,)) for n in range(8)]
    add_session(tallies, answers, BINS, SECOND_BINS)
    assert [tallies[n].by_seconds for n in (0, 1, 2)] == [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    add_session(tallies, answers, BINS, SECOND_BINS, sign=-1)
    for tally in tallies.values():
        assert (tally.n, tally.right, tally.rest_n, tally.rest_sum, tally.rest_squares) == (0, 0, 0, 0, 0)
        assert tally.by_seconds == [0, 0, 0]
        assert all(option.n == option.rest_sum == 0 for option in tally.options.values())


@pytest.fixture
def exam():
    exam = make_exam()
    add_questions(exam, 3)
    return exam


def sit(owner, exam, right, count=10, start=0):
    """A mock with its first questions right, the others wrong, and the last left open."""
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
    def test_a_mock_counts_once_and_what_was_left_open_not_at_all(self, exam):
        session = sit(guest()[0], exam, right=4)
        assert analyse(session.pk, seconds(70))
        assert not analyse(session.pk, seconds(80))
        rows = VersionStatistics.objects.all()
        assert sum(row.n for row in rows) == 9
        assert sum(row.right for row in rows) == 4
        assert all(row.rest_n == 1 and row.by_seconds[1] == 1 for row in rows)
        assert sum(option.n for option in OptionStatistics.objects.all()) == 9

    def test_a_second_meeting_a_hint_and_a_page_answer_do_not_count(self, exam):
        alice = guest()[0]
        drill = begin_drill(alice, exam, size=2)
        open_hint(drill.uuid, alice, 1)
        for position in (1, 2):
            check(drill.uuid, alice, state(position, 1, 0), None, seconds(position))
        drill.refresh_from_db()
        assert drill.finished_at
        assert analyse(drill.pk, seconds(9))
        assert sum(VersionStatistics.objects.values_list("n", flat=True)) == 1

        again = begin_drill(alice, exam, now=seconds(20), size=2, order="missed")
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

    def test_taking_a_session_back_and_adding_it_again_changes_nothing(self, exam):
        session = sit(guest()[0], exam, right=5)
        analyse(session.pk, seconds(70))
        before = list(VersionStatistics.objects.order_by("pk").values())
        count_session(session, sign=-1)
        assert sum(VersionStatistics.objects.values_list("n", flat=True)) == 0
        count_session(session)
        assert list(VersionStatistics.objects.order_by("pk").values()) == before

    def test_a_reworded_version_adds_to_the_one_it_reworded(self, exam):
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
