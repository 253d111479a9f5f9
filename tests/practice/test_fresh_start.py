"""Starting an exam afresh deletes some things and keeps others, and can be undone."""

import datetime as dt

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from courseiva.accounts.models import User
from practice.handover.adopt import adopt
from practice.handover.afresh import start_afresh as writing
from practice.handover.afresh.reads import afresh_page
from practice.handover.afresh.restore import let_go, undo
from practice.handover.afresh.start_afresh import start_afresh
from practice.handover.forget import forget, purge_idle_guests
from practice.learners.reads.identity import Owner
from practice.measurement.ability.reads import past_of
from practice.models import (
    CardTurn,
    FreshStart,
    Learner,
    Mode,
    Note,
    PracticeSession,
    ReviewCard,
    SessionItem,
    Standing,
    Star,
)
from practice.notebook.keep import keep_note, set_star
from practice.readiness.derive.analyse import analyse, refresh_standings
from practice.readiness.derive.rebuild import rebuild_analytics
from practice.sessions.ending.finish import discard, finish
from practice.sessions.errors import AlreadyRunning
from practice.sessions.player.check import answer_on_page, check
from practice.sessions.player.save import claim, save
from practice.sessions.reads.history import history_page
from practice.sessions.reads.shown import seen_questions, shown_questions
from practice.start.rationing.reads import may_draw_reserved
from questions.models import OptionStatistics, Question, VersionStatistics
from tests.support.bank import NOW, add_questions, make_exam
from tests.support.derived import derived
from tests.support.hooks import codes, parsed, states
from tests.support.sessions import batch, begin_drill, begin_mock, guest, learner_of, right_places, state

pytestmark = [pytest.mark.long("many requests"), pytest.mark.django_db]
COUNT = 10
OWN = {"HTTP_SEC_FETCH_SITE": "same-origin"}
STATEMENTS = 12


@pytest.fixture
def exam():
    exam = make_exam()
    add_questions(exam, 4)
    add_questions(exam, 3, pool="reserved")
    return exam


def after(days=0, minutes=0):
    return NOW + dt.timedelta(days=days, minutes=minutes)


def sit(owner, exam, now=NOW):
    """Finish and analyse a mock with one right answer and the others wrong."""
    session = begin_mock(owner, exam, COUNT, now)
    states = [state(1, 1, *right_places(session, 1), seconds=30)]
    states += [state(n, 1, (right_places(session, n)[0] + 1) % 4, seconds=30) for n in range(2, COUNT + 1)]
    save(session.uuid, owner, batch(claim(session.uuid, owner, now).writer, *states), now)
    finish(session.uuid, owner, now + dt.timedelta(minutes=10))
    analyse(session.pk, now + dt.timedelta(minutes=11))
    return session


def everything(owner, exam):
    """Create a mock with a note and a star, a page answer, a running drill with one answer and a discarded mock."""
    session = sit(owner, exam)
    keep_note(owner, session.uuid, 1, "Look at the batch size.", NOW)
    set_star(owner, session.uuid, 2, True, NOW)
    answer_on_page(owner, Question.objects.get(exam=exam, number=1), [1], after(minutes=20))
    thrown = begin_mock(owner, exam, COUNT, after(minutes=25))
    displayed = state(1, 1, seconds=30, displayed=True)
    save(thrown.uuid, owner, batch(claim(thrown.uuid, owner, after(minutes=25)).writer, displayed), after(minutes=26))
    discard(thrown.uuid, owner, after(minutes=27))
    drill = begin_drill(owner, exam, after(minutes=30), size=5)
    check(drill.uuid, owner, state(1, 1, 0), None, after(minutes=31))
    learner = learner_of(owner)
    question = Question.objects.filter(exam=exam).earliest("pk")
    CardTurn.objects.create(learner=learner, exam=exam, question=question, at=after(minutes=32), knew=True)
    return session


def facts(owner):
    """Return every session and item of a learner, and everything derived from them."""
    learner = Learner.objects.get(**owner.of_learner)
    items = SessionItem.objects.filter(session__learner=learner).order_by("session", "position")
    cards = ReviewCard.objects.filter(learner=learner).order_by("question").values("question_id", "due_at")
    return list(items.values()), list(cards), list(Standing.objects.filter(learner=learner).values("answers", "chance"))


