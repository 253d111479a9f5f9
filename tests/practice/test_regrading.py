"""When a key was wrong, every session with that version is regraded once and the learners affected are told."""

import datetime as dt

import pytest
from django.urls import reverse

from practice.learners.reads.identity import Owner
from practice.measurement.ability.reads import past_of
from practice.models import Regrade, RegradeNotice, RegradeRule, ReviewCard
from practice.readiness.derive.analyse import analyse
from practice.readiness.derive.rebuild import rebuild_analytics
from practice.regrade import apply as regrading
from practice.regrade.apply import Correction, Impact, impact_of, regrade, run, run_waiting
from practice.sessions.ending.finish import finish
from practice.sessions.errors import NotPossible
from practice.sessions.player import save as saving
from practice.sessions.player.check import answer_on_page
from questions.models import Question, QuestionVersion, VersionStatistics
from tests.support.bank import add_questions, make_exam
from tests.support.derived import derived
from tests.support.hooks import figures, parsed, states
from tests.support.sessions import batch, begin_mock, guest, right_places, seconds, state

pytestmark = pytest.mark.django_db
# Its domain has two questions, and a mock of ten draws both.
DRAWN = 5
REASON = "The documentation was read again."


@pytest.fixture
def exam():
    exam = make_exam()
    add_questions(exam, 2)
    return exam


@pytest.fixture
def version(exam):
    return Question.objects.get(number=DRAWN).live_version


def sit(owner, exam, slot_of_first, right=8):
    """Answer all ten questions: the drawn one with this slot, and ``right`` of the others correctly."""
    session = begin_mock(owner, exam, 10)
    saving.claim(session.uuid, owner, seconds(0))
    states, done = [], 0
    for item in session.items.order_by("position"):
        if item.version.question.number == DRAWN:
            places = (item.option_order.index(f"{slot_of_first:x}"),)
        else:
            good = right_places(session, item.position)
            places = good if done < right else tuple({0, 1} - set(good))[:1]
            done += 1
        states.append(state(item.position, 1, *places, seconds=20))
    saving.save(session.uuid, owner, batch(1, *states), seconds(1))
    session = finish(session.uuid, owner, seconds(60))
    analyse(session.pk, seconds(61))
    return session


def item_of(session, version):
    return session.items.get(version=version)


def test_a_different_key_changes_marks_scores_counts_and_notifies(exam, version):
    alice, bob = guest()[0], guest()[0]
    wrong_then_right, right_then_wrong = sit(alice, exam, 2), sit(bob, exam, 1)
    made = regrade(version, Correction(RegradeRule.OTHER_KEY, ((2,),), REASON), None, seconds(100))
    assert run(made.pk, seconds(101)) == 2
    for session, old, new in ((wrong_then_right, 8, 9), (right_then_wrong, 9, 8)):
        session.refresh_from_db()
        notice = RegradeNotice.objects.get(session=session)
        assert (notice.old_score, notice.new_score, session.score, session.total) == (old, new, new, 10)
        assert item_of(session, version).is_correct == (new == 9)
    assert VersionStatistics.objects.get(version=version).right == 1
    assert ReviewCard.objects.filter(question=version.question).count() == 1


def test_a_regrade_can_accept_either_answer(exam, version):
    session = sit(guest()[0], exam, 3)
    made = regrade(version, Correction(RegradeRule.EITHER, ((1,), (3,)), REASON), None, seconds(100))
    run(made.pk, seconds(101))
    session.refresh_from_db()
    assert session.score == 9


def test_a_regrade_can_leave_a_question_out_of_the_score(exam, version):
    session = sit(guest()[0], exam, 2)
    made = regrade(version, Correction(RegradeRule.LEFT_OUT, (), REASON), None, seconds(100))
    run(made.pk, seconds(101))
    session.refresh_from_db()
    assert (session.score, session.total) == (8, 9)
    assert item_of(session, version).is_correct is None
    assert not VersionStatistics.objects.filter(version=version, n__gt=0).exists()


def test_full_marks_count_in_the_score_but_not_as_evidence(exam, version):
    wrong, right = sit(guest()[0], exam, 2), sit(guest()[0], exam, 1)
    marks = Correction(RegradeRule.FULL_MARKS, (), REASON)
    assert impact_of(version, marks) == Impact(2, 1, 0)
    made = regrade(version, marks, None, seconds(100))
    run(made.pk, seconds(101))
    for session, tells in ((wrong, True), (right, False)):
        session.refresh_from_db()
        assert (session.score, session.total) == (9, 10)
        assert (item_of(session, version).is_correct, item_of(session, version).granted) == (True, True)
        assert RegradeNotice.objects.filter(session=session).exists() == tells
        assert version.pk not in {answer.version for answer in past_of(session.learner_id, exam.pk).answers}
    assert not VersionStatistics.objects.filter(version=version, n__gt=0).exists()
    assert not ReviewCard.objects.filter(question=version.question).exists()
    with pytest.raises(NotPossible) as refused:
        regrade(version, Correction(RegradeRule.FULL_MARKS, ((1,),), REASON), None, seconds(102))
    assert refused.value.code == "answers-miscounted"


