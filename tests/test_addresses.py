"""Every address has a row in tests/support/pages.py, and each persona gets there what the row says and no more."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from django.utils import timezone

from tests.support.pages import OfSitting, Row, patterns, rows
from tests.support.world import GUEST, LEARNER, OWNERS, PERSONAS, STAFF, STRANGER, World, small_world

ROWS = rows()
POST_ONLY = {row.key for row in ROWS if row.method == "POST"} - {row.key for row in ROWS if row.method == "GET"}
OF_A_SITTING = [row for row in ROWS if isinstance(row.address, OfSitting)]


@pytest.fixture
def world(db: None) -> World:
    return small_world(timezone.now())


def ask(world: World, row: Row, persona: str, method: str = "", address: str = "") -> int:
    """The status this persona gets; whatever the request changed is undone."""
    with transaction.atomic():
        client = world.client(persona)
        if row.before:
            row.before(world, client)
        status = send(client, method or row.method, address or row.address(world, persona), row, world, persona)
        transaction.set_rollback(True)
    return status


def send(client: Client, method: str, address: str, row: Row, world: World, persona: str) -> int:
    client.raise_request_exception = False
    extra: dict[str, Any] = {"content_type": row.content_type} if row.content_type else {}
    if method == "POST":
        return client.post(address, row.data(world, persona), **extra).status_code
    return client.get(address).status_code


def test_every_url_pattern_has_a_row_and_every_row_a_pattern() -> None:
    keys = {row.key for row in ROWS}
    assert patterns() - keys == set(), "give each of these a row in tests/support/pages.py"
    assert keys - patterns() == set(), "no address of the site is called so any more"


def test_titles_of_rows_are_unique() -> None:
    assert len({row.title for row in ROWS}) == len(ROWS)


def test_each_row_gives_each_persona_the_status_it_names(world: World) -> None:
    cases = [(persona, row) for persona in PERSONAS for row in ROWS]
    expected = {(persona, row.title): 404 if row.only_debug else row.status(persona) for persona, row in cases}
    got = {(persona, row.title): ask(world, row, persona) for persona, row in cases}
    assert {case: status for case, status in got.items() if status >= 500} == {}
    assert {case: status for case, status in got.items() if status != expected[case]} == {}


def test_an_address_for_posts_alone_refuses_to_be_read(world: World) -> None:
    rows_ = [row for row in ROWS if row.key in POST_ONLY]
    got = {(persona, row.title): ask(world, row, persona, "GET") for persona in OWNERS for row in rows_}
    # The admin's own pages send whoever is no member of staff away before they look at the method.
    assert {case: status for case, status in got.items() if status != 405 and "admin:" not in case[1]} == {}


def test_nobody_else_gets_anything_at_a_learners_sitting(world: World) -> None:
    got = {}
    for row in OF_A_SITTING:
        address = row.address(world, LEARNER)
        for persona in (GUEST, STAFF, STRANGER):
            # Whoever is not signed in is told that a login ended, where answers would be lost otherwise.
            allowed = {404, 403} if row.method == "POST" and persona in (GUEST, STRANGER) else {404}
            status = ask(world, row, persona, address=address)
            if status not in allowed:
                got[persona, row.title] = status
    assert got == {}
    assert {row.key for row in OF_A_SITTING} >= {"sitting", "save", "results", "note"}
