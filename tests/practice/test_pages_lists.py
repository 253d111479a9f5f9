"""The hub and the history list running sessions first, in a number of statements that doesn't grow with the list."""

import datetime as dt

import pytest
import time_machine
from django.test import Client
from django.urls import reverse

from courseiva.accounts.models import User
from practice.learners.reads.identity import GUEST_DAYS, Owner
from practice.models import Learner, PracticeSession, Star
from practice.readiness.reads.progress import PACE_LEAST
from practice.sessions.ending.finish import discard, finish
from practice.sessions.player.check import check
from practice.sessions.reads.history import PER_PAGE
from practice.start.forms import DrillForm
from practice.start.rules import Order, State
from questions.models import Question
from tests.support.bank import NOW, add_questions, make_exam
from tests.support.hooks import codes, figures, parsed, states
from tests.support.sessions import begin_drill, begin_mock, learner_of, right_places, state

pytestmark = pytest.mark.django_db
SAME_SITE = {"HTTP_SEC_FETCH_SITE": "same-origin"}


@pytest.fixture(autouse=True)
def _clock():
    with time_machine.travel(NOW + dt.timedelta(minutes=5), tick=False):
        yield


@pytest.fixture
def exam():
    exam = make_exam()
    add_questions(exam, 8)
    return exam


@pytest.fixture
def bob(db):
    user = User.objects.create_user("bob@example.org", "long-enough-password")
    client = Client()
    client.force_login(user)
    client.owner = Owner(user_id=user.pk)
    return client


def text_of(client, name, *args, query=""):
    return client.get(reverse(name, args=args) + query).content.decode()


def finished_drill(owner, exam, wrong=0, size=3, now=NOW):
    session = begin_drill(owner, exam, now, size=size)
    for position in range(1, size + 1):
        right = right_places(session, position)[0]
        check(session.uuid, owner, state(position, 1, (right + (position <= wrong)) % 4), None, now)
    return PracticeSession.objects.get(pk=session.pk)


def start(client, **fields):
    return client.post(reverse("drill", args=["pmle"]), fields, **SAME_SITE)


def presets(client):
    return client.get(reverse("hub", args=["pmle"])).context["page"].presets


def offers_account(text):
    return reverse("account_signup") in text


def positions_of(response):
    return PracticeSession.objects.get(uuid=response.url.split("/")[3])


# The history


def test_an_empty_history_explains_itself_and_tells_a_guest_how_long_work_is_kept():
    text = text_of(Client(), "history")
    assert states(text) == ["empty"]
    assert figures(parsed(text).select_one(".notice").text) == [GUEST_DAYS]
    assert not offers_account(text)


def test_running_sessions_come_first_then_finished_ones_with_their_total(alice, exam):
    finished_drill(alice.owner, exam, wrong=1)
    running = begin_mock(alice.owner, exam)
    text = text_of(alice, "history")
    assert text.index(running.get_absolute_url()) < text.index("2 of 3, 67%")
    assert reverse("finish", args=[running.uuid]) in text
    assert figures(parsed(text).select_one(".sheet--mini")["aria-label"]) == [3, 2, 1]


def test_a_discarded_session_is_not_listed(alice, exam):
    gone = begin_mock(alice.owner, exam)
    discard(gone.uuid, alice.owner, NOW)
    assert str(gone.uuid) not in text_of(alice, "history")


def test_an_account_is_offered_after_the_second_finished_session_and_to_guests_only(alice, bob, exam):
    for client, offers in ((alice, (False, True)), (bob, (False, False))):
        for offered in offers:
            finished_drill(client.owner, exam)
            assert offers_account(text_of(client, "history")) is offered


def test_dates_are_in_the_learners_time_zone_and_a_bad_zone_is_utc(bob, exam):
    finished_drill(bob.owner, exam)
    assert "21 November 2026, 12:00 UTC" in text_of(bob, "history")
    Learner.objects.update(time_zone="Asia/Tokyo")
    assert "21 November 2026, 21:00 JST" in text_of(bob, "history")
    Learner.objects.update(time_zone="Nowhere/../etc")
    assert "21 November 2026, 12:00 UTC" in text_of(bob, "history")


def test_history_is_paged_and_a_wrong_page_number_does_no_harm(alice, exam):
    for n in range(PER_PAGE + 1):
        finished_drill(alice.owner, exam, size=1, now=NOW + dt.timedelta(seconds=n))
    for query, shown in (("", [1, 10, 11]), ("?page=2", [11, 11, 11])):
        assert figures(parsed(text_of(alice, "history", query=query)).select_one(".pager .tiny").text) == shown
    assert alice.get(reverse("history") + "?page=zero").status_code == 200


@pytest.mark.parametrize(("person", "count"), [("alice", 6), ("bob", 8)])
def test_history_takes_the_same_statements_for_one_session_and_for_four(
    person, count, exam, request, django_assert_num_queries
):
    client = request.getfixturevalue(person)
    begin_mock(client.owner, exam)
    for _ in range(2):
        finished_drill(client.owner, exam)
        with django_assert_num_queries(count):
            client.get(reverse("history"))
        for _ in range(3):
            finished_drill(client.owner, exam)


