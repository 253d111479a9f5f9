"""The readiness check asks the most useful question next, stops once the verdict is sure, and loses no answer."""

from decimal import Decimal

import numpy as np
import pytest
import time_machine
from django.test import Client
from django.urls import reverse

from practice.measurement.ability.rules.belief import POPULATION, ItemBelief, Population, newcomer
from practice.models import PracticeSession, Standing
from practice.readiness.check.ask import MOST_SECONDS, answer_check, start_check
from practice.readiness.check.reads.own import check_result, own_of
from practice.readiness.check.rules import (
    EXPOSED,
    MEASURED_ANSWERS,
    MEASURED_UNITS,
    MOST,
    is_known,
    is_sure,
    most_telling,
    next_domain,
)
from practice.readiness.derive.analyse import analyse
from practice.sessions.ending.finish import discard, finish
from practice.sessions.errors import InOpenMock, NotOpen, NotPossible, NotYours
from practice.sessions.models import Ended, Mode
from practice.sessions.player.save import claim, save
from practice.sessions.reads.units import seen_units
from questions.models import Family, Question, QuestionVersion
from questions.versions.statistics.models import Calibration, ItemParameters
from tests.bench.ceiling import AT, OTHERS, of_bank, of_world
from tests.bench.checks import LIMITS, measured, measured_sites
from tests.bench.learners import make_bank
from tests.support.bank import NOW, add_questions, make_exam
from tests.support.hooks import parsed, states, values
from tests.support.sessions import (
    batch,
    begin_drill,
    begin_mock,
    guest,
    guest_client,
    learner_of,
    right_places,
    seconds,
    state,
)

pytestmark = pytest.mark.long("simulation")

SAME_SITE = {"HTTP_SEC_FETCH_SITE": "same-origin"}
WEIGHTS = [(n, Decimal(weight)) for n, weight in enumerate((13, 16, 21, 20, 18, 12), start=1)]


# The rules


def test_each_domain_comes_once_and_then_by_the_guides_shares():
    given = {}
    for _ in range(100):
        domain = next_domain(WEIGHTS, given, range(1, 7))
        given[domain] = given.get(domain, 0) + 1
        if sum(given.values()) == 6:
            assert given == dict.fromkeys(range(1, 7), 1)
    assert given == {n: int(weight) for n, weight in WEIGHTS}


def test_a_domain_without_questions_is_passed_over():
    assert next_domain(WEIGHTS, {}, {1}) == 1
    assert next_domain(WEIGHTS, {1: 9}, {1}) == 1
    assert next_domain(WEIGHTS, {}, set()) is None


def test_a_verdict_needs_a_sure_chance_and_every_domain_met():
    assert [is_sure(chance) for chance in (0.05, 0.1, 0.11, 0.5, 0.89, 0.9, 0.99)] == [
        True, True, False, False, False, True, True,
    ]  # fmt: skip
    assert is_known({1: 1, 2: 3}, (1, 2), 0.95)
    assert not is_known({1: 4}, (1, 2), 0.95)
    assert not is_known({1: 1, 2: 3}, (1, 2), 0.6)


def test_the_most_informative_question_leaves_the_least_variance_on_average():
    """The average variance is computed from the definition, with the exact posterior on a fine grid."""
    state, before = newcomer(), np.linspace(-8, 8, 4001)
    prior = np.exp(-(before**2) / 2)
    beliefs = [ItemBelief(b, 0.0, a, 0.25) for a in (0.6, 1.0, 1.4) for b in (-2.0, -0.5, 0.4, 2.5)]

    def variance(weights):
        mean = weights @ before / weights.sum()
        return weights @ (before - mean) ** 2 / weights.sum()

    def left(belief):
        right = 0.25 + 0.75 / (1 + np.exp(-belief.slope * (before - belief.difficulty)))
        share = prior @ right / prior.sum()
        return share * variance(prior * right) + (1 - share) * variance(prior * (1 - right))

    assert most_telling(state, 7, beliefs, POPULATION) == int(np.argmin([left(belief) for belief in beliefs]))


