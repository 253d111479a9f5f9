"""Check which questions of a session count as displayed, and that a result keeps the others closed."""

import csv
import datetime as dt
import io
import json

import pytest
from bs4 import BeautifulSoup
from django.contrib.auth.models import AnonymousUser
from django.test import RequestFactory
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from courseiva.accounts.models import User
from practice.handover.adopt import adopt
from practice.learners.reads.identity import GUEST_COOKIE, Owner
from practice.models import Learner, PracticeSession, Regrade, RegradeNotice, RegradeRule, SessionItem
from practice.notebook.keep import keep_note, set_star
from practice.sessions.ending.finish import close_expired, finish
from practice.sessions.ending.rules import MET_SECONDS, UNMEASURED_SECONDS, Sight, displayed
from practice.sessions.errors import NotYours, TooFewQuestions
from practice.sessions.player.save import claim, save, save_page
from practice.sessions.reads.shown import seen_questions
from practice.sessions.reads.threads import may_read_thread
from practice.sessions.results.reads.results import UNANSWERED, WITHHELD
from questions.models import Pool, Question
from tests.support.bank import CANARY, NOW, add_questions, make_exam
from tests.support.sessions import batch, begin_drill, begin_mock, guest, read_through, right_places, seconds, state

pytestmark = [pytest.mark.long("simulation"), pytest.mark.django_db]
HALF_AN_HOUR = seconds(1800)


def sights(*rows):
    return [Sight(n, *row) for n, row in enumerate(rows, start=1)]


def test_a_question_counts_as_displayed_once_its_time_reaches_the_threshold():
    rows = sights((MET_SECONDS - 1, True, True), (MET_SECONDS, True, False), (0, True, True))
    assert displayed(rows, 600, 600) == {2}


def test_claimed_seconds_never_add_up_to_more_than_the_clock_allows():
    rows = sights(*[(3600, True, True)] * 10)
    assert displayed(rows, MET_SECONDS * 4 + 1, 20) == {1, 2, 3, 4}
    assert displayed(rows, 0, 0) == set()


def test_without_script_the_time_is_divided_with_answered_questions_first():
    rows = sights((0, False, False), (0, False, True), (0, False, False), (0, False, True))
    assert displayed(rows, 9999, UNMEASURED_SECONDS * 2) == {2, 4}
    assert displayed(rows, 9999, UNMEASURED_SECONDS * 3) == {1, 2, 4}
    assert displayed(rows, 9999, UNMEASURED_SECONDS * 4) == {1, 2, 3, 4}


def test_waiting_after_the_last_answer_displays_nothing_without_script():
    assert displayed(sights(*[(0, False, False)] * 5), 7200, 0) == set()


def test_a_session_begun_with_script_and_ended_without_divides_the_rest_of_the_time():
    rows = sights((100, True, True), (0, False, True), (0, False, False))
    assert displayed(rows, 200, 100 + UNMEASURED_SECONDS - 1) == {1}
    assert displayed(rows, 200, 100 + 5 * UNMEASURED_SECONDS) == {1, 2}


@given(
    st.lists(st.tuples(st.integers(0, 9000), st.booleans(), st.booleans()), max_size=60),
    st.floats(0, 8000),
    st.floats(0, 1),
)
def test_no_claim_displays_more_than_the_time_available(rows, length, share):
    found = displayed(sights(*rows), length, length * share)
    assert len(found) <= length / MET_SECONDS + length / UNMEASURED_SECONDS
    assert found <= set(range(1, len(rows) + 1))


@pytest.fixture
def exam():
    exam = make_exam()
    add_questions(exam, 2, pool="reserved")
    add_questions(exam, 1)
    return exam


def save_all(session, owner, at=NOW, **marks):
    """Save the same claim for each question, with its first option chosen."""
    states = [state(n, 1, 0, **marks) for n in range(1, session.total + 1)]
    save(session.uuid, owner, batch(claim(session.uuid, owner, at).writer, *states), at)


