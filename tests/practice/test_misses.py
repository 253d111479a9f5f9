"""A missed answer has a reason: rules suggest one in a fixed order, the learner may set another, and drills use it."""

import datetime as dt

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from practice.models import Learner, MissClass, PracticeSession, SessionItem
from practice.notebook import rules as misses
from practice.notebook.keep import set_miss_class
from practice.notebook.reads.items import item_page
from practice.notebook.reads.misses import count_misses, misses_of
from practice.notebook.rules import CHANGED, KNOWLEDGE, MISREAD, TIME, Trace, suggest, usual_seconds
from practice.readiness.derive.analyse import refresh_all
from practice.sessions.ending.finish import close_expired, finish
from practice.sessions.errors import NotPossible, NotYours
from practice.sessions.player.check import check
from practice.sessions.player.save import claim, save
from practice.sessions.reads.marked import missed_for
from practice.sessions.reads.tally.reads import latest_paces, rows_of
from practice.start.begin import start_drill
from practice.start.reads.fitting import DrillChoice
from tests.support.bank import NOW, add_questions, make_exam
from tests.support.hooks import codes, parsed
from tests.support.sessions import (
    batch,
    begin_drill,
    begin_mock,
    guest,
    guest_client,
    right_places,
    seconds,
    state,
)
from tests.support.tallies import miss_table

USUAL = 60


def trace(**facts):
    usual = {"is_unanswered": False, "first_was_right": False, "seconds": 60, "time_left": None, "usual": USUAL}
    return Trace(**{**usual, **facts})


class TestRules:
    def test_the_reasons_match_the_models_choices(self):
        assert {KNOWLEDGE, MISREAD, CHANGED, TIME} == set(MissClass.values)

    @pytest.mark.parametrize(
        ("facts", "expected"),
        [
            ({}, KNOWLEDGE),
            ({"first_was_right": True}, CHANGED),
            ({"first_was_right": True, "time_left": 1.0, "seconds": 5}, CHANGED),
            ({"first_was_right": True, "is_unanswered": True}, CHANGED),
            ({"time_left": 30.0}, TIME),
            ({"time_left": -9.0, "seconds": 5}, TIME),
            ({"time_left": 30.5}, KNOWLEDGE),
            ({"is_unanswered": True, "time_left": 0.0, "seconds": 0}, TIME),
            ({"is_unanswered": True, "time_left": 0.0, "seconds": 59}, TIME),
            ({"is_unanswered": True, "time_left": 0.0, "seconds": 60}, KNOWLEDGE),
            ({"is_unanswered": True, "time_left": 0.0, "seconds": 300, "usual": None}, TIME),
            ({"is_unanswered": True, "time_left": 600.0, "seconds": 5}, KNOWLEDGE),
            ({"is_unanswered": True, "seconds": 5}, KNOWLEDGE),
            ({"seconds": 29}, MISREAD),
            ({"seconds": 30}, KNOWLEDGE),
            ({"seconds": 0}, KNOWLEDGE),
            ({"seconds": 5, "usual": None}, KNOWLEDGE),
        ],
    )
    def test_the_first_rule_that_holds_decides(self, facts, expected):
        assert suggest(trace(**facts)) == expected

    def test_a_learners_usual_time_needs_ten_answers(self):
        assert usual_seconds([60] * 9) is None
        assert usual_seconds([10] * 4 + [60] * 6) == 60
        assert misses.USUAL_FROM == 10


pytestmark = pytest.mark.django_db


@pytest.fixture
def exam():
    exam = make_exam()
    add_questions(exam, 4)
    return exam


def wrong_place(session, position):
    return (right_places(session, position)[0] + 1) % 4


def wrong_mock(owner, exam, wrong=3, now=NOW, taken=60, count=10):
    """Return a mock submitted after ten minutes with its first answers wrong and the others right."""
    session = begin_mock(owner, exam, count, now)
    writer = claim(session.uuid, owner, now).writer
    states = [
        state(n, 1, *([wrong_place(session, n)] if n <= wrong else right_places(session, n)), seconds=taken)
        for n in range(1, count + 1)
    ]
    save(session.uuid, owner, batch(writer, *states), now)
    return finish(session.uuid, owner, now + dt.timedelta(minutes=10))


