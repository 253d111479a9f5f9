"""Whatever anybody sends to any address, the site answers, and never with a server error.

The addresses come from the URL map (tests/support/pages.py has a row for every pattern, and a test ensures that); the
forms are those that the pages show to anybody, filled in as shown; the values are Hypothesis's. Each request is undone.
A run can be repeated with FUZZ_SEED.
"""

from __future__ import annotations

import json
import logging
import math
import os
import secrets
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, urlencode, urljoin, urlsplit

import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import DatabaseError, connection, transaction
from django.http import HttpResponse
from django.test import Client
from django.test import client as test_client
from django.urls import Resolver404, resolve
from django.utils import timezone
from hypothesis import HealthCheck, Phase, given, seed
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from courseiva.serving.middleware.requests import Request
from tests.support.html_forms import Form, forms_of
from tests.support.odd import send_odd
from tests.support.pages import JSON, PUBLIC, Row, begin_a_check, rows
from tests.support.world import LEARNER, PERSONAS, STAFF, World, small_world

INPUTS = int(os.environ.get("FUZZ_INPUTS", "50000"))
"""The number of inputs: half of them go to the rows, spread evenly, and half to the forms."""
MANY_FORMS = 90
NAMED = {
    "account_login": {"login", "password"},
    "account_signup": {"email", "password1"},
    "account_email": {"email"},
    "account_change_password": {"oldpassword", "password1", "password2"},
    "account_reset_password": {"email"},
    "account_reset_password_from_key": {"password1", "password2"},
    "mfa_authenticate": {"code"},
    "mfa_activate_totp": {"code"},
    "account_delete_confirm": {"email"},
    "comment-edit": {"text"},
    "comment-report": {"reason", "text"},
    "report-new": {"kind", "text"},
    "plan": {"exam_date"},
    "drill": {"size", "order"},
    "mock": {"count", "time_factor", "conditions"},
    "session": {"writer"},
    "note": {"text"},
    "moderation-suspend": {"words"},
    "admin:questions_import": {"file"},
    "admin:questions_question_add": {"stem"},
    "admin:accounts_user_add": {"email"},
}
"""Fields that must be found in the forms that lead there."""
EXTREMES = [
    "", " ", "0", "-1", "1", "1.5", "1e309", "NaN", "null", "true", "99999999999999999999", "-99999999999999999999",
    "2147483648", "9223372036854775808", "\x00", "a\x00b", "٣", "²", "½", "\u202e", "\ufeff", "é" * 300, "x" * 70_000,
    "../../etc/passwd", "' OR 1=1 --", "<script>alert(1)</script>", "{{7*7}}", "%s%n", "0000-00-00", "9999-12-31",
    "2026-02-30", "00000000-0000-0000-0000-000000000000", "[]", "{}", "on", "\r\nSet-Cookie: a=b", "😀", "%", "\\",
    "(((", "a" * 255 + "@x.example", "9" * 5000, "[" * 3000, "\u0663" * 5000,
]  # fmt: skip

NULL = "a\x00b"
HARD = (NULL, "1.5", "9" * 20, "9" * 5000, " ")

pytestmark = [pytest.mark.soak, pytest.mark.django_db(transaction=True)]
Send = Callable[[Client, "Way"], tuple[HttpResponse, str]]

words = st.one_of(st.sampled_from(EXTREMES), st.text(max_size=40), st.integers().map(str), st.dates().map(str))
leaves = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), words)
trees = st.recursive(
    leaves, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(words, inner, max_size=4), max_leaves=8
)
names = st.sampled_from(["a.txt", "a.yaml", "a.csv", "a.xml", "a.zip"])
files = st.builds(SimpleUploadedFile, names, st.binary(min_size=1, max_size=200))
kinds = st.sampled_from([JSON, "text/plain", "multipart/form-data; boundary=x", "x"])
READING, WRITING = ("query", "path", "odd"), ("form", "form", "json", "bytes", "query", "path", "odd")


@dataclass(frozen=True)
class Way:
    """How a persona gets there: the page's row, the address, and what is sent if nothing is changed."""

    row: Row
    address: str
    plain: Any


