"""Check which answers make review cards, what is due, and the sessions that review it."""

import datetime as dt

import pytest
import time_machine
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from courseiva.common.quick.columns import six_digits
from practice.models import Confidence, ExamPlan, Learner, Mode, PracticeSession, ReviewCard
from practice.reviews import rules
from practice.reviews.make_cards import refresh_cards
from practice.reviews.reads import cards_of_answers
from practice.reviews.rules import DAILY
from practice.sessions.ending.finish import discard, finish
from practice.sessions.errors import NothingDue
from practice.sessions.player.check import answer_on_page, check
from practice.sessions.player.save import claim, save
from questions.models import BlueprintDomain, Question
from tests.support.bank import NOW, add_questions, make_exam
from tests.support.hooks import codes, figures, parsed, states
from tests.support.sessions import (
    add_cards,
    batch,
    begin_drill,
    begin_mock,
    begin_review,
    guest,
    guest_client,
    learner_of,
    read_through,
    right_places,
    state,
)
from tests.support.tallies import due_forecast, due_today, where

pytestmark = pytest.mark.django_db
DAY = dt.timedelta(days=1)
TOMORROW = NOW + DAY
SAME_SITE = {"HTTP_SEC_FETCH_SITE": "same-origin"}
REFRESH = 4
START_REVIEW = 11


@pytest.fixture(autouse=True)
def _clock():
    with time_machine.travel(NOW + dt.timedelta(minutes=5), tick=False):
        yield


@pytest.fixture
def exam():
    exam = make_exam()
    add_questions(exam, 4)
    return exam


@pytest.fixture
def learner(alice):
    return learner_of(alice.owner, NOW)


def refresh(owner, exam):
    with transaction.atomic():
        learner = Learner.objects.select_for_update().get(**owner.of_learner)
        refresh_cards(learner.pk, exam.pk)


def answer(session, owner, position, is_right, now=NOW, **marks):
    """Check one answer of a drill or review; return its question."""
    places = right_places(session, position)
    places = places if is_right else tuple(place for place in range(4) if place not in places)[:1]
    return check(session.uuid, owner, state(position, 1, *places, **marks), None, now).version.question


def cards(owner):
    rows = ReviewCard.objects.filter(**owner.of_row)
    return {card.question_id: card for card in rows}


def questions(exam, count=100, **filters):
    return list(Question.objects.filter(exam=exam, **filters).order_by("pk")[:count])


def asked(session):
    return list(session.items.order_by("position").values_list("version__question_id", flat=True))


def hub(client):
    return client.get(reverse("hub", args=["pmle"])).content.decode()


def offers_review(text):
    """Return the elements that offer the due reviews, as a preset drill or as the next step."""
    return parsed(text).select("li.preset:has([name=state][value=due]), [data-step=review]")


def start(client, **fields):
    return client.post(reverse("drill", args=["pmle"]), fields, **SAME_SITE)


def opened(response):
    return PracticeSession.objects.get(uuid=response.url.split("/")[3])


# Cards


def test_a_miss_and_a_guess_make_cards_and_a_right_answer_makes_none(alice, exam):
    drill = begin_drill(alice.owner, exam, size=4)
    missed = answer(drill, alice.owner, 1, False)
    answer(drill, alice.owner, 2, True)
    guessed = answer(drill, alice.owner, 3, True, confidence=Confidence.GUESS)
    check(drill.uuid, alice.owner, state(4, 1), None, NOW, reveal=True)
    refresh(alice.owner, exam)
    found = cards(alice.owner)
    assert set(found) == {missed.pk, guessed.pk}
    assert all(card.reviewed_at == NOW and card.due_at == TOMORROW for card in found.values())


def test_a_very_slow_right_answer_is_rated_hard(alice, exam):
    first, second = questions(exam, 2)
    add_cards(alice.owner, [first, second], NOW - DAY)
    for at, marks in ((NOW - 2 * DAY, {}), (NOW, {"seconds": 361})):
        drill = begin_drill(alice.owner, exam, now=at, size=24)
        for position, question in enumerate(asked(drill), start=1):
            if question in (first.pk, second.pk):
                slow = marks if question == first.pk else {}
                answer(drill, alice.owner, position, bool(marks), at, **slow)
    refresh(alice.owner, exam)
    found = cards(alice.owner)
    assert found[first.pk].stability < found[second.pk].stability


