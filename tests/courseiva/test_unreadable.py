"""A request that can't be parsed is refused with our page and our headers, at every address."""

from __future__ import annotations

import logging
from typing import Any

import pytest
from django.core.handlers.wsgi import WSGIRequest
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from django.urls import path, reverse

from courseiva import urls as real
from courseiva.serving.middleware.requests import refuse_unreadable
from courseiva.serving.middleware.watching import HEADERS
from courseiva.serving.views import refusals
from tests.support.raw import FORM, Answer, ask
from tests.support.world import GUEST, World

pytestmark = [pytest.mark.long("many requests"), pytest.mark.django_db]
TOKEN = "csrftoken=" + "a" * 32
PART = b'--x\r\nContent-Disposition: form-data; name="login"\r\n\r\na\r\n--x--\r\n'
MULTIPART = "multipart/form-data; boundary=x"
CHARSETS = ["utf-7", "rot13", "base64", "hex", "undefined", "idna", "utf-16", "latin-1", "nope", "a\x00b", "9" * 5000]
TYPES = ["x/y; a*=nope''b", "x/y; a*=rot13''%ff", "multipart/form-data; boundary*=nope''b", "\xff", ";;;"]
LENGTHS = ["abc", "-1", "1.5", "0x10", "9" * 30, "9" * 5000, "\u0663"]
DIGITS = "9" * 5000


def raise_it(request: HttpRequest) -> HttpResponse:
    raise RuntimeError("secret detail")


handler400, handler403, handler404, handler500 = real.handler400, real.handler403, real.handler404, real.handler500
urlpatterns = [path("test/broken/", raise_it), *real.urlpatterns]


def is_ours(answer: Answer) -> bool:
    return all(answer.headers.get(name) == value for name, value in HEADERS.items()) and b"<h1" in answer.body


@pytest.fixture(autouse=True)
def quiet(settings: Any, caplog: pytest.LogCaptureFixture) -> pytest.LogCaptureFixture:
    settings.ROOT_URLCONF = __name__
    settings.DEBUG = False
    return caplog


@pytest.mark.parametrize("kind", [FORM, MULTIPART])
@pytest.mark.parametrize("charset", CHARSETS)
def test_a_body_in_another_encoding_is_refused(charset: str, kind: str, quiet: Any) -> None:
    for address in ("/accounts/login/", "/practice/none/answer/", "/nowhere/", "/test/broken/"):
        answer = ask("POST", address, PART, CONTENT_TYPE=f"{kind}; charset={charset}", HTTP_COOKIE=TOKEN)
        assert (answer.status, is_ours(answer)) == (400, True), address
    assert sum(len(record.getMessage()) for record in quiet.records) < 4000
    assert not [record for record in quiet.records if record.exc_info or record.levelno >= logging.ERROR]


@pytest.mark.parametrize("charset", CHARSETS)
def test_without_a_body_the_encoding_is_ignored(charset: str) -> None:
    answer = ask("GET", "/search/?q=model%C3%A9+AGE-", CONTENT_TYPE=f"text/plain; charset={charset}")
    assert (answer.status, is_ours(answer)) == (200, True)
    assert "modelé AGE-".encode() in answer.body


@pytest.mark.parametrize("kind", TYPES)
def test_no_content_type_breaks_out_of_the_application(kind: str) -> None:
    for method in ("GET", "POST"):
        answer = ask(method, "/accounts/login/", b"login=a", CONTENT_TYPE=kind, HTTP_COOKIE=TOKEN)
        assert answer.status in {200, 400, 403}
        assert is_ours(answer)


@pytest.mark.parametrize("length", LENGTHS)
def test_a_content_length_that_is_not_a_number_is_refused(length: str) -> None:
    answer = ask("POST", "/accounts/login/", b"login=a", CONTENT_TYPE=FORM, CONTENT_LENGTH=length, HTTP_COOKIE=TOKEN)
    assert (answer.status, is_ours(answer)) == (400, True)


def test_the_usual_encodings_are_accepted() -> None:
    for charset in ("utf-8", "UTF-8", "utf8", "us-ascii"):
        answer = ask("POST", "/accounts/login/", b"login=a", CONTENT_TYPE=f"{FORM}; charset={charset}")
        assert answer.status == 403  # the body was read; the CSRF token is missing


class Unreadable(WSGIRequest):
    """A request whose body can't be read."""

    def __getattribute__(self, name: str) -> Any:
        """Fail on any attribute that reads the body."""
        if name in {"POST", "FILES", "body", "read"}:
            raise AssertionError("the body was read")
        return super().__getattribute__(name)


