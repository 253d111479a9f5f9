"""Check which questions an offline drill has, what they count as, and the one page that holds solutions."""

import datetime as dt

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from practice.learners.models import Learner
from practice.models import Mode, PracticeSession
from practice.sessions.ending.finish import finish
from practice.sessions.errors import TooFewQuestions
from practice.sessions.player.save import claim, save
from practice.sessions.reads.shown import seen_questions
from practice.start.taking import take
from practice.start.taking.take import take_along
from questions.models import Question, VersionStatistics
from tests.support.bank import CANARY, NOW, add_questions, make_exam
from tests.support.families import add_family
from tests.support.hooks import parsed, states
from tests.support.sessions import batch, begin_drill, begin_mock, guest, guest_client, learner_of, right_places, state

pytestmark = [pytest.mark.long("many requests"), pytest.mark.django_db]
OWN = {"HTTP_SEC_FETCH_SITE": "same-origin"}
LATER = NOW + dt.timedelta(hours=5)
STATEMENTS = 13


@pytest.fixture
def exam():
    exam = make_exam()
    add_questions(exam, 4)
    add_questions(exam, 2, pool="reserved")
    add_family(exam, 3)
    return exam


class TestWhichQuestions:
    def test_an_offline_drill_has_public_questions_one_for_each_unit(self, alice, exam):
        session = take_along(alice.owner, exam, 7, NOW)
        versions = [item.version for item in session.items.select_related("version")]
        assert {version.pool for version in versions} == {"open"}
        assert len(versions) == session.total == 25
        assert sum(version.family_id is not None for version in versions) == 1

    def test_an_offline_drill_has_no_reserved_question_even_if_already_shown(self, alice, exam):
        mock = begin_mock(alice.owner, exam, 6, NOW)
        finish(mock.uuid, alice.owner, NOW + dt.timedelta(minutes=5))
        session = take_along(alice.owner, exam, 7, LATER)
        assert not session.items.filter(version__pool="reserved").exists()

    def test_an_offline_drill_has_no_question_whose_family_is_in_an_unfinished_mock(self, alice, exam):
        Question.objects.filter(family=None, domain__key="d1").update(withdrawn_at=NOW)
        mock = begin_mock(alice.owner, exam, 10, NOW, public_only=True)
        assert mock.items.filter(version__family__isnull=False).exists()
        session = take_along(alice.owner, exam, 7, LATER)
        assert not session.items.filter(version__family__isnull=False).exists()

    def test_no_mock_contains_a_variant_of_an_offline_question(self, alice, exam):
        session = take_along(alice.owner, exam, 7, NOW)
        taken = set(session.items.values_list("version__question_id", flat=True))
        with pytest.raises(TooFewQuestions):
            begin_mock(alice.owner, exam, 10, LATER, public_only=True)
        finish(session.uuid, alice.owner, LATER)
        again = begin_mock(alice.owner, exam, 10, LATER, public_only=True)
        assert taken & set(again.items.values_list("version__question_id", flat=True))

    def test_there_is_one_offline_drill_at_a_time_beside_the_drill_on_the_site(self, alice, exam):
        drill = begin_drill(alice.owner, exam, NOW)
        first, second = (take_along(alice.owner, exam, seed, NOW) for seed in (7, 8))
        for session in (first, drill):
            session.refresh_from_db()
        assert (first.is_open, second.is_open, drill.is_open) == (False, True, True)