def test_a_question_whose_parameters_are_uncertain_is_less_informative():
    beliefs = [ItemBelief(0.0, 0.8, 1.2, 0.25), ItemBelief(0.0, 0.05, 1.2, 0.25)]
    assert most_telling(newcomer(), 7, beliefs, POPULATION) == 1


def test_the_most_informative_question_is_steep_and_near_the_ability():
    beliefs = [ItemBelief(3.0, 0.0, 1.0, 0.25), ItemBelief(0.0, 0.0, 1.5, 0.25), ItemBelief(0.0, 0.0, 0.7, 0.25)]
    assert most_telling(newcomer(Population(mean=0.3)), 7, beliefs, Population(mean=0.3)) == 1
    assert most_telling(newcomer(Population(mean=3.5)), 7, beliefs, Population(mean=3.5)) == 0


# Simulated learners


def test_a_few_simulated_checks_are_shorter_than_forty_and_mostly_right():
    row = measured(0, 60)
    assert row.answers < MOST - 3
    assert row.right > 0.7


def test_no_verdict_on_forty_random_questions_is_right_as_often_as_on_sixty():
    """The exact posterior is used with every parameter known, so the accuracy it expects is the accuracy it reaches."""
    rng = np.random.default_rng(4)
    found = dict(zip(AT, of_bank(rng, make_bank(rng), 300), strict=True))
    assert 0.83 < found[MOST].expected < 0.855 < found[60].expected
    assert all(abs(each.right - each.expected) < 0.05 for each in found.values())


@pytest.mark.parametrize("world", OTHERS, ids=lambda world: world.name)
def test_sixty_answers_predict_better_than_forty_in_every_simulated_world(world):
    (found,) = of_world(world, banks=1, learners=150, seed=4)
    forty, sixty = (found[AT.index(answers)] for answers in (MOST, 60))
    assert sixty.expected - forty.expected > 0.01


@pytest.mark.soak
@pytest.mark.parametrize("row", [1, 3, 4, 5, 6, 7])
@pytest.mark.parametrize("seed", [11, 12, 13])
def test_simulated_checks_keep_within_their_limits(row, seed):
    found = measured(row, 2000, seed)
    assert found.name in LIMITS
    assert found.broken() == []


@pytest.mark.soak
def test_no_question_is_in_more_than_its_share_of_checks():
    """Each check is by a new learner who may see the whole bank; 3 standard errors for 100 checks are allowed."""
    _, most = measured_sites(np.random.default_rng(5), 2000, telling=True)
    assert most <= EXPOSED + 3 * (EXPOSED * (1 - EXPOSED) / 100) ** 0.5


# On the site


@pytest.fixture
def exam():
    exam = make_exam()
    add_questions(exam, 12)
    return exam


@pytest.fixture
def owner():
    return guest()[0]


def waiting(session):
    """Return the item the check is waiting for."""
    return session.items.get(checked_at=None)


def answer(session, owner, right=True, after=0):
    item = waiting(session)
    places = right_places(session, item.position)
    chosen = places if right else [next(place for place in range(4) if place not in places)]
    return answer_check(session.uuid, owner, state(item.position, 1, *chosen), seconds(60 * item.position + after))


def always(_position):
    return True


def run(session, owner, right):
    """Run the check to its end; ``right`` says for each position whether to answer it correctly."""
    while session.is_open:
        session = answer(session, owner, right(waiting(session).position))
    return session


