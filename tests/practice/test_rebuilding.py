"""What is derived session by session equals what a rebuild derives from the answers, whatever happened in between."""

import contextlib
import datetime as dt

import pytest
from django.core.management import call_command
from django.test import override_settings
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test

from courseiva.accounts.models import User
from practice.handover.adopt import adopt
from practice.handover.afresh.restore import let_go, undo
from practice.handover.afresh.start_afresh import start_afresh
from practice.handover.forget import forget, purge_idle_guests
from practice.learners.reads.identity import Owner
from practice.measurement.calibration.nightly import calibrate_exam
from practice.measurement.health.measure import measure_all
from practice.models import (
    Learner,
    Note,
    PracticeSession,
    Regrade,
    ReviewCard,
    SessionItem,
    Standing,
    Star,
)
from practice.readiness.derive.analyse import analyse, analyse_waiting, refresh_standings
from practice.readiness.derive.rebuild import rebuild_analytics
from practice.regrade.apply import Correction, regrade, run
from practice.regrade.reopening.reads import refusal_of
from practice.regrade.reopening.reopen import Wish, reopen
from practice.sessions.ending.finish import close_expired, discard, finish
from practice.sessions.errors import AlreadyRunning
from practice.sessions.models import Mode
from practice.sessions.player.check import answer_on_page, check, open_hint
from practice.sessions.player.contrast import answer_contrast
from practice.sessions.player.reads.contrasts import next_variant
from practice.sessions.player.save import claim, save
from questions.models import Blueprint, Exam, OptionStatistics, Question, VersionStatistics
from tests.support.bank import NOW, add_questions, make_exam
from tests.support.derived import derived
from tests.support.families import add_family
from tests.support.hooks import figures
from tests.support.sessions import batch, begin_drill, begin_mock, guest, state

FEW, MANY = 12, 40
STEPS = 20
PEOPLE = 2
CORRECTIONS = [
    ("other_key", ((2,),)), ("either", ((1,), (3,))), ("left_out", ()), ("full", ()), ("other_key", ((1,),)),
]  # fmt: skip
LENGTH = 8