class TestWhatGoes:
    def test_a_fresh_start_deletes_sessions_answers_cards_and_readiness(self, alice, exam):
        everything(alice.owner, exam)
        start_afresh(alice.owner, exam, after(days=1))
        learner = learner_of(alice.owner)
        page = history_page(learner, "1", after(days=1))
        assert (page.past, page.open) == ([], [])
        for model in (Standing, ReviewCard, CardTurn):
            assert not model.objects.filter(learner=learner).exists()
        assert past_of(learner.pk, exam.pk).answers == []

    def test_a_fresh_start_leaves_other_exams_alone(self, alice, exam):
        other = make_exam("ace")
        add_questions(other, 4)
        sit(alice.owner, other)
        everything(alice.owner, exam)
        before = Standing.objects.filter(exam=other).values().get()
        start_afresh(alice.owner, exam, after(days=1))
        assert learner_of(alice.owner).sessions.filter(exam=other).count() == 1
        assert Standing.objects.filter(exam=other).values().get() == before

    def test_after_a_fresh_start_nobody_can_open_the_old_results_page(self, alice, exam):
        session = everything(alice.owner, exam)
        address = reverse("results", args=[session.uuid])
        assert alice.get(address).status_code == 200
        start_afresh(alice.owner, exam, after(days=1))
        assert alice.get(address).status_code == 404

    def test_a_fresh_start_is_all_or_nothing(self, alice, exam, monkeypatch):
        everything(alice.owner, exam)
        before = facts(alice.owner)

        def broken(*args):
            raise RuntimeError

        monkeypatch.setattr(writing, "refresh", broken)
        with pytest.raises(RuntimeError):
            start_afresh(alice.owner, exam, after(days=1))
        assert facts(alice.owner) == before
        assert not FreshStart.objects.exists()


class TestWhatStays:
    def test_a_fresh_start_keeps_notes_and_stars(self, alice, exam):
        everything(alice.owner, exam)
        start_afresh(alice.owner, exam, after(days=1))
        learner = learner_of(alice.owner)
        assert (Note.objects.filter(learner=learner).count(), Star.objects.filter(learner=learner).count()) == (1, 1)
        assert alice.get(reverse("notebook", args=["pmle"])).status_code == 200

    def test_question_statistics_stay_and_a_rebuild_gives_the_same(self, alice, exam):
        everything(alice.owner, exam)
        before = list(VersionStatistics.objects.order_by("version").values())
        assert before
        start_afresh(alice.owner, exam, after(days=1))
        # The fresh start ended this drill, which had one more answer.
        for session in PracticeSession.objects.filter(analysed_at=None, finished_at__isnull=False):
            analyse(session.pk, after(days=1))
        assert {row["version_id"]: row["n"] for row in before}.items() <= dict(
            VersionStatistics.objects.values_list("version", "n")
        ).items()
        refresh_standings(after(days=2))
        made = derived()
        rebuild_analytics(after(days=2))
        assert derived() == made
        assert OptionStatistics.objects.exists()

    def test_seen_questions_stay_seen_and_shown_solutions_stay_shown(self, alice, exam):
        everything(alice.owner, exam)
        finish(PracticeSession.objects.get(mode=Mode.DRILL).uuid, alice.owner, after(minutes=40))
        learner = learner_of(alice.owner)
        seen = set(seen_questions(learner).values_list("version__question_id", flat=True))
        shown = set(shown_questions(learner).values_list("version__question_id", flat=True))
        assert shown < seen
        start_afresh(alice.owner, exam, after(days=1))
        again = set(shown_questions(learner).values_list("version__question_id", flat=True))
        assert set(seen_questions(learner).values_list("version__question_id", flat=True)) == seen
        # The question's own page has shown its solution too.
        assert again - shown <= {Question.objects.get(number=1).pk}
        assert shown <= again

    def test_display_in_a_discarded_mock_does_not_count_as_shown(self, alice, exam):
        sit(alice.owner, exam)
        thrown = begin_mock(alice.owner, exam, COUNT, after(minutes=25))
        writer = claim(thrown.uuid, alice.owner, after(minutes=25)).writer
        states = [state(n, 1, seconds=30, displayed=True) for n in range(1, COUNT + 1)]
        save(thrown.uuid, alice.owner, batch(writer, *states), after(minutes=26))
        discard(thrown.uuid, alice.owner, after(minutes=27))
        learner = learner_of(alice.owner)
        only = set(thrown.items.values_list("version__question_id", flat=True)) - set(
            shown_questions(learner).values_list("version__question_id", flat=True)
        )
        assert only
        start_afresh(alice.owner, exam, after(days=1))
        assert only <= set(seen_questions(learner).values_list("version__question_id", flat=True))
        assert not only & set(shown_questions(learner).values_list("version__question_id", flat=True))

    def test_a_question_is_a_first_exposure_only_once(self, alice, exam):
        sit(alice.owner, exam)
        start_afresh(alice.owner, exam, after(days=1))
        learner = learner_of(alice.owner)
        known = set(seen_questions(learner).values_list("version__question_id", flat=True))
        everything_again = begin_drill(alice.owner, exam, after(days=2), size=40)
        items = list(everything_again.items.select_related("version"))
        assert known & {item.version.question_id for item in items}
        for item in items:
            check(everything_again.uuid, alice.owner, state(item.position, 1, 0), None, after(days=2))
        stamps = dict(everything_again.items.values_list("version__question_id", "first_exposure"))
        assert all(first is (question not in known) for question, first in stamps.items())
        assert {item.seen_before for item in items if item.version.question_id in known} == {True}

    def test_after_a_fresh_start_a_mock_takes_unseen_questions_first(self, alice, exam):
        sit(alice.owner, exam)
        known = set(seen_questions(learner_of(alice.owner)).values_list("version__question_id", flat=True))
        start_afresh(alice.owner, exam, after(days=1))
        session = begin_mock(alice.owner, exam, COUNT, after(days=2))
        assert not known & set(session.items.values_list("version__question_id", flat=True))

    def test_a_fresh_start_does_not_reset_the_limit_on_reserved_mocks(self, exam, settings):
        settings.ACCOUNT_MOCKS_A_DAY = 1
        carol = Owner(user_id=User.objects.create_user(email="carol@example.com", password="x").pk)
        sit(carol, exam)
        start_afresh(carol, exam, after(minutes=30))
        assert not may_draw_reserved(learner_of(carol), "", after(minutes=31))

    def test_a_guest_is_not_purged_for_having_no_answers_left(self, alice, exam):
        everything(alice.owner, exam)
        start_afresh(alice.owner, exam, after(days=170))
        let_go(after(days=190))
        assert purge_idle_guests(after(days=190)) == 0
        assert purge_idle_guests(after(days=360)) == 1