def closed(session):
    return set(session.items.filter(withheld=True).values_list("position", flat=True))


def reserved_of(session):
    return set(session.items.filter(version__pool=Pool.RESERVED).values_list("position", flat=True))


@pytest.mark.parametrize("minutes", [0, 30, 200])
def test_a_mock_without_an_answer_shows_no_reserved_solution_however_long_it_was_open(alice, exam, minutes):
    session = begin_mock(alice.owner, exam, count=10)
    if minutes < 200:
        finish(session.uuid, alice.owner, seconds(60 * minutes))
    else:
        assert close_expired(seconds(60 * minutes)) == 1
    assert closed(session) == reserved_of(session) != set()
    learner = Learner.objects.get(**alice.owner.of_learner)
    seen = seen_questions(learner).filter(version__pool=Pool.RESERVED)
    assert not seen.exists(), "what was not displayed stays unseen"


def test_a_mock_read_but_unanswered_stays_closed_and_still_counts_as_seen(alice, exam):
    session = begin_mock(alice.owner, exam, count=10)
    states = [state(n, 1, seconds=60) for n in range(1, 11)]
    save(session.uuid, alice.owner, batch(claim(session.uuid, alice.owner, NOW).writer, *states), seconds(600))
    finish(session.uuid, alice.owner, seconds(601))
    assert closed(session) == reserved_of(session)
    assert not session.items.filter(displayed_at=None).exists()


def test_a_page_with_false_seconds_opens_only_what_the_clock_allows(alice, exam):
    session = begin_mock(alice.owner, exam, count=10)
    save_all(session, alice.owner, seconds=3600)
    finish(session.uuid, alice.owner, seconds(3 * MET_SECONDS))
    assert closed(session) == reserved_of(session) - {1, 2, 3}


def test_a_fast_but_honest_reader_gets_every_solution(alice, exam):
    session = begin_mock(alice.owner, exam, count=10)
    save_all(session, alice.owner, seconds=6)
    finish(session.uuid, alice.owner, seconds(65))
    assert closed(session) == set()


def test_paused_time_does_not_count_as_display(alice, exam):
    session = begin_mock(alice.owner, exam, count=10, pausable=True)
    save_all(session, alice.owner, seconds=3600)
    PracticeSession.objects.filter(pk=session.pk).update(paused_at=seconds(10))
    finish(session.uuid, alice.owner, HALF_AN_HOUR)
    assert closed(session) == reserved_of(session) - {1, 2}


def test_without_script_the_time_up_to_the_last_save_counts_as_display(alice, exam):
    session = begin_mock(alice.owner, exam, count=10)
    states = [state(n, 1, 0, displayed=False) for n in (3, 4, 5)]
    save_page(session.uuid, alice.owner, 0, states, seconds(4 * UNMEASURED_SECONDS), take=False)
    finish(session.uuid, alice.owner, HALF_AN_HOUR)
    met = {3, 4, 5, 1}
    assert closed(session) == reserved_of(session) - met
    assert set(session.items.filter(displayed_at=None).values_list("position", flat=True)) == reserved_of(session) - met


def test_solutions_of_public_questions_and_drills_are_never_withheld(alice, exam):
    session = begin_mock(alice.owner, exam, count=16)
    finish(session.uuid, alice.owner, NOW)
    assert closed(session) == reserved_of(session) < set(range(1, 17))
    drill = begin_drill(alice.owner, exam, now=seconds(5))
    finish(drill.uuid, alice.owner, seconds(6))
    assert closed(drill) == set()


def test_a_withheld_solution_opens_once_the_next_mock_has_shown_its_question(alice, exam):
    first = begin_mock(alice.owner, exam, count=12)
    finish(first.uuid, alice.owner, NOW)
    second = begin_mock(alice.owner, exam, count=12, now=seconds(1))
    shared = {"version__in": first.items.filter(withheld=True).values("version")}
    assert second.items.filter(**shared).count() == len(closed(first))
    assert not second.items.filter(**shared, seen_before=True).exists()
    finish(second.uuid, alice.owner, read_through(second, alice.owner, seconds(1)))
    assert closed(first) == closed(second) == set()


