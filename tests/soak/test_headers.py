"""The headers and cookies of the running site in production settings, with https as reported by a proxy."""

from __future__ import annotations

import json
from collections.abc import Iterator
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from django.conf import settings
from django.urls import reverse
from django.utils import timezone

from courseiva.serving.rules.environment import HSTS_YEAR
from tests.support.headers import wrong_headers
from tests.support.live import database_url, live_environment
from tests.support.player import Player
from tests.support.subprocesses import Site, free_port
from tests.support.world import LEARNER, PASSWORD, STAFF, World, small_world

FORM = "application/x-www-form-urlencoded"
READ_BY_SCRIPT = {"__Host-csrftoken", "__Host-courseiva-device"}
OURS = READ_BY_SCRIPT | {"__Host-sessionid", "__Host-courseiva-guest", "__Host-courseiva-exam"}
HSTS = "Strict-Transport-Security"

pytestmark = pytest.mark.soak


def production(static_root: Path, database: str, **more: str) -> Site:
    """Run the site in production settings, at an https address with its own port."""
    given = {**live_environment(static_root), "DEBUG": "0", "PROXY_COUNT": "1"}
    site = Site(database, **{**given, **more})
    site.environment["SITE_URL"] = f"https://127.0.0.1:{site.port}"
    return site.start()


@pytest.fixture(scope="module")
def world(live_rows: None) -> World:
    """Build a made-up bank, and people with sessions."""
    return small_world(timezone.now())


@pytest.fixture(scope="module")
def site(world: World, static_root: Path) -> Iterator[Site]:
    """Run the site on the test database."""
    started = production(static_root, database_url())
    yield started
    started.stop()


@pytest.fixture(scope="module")
def preloading(static_root: Path) -> Iterator[Site]:
    """Run a site that asks for a place on the browsers' preload lists, and whose database isn't running."""
    database = f"postgresql://nobody@127.0.0.1:{free_port()}/none"
    started = production(static_root, database, HSTS_SECONDS=str(HSTS_YEAR), HSTS_PRELOAD="1")
    yield started
    started.stop()


def ask(site: Site, path: str, **more: str) -> tuple[int, Any]:
    """Return the status and headers a stranger gets."""
    status, headers, _ = Player(site.port, secure=True).send("GET", path, **more)
    return status, headers


def a_style_sheet(static_root: Path) -> str:
    """Return a style sheet's address, with the hash in its name."""
    paths = json.loads((static_root / "staticfiles.json").read_text())["paths"]
    return "/static/" + next(hashed for plain, hashed in sorted(paths.items()) if plain.endswith(".css"))


def test_a_static_file_is_kept_for_ever_and_comes_compressed(site: Site, static_root: Path) -> None:
    status, headers = ask(site, a_style_sheet(static_root), Accept_Encoding="gzip")
    assert status == 200
    assert headers["Content-Encoding"] == "gzip"
    kept = dict(part.strip().partition("=")[::2] for part in headers["Cache-Control"].split(","))
    assert int(kept["max-age"]) >= HSTS_YEAR
    assert "immutable" in kept
    assert wrong_headers(headers) == []


@pytest.mark.gate
@pytest.mark.parametrize(
    ("path", "more", "status"),
    [
        ("/", {}, 200),
        ("/healthz", {}, 200),
        ("/accounts/login/", {}, 200),
        ("/favicon.ico", {}, 302),
        ("/no/such/page/", {}, 404),
        ("/static/", {}, 404),
        ("/static/css/", {}, 404),
        ("/practice/history/export.json/x", {}, 404),
        ("/", {"Host": "elsewhere.example"}, 400),
    ],
)
def test_every_response_over_https_has_the_headers(site: Site, path: str, more: dict[str, str], status: int) -> None:
    got, headers = ask(site, path, **more)
    assert got == status
    assert wrong_headers(headers) == []
    assert headers[HSTS] == "max-age=300; includeSubDomains"


@pytest.mark.parametrize("path", ["/", "/exams/", "/accounts/login/", "/healthz", "/no/such/page/", "/practice/pmle/"])
def test_no_request_header_is_echoed_back(site: Site, path: str) -> None:
    status, _, body = Player(site.port, secure=True).send("TRACE", path, X_Secret="as it came")
    assert status in (403, 404, 405)
    assert b"as it came" not in body