@pytest.mark.parametrize("name", ["bad_request", "permission_denied", "page_not_found", "csrf_failure", "server_error"])
def test_no_exception_handler_reads_the_body(name: str) -> None:
    from courseiva.serving.views import outages

    request = RequestFactory().post("/")
    request.__class__ = Unreadable
    handler = getattr(outages if name == "server_error" else refusals, name)
    answer = handler(request) if name == "server_error" else handler(request, ValueError("detail"))
    assert answer.status_code in {400, 403, 404, 500}
    assert b"detail" not in answer.content
    request.content_type = "application/json"
    answer = handler(request) if name == "server_error" else handler(request, ValueError("detail"))
    assert answer.headers["Content-Type"] == "application/json"


def test_the_site_uses_its_own_error_views(settings: Any) -> None:
    given = {handler400, handler403, handler404, settings.CSRF_FAILURE_VIEW}
    names = ("bad_request", "permission_denied", "page_not_found", "csrf_failure")
    assert given == {f"courseiva.serving.views.refusals.{name}" for name in names}
    assert handler500 == "courseiva.serving.views.outages.server_error"


@pytest.mark.parametrize("address", ["/nowhere/", "/admin/", "/"])
def test_no_header_causes_a_server_error(address: str) -> None:
    odd = {
        "HTTP_COOKIE": [f'sessionid="abcdefgh\\000ijkl"; {TOKEN}', "a" * 60_000, '=;;=;"', '"\\777', "\xff\xfe"],
        "HTTP_ORIGIN": ["http://[", "null", "\xff"],
        "HTTP_REFERER": ["http://[", "\xff"],
        "HTTP_HOST": ["[", "a b", "x" * 9000, f"a:{DIGITS}", "[::1]:99999999"],
        "HTTP_RANGE": [f"bytes=-{DIGITS}"],
        "HTTP_IF_MODIFIED_SINCE": ["x", f"Mon, 01 Jan {DIGITS} 00:00:00 GMT"],
        "HTTP_IF_NONE_MATCH": ['"', "*" * 9000],
        "HTTP_ACCEPT": ["\xff", f"a/b;q={DIGITS}"],
        "HTTP_X_FORWARDED_FOR": ["\xff", DIGITS],
        "HTTP_AUTHORIZATION": ["\xff", "Bearer"],
        "QUERY_STRING": ["\xff=\xfe", f"page={DIGITS}", "&" * 900],
        "PATH_INFO": ["/\xff", "/\x00", "//", "/../", ""],
        "SCRIPT_NAME": ["\xff", "/elsewhere"],
        "REQUEST_METHOD": ["FOO", "\xff", "get"],
    }  # fmt: skip
    for name, values in odd.items():
        for value in values:
            answer = ask("GET", address, **{name: value})
            assert answer.status < 500, (name, value)
            assert HEADERS["Content-Security-Policy"] == answer.headers["Content-Security-Policy"], (name, value)


class TestInTheSmallWorld:
    @pytest.mark.parametrize("digit", ["9", "\u0663", "0"])
    @pytest.mark.parametrize("field", ["writer", "check", "reveal", "place", "a-1", "c-1", "finish"])
    def test_a_number_of_any_length_in_the_form_without_script_causes_no_error(
        self, world: World, field: str, digit: str
    ) -> None:
        session = world.session(GUEST, "drill")
        guest = world.client(GUEST)
        for length in (5000, 400, 19, 11):
            sent = {"writer": "0", "take_over": "1", "base": ";".join("-" * 5), field: digit * length}
            assert guest.post(reverse("session", args=[session.uuid]), sent).status_code in {200, 302}
        if field in {"check", "place"}:
            assert guest.post(reverse("session", args=[session.uuid]), {**sent, field: "1"}).status_code == 302

    def test_a_malformed_origin_is_refused(self, world: World) -> None:
        for origin in ("http://[", "http://[::1", "//", "null"):
            answer = Client().post(
                reverse("answer", args=[world.exam.slug]), {"question": 1, "slot": 1}, headers={"origin": origin}
            )
            assert answer.status_code == 403


def test_a_cookie_that_cannot_be_looked_up_is_ignored() -> None:
    met: list[dict[str, str]] = []

    def view(request: HttpRequest) -> HttpResponse:
        met.append(dict(request.COOKIES))
        return HttpResponse()

    request = RequestFactory().get("/", headers={"cookie": 'sessionid="abcdefgh\\000ijkl"; other=kept'})
    refuse_unreadable(view)(request)
    assert met == [{"other": "kept"}]