class TestRunningSessions:
    def test_a_mock_in_progress_prevents_a_fresh_start_and_nothing_changes(self, alice, exam):
        everything(alice.owner, exam)
        begin_mock(alice.owner, exam, COUNT, after(days=1))
        before = facts(alice.owner)
        with pytest.raises(AlreadyRunning):
            start_afresh(alice.owner, exam, after(days=1, minutes=5))
        assert facts(alice.owner) == before

    def test_a_fresh_start_closes_a_mock_whose_time_is_over(self, alice, exam):
        mock = begin_mock(alice.owner, exam, COUNT, NOW)
        start_afresh(alice.owner, exam, after(days=1))
        mock.refresh_from_db()
        assert (mock.ended, mock.learner.guest_key) == ("time", None)

    def test_the_page_names_the_running_mock_and_links_to_it(self, alice, exam):
        session = begin_mock(alice.owner, exam, COUNT, timezone.now())
        page = alice.get(reverse("afresh", args=["pmle"]))
        assert "mock-running" in states(page)
        assert parsed(page).select_one(f'[data-state="mock-running"] a[href^="{session.get_absolute_url()}"]')
        assert not parsed(page).select("form[data-state=ready]")
        refused = alice.post(reverse("afresh", args=["pmle"]), {"code": "pmle"}, **OWN)
        assert (refused.status_code, "mock-running" in states(refused)) == (409, True)

    def test_a_fresh_start_ends_a_running_drill(self, alice, exam):
        everything(alice.owner, exam)
        start_afresh(alice.owner, exam, after(days=1))
        assert not PracticeSession.objects.filter(mode=Mode.DRILL, finished_at=None).exists()


