"""Every response has its headers, and a public page touches neither session nor database."""

from collections.abc import Callable
from typing import Any

import pytest
from django.http import HttpRequest, HttpResponse
from django.template import engines
from django.test import Client
from django.urls import path

from courseiva.serving.middleware.watching import HEADERS
from courseiva.urls import urlpatterns as real_urls
from tests.support.headers import wrong_policy


def plain(request: HttpRequest) -> HttpResponse:
    """Render a template as public pages do: with every context processor, none of which it uses."""
    template = engines["django"].from_string("<p>the same for everybody</p>")
    return HttpResponse(template.render({}, request))


def own_policy(request: HttpRequest) -> HttpResponse:
    return HttpResponse("x", headers={"Cross-Origin-Resource-Policy": "cross-origin"})


def framing(request: HttpRequest) -> HttpResponse:
    response = HttpResponse("x")
    response.content_policy = {"frame-src": "'self'", "frame-ancestors": "'self'"}
    return response


def of_one_visitor(request: HttpRequest) -> HttpResponse:
    request.session.get("anything")
    return HttpResponse("x", content_type="text/plain")


def kept_by_its_browser(request: HttpRequest) -> HttpResponse:
    request.session.get("anything")
    return HttpResponse("x", headers={"Cache-Control": "private, max-age=60"})


def broken(request: HttpRequest) -> HttpResponse:
    raise ValueError("deliberate")


urlpatterns = [
    path("test/plain", plain),
    path("test/own-policy", own_policy),
    path("test/framing", framing),
    path("test/of-one-visitor", of_one_visitor),
    path("test/kept-by-its-browser", kept_by_its_browser),
    path("test/broken", broken),
    *real_urls,
]
pytestmark = pytest.mark.urls(__name__)


def test_a_plain_page_sets_no_cookie_varies_on_none_and_takes_no_statement(client: Client) -> None:
    # No django_db mark: a statement would fail the test.
    response = client.get("/test/plain")
    assert response.status_code == 200
    assert not response.cookies
    assert "Set-Cookie" not in response.headers
    assert "Vary" not in response.headers


def test_a_plain_page_is_the_same_for_a_visitor_with_cookies(client: Client) -> None:
    before = client.get("/test/plain")
    client.cookies["sessionid"] = "0" * 32
    client.cookies["csrftoken"] = "1" * 32
    after = client.get("/test/plain")
    assert (after.content, dict(after.headers)) == (before.content, dict(before.headers))
    assert not after.cookies


@pytest.mark.django_db
def test_a_signed_in_visitor_costs_a_plain_page_no_statement(
    client: Client, django_user_model: Any, django_assert_num_queries: Callable[..., Any]
) -> None:
    client.force_login(django_user_model.objects.create_user("alice@example.org"))
    with django_assert_num_queries(0):
        response = client.get("/test/plain")
    assert "Vary" not in response.headers


@pytest.mark.parametrize("address", ["/test/plain", "/test/broken", "/healthz"])
def test_every_response_carries_the_headers(client: Client, address: str) -> None:
    client.raise_request_exception = False
    response = client.get(address)
    for name, value in HEADERS.items():
        assert response.headers[name] == value
    assert response.headers["X-Content-Type-Options"] == "nosniff"


def test_the_policy_allows_nothing_unsafe_and_no_other_site() -> None:
    policy = HEADERS["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    assert "http" not in policy
    assert "*" not in policy
    sources = {word for part in policy.split("; ") for word in part.split()[1:]}
    assert sources == {"'none'", "'self'", "data:"}


def test_djangos_own_headers_are_sent_too(client: Client) -> None:
    headers = client.get("/test/plain").headers
    assert headers["Referrer-Policy"] == "same-origin"
    assert headers["Cross-Origin-Opener-Policy"] == "same-origin"
    assert headers["X-Frame-Options"] == "DENY"


def test_a_header_set_by_a_view_is_kept(client: Client) -> None:
    assert client.get("/test/own-policy").headers["Cross-Origin-Resource-Policy"] == "cross-origin"


def test_a_readers_own_page_is_never_stored_unless_its_view_says_so(client: Client) -> None:
    assert client.get("/test/of-one-visitor").headers["Cache-Control"] == "private, no-store"
    assert client.get("/test/kept-by-its-browser").headers["Cache-Control"] == "private, max-age=60"
    assert "Cache-Control" not in client.get("/test/plain").headers


def test_plain_text_states_its_encoding(client: Client) -> None:
    assert client.get("/test/of-one-visitor").headers["Content-Type"] == "text/plain; charset=utf-8"


@pytest.mark.parametrize(
    "policy",
    [
        "",
        "default-src 'none'",
        HEADERS["Content-Security-Policy"].replace("script-src 'self'", "script-src 'self' 'unsafe-inline'"),
        HEADERS["Content-Security-Policy"].replace("script-src 'self'", "script-src 'self' 'nonce-abc'"),
        HEADERS["Content-Security-Policy"].replace("img-src 'self'", "img-src https://elsewhere.example"),
        HEADERS["Content-Security-Policy"].replace("base-uri 'none'", "base-uri 'self'"),
        HEADERS["Content-Security-Policy"] + "; object-src 'self'",
    ],
)
def test_a_weaker_policy_is_reported_as_wrong(policy: str) -> None:
    assert wrong_policy(policy, None)
    assert wrong_policy(HEADERS["Content-Security-Policy"], None) == []
    assert wrong_policy(HEADERS["Content-Security-Policy"], "SAMEORIGIN") == ["X-Frame-Options SAMEORIGIN"]


def test_a_probe_is_answered_whatever_host_name_it_uses(client: Client, settings: Any) -> None:
    settings.ALLOWED_HOSTS = ["learn.example.org"]
    assert client.get("/healthz", headers={"host": "10.0.0.7:8000"}).status_code == 200
    assert client.get("/test/plain", headers={"host": "10.0.0.7:8000"}).status_code == 400


def test_a_view_names_only_the_directives_that_differ(client: Client) -> None:
    usual = HEADERS["Content-Security-Policy"]
    got = client.get("/test/framing").headers["Content-Security-Policy"]
    assert got == usual.replace("frame-ancestors 'none'", "frame-ancestors 'self'") + "; frame-src 'self'"
    assert client.get("/test/plain").headers["Content-Security-Policy"] == usual
