"""A session reopens, on any device, at the last question in its newest save."""

import json

import pytest
from django.urls import reverse
from django.utils import timezone

from practice.sessions.player.reads.page import session_page
from practice.sessions.reads.history import open_sessions
from practice.sessions.rules import left_at
from tests.support.bank import add_questions, make_exam
from tests.support.sessions import begin_drill, begin_mock

pytestmark = pytest.mark.django_db
SAME_SITE = {"HTTP_SEC_FETCH_SITE": "same-origin"}


@pytest.fixture
def exam():
    made = make_exam()
    add_questions(made, 3)
    return made


@pytest.fixture
def mock(alice, exam):
    return begin_mock(alice.owner, exam, now=timezone.now())


def send(client, session, name, *items, writer=1):
    body = json.dumps({"writer": writer, "items": list(items)})
    return client.post(reverse(name, args=[session.uuid]), body, content_type="application/json")


def here(session):
    return session_page(session, timezone.now()).here


@pytest.mark.parametrize(
    ("saves", "place"),
    [
        ([], 1),
        ([(0, 0, 1), (0, 0, 2)], 1),
        ([(1, 4, 2), (1, 7, 1), (0, 0, 3)], 1),
        ([(2, 1, 3), (1, 9, 5)], 3),  # from another device, with a newer writer number
        ([(3, 2, 1), (3, 2, 6), (3, 1, 9)], 6),  # several saved at once without script: the last counts
    ],
)
def test_the_newest_save_decides_where_a_session_reopens(saves, place):
    assert left_at(saves) == place


def test_the_player_opens_where_the_last_save_was(alice, mock):
    assert here(mock) == 1
    send(alice, mock, "claim")
    send(alice, mock, "save", {"p": 6, "seq": 2, "sel": [0]}, {"p": 7, "seq": 3})
    send(alice, mock, "save", {"p": 7, "seq": 4}, {"p": 4, "seq": 5})
    assert here(mock) == 4
    text = alice.get(reverse("session", args=[mock.uuid])).content.decode()
    assert text.count("is-here") == 1
    assert '<section class="question is-here" id="q4"' in text


def test_a_page_without_script_comes_back_to_the_last_question_it_changed(alice, mock):
    for answers, place in (({"a-3": "0", "a-5": "1"}, 5), ({"a-3": "2", "a-5": "1", "a-4": "1"}, 4)):
        page = session_page(mock, timezone.now())
        mock.refresh_from_db()
        form = {"writer": mock.writer, "base": page.base, "place": "1", **answers}
        alice.post(reverse("session", args=[mock.uuid]), form, **SAME_SITE)
        assert here(mock) == place


def test_every_link_that_leads_back_names_the_question(alice, exam, mock):
    drill = begin_drill(alice.owner, exam, now=timezone.now(), size=5)
    for session, position in ((mock, 8), (drill, 3)):
        send(alice, session, "claim")
        send(alice, session, "save", {"p": position, "seq": 1, "sel": [0]})
    expected = {f"{mock.get_absolute_url()}#q8", f"{drill.get_absolute_url()}#q3"}
    assert {row.address for row in open_sessions(mock.learner, timezone.now())} == expected
    for name, args in (("history", []), ("hub", ["pmle"])):
        text = alice.get(reverse(name, args=args)).content.decode()
        assert all(f'href="{link}"' in text for link in expected), name
    for name, args in (("mock", ["pmle"]), ("finish", [mock.uuid])):
        assert f'href="{mock.get_absolute_url()}#q8"' in alice.get(reverse(name, args=args)).content.decode()


def test_a_claim_returns_which_answers_are_marked(alice, exam):
    drill = begin_drill(alice.owner, exam, now=timezone.now(), size=3)
    send(alice, drill, "claim")
    send(alice, drill, "check", {"p": 2, "seq": 1, "sel": [0]})
    rows = send(alice, drill, "claim").json()["items"]
    assert [row["done"] for row in rows] == [False, True, False]