def test_a_question_shown_by_an_earlier_session_is_not_closed_again(alice, exam):
    first = begin_mock(alice.owner, exam, count=12)
    finish(first.uuid, alice.owner, read_through(first, alice.owner))
    second = begin_mock(alice.owner, exam, count=16, now=seconds(100))
    finish(second.uuid, alice.owner, seconds(100))
    assert not second.items.filter(withheld=True, version__in=first.items.values("version")).exists()


def test_signing_in_opens_the_solutions_the_guest_had_met(alice, exam):
    user = User.objects.create_user("lena@example.org")
    learner = Owner(user_id=user.pk)
    mine = begin_mock(learner, exam, count=12)
    finish(mine.uuid, learner, NOW)
    guests = begin_mock(alice.owner, exam, count=12)
    finish(guests.uuid, alice.owner, read_through(guests, alice.owner))
    assert closed(mine)
    adopt(alice.owner, learner, seconds(100))
    assert closed(mine) == set()


class TestNothingOfAClosedSolutionIsShown:
    """Every question of this mock was answered at random within seconds, at least one wrongly and one correctly."""

    @pytest.fixture
    def session(self, alice, exam):
        session = begin_mock(alice.owner, exam, count=12)
        writer = claim(session.uuid, alice.owner, NOW).writer
        right = [state(n, 1, *right_places(session, n), seconds=1) for n in range(1, 7)]
        wrong = [state(n, 1, (right_places(session, n)[0] + 1) % 4, seconds=1) for n in range(7, 12)]
        save(session.uuid, alice.owner, batch(writer, *right, *wrong), NOW)
        finish(session.uuid, alice.owner, seconds(20))
        assert closed(session) == reserved_of(session) == set(range(1, 13))
        return PracticeSession.objects.get(pk=session.pk)

    @pytest.mark.parametrize("query", ["", "?show=wrong", "?show=late"])
    def test_no_closed_solution_is_on_the_results_page(self, alice, session, query):
        text = alice.get(reverse("results", args=[session.uuid]) + query).text
        assert CANARY not in text
        page = BeautifulSoup(text, "html.parser")
        assert page.select_one("[data-withheld-count]")["data-withheld-count"] == "12"
        assert not page.select("#list [data-hx-get]")
        assert len(page.select("ol.sheet-cells .is-answered")) == 11
        assert not page.select("ol.sheet-cells .is-answered.is-wrong, .is-answered .is-right, #list .tag--right")
        assert not page.select("ol.sheet-cells .is-right")
        assert not any(item.version.title in text for item in session.items.select_related("version"))

    def test_no_closed_solution_is_on_the_page_of_a_question_or_in_its_fragment(self, alice, session):
        for headers in ({}, {"HX-Request": "true"}):
            answer = alice.get(reverse("breakdown", args=[session.uuid, 1]), headers=headers)
            assert answer.status_code == 200
            assert 'data-withheld="1"' in answer.text
            assert CANARY not in answer.text

    @pytest.mark.parametrize("name", ["report-item", "item-changes"])
    def test_no_closed_solution_is_revealed_by_a_report_or_its_changes(self, alice, session, name):
        assert alice.get(reverse(name, args=[session.uuid, 1])).status_code == 404

    def test_no_closed_solution_is_on_paper(self, alice, session):
        text = alice.get(reverse("booklet", args=[session.uuid])).text
        assert CANARY not in text
        assert len(BeautifulSoup(text, "html.parser").select(".booklet-answers [data-withheld]")) == 12

    def test_no_closed_solution_is_in_the_tables(self, alice, session):
        rows = list(csv.DictReader(io.StringIO(alice.get(reverse("results-csv", args=[session.uuid])).text)))
        assert {row["result"] for row in rows} == {WITHHELD, UNANSWERED}
        assert {row["title"] for row in rows} == {""}
        table = b"".join(alice.get(reverse("export-csv")).streaming_content).decode()
        assert {(row["correct"], row["title"]) for row in csv.DictReader(io.StringIO(table))} == {("", "")}

    def test_no_closed_solution_is_in_offline_copies(self, alice, session):
        data = json.loads(b"".join(alice.get(reverse("export-json")).streaming_content))
        assert data["review_cards"] == []
        assert {frozenset(row) for row in data["answers"]} == {
            frozenset({"session", "exam", "mode", "position", "chosen"})
        }

    def test_no_closed_solution_is_in_the_history(self, alice, session):
        text = alice.get(reverse("history")).text
        assert "is-answered" in text
        assert "is-right" not in text

    def test_no_closed_question_takes_notes_or_stars_or_opens_its_thread(self, alice, session):
        with pytest.raises(NotYours):
            keep_note(alice.owner, session.uuid, 1, "Mine.", NOW)
        with pytest.raises(NotYours):
            set_star(alice.owner, session.uuid, 1, True, NOW)
        asked = RequestFactory().get("/")
        asked.user = AnonymousUser()
        asked.COOKIES[GUEST_COOKIE] = alice.cookies[GUEST_COOKIE].value
        reserved = Question.objects.filter(pool=Pool.RESERVED).select_related("live_version")
        assert not any(may_read_thread(asked, question) for question in reserved)

    def test_no_closed_question_is_in_a_drill_of_missed_ones(self, alice, exam, session):
        for order in ("missed", "random"):
            try:
                drill = begin_drill(alice.owner, exam, size=30, order=order, now=seconds(30))
            except TooFewQuestions:
                continue
            assert reserved_of(drill) == set()
        with pytest.raises(TooFewQuestions):
            begin_drill(alice.owner, exam, size=30, state="missed", session=session.uuid, now=seconds(40))

    def test_no_closed_solution_is_opened_by_answers_that_arrive_late(self, alice, session):
        def late_score():
            return alice.get(reverse("results", args=[session.uuid])).context["page"].late_score

        scores = set()
        for place in range(4):
            save(session.uuid, alice.owner, batch(1, state(12, place + 2, place)), seconds(30 + place))
            scores.add(late_score())
        assert len(scores) == 1, "which option raises the score would be the key"

    def test_no_closed_solution_is_opened_by_a_corrected_key(self, alice, session):
        item = session.items.get(position=1)
        made = Regrade.objects.create(
            version=item.version, rule=RegradeRule.OTHER_KEY, masks=[1], reason="C was right.", made_at=NOW
        )
        scores = dict.fromkeys(("old_score", "old_total", "new_score", "new_total"), 6)
        RegradeNotice.objects.create(
            regrade=made, session=session, position=1, was_right=True, is_right=False, made_at=NOW, **scores
        )
        assert "C was right." not in alice.get(reverse("results", args=[session.uuid])).text
        assert "C was right." not in b"".join(alice.get(reverse("export-json")).streaming_content).decode()


def test_the_score_and_its_domains_count_closed_questions(alice, exam):
    session = begin_mock(alice.owner, exam, count=12)
    states = [state(n, 1, *right_places(session, n), seconds=1) for n in range(1, 13)]
    save(session.uuid, alice.owner, batch(claim(session.uuid, alice.owner, NOW).writer, *states), NOW)
    finish(session.uuid, alice.owner, NOW + dt.timedelta(seconds=20))
    page = alice.get(reverse("results", args=[session.uuid])).context["page"]
    assert (page.percent, sum(domain.right for domain in page.domains)) == (100, 12)
    assert SessionItem.objects.filter(session=session, is_correct=True).count() == 12


def test_another_learners_reading_opens_no_solution(alice, exam):
    mine = begin_mock(alice.owner, exam, count=12)
    finish(mine.uuid, alice.owner, NOW)
    other = guest()[0]
    theirs = begin_mock(other, exam, count=12)
    finish(theirs.uuid, other, read_through(theirs, other))
    assert closed(mine) == reserved_of(mine)
