"""The two health addresses."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.db.utils import OperationalError
from django.test import Client


def test_healthz_answers_without_database_and_cookie(client: Client) -> None:
    response = client.get("/healthz")
    assert (response.status_code, response.content) == (200, b"ok\n")
    assert not response.cookies
    assert "no-cache" in response.headers["Cache-Control"]


@pytest.mark.django_db
def test_readyz_says_ok(client: Client, settings: Any) -> None:
    settings.REDIS_URL = ""
    response = client.get("/readyz")
    assert (response.status_code, response.json()) == (200, {"database": "ok"})


@pytest.mark.django_db
def test_readyz_is_503_when_the_database_does_not_answer(
    client: Client, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse() -> None:
        raise OperationalError("secret detail")

    settings.REDIS_URL = ""
    monkeypatch.setattr(connection, "cursor", refuse)
    response = client.get("/readyz")
    assert (response.status_code, response.json()) == (503, {"database": "unreachable"})


@pytest.mark.django_db
def test_readyz_is_503_when_redis_does_not_answer(client: Client, settings: Any, unused_port: int) -> None:
    settings.REDIS_URL = f"redis://127.0.0.1:{unused_port}/0"
    response = client.get("/readyz")
    assert (response.status_code, response.json()) == (503, {"database": "ok", "redis": "unreachable"})


@pytest.mark.django_db
def test_readyz_asks_redis_where_it_is_configured(client: Client, settings: Any, redis_url: str) -> None:
    settings.REDIS_URL = redis_url
    assert client.get("/readyz").json() == {"database": "ok", "redis": "ok"}


@pytest.mark.django_db
def test_readyz_takes_one_statement(client: Client, django_assert_num_queries: Callable[..., Any]) -> None:
    with django_assert_num_queries(1):
        client.get("/readyz")
