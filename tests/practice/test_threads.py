"""Check who may read the discussion of a question, which is all that the discussion asks the practice app."""

from __future__ import annotations

import pytest
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.test import RequestFactory
from django.utils.module_loading import import_string

from courseiva.accounts.models import User
from practice.learners.reads.identity import GUEST_COOKIE, Owner
from practice.models import SessionItem
from practice.sessions.ending.finish import discard, finish
from questions.models import Pool, Question
from tests.support.bank import NOW, add_questions, make_exam
from tests.support.sessions import begin_drill, begin_mock, guest, guest_client, read_through


@pytest.fixture
def exam(db):
    exam = make_exam()
    add_questions(exam, 2)
    add_questions(exam, 2, pool="reserved")
    return exam


@pytest.fixture(params=["guest", "learner"])
def reader(request, db):
    """Return an owner, and a request that comes from their browser."""
    asked = RequestFactory().get("/")
    asked.user = AnonymousUser()
    if request.param == "guest":
        owner, token = guest()
        asked.COOKIES[GUEST_COOKIE] = guest_client(token).cookies[GUEST_COOKIE].value
        return owner, asked
    user = User.objects.create_user("lena@example.org")
    asked.COOKIES[settings.SESSION_COOKIE_NAME], asked.user = "x", user
    return Owner(user_id=user.pk), asked


def may(asked, question: Question) -> bool:
    return import_string(settings.DISCUSSION_MAY_READ_THREAD)(asked, question)


def in_session(session, pool: str) -> Question:
    item = SessionItem.objects.filter(session=session, version__pool=pool).select_related("version__question").first()
    return Question.objects.select_related("live_version").get(pk=item.version.question_id)


def test_a_stranger_reads_threads_of_public_questions_but_never_of_reserved_ones(exam):
    asked = RequestFactory().get("/")
    asked.user = AnonymousUser()
    for question in Question.objects.select_related("live_version"):
        assert may(asked, question) == (question.pool == Pool.PUBLIC)


def test_the_thread_of_a_question_in_an_unfinished_mock_is_closed(exam, reader):
    owner, asked = reader
    mock = begin_mock(owner, exam, count=16)
    opened, reserved = in_session(mock, Pool.PUBLIC), in_session(mock, Pool.RESERVED)
    assert not may(asked, opened)
    assert not may(asked, reserved)
    other = Question.objects.filter(pool=Pool.PUBLIC).exclude(versions__in=mock.items.values("version"))[0]
    assert may(asked, other)


def test_a_finished_mock_opens_its_threads_including_reserved_ones(exam, reader):
    owner, asked = reader
    mock = begin_mock(owner, exam, count=16)
    finish(mock.uuid, owner, read_through(mock, owner))
    assert may(asked, in_session(mock, Pool.PUBLIC))
    assert may(asked, in_session(mock, Pool.RESERVED))
    unmet = Question.objects.filter(pool=Pool.RESERVED).exclude(versions__in=mock.items.values("version")).first()
    assert unmet is None or not may(asked, unmet)


def test_a_second_unfinished_mock_closes_the_thread_again(exam, reader):
    owner, asked = reader
    first = begin_mock(owner, exam, count=20)
    finish(first.uuid, owner, NOW)
    second = begin_mock(owner, exam, count=20)
    assert not may(asked, in_session(second, Pool.RESERVED))
    assert not may(asked, in_session(second, Pool.PUBLIC))


def test_a_discarded_mock_neither_closes_nor_opens_a_thread(exam, reader):
    owner, asked = reader
    mock = begin_mock(owner, exam, count=16)
    discard(mock.uuid, owner, NOW)
    assert may(asked, in_session(mock, Pool.PUBLIC))
    assert not may(asked, in_session(mock, Pool.RESERVED))


def test_a_running_drill_closes_no_thread(exam, reader):
    owner, asked = reader
    drill = begin_drill(owner, exam, size=5)
    assert may(asked, in_session(drill, Pool.PUBLIC))


def test_another_learners_mock_neither_closes_nor_opens_a_thread(exam, reader):
    _, asked = reader
    other, _ = guest()
    mock = begin_mock(other, exam, count=16)
    assert may(asked, in_session(mock, Pool.PUBLIC))
    finish(mock.uuid, other, NOW)
    assert not may(asked, in_session(mock, Pool.RESERVED))


def test_the_thread_of_a_question_that_became_reserved_is_no_longer_public(exam, reader):
    _, asked = reader
    question = Question.objects.filter(pool=Pool.PUBLIC).select_related("live_version")[0]
    question.pool = Pool.RESERVED
    assert not may(asked, question)