class TestTheWayBack:
    def test_undoing_a_fresh_start_restores_everything_beside_later_work(self, alice, exam):
        everything(alice.owner, exam)
        finish(PracticeSession.objects.get(mode=Mode.DRILL).uuid, alice.owner, after(minutes=40))
        analyse(PracticeSession.objects.get(mode=Mode.DRILL).pk, after(minutes=41))
        refresh_standings(after(days=1))
        items, cards, standing = facts(alice.owner)
        start_afresh(alice.owner, exam, after(days=1))
        assert undo(alice.owner, exam, after(days=2))
        assert facts(alice.owner) == (items, cards, standing)
        assert not FreshStart.objects.exists()
        assert Learner.objects.count() == 1

    def test_undoing_keeps_the_sessions_since_the_fresh_start(self, alice, exam):
        everything(alice.owner, exam)
        start_afresh(alice.owner, exam, after(days=1))
        later = sit(alice.owner, exam, after(days=2))
        assert undo(alice.owner, exam, after(days=3))
        learner = learner_of(alice.owner)
        assert learner.sessions.filter(pk=later.pk).exists()
        assert not learner.sessions.filter(mode=Mode.MET).exists()
        assert learner.sessions.filter(mode=Mode.MOCK, discarded_at=None).count() == 2

    def test_the_newest_fresh_start_is_undone_first_and_then_the_one_before(self, alice, exam):
        sit(alice.owner, exam)
        start_afresh(alice.owner, exam, after(days=1))
        sit(alice.owner, exam, after(days=2))
        start_afresh(alice.owner, exam, after(days=3))
        assert [undo(alice.owner, exam, after(days=4)) for _ in range(3)] == [True, True, False]
        learner = learner_of(alice.owner)
        assert set(learner.sessions.values_list("mode", flat=True)) == {Mode.MOCK}
        assert learner.sessions.count() == 2

    def test_a_fresh_start_cannot_be_undone_after_14_days(self, alice, exam):
        everything(alice.owner, exam)
        start_afresh(alice.owner, exam, after(days=1))
        assert not undo(alice.owner, exam, after(days=16))
        assert let_go(after(days=14)) == 0
        assert let_go(after(days=15)) == 1
        assert not FreshStart.objects.exists()
        assert SessionItem.objects.filter(session__learner__guest_key=None, answered_at__isnull=False).exists()

    def test_only_its_learner_can_undo_a_fresh_start(self, alice, exam):
        everything(alice.owner, exam)
        start_afresh(alice.owner, exam, after(days=1))
        bob = guest()[0]
        sit(bob, exam)
        assert not undo(bob, exam, after(days=2))

    def test_an_account_adopts_the_fresh_start_with_the_guests_work(self, alice, exam):
        everything(alice.owner, exam)
        start_afresh(alice.owner, exam, after(days=1))
        carol = Owner(user_id=User.objects.create_user(email="carol@example.com", password="x").pk)
        adopt(alice.owner, carol, after(days=2))
        assert undo(carol, exam, after(days=3))
        assert learner_of(carol).sessions.filter(mode=Mode.MOCK, discarded_at=None).count() == 1

    def test_after_a_guest_is_cleared_nobody_can_restore_the_archive(self, alice, exam):
        everything(alice.owner, exam)
        start_afresh(alice.owner, exam, after(days=1))
        forget(learner_of(alice.owner).pk, after(days=2))
        assert not FreshStart.objects.exists()


class TestThePage:
    def test_the_page_says_what_is_deleted_and_what_stays(self, alice, exam):
        everything(alice.owner, exam)
        page = afresh_page(exam, learner_of(alice.owner), after(days=1))
        assert page.goes["sessions"] == 2
        assert page.stays["notes"] == page.stays["stars"] == 1
        shown = alice.get(reverse("afresh", args=["pmle"]))
        assert {"goes", "stays", "ready"} <= set(states(shown))
        assert parsed(shown).select(f'a[href="{reverse("export-json")}"]')

    def test_typing_another_exams_code_is_refused_and_changes_nothing(self, alice, exam):
        everything(alice.owner, exam)
        before = facts(alice.owner)
        refused = alice.post(reverse("afresh", args=["pmle"]), {"code": "ace"}, **OWN)
        assert refused.status_code == 400
        assert codes(refused.context["form"]) == {"code": ["other-exam"]}
        assert facts(alice.owner) == before

    def test_typing_the_exams_code_starts_afresh_and_the_page_offers_to_undo_it(self, alice, exam):
        everything(alice.owner, exam)
        address = reverse("afresh", args=["pmle"])
        done = alice.post(address, {"code": " pmle "}, **OWN)
        assert (done.status_code, done.url) == (302, address)
        assert {"undoable", "empty"} <= set(states(alice.get(address)))
        back = alice.post(reverse("afresh-undo", args=["pmle"]), **OWN)
        assert back.url.startswith(reverse("readiness", args=["pmle"]))
        assert learner_of(alice.owner).sessions.filter(mode=Mode.MOCK, discarded_at=None).exists()

    def test_a_form_from_another_site_is_refused(self, alice, exam):
        everything(alice.owner, exam)
        for name in ("afresh", "afresh-undo"):
            assert alice.post(reverse(name, args=["pmle"]), {"code": "pmle"}).status_code == 403

    def test_a_visitor_is_told_there_is_nothing_to_delete_and_becomes_no_guest(self, exam):
        stranger = Client()
        assert "empty" in states(stranger.get(reverse("afresh", args=["pmle"])))
        stranger.post(reverse("afresh", args=["pmle"]), {"code": "pmle"}, **OWN)
        assert not Learner.objects.exists()

    def test_the_exams_pages_work_after_a_fresh_start(self, alice, exam):
        everything(alice.owner, exam)
        start_afresh(alice.owner, exam, after(days=1))
        addresses = [
            reverse(name, args=["pmle"]) for name in ("hub", "readiness", "mock", "notebook", "plan", "builder")
        ]
        for address in (*addresses, reverse("history"), reverse("home"), reverse("export-json")):
            assert alice.get(address).status_code == 200

    @pytest.mark.parametrize("sessions", [1, 3])
    def test_the_statement_count_does_not_grow_with_the_sessions(self, alice, exam, sessions):
        for n in range(sessions):
            sit(alice.owner, exam, after(days=n))
        with CaptureQueriesContext(connection) as statements:
            alice.get(reverse("afresh", args=["pmle"]))
        assert len(statements) <= STATEMENTS
