"""Questions are drawn, counted, scheduled and locked by unit: a family, or a lone question."""

import datetime as dt

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.test import RequestFactory
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from practice.learners.reads.identity import GUEST_COOKIE
from practice.measurement.ability.reads import past_of
from practice.models import Learner, ReviewCard, SessionItem, Star
from practice.readiness.derive.analyse import analyse
from practice.readiness.reads.hub import hub_page
from practice.sessions.ending.finish import discard, finish
from practice.sessions.errors import InOpenMock, TooFewQuestions
from practice.sessions.player.check import answer_on_page, check
from practice.sessions.player.save import claim, save
from practice.sessions.reads.threads import may_read_thread
from practice.start.reads.mocks import mock_page
from practice.start.reads.picking import available, guest_share, pick_mock, stock_of
from questions.catalogue.reads import guide_of
from questions.models import Hint, Question, Solution, VersionStatistics
from questions.versions.statistics.reads.figures import question_statistics
from tests.support.bank import CANARY, NOW, add_questions, make_exam
from tests.support.families import add_family
from tests.support.hooks import figures, parsed
from tests.support.sessions import (
    batch,
    begin_drill,
    begin_mock,
    begin_review,
    guest,
    learner_of,
    right_places,
    seconds,
    state,
)
from tests.support.tallies import coverage, due_forecast, due_today

pytestmark = [pytest.mark.long("many requests"), pytest.mark.django_db]
DAY = dt.timedelta(days=1)


@pytest.fixture
def exam():
    return make_exam()


@pytest.fixture
def domain(exam):
    return exam.domains.get(number=1).pk


def ids(versions):
    return {version.pk for version in versions}


def meet(owner, version, now=NOW, right=True):
    """Answer the question on its public page."""
    slot = 1 if right else 4
    right_slot = version.solution.key_mask.bit_length() - 1
    return answer_on_page(owner, version.question, [right_slot if right else slot], now)


class TestDrawing:
    def test_a_mock_takes_one_question_of_a_unit_whatever_the_seed(self, exam, domain):
        families = [add_family(exam) for _ in range(4)]
        lone = ids(add_questions(exam, 2, domains=("d1",)))
        drawn = set()
        for seed in range(12):
            picks = pick_mock(stock_of(exam), None, {domain: 6}, seed)
            taken = {pick.version_id for pick in picks}
            assert len(picks) == 6
            assert lone <= taken
            assert all(len(taken & ids(family)) == 1 for family in families)
            drawn |= taken
        assert len(drawn) > 6, "another seed takes another variant"

    def test_available_questions_are_counted_by_unit(self, exam, domain):
        add_family(exam)
        add_family(exam, 2)
        add_questions(exam, 1, domains=("d1",))
        assert available(stock_of(exam).versions()) == {domain: 3}
        assert len(pick_mock(stock_of(exam), None, {domain: 7}, 1)) == 3

    def test_unseen_reserved_units_come_first_then_public_ones_variants_and_seen_ones(self, exam, domain, alice):
        met = add_family(exam)
        seen_whole = add_family(exam, 2)
        lone_seen = add_questions(exam, 1, domains=("d1",))
        reserved = add_family(exam, 2, pool="reserved")
        public = add_family(exam, 2)
        for n, version in enumerate([met[0], *seen_whole, *lone_seen]):
            meet(alice.owner, version, seconds(n))
        learner = learner_of(alice.owner)

        def drawn(count):
            picks = pick_mock(stock_of(exam), learner, {domain: count}, 3)
            assert len(picks) == count
            return {pick.version_id: (pick.seen_before, pick.variant_seen) for pick in picks}

        assert set(drawn(1)) < ids(reserved)
        assert set(drawn(2)) < ids(reserved) | ids(public)
        third = drawn(3)
        variants = {pk for pk, marks in third.items() if marks == (False, True)}
        assert len(variants) == 1
        assert variants < ids(met[1:])
        fourth = drawn(4)
        again = {pk for pk, marks in fourth.items() if marks[0]}
        assert again == {seen_whole[0].pk}, "of the units seen whole, the question seen longest ago"
        assert len(drawn(5)) == 5
        assert len(pick_mock(stock_of(exam), learner, {domain: 9}, 3)) == 5

    def test_drawing_by_unit_takes_no_more_statements(self, exam, domain, alice):
        for _ in range(3):
            meet(alice.owner, add_family(exam)[0])
        learner = learner_of(alice.owner)
        with CaptureQueriesContext(connection) as statements:
            pick_mock(stock_of(exam), learner, {domain: 5}, 1)
        assert len(statements) <= 3

    def test_a_question_that_gains_siblings_after_being_met_counts_as_a_met_family(self, exam, domain, alice):
        family = add_family(exam, 2)
        meet(alice.owner, family[0])
        family[0].__class__.objects.filter(pk=family[0].pk).update(family=None)
        picks = pick_mock(stock_of(exam), learner_of(alice.owner), {domain: 2}, 1)
        assert [(pick.version_id, pick.variant_seen) for pick in picks] == [(family[1].pk, True)]

    def test_a_guests_share_has_whole_families(self, exam, settings):
        settings.GUEST_POOL_PERCENT = 40
        families = [ids(add_family(exam, 3, pool="reserved")) for _ in range(4)]
        add_questions(exam, 1, pool="reserved", domains=("d1",))
        share = set(guest_share(exam, NOW.date()).values_list("pk", flat=True))
        whole = [family for family in families if family & share]
        assert all(family <= share for family in whole)
        assert len(whole) + (len(share) - 3 * len(whole)) == 2, "two of five units"

    def test_a_drill_takes_one_question_of_a_unit_in_every_order(self, exam, alice):
        family = add_family(exam)
        learner = learner_of(alice.owner)
        for n, version in enumerate(family):
            meet(alice.owner, version, seconds(n), right=False)
            Star.objects.create(learner=learner, question=version.question, made_at=NOW)
        for order in ("unseen", "weak", "missed", "starred", "random"):
            drill = begin_drill(alice.owner, exam, order=order, now=seconds(60))
            assert drill.items.count() == 1, order

    def test_a_drill_of_unseen_questions_takes_variants_after_units_never_met(self, exam, alice):
        met, new = add_family(exam, 2), add_family(exam, 2)
        meet(alice.owner, met[0])
        drill = begin_drill(alice.owner, exam, size=2, now=seconds(9))
        marks = dict(drill.items.values_list("version", "variant_seen"))
        assert marks.pop(met[1].pk) is True
        assert list(marks.values()) == [False]
        assert set(marks) < ids(new)