def test_a_card_records_that_its_miss_was_a_sure_one(alice, exam, monkeypatch):
    """A fresh card is due tomorrow anyway, so the week is shortened to see it."""
    monkeypatch.setattr(rules, "SURE_MISS_DAYS", 0.5)
    drill = begin_drill(alice.owner, exam, size=3, order="random")
    for position, confidence in ((1, Confidence.SURE), (2, Confidence.UNSURE)):
        answer(drill, alice.owner, position, False, confidence=confidence)
    finish(drill.uuid, alice.owner, NOW)
    refresh_cards(learner_of(alice.owner).pk, exam.pk)
    waits = {card.due_at - card.reviewed_at for card in ReviewCard.objects.all()}
    assert waits == {dt.timedelta(days=0.5), dt.timedelta(days=1)}


def test_answers_count_once_marked_but_never_in_a_discarded_session(alice, exam):
    mock = begin_mock(alice.owner, exam, count=6)
    writer = claim(mock.uuid, alice.owner, NOW).writer
    wrong = next(place for place in range(4) if place not in right_places(mock, 1))
    save(mock.uuid, alice.owner, batch(writer, state(1, 1, wrong)), NOW)
    refresh(alice.owner, exam)
    assert cards(alice.owner) == {}
    discard(mock.uuid, alice.owner, NOW)
    refresh(alice.owner, exam)
    assert cards(alice.owner) == {}


def test_an_unanswered_question_in_a_mock_makes_no_card(alice, exam):
    mock = begin_mock(alice.owner, exam, count=6)
    writer = claim(mock.uuid, alice.owner, NOW).writer
    wrong = next(place for place in range(4) if place not in right_places(mock, 1))
    save(mock.uuid, alice.owner, batch(writer, state(1, 1, wrong)), NOW)
    finish(mock.uuid, alice.owner, NOW)
    refresh(alice.owner, exam)
    assert set(cards(alice.owner)) == {asked(mock)[0]}


def test_an_answer_on_a_question_page_makes_a_card(alice, exam):
    question = questions(exam, 1)[0]
    answer_on_page(alice.owner, question, [2], NOW)
    refresh(alice.owner, exam)
    assert set(cards(alice.owner)) == {question.pk}


def test_a_later_answer_updates_the_cards_row(alice, exam):
    drill = begin_drill(alice.owner, exam, size=1)
    answer(drill, alice.owner, 1, False)
    refresh(alice.owner, exam)
    (before,) = cards(alice.owner).values()
    review = begin_review(alice.owner, exam, TOMORROW)
    answer(review, alice.owner, 1, True, TOMORROW)
    refresh(alice.owner, exam)
    (after,) = cards(alice.owner).values()
    assert after.pk == before.pk
    assert (after.reviews, after.lapses) == (1, 0)
    assert after.due_at > TOMORROW + DAY


def test_a_card_without_answers_is_deleted_and_only_changed_rows_are_written(alice, exam):
    drill = begin_drill(alice.owner, exam, size=2)
    for position in (1, 2):
        answer(drill, alice.owner, position, False)
    add_cards(alice.owner, Question.objects.exclude(pk__in=asked(drill))[:1])
    refresh(alice.owner, exam)
    assert set(cards(alice.owner)) == set(asked(drill))
    ReviewCard.objects.filter(question=asked(drill)[0]).update(stability=99)
    with CaptureQueriesContext(connection) as statements:
        refresh(alice.owner, exam)
    written = [one["sql"] for one in statements if one["sql"].startswith(("INSERT", "UPDATE", "DELETE"))]
    assert len(written) == 1
    assert all(card.stability < 1 for card in cards(alice.owner).values())
    with CaptureQueriesContext(connection) as statements:
        refresh(alice.owner, exam)
    assert not [one for one in statements if one["sql"].startswith(("INSERT", "UPDATE", "DELETE"))]