class Practice(RuleBasedStateMachine):
    """A state machine of guests who drill, take mocks, sign in, leave and are forgotten."""

    @initialize()
    def begin(self) -> None:
        _wipe()
        self.now = NOW
        self.staff = User.objects.create_user(email="boss@example.com")
        self.exam = Exam.objects.get()
        self.owners = [guest()[0] for _ in range(PEOPLE)]

    def wait(self, minutes: int) -> dt.datetime:
        self.now += dt.timedelta(minutes=minutes)
        return self.now

    def states(self, session: PracticeSession, choices: list[int]):
        return [state(n, 1, choice, seconds=30) for n, choice in enumerate(choices, start=1) if choice < 4]

    @rule(who=st.integers(0, PEOPLE - 1), choices=st.lists(st.integers(0, 4), min_size=LENGTH, max_size=LENGTH))
    def sit_a_mock(self, who: int, choices: list[int]) -> None:
        session = begin_mock(self.owners[who], self.exam, LENGTH, self.wait(1))
        claim(session.uuid, self.owners[who], self.now)
        save(session.uuid, self.owners[who], batch(1, *self.states(session, choices)), self.now)
        finish(session.uuid, self.owners[who], self.wait(5))
        analyse(session.pk, self.now)

    @rule(who=st.integers(0, PEOPLE - 1), choices=st.lists(st.integers(0, 3), min_size=6, max_size=6))
    def leave_a_mock_to_the_sweeper(self, who: int, choices: list[int]) -> None:
        session = begin_mock(self.owners[who], self.exam, LENGTH, self.wait(1))
        claim(session.uuid, self.owners[who], self.now)
        save(session.uuid, self.owners[who], batch(1, *self.states(session, choices)), self.now)
        close_expired(self.wait(60))

    @rule(
        who=st.integers(0, PEOPLE - 1), choices=st.lists(st.integers(0, 3), min_size=1, max_size=7), hint=st.booleans()
    )
    def drill(self, who: int, choices: list[int], hint: bool) -> None:
        session = begin_drill(self.owners[who], self.exam, self.wait(1), size=7, order="random")
        if hint:
            open_hint(session.uuid, self.owners[who], 1)
        for n, choice in enumerate(choices, start=1):
            check(session.uuid, self.owners[who], state(n, 1, choice), None, self.wait(1))
        if len(choices) < 7:
            finish(session.uuid, self.owners[who], self.wait(1))

    @rule(who=st.integers(0, PEOPLE - 1), slot=st.integers(1, 4), number=st.integers(1, 5))
    def answer_a_page(self, who: int, slot: int, number: int) -> None:
        answer_on_page(self.owners[who], Question.objects.get(number=number), [slot], self.wait(1))

    @rule(who=st.integers(0, PEOPLE - 1), slot=st.integers(1, 4), days=st.integers(0, 9))
    def change_one_thing(self, who: int, slot: int, days: int) -> None:
        """Answer or decline a contrast to the newest marked question of a family, days later."""
        mine = {f"session__{name}": value for name, value in self.owners[who].of_row.items()}
        shown = SessionItem.objects.filter(**mine, version__family__isnull=False, session__finished_at__isnull=False)
        item = shown.filter(session__mode__in=[Mode.DRILL, Mode.MOCK]).order_by("session", "position").last()
        variant = next_variant(item.session, item.position) if item else None
        if item and variant:
            now, slots = self.wait(1 + days * 24 * 60), [slot] if slot < 4 else []
            made = answer_contrast(self.owners[who], item.session, item.position, variant.question_id, slots, now)
            if days % 2:
                analyse(made.pk, now)

    @rule(who=st.integers(0, PEOPLE - 1))
    def throw_a_mock_away(self, who: int) -> None:
        session = begin_mock(self.owners[who], self.exam, LENGTH, self.wait(1))
        discard(session.uuid, self.owners[who], self.now)

    @rule(
        who=st.integers(0, PEOPLE - 1),
        choices=st.lists(st.integers(0, 3), min_size=2, max_size=2),
        end=st.sampled_from(["submitted", "time", "discarded"]),
    )
    def reopen_what_time_ended(self, who: int, choices: list[int], end: str) -> None:
        mine = {f"session__{name}": value for name, value in self.owners[who].of_row.items()}
        ended = SessionItem.objects.filter(**mine, session__ended="time").order_by("-session__finished_at").first()
        if ended is None or refusal_of(ended.session, self.wait(1)):
            return
        reopen(ended.session_id, Wish(5, "The clock was wrong."), self.staff, self.now)
        session, owner = ended.session, self.owners[who]
        writer = claim(session.uuid, owner, self.wait(1)).writer
        save(session.uuid, owner, batch(writer, *self.states(session, choices)), self.now)
        if end == "time":
            close_expired(self.wait(60))
        else:
            (finish if end == "submitted" else discard)(session.uuid, owner, self.wait(1))

    @rule(who=st.integers(0, PEOPLE - 1))
    def sign_in(self, who: int) -> None:
        if self.owners[who].guest_key:
            user, _ = User.objects.get_or_create(email="carol@example.com")
            account = Owner(user_id=user.pk)
            adopt(self.owners[who], account, self.wait(1))
            self.owners[who] = account

    @rule(who=st.integers(0, PEOPLE - 1))
    def be_forgotten(self, who: int) -> None:
        learner = Learner.objects.filter(**self.owners[who].of_learner).first()
        if learner:
            forget(learner.pk, self.wait(1))

    @rule(who=st.integers(0, PEOPLE - 1))
    def begin_again(self, who: int) -> None:
        with contextlib.suppress(AlreadyRunning):
            start_afresh(self.owners[who], self.exam, self.wait(1))

    @rule(who=st.integers(0, PEOPLE - 1))
    def want_it_back(self, who: int) -> None:
        undo(self.owners[who], self.exam, self.wait(1))

    @rule()
    def let_archives_go(self) -> None:
        let_go(self.wait(1))

    @rule()
    def stay_away_and_be_purged(self) -> None:
        purge_idle_guests(self.wait(200 * 24 * 60))

    @rule(
        number=st.integers(1, 5),
        how=st.sampled_from(CORRECTIONS),
    )
    def correct_a_key(self, number: int, how: tuple[str, tuple[tuple[int, ...], ...]]) -> None:
        version = Question.objects.get(number=number).live_version
        made = regrade(version, Correction(*how, "The page was read again."), None, self.wait(1))
        run(made.pk, self.wait(1))

    @rule()
    def let_the_worker_catch_up(self) -> None:
        analyse_waiting(self.wait(1))

    @rule()
    def calibrate(self) -> None:
        calibrate_exam(self.exam, lambda: self.wait(1))
        measure_all()

    def teardown(self) -> None:
        analyse_waiting(self.wait(2 * 24 * 60))
        refresh_standings(self.now)
        measure_all()
        before = derived()
        rebuild_analytics(self.now)
        assert derived() == before


