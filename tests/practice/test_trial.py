"""Check what the trial of variants draws and holds back, what counts as an outcome, and its one analysis."""

import datetime as dt
import hashlib
from collections import Counter

import pytest
import time_machine
from django.test import Client
from django.urls import reverse

from courseiva.accounts.models import User
from practice.handover.adopt import adopt
from practice.handover.afresh.restore import undo
from practice.handover.afresh.start_afresh import start_afresh
from practice.learners.reads.identity import Owner
from practice.learners.trial.rules import CONTRAST, KEPT_BACK, PLAIN, PLAN, Draw
from practice.models import Learner, TrialMiss
from practice.readiness.derive.evidence import reads
from practice.readiness.derive.evidence.forecast import forecast_trial, forecast_waiting
from practice.readiness.derive.evidence.reads import evidence_page, outcomes_of
from practice.readiness.derive.evidence.rules import Outcome, effect_of
from practice.sessions.ending.finish import finish
from practice.sessions.player.check import check
from practice.sessions.player.contrast import answer_contrast
from practice.sessions.player.reads.contrasts import next_variant
from practice.sessions.player.save import claim, save
from practice.start.reads.fitting import DrillChoice, fitting
from questions.models import Question
from tests.support.bank import NOW, add_questions, make_exam
from tests.support.families import add_family
from tests.support.hooks import parsed, states
from tests.support.imports import BASE
from tests.support.sessions import batch, begin_drill, begin_mock, guest, guest_client, learner_of, right_places, state
from tests.support.trial import claims

pytestmark = pytest.mark.long("many requests")

DAY = dt.timedelta(days=1)
OWN = {"HTTP_SEC_FETCH_SITE": "same-origin"}
db = pytest.mark.django_db


@pytest.fixture
def exam(settings):
    settings.EVIDENCE = True
    exam = make_exam()
    add_family(exam, 4)
    add_questions(exam, 3)
    with time_machine.travel(NOW, tick=False):
        yield exam


def drill_with(owner, exam, version=None, now=NOW):
    """Return a drill with a question of the family in it, and that question's item."""
    drill = begin_drill(owner, exam, now, size=40)
    family = drill.items.filter(version__family__isnull=False)
    item = family.get(version=version) if version else family.get()
    return drill, item


def miss(owner, exam, now=NOW):
    """Answer the family's question wrong; return the drill, its item and the trial's assignment."""
    drill, item = drill_with(owner, exam, now=now)
    wrong = (right_places(drill, item.position)[0] + 1) % 4
    check(drill.uuid, owner, state(item.position, 1, wrong), None, now)
    return drill, item, TrialMiss.objects.filter(learner=drill.learner).last()


def put_in(drawn, arm):
    TrialMiss.objects.filter(pk=drawn.pk).update(arm=arm)
    return arm


def test_the_plan_of_the_trial_matches_the_committed_one():
    assert hashlib.sha256((BASE / "docs/evidence-plan.md").read_bytes()).hexdigest() == PLAN