def test_a_card_whose_numbers_are_rounded_where_they_are_stored_is_not_written_again(alice, exam):
    drill = begin_drill(alice.owner, exam, size=1)
    answer(drill, alice.owner, 1, False)
    refresh(alice.owner, exam)
    review = begin_review(alice.owner, exam, TOMORROW)
    answer(review, alice.owner, 1, True, TOMORROW)
    refresh(alice.owner, exam)
    (card,) = cards_of_answers(learner_of(alice.owner).pk, exam.pk).values()
    assert (card.stability, card.difficulty) != (six_digits(card.stability), six_digits(card.difficulty))
    with CaptureQueriesContext(connection) as statements:
        refresh(alice.owner, exam)
    assert not [one for one in statements if one["sql"].startswith(("INSERT", "UPDATE", "DELETE"))]


def test_cards_belong_to_one_learner_and_one_exam(alice, exam):
    other = make_exam("ace")
    add_questions(other, 1)
    bob, _ = guest()
    for owner, of in ((alice.owner, exam), (bob, exam), (alice.owner, other)):
        drill = begin_drill(owner, of, size=2)
        for position in (1, 2):
            answer(drill, owner, position, False)
    refresh(alice.owner, exam)
    assert {card.exam_id for card in cards(alice.owner).values()} == {exam.pk}
    assert cards(bob) == {}


@pytest.mark.parametrize("count", [1, 24])
def test_refreshing_takes_the_same_statements_for_one_answer_and_for_many(alice, exam, count):
    drill = begin_drill(alice.owner, exam, size=count)
    for position in range(1, count + 1):
        answer(drill, alice.owner, position, False)
    learner = Learner.objects.get(**alice.owner.of_learner)
    for statements in (REFRESH, REFRESH - 1):  # nothing has changed by the second time
        with CaptureQueriesContext(connection) as found:
            refresh_cards(learner.pk, exam.pk)
        assert len(found) == statements
    assert ReviewCard.objects.count() == count


# What is due


def test_a_card_is_due_all_day_long_in_the_learners_time_zone(alice, exam, learner):
    add_cards(alice.owner, questions(exam, 1), dt.datetime(2026, 11, 22, 2, 0, tzinfo=dt.UTC))
    before, after = (dt.datetime(2026, 11, 21, hour, 30, tzinfo=dt.UTC) for hour in (14, 15))
    for zone, at, due in (("UTC", after, 0), ("Asia/Tokyo", before, 0), ("Asia/Tokyo", after, 1)):
        learner.time_zone = zone
        assert due_today(learner, exam, at).count == due, (zone, at)
        assert due_forecast(learner, exam, at).days[0].count == due


def test_a_question_answered_today_is_not_due_today_even_before_its_card_is_updated(alice, exam, learner):
    add_cards(alice.owner, questions(exam, 3))
    review = begin_review(alice.owner, exam)
    answer(review, alice.owner, 1, False)
    found = due_today(learner, exam, NOW)
    assert (found.count, found.done) == (2, 1)
    again = begin_review(alice.owner, exam)
    assert asked(review)[0] not in asked(again)


def test_every_card_is_due_by_the_exam_day(alice, exam, learner):
    later, soon = questions(exam, 2)
    add_cards(alice.owner, [soon], NOW + 3 * DAY)
    add_cards(alice.owner, [later], NOW + 90 * DAY)
    plan = ExamPlan.objects.create(learner=learner, exam=exam, exam_date=(NOW + 5 * DAY).date())
    days = due_forecast(learner, exam, NOW).days
    assert [day.count for day in days][:7] == [0, 0, 0, 1, 0, 1, 0]
    assert days[5].date == plan.exam_date
    assert due_today(learner, exam, NOW + 5 * DAY).count == 2
    assert due_today(learner, exam, NOW + 6 * DAY).count == 1
    assert asked(begin_review(alice.owner, exam, NOW + 5 * DAY)) == [soon.pk, later.pk]


