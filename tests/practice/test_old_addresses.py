"""Addresses of 0.1.0 keep working: GET is redirected permanently, and forms are still accepted."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from practice.models import Star
from practice.sessions.ending.finish import finish
from questions.models import Exam
from tests.support.bank import NOW, add_questions, make_exam
from tests.support.sessions import begin_mock

pytestmark = pytest.mark.django_db


@pytest.fixture
def exam() -> Exam:
    exam = make_exam()
    add_questions(exam, 3)
    return exam


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("/guides/", "/articles/"),
        ("/guides/privacy/", "/articles/privacy/"),
        ("/guides/terms/?from=mail", "/articles/terms/?from=mail"),
        ("/exams/pmle/topics/c1/", "/exams/pmle/concepts/c1/"),
    ],
)
def test_an_old_address_redirects_permanently(exam: Exam, old: str, new: str) -> None:
    answer = Client().get(old)
    assert (answer.status_code, answer["Location"]) == (301, new)
    assert Client().head(old).status_code == 301
    assert Client().get(new).status_code == 200


def test_a_star_set_from_an_older_page_is_kept(alice: Any, exam: Exam) -> None:
    mock = finish(begin_mock(alice.owner, exam).uuid, alice.owner, NOW)
    old = f"/practice/sessions/{mock.uuid}/items/1/bookmark/"
    assert alice.post(old, {"on": "1"}).status_code == 302
    assert Star.objects.get().made_at <= timezone.now()


def test_an_old_address_requires_the_token_like_the_new_one(alice: Any, exam: Exam) -> None:
    mock = finish(begin_mock(alice.owner, exam).uuid, alice.owner, NOW)
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = alice.cookies
    assert strict.post(f"/practice/sessions/{mock.uuid}/items/1/bookmark/", {"on": "1"}).status_code == 403
    assert not Star.objects.exists()


def test_the_forms_of_0_1_0_get_todays_responses(exam: Exam) -> None:
    assert Client().post("/guides/privacy/").status_code == Client().post("/articles/privacy/").status_code == 405