class TestTheDraw:
    @db
    def test_a_miss_is_assigned_once_and_recorded_before_anything_is_shown(self, alice, exam):
        drill, item, drawn = miss(alice.owner, exam)
        assert (drawn.family_id, drawn.missed_id) == (item.version.question.family_id, item.version.question_id)
        assert (drawn.plan, drawn.drawn_at) == (PLAN, NOW)
        assert drawn.kept.family_id == drawn.family_id
        assert drawn.kept_id != drawn.missed_id
        assert drawn.plain.family_id != drawn.family_id
        finish(drill.uuid, alice.owner, NOW + dt.timedelta(minutes=1))
        assert TrialMiss.objects.count() == 1

    @db
    def test_right_answers_small_families_and_reserved_ones_are_not_assigned(self, alice, exam):
        drill, item = drill_with(alice.owner, exam)
        check(drill.uuid, alice.owner, state(item.position, 1, *right_places(drill, item.position)), None, NOW)
        assert not TrialMiss.objects.exists()
        bob = guest()[0]
        Question.objects.filter(family__isnull=False, place__gte=3).update(withdrawn_at=NOW)
        assert miss(bob, exam)[2] is None
        Question.objects.update(withdrawn_at=None)
        Question.objects.filter(family__isnull=False).update(pool="reserved")
        drill = begin_drill(guest()[0], exam, NOW, size=40)
        assert not drill.items.filter(version__family__isnull=False, version__question__pool="open").exists()

    @db
    @pytest.mark.parametrize("off", ["site", "learner"])
    def test_nobody_is_assigned_if_the_site_or_the_learner_switched_the_trial_off(self, alice, exam, settings, off):
        settings.EVIDENCE = off != "site"
        learner_of(alice.owner)
        Learner.objects.update(in_trial=off != "learner")
        assert miss(alice.owner, exam)[2] is None

    @db
    def test_a_submitted_mock_assigns_too_but_one_ended_by_time_does_not(self, alice, exam):
        for owner, minutes in ((alice.owner, 1), (guest()[0], 500)):
            mock = begin_mock(owner, exam, 10, NOW, public_only=True)
            wrong = [(right_places(mock, n)[0] + 1) % 4 for n in range(1, 11)]
            states = [state(n, 1, place, seconds=30) for n, place in enumerate(wrong, 1)]
            save(mock.uuid, owner, batch(claim(mock.uuid, owner, NOW).writer, *states), NOW)
            finish(mock.uuid, owner, NOW + dt.timedelta(minutes=minutes))
            had = mock.items.filter(version__family__isnull=False).exists()
            assert TrialMiss.objects.filter(learner=mock.learner).exists() is (had and minutes == 1)

    def test_each_pair_has_both_arms_in_an_even_random_order(self):
        first = [Draw(f"session {n}", 1).arm([]) for n in range(1000)]
        assert 450 < Counter(first)[CONTRAST] < 550
        assert {Draw("a", 1).arm([CONTRAST]), Draw("b", 2).arm([PLAIN, CONTRAST, CONTRAST])} == {PLAIN}
        assert Draw("a", 1).arm([PLAIN]) == CONTRAST
        assert Draw("a", 1).of("abcdef", 1) == Draw("a", 1).of("abcdef", 1)


class TestWhatFollows:
    @db
    def test_the_contrast_is_never_the_variant_held_back(self, alice, exam):
        drill, item, drawn = miss(alice.owner, exam)
        put_in(drawn, CONTRAST)
        for _ in range(2):
            variant = next_variant(drill, item.position)
            assert variant.question.family_id == drawn.family_id
            assert variant.question_id != drawn.kept_id
            answer_contrast(alice.owner, drill, item.position, variant.question_id, [1], NOW)
        assert next_variant(drill, item.position, drawn.kept_id) is None

    @db
    def test_the_other_arm_gets_one_plain_question_and_no_variant(self, alice, exam):
        drill, item, drawn = miss(alice.owner, exam)
        put_in(drawn, PLAIN)
        assert next_variant(drill, item.position).question_id == drawn.plain_id
        page = parsed(alice.get(drill.get_absolute_url()))
        assert page.select_one(f"#q{item.position} [data-step=plain] a")
        assert not page.select(f"#q{item.position} [data-step=contrast]")
        asked = alice.get(reverse("contrast", args=[drill.uuid, item.position]))
        assert asked.status_code == 200
        answer = alice.post(
            reverse("contrast", args=[drill.uuid, item.position]), {"variant": drawn.plain_id, "slot": 1}, **OWN
        )
        assert alice.get(answer.url).status_code == 200
        assert next_variant(drill, item.position) is None
        assert not parsed(alice.get(drill.get_absolute_url())).select("[data-step=plain], [data-step=contrast]")

    @db
    def test_after_fourteen_days_the_variants_are_shown_again(self, alice, exam):
        drill, item, drawn = miss(alice.owner, exam)
        put_in(drawn, PLAIN)
        with time_machine.travel(NOW + 15 * DAY, tick=False):
            assert next_variant(drill, item.position).question.family_id == drawn.family_id

    @db
    def test_no_drill_or_mock_shows_the_variant_held_back_for_three_days(self, alice, exam):
        _, _, drawn = miss(alice.owner, exam)
        others = Question.objects.filter(family=drawn.family_id).exclude(pk=drawn.kept_id)
        others.exclude(pk=drawn.missed_id).update(withdrawn_at=NOW)
        for days, shown in ((2, False), (4, True)):
            now = NOW + days * DAY
            with time_machine.travel(now, tick=False):
                whole = begin_drill(alice.owner, exam, now, size=40)
                assert whole.items.filter(version__question=drawn.kept_id).exists() is shown

    @db
    def test_other_learners_see_the_variant_held_back(self, alice, exam):
        _, _, drawn = miss(alice.owner, exam)
        for owner, kept in ((alice.owner, True), (guest()[0], False)):
            rows = fitting(learner_of(owner), exam, DrillChoice())
            assert rows.filter(question=drawn.kept_id).exists() is not kept
            assert rows.filter(question__family=drawn.family_id).count() == (3 if kept else 4)