def test_the_forecast_has_at_most_twenty_a_day_with_the_overdue_first(alice, exam, learner):
    add_questions(exam, 4)
    add_cards(alice.owner, questions(exam, 45), NOW - 10 * DAY)
    forecast = due_forecast(learner, exam, NOW)
    assert [day.count for day in forecast.days] == [20, 20, 5, *[0] * 11]
    assert forecast.days[0].date == NOW.date()
    assert (forecast.today.count, forecast.today.waiting, forecast.total) == (20, 25, 45)


def test_the_forecast_takes_no_extra_statement_for_one_card_or_for_many(
    alice, exam, learner, django_assert_num_queries
):
    for batch_of in (questions(exam, 1), questions(exam)[1:]):
        add_cards(alice.owner, batch_of)
        found = where(learner, exam, NOW)
        with django_assert_num_queries(0):
            found.reviews.forecast()


# A review


def test_a_review_takes_due_cards_oldest_first_and_marks_at_once(alice, exam):
    due = questions(exam, 6)
    add_cards(alice.owner, reversed(due[:5]))
    add_cards(alice.owner, due[5:], NOW + 2 * DAY)
    review = begin_review(alice.owner, exam, size=3)
    assert review.mode == Mode.REVIEW
    assert review.feedback_each
    assert asked(review) == [question.pk for question in reversed(due[2:5])]
    assert all(review.items.values_list("seen_before", flat=True))
    assert asked(begin_review(alice.owner, exam)) == [question.pk for question in reversed(due[:5])]


def test_a_review_has_at_most_twenty_a_day_even_if_more_are_requested(alice, exam, learner):
    add_cards(alice.owner, questions(exam, 24))
    review = begin_review(alice.owner, exam, size=100)
    assert review.total == DAILY
    for position in range(1, 6):
        answer(review, alice.owner, position, True)
    assert begin_review(alice.owner, exam, size=100).total == DAILY - 5
    left = PracticeSession.objects.get(**alice.owner.of_row, finished_at=None)
    for position in range(1, DAILY - 4):
        answer(left, alice.owner, position, True)
    found = due_today(learner, exam, NOW)
    assert (found.count, found.waiting, found.done) == (0, 4, DAILY)
    assert found.is_over
    assert figures(parsed(hub(alice)).select_one("[data-state=done] + .help").text) == [DAILY, 4]
    with pytest.raises(NothingDue):
        begin_review(alice.owner, exam)
    assert due_today(learner, exam, TOMORROW).count >= 4


def test_only_one_drill_or_review_runs_and_a_failed_start_does_not_end_it(alice, exam):
    drill = begin_drill(alice.owner, exam, size=2)
    with pytest.raises(NothingDue):
        begin_review(alice.owner, exam)
    drill.refresh_from_db()
    assert drill.is_open
    add_cards(alice.owner, questions(exam, 2))
    review = begin_review(alice.owner, exam)
    drill.refresh_from_db()
    assert not drill.is_open
    begin_drill(alice.owner, exam, size=2)
    review.refresh_from_db()
    assert not review.is_open


def test_reserved_questions_are_reviewed_once_a_finished_session_showed_them(alice, exam, learner):
    reserved = add_questions(exam, 1, pool="reserved", domains=("d1",))[0].question
    add_cards(alice.owner, [reserved])
    assert due_today(learner, exam, NOW).count == 0
    assert due_forecast(learner, exam, NOW).total == 0
    with pytest.raises(NothingDue):
        begin_review(alice.owner, exam)
    mock = begin_mock(alice.owner, exam, count=6, now=NOW - DAY)
    assert reserved.pk in asked(mock)
    finish(mock.uuid, alice.owner, read_through(mock, alice.owner, NOW - DAY))
    assert due_today(learner, exam, NOW).count == 1
    assert asked(begin_review(alice.owner, exam)) == [reserved.pk]


@pytest.mark.parametrize("gone", ["withdrawn_at", "retired_at"])
def test_withdrawn_and_retired_questions_never_come_back(alice, exam, learner, gone):
    first, second = questions(exam, 2)
    add_cards(alice.owner, [first, second])
    Question.objects.filter(pk=first.pk).update(**{gone: NOW})
    assert due_today(learner, exam, NOW).count == 1
    assert due_forecast(learner, exam, NOW).total == 1
    assert asked(begin_review(alice.owner, exam)) == [second.pk]