@pytest.mark.django_db
class TestRunning:
    def test_a_check_starts_with_one_question_and_draws_none_ahead(self, exam, owner):
        session = start_check(owner, exam, NOW)
        assert session.items.count() == 1
        assert waiting(session).displayed_at is None
        assert not seen_units(learner_of(owner)).exists()

    def test_every_domain_comes_once_before_any_comes_twice(self, exam, owner):
        session = start_check(owner, exam, NOW)
        for n in range(6):
            session = answer(session, owner, right=n % 2 == 0)
        first = session.items.order_by("position").values_list("version__domain__number", flat=True)[:6]
        assert set(first) == {1, 2, 3, 4, 5, 6}

    def test_no_unit_comes_twice_and_none_was_met_before(self, exam, owner):
        drill = begin_drill(owner, exam, size=20)
        finish(drill.uuid, owner, seconds(1))
        met = set(drill.items.values_list("version__question", flat=True))
        session = run(start_check(owner, exam, NOW), owner, lambda n: n % 3 > 0)
        asked = list(session.items.values_list("version__question", flat=True))
        assert len(set(asked)) == len(asked) == MOST
        assert not met & set(asked)

    @pytest.mark.parametrize(("right", "word"), [(True, "likely"), (False, "not-yet")])
    def test_a_check_stops_as_soon_as_the_verdict_is_sure(self, exam, owner, right, word):
        session = run(start_check(owner, exam, NOW), owner, lambda _: right)
        result = check_result(session)
        assert session.ended == Ended.KNOWN
        assert result.stopped
        assert result.word == word
        assert result.saved == MOST - session.total > 0
        assert is_sure(result.own.chance)
        assert result.own.low < result.own.high

    def test_a_verdict_was_not_yet_sure_one_answer_earlier(self, exam, owner):
        session = run(start_check(owner, exam, NOW), owner, always)
        last = session.items.order_by("-position").first()
        last.delete()
        assert not own_of(session).is_known

    def test_a_check_asks_at_most_forty_questions(self, exam, owner):
        session = run(start_check(owner, exam, NOW), owner, lambda n: n % 3 > 0)
        result = check_result(session)
        assert session.ended == Ended.SUBMITTED
        assert session.total == session.items.count() == MOST
        assert (result.stopped, result.is_full, result.saved, result.word) == (False, True, 0, "either-way")

    def test_a_check_ends_when_no_unseen_question_is_left(self, owner):
        exam = make_exam("small")
        add_questions(exam, 2)
        session = run(start_check(owner, exam, NOW), owner, lambda n: n % 3 > 0)
        assert (session.ended, session.total) == (Ended.SUBMITTED, 12)

    def test_a_verdict_rests_on_the_checks_own_answers_alone(self, exam, owner):
        drill = begin_drill(owner, exam, size=20, feedback_each=False)
        wrong = [state(n, 1, (right_places(drill, n)[0] + 1) % 4) for n in range(1, 21)]
        save(drill.uuid, owner, batch(claim(drill.uuid, owner, NOW).writer, *wrong), seconds(1))
        finish(drill.uuid, owner, seconds(2))
        session = run(start_check(owner, exam, NOW), owner, always)
        assert check_result(session).word == "likely"

    def test_progress_counts_a_checks_answers_but_gives_no_chance_below_thirty(self, exam, owner):
        session = run(start_check(owner, exam, NOW), owner, always)
        assert session.total < 30
        analyse(session.pk, seconds(9000))
        standing = Standing.objects.get()
        assert standing.answers == session.total
        assert standing.chance is None

    def test_a_checks_answers_are_first_exposures_timed_by_the_server(self, exam, owner):
        session = start_check(owner, exam, NOW)
        session = answer(session, owner)
        session = answer(session, owner, after=10)
        session = answer(session, owner, after=86400)
        items = session.items.exclude(checked_at=None).order_by("position")
        assert [item.seconds for item in items] == [60, 70, MOST_SECONDS]
        assert all(item.first_exposure and item.displayed_at == item.answered_at for item in items)

    def test_ending_a_check_early_does_not_count_the_pending_question(self, exam, owner):
        session = answer(start_check(owner, exam, NOW), owner)
        session = finish(session.uuid, owner, seconds(500))
        left = session.items.get(position=2)
        assert (session.ended, session.score, session.total) == (Ended.SUBMITTED, 1, 1)
        assert (left.is_correct, left.first_exposure) == (None, None)
        result = check_result(session)
        assert (result.word, result.stopped, result.saved) == ("", False, 0)

    def test_a_discarded_check_leaves_its_last_question_unseen(self, exam, owner):
        session = answer(start_check(owner, exam, NOW), owner)
        discard(session.uuid, owner, seconds(500))
        assert seen_units(learner_of(owner)).count() == 1
        with pytest.raises(NotOpen):
            answer_check(session.uuid, owner, state(2, 1, 0), seconds(600))

    def test_starting_another_check_or_a_drill_ends_the_running_check(self, exam, owner):
        first = start_check(owner, exam, NOW)
        second = start_check(owner, exam, seconds(5))
        begin_drill(owner, exam, seconds(9), size=5)
        running = PracticeSession.objects.filter(finished_at=None)
        assert [session.mode for session in running] == [Mode.DRILL]
        assert {first.pk, second.pk} == set(
            PracticeSession.objects.filter(mode=Mode.CHECK).values_list("pk", flat=True)
        )


