"""What a learner keeps of a question that is retired, and that it doesn't come back for review."""

import datetime as dt

import pytest
from django.urls import reverse
from django.utils import timezone

from practice.models import Note, ReviewCard, Star
from practice.notebook.keep import keep_note, set_star
from practice.readiness.derive.rebuild import rebuild_analytics
from practice.reviews.make_cards import refresh_cards
from practice.reviews.reads import comes_back
from practice.sessions.ending.finish import finish
from practice.sessions.errors import NothingDue
from practice.sessions.player.check import check
from questions.desk.decide import retire
from questions.models import Question
from tests.support.bank import add_questions, make_exam
from tests.support.families import add_family
from tests.support.hooks import parsed, states
from tests.support.sessions import begin_drill, begin_review, right_places, state
from tests.support.tallies import due_forecast, due_today

pytestmark = pytest.mark.django_db
NOTE = "Look at the batch size."


@pytest.fixture
def exam():
    exam = make_exam()
    add_questions(exam, 2)
    return exam


@pytest.fixture
def session(alice, exam):
    """Return a finished drill of three days ago, whose first answer was wrong; it has a note and a star."""
    session = missed(alice.owner, exam, size=6)
    keep_note(alice.owner, session.uuid, 1, NOTE, session.finished_at)
    set_star(alice.owner, session.uuid, 1, True, session.finished_at)
    return session


def missed(owner, exam, size):
    """Return a finished drill of three days ago, whose first answer was wrong."""
    now = timezone.now() - dt.timedelta(days=3)
    session = begin_drill(owner, exam, now=now, size=size)
    check(session.uuid, owner, state(1, 1, (right_places(session, 1)[0] + 1) % 4), None, now)
    finish(session.uuid, owner, now)
    refresh_cards(session.learner_id, exam.pk)
    session.refresh_from_db()
    return session


@pytest.fixture
def retired(session):
    """Return the question that was missed, now retired as an editor does it."""
    question = session.items.get(position=1).version.question
    retire(question.pk, None, timezone.now(), "Its options gave the key away.")
    return question


def test_its_note_and_star_stay_in_the_notebook_and_its_past_session_shows_both(alice, exam, session, retired):
    assert (Note.objects.get().question, Star.objects.get().question) == (retired, retired)
    [entry] = parsed(alice.get(reverse("notebook", args=[exam.slug]))).select("article.kept")
    assert NOTE in entry.text
    page = alice.get(entry.select_one("a")["href"])
    assert page.status_code == 200
    kept = parsed(page).select_one("#notebook-1")
    assert NOTE in kept.text
    assert "Starred" in kept.text


def test_its_note_and_star_can_still_be_changed(alice, session, retired):
    alice.post(reverse("note", args=[session.uuid, 1]), {"text": "Changed."})
    alice.post(reverse("star", args=[session.uuid, 1]), {"on": "0"})
    assert Note.objects.get().text == "Changed."
    assert not Star.objects.exists()


def test_its_review_card_ends(alice, exam, session):
    now, question = timezone.now(), session.items.get(position=1).version.question
    assert ReviewCard.objects.get().question == question
    assert (due_today(session.learner, exam, now).count, due_forecast(session.learner, exam, now).total) == (1, 1)
    retire(question.pk, None, now, "Its options gave the key away.")
    assert (due_today(session.learner, exam, now).count, due_forecast(session.learner, exam, now).total) == (0, 0)
    with pytest.raises(NothingDue):
        begin_review(alice.owner, exam, now)
    assert "no-card" in states(alice.get(reverse("flashcards", args=[exam.slug])))


def test_its_card_stays_ended_when_everything_is_counted_again(exam, session, retired):
    rebuild_analytics(timezone.now())
    assert due_today(session.learner, exam, timezone.now()).count == 0


def test_no_page_says_that_it_comes_back(alice, exam, session, retired):
    assert comes_back(session.learner_id, exam.pk, [retired.pk]).due_at == {}
    notebook = alice.get(reverse("notebook", args=[exam.slug]))
    assert notebook.context["page"].all_cards == 0


def test_the_card_of_a_family_goes_on_with_its_other_questions(alice):
    exam = make_exam("ace")
    add_family(exam)
    session = missed(alice.owner, exam, size=1)
    seen = session.items.get().version.question
    retire(seen.pk, None, timezone.now(), "A wrong fact.")
    assert comes_back(session.learner_id, exam.pk, [seen.pk]).due_at
    review = begin_review(alice.owner, exam, timezone.now())
    [asked] = review.items.values_list("version__question", flat=True)
    assert asked in Question.objects.filter(family=seen.family, retired_at=None).values_list("pk", flat=True)
