"""Sessions of a learner whose past is stored are drawn without reading it, by the same rules as otherwise."""

from __future__ import annotations

import datetime as dt
import random
from collections import Counter
from collections.abc import Iterable

import pytest
from django.core.cache import cache
from django.db import connection
from django.db.models import Max
from django.test.utils import CaptureQueriesContext

from practice.learners.reads.identity import Owner
from practice.learners.trial.models import TrialMiss
from practice.models import Learner, Mode, PracticeSession, SessionItem
from practice.readiness.derive.analyse import refresh_all
from practice.sessions.ending.finish import finish
from practice.sessions.reads.tally.reads import rows_of, tally_of
from practice.sessions.reads.units import seen_units
from practice.start.begin import MockChoice, start_mock
from practice.start.reads import drills
from practice.start.reads.bank import bank_of
from practice.start.reads.drills import pick_drill
from practice.start.reads.fitting import Draw, DrillChoice
from practice.start.reads.mocks import mock_page, retake_of
from practice.start.reads.past import Past, pick_by_past
from practice.start.reads.picking import Pick, available, pick_mock, stock_of
from questions.models import Exam, Pool, Question, QuestionVersion
from tests.support.bank import NOW, add_questions, make_exam
from tests.support.families import add_family
from tests.support.ids import ids_from_one
from tests.support.sessions import guest, learner_of

pytestmark = pytest.mark.django_db
LATER = NOW + dt.timedelta(days=9)
DRILL = 5
SEEDS = [0, 1, *(pytest.param(seed, marks=pytest.mark.long("simulation")) for seed in range(2, 12))]
"""Of the random pasts; two of them every day."""


@pytest.fixture
def exam() -> Exam:
    ids_from_one(Question)
    return make_exam()


@pytest.fixture
def domain(exam: Exam) -> int:
    return exam.domains.get(number=1).pk


@pytest.fixture
def learner(exam: Exam) -> Learner:
    return learner_of(guest()[0])


def see(learner: Learner, exam: Exam, questions: Iterable[int], day: int = 0, finished: bool = True) -> PracticeSession:
    """Show the questions one after the other, in a session of that day."""
    at = NOW + dt.timedelta(days=day)
    session = PracticeSession.objects.create(
        learner=learner, exam=exam, mode=Mode.DRILL, started_at=at, finished_at=at + dt.timedelta(hours=1),
        analysed_at=at + dt.timedelta(hours=1),
    )  # fmt: skip
    for place, question in enumerate(questions, start=1):
        version = QuestionVersion.objects.get(question=question)
        shown = at + dt.timedelta(minutes=place)
        SessionItem.objects.create(
            session=session, position=place, version=version, option_order="1234", displayed_at=shown,
            answered_at=shown, selected=2, first_selected=2, seconds=30, is_correct=False, first_exposure=True,
        )  # fmt: skip
    if not finished:
        PracticeSession.objects.filter(pk=session.pk).update(finished_at=None, analysed_at=None)
    return session


def of(versions: Iterable[QuestionVersion]) -> list[int]:
    return [version.question_id for version in versions]


def store(learner: Learner) -> None:
    """Store what is derived from the past, and count the bank again."""
    refresh_all(learner, LATER)
    cache.clear()


def past_of(learner: Learner, exam: Exam) -> Past:
    past = Past.of(learner, exam)
    assert past
    return past


def mock(exam: Exam, learner: Learner, domain: int, count: int, seed: int = 1) -> list[int]:
    """The questions of a mock by the stored past."""
    picks = pick_by_past(stock_of(exam), learner, past_of(learner, exam), {domain: count}, seed)
    return questions(picks)


def questions(picks: Iterable[Pick]) -> list[int]:
    by_version = dict(QuestionVersion.objects.values_list("pk", "question"))
    return [by_version[pick.version_id] for pick in picks]


def random_past(exam: Exam, learner: Learner, seed: int) -> None:
    """Families and single questions of both pools, about half of them seen in some sessions."""
    rng = random.Random(seed)
    for pool in (Pool.PUBLIC, Pool.RESERVED):
        for _ in range(3):
            add_family(exam, rng.choice([2, 3]), pool=pool)
        add_questions(exam, 5, pool=pool, domains=("d1",))
    every = list(Question.objects.order_by("pk").values_list("pk", flat=True))
    see(learner, exam, rng.sample(every, 2))
    for day in range(1, 4):
        see(learner, exam, rng.sample(every, rng.randrange(1, 7)), day)
    store(learner)