class TestCounting:
    def test_the_start_page_counts_units(self, exam, domain, alice):
        for number in range(1, 7):
            for _ in range(3):
                add_family(exam, 2, domain=f"d{number}")
        add_questions(exam, 9, pool="reserved")
        page = mock_page(exam, learner_of(alice.owner), "", NOW, "")
        assert page.seen == 0
        assert page.count > 0
        wanted = {domain.number: domain.count for domain in page.domains}
        assert wanted[1] <= 3 + 9

    def test_missed_questions_are_counted_as_a_drill_would_take_them(self, exam, alice):
        for n, version in enumerate(add_family(exam)):
            meet(alice.owner, version, seconds(n), right=False)
        meet(alice.owner, add_questions(exam, 1, domains=("d1",))[0], seconds(9), right=False)
        page = hub_page(guide_of(pk=exam.pk), learner_of(alice.owner), seconds(10))
        missed = next(preset for preset in page.presets if preset.key == "missed")
        assert dict(missed.fields)["size"] == "2"
        assert begin_drill(alice.owner, exam, state="missed", now=seconds(11)).total == 2

    def test_covered_and_unseen_counts_are_in_units(self, exam, domain, alice):
        family = add_family(exam)
        add_family(exam)
        add_questions(exam, 1, domains=("d1",))
        meet(alice.owner, family[0])
        meet(alice.owner, family[1])
        found = coverage(learner_of(alice.owner), exam, NOW)[domain]
        assert (found.total, found.seen, found.fresh) == (3, 1, 2)