def test_full_marks_can_be_reversed_and_apply_to_later_sessions(exam, version):
    before = sit(guest()[0], exam, 2)
    counted = VersionStatistics.objects.filter(version=version).values().get()
    regrade_done(version, Correction(RegradeRule.FULL_MARKS, (), REASON), 100)
    after = sit(guest()[0], exam, 3)
    assert (item_of(after, version).is_correct, item_of(after, version).granted, after.score) == (True, True, 9)
    page = answer_on_page(guest()[0], version.question, [2], seconds(110))
    assert (page.is_correct, page.granted) == (True, True)
    blank = begin_mock(guest()[0], exam, 10)
    blank = finish(blank.uuid, Owner(guest_key=blank.learner.guest_key), seconds(120))
    assert (item_of(blank, version).is_correct, blank.score, blank.total) == (True, 1, 10)
    analyse(blank.pk, seconds(121))
    regrade_done(version, Correction(RegradeRule.OTHER_KEY, ((1,),), REASON), 200)
    for session, score in ((before, 8), (after, 8), (blank, 0)):
        session.refresh_from_db()
        assert (session.score, item_of(session, version).granted) == (score, False)
    two = VersionStatistics.objects.filter(version=version).values().get()
    assert (two["n"], two["right"]) == (counted["n"] + 1, counted["right"])
    kept = derived()
    rebuild_analytics(seconds(300))
    assert derived()["VersionStatistics"] == kept["VersionStatistics"]


def regrade_done(version, correction, start):
    run(regrade(version, correction, None, seconds(start)).pk, seconds(start + 1))


def test_a_repeated_or_interrupted_run_applies_each_change_once(exam, version, monkeypatch):
    sessions = [sit(guest()[0], exam, 2) for _ in range(3)]
    made = regrade(version, Correction(RegradeRule.OTHER_KEY, ((2,),), REASON), None, seconds(100))
    bring_up, calls = regrading._bring_up, []

    def dies_at_the_second(*args):
        calls.append(args)
        if len(calls) == 2:
            raise SystemExit
        bring_up(*args)

    monkeypatch.setattr(regrading, "_bring_up", dies_at_the_second)
    with pytest.raises(SystemExit):
        run(made.pk, seconds(101))
    made.refresh_from_db()
    assert (made.reached, made.done_at) == (sessions[0].pk, None)
    monkeypatch.setattr(regrading, "_bring_up", bring_up)
    assert run_waiting(seconds(102)) == 2
    assert run(made.pk, seconds(103)) == 0
    assert RegradeNotice.objects.count() == 3
    for session in sessions:
        session.refresh_from_db()
        assert session.score == 9


def test_a_regrade_that_fails_does_not_stop_those_after_it_and_is_recorded(exam, version, monkeypatch, caplog):
    session = sit(guest()[0], exam, 2)
    slots = ((2,), (3,))
    first, second = (
        regrade(version, Correction(RegradeRule.OTHER_KEY, (slot,), REASON), None, seconds(100 + n))
        for n, slot in enumerate(slots)
    )
    bring_up = regrading._bring_up

    def fails_for_the_first(made, *args):
        if made.pk == first.pk:
            raise ValueError("broken")
        bring_up(made, *args)

    monkeypatch.setattr(regrading, "_bring_up", fails_for_the_first)
    with pytest.raises(ExceptionGroup) as failed:
        run_waiting(seconds(110))
    assert [type(error) for error in failed.value.exceptions] == [ValueError]
    assert f"regrade {first.pk}" in caplog.text
    first.refresh_from_db()
    second.refresh_from_db()
    assert (first.done_at, first.failed_at, first.reached) == (None, seconds(110), 0)
    assert (second.done_at, second.failed_at, second.reached) == (seconds(110), None, session.pk)
    monkeypatch.setattr(regrading, "_bring_up", bring_up)
    assert run_waiting(seconds(120)) == 1
    first.refresh_from_db()
    assert (first.done_at, first.failed_at) == (seconds(120), None)