def kinds(exam: Exam, picks: Iterable[Pick]) -> Counter[str]:
    """How many are unseen, of each pool, how many are variants, and how many seen."""
    pools = dict(QuestionVersion.objects.values_list("pk", "pool"))
    return Counter(
        "seen" if pick.seen_before else "a variant" if pick.variant_seen else pools[pick.version_id] for pick in picks
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_a_mock_takes_as_many_of_each_kind_as_one_drawn_from_the_history(exam, learner, domain, seed):
    random_past(exam, learner, seed)
    for count in (3, 8, 14, 16):
        mine = pick_by_past(stock_of(exam), learner, past_of(learner, exam), {domain: count}, seed)
        known = pick_mock(stock_of(exam), learner, {domain: count}, seed)
        assert kinds(exam, mine) == kinds(exam, known)
        assert len({pick.unit for pick in mine}) == len(mine) == len(known)
        seen = [{pick.version_id for pick in picks if pick.seen_before} for picks in (mine, known)]
        # Those seen longest ago come first; a choice is left only among unseen ones.
        assert seen[0] == seen[1]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("order", ["unseen", "random", "guide"])
def test_a_drill_takes_what_one_drawn_from_the_history_may_take(exam, learner, seed, order, monkeypatch):
    random_past(exam, learner, seed)
    for choice in (
        DrillChoice(size=9, order=order, domains=("d1",)),
        DrillChoice(size=4, order=order, state="unseen", domains=("d1",)),
        DrillChoice(size=16, order=order),
    ):
        mine = pick_drill(learner, exam, choice, seed, LATER)
        with monkeypatch.context() as patch:
            patch.setattr(Past, "of", lambda *_: None)
            known = pick_drill(learner, exam, choice, seed, LATER)
        assert len(mine) == len(known)
        assert len({pick.unit for pick in mine}) == len(mine)
        if order == "unseen" or choice.state == "unseen":
            assert kinds(exam, mine) == kinds(exam, known)
        shown = {row.question for row in rows_of(learner.pk, exam.pk) if row.displayed}
        reserved = set(Question.objects.filter(pool=Pool.RESERVED).values_list("pk", flat=True))
        assert set(questions(mine)) & reserved <= shown


def test_every_question_is_drawn_as_often_as_any_other(exam, learner, domain):
    versions = of(add_questions(exam, 21, domains=("d1",)))
    see(learner, exam, versions[:1])
    store(learner)
    drawn, past = Counter[int](), past_of(learner, exam)
    for seed in range(100):
        drawn.update(questions(pick_by_past(stock_of(exam), learner, past, {domain: 4}, seed)))
    # 400 picks, 20 a question; the standard deviation is 4.
    assert set(drawn) == set(versions[1:])
    assert 7 <= min(drawn.values()) <= max(drawn.values()) <= 34


def test_what_was_displayed_since_the_tally_was_stored_counts_as_seen(exam, learner, domain):
    versions = of(add_questions(exam, 6, domains=("d1",)))
    see(learner, exam, versions[:2])
    store(learner)
    see(learner, exam, [versions[0], *versions[2:4]], day=10, finished=False)
    assert set(mock(exam, learner, domain, 2)) == set(versions[4:])
    # The first was displayed again: it was the oldest, and isn't known to be any more.
    assert set(mock(exam, learner, domain, 3)) == {*versions[4:], versions[1]}


def test_a_question_that_must_not_be_asked_gives_way_to_the_next(exam, learner, domain):
    versions = of(add_questions(exam, 8, domains=("d1",)))
    see(learner, exam, versions[:1])
    store(learner)
    past = past_of(learner, exam)
    family = add_family(exam, 2, domain="d2")[0].question.family
    TrialMiss.objects.create(
        learner=learner, exam=exam, family=family, missed_id=versions[0], plain_id=versions[0], kept_id=versions[1],
        arm="plain", drawn_at=dt.datetime.now(dt.UTC),
    )  # fmt: skip
    Question.objects.filter(pk=versions[2]).update(withdrawn_at=NOW)
    taken = see(learner, exam, [versions[3]], day=10, finished=False)
    PracticeSession.objects.filter(pk=taken.pk).update(mode=Mode.TAKEN)
    for seed in range(6):
        picks = pick_by_past(stock_of(exam), learner, past, {domain: 4}, seed)
        assert set(questions(picks)) == set(versions[4:])


def test_a_mock_is_drawn_from_the_history_if_what_is_stored_gives_too_little(exam, learner):
    add_questions(exam, 14)
    see(learner, exam, Question.objects.values_list("pk", flat=True)[:3])
    store(learner)
    assert Past.of(learner, exam)
    learner.standings.update(tally=learner.standings.get().tally.replace('"oldest":[', '"was_oldest":['))
    for blueprint in exam.blueprints.all():
        started = start_mock(Owner(guest_key=learner.guest_key), blueprint, MockChoice(60), 3, LATER)
        assert started.items.values("version__question").distinct().count() == 60


def test_a_public_question_that_has_become_reserved_is_in_no_drill(exam, learner):
    versions = of(add_questions(exam, 6, domains=("d1",)))
    see(learner, exam, versions[:1])
    store(learner)
    assert Past.of(learner, exam)
    QuestionVersion.objects.filter(question__in=versions[1:3]).update(pool=Pool.RESERVED)
    for order in ("unseen", "random"):
        for seed in range(5):
            picks = pick_drill(learner, exam, DrillChoice(size=3, order=order, domains=("d1",)), seed, LATER)
            assert not set(questions(picks)) & set(versions[1:3])


def test_a_drill_of_one_difficulty_takes_no_other(exam, learner):
    versions = add_questions(exam, 12, domains=("d1",))
    QuestionVersion.objects.filter(pk__in=[version.pk for version in versions[::3]]).update(difficulty="hard")
    see(learner, exam, of(versions[:1]))
    store(learner)
    for seed in range(5):
        picks = pick_drill(learner, exam, DrillChoice(size=3, difficulties=("hard",)), seed, LATER)
        assert set(questions(picks)) == set(of(versions[3::3]))


@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_left_for_a_mock_is_what_the_rows_say(exam, learner, seed):
    """For accounts, for guests, who take only a share of the reserved questions, and for those who get none today."""
    random_past(exam, learner, seed)
    seen = past_of(learner, exam).seen.all
    for stock in (stock_of(exam), stock_of(exam, reserved=False), stock_of(exam, guests_on=LATER.date())):
        versions, left = stock.versions(), bank_of(exam).left(stock, seen)
        assert {domain: each.total for domain, each in left.items()} == available(versions)
        unseen = available(versions.exclude(unit__in=seen_units(learner)))
        assert {domain: each.fresh for domain, each in left.items() if each.fresh} == unseen


def test_the_pages_around_a_mock_do_not_count_the_bank_in_a_statement(exam, learner):
    add_questions(exam, 12)
    mock = start_mock(
        Owner(guest_key=learner.guest_key), exam.blueprints.get(is_current=True), MockChoice(10), 3, LATER
    )
    finish(mock.uuid, Owner(guest_key=learner.guest_key), LATER)
    mock.refresh_from_db()
    bank_of(exam)
    with CaptureQueriesContext(connection) as found:
        assert retake_of(mock, LATER, "") is not None
        mock_page(exam, learner, "", LATER, "")
        mock_page(exam, None, "", LATER, "")
    assert [each["sql"] for each in found if "COUNT(DISTINCT" in each["sql"]] == []


def test_the_oldest_in_a_tally_are_in_the_order_of_their_last_display(exam, learner):
    versions = of(add_questions(exam, 6, domains=("d1",)))
    see(learner, exam, [versions[3], versions[1], versions[0]])
    see(learner, exam, [versions[3], versions[5]], day=1)
    counted = tally_of(learner, rows_of(learner.pk, exam.pk), LATER)
    last = SessionItem.objects.values_list("version__question").annotate(last=Max("displayed_at")).order_by("last")
    assert list(counted.oldest) == [question for question, _ in last]
    assert list(counted.oldest) == [versions[1], versions[0], versions[3], versions[5]]


@pytest.mark.parametrize("what", ["mock", "drill"])
def test_a_long_past_is_not_read(exam, learner, domain, what):
    every = of(add_questions(exam, 30, domains=("d1",)))
    asked = []
    for sessions in (2, 20):
        for n in range(sessions):
            see(learner, exam, random.Random(n).sample(every, 10), day=n % 8)
        store(learner)
        draw(what, exam, learner, domain)
        with CaptureQueriesContext(connection) as found:
            assert len(draw(what, exam, learner, domain)) == DRILL
        asked.append([statement["sql"] for statement in found])
    assert len(asked[0]) == len(asked[1])
    # Only what was displayed since the tally was stored is looked for, and the sessions that aren't finished.
    of_past = [sql for sql in asked[1] if "analysed_at" not in sql and '"displayed_at" IS NOT NULL' in sql]
    assert of_past == []


def draw(what: str, exam: Exam, learner: Learner, domain: int) -> list[Pick]:
    if what == "mock":
        return pick_by_past(stock_of(exam), learner, past_of(learner, exam), {domain: DRILL}, 1)
    return pick_drill(learner, exam, DrillChoice(size=DRILL, domains=("d1",)), 1, LATER)


def test_a_drill_with_a_stored_past_asks_nothing_of_the_history(exam, learner, monkeypatch):
    versions = of(add_questions(exam, 12, domains=("d1",)))
    see(learner, exam, versions[:3])
    store(learner)
    monkeypatch.setattr(Draw, "rows", lambda *_: pytest.fail("reads the history"))
    monkeypatch.setattr(drills, "WEAK_POOL", DRILL)
    for order in ("unseen", "random"):
        assert len(pick_drill(learner, exam, DrillChoice(size=DRILL, order=order), 1, LATER)) == DRILL
