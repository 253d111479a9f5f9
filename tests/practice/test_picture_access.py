"""A picture is open to everybody if a public page shows it, and otherwise only to learners whose session shows it.

Whatever the address, a picture's bytes may be returned only to those who may see a page with that picture.
"""

from __future__ import annotations

import datetime as dt

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from practice.models import SessionItem
from practice.sessions.ending.finish import discard, finish
from practice.sessions.player.check import check
from questions.models import Question
from questions.versions.material.pictures.store import add_picture
from tests.support.bank import NOW, make_exam
from tests.support.editing import EDITORS, MODERATORS, browser_of, person
from tests.support.pictures import drop_from_site, image, publish_illustrated
from tests.support.sessions import begin_drill, begin_mock, guest, guest_client, read_through, right_places, state

pytestmark = [pytest.mark.long("many requests"), pytest.mark.django_db]
STRANGER_STATEMENTS, GUEST_STATEMENTS = 1, 2


@pytest.fixture
def exam():
    return make_exam(weights=(100,))


@pytest.fixture
def public(exam):
    """Return the names of a public question's two pictures: the prompt's and the solution's."""
    return publish_illustrated(exam, 1)[1:]


@pytest.fixture
def reserved(exam):
    return publish_illustrated(exam, 2, pool="reserved")[1:]


@pytest.fixture
def reader():
    """Return a guest's browser; ``reader.owner`` is the owner to pass to the write functions."""
    owner, token = guest()
    client = guest_client(token)
    client.owner = owner
    return client


def seen(client: Client, names: tuple[str, ...]) -> list[bool]:
    """Return for each picture whether the browser gets it; any other response must be a page without its bytes."""
    answers = [client.get(f"/pictures/{name}") for name in names]
    assert {answer.status_code for answer in answers} <= {200, 404}
    assert all(answer.content[:4] == b"\x89PNG" for answer in answers if answer.status_code == 200)
    assert not any(b"PNG" in answer.content for answer in answers if answer.status_code == 404)
    return [answer.status_code == 200 for answer in answers]


class TestStrangers:
    def test_pictures_on_public_pages_are_open_to_everybody(self, public):
        assert seen(Client(), public) == [True, True]

    def test_neither_picture_of_a_reserved_question_is_open(self, reserved):
        assert seen(Client(), reserved) == [False, False]

    def test_a_missing_picture_and_a_forbidden_one_get_the_same_response(self, reserved):
        missing = f"{'0' * 32}-60x40.png"
        got = [Client().get(f"/pictures/{name}") for name in (*reserved, missing, "x", f"{missing}.svg")]
        assert {answer.status_code for answer in got} == {404}
        assert len({answer.content.replace(b"x", b"") for answer in got[:2]}) == 1

    def test_a_withdrawn_question_hides_its_solution_picture_and_a_retired_one_keeps_both(self, public):
        drop_from_site(Question.objects.get())
        page = Client().get(Question.objects.get().get_absolute_url()).content.decode()
        assert [f"/pictures/{name}" in page for name in public] == [True, False]
        assert seen(Client(), public) == [True, False]
        Question.objects.update(retired_at=NOW)
        assert seen(Client(), public) == [False, False]

    def test_a_picture_in_no_version_is_not_shown(self):
        assert seen(Client(), (add_picture(image()),)) == [False]

    def test_only_get_and_head_are_allowed(self, public):
        assert Client().post(f"/pictures/{public[0]}").status_code == 405


class TestSessions:
    def test_a_running_mock_shows_the_prompts_picture_but_not_the_solutions(self, exam, reserved, reader):
        begin_mock(reader.owner, exam, count=1)
        assert seen(reader, reserved) == [True, False]
        assert seen(Client(), reserved) == [False, False]

    def test_another_learners_session_shows_no_reserved_picture(self, exam, public, reserved, reader):
        stranger, token = guest()
        begin_mock(stranger, exam, count=2)
        begin_drill(reader.owner, exam)
        assert seen(guest_client(token), reserved) == [True, False]
        assert seen(reader, reserved) == [False, False]

    def test_a_finished_mock_shows_both_pictures_unless_the_solution_is_withheld(self, exam, reserved, reader):
        mock = begin_mock(reader.owner, exam, count=1)
        finish(mock.uuid, reader.owner, read_through(mock, reader.owner))
        assert not SessionItem.objects.get().withheld
        assert seen(reader, reserved) == [True, True]

    def test_a_withheld_solution_withholds_its_picture(self, exam, reserved, reader):
        mock = begin_mock(reader.owner, exam, count=1)
        finish(mock.uuid, reader.owner, NOW + dt.timedelta(seconds=1))
        assert SessionItem.objects.get().withheld
        assert seen(reader, reserved) == [True, False]

    def test_a_discarded_mock_shows_no_picture(self, exam, reserved, reader):
        mock = begin_mock(reader.owner, exam, count=1)
        discard(mock.uuid, reader.owner, NOW)
        assert seen(reader, reserved) == [False, False]

    def test_a_drill_shows_the_solutions_picture_once_the_answer_is_checked(self, exam, public, reader):
        drill = begin_drill(reader.owner, exam)
        Question.objects.update(retired_at=NOW)
        assert seen(reader, public) == [True, False]
        check(drill.uuid, reader.owner, state(1, 1, *right_places(drill, 1)), None, NOW)
        assert seen(reader, public) == [True, True]


class TestStaff:
    def test_editors_see_pictures_in_drafts_and_moderators_only_learners_pictures(self, reserved):
        draft = add_picture(image(9))
        assert seen(browser_of(person("alice", EDITORS)), (*reserved, draft)) == [True, True, True]
        assert seen(browser_of(person("mona", MODERATORS)), (*reserved, draft)) == [False, False, False]


class TestAnswers:
    def test_a_public_picture_may_be_cached_by_all_and_a_reserved_one_by_nobody(self, exam, public, reserved, reader):
        begin_mock(reader.owner, exam, count=2)
        everybodys, own = Client().get(f"/pictures/{public[0]}"), reader.get(f"/pictures/{reserved[0]}")
        assert (everybodys.headers["Cache-Control"], "Vary" in everybodys.headers) == ("public, max-age=3600", False)
        assert (own.headers["Cache-Control"], own.headers["Vary"]) == ("private, no-store", "Cookie")
        again = {"If-None-Match": f"{everybodys.headers['ETag']}, {own.headers['ETag']}"}
        assert Client().get(f"/pictures/{public[0]}", headers=again).status_code == 304
        assert Client().get(f"/pictures/{reserved[0]}", headers=again).status_code == 404

    def test_the_content_type_is_declared_and_not_sniffed(self, public):
        answer = Client().get(f"/pictures/{public[0]}")
        assert answer.headers["Content-Type"] == "image/png"
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert "default-src 'none'" in answer.headers["Content-Security-Policy"]

    def test_a_picture_takes_few_statements(self, exam, public, reserved, reader):
        begin_mock(reader.owner, exam, count=2)
        for client, name, most in (
            (Client(), public[0], STRANGER_STATEMENTS),
            (Client(), reserved[0], STRANGER_STATEMENTS),
            (reader, reserved[0], GUEST_STATEMENTS),
        ):
            with CaptureQueriesContext(connection) as asked:
                client.get(f"/pictures/{name}")
            assert len(asked) <= most, [each["sql"] for each in asked]
