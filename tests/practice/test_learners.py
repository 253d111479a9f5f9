"""Guests become learners at their first answer, and signing in merges their work into the account."""

import pytest

from courseiva.accounts.models import User
from practice.handover.adopt import adopt
from practice.learners.reads.identity import Owner
from practice.models import Learner, Note, PracticeSession, SessionItem, Star
from practice.sessions.player.check import answer_on_page
from questions.models import Question
from tests.support.bank import NOW, add_questions, make_exam
from tests.support.sessions import begin_drill, guest, learner_of, seconds

pytestmark = pytest.mark.django_db


@pytest.fixture
def exam():
    exam = make_exam()
    add_questions(exam, 3)
    return exam


@pytest.fixture
def carol():
    return Owner(user_id=User.objects.create_user(email="carol@example.com", password="x").pk)


def test_a_learner_is_created_only_once(carol):
    assert learner_of(carol, NOW) == learner_of(carol, seconds(5))
    assert Learner.objects.count() == 1


def test_a_guests_sessions_stars_and_notes_join_the_account(exam, carol):
    alice = guest()[0]
    mine = begin_drill(carol, exam)
    theirs = begin_drill(alice, exam, now=seconds(5))
    guest_learner, learner = Learner.objects.get(**alice.of_learner), Learner.objects.get(**carol.of_learner)
    first, second = Question.objects.all()[:2]
    for owner, question in ((guest_learner, first), (guest_learner, second), (learner, second)):
        Star.objects.create(learner=owner, question=question, made_at=NOW)
    Note.objects.create(learner=guest_learner, question=first, text="guest", changed_at=NOW)
    Note.objects.create(learner=guest_learner, question=second, text="guest too", changed_at=seconds(9))
    Note.objects.create(learner=learner, question=second, text="account", changed_at=NOW)
    adopt(alice, carol, seconds(20))
    assert set(PracticeSession.objects.filter(learner=learner)) == {mine, theirs}
    assert set(Star.objects.filter(learner=learner).values_list("question", flat=True)) == {first.pk, second.pk}
    notes = dict(Note.objects.filter(learner=learner).values_list("question", "text"))
    assert {key: text.split("\n\n") for key, text in notes.items()} == {
        first.pk: ["guest"],
        second.pk: ["account", "guest too"],
    }
    assert not Learner.objects.filter(**alice.of_learner).exists()


def test_adopting_twice_changes_nothing(exam, carol):
    alice = guest()[0]
    begin_drill(alice, exam)
    adopt(alice, carol, NOW)
    before = list(PracticeSession.objects.values_list("pk", "learner"))
    assert adopt(alice, carol, NOW) is None
    assert list(PracticeSession.objects.values_list("pk", "learner")) == before


def test_adoption_changes_no_timestamp(exam, carol):
    alice = guest()[0]
    drill = begin_drill(alice, exam)
    drill.items.update(first_exposure=True)
    adopt(alice, carol, NOW)
    assert set(drill.items.values_list("first_exposure", flat=True)) == {True}


def test_page_answers_of_a_guest_and_an_account_are_merged(exam, carol):
    alice, question = guest()[0], Question.objects.first()
    answer_on_page(carol, question, [2], NOW)
    answer_on_page(alice, question, [2], seconds(5))
    adopt(alice, carol, seconds(10))
    answer_on_page(carol, question, [1], seconds(20))
    assert SessionItem.objects.filter(session__learner__user_id=carol.user_id).count() == 3
