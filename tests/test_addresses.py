"""Every address has a row in tests/support/pages.py, and each persona gets there what the row says and no more.

The headers that guard a page are looked at in the same walk.
"""

from __future__ import annotations

from typing import Any

import pytest
from django.db import transaction
from django.http import HttpResponse
from django.utils import timezone

from tests.support.bank import CANARY
from tests.support.headers import wrong_headers
from tests.support.pages import OfSession, Row, patterns, rows
from tests.support.world import GUEST, LEARNER, OWNERS, PERSONAS, STAFF, STRANGER, World, small_world

ROWS = rows()
POST_ONLY = {row.key for row in ROWS if row.method == "POST"} - {row.key for row in ROWS if row.method == "GET"}
PREVIEWS = ("admin:questions_question_preview", "admin:questions_question_preview_of")
BEFORE_ALL_VIEWS = ("healthz", "readyz", "metrics")
OF_A_SITTING = [row for row in ROWS if isinstance(row.address, OfSession)]


@pytest.fixture
def world(db: None) -> World:
    return small_world(timezone.now())


def ask(world: World, row: Row, persona: str, method: str = "", address: str = "") -> int:
    """The status this persona gets; whatever the request changed is undone."""
    return answer(world, row, persona, method, address).status_code


def answer(world: World, row: Row, persona: str, method: str = "", address: str = "") -> HttpResponse:
    with transaction.atomic():
        client = world.client(persona)
        client.raise_request_exception = False
        if row.before:
            row.before(world, client)
        address = address or row.address(world, persona)
        if (method or row.method) == "POST":
            extra: dict[str, Any] = {"content_type": row.content_type} if row.content_type else {}
            response = client.post(address, row.data(world, persona), **extra)
        else:
            response = client.get(address)
        transaction.set_rollback(True)
    return response


def test_every_url_pattern_has_a_row_and_every_row_a_pattern() -> None:
    keys = {row.key for row in ROWS}
    assert patterns() - keys == set(), "give each of these a row in tests/support/pages.py"
    assert keys - patterns() == set(), "no address of the site is called so any more"


def test_titles_of_rows_are_unique() -> None:
    assert len({row.title for row in ROWS}) == len(ROWS)


def test_each_row_gives_each_persona_the_status_it_names(world: World) -> None:
    cases = [(persona, row) for persona in PERSONAS for row in ROWS]
    expected = {(persona, row.title): 404 if row.only_debug else row.status(persona) for persona, row in cases}
    got, headers = {}, {}
    for persona, row in cases:
        response = answer(world, row, persona)
        got[persona, row.title] = response.status_code
        headers[persona, row.title] = [*wrong_headers(response.headers), *wrong_frames(row, response)]
    assert {case: status for case, status in got.items() if status >= 500} == {}
    assert {case: status for case, status in got.items() if status != expected[case]} == {}
    assert {case: wrong for case, wrong in headers.items() if wrong} == {}


def wrong_frames(row: Row, response: HttpResponse) -> list[str]:
    """Only the preview of a question stands in a frame, and that one of ours."""
    allowed = {"DENY", "SAMEORIGIN"} if row.key in PREVIEWS else {None} if row.key in BEFORE_ALL_VIEWS else {"DENY"}
    found = response.headers.get("X-Frame-Options")
    return [] if found in allowed else [f"X-Frame-Options {found}"]


def test_an_address_for_posts_alone_refuses_to_be_read(world: World) -> None:
    rows_ = [row for row in ROWS if row.key in POST_ONLY]
    got = {(persona, row.title): ask(world, row, persona, "GET") for persona in OWNERS for row in rows_}
    # The admin's own pages send whoever is no member of staff away before they look at the method.
    assert {case: status for case, status in got.items() if status != 405 and "admin:" not in case[1]} == {}


def test_another_ones_session_does_not_exist(world: World) -> None:
    """Others get 404. Without a login, a signed-in learner's session looks like one's own after the login ended."""
    got = {}
    for owner, others in ((GUEST, (LEARNER, STAFF, STRANGER)), (LEARNER, (STAFF,)), (STAFF, (LEARNER,))):
        for row in OF_A_SITTING:
            address = row.address(world, owner)
            got |= {(owner, row.title, other): ask(world, row, other, address=address) for other in others}
    assert {case: status for case, status in got.items() if status != 404} == {}
    assert {row.key for row in OF_A_SITTING} >= {"session", "save", "results", "note"}


def test_without_a_login_a_learners_session_shows_nothing_of_itself(world: World) -> None:
    got = {}
    for row in OF_A_SITTING:
        for persona in (GUEST, STRANGER):
            response = answer(world, row, persona, address=row.address(world, LEARNER))
            to_sign_in = response.status_code == 302 and response.headers["Location"].startswith("/accounts/login/")
            if not to_sign_in and response.status_code not in (403, 404):
                got[persona, row.title] = response.status_code
            assert CANARY not in response.content.decode()
    assert got == {}
