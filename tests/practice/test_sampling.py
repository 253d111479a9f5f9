"""A mock from a large bank is drawn from a random part of it, with the same chances as from all of it."""

import datetime as dt
from collections import Counter

import pytest
from django.core.cache import cache
from django.utils import timezone

from practice.models import Learner, Mode, PracticeSession, SessionItem
from practice.start.reads import bank, drills
from practice.start.reads.bank import bank_of, large_bank
from practice.start.reads.drills import pick_drill
from practice.start.reads.fitting import DrillChoice
from practice.start.reads.picking import guest_share, pick_mock, stock_of
from questions.models import Pool, Question, QuestionVersion
from tests.support.bank import NOW, add_questions, make_exam
from tests.support.families import add_family
from tests.support.ids import ids_from_one
from tests.support.sessions import begin_mock, guest

pytestmark = [pytest.mark.long("simulation"), pytest.mark.django_db]
SAMPLED, WANTED = 10, 4


@pytest.fixture
def exam(monkeypatch):
    monkeypatch.setattr(bank, "LARGE", 0)
    monkeypatch.setattr(bank, "SAMPLED", SAMPLED)
    cache.clear()
    # A draw depends on its seed and on the ids, which would otherwise depend on the tests before.
    ids_from_one(Question)
    return make_exam()


@pytest.fixture
def domain(exam):
    return exam.domains.get(number=1).pk


def draw(exam, domain, seed, learner=None):
    """Return the picks, and the random part of the bank that was searched first."""
    sample = sample_of(exam, domain, seed)
    return pick_mock(stock_of(exam), learner, {domain: WANTED}, seed, sample), set(sample)


def sample_of(exam, domain, seed):
    return large_bank(exam).sample(stock_of(exam), [domain], seed)


def questions(picks):
    rows = QuestionVersion.objects.filter(pk__in=[pick.version_id for pick in picks])
    return set(rows.values_list("question", flat=True))


def has_seen(among):
    learner = Learner.objects.create(guest_key="k", created_at=NOW)
    session = PracticeSession.objects.create(
        learner=learner, exam=Question.objects.all()[0].exam, mode=Mode.DRILL, started_at=NOW, finished_at=NOW
    )
    versions = QuestionVersion.objects.filter(question__in=among)
    SessionItem.objects.bulk_create(
        SessionItem(session=session, position=n, version=version, option_order="1234", displayed_at=NOW)
        for n, version in enumerate(versions, 1)
    )
    return learner


def test_every_question_is_drawn_as_often_as_any_other(exam, domain):
    add_questions(exam, 30, domains=("d1",))
    drawn = Counter()
    for seed in range(150):
        picks, sample = draw(exam, domain, seed)
        assert len(sample) == SAMPLED
        assert questions(picks) <= sample
        drawn.update(questions(picks))
    # 600 picks, 20 a question; the standard deviation is 4.2.
    assert set(drawn) == set(exam.questions.values_list("pk", flat=True))
    assert 7 <= min(drawn.values()) <= max(drawn.values()) <= 34


def test_the_same_seed_draws_the_same_mock_and_a_small_bank_is_used_whole(exam, domain, monkeypatch):
    add_questions(exam, 30, domains=("d1",))
    assert draw(exam, domain, 5) == draw(exam, domain, 5)
    monkeypatch.setattr(bank, "LARGE", exam.questions.count())
    exam.refresh_from_db()
    assert large_bank(exam) is None


def test_reserved_questions_come_first_whether_few_or_many(exam, domain):
    add_questions(exam, 30, domains=("d1",))
    few = {version.question_id for version in add_questions(exam, 3, pool="reserved", domains=("d1",))}
    picks, sample = draw(exam, domain, 1)
    assert few < questions(picks)
    assert len(sample) == len(few) + SAMPLED
    cache.clear()
    add_questions(exam, SAMPLED, pool="reserved", domains=("d1",))
    for seed in range(5):
        picks, sample = draw(exam, domain, seed)
        assert len(sample) == SAMPLED
        assert Question.objects.filter(pk__in=questions(picks), pool=Pool.RESERVED).count() == WANTED