@dataclass
class Target:
    """An address or a form of the site, what it accepts, and how each persona gets there."""

    title: str
    shapes: tuple[str, ...]
    ways: dict[str, Way] = field(default_factory=dict)
    names: dict[str, None] = field(default_factory=dict)


@dataclass
class Outcome:
    """The outcome of a run: each input in reproducible form, how often each status came, and the errors."""

    told: list[str] = field(default_factory=list)
    statuses: Counter[int] = field(default_factory=Counter)
    wrong: dict[str, str] = field(default_factory=dict)


@pytest.fixture
def world(settings: Any, monkeypatch: pytest.MonkeyPatch) -> World:
    """Build a world with a check running, in which everybody has just logged in, however long the run takes."""
    settings.ACCOUNT_REAUTHENTICATION_TIMEOUT = 86400
    monkeypatch.setattr(test_client, "WSGIRequest", Request)  # the class of the web server's requests
    made = small_world(timezone.now())
    begin_a_check(made, made.client(LEARNER))
    return made


def arrive(world: World, persona: str, row: Row) -> tuple[Client, HttpResponse | None]:
    """Return this persona's browser after the preceding steps, at the page that a redirect may lead to."""
    cache.clear()  # no limits on how often anything may be tried
    client = world.client(persona)
    client.raise_request_exception = False
    if row.before:
        row.before(world, client)
    return client, client.get(row.address(world, persona), follow=True) if row.follows else None


def open_page(world: World, persona: str, row: Row) -> tuple[str, str]:
    """Return the page's text and the address it ended up at."""
    with transaction.atomic():
        client, found = arrive(world, persona, row)
        found = found or client.get(row.address(world, persona))
        transaction.set_rollback(True)
    text = "" if found.streaming else found.content.decode(errors="replace")
    return text, found.request["PATH_INFO"]


def takes_posts(world: World, row: Row) -> bool:
    """Return whether a POST to this address is processed at all."""
    with transaction.atomic():
        client, _ = arrive(world, STAFF, row)
        status = client.post(row.address(world, STAFF)).status_code
        transaction.set_rollback(True)
    return status != 405


def targets_of(world: World, table: list[Row]) -> tuple[list[Target], list[Target]]:
    """Return a target for each row, and one for each form that any of their pages shows to anybody."""
    addresses, forms = [], dict[tuple[str, ...], Target]()
    for row in table:
        if row.only_debug:
            continue
        target = Target(row.title, WRITING if takes_posts(world, row) else READING)
        target.names = dict.fromkeys(["page", "q", "next"])
        for persona in PERSONAS:
            plain = row.data(world, persona) if row.method == "POST" else {}
            target.ways[persona] = Way(row, row.address(world, persona), plain)
            target.names |= dict.fromkeys(plain)
            text, place = open_page(world, persona, row)
            for form in forms_of(text):
                target.names |= dict.fromkeys([*form.fields, *form.buttons])
                if form.method == "post":
                    add_form(forms, form, persona, Way(row, urljoin(place, form.action), form.fields))
        addresses.append(target)
    return addresses, list(forms.values())


def add_form(forms: dict[tuple[str, ...], Target], form: Form, persona: str, way: Way) -> None:
    """Add a form; forms with the same fields that lead to the same view are one target."""
    to = view_name(way.address)
    fields = sorted({*form.fields, *form.buttons})
    target = forms.setdefault((to, *fields), Target(f"{to}: form on {way.row.title}", ("form", "form", "form", "odd")))
    target.ways.setdefault(persona, way)
    target.names |= dict.fromkeys([*fields, "page"])


def view_name(address: str) -> str:
    """Return the name of the view at this address, or its route if it has none."""
    try:
        match = resolve(urlsplit(address).path)
    except Resolver404:
        return f"nowhere: {address}"
    return match.view_name or match.route


def lacking(forms: list[Target]) -> dict[str, set[str]]:
    """Return the fields of NAMED that no form leading there has, and the forms that lead nowhere."""
    found: dict[str, set[str]] = {}
    for form in forms:
        found.setdefault(form.title.partition(": form on ")[0], set()).update(form.names)
    nowhere = {name: fields for name, fields in found.items() if name.startswith("nowhere")}
    return nowhere | {name: left for name, fields in NAMED.items() if (left := fields - found.get(name, set()))}