@pytest.mark.django_db
class TestSentTwice:
    def test_an_answer_sent_again_changes_nothing(self, exam, owner):
        session = start_check(owner, exam, NOW)
        given = state(1, 1, *right_places(session, 1))
        for moment in (60, 61):
            answer_check(session.uuid, owner, given, seconds(moment))
        other = state(1, 2, (right_places(session, 1)[0] + 1) % 4)
        answer_check(session.uuid, owner, other, seconds(62))
        assert session.items.count() == 2
        assert session.items.get(position=1).is_correct
        assert session.items.get(position=1).answered_at == seconds(60)

    def test_an_answer_to_a_question_that_was_not_asked_changes_nothing(self, exam, owner):
        session = start_check(owner, exam, NOW)
        answer_check(session.uuid, owner, state(7, 1, 0), seconds(60))
        assert session.items.get().checked_at is None

    def test_an_answer_after_the_end_of_a_check_changes_nothing(self, exam, owner):
        session = run(start_check(owner, exam, NOW), owner, always)
        again = answer_check(session.uuid, owner, state(session.total, 1, 0), seconds(9999))
        assert again.finished_at == session.finished_at
        assert again.items.count() == session.total

    def test_a_save_from_elsewhere_cannot_change_what_was_marked(self, exam, owner):
        session = answer(start_check(owner, exam, NOW), owner)
        writer = claim(session.uuid, owner, seconds(70)).writer
        wrong = state(1, 9, (right_places(session, 1)[0] + 1) % 4)
        assert save(session.uuid, owner, batch(writer, wrong), seconds(71)).saved == []
        assert session.items.get(position=1).is_correct

    def test_a_missing_or_unknown_option_is_refused_and_the_question_stays(self, exam, owner):
        session = start_check(owner, exam, NOW)
        for places in ((), (9,)):
            with pytest.raises(NotPossible):
                answer_check(session.uuid, owner, state(1, 1, *places), seconds(60))
        assert waiting(session).selected == 0
        assert waiting(session).displayed_at is None

    def test_a_check_marks_no_answer_while_its_family_is_in_a_running_mock(self, exam, owner):
        session = start_check(owner, exam, NOW)
        mock = begin_mock(owner, exam, 60, seconds(1))
        pair = [waiting(session).version_id, mock.items.exclude(version=waiting(session).version).first().version_id]
        family = Family.objects.create(exam=exam, key="f1", stem="{clause}")
        Question.objects.filter(live_version__in=pair).update(family=family)
        with pytest.raises(InOpenMock):
            answer(session, owner)

    def test_another_learners_check_is_not_found(self, exam, owner):
        session = start_check(owner, exam, NOW)
        with pytest.raises(NotYours):
            answer_check(session.uuid, guest()[0], state(1, 1, 0), seconds(60))