def test_later_answers_are_marked_by_the_key_in_force(exam, version):
    made = regrade(version, Correction(RegradeRule.OTHER_KEY, ((2,),), REASON), None, seconds(0))
    run(made.pk, seconds(0))
    assert sit(guest()[0], exam, 2).score == 9
    assert answer_on_page(guest()[0], version.question, [2], seconds(5)).is_correct
    assert RegradeNotice.objects.count() == 0


def test_the_newest_regrade_applies(exam, version):
    session = sit(guest()[0], exam, 2)
    for n, slot in enumerate((2, 3, 1)):
        made = regrade(version, Correction(RegradeRule.OTHER_KEY, ((slot,),), REASON), None, seconds(100 + n))
        run(made.pk, seconds(100 + n))
    session.refresh_from_db()
    assert session.score == 8
    assert RegradeNotice.objects.count() == 2


def test_the_impact_is_computed_beforehand(exam, version):
    sit(guest()[0], exam, 2)
    sit(guest()[0], exam, 1)
    sit(guest()[0], exam, 2, right=6)
    key = Correction(RegradeRule.OTHER_KEY, ((2,),), REASON)
    found = impact_of(version, key)
    assert (found.sessions, found.scores, found.pass_lines) == (3, 3, 1)
    assert impact_of(version, Correction(RegradeRule.OTHER_KEY, ((1,),), REASON)).scores == 0
    assert not Regrade.objects.exists()


@pytest.mark.parametrize(
    ("rule", "accepted", "reason"),
    [
        ("other_key", (), REASON),
        ("other_key", ((1,), (2,)), REASON),
        ("either", ((1,),), REASON),
        ("left_out", ((1,),), REASON),
        ("other_key", ((9,),), REASON),
        ("other_key", ((),), REASON),
        ("other_key", ((2,),), "  "),
    ],
)
def test_an_invalid_correction_is_refused_as_a_whole(version, rule, accepted, reason):
    with pytest.raises(NotPossible):
        regrade(version, Correction(rule, accepted, reason), None, seconds(0))
    assert not Regrade.objects.exists()


def test_the_result_says_what_changed_and_why(exam, version, alice):
    session = sit(alice.owner, exam, 1)
    made = regrade(version, Correction(RegradeRule.OTHER_KEY, ((2,),), REASON), None, seconds(100))
    run(made.pk, seconds(100) + dt.timedelta(days=1))
    shown = parsed(alice.get(reverse("results", args=[session.uuid])))
    [notice] = shown.select("[data-state=regraded]")
    assert REASON in notice.text
    assert "22 November 2026" in notice.text
    assert figures(notice.select_one("[data-state=score]").text) == [9, 10, 90, 8, 10, 80]
    assert notice.select("[data-state=was-right]")


def breakdown(client, session, version):
    return client.get(reverse("breakdown", args=[session.uuid, item_of(session, version).position])).text


def test_a_regraded_question_is_shown_by_the_key_in_force(exam, version, alice):
    session = sit(alice.owner, exam, 2)
    assert states(breakdown(alice, session, version))[0] == "wrong"
    made = regrade(version, Correction(RegradeRule.OTHER_KEY, ((2,),), REASON), None, seconds(100))
    run(made.pk, seconds(101))
    text = breakdown(alice, session, version)
    assert states(text)[:2] == ["regraded", "right"]
    assert parsed(text).select("details.is-chosen.is-right .tag--right")
    made = regrade(version, Correction(RegradeRule.LEFT_OUT, (), REASON), None, seconds(102))
    run(made.pk, seconds(103))
    assert "left-out" in states(breakdown(alice, session, version))


def test_changes_are_shown_word_by_word(exam, version, alice):
    session = sit(alice.owner, exam, 2)
    address = reverse("item-changes", args=[session.uuid, item_of(session, version).position])
    regrade(version, Correction(RegradeRule.OTHER_KEY, ((2,),), REASON), None, seconds(100))
    text = alice.get(address).text
    assert REASON in text
    assert states(text) == ["current"]
    succeed(version, "Mind the gap.")
    text = alice.get(address).text
    assert "Mind the gap." in [ins.text.strip() for ins in parsed(text).select("ins")]
    assert states(text) == ["changed"]
    assert figures(parsed(text).select_one("[data-state=changed]").text)[:2] == [1, 2]


def succeed(version, words):
    """Publish a newer version of the question with these words after its stem."""
    hint, solution = version.hint, version.solution
    newer = QuestionVersion.objects.get(pk=version.pk)
    newer.pk, newer.number, newer.stem = None, 2, f"{version.stem} {words}"
    newer.save()
    for part in (hint, solution):
        part.version = newer
        part.save(force_insert=True)
    Question.objects.filter(pk=version.question_id).update(live_version=newer)