class TestReviews:
    @pytest.fixture
    def family(self, exam):
        return add_family(exam)

    @pytest.fixture
    def cards(self, exam, alice, family):
        """Return the cards after one unit was missed in two of its questions and one lone question was missed."""
        lone = add_questions(exam, 1, domains=("d2",))[0]
        meet(alice.owner, family[0], NOW, right=False)
        meet(alice.owner, family[1], seconds(60), right=False)
        meet(alice.owner, lone, seconds(90), right=False)
        drill = begin_drill(alice.owner, exam, order="random", size=1, domains=("d2",), now=seconds(100))
        finish(drill.uuid, alice.owner, seconds(101))
        analyse(drill.pk, seconds(102))
        return ReviewCard.objects.order_by("question")

    def test_each_unit_has_one_card(self, cards, family):
        assert [card.question_id for card in cards] == [family[0].question_id, cards[1].question_id]
        assert cards[0].reviews == 1, "the second variant's answer reviewed the card of the first"

    def test_a_review_shows_the_variant_seen_longest_ago(self, exam, alice, cards, family):
        later = NOW + 40 * DAY
        assert due_today(learner_of(alice.owner), exam, later).count == 2
        review = begin_review(alice.owner, exam, later)
        assert review.total == 2
        items = {item.version_id: item for item in review.items.all()}
        assert items[family[2].pk].variant_seen, "the one never seen comes first"
        assert not items[family[2].pk].seen_before

    def test_once_all_variants_were_seen_the_one_seen_longest_ago_returns(self, exam, alice, cards, family):
        meet(alice.owner, family[2], seconds(200))
        review = begin_review(alice.owner, exam, NOW + 60 * DAY)
        assert family[0].pk in set(review.items.values_list("version", flat=True))

    def test_a_unit_answered_today_is_not_due_again_today(self, exam, alice, cards, family):
        later = NOW + 40 * DAY
        meet(alice.owner, family[2], later)
        assert due_today(learner_of(alice.owner), exam, later).count == 1
        assert due_forecast(learner_of(alice.owner), exam, later).total == 2

    def test_a_withdrawn_variant_is_reviewed_by_its_siblings(self, exam, alice, cards, family):
        family[0].question.__class__.objects.filter(pk=family[0].question_id).update(withdrawn_at=NOW)
        assert due_today(learner_of(alice.owner), exam, NOW + 40 * DAY).count == 2


class TestLocks:
    """While a running mock has one variant, nothing reveals the others."""

    @pytest.fixture
    def family(self, exam):
        return add_family(exam)

    @pytest.fixture
    def running(self, exam, alice, family):
        add_questions(exam, 2, domains=("d2", "d3", "d4", "d5", "d6"))
        session = begin_mock(alice.owner, exam, count=6)
        assert session.items.filter(version__in=family).count() == 1
        return session

    def asked(self, alice):
        request = RequestFactory().get("/")
        request.user = AnonymousUser()
        request.COOKIES[GUEST_COOKIE] = alice.cookies[GUEST_COOKIE].value
        return request

    def test_no_thread_of_the_family_can_be_read(self, alice, running, family):
        questions = [version.question for version in family]
        assert not any(may_read_thread(self.asked(alice), question) for question in questions)
        discard(running.uuid, alice.owner, seconds(5))
        assert all(may_read_thread(self.asked(alice), question) for question in questions)

    def test_no_sibling_can_be_answered_on_its_page(self, alice, running, family):
        for version in family:
            with pytest.raises(InOpenMock):
                meet(alice.owner, version)
        meet(guest()[0], family[0])
        finish(running.uuid, alice.owner, seconds(5))
        meet(alice.owner, family[0], seconds(6))

    def test_the_question_page_says_why_the_family_is_locked(self, alice, running, family):
        fields = {"question": family[0].question.number, "slot": "1"}
        answer = alice.post("/practice/pmle/answer/", fields, HTTP_SEC_FETCH_SITE="same-origin")
        assert answer.status_code == 400
        assert parsed(answer).select_one("[role=alert]")["data-code"] == "in-open-mock"

    def test_no_drill_takes_the_family(self, exam, alice, running):
        with pytest.raises(TooFewQuestions):
            begin_drill(alice.owner, exam, domains=("d1",), order="random", now=seconds(3))

    def test_a_drill_already_running_marks_none_of_the_family(self, exam, alice, family):
        add_questions(exam, 2, domains=("d2", "d3", "d4", "d5", "d6"))
        drill = begin_drill(alice.owner, exam, domains=("d1",))
        mock = begin_mock(alice.owner, exam, count=6, now=seconds(1))
        with pytest.raises(InOpenMock):
            check(drill.uuid, alice.owner, state(1, 1, 0), None, seconds(2))
        finish(mock.uuid, alice.owner, seconds(3))
        assert check(drill.uuid, alice.owner, state(1, 2, 0), None, seconds(4)).checked_at


@pytest.mark.parametrize("pool", ["open", "reserved"])
def test_the_pages_of_a_running_mock_reveal_no_family(exam, alice, pool):
    family = add_family(exam, pool=pool)
    add_questions(exam, 1, domains=("d2", "d3", "d4", "d5", "d6"))
    mock = begin_mock(alice.owner, exam, count=6, now=timezone.now())
    position = mock.items.get(version__in=family).position
    tables = (Solution._meta.db_table, Hint._meta.db_table)
    for name in ("session", "device", "finish"):
        with CaptureQueriesContext(connection) as statements:
            text = alice.get(reverse(name, args=[mock.uuid])).text
        assert CANARY not in text
        assert "zqturn" not in text
        assert "data-variant" not in text
        assert not any(table in row["sql"] for row in statements for table in tables), name
    for name in ("breakdown", "contrast"):
        assert alice.get(reverse(name, args=[mock.uuid, position])).status_code == 404