def mutated(draw: Any, tree: Any) -> Any:
    """Return the tree with one of its parts replaced by any value."""
    if isinstance(tree, dict) and tree and draw(st.booleans()):
        key = draw(st.sampled_from(sorted(tree)))
        return {**tree, key: mutated(draw, tree[key])}
    if isinstance(tree, list) and tree and draw(st.booleans()):
        place = draw(st.integers(0, len(tree) - 1))
        return [*tree[:place], mutated(draw, tree[place]), *tree[place + 1 :]]
    return draw(trees)


def one_name_of(target: Target) -> st.SearchStrategy[str]:
    """Return mostly (three times in four) a field of the target."""
    known = st.sampled_from(list(target.names))
    return st.integers(0, 3).flatmap(lambda chance: known if chance else words)


def asked_with(address: str, pairs: list[tuple[str, str]]) -> str:
    """Return the address with a longer query."""
    return f"{address}{'&' if '?' in address else '?'}{urlencode(pairs)}"


def send(draw: Any, client: Client, target: Target, way: Way) -> tuple[HttpResponse, str]:
    """Send one request of a random shape; returns it in reproducible form."""
    address, name = way.address, one_name_of(target)
    shape = draw(st.sampled_from(target.shapes))
    if shape == "odd":
        return send_odd(draw, client, address)
    if shape == "query":
        pairs = draw(st.lists(st.tuples(name, words), max_size=4))
        address = asked_with(address, pairs)
        return client.get(address), f"GET {address}"
    if shape == "path":
        parts = address.partition("?")[0].split("/")
        place = draw(st.integers(1, max(1, len(parts) - 2)))
        parts[place] = quote(draw(words)[:300].encode(), safe="")
        method = client.post if draw(st.booleans()) else client.get
        return method("/".join(parts)), f"{method.__name__} {'/'.join(parts)}"
    if shape == "json":
        body = json.dumps(mutated(draw, way.plain))
        return client.post(address, body, content_type=JSON), f"POST {address} {body}"
    if shape == "bytes":
        raw, kind = draw(st.binary(max_size=200)), draw(kinds)
        return client.post(address, raw, content_type=kind), f"POST {address} {kind} {raw!r}"
    values = st.one_of(words, st.lists(words, max_size=3), files)
    form = {**way.plain, **dict(draw(st.lists(st.tuples(name, values), max_size=5)))}
    return client.post(address, form), f"POST {address} {form!r}"


def ask(world: World, target: Target, persona: str, send_it: Send, outcome: Outcome) -> None:
    """Send one request there and undo it; the result is added to the outcome."""
    way = target.ways[persona]
    with transaction.atomic():
        client, _ = arrive(world, persona, way.row)
        try:
            response, told = send_it(client, way)
        except Exception as error:  # noqa: BLE001 - it left the application
            response, told = HttpResponse(status=599), way.address
            response.exc_info = (type(error), error, error.__traceback__)  # type: ignore[attr-defined]
        broken = broken_rows()
        transaction.set_rollback(True)
    outcome.told.append(f"{persona}: {response.status_code} {told}")
    outcome.statuses[response.status_code] += 1
    if broken or (response.status_code >= 500 and (response.status_code, target.title) != (503, "GET readyz")):
        outcome.wrong.setdefault(target.title, f"{outcome.told[-1][:600]}\n{broken}{trace_of(response)}")


