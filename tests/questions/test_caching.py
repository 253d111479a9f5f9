"""A cached page needs no SQL, is rendered again by one request only and is still served when the database is down."""

from __future__ import annotations

import datetime as dt
import gzip
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import time_machine
from django.core.cache import caches
from django.db import connection
from django.db.utils import InterfaceError, OperationalError
from django.test import Client
from django.utils import timezone

from courseiva.accounts.models import User
from courseiva.common.page_cache import FRESH, PAGE_SECONDS, STALE
from practice.learners.reads.identity import GUEST_COOKIE
from questions.models import Exam, Question
from questions.pages.reads.questions import question_page
from tests.support.bank import add_questions, make_exam
from tests.support.pages import PUBLIC, Row
from tests.support.sessions import guest, guest_client
from tests.support.world import STRANGER, small_world

pytestmark = pytest.mark.django_db
LOCAL = {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": "pages of a test"}
PATHS = ("/exams/", "/exams/pmle/", "/exams/pmle/questions/", "/search/")
OF_ONE_VISITOR = {
    "healthz",
    "readyz",
    "module-marks",
    "module-mark",
    "objective-estimates",
    "reports",
    "report-new",
    "report",
}


@pytest.fixture
def address(settings: Any) -> Iterator[str]:
    """Switch the page cache on and return the address of a question's page."""
    settings.CACHES = {**settings.CACHES, "pages": LOCAL}
    caches["pages"].clear()
    exam = make_exam()
    add_questions(exam, 2)
    yield question_page(Question.objects.get(exam=exam, number=1)).url
    caches["pages"].clear()


def rename(title: str) -> None:
    Exam.objects.update(name=title)


def later(seconds: float) -> Any:
    return time_machine.travel(timezone.now() + dt.timedelta(seconds=seconds), tick=False)


@pytest.fixture(params=[OperationalError, InterfaceError])
def no_database(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Return a function that makes the database unresponsive or closes its persistent connection."""

    def refuse(*_: object) -> None:
        raise request.param("gone")

    return lambda: monkeypatch.setattr(connection, "cursor", refuse)


def kept_rows() -> list[Row]:
    """Return the public pages that a stranger can read, except those rendered for one visitor."""
    got = [row for row in PUBLIC if row.method == "GET" and row.status(STRANGER) == 200 and not row.only_debug]
    return [row for row in got if row.key not in OF_ONE_VISITOR]


def test_every_public_page_is_cached_and_needs_no_sql_and_no_session(
    settings: Any, client: Client, django_assert_num_queries: Callable[..., Any]
) -> None:
    settings.CACHES = {**settings.CACHES, "pages": LOCAL}
    caches["pages"].clear()
    world = small_world(timezone.now())
    kept = {row.title: row.address(world, STRANGER) for row in kept_rows()}
    kept = {title: address for title, address in kept.items() if "?" not in address}
    assert len(kept) > 25
    for title, address in kept.items():
        first = client.get(address)
        with django_assert_num_queries(0):
            second = client.get(address)
        assert (second.status_code, second.content) == (200, first.content), title
        assert dict(second.headers) == dict(first.headers), title
        assert second.headers["ETag"], title
        assert not second.cookies, title
        said = {part.strip() for part in second.headers["Cache-Control"].split(",")}
        assert said == {"public", f"max-age={FRESH}", f"stale-while-revalidate={STALE}"}, title
    caches["pages"].clear()


@pytest.mark.parametrize("path", [*PATHS, ""])
def test_a_signed_in_reader_gets_the_same_cached_page(
    address: str, client: Client, path: str, django_assert_num_queries: Callable[..., Any]
) -> None:
    """For this reason, signed-in readers need no copy of their own (see docs/decisions/0009)."""
    first = client.get(path or address)
    alice = Client()
    alice.force_login(User.objects.create_user("alice@example.org", "x"))
    _, token = guest()
    for reader in (alice, guest_client(token)):
        with django_assert_num_queries(0):
            theirs = reader.get(path or address)
        assert theirs.content == first.content
        assert dict(theirs.headers) == dict(first.headers)


def test_a_page_first_requested_by_a_signed_in_reader_is_shared(address: str, client: Client) -> None:
    alice = Client()
    alice.force_login(User.objects.create_user("alice@example.org", "x", display_name="Alice Example"))
    theirs = alice.get(address)
    assert b"Alice" not in theirs.content
    rename("Another name")
    assert client.get(address).content == theirs.content


def test_a_page_is_compressed_when_it_is_made_and_not_for_each_reader(
    address: str, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    packed: list[int] = []
    real = gzip.compress
    monkeypatch.setattr(gzip, "compress", lambda body, *more, **named: packed.append(1) or real(body, *more, **named))
    answers = [client.get(address, headers={"accept-encoding": "gzip"}).content for _ in range(4)]
    assert len(set(answers)) == 1
    assert len(packed) == 1


def test_the_compressed_and_uncompressed_pages_are_the_same(address: str, client: Client) -> None:
    plain = client.get(address)
    packed = client.get(address, headers={"accept-encoding": "br, gzip"})
    again = client.get(address, headers={"accept-encoding": "gzip"})
    assert "Content-Encoding" not in plain.headers
    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.content) == plain.content
    assert packed.content == again.content
    assert len(packed.content) < len(plain.content) / 2
    assert int(packed.headers["Content-Length"]) == len(packed.content)
    for answer in (plain, packed):
        assert answer.headers["ETag"] == plain.headers["ETag"]
        assert "Accept-Encoding" in answer.headers["Vary"]
        assert "stale-while-revalidate" in answer.headers["Cache-Control"]


@pytest.mark.parametrize("told", ["if-none-match", "if-modified-since"])
def test_a_reader_with_a_current_copy_gets_a_304(address: str, client: Client, told: str) -> None:
    first = client.get(address)
    name = "ETag" if told == "if-none-match" else "Last-Modified"
    again = client.get(address, headers={told: first.headers[name], "accept-encoding": "gzip"})
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["ETag"] == first.headers["ETag"]


def test_a_page_is_rendered_again_after_a_minute_and_keeps_its_date_if_unchanged(address: str, client: Client) -> None:
    first = client.get("/exams/")
    rename("Another name")
    with later(PAGE_SECONDS - 1):
        assert client.get("/exams/").content == first.content
    with later(PAGE_SECONDS + 1):
        changed = client.get("/exams/")
    assert b"Another name" in changed.content
    assert changed.headers["Last-Modified"] > first.headers["Last-Modified"]
    with later(2 * PAGE_SECONDS + 2):
        assert client.get("/exams/").headers["Last-Modified"] == changed.headers["Last-Modified"]


def test_while_one_request_renders_a_page_the_others_get_the_old_copy(
    address: str, client: Client, django_assert_num_queries: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    first = client.get(address)
    rename("Another name")
    with later(PAGE_SECONDS + 1):
        monkeypatch.setattr(caches["pages"], "add", lambda *_: False)  # another request is rendering the page
        with django_assert_num_queries(0):
            assert client.get(address).content == first.content


def test_after_the_clock_is_set_back_a_cached_page_still_expires(address: str, client: Client) -> None:
    client.get("/exams/")
    rename("Another name")
    with later(-3600):
        assert b"Another name" in client.get("/exams/").content


def test_a_cached_page_is_served_for_a_day_without_the_database(
    address: str, client: Client, no_database: Callable[[], None]
) -> None:
    first = client.get(address)
    client.raise_request_exception = False
    no_database()
    for age in (0, PAGE_SECONDS + 1, STALE - 1):
        with later(age):
            answer = client.get(address)
            assert (answer.status_code, answer.content) == (200, first.content), age
    with later(STALE + 1):
        assert client.get(address).status_code >= 500
    assert client.get("/exams/").status_code >= 500, "nobody had read it"


def test_a_page_with_a_query_is_not_cached(address: str, client: Client) -> None:
    client.get("/exams/?utm_source=x")
    rename("Another name")
    assert b"Another name" in client.get("/exams/?utm_source=x").content
    assert b"Another name" in client.get("/exams/").content


def test_a_missing_page_is_not_cached(address: str, client: Client) -> None:
    assert client.get("/exams/new/").status_code == 404
    make_exam("new")
    assert client.get("/exams/new/").status_code == 200
    assert client.get(f"{address}x").status_code in (301, 404)
    assert client.post(address).status_code == 405


def test_the_home_page_of_a_learner_with_work_is_private(address: str, client: Client) -> None:
    _, token = guest()
    begun = guest_client(token)
    assert GUEST_COOKIE in begun.cookies
    for browser, words in ((begun, "no-store"), (client, "public"), (begun, "no-store"), (client, "public")):
        assert words in browser.get("/").headers["Cache-Control"]


def test_two_hosts_do_not_share_a_page_unless_the_site_has_one_address(
    address: str, client: Client, settings: Any
) -> None:
    pages = [client.get("/exams/", headers={"host": host}).content for host in ("a.example", "b.example")]
    assert pages[0] != pages[1]
    settings.SITE_URL = "https://learn.example.org"
    pages = [client.get("/exams/", headers={"host": host}).content for host in ("a.example", "b.example")]
    assert pages[0] == pages[1]


def test_with_debug_on_nothing_is_cached(client: Client) -> None:
    make_exam()
    client.get("/exams/")
    rename("Another name")
    assert b"Another name" in client.get("/exams/").content
