"""A result can be shared as text and as a picture, with score and sheet but without the learner or the questions."""

import io

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from PIL import Image

from practice.models import Learner, Mode, PracticeSession
from practice.sessions.results.reads.results import SIGNS
from practice.sessions.results.rules import HEIGHT, PAPER, RIGHT, WIDTH, WRONG, picture
from questions.models import Question
from tests.discussion.conftest import person
from tests.practice.test_pages_results import sit
from tests.support.bank import add_questions, make_exam
from tests.support.hooks import figures, parsed
from tests.support.sessions import begin_mock, guest, guest_client

pytestmark = [pytest.mark.long("many requests"), pytest.mark.django_db]


@pytest.fixture
def session(alice):
    exam = make_exam()
    add_questions(exam, 4)
    return sit(alice.owner, exam)


def colours(content):
    return {f"#{r:02x}{g:02x}{b:02x}" for _, (r, g, b) in Image.open(io.BytesIO(content)).getcolors(WIDTH * HEIGHT)}


def test_the_text_has_the_score_and_the_sheet(alice, session):
    text = parsed(alice.get(reverse("results", args=[session.uuid]))).select_one("textarea[data-share]").text
    assert figures(text.splitlines()[0]) == [7, 10, 70]
    assert SIGNS[True] * 7 + SIGNS[False] * 3 in text.splitlines()
    titles = Question.objects.values_list("live_version__title", flat=True)
    for hidden in (str(session.uuid), *titles):
        assert hidden not in text


def test_the_text_does_not_name_the_signed_in_learner(session):
    carol = person("carol")
    Learner.objects.filter(pk=session.learner_id).update(user=carol, guest_key=None)
    client = Client()
    client.force_login(carol)
    text = parsed(client.get(reverse("results", args=[session.uuid]))).select_one("textarea[data-share]").text
    assert carol.email not in text
    assert carol.public_name not in text


def test_the_picture_shows_right_and_wrong_and_holds_no_metadata(alice, session):
    answer = alice.get(reverse("results-picture", args=[session.uuid]))
    assert answer.headers["Content-Type"] == "image/png"
    assert "no-store" in answer.headers["Cache-Control"]
    assert str(session.uuid) not in answer.headers["Content-Disposition"]
    image = Image.open(io.BytesIO(answer.content))
    assert (image.size, image.info) == ((WIDTH, HEIGHT), {})
    assert {PAPER, RIGHT, WRONG} <= colours(answer.content)


@pytest.mark.parametrize("count", [1, 20, 60, 100, 400])
def test_a_sheet_of_any_length_and_a_long_line_fit_in_the_picture(count):
    image = Image.open(io.BytesIO(picture(["W" * 80], [False] * count, "W" * 90)))
    edges = [(x, y) for x in (0, WIDTH - 1) for y in range(HEIGHT)] + [
        (x, y) for y in (0, HEIGHT - 1) for x in range(WIDTH)
    ]
    assert {f"#{r:02x}{g:02x}{b:02x}" for r, g, b in map(image.getpixel, edges)} == {PAPER}


def test_only_its_owner_shares_a_result_and_only_after_the_end(alice, session):
    assert guest_client(guest()[1]).get(reverse("results-picture", args=[session.uuid])).status_code == 404
    running = begin_mock(alice.owner, session.exam, 10, timezone.now())
    assert alice.get(reverse("results-picture", args=[running.uuid])).status_code == 302


def test_a_check_has_no_score_to_share(alice, session):
    PracticeSession.objects.filter(pk=session.pk).update(mode=Mode.CHECK)
    assert alice.get(reverse("results-picture", args=[session.uuid])).status_code == 404