def suggestion(session, position):
    choices = misses_of(session, [position]).get(position, [])
    return next((choice.value for choice in choices if choice.is_suggested), None)


class TestSuggestions:
    def test_an_answer_right_at_first_and_then_wrong_was_changed(self, alice, exam):
        session = begin_mock(alice.owner, exam)
        writer = claim(session.uuid, alice.owner, NOW).writer
        save(session.uuid, alice.owner, batch(writer, state(1, 1, *right_places(session, 1))), NOW)
        save(session.uuid, alice.owner, batch(writer, state(1, 2, wrong_place(session, 1))), seconds(9))
        assert suggestion(finish(session.uuid, alice.owner, seconds(60)), 1) == CHANGED

    def test_a_question_unanswered_or_answered_at_the_last_moment_lacked_time(self, alice, exam):
        session = begin_mock(alice.owner, exam)
        writer = claim(session.uuid, alice.owner, NOW).writer
        late = session.deadline - dt.timedelta(seconds=20)
        save(session.uuid, alice.owner, batch(writer, state(1, 1, wrong_place(session, 1))), late)
        close_expired(session.deadline + dt.timedelta(minutes=1))
        session.refresh_from_db()
        assert [suggestion(session, n) for n in (1, 2)] == [TIME, TIME]

    def test_a_question_unanswered_in_a_mock_submitted_early_lacked_knowledge(self, alice, exam):
        session = finish(begin_mock(alice.owner, exam).uuid, alice.owner, seconds(60))
        assert suggestion(session, 1) == KNOWLEDGE

    def test_a_hasty_answer_is_a_misread_clue_by_the_learners_own_pace(self, alice, exam):
        session = wrong_mock(alice.owner, exam)
        session.items.filter(position=1).update(seconds=20)
        assert [suggestion(session, n) for n in (1, 2)] == [MISREAD, KNOWLEDGE]
        other = wrong_mock(guest()[0], exam, taken=20)
        assert suggestion(other, 1) == KNOWLEDGE

    def test_the_stored_pace_equals_that_of_the_answers(self, alice, exam):
        session = wrong_mock(alice.owner, exam)
        session.items.filter(position=1).update(seconds=20)
        learner = Learner.objects.get(**alice.owner.of_learner)
        counted = latest_paces(learner.pk, exam.pk, None)
        suggestion(session, 1)
        refresh_all(learner, timezone.now())
        assert latest_paces(learner.pk, exam.pk, learner.standings.get().tally) == counted
        with CaptureQueriesContext(connection) as asked:
            assert suggestion(session, 1) == MISREAD
        assert len(asked) == 1
        assert [suggestion(session, n) for n in (1, 2)] == [MISREAD, KNOWLEDGE]

    def test_right_and_revealed_answers_have_no_reason(self, alice, exam):
        session = wrong_mock(alice.owner, exam, wrong=1)
        assert item_page(session, 2, "all", NOW).chain.miss_choices == []
        drill = begin_drill(alice.owner, exam, size=2)
        check(drill.uuid, alice.owner, state(1, 1), None, seconds(5), reveal=True)
        assert item_page(drill, 1, "all", NOW).chain.miss_choices == []


def classes(session):
    return list(session.items.order_by("position").values_list("miss_class", flat=True))


