"""The two health addresses report whether the site and what it needs are working."""

import datetime as dt
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.db.utils import OperationalError
from django.test import Client
from django.utils import timezone

from courseiva.serving import reads
from courseiva.serving.reads import ask_database
from tests.support.subprocesses import run_python


def answer(**differs: str) -> dict[str, str]:
    """Return the response when all is well, with these differences."""
    clock = {"clock": "ok"} if connection.vendor == "postgresql" else {}
    return {"database": "ok", "migrations": "ok", "static": "ok", **clock, **differs}


def test_healthz_responds_without_a_database_or_a_cookie(client: Client) -> None:
    response = client.get("/healthz")
    assert (response.status_code, response.content) == (200, b"ok\n")
    assert not response.cookies
    assert "no-cache" in response.headers["Cache-Control"]


@pytest.mark.django_db
def test_readyz_says_ok(client: Client, settings: Any) -> None:
    settings.REDIS_URL = ""
    response = client.get("/readyz")
    assert (response.status_code, response.json()) == (200, answer())


@pytest.mark.django_db
def test_readyz_is_503_when_the_database_does_not_answer(
    client: Client, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse() -> None:
        raise OperationalError("secret detail")

    settings.REDIS_URL = ""
    monkeypatch.setattr(connection, "cursor", refuse)
    response = client.get("/readyz")
    assert (response.status_code, response.json()) == (503, {"database": "unreachable", "static": "ok"})


@pytest.mark.django_db
def test_readyz_is_503_when_redis_does_not_answer(client: Client, settings: Any, unused_port: int) -> None:
    settings.REDIS_URL = f"redis://127.0.0.1:{unused_port}/0"
    response = client.get("/readyz")
    assert (response.status_code, response.json()) == (503, answer(redis="unreachable"))


@pytest.mark.django_db
def test_readyz_asks_redis_where_it_is_configured(client: Client, settings: Any, redis_url: str) -> None:
    settings.REDIS_URL = redis_url
    assert client.get("/readyz").json() == answer(redis="ok")


@pytest.mark.django_db
def test_readyz_takes_one_statement(client: Client, django_assert_num_queries: Callable[..., Any]) -> None:
    with django_assert_num_queries(1):
        client.get("/readyz")


@pytest.mark.django_db
def test_readyz_notices_a_missing_migration(client: Client, settings: Any) -> None:
    settings.REDIS_URL = ""
    last = MigrationRecorder.Migration.objects.filter(app="practice").latest("name")
    last.delete()
    response = client.get("/readyz")
    assert (response.status_code, response.json()) == (503, answer(migrations="missing"))


@pytest.mark.django_db
def test_readyz_accepts_the_migrations_of_a_newer_release(client: Client, settings: Any) -> None:
    settings.REDIS_URL = ""
    MigrationRecorder.Migration.objects.create(app="practice", name="9999_of_tomorrow")
    assert client.get("/readyz").status_code == 200


@pytest.mark.long("many processes")
@pytest.mark.long("many processes")
def test_readyz_notices_an_empty_database(tmp_path: Path) -> None:
    code = "from django.test import Client; r = Client().get('/readyz'); print(r.status_code, r.json()['migrations'])"
    url = f"sqlite:///{tmp_path}/empty.sqlite3"
    done = run_python("manage.py", "shell", "-v0", "-c", code, DEBUG="1", DATABASE_URL=url)
    assert done.stdout.split() == ["503", "missing"], done.stderr


@pytest.mark.django_db
@pytest.mark.parametrize(("names", "word"), [({}, "missing"), ({"css/of-yesterday.css": "x"}, "missing")])
def test_readyz_notices_static_files_that_are_missing_or_from_another_release(
    client: Client, settings: Any, monkeypatch: pytest.MonkeyPatch, names: dict[str, str], word: str
) -> None:
    settings.REDIS_URL = ""
    monkeypatch.setattr(reads.staticfiles_storage, "hashed_files", names, raising=False)
    response = client.get("/readyz")
    assert (response.status_code, response.json()) == (503, answer(static=word))


@pytest.mark.django_db
@pytest.mark.parametrize(("seconds", "word"), [(4, "ok"), (-4, "ok"), (7, "wrong"), (-14_199, "wrong")])
def test_readyz_compares_its_clock_with_the_databases_clock(needs_postgres: None, seconds: int, word: str) -> None:
    assert ask_database(timezone.now() + dt.timedelta(seconds=seconds))["clock"] == word