class TestTheOutcome:
    def answered(self, owner, exam, days, right=True):
        """Answer the family's held-back question that many days later; return the assignment."""
        _, _, drawn = miss(owner, exam)
        forecast_trial(drawn.learner_id, NOW)
        Question.objects.filter(family=drawn.family_id).exclude(pk=drawn.kept_id).update(withdrawn_at=NOW)
        now = NOW + days * DAY
        with time_machine.travel(now, tick=False):
            drill, item = drill_with(owner, exam, now=now)
            places = right_places(drill, item.position)
            chosen = places if right else [(places[0] + 1) % 4]
            check(drill.uuid, owner, state(item.position, 1, *chosen), None, now)
        return drawn

    @db
    @pytest.mark.parametrize("right", [True, False])
    def test_the_outcome_is_the_first_answer_after_three_days_beside_the_prediction(self, alice, exam, right):
        drawn = self.answered(alice.owner, exam, 4, right)
        drawn.refresh_from_db()
        assert 0.25 < drawn.forecast < 1
        assert outcomes_of(exam) == [Outcome(drawn.learner_id, drawn.arm == CONTRAST, right, drawn.forecast)]

    @db
    def test_an_answer_after_fourteen_days_is_not_an_outcome(self, alice, exam):
        self.answered(alice.owner, exam, 15)
        assert outcomes_of(exam) == []

    @db
    def test_an_answer_without_an_earlier_prediction_is_not_an_outcome(self, alice, exam):
        drawn = self.answered(alice.owner, exam, 4)
        TrialMiss.objects.update(forecast_at=NOW + 5 * DAY)
        assert outcomes_of(exam) == []
        TrialMiss.objects.update(forecast=None)
        assert forecast_waiting(NOW + 6 * DAY) == 1
        assert drawn.forecast is None
        assert outcomes_of(exam) == []

    @db
    def test_the_prediction_uses_only_what_was_known_at_assignment(self, alice, exam):
        _, _, drawn = miss(alice.owner, exam)
        forecast_trial(drawn.learner_id, NOW)
        drawn.refresh_from_db()
        before = drawn.forecast
        for n in range(3):
            other = begin_drill(alice.owner, exam, NOW + DAY + dt.timedelta(minutes=n), size=3, domains=("d1",))
            finish(other.uuid, alice.owner, NOW + DAY + dt.timedelta(minutes=n))
        TrialMiss.objects.update(forecast=None)
        forecast_trial(drawn.learner_id, NOW + 2 * DAY)
        drawn.refresh_from_db()
        assert drawn.forecast == before

    @db
    def test_outcomes_under_another_plan_or_from_simulated_people_do_not_count(self, exam, settings):
        carol = User.objects.create_user(email="carol@demo.courseiva.example", password="x")
        self.answered(Owner(user_id=carol.pk), exam, 4)
        assert outcomes_of(exam) == []
        assert evidence_page(exam).drawn == 0
        settings.DEMO = True
        assert len(outcomes_of(exam)) == 1
        TrialMiss.objects.update(plan="0" * 64)
        assert outcomes_of(exam) == []