def calibrate(exam, n, **parameters):
    """Create a calibration in which every question was measured by ``n`` answers."""
    run = Calibration.objects.create(
        exam=exam, made_at=seconds(-60), answers=9, learners=9, log_likelihood=0, centre=-0.5, growth_mean=0,
        growth_variance=0.0005**2,
    )  # fmt: skip
    facts = {"slope": 1.0, "difficulty": 0.0, "slope_error": 0.1, "difficulty_error": 0.1, **parameters}
    rows = [ItemParameters(calibration=run, version=version, n=n, **facts) for version in QuestionVersion.objects.all()]
    ItemParameters.objects.bulk_create(rows)
    return run


@pytest.mark.django_db
class TestMeasured:
    """In this bank every third question is steep, and so the most informative.

    Each check draws with its own random number: the bounds are so wide that chance alone breaks one in a million runs.
    """

    @pytest.fixture
    def bank(self, exam):
        add_questions(exam, MEASURED_UNITS - 12)
        steep = set(QuestionVersion.objects.order_by("pk").values_list("pk", flat=True)[::3])
        return exam, steep

    def steep_first(self, exam, steep, n):
        run = calibrate(exam, n)
        run.items.filter(version__in=steep).update(slope=2.0)
        firsts = []
        for _ in range(30):
            owner = guest()[0]
            firsts.append(start_check(owner, exam, NOW).items.get().version_id in steep)
        return sum(firsts)

    def test_the_most_informative_question_comes_once_a_domain_is_measured(self, bank):
        assert self.steep_first(*bank, MEASURED_ANSWERS) >= 27

    def test_below_the_threshold_questions_are_drawn_at_random(self, bank):
        assert self.steep_first(*bank, MEASURED_ANSWERS - 1) <= 22

    def test_the_most_informative_question_is_shown_to_its_share_and_no_more(self, bank):
        exam, _ = bank
        run = calibrate(exam, MEASURED_ANSWERS)
        domain = start_check(guest()[0], exam, NOW).items.get().version.domain_id
        best = QuestionVersion.objects.filter(domain=domain).order_by("pk")[7]
        run.items.filter(version=best).update(slope=3.0)
        shown = sum(start_check(guest()[0], exam, NOW).items.filter(version=best).exists() for _ in range(200))
        assert 0.2 < shown / 200 <= EXPOSED + 0.2


