"""An answer with fewer options than asked for is not marked, nothing of it is lost, and the sheet shows it as such."""

import json
import re

import pytest
from django.urls import reverse
from django.utils import timezone

from practice.models import SessionItem
from practice.sessions.player.reads.page import session_page
from practice.sessions.reads.history import open_sessions
from tests.support.bank import add_questions, make_exam
from tests.support.hooks import figures, parsed
from tests.support.sessions import begin_drill, begin_mock, right_places

pytestmark = pytest.mark.django_db
SAME_SITE = {"HTTP_SEC_FETCH_SITE": "same-origin"}


@pytest.fixture
def exam():
    made = make_exam()
    add_questions(made, 3, kind="multiple")
    return made


@pytest.fixture
def mock(alice, exam):
    return begin_mock(alice.owner, exam, now=timezone.now())


@pytest.fixture
def drill(alice, exam):
    return begin_drill(alice.owner, exam, now=timezone.now(), size=3)


def send(client, session, name, *items, writer=1):
    body = json.dumps({"writer": writer, "items": list(items)})
    return client.post(reverse(name, args=[session.uuid]), body, content_type="application/json")


def test_an_answer_with_fewer_options_than_asked_is_not_marked(alice, drill):
    send(alice, drill, "claim")
    answer = send(alice, drill, "check", {"p": 1, "seq": 1, "sel": [0]})
    assert answer.status_code == 400
    assert answer.json()["code"] == "too-few-options"
    assert figures(answer.json()["error"]) == [1]
    assert not drill.items.exclude(checked_at=None).exists()
    assert send(alice, drill, "check", {"p": 1, "seq": 2, "sel": [0, 1]}).status_code == 200
    assert drill.items.get(position=1).checked_at


def test_an_answer_with_more_options_than_asked_is_marked_as_given(alice, drill):
    send(alice, drill, "claim")
    assert send(alice, drill, "check", {"p": 1, "seq": 1, "sel": [0, 1, 2]}).status_code == 200
    assert drill.items.get(position=1).is_correct is False


def test_the_solution_can_be_shown_with_fewer_options_chosen_than_asked(alice, drill):
    send(alice, drill, "claim")
    address = reverse("check", args=[drill.uuid]) + "?reveal=1"
    body = json.dumps({"writer": 1, "items": [{"p": 1, "seq": 1, "sel": [0]}]})
    assert alice.post(address, body, content_type="application/json").status_code == 200


def test_without_script_the_choice_is_kept_and_the_page_says_how_many_to_choose(alice, drill):
    page = session_page(drill, timezone.now())
    form = {"writer": "0", "base": page.base, "a-1": "2", "check": "1"}
    response = alice.post(reverse("session", args=[drill.uuid]), form, **SAME_SITE)
    text = response.content.decode()
    assert figures(parsed(text).select_one("[data-code=too-few-options]").text) == [1, 1]
    assert parsed(text).select_one("[name=a-1][value='2']").has_attr("checked")
    item = drill.items.get(position=1)
    assert (item.selected > 0, item.checked_at) == (True, None)


@pytest.mark.parametrize("headers", [{}, {"HTTP_HX_REQUEST": "true"}], ids=["page", "fragment"])
def test_a_public_page_with_an_incomplete_answer_records_nothing_and_keeps_the_choice(client, exam, headers):
    question = exam.questions.filter(number__isnull=False).order_by("number").first()
    sent = {"question": question.number, "slot": [2]}
    response = client.post(reverse("answer", args=["pmle"]), sent, **SAME_SITE, **headers)
    text = response.content.decode()
    assert response.status_code == 400
    assert figures(parsed(text).select_one("[data-code=too-few-options]").text) == [1]
    assert not SessionItem.objects.exists()
    if not headers:
        assert re.search(r'value="2"\s+checked', text)
        assert len(re.findall(r' value="\d"\s+checked', text)) == 1


def test_the_same_option_twice_counts_once(client, exam):
    question = exam.questions.filter(number__isnull=False).first()
    sent = {"question": question.number, "slot": [2, 2]}
    assert client.post(reverse("answer", args=["pmle"]), sent, **SAME_SITE).status_code == 400
    assert not SessionItem.objects.exists()


def test_a_mock_shows_an_incomplete_answer_as_such_and_not_as_answered(alice, mock):
    send(alice, mock, "claim")
    right = right_places(mock, 2)
    send(alice, mock, "save", {"p": 1, "seq": 1, "sel": [0]}, {"p": 2, "seq": 2, "sel": list(right)},
         {"p": 3, "seq": 3, "sel": [0, 1, 2]})  # fmt: skip
    page = session_page(mock, timezone.now())
    assert (page.answered, page.incomplete, len(page.unanswered_positions)) == (2, [1], 7)
    assert page.items[0].incomplete
    text = alice.get(reverse("session", args=[mock.uuid])).content.decode()
    assert 'class="cell is-incomplete" href="#q1"' in text
    assert 'class="cell is-answered" href="#q3"' in text
    text = alice.get(reverse("finish", args=[mock.uuid])).content.decode()
    assert figures(parsed(text).select_one(".lede").text)[:4] == [2, 10, 7, 1]
    assert 'class="cell is-incomplete"' in text
    [row] = open_sessions(mock.learner, timezone.now())
    assert row.answered == 2


def test_an_incomplete_answer_is_scored_wrong(alice, mock):
    send(alice, mock, "claim")
    right = right_places(mock, 1)
    send(alice, mock, "save", {"p": 1, "seq": 1, "sel": [right[0]]})
    alice.post(reverse("finish", args=[mock.uuid]))
    assert mock.items.get(position=1).is_correct is False
