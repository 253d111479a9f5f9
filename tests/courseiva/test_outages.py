"""While the database is down the site returns a 503 that says so, as a page or as JSON, without an SQL statement."""

from __future__ import annotations

import pytest
from django.db import DatabaseError, IntegrityError, InterfaceError, OperationalError, ProgrammingError
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import path

from courseiva.serving.views.outages import RETRY_SECONDS, database_is_away
from courseiva.urls import handler500 as real_handler
from courseiva.urls import urlpatterns as real_urls
from tests.support.hooks import states

ERRORS = {error.__name__: error for error in (OperationalError, InterfaceError, ProgrammingError)}


def broken(request: HttpRequest, name: str) -> HttpResponse:
    raise ERRORS[name]("secret detail")


handler500 = real_handler
urlpatterns = [path("test/broken/<str:name>", broken), *real_urls]
pytestmark = pytest.mark.urls(__name__)


@pytest.fixture
def visitor(client: Client) -> Client:
    # No django_db mark anywhere here: a statement would fail the test.
    client.raise_request_exception = False
    return client


@pytest.mark.parametrize("name", ["OperationalError", "InterfaceError"])
def test_a_page_says_that_the_database_is_down_and_when_to_come_back(visitor: Client, name: str) -> None:
    response = visitor.get(f"/test/broken/{name}")
    assert response.status_code == 503
    assert response.headers["Retry-After"] == str(RETRY_SECONDS)
    assert response.headers["Cache-Control"] == "no-store"
    text = response.content.decode()
    assert states(response) == ["no-database"]
    assert "secret detail" not in text
    assert len(response.headers["X-Request-ID"]) == 32


def test_a_script_gets_json(visitor: Client) -> None:
    response = visitor.post("/test/broken/OperationalError", {}, content_type="application/json")
    assert (response.status_code, response.json()["code"]) == (503, "no-database")


def test_a_wrong_statement_counts_as_our_error(visitor: Client) -> None:
    response = visitor.get("/test/broken/ProgrammingError")
    assert response.status_code == 500
    assert "Retry-After" not in response.headers
    assert visitor.post("/test/broken/ProgrammingError", {}, content_type="application/json").status_code == 500


@pytest.mark.parametrize(
    ("error", "away"),
    [
        (OperationalError(), True),
        (InterfaceError(), True),
        (DatabaseError(), True),
        (IntegrityError(), False),
        (ProgrammingError(), False),
        (ValueError(), False),
        (None, False),
    ],
)
def test_only_an_error_of_an_unreachable_database_counts_as_an_outage(error: BaseException | None, away: bool) -> None:
    assert database_is_away(error) is away