class TestWhatTheyCountAs:
    def test_questions_count_as_seen_from_the_moment_they_are_taken(self, alice, exam):
        session = take_along(alice.owner, exam, 7, NOW)
        seen = seen_questions(learner_of(alice.owner)).values_list("version__question_id", flat=True)
        assert set(seen) == set(session.items.values_list("version__question_id", flat=True))

    def test_offline_answers_are_marked_and_never_first_exposures(self, alice, exam):
        session = take_along(alice.owner, exam, 7, NOW)
        states = [state(n, 1, *right_places(session, n)) for n in (1, 2)]
        writer = claim(session.uuid, alice.owner, LATER).writer
        assert save(session.uuid, alice.owner, batch(writer, *states), LATER).saved == [1, 2]
        finish(session.uuid, alice.owner, LATER)
        marks = list(session.items.order_by("position").values_list("is_correct", "first_exposure"))
        assert marks[:3] == [(True, False), (True, False), (None, None)]
        assert not VersionStatistics.objects.filter(n__gt=0).exists()

    def test_later_answers_to_questions_taken_offline_are_not_first_exposures_either(self, alice, exam):
        take_along(alice.owner, exam, 7, NOW)
        drill = begin_drill(alice.owner, exam, LATER, size=40, feedback_each=False)
        known = drill.items.filter(version__pool="open", seen_before=True).first()
        writer = claim(drill.uuid, alice.owner, LATER).writer
        save(drill.uuid, alice.owner, batch(writer, state(known.position, 1, 0)), LATER)
        finish(drill.uuid, alice.owner, LATER)
        assert drill.items.get(position=known.position).first_exposure is False


class TestThePages:
    @pytest.mark.parametrize(("limit", "shown"), [(30, 25), (10, 10)])
    def test_the_page_says_how_many_questions_the_drill_would_have(self, alice, exam, monkeypatch, limit, shown):
        monkeypatch.setattr(take, "SIZE", limit)
        page = parsed(alice.get(reverse("take", args=["pmle"])))
        assert page.select_one("[data-size]")["data-size"] == str(shown)

    def test_without_a_question_there_is_no_button(self, alice, exam):
        Question.objects.update(withdrawn_at=NOW)
        page = parsed(alice.get(reverse("take", args=["pmle"])))
        assert page.select_one("[data-size]")["data-size"] == "0"
        assert not page.select("form[action$='/take/'] button")

    def test_taking_a_drill_offline_and_opening_its_session_redirect_to_its_page(self, alice, exam):
        assert alice.get(reverse("take", args=["pmle"])).status_code == 200
        took = alice.post(reverse("take", args=["pmle"]), **OWN)
        assert took.url == reverse("taken")
        session = PracticeSession.objects.get(mode=Mode.TAKEN)
        assert alice.get(reverse("session", args=[session.uuid])).url == reverse("taken")
        page = alice.get(reverse("taken"))
        assert page.headers["Session-State"] == "running"
        assert CANARY in page.text
        assert "csrfmiddlewaretoken" not in page.text
        right = [section["data-right"] for section in parsed(page).select("section[data-p]")]
        assert right[0] == " ".join(map(str, right_places(session, 1)))

    def test_another_learners_offline_drill_is_not_found(self, alice, exam):
        take_along(alice.owner, exam, 7, NOW)
        for client in (Client(), guest_client(guest()[1])):
            page = client.get(reverse("taken"))
            assert states(page) == ["empty"]
            assert CANARY not in page.text

    def test_a_question_that_became_reserved_is_left_out(self, alice, exam):
        session = take_along(alice.owner, exam, 7, NOW)
        Question.objects.filter(pk=session.items.get(position=1).version.question_id).update(pool="reserved")
        page = parsed(alice.get(reverse("taken")))
        assert not page.select("#q1")
        assert page.select("#q2")

    def test_a_form_from_another_site_is_refused(self, exam):
        assert Client().post(reverse("take", args=["pmle"])).status_code == 403
        assert not Learner.objects.exists()

    @pytest.mark.parametrize("withdrawn", [0, 20])
    def test_the_page_keeps_to_its_statement_count(self, alice, exam, withdrawn):
        numbers = list(Question.objects.filter(number__isnull=False).values_list("pk", flat=True)[:withdrawn])
        Question.objects.filter(pk__in=numbers).update(withdrawn_at=NOW)
        take_along(alice.owner, exam, 7, NOW)
        with CaptureQueriesContext(connection) as statements:
            alice.get(reverse("taken"))
        assert len(statements) <= STATEMENTS
