"""Whatever is sent to whatever address by whomever, the site answers, and never with an error of its own.

The addresses are those of the URL map (tests/support/pages.py has a row for every pattern, and a test keeps that), the
fields those of the page's own forms, the values whatever Hypothesis thinks of. Each request is undone.
"""

from __future__ import annotations

import json
import logging
import os
import re
import traceback
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlencode

import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.support.pages import JSON, Row, rows
from tests.support.world import PERSONAS, STAFF, World, small_world

INPUTS = int(os.environ.get("FUZZ_INPUTS", "10000"))
NAME = re.compile(r'<(?:input|select|textarea|button)[^>]*?\bname="([^"]+)"')
EXTREMES = [
    "", " ", "0", "-1", "1", "1.5", "1e309", "NaN", "null", "true", "99999999999999999999", "-99999999999999999999",
    "2147483648", "9223372036854775808", "\x00", "a\x00b", "٣", "²", "½", "\u202e", "\ufeff", "é" * 300, "x" * 70_000,
    "../../etc/passwd", "' OR 1=1 --", "<script>alert(1)</script>", "{{7*7}}", "%s%n", "0000-00-00", "9999-12-31",
    "2026-02-30", "00000000-0000-0000-0000-000000000000", "[]", "{}", "on", "\r\nSet-Cookie: a=b", "😀", "%", "\\",
    "(((", "a" * 255 + "@x.example",
]  # fmt: skip

pytestmark = [pytest.mark.soak, pytest.mark.django_db]

words = st.one_of(st.sampled_from(EXTREMES), st.text(max_size=40), st.integers().map(str), st.dates().map(str))
leaves = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), words)
trees = st.recursive(
    leaves, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(words, inner, max_size=4), max_leaves=8
)
names = st.sampled_from(["a.txt", "a.yaml", "a.csv", "a.xml", "a.zip"])
files = st.builds(SimpleUploadedFile, names, st.binary(min_size=1, max_size=200))
kinds = st.sampled_from([JSON, "text/plain", "multipart/form-data; boundary=x", "x"])
READING, WRITING = ("query", "path"), ("form", "form", "json", "bytes", "query", "path")


@dataclass(frozen=True)
class Target:
    """An address of the site, what its row sends there, the names of its forms' fields, and what it takes."""

    row: Row
    names: tuple[str, ...]
    shapes: tuple[str, ...]


@pytest.fixture
def world() -> World:
    return small_world(timezone.now())


def fields_of(world: World, row: Row) -> tuple[str, ...]:
    """The names of the fields on this address's page, and of those its row sends."""
    with transaction.atomic():
        client = world.client(STAFF)
        client.raise_request_exception = False
        found = client.get(row.address(world, STAFF))
        transaction.set_rollback(True)
    sent = row.data(world, STAFF) if row.method == "POST" else {}
    names = NAME.findall(found.content.decode(errors="replace")) if not found.streaming else []
    return tuple(dict.fromkeys([*sent, *names, "page", "q", "next"]))[:60]


def targets_of(world: World) -> list[Target]:
    """One for each row."""
    return [
        Target(row, fields_of(world, row), WRITING if takes_posts(world, row) else READING)
        for row in rows()
        if not row.only_debug
    ]


def takes_posts(world: World, row: Row) -> bool:
    """Whether a POST to this address is looked at."""
    with transaction.atomic():
        client = world.client(STAFF)
        client.raise_request_exception = False
        status = client.post(row.address(world, STAFF)).status_code
        transaction.set_rollback(True)
    return status != 405


def mutated(draw: Any, tree: Any) -> Any:
    """The tree with one of its parts replaced by anything."""
    if isinstance(tree, dict) and tree and draw(st.booleans()):
        key = draw(st.sampled_from(sorted(tree)))
        return {**tree, key: mutated(draw, tree[key])}
    if isinstance(tree, list) and tree and draw(st.booleans()):
        place = draw(st.integers(0, len(tree) - 1))
        return [*tree[:place], mutated(draw, tree[place]), *tree[place + 1 :]]
    return draw(trees)


def send(draw: Any, world: World, client: Client, target: Target, persona: str) -> tuple[HttpResponse, str]:
    """One request of a random shape, and how it can be told."""
    row, name = target.row, st.one_of(st.sampled_from(target.names), words)
    address = row.address(world, persona)
    plain = row.data(world, persona) if row.method == "POST" else {}
    shape = draw(st.sampled_from(target.shapes))
    if shape == "query":
        pairs = draw(st.lists(st.tuples(name, words), max_size=4))
        address = f"{address}{'&' if '?' in address else '?'}{urlencode(pairs)}"
        return client.get(address), f"GET {address}"
    if shape == "path":
        parts = address.partition("?")[0].split("/")
        place = draw(st.integers(1, max(1, len(parts) - 2)))
        parts[place] = quote(draw(words)[:300].encode(), safe="")
        method = client.post if draw(st.booleans()) else client.get
        return method("/".join(parts)), f"{method.__name__} {'/'.join(parts)}"
    if shape == "json":
        body = json.dumps(mutated(draw, plain))
        return client.post(address, body, content_type=JSON), f"POST {address} {body}"
    if shape == "bytes":
        raw, kind = draw(st.binary(max_size=200)), draw(kinds)
        return client.post(address, raw, content_type=kind), f"POST {address} {kind} {raw!r}"
    values = st.one_of(words, st.lists(words, max_size=3), files)
    form = {**plain, **dict(draw(st.lists(st.tuples(name, values), max_size=5)))}
    return client.post(address, form), f"POST {address} {form!r}"


def test_no_input_makes_an_error_of_ours(world: World) -> None:
    targets = targets_of(world)
    seen: dict[int, int] = {}

    @settings(
        max_examples=INPUTS, deadline=None, database=None, print_blob=True, phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(st.data())
    def try_one(data: Any) -> None:
        cache.clear()  # no limit on how often a thing may be tried
        target, persona = data.draw(st.sampled_from(targets)), data.draw(st.sampled_from(PERSONAS))
        with transaction.atomic():
            client = world.client(persona)
            client.raise_request_exception = False
            response, told = send(data.draw, world, client, target, persona)
            transaction.set_rollback(True)
        seen[response.status_code] = seen.get(response.status_code, 0) + 1
        if response.status_code >= 500 and (response.status_code, target.row.key) != (503, "readyz"):
            wrong.setdefault(f"{target.row.title}", f"{persona}: {told[:400]}\n{trace_of(response)}")

    wrong: dict[str, str] = {}
    logging.disable(logging.CRITICAL)
    try:
        try_one()
    finally:
        logging.disable(logging.NOTSET)
    print(f"{sum(seen.values())} inputs to {len(targets)} addresses, by status: {dict(sorted(seen.items()))}")
    assert wrong == {}, "\n\n".join(f"{title}\n{text}" for title, text in wrong.items())
    assert sum(seen.values()) >= INPUTS
    assert {200, 302, 400, 404, 405} <= set(seen), "the inputs did not get far"


def trace_of(response: HttpResponse) -> str:
    """The end of what went wrong."""
    info = getattr(response, "exc_info", None)
    return "".join(traceback.format_exception(*info)[-4:]) if info else ""