class TestTheLook:
    def test_chance_is_rarely_taken_for_an_effect_and_a_large_effect_is_found(self):
        alarms, mean = claims(100, 1)
        assert alarms <= 0.1
        assert abs(mean) < 0.005
        power, mean = claims(30, 2, effect=0.1)
        assert power == 1
        assert abs(mean - 0.1) < 0.01

    def test_one_arm_or_one_learner_gives_no_estimate(self):
        assert effect_of([]) is None
        assert effect_of([Outcome(n, True, True, 0.5) for n in range(9)]) is None
        assert effect_of([Outcome(1, n % 2 == 0, True, 0.5) for n in range(9)]) is None

    @db
    def test_there_is_no_estimate_before_all_outcomes_are_in(self, exam, monkeypatch):
        page = Client().get(reverse("evidence", args=["pmle"]))
        assert states(page) == ["waiting"]
        some = [Outcome(n % 5, n % 2 == 0, n % 4 > 0, 0.5) for n in range(20)]
        monkeypatch.setattr(reads, "outcomes_of", lambda _: some)
        assert (evidence_page(exam).n, evidence_page(exam).effect) == (20, None)

    @db
    @pytest.mark.parametrize(("better", "state"), [(True, "shown"), (False, "null")])
    def test_the_first_outcomes_are_analysed_and_a_null_result_is_shown_too(self, exam, monkeypatch, better, state):
        monkeypatch.setattr(reads, "LOOK_AT", 20)
        first = [Outcome(n % 5, n // 5 % 2 == 0, n // 5 % 2 == 0 if better else n % 3 > 0, 0.5) for n in range(20)]
        later = [Outcome(9, n % 2 == 0, n % 2 == 1, 0.5) for n in range(20)]
        monkeypatch.setattr(reads, "outcomes_of", lambda _: first + later)
        page = Client().get(reverse("evidence", args=["pmle"]))
        assert states(page) == [state]
        assert evidence_page(exam).effect == effect_of(first)
        assert PLAN in page.text


class TestWhoTakesPart:
    @db
    def test_one_switch_ends_participation_and_deletes_the_assignments(self, alice, exam):
        drill, item, drawn = miss(alice.owner, exam)
        put_in(drawn, PLAIN)
        assert states(alice.get(reverse("trial"))) == ["in"]
        assert alice.post(reverse("trial"), **OWN).status_code == 302
        assert states(alice.get(reverse("trial"))) == ["out"]
        assert next_variant(drill, item.position).question.family_id == drawn.family_id
        assert not TrialMiss.objects.exists()
        alice.post(reverse("trial"), {"on": "1"}, **OWN)
        assert learner_of(alice.owner).in_trial

    @db
    @pytest.mark.parametrize("is_running", [True, False])
    def test_the_privacy_page_explains_the_variant_held_back_and_links_to_the_switch(self, exam, settings, is_running):
        settings.EVIDENCE = is_running
        told = parsed(Client().get(reverse("article", args=["privacy"]))).select("[data-trial]")
        assert len(told) == is_running
        for each in told:
            links = [link["href"] for link in each.select("a")]
            assert links == [reverse("evidence", args=["pmle"]), reverse("trial")]
            assert int(each.select_one("[data-held-days]")["data-held-days"]) == KEPT_BACK.days

    @db
    def test_a_stranger_can_opt_out_before_the_first_answer(self, exam):
        stranger = Client()
        assert stranger.post(reverse("trial"), **OWN).status_code == 302
        assert not Learner.objects.get().in_trial

    @db
    def test_a_guests_opt_out_carries_over_to_the_account(self, exam):
        owner, token = guest()
        guest_client(token).post(reverse("trial"), **OWN)
        carol = Owner(user_id=User.objects.create_user(email="carol@example.com", password="x").pk)
        adopt(owner, carol, NOW)
        assert not learner_of(carol).in_trial

    @db
    def test_a_fresh_start_archives_the_assignment_and_undo_restores_it(self, alice, exam):
        drill, _, drawn = miss(alice.owner, exam)
        finish(drill.uuid, alice.owner, NOW)
        start_afresh(alice.owner, exam, NOW + DAY)
        assert not TrialMiss.objects.filter(learner=learner_of(alice.owner)).exists()
        undo(alice.owner, exam, NOW + 2 * DAY)
        assert TrialMiss.objects.get().learner_id == drawn.learner_id