class TestSetting:
    def test_the_learners_reason_replaces_the_suggestion_and_can_be_withdrawn(self, alice, exam):
        session = wrong_mock(alice.owner, exam)
        set_miss_class(alice.owner, session.uuid, 1, MissClass.MISREAD)
        assert classes(session)[:2] == ["misread", ""]
        choices = item_page(session, 1, "all", NOW).chain.miss_choices
        assert [(c.is_set, c.is_suggested) for c in choices if c.is_set or c.is_suggested] == [(True, False)]
        set_miss_class(alice.owner, session.uuid, 1, "")
        assert set(classes(session)) == {""}

    def test_only_missed_answers_have_a_reason(self, alice, exam):
        session = wrong_mock(alice.owner, exam, wrong=1)
        with pytest.raises(NotPossible):
            set_miss_class(alice.owner, session.uuid, 2, MissClass.TIME)
        assert set(classes(session)) == {""}

    def test_reasons_are_refused_for_other_learners_answers_open_mocks_and_unchecked_questions(self, alice, exam):
        mock, running = wrong_mock(alice.owner, exam), begin_mock(alice.owner, exam, now=timezone.now())
        drill = begin_drill(alice.owner, exam, size=3)
        check(drill.uuid, alice.owner, state(1, 1, wrong_place(drill, 1)), None, NOW)
        for owner, session, position in (
            (guest()[0], mock, 1), (alice.owner, running, 1), (alice.owner, drill, 2), (alice.owner, mock, 99),
        ):  # fmt: skip
            with pytest.raises(NotYours):
                set_miss_class(owner, session.uuid, position, MissClass.TIME)
        set_miss_class(alice.owner, drill.uuid, 1, MissClass.TIME)
        assert SessionItem.objects.exclude(miss_class="").count() == 1


def post(client, session, position=1, **fields):
    headers = {"HTTP_HX_REQUEST": "true"} if fields.pop("htmx", False) else {}
    return client.post(reverse("miss", args=[session.uuid, position]), fields, **headers)


class TestPages:
    def test_a_missed_question_asks_why_in_one_line_with_the_suggestion_marked(self, alice, exam):
        session = wrong_mock(alice.owner, exam, wrong=1)
        text = alice.get(reverse("breakdown", args=[session.uuid, 1])).content.decode()
        [suggested] = parsed(text).select("#miss-1 button[data-suggested]")
        assert suggested["value"] == "knowledge"
        assert 'id="miss-' not in alice.get(reverse("breakdown", args=[session.uuid, 2])).content.decode()

    def test_without_script_the_page_returns_to_the_same_place_and_confirms(self, alice, exam):
        session = wrong_mock(alice.owner, exam)
        response = post(alice, session, miss="misread", show="wrong")
        assert response.url == f"{reverse('breakdown', args=[session.uuid, 1])}?show=wrong&said=miss#miss-1"
        text = alice.get(response.url).content.decode()
        assert 'data-said="miss"' in text
        assert 'aria-pressed="true">Misread a clue</button>' in text
        assert "said=no-miss" in post(alice, session, miss="").url
        assert SessionItem.objects.exclude(miss_class="").count() == 0

    def test_a_page_with_script_gets_only_the_line_that_asks_why(self, alice, exam):
        session = wrong_mock(alice.owner, exam)
        text = post(alice, session, miss="time", htmx=True).content.decode()
        assert text.lstrip().startswith('<section class="stack" id="miss-1"')
        assert "<html" not in text

    def test_reasons_by_strangers_for_running_mocks_or_unknown_are_refused(self, alice, exam):
        session, running = wrong_mock(alice.owner, exam, wrong=1), begin_mock(alice.owner, exam, now=timezone.now())
        assert post(Client(), session, miss="time").status_code == 404
        assert post(guest_client(guest()[1]), session, miss="time").status_code == 404
        assert post(alice, running, miss="time").status_code == 404
        assert post(alice, session, miss="fate").status_code == 400
        assert post(alice, session, 2, miss="time").status_code == 400
        strict = Client(enforce_csrf_checks=True)
        strict.cookies = alice.cookies
        assert post(strict, session, miss="time").status_code == 403
        assert alice.get(reverse("miss", args=[session.uuid, 1])).status_code == 405
        assert SessionItem.objects.exclude(miss_class="").count() == 0


def waiting(owner, miss):
    return set(missed_for(Learner.objects.get(**owner.of_learner), miss).values_list("version__question_id", flat=True))


def question_at(session, position):
    return session.items.get(position=position).version.question_id