@pytest.mark.django_db
class TestPages:
    @pytest.fixture(autouse=True)
    def _clock(self):
        with time_machine.travel(seconds(5), tick=False):
            yield

    def post(self, client, session, **data):
        return client.post(reverse("check-question", args=[session.uuid]), data, **SAME_SITE)

    def start(self, client, exam):
        client.post(reverse("start-check", args=[exam.slug]), **SAME_SITE)
        return PracticeSession.objects.get(mode=Mode.CHECK, finished_at=None)

    def test_a_newcomers_next_step_starts_a_check(self, exam, alice):
        step = parsed(alice.get(reverse("hub", args=[exam.slug]))).select_one("[data-step=measure]")
        form = step.find_next("form")
        assert form["action"] == reverse("start-check", args=[exam.slug])
        response = alice.post(form["action"], **SAME_SITE)
        assert response["Location"] == reverse("check-question", args=[PracticeSession.objects.get().uuid])

    def test_a_visitor_becomes_a_guest_only_by_starting(self, exam):
        client = Client()
        self.start(client, exam)
        assert "guest" in " ".join(client.cookies)
        assert PracticeSession.objects.get().learner.guest_key

    def test_another_site_cannot_start_a_check(self, exam):
        assert (
            Client().post(reverse("start-check", args=[exam.slug]), HTTP_SEC_FETCH_SITE="cross-site").status_code == 403
        )

    def test_with_a_bank_without_questions_a_check_redirects_to_the_hub(self, db):
        exam = make_exam("empty")
        response = Client().post(reverse("start-check", args=["empty"]), **SAME_SITE)
        assert response["Location"] == reverse("hub", args=[exam.slug])
        assert not PracticeSession.objects.exists()

    def test_the_page_asks_one_question_and_reveals_no_key(self, exam, alice):
        session = self.start(alice, exam)
        page = alice.get(reverse("check-question", args=[session.uuid]))
        assert values(page, "data-check") == ["1"]
        assert len(parsed(page).select("input[name=place]")) == 4
        assert "Why" not in page.text
        assert not parsed(page).select(".verdict, .hint")

    def test_each_answer_redirects_to_the_next_question_and_the_last_to_the_result(self, exam, alice):
        session = self.start(alice, exam)
        for n in range(1, MOST + 1):
            response = self.post(alice, session, position=n, place=right_places(session, n)[0])
            session.refresh_from_db()
            if session.finished_at:
                break
            assert response["Location"] == reverse("check-question", args=[session.uuid])
        assert response["Location"] == reverse("results", args=[session.uuid])
        page = alice.get(response["Location"])
        assert states(page)[0] == "likely"
        assert values(page, "data-why") == ["known"]
        assert values(page, "data-saved") == [str(MOST - session.total)]
        assert len(parsed(page).select("svg.range")) == 1

    @pytest.mark.parametrize("measured", [False, True])
    def test_the_page_says_when_difficulties_are_only_estimates(self, exam, alice, measured):
        if measured:
            calibrate(exam, MEASURED_ANSWERS)
        session = run(self.start(alice, exam), alice.owner, always)
        page = alice.get(reverse("results", args=[session.uuid]))
        assert ("labels" in states(page)) is not measured

    def test_an_empty_answer_is_refused_with_the_reason(self, exam, alice):
        session = self.start(alice, exam)
        response = self.post(alice, session, position=1)
        assert response.status_code == 400
        assert values(response, "data-code") == ["too-few-options"]
        assert values(response, "data-check") == ["1"]

    @pytest.mark.parametrize("data", [{}, {"position": "x", "place": "0"}, {"position": "99999999999", "place": "y"}])
    def test_unreadable_input_changes_nothing(self, exam, alice, data):
        session = self.start(alice, exam)
        assert self.post(alice, session, **data).status_code == 302
        assert session.items.get().checked_at is None

    def test_the_sessions_own_address_redirects_to_the_question(self, exam, alice):
        session = self.start(alice, exam)
        assert alice.get(session.get_absolute_url())["Location"] == reverse("check-question", args=[session.uuid])
        drill = begin_drill(alice.owner, exam, size=3)
        assert alice.get(reverse("check-question", args=[drill.uuid]))["Location"] == drill.get_absolute_url()
        self.post(alice, drill, position=1, place=0)
        assert drill.items.filter(checked_at=None).count() == 3

    def test_the_hub_offers_to_resume_a_check(self, exam, alice):
        session = self.start(alice, exam)
        page = parsed(alice.get(reverse("hub", args=[exam.slug])))
        assert page.select_one("a.btn")["href"].startswith(session.get_absolute_url())

    @pytest.mark.parametrize("word", ["nothing", "too-early"])
    def test_a_check_that_ended_early_claims_no_more_than_it_knows(self, exam, alice, word):
        session = self.start(alice, exam)
        if word == "too-early":
            self.post(alice, session, position=1, place=0)
        finish(session.uuid, alice.owner, seconds(9))
        page = alice.get(reverse("results", args=[session.uuid]))
        assert states(page)[0] == word
        assert not parsed(page).select("svg.range")

    def test_only_its_learner_can_open_the_pages_of_a_check(self, exam, alice):
        session = self.start(alice, exam)
        for client in (Client(), guest_client(guest()[1])):
            assert client.get(reverse("check-question", args=[session.uuid])).status_code == 404
            assert self.post(client, session, position=1, place=0).status_code == 404

    def test_an_answers_statement_count_does_not_grow_during_a_check(self, exam, alice, django_assert_max_num_queries):
        session = self.start(alice, exam)
        for n in range(1, 9):
            place = right_places(session, n)[0]
            place = place if n % 2 else (place + 1) % 4
            with django_assert_max_num_queries(33):
                self.post(alice, session, position=n, place=place)
