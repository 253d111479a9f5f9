"""Check which questions a session is made of."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from practice.models import Learner, SessionItem
from practice.sessions.ending.finish import discard, finish
from practice.sessions.errors import AlreadyRunning, TooFewQuestions
from practice.sessions.player.save import claim, save
from practice.start.begin import MockChoice, start_mock
from practice.start.reads.picking import pick_mock, stock_of, weights_of
from questions.catalogue.rules.shares import allocate
from questions.models import Question, QuestionVersion
from tests.support.bank import NOW, add_questions, make_exam
from tests.support.sessions import batch, begin_drill, begin_mock, guest, read_through, seconds, state

pytestmark = pytest.mark.django_db


@pytest.fixture
def exam():
    return make_exam()


@pytest.fixture
def alice():
    return guest()[0]


def by_domain(session):
    counts = {}
    for number in session.items.values_list("version__domain__number", flat=True):
        counts[number] = counts.get(number, 0) + 1
    return [counts.get(n, 0) for n in range(1, 7)]


@pytest.mark.parametrize("count", [50, 55, 60])
def test_a_mock_has_exactly_the_blueprints_shares_and_no_question_twice(exam, alice, count):
    add_questions(exam, 14)
    session = begin_mock(alice, exam, count=count)
    blueprint = exam.blueprints.get()
    assert by_domain(session) == list(allocate(weights_of(blueprint), count).values())
    assert session.items.values("version__question").distinct().count() == count


def test_unseen_reserved_questions_come_first_then_unseen_public_then_the_oldest_seen(exam, alice):
    weights = {exam.domains.get(number=1).pk: 6}
    reserved = {v.pk for v in add_questions(exam, 2, pool="reserved", domains=("d1",))}
    opened = {v.pk for v in add_questions(exam, 6, domains=("d1",))}
    learner = Learner.objects.create(guest_key="k", created_at=NOW)
    first = pick_mock(stock_of(exam), learner, weights, 1)
    assert reserved < {pick.version_id for pick in first}
    assert {pick.version_id for pick in first} - reserved < opened
    assert not any(pick.seen_before for pick in first)


def test_a_displayed_question_is_no_longer_unseen_and_the_oldest_is_repeated_first(exam, alice):
    add_questions(exam, 12, domains=("d1",))
    domain = exam.domains.get(number=1).pk
    session = begin_drill(alice, exam, domains=("d1",), size=10)
    writer = claim(session.uuid, alice, NOW).writer
    shown = list(session.items.order_by("position"))
    for i, item in enumerate(shown):
        save(session.uuid, alice, batch(writer, state(item.position, 1)), seconds(i))
    learner = Learner.objects.get(guest_key=alice.guest_key)
    picks = pick_mock(stock_of(exam), learner, {domain: 5}, 3)
    seen = [pick.version_id for pick in picks if pick.seen_before]
    assert len(seen) == 3
    assert set(seen) == {item.version_id for item in shown[:3]}


def test_a_question_met_more_than_once_counts_as_one(exam, alice):
    domain = exam.domains.get(number=1).pk
    for n, more in enumerate((3, 0, 3)):
        add_questions(exam, more, domains=("d1",))
        session = begin_drill(alice, exam, now=seconds(60 * n), domains=("d1",), size=6)
        shown = session.items.values_list("position", flat=True)
        writer = claim(session.uuid, alice, seconds(60 * n)).writer
        save(session.uuid, alice, batch(writer, *[state(position, 1) for position in shown]), seconds(60 * n + 30))
        finish(session.uuid, alice, seconds(60 * n + 40))
    learner = Learner.objects.get(guest_key=alice.guest_key)
    picks = pick_mock(stock_of(exam), learner, {domain: 5}, 3)
    assert [pick.seen_before for pick in picks] == [True] * 5


def test_the_undisplayed_questions_of_a_discarded_mock_stay_unseen(exam, alice):
    add_questions(exam, 2)
    session = begin_mock(alice, exam, count=10)
    writer = claim(session.uuid, alice, NOW).writer
    save(session.uuid, alice, batch(writer, state(1, 1), state(2, 1)), NOW)
    discard(session.uuid, alice, NOW)
    again = begin_mock(alice, exam, count=10, now=seconds(10))
    displayed = set(session.items.filter(displayed_at__isnull=False).values_list("version_id", flat=True))
    assert len(displayed) == 2
    taken = set(again.items.filter(seen_before=True).values_list("version_id", flat=True))
    assert taken <= displayed


def test_a_length_that_a_domain_cannot_fill_is_refused_and_stores_nothing(exam, alice):
    add_questions(exam, 12, domains=("d1", "d2", "d4", "d5", "d6"))
    add_questions(exam, 3, domains=("d3",))
    with pytest.raises(TooFewQuestions):
        begin_mock(alice, exam, count=60)
    assert SessionItem.objects.count() == 0


def test_a_learner_takes_one_mock_at_a_time(exam, alice):
    add_questions(exam, 3)
    running = begin_mock(alice, exam)
    with pytest.raises(AlreadyRunning) as refused:
        begin_mock(alice, exam)
    assert refused.value.session == running
    finish(running.uuid, alice, NOW)
    assert begin_mock(alice, exam, now=seconds(5)).is_open


def test_the_same_seed_gives_the_same_mock_and_a_different_seed_another(exam):
    add_questions(exam, 30)
    weights = allocate(weights_of(exam.blueprints.get()), 20)
    one, same, other = (pick_mock(stock_of(exam), None, weights, seed) for seed in (5, 5, 6))
    assert one == same
    assert {p.version_id for p in one} != {p.version_id for p in other}


def test_the_options_are_in_a_different_order_in_another_session(exam):
    add_questions(exam, 2)
    blueprint = exam.blueprints.get()
    drawn = set()
    for seed in range(6):
        session = start_mock(guest()[0], blueprint, MockChoice(10), seed, NOW)
        drawn.add(tuple(session.items.order_by("version_id").values_list("option_order", flat=True)))
    assert len(drawn) == 6


def test_withdrawn_and_retired_questions_enter_no_new_session(exam, alice):
    add_questions(exam, 3)
    out = list(Question.objects.filter(domain__key="d1")[:2])
    Question.objects.filter(pk=out[0].pk).update(withdrawn_at=NOW)
    Question.objects.filter(pk=out[1].pk).update(retired_at=NOW)
    session = begin_mock(alice, exam, count=6)
    assert not session.items.filter(version__question__in=out).exists()


@pytest.mark.parametrize("size", [100, 1000])
def test_statement_and_row_counts_do_not_grow_with_the_bank(exam, size):
    per_domain = -(-size // 6)
    add_questions(exam, per_domain)
    weights = allocate(weights_of(exam.blueprints.get()), 60)
    learner = Learner.objects.create(guest_key="k", created_at=NOW)
    with CaptureQueriesContext(connection) as statements:
        picks = pick_mock(stock_of(exam), learner, weights, 1)
    assert len(picks) == 60
    assert len(statements) == 1


def test_a_drill_never_shows_a_reserved_question_before_a_finished_mock_did(exam, alice):
    add_questions(exam, 2, domains=("d1",))
    reserved = {v.pk for v in add_questions(exam, 3, pool="reserved")}
    drill = begin_drill(alice, exam, size=30)
    assert not reserved & set(drill.items.values_list("version_id", flat=True))
    mock = begin_mock(alice, exam, count=6)
    running = begin_drill(alice, exam, size=30, now=seconds(1))
    assert not reserved & set(running.items.values_list("version_id", flat=True))
    finish(mock.uuid, alice, read_through(mock, alice, seconds(2)))
    shown = reserved & set(mock.items.values_list("version_id", flat=True))
    after = begin_drill(alice, exam, size=30, order="random", now=seconds(60))
    assert reserved & set(after.items.values_list("version_id", flat=True)) == shown
    assert shown


def test_new_sessions_use_a_new_version_and_old_ones_keep_theirs(exam, alice):
    versions = add_questions(exam, 2)
    session = begin_mock(alice, exam, count=6)
    before = list(session.items.values_list("position", "version_id"))
    question = versions[0].question
    newer = QuestionVersion.objects.get(pk=versions[0].pk)
    newer.pk, newer.number = None, 2
    newer.save()
    question.live_version = newer
    question.save()
    assert list(session.items.values_list("position", "version_id")) == before
    drill = begin_drill(guest()[0], exam, size=30)
    assert newer.pk in set(drill.items.values_list("version_id", flat=True))
    assert versions[0].pk not in set(drill.items.values_list("version_id", flat=True))