@pytest.mark.parametrize("percent", [1, 40, 50, 100])
def test_a_guests_sample_has_the_months_share_of_reserved_questions(exam, domain, settings, percent):
    settings.GUEST_POOL_PERCENT = percent
    add_questions(exam, 5, domains=("d1",))
    add_questions(exam, 3, pool="reserved", domains=("d1",))
    for size in (2, 3):
        add_family(exam, size, pool="reserved")
    for month in range(6):
        day = NOW.date() + dt.timedelta(days=31 * month)
        share = QuestionVersion.objects.filter(pk__in=guest_share(exam, day)).values_list("question", flat=True)
        sample = large_bank(exam).sample(stock_of(exam, guests_on=day), [domain], month)
        assert set(Question.objects.filter(pk__in=sample, pool=Pool.RESERVED).values_list("pk", flat=True)) == set(
            share
        )
    assert not Question.objects.filter(
        pk__in=large_bank(exam).sample(stock_of(exam, reserved=False), [domain], 1), pool=Pool.RESERVED
    )


def test_a_learner_who_has_seen_the_whole_sample_gets_unseen_questions_from_the_rest(exam, domain):
    add_questions(exam, 30, domains=("d1",))
    picks, sample = draw(exam, domain, 7, has_seen(sample_of(exam, domain, 7)))
    assert len(picks) == WANTED
    assert not questions(picks) & sample
    assert not any(pick.seen_before for pick in picks)


def test_a_variant_of_a_seen_question_is_not_taken_while_there_are_unseen_ones(exam, domain):
    families = [[version.question_id for version in add_family(exam, 2)] for _ in range(SAMPLED)]
    picks, sample = draw(exam, domain, 7, has_seen([family[0] for family in families]))
    assert all(pick.variant_seen for pick in picks)
    cache.clear()
    add_questions(exam, WANTED, domains=("d1",))
    for seed in range(8):
        picks, sample = draw(exam, domain, seed, Learner.objects.get())
        assert all(sample.issuperset(family) or sample.isdisjoint(family) for family in families)
        assert not any(pick.variant_seen for pick in picks)


def test_a_question_withdrawn_since_the_bank_was_counted_is_not_drawn(exam, domain):
    add_questions(exam, 12, domains=("d1",))
    assert len(bank_of(exam).live) == 12
    left = exam.questions.order_by("pk").values_list("pk", flat=True)[:WANTED]
    exam.questions.exclude(pk__in=list(left)).update(withdrawn_at=NOW)
    picks, _ = draw(exam, domain, 3)
    assert questions(picks) == set(left)


def test_a_mock_from_a_large_bank_has_the_guides_shares(exam):
    add_questions(exam, 30)
    exam.refresh_from_db()
    session = begin_mock(guest()[0], exam, 30, timezone.now())
    assert session.items.count() == 30
    assert session.items.values("version__question").distinct().count() == 30


DRILL = 5


@pytest.fixture
def small_sample(monkeypatch):
    monkeypatch.setattr(bank, "LEAST_SAMPLED", SAMPLED)
    monkeypatch.setattr(bank, "SAMPLED_FOR_EACH", 1)


def drill(exam, seed, learner, **choice):
    return questions(pick_drill(learner, exam, DrillChoice(size=DRILL, domains=("d1",), **choice), seed, NOW))


def sampled(exam, seed, **options):
    return set(bank_of(exam).sample_for_drill([exam.domains.get(key="d1").pk], DRILL, seed, **options))


@pytest.mark.usefixtures("small_sample")
def test_a_drill_is_drawn_from_a_random_part_of_each_of_its_domains(exam):
    add_questions(exam, 30, domains=("d1", "d2"))
    add_questions(exam, 3, pool="reserved", domains=("d1",))
    learner, drawn = Learner.objects.create(guest_key="k", created_at=NOW), Counter()
    for seed in range(60):
        found = drill(exam, seed, learner)
        assert len(found) == DRILL
        assert found <= sampled(exam, seed)
        drawn.update(found)
    # 300 picks, 10 a question; the standard deviation is 2.9.
    assert set(drawn) == set(exam.questions.filter(domain__key="d1", pool=Pool.PUBLIC).values_list("pk", flat=True))
    assert max(drawn.values()) <= 24