class TestDrills:
    def test_a_drill_uses_the_learners_reasons_and_no_suggestion(self, alice, exam):
        session = wrong_mock(alice.owner, exam)
        set_miss_class(alice.owner, session.uuid, 2, MissClass.MISREAD)
        assert waiting(alice.owner, MissClass.KNOWLEDGE) == set()
        assert waiting(alice.owner, MissClass.MISREAD) == {question_at(session, 2)}
        drill = start_drill(alice.owner, exam, DrillChoice(miss="misread"), 7, seconds(700))
        assert [item.version.question_id for item in drill.items.all()] == [question_at(session, 2)]
        assert drill.items.get().seen_before

    def test_unanswered_questions_can_be_drilled_too(self, alice, exam):
        session = finish(begin_mock(alice.owner, exam).uuid, alice.owner, seconds(60))
        set_miss_class(alice.owner, session.uuid, 4, MissClass.TIME)
        assert waiting(alice.owner, MissClass.TIME) == {question_at(session, 4)}

    def test_corrected_misses_and_newer_ones_without_a_reason_are_left_out(self, alice, exam):
        session = wrong_mock(alice.owner, exam, wrong=2)
        for position in (1, 2):
            set_miss_class(alice.owner, session.uuid, position, MissClass.MISREAD)
        drill = start_drill(alice.owner, exam, DrillChoice(miss="misread"), 7, seconds(700))
        check(drill.uuid, alice.owner, state(1, 1, *right_places(drill, 1)), None, seconds(710))
        assert waiting(alice.owner, MissClass.MISREAD) == {question_at(drill, 2)}
        check(drill.uuid, alice.owner, state(2, 1, wrong_place(drill, 2)), None, seconds(720))
        assert waiting(alice.owner, MissClass.MISREAD) == set()

    def test_a_drill_by_reason_starts_from_the_form_and_is_named_in_the_history(self, alice, exam):
        session = wrong_mock(alice.owner, exam)
        set_miss_class(alice.owner, session.uuid, 1, MissClass.CHANGED)
        fields = {"miss": "changed", "size": "20"}
        response = alice.post(reverse("drill", args=["pmle"]), fields, HTTP_SEC_FETCH_SITE="same-origin")
        assert response.status_code == 302
        started = PracticeSession.objects.order_by("pk").last()
        assert started.total == 1
        assert MissClass.CHANGED.label.lower() in started.label
        empty = alice.post(reverse("drill", args=["pmle"]), {"miss": "time"}, HTTP_SEC_FETCH_SITE="same-origin")
        assert empty.status_code == 400
        assert codes(empty.context["form"]) == {"__all__": ["too-few-questions"]}


class TestTable:
    def test_the_table_counts_chosen_suggested_and_missing_reasons(self, alice, exam):
        session = wrong_mock(alice.owner, exam, wrong=4)
        session.items.filter(position=1).update(seconds=20)
        set_miss_class(alice.owner, session.uuid, 2, MissClass.CHANGED)
        set_miss_class(alice.owner, session.uuid, 3, MissClass.CHANGED)
        table = miss_table(Learner.objects.get(), exam, timezone.now())
        rows = {row.value: (row.said, row.suggested, row.waiting) for row in table.rows}
        assert rows == {"knowledge": (0, 1, 0), "misread": (0, 1, 0), "changed": (2, 0, 2), "time": (0, 0, 0)}
        assert (table.total, table.unsaid) == (4, 2)

    def test_other_people_other_exams_and_discarded_or_running_sessions_do_not_count(self, alice, exam):
        wrong_mock(alice.owner, exam, wrong=0)
        wrong_mock(guest()[0], exam)
        other = make_exam("second")
        add_questions(other, 4)
        wrong_mock(alice.owner, other)
        begin_mock(alice.owner, exam)
        table = miss_table(Learner.objects.get(**alice.owner.of_learner), exam, timezone.now())
        assert (table.total, sum(row.suggested for row in table.rows)) == (0, 0)

    @pytest.mark.parametrize("sessions", [1, 3])
    def test_counting_takes_one_statement_if_no_answer_changed(self, alice, exam, sessions, django_assert_num_queries):
        for n in range(sessions):
            wrong_mock(alice.owner, exam, now=seconds(3600 * n))
        learner = Learner.objects.get()
        with django_assert_num_queries(1):
            count_misses(rows_of(learner.pk, exam.pk))