def test_a_filter_narrows_the_due_cards(alice, exam):
    add_cards(alice.owner, questions(exam))
    review = opened(start(alice, state="due", domain="d2", size="50"))
    assert review.mode == Mode.REVIEW
    assert set(review.items.values_list("version__domain__key", flat=True)) == {"d2"}
    assert BlueprintDomain.objects.get(domain__key="d2").name in review.label


def test_cards_are_visible_only_to_their_learner(alice, exam, learner):
    bob, token = guest()
    add_cards(bob, questions(exam, 3))
    assert due_today(learner, exam, NOW).count == 0
    assert due_forecast(learner, exam, NOW).total == 0
    assert not offers_review(hub(alice))
    assert offers_review(hub(guest_client(token)))
    assert start(alice, state="due").status_code == 400
    assert start(Client(), state="due").status_code == 400


@pytest.mark.parametrize("count", [1, 20])
def test_starting_a_review_keeps_its_statement_count(alice, exam, count):
    add_cards(alice.owner, questions(exam, count))
    with CaptureQueriesContext(connection) as found:
        assert start(alice, state="due", size="20").status_code == 302
    assert len(found) <= START_REVIEW, [one["sql"][:90] for one in found]


# The pages


def test_the_hub_offers_due_reviews_and_a_button_that_starts_them(alice, exam):
    assert not offers_review(hub(alice))
    add_cards(alice.owner, questions(exam, 3))
    text = hub(alice)
    assert figures(offers_review(text)[0].strong.text) == [3, 6]
    review = opened(start(alice, size="3", state="due", confidence="on"))
    assert (review.mode, review.total, review.ask_confidence) == (Mode.REVIEW, 3, True)
    text = hub(alice)
    assert parsed(text).select_one("a.btn")["href"].startswith(review.get_absolute_url())
    assert not offers_review(text)


def test_the_hub_says_when_nothing_more_is_due_today(alice, exam):
    add_cards(alice.owner, questions(exam, 2))
    assert "done" not in states(hub(alice))
    review = begin_review(alice.owner, exam)
    for position in (1, 2):
        answer(review, alice.owner, position, True)
    text = hub(alice)
    assert figures(parsed(text).select_one("[data-state=done] + .help").text) == [2]
    assert not offers_review(text)


def test_a_review_with_nothing_due_says_so(alice, exam):
    response = start(alice, state="due")
    assert response.status_code == 400
    assert codes(response.context["form"]) == {"__all__": ["nothing-due"]}


def test_a_review_is_called_a_review_from_its_start_to_its_result(alice, exam):
    add_cards(alice.owner, questions(exam, 2))
    review = opened(start(alice, state="due", size="2"))
    text = alice.get(review.get_absolute_url()).content.decode()
    assert "review" in parsed(text).select_one("#submit-session").text
    assert "drill" not in text.split("<main")[1].replace("drill/", "")
    assert "review" in parsed(alice.get(reverse("finish", args=[review.uuid]))).h1.text
    answer(review, alice.owner, 1, False)
    breakdown = alice.get(reverse("breakdown", args=[review.uuid, 1])).content.decode()
    assert "review" in parsed(breakdown).select_one(".crumbs").text
    alice.post(reverse("finish", args=[review.uuid]))
    result = alice.get(reverse("results", args=[review.uuid])).content.decode()
    assert "review" in parsed(result).h1.text
    assert f'name="session" value="{review.uuid}"' in result
    assert "Review" in parsed(alice.get(reverse("history"))).select_one(".session-row").text
    table = alice.get(reverse("results-csv", args=[review.uuid]))
    assert table.headers["Content-Disposition"].endswith('-review.csv"')
    redo = opened(start(alice, state="missed", session=str(review.uuid), size="100"))
    assert (redo.mode, redo.total) == (Mode.DRILL, 1)