def test_an_unchanged_page_has_the_headers_too(site: Site) -> None:
    _, first = ask(site, "/exams/")
    status, headers = ask(site, "/exams/", If_None_Match=first["ETag"])
    assert status == 304
    assert wrong_headers(headers) == []


def test_plain_http_redirects_to_https_without_hsts(site: Site) -> None:
    status, headers = ask(site, "/exams/", X_Forwarded_Proto="http")
    assert (status, headers["Location"]) == (301, f"https://127.0.0.1:{site.port}/exams/")
    assert HSTS not in headers
    assert wrong_headers(headers) == []
    assert ask(site, "/healthz", X_Forwarded_Proto="http")[0] == 200, "a probe comes as it likes"


def test_the_headers_are_sent_while_the_database_is_down_and_for_preload_lists(preloading: Site) -> None:
    status, headers = ask(preloading, "/exams/")
    assert status == 503
    assert wrong_headers(headers) == []
    assert headers[HSTS] == f"max-age={HSTS_YEAR}; includeSubDomains; preload"


class Watched(Player):
    """A browser that remembers every cookie it was ever told to set."""

    def __init__(self, site: Site, **cookies: str) -> None:
        super().__init__(site.port, secure=True)
        self.cookies |= cookies
        self.told: list[str] = []

    def go(self, method: str, path: str, **fields: str) -> tuple[int, str]:
        """Send a form or ask for a page; returns the status and where it leads."""
        sent = urlencode(fields).encode()
        token = self.cookies["__Host-csrftoken"]  # signing in replaces the token
        status, headers, _ = self.send(method, path, sent, FORM if method == "POST" else "", X_CSRFToken=token)
        self.told += headers.get_all("Set-Cookie") or []
        return status, str(headers.get("Location", ""))


def a_guest(site: Site) -> list[str]:
    """Return the cookies of somebody who looks around, does a drill and has it deleted."""
    browser = Watched(site)
    for path in ("/", "/accounts/login/", "/accounts/signup/", "/practice/pmle/mock/"):
        assert browser.go("GET", path)[0] == 200
    assert browser.go("POST", "/practice/pmle/drill/", size="5")[0] == 302
    assert browser.go("GET", "/practice/history/")[0] == 200
    assert browser.go("POST", reverse("forget-guest"))[0] == 302
    return browser.told


def a_learner(site: Site, world: World) -> list[str]:
    """Return the cookies of somebody who signs in, comments and signs out."""
    browser = Watched(site)
    question = world.comments["tip"].question
    signed_in = browser.go("POST", "/accounts/login/", login=world.users[LEARNER].email, password=PASSWORD)
    assert signed_in == (302, "/")
    assert browser.go("GET", "/accounts/email/")[0] == 200
    thread = reverse("comment-new", args=[question.exam.slug, question.pk])
    assert browser.go("POST", thread, kind="tip", text="Read the numbers twice.")[0] == 302
    assert browser.go("POST", "/accounts/logout/")[0] == 302
    return browser.told


def one_of_the_staff(site: Site, world: World) -> list[str]:
    """Return the cookies of an editor to whom the admin shows a message."""
    session = world.cookies[STAFF][settings.SESSION_COOKIE_NAME].value
    browser = Watched(site, **{"__Host-sessionid": session})
    said = reverse("admin:questions_question_act", args=[world.question.pk, "comment"])
    status, onward = browser.go("POST", said, text="A word.")
    assert status == 302
    assert browser.go("GET", onward)[0] == 200
    return browser.told


@pytest.mark.gate
def test_every_cookie_is_for_this_host_alone_and_for_https(site: Site, world: World) -> None:
    told = [*a_guest(site), *a_learner(site, world), *one_of_the_staff(site, world)]
    cookies = [morsel for line in told for morsel in SimpleCookie(line).values()]
    assert len(cookies) == len(told)
    assert {cookie.key for cookie in cookies} == OURS
    for cookie in cookies:
        assert cookie["secure"], cookie.key
        assert (cookie["path"], cookie["domain"], cookie["samesite"]) == ("/", "", "Lax"), cookie.key
        assert bool(cookie["httponly"]) is (cookie.key not in READ_BY_SCRIPT) or not cookie.value, cookie.key