# The hub


def test_a_newcomer_is_advised_to_find_out_where_they_stand(exam):
    text = text_of(Client(), "hub", "pmle")
    assert 'data-step="measure"' in text
    assert text.count('class="btn"') == 1
    assert figures(parsed(text).select_one("[data-step]").text)[:2] == [40, 73]
    assert "csrfmiddlewaretoken" not in text
    assert "csrftoken" not in Client().get(reverse("hub", args=["pmle"])).cookies


def test_the_first_drill_asks_unseen_questions_in_the_guides_shares(alice, exam):
    session = positions_of(start(alice, size="30", state="unseen", order="guide", feedback="end"))
    counts = [session.items.filter(version__domain__number=n).count() for n in range(1, 7)]
    assert counts == [4, 5, 6, 6, 5, 4]
    assert not session.feedback_each


def test_a_running_drill_can_be_resumed_and_starting_another_says_what_it_ends(alice, exam):
    drill = begin_drill(alice.owner, exam, size=5)
    text = text_of(alice, "hub", "pmle")
    assert states(text) == ["ends-open"]
    assert f'class="btn" href="{drill.get_absolute_url()}' in text
    assert text.count('class="btn"') == 1


def test_the_presets_use_the_learners_own_pace_and_missed_questions(alice, exam):
    session = finished_drill(alice.owner, exam, wrong=2, size=PACE_LEAST)
    session.items.update(seconds=60)
    offered = {preset.key: (preset.count, preset.minutes) for preset in presets(alice)}
    assert (offered["short"], offered["missed"]) == ((5, 5), (2, 2))


@pytest.mark.parametrize(("answers", "minutes"), [(1, 55), (PACE_LEAST - 1, 55), (PACE_LEAST, 2)])
def test_a_few_quick_answers_do_not_set_a_pace(alice, exam, answers, minutes):
    session = finished_drill(alice.owner, exam, size=answers)
    session.items.update(seconds=3)
    assert {preset.key: (preset.count, preset.minutes) for preset in presets(alice)}["long"] == (30, minutes)


def test_a_choice_without_matches_is_shown_open_with_the_reason(alice, exam):
    response = start(alice, state="starred", size="5")
    assert response.status_code == 400
    assert codes(response.context["form"]) == {"__all__": ["too-few-questions"]}
    assert parsed(response.text).select_one("[name=state][value=starred]").has_attr("checked")
    learner = learner_of(alice.owner, NOW)
    Star.objects.create(learner=learner, question=Question.objects.first(), made_at=NOW)
    assert start(alice, state="starred", size="5").status_code == 302


def test_each_state_and_order_keeps_its_value_in_addresses_and_has_words_in_the_form():
    for name, each, values in (
        ("state", State, ["all", "unseen", "missed", "guessed", "starred", "due"]),
        ("order", Order, ["unseen", "weak", "guide", "random"]),
    ):
        assert [str(one) for one in each] == values
        assert [value for value, _ in DrillForm.base_fields[name].choices] == values


@pytest.mark.parametrize(
    "fields", [{"size": "0"}, {"size": "999"}, {"domain": "d9"}, {"minutes": "nan"}, {"order": "x"}]
)
def test_impossible_drill_choices_are_refused(alice, exam, fields):
    assert start(alice, **fields).status_code == 400
    assert not PracticeSession.objects.exists()


def test_a_forged_start_is_refused(alice, exam):
    forged = [{}, {"HTTP_SEC_FETCH_SITE": "cross-site"}, {"HTTP_ORIGIN": "https://evil.example"}]
    for headers in forged:
        assert alice.post(reverse("drill", args=["pmle"]), {"size": "5"}, **headers).status_code == 403
    assert not PracticeSession.objects.exists()


@pytest.mark.parametrize(("person", "count"), [("alice", 8), ("bob", 10)])
def test_the_hub_takes_the_same_statements_for_one_session_and_for_four(
    person, count, exam, request, django_assert_num_queries
):
    client = request.getfixturevalue(person)
    for _ in range(2):
        finished_drill(client.owner, exam)
        client.get(reverse("hub", args=["pmle"]))  # counts shared by all learners are cached for a minute
        with django_assert_num_queries(count):
            client.get(reverse("hub", args=["pmle"]))
        for _ in range(3):
            finished_drill(client.owner, exam)


def test_an_exam_without_a_current_guide_cannot_be_practised(exam):
    exam.blueprints.update(is_current=False)
    for name in ("hub", "mock"):
        assert Client().get(reverse(name, args=["pmle"])).status_code == 404
        assert Client().get(reverse(name, args=["none"])).status_code == 404


def test_finishing_twice_leaves_one_row_in_the_history(alice, exam):
    mock = begin_mock(alice.owner, exam)
    for _ in range(2):
        finish(mock.uuid, alice.owner, NOW)
    assert text_of(alice, "history").count(reverse("results", args=[mock.uuid])) == 1