def run(world: World, target: Target, inputs: int, start: int, outcome: Outcome) -> None:
    """Send this many inputs there, all derived from the seed."""

    @seed(start)
    @hypothesis_settings(
        max_examples=inputs, deadline=None, database=None, phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(st.data())
    def try_one(data: Any) -> None:
        persona = data.draw(st.sampled_from(list(target.ways)))
        ask(world, target, persona, lambda client, way: send(data.draw, client, target, way), outcome)

    try_one()


def run_all(world: World, targets: list[Target], inputs: int, start: int) -> Outcome:
    """Send this many inputs, the same number to each target, with seeds derived from the given one."""
    outcome = Outcome()
    with no_log():
        for place, target in enumerate(targets):
            run(world, target, math.ceil(inputs / len(targets)), start + place, outcome)
    return outcome


@contextmanager
def no_log() -> Iterator[None]:
    """Silence the log, which would have a line for each refusal."""
    logging.disable(logging.CRITICAL)
    try:
        yield
    finally:
        logging.disable(logging.NOTSET)


def spoilt_requests(target: Target, way: Way) -> Iterator[Send]:
    """Yield requests with values PostgreSQL can't store, in each field or all fields at once, and HARD in the path."""
    if way.row.content_type == JSON:
        for tree in spoilt(way.plain):
            yield lambda client, way, tree=tree: (client.post(way.address, tree, JSON), f"POST {way.address} {tree}")
    elif ": form on " in target.title:
        for name in target.names:
            form = {**way.plain, name: NULL}
            yield lambda client, way, form=form: (client.post(way.address, form), f"POST {way.address} {form!r}")
    else:
        for address in (asked_with(way.address, [(name, NULL) for name in target.names]), *spoilt_paths(way.address)):
            yield lambda client, _, address=address: (client.get(address), f"GET {address}")


def spoilt_paths(address: str) -> Iterator[str]:
    """Yield the address with each part of its path replaced by something that is no number, no text, or too large."""
    parts = address.partition("?")[0].split("/")
    for place in range(1, len(parts) - 1):
        for value in HARD:
            yield "/".join([*parts[:place], quote(value), *parts[place + 1 :]])


def spoilt(tree: Any) -> Iterator[Any]:
    """Yield the tree once for each of its leaves, each time with a different leaf replaced."""
    if not isinstance(tree, dict | list):
        yield NULL
        return
    for key, inner in tree.items() if isinstance(tree, dict) else enumerate(tree):
        for other in spoilt(inner):
            copied = tree.copy()
            copied[key] = other
            yield copied


def broken_rows() -> str:
    """Return the constraints a commit would have violated."""
    if connection.needs_rollback:
        return ""
    try:
        connection.check_constraints()
    except DatabaseError as error:
        return f"{error}\n"
    return ""


def trace_of(response: HttpResponse) -> str:
    """Return the last lines of a traceback."""
    info = getattr(response, "exc_info", None)
    return "".join(traceback.format_exception(*info)[-4:]) if info else ""


def test_no_input_causes_a_server_error(world: World, capsys: pytest.CaptureFixture[str]) -> None:
    start = int(os.environ.get("FUZZ_SEED") or secrets.randbits(32))
    addresses, forms = targets_of(world, rows())
    assert lacking(forms) == {}
    assert len(forms) >= MANY_FORMS
    outcomes = [run_all(world, each, INPUTS // 2, start) for each in (addresses, forms)]
    statuses = sum((outcome.statuses for outcome in outcomes), Counter[int]())
    with capsys.disabled():
        print(f"\nFUZZ_SEED={start}: {statuses.total()} inputs to {len(addresses)} rows and {len(forms)} forms,")
        print(f"by status: {dict(sorted(statuses.items()))}")
    wrong = {title: text for outcome in outcomes for title, text in outcome.wrong.items()}
    assert wrong == {}, f"FUZZ_SEED={start}\n" + "\n\n".join(f"{title}\n{text}" for title, text in wrong.items())
    assert statuses.total() >= INPUTS
    assert {200, 302, 400, 404, 405} <= set(statuses), "the inputs did not get far"


def test_no_field_or_address_breaks_on_impossible_input(world: World) -> None:
    addresses, forms = targets_of(world, rows())
    outcome = Outcome()
    with no_log():
        for target in (*addresses, *forms):
            for persona in target.ways if target in forms else [STAFF]:
                for send_it in spoilt_requests(target, target.ways[persona]):
                    ask(world, target, persona, send_it, outcome)
    assert outcome.wrong == {}, "\n\n".join(f"{title}\n{text}" for title, text in outcome.wrong.items())
    assert {200, 302, 400, 404} <= set(outcome.statuses)


def test_a_seed_reproduces_its_inputs(world: World) -> None:
    addresses, forms = targets_of(world, PUBLIC)
    first, second, other = (run_all(world, [*addresses, *forms], 150, start).told for start in (7, 7, 8))
    assert first == second
    assert first != other