class TestResults:
    """The result tells variants apart."""

    @pytest.fixture
    def finished(self, exam, alice):
        met = [add_family(exam, 2, domain=f"d{number}") for number in (1, 2)]
        add_questions(exam, 1, domains=("d3", "d4", "d5", "d6"))
        for n, family in enumerate(met):
            meet(alice.owner, family[0], seconds(n))
        session = begin_mock(alice.owner, exam, count=6, now=seconds(60))
        at = [item.position for item in session.items.all() if item.variant_seen]
        assert len(at) == 2
        writer = claim(session.uuid, alice.owner, seconds(61)).writer
        states = [state(n, 1, *right_places(session, n)) for n in at]
        save(session.uuid, alice.owner, batch(writer, *states), seconds(90))
        finish(session.uuid, alice.owner, seconds(99))
        return session

    def test_the_results_page_distinguishes_variants(self, alice, finished):
        page = alice.get(reverse("results", args=[finished.uuid]))
        found = page.context["page"]
        assert (found.fresh, found.variants, found.seen) == ((0, 4), (2, 2), (0, 0))
        assert figures(parsed(page.text).select_one("[data-variants]").text) == [2]

    def test_the_tables_distinguish_variants_too(self, alice, finished):
        for address in (reverse("results-csv", args=[finished.uuid]), reverse("export-csv")):
            answer = alice.get(address)
            text = b"".join(answer).decode()
            assert "variant" in text.splitlines()[0]

    def test_variants_met_before_are_stamped_and_left_out_of_item_statistics(self, alice, finished):
        assert analyse(finished.pk, seconds(100))
        assert finished.items.filter(variant_seen=True, first_exposure=True).count() == 2
        assert not VersionStatistics.objects.filter(
            version__in=finished.items.filter(variant_seen=True).values("version")
        )

    def test_editors_see_each_variants_figures_with_the_familys_beside_them(self, exam, finished):
        family = add_family(exam, domain="d3")
        for n, version in enumerate(family[:2]):
            owner = guest()[0]
            drill = begin_drill(owner, exam, order="random", size=1, domains=("d3",), now=seconds(200 + n))
            drill.items.update(version=version)
            check(
                drill.uuid, owner, state(1, 1, *(right_places(drill, 1) if n else [])), None, seconds(210), reveal=not n
            )
            analyse(drill.pk, seconds(220))
        found = question_statistics(family[0].question_id)
        assert [(line.question_id, line.n, line.right) for line in found.variants] == [
            (family[0].question_id, 0, 0),
            (family[1].question_id, 1, 1),
            (family[2].question_id, 0, 0),
        ]
        assert (found.family_n, found.family_right) == (1, 1)
        assert question_statistics(Question.objects.filter(family=None).first().pk).variants == []

    def test_the_model_knows_when_the_sibling_was_met(self, alice, finished, exam):
        past = past_of(learner_of(alice.owner).pk, exam.pk).answers
        told = [(answer.first, answer.after_sibling is not None) for answer in past]
        assert sorted(told)[:2] == [(False, False), (False, False)]
        assert sorted(told)[-2:] == [(True, True), (True, True)]
        assert not any(answer.right for answer in past if answer.first and answer.after_sibling is None), "left blank"
        assert all(answer.after_sibling < 1 for answer in past if answer.after_sibling is not None)


def test_a_mock_discarded_before_display_leaves_the_family_unseen(exam, domain, alice):
    add_family(exam)
    add_questions(exam, 1, domains=("d2", "d3", "d4", "d5", "d6"))
    session = begin_mock(alice.owner, exam, count=6)
    discard(session.uuid, alice.owner, seconds(1))
    again = begin_mock(alice.owner, exam, count=6, now=seconds(2))
    assert not again.items.filter(variant_seen=True).exists()
    writer = claim(again.uuid, alice.owner, seconds(3)).writer
    at = again.items.get(version__domain=domain).position
    save(again.uuid, alice.owner, batch(writer, state(at, 1, 0)), seconds(4))
    discard(again.uuid, alice.owner, seconds(5))
    third = begin_mock(alice.owner, exam, count=6, now=seconds(6))
    assert third.items.get(version__domain=domain).variant_seen
    assert SessionItem.objects.filter(session__learner=Learner.objects.get(), variant_seen=True).count() == 1