@pytest.mark.usefixtures("small_sample")
def test_a_drill_of_one_difficulty_is_drawn_from_a_larger_part(exam):
    add_questions(exam, 60, domains=("d1",))
    hard = exam.questions.filter(domain__key="d1").order_by("pk")[::3]
    QuestionVersion.objects.filter(question__in=hard).update(difficulty="hard")
    learner = Learner.objects.create(guest_key="k", created_at=NOW)
    for seed in range(20):
        found = drill(exam, seed, learner, difficulties=("hard",))
        assert found <= {question.pk for question in hard}
        assert found <= sampled(exam, seed, of_one_label=True)


@pytest.mark.usefixtures("small_sample")
def test_a_drill_takes_unseen_questions_from_outside_the_random_part_too(exam):
    versions = add_questions(exam, 30, domains=("d1",))
    left = {version.question_id for version in versions[:DRILL]}
    learner = has_seen([version.question_id for version in versions[DRILL:]])
    assert all(drill(exam, seed, learner) == left for seed in range(5))


@pytest.mark.usefixtures("small_sample")
def test_a_drill_of_a_concept_is_drawn_from_all_its_questions(exam):
    add_questions(exam, 30, domains=("d1",))
    rare = exam.questions.order_by("pk").last()
    rare.live_version.concepts.set([exam.domains.get(key="d1").concepts.create(key="rare", name="Rare")])
    learner = Learner.objects.create(guest_key="k", created_at=NOW)
    assert drill(exam, 1, learner, concepts=("rare",)) == {rare.pk}


@pytest.mark.usefixtures("small_sample")
@pytest.mark.parametrize("order", ["random", "guide"])
def test_seen_reserved_questions_are_drawn_as_often_as_public_ones(exam, order):
    public = {version.question_id for version in add_questions(exam, 22, domains=("d1",))}
    met = {version.question_id for version in add_questions(exam, 8, pool="reserved", domains=("d1",))}
    unmet = {version.question_id for version in add_questions(exam, 8, pool="reserved", domains=("d1",))}
    learner, drawn = has_seen(met), Counter()
    for seed in range(90):
        found = drill(exam, seed, learner, order=order)
        assert len(found) == DRILL
        drawn.update(found)
    # 450 picks, 15 a question; the standard deviation is 3.5.
    assert set(drawn) == public | met
    assert not unmet & set(drawn)
    assert 5 <= min(drawn.values()) <= max(drawn.values()) <= 28


@pytest.mark.usefixtures("small_sample")
@pytest.mark.parametrize("order", ["unseen", "weak", "random", "guide"])
@pytest.mark.parametrize("state", ["all", "unseen"])
def test_a_drill_in_any_order_is_drawn_from_the_sample_first(exam, order, state, monkeypatch):
    add_questions(exam, 30, domains=("d1",))
    monkeypatch.setattr(bank, "LEAST_OF_DOMAIN", SAMPLED)
    monkeypatch.setattr(drills, "WEAK_POOL", 2 * DRILL)
    learner, searched = Learner.objects.create(guest_key="k", created_at=NOW), []
    rows = drills.Draw.rows
    monkeypatch.setattr(drills.Draw, "rows", lambda draw, part: searched.append(draw.sample) or rows(draw, part))
    monkeypatch.setattr(drills, "_rows", drills._rows.__wrapped__)
    monkeypatch.setattr(drills, "_rows_by_shares", drills._rows_by_shares.__wrapped__)
    assert len(drill(exam, 3, learner, order=order, state=state)) == DRILL
    assert [len(sample) for sample in searched if sample] == [SAMPLED]
    assert None not in searched
