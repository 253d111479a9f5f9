"""Requests every address once as every persona, and keeps what tests need to know about the responses."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.http import HttpResponse

from tests.support.headers import wrong_headers
from tests.support.pages import Row
from tests.support.world import HIDDEN, World

DEMO_NOTE = b'class="demo-note"'
PREVIEWS = ("admin:questions_question_preview", "admin:questions_question_preview_of")
BEFORE_ALL_VIEWS = ("healthz", "readyz", "metrics")


@dataclass(frozen=True)
class Seen:
    """A response: errors in its headers, hidden words in it, and whether it says that the site is a demo."""

    status: int
    wrong_headers: list[str]
    hidden: set[str]
    says_demo: bool


Walk = dict[tuple[str, str], Seen]
"""The responses by persona and row title."""


def answer(world: World, row: Row, persona: str, method: str = "", address: str = "") -> HttpResponse:
    """Return this persona's response; any change by the request is undone, after streamed content has been read."""
    client = world.same_client(persona)
    client.raise_request_exception = False
    with transaction.atomic():
        if row.before:
            row.before(world, client)
        address = address or row.address(world, persona)
        if (method or row.method) == "POST":
            extra: dict[str, Any] = {"content_type": row.content_type} if row.content_type else {}
            response = client.post(address, row.data(world, persona), **extra)
        else:
            response = client.get(address)
        if response.streaming:
            response.streaming_content = [b"".join(response.streaming_content)]
        transaction.set_rollback(True)
    return response


def walk(world: World, rows: Iterable[Row], personas: Iterable[str]) -> Walk:
    """Request each of these rows as each of these personas."""
    return {(persona, row.title): _seen(row, answer(world, row, persona)) for persona in personas for row in rows}


def hidden_words(response: HttpResponse) -> set[str]:
    """Return the hidden words found in a response, headers included. Streamed content is consumed."""
    body = b"".join(response.streaming_content) if response.streaming else response.content
    text = f"{body.decode(errors='replace')} {dict(response.headers)} {response.cookies}".lower()
    return {words for words in HIDDEN if words in text}


def _seen(row: Row, response: HttpResponse) -> Seen:
    says_demo = not response.streaming and DEMO_NOTE in response.content
    headers = [*wrong_headers(response.headers), *_wrong_frames(row, response)]
    return Seen(response.status_code, headers, hidden_words(response), says_demo)


def _wrong_frames(row: Row, response: HttpResponse) -> list[str]:
    """Return the errors in who may frame a page: only a question's preview may be framed, and only by our own pages."""
    allowed = {"DENY", "SAMEORIGIN"} if row.key in PREVIEWS else {None} if row.key in BEFORE_ALL_VIEWS else {"DENY"}
    found = response.headers.get("X-Frame-Options")
    return [] if found in allowed else [f"X-Frame-Options {found}"]