def _wipe() -> None:
    Regrade.objects.all().delete()
    User.objects.all().delete()
    Learner.objects.update(user=None)
    SessionItem.objects.all().delete()
    PracticeSession.objects.all().delete()
    Learner.objects.all().delete()
    VersionStatistics.objects.all().delete()
    OptionStatistics.objects.all().delete()
    Exam.objects.get().calibrations.all().delete()


@pytest.mark.django_db
@override_settings(ACCOUNT_MOCKS_A_DAY=1000)  # simulated days hold more mocks than a person could take
@pytest.mark.parametrize("examples", [FEW, pytest.param(MANY, marks=pytest.mark.soak)])
def test_a_rebuild_gives_the_same_derived_rows(examples):
    exam = make_exam()
    Blueprint.objects.update(question_count=LENGTH, minutes=16)
    add_questions(exam, 6)
    add_questions(exam, 3, pool="reserved")
    for number in (1, 2, 3):
        add_family(exam, domain=f"d{number}")
        add_family(exam, 2, pool="reserved", domain=f"d{number}")
    run_state_machine_as_test(
        Practice,
        settings=settings(
            max_examples=examples,
            stateful_step_count=STEPS,
            deadline=None,
            suppress_health_check=list(HealthCheck),
            derandomize=True,
        ),
    )


@pytest.fixture
def exam():
    exam = make_exam()
    add_questions(exam, 4)
    return exam


@pytest.mark.django_db
class TestForgetting:
    def test_a_deleted_learners_answers_stay_without_the_person(self, exam):
        user = User.objects.create_user(email="carol@example.com", password="x")
        owner = Owner(user_id=user.pk)
        session = begin_mock(owner, exam, 10)
        question = Question.objects.first()
        learner = Learner.objects.get()
        Learner.objects.update(time_zone="Europe/Lisbon", time_factor=2)
        Star.objects.create(learner=learner, question=question, made_at=NOW)
        Note.objects.create(learner=learner, question=question, text="mine", changed_at=NOW)
        finish(session.uuid, owner, NOW + dt.timedelta(minutes=1))
        analyse(session.pk, NOW + dt.timedelta(minutes=2))
        running = begin_mock(owner, exam, 10, NOW + dt.timedelta(minutes=3))
        forget(learner.pk, NOW + dt.timedelta(minutes=4))
        user.delete()
        learner.refresh_from_db()
        assert (learner.user, learner.guest_key, learner.time_zone, learner.time_factor) == (None, None, "UTC", 1)
        for gone in (Star, Note, Standing, ReviewCard):
            assert not gone.objects.exists()
        running.refresh_from_db()
        assert running.discarded_at
        assert session.items.count() == 10

    def test_a_learner_without_sessions_is_deleted_entirely(self, exam):
        learner = Learner.objects.create(guest_key="k", created_at=NOW)
        forget(learner.pk, NOW)
        assert not Learner.objects.exists()

    def test_only_guests_idle_for_as_long_as_their_cookie_are_purged(self, exam):
        alice, bob = guest()[0], guest()[0]
        carol = Owner(user_id=User.objects.create_user(email="carol@example.com", password="x").pk)
        question = Question.objects.get(number=1)
        for owner in (alice, bob, carol):
            answer_on_page(owner, question, [1], NOW)
        answer_on_page(bob, question, [1], NOW + dt.timedelta(days=100))
        assert purge_idle_guests(NOW + dt.timedelta(days=179)) == 0
        assert purge_idle_guests(NOW + dt.timedelta(days=181)) == 1
        assert set(Learner.objects.values_list("guest_key", "user")) == {
            (None, None), (bob.guest_key, None), (None, carol.user_id),
        }  # fmt: skip
        assert purge_idle_guests(NOW + dt.timedelta(days=182)) == 0


@pytest.mark.django_db
def test_the_commands_report_what_they_did(exam, capsys):
    call_command("calibrate", "pmle")
    assert figures(capsys.readouterr().out) == []
    session = begin_mock(guest()[0], exam, 10)
    claim(session.uuid, Owner(guest_key=Learner.objects.get().guest_key), NOW)
    save(session.uuid, Owner(guest_key=Learner.objects.get().guest_key), batch(1, state(1, 1, 0)), NOW)
    finish(session.uuid, Owner(guest_key=Learner.objects.get().guest_key), NOW)
    call_command("rebuild_analytics")
    call_command("calibrate", "pmle")
    out = capsys.readouterr().out
    assert [figures(line)[:3] for line in out.splitlines()] == [[1], [1, 1, 1]]
