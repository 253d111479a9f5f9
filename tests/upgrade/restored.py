"""Restores and migrates a dump into a site of the present code, at the moment after the upgrade."""

from __future__ import annotations

import contextlib
import datetime as dt
import gzip
import hashlib
import json
import secrets
import shutil
import sqlite3
from collections.abc import Iterator
from http.cookies import SimpleCookie
from io import StringIO
from pathlib import Path
from typing import Any

import psycopg2
import time_machine
from django.conf import global_settings, settings
from django.core.management import call_command
from django.db import connections
from django.http import HttpResponse
from django.test import Client, override_settings
from psycopg2.errors import DuplicateDatabase

from courseiva.serving.rules import environment
from tests.support.database import KEPT, digest
from tests.support.scratch import by_hand, rows, scratch_database

HERE = Path(__file__).resolve().parent
RELEASES = sorted(path.parent.name for path in HERE.glob("*/world.json"))
SQLITE, POSTGRESQL = VENDORS = ("sqlite", "postgresql")
QUICK = "PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF;"


class World:
    """What world.json says of a release: who there is, what their browsers hold, and what must still be true."""

    def __init__(self, release: str) -> None:
        self.release = release
        self.told: dict[str, Any] = json.loads((HERE / release / "world.json").read_text(encoding="utf-8"))

    def __getitem__(self, name: str) -> Any:
        return self.told[name]

    @property
    def back(self) -> dt.datetime:
        """Return the moment at which the site is back."""
        return dt.datetime.fromisoformat(self.told["back"])

    def browser(self, who: str) -> Browser:
        """Return a person's browser as the release left it; "guest" has no account, "stranger" no cookie."""
        if who == "guest":
            return Browser(self, **self.told["guest"])
        login = self.told["logins"].get(who, "")
        return Browser(self, **({"sessionid": login, "__Host-sessionid": login} if login else {}))


class Browser(Client):
    """A client that sends what a browser sends: its cookies, the token in a header, and our own origin."""

    def __init__(self, world: World, **cookies: str) -> None:
        super().__init__(enforce_csrf_checks=True, headers={"sec-fetch-site": "same-origin"})
        token = world["csrf"]
        self.cookies = SimpleCookie({"csrftoken": token, "__Host-csrftoken": token, **cookies})

    @property
    def token(self) -> str:
        """Return the current token, which changes at sign-in."""
        return str(self.cookies[settings.CSRF_COOKIE_NAME].value)

    def send(self, path: str, body: Any, query: str = "") -> HttpResponse:
        """Send a request as the player does, without following redirects."""
        headers = {"x-csrftoken": self.token, "x-fragment": "1"}
        return self.post(path + query, json.dumps(body), content_type="application/json", headers=headers)

    def submit(self, path: str, **fields: Any) -> HttpResponse:
        """Submit a form of a page, and follow where it leads."""
        return self.post(path, {"csrfmiddlewaretoken": self.token, **fields}, follow=True)

    def export(self) -> Any:
        """Return everything the site holds about this person."""
        answer = self.get("/practice/export.json", follow=True)
        assert answer.status_code == 200
        return json.loads(b"".join(answer.streaming_content) if answer.streaming else answer.content)


@contextlib.contextmanager
def restored(release: str, server: str, folder: Path, *, anew: bool = False) -> Iterator[str]:
    """Yield the address of a database with the release's rows in the tables of the present code.

    Migrating it takes as long as migrating an empty one, so the result is kept next to the empty one until the
    dump, a migration or anything else it depends on changes.
    """
    kept = _kept_on_postgres(release, server, folder, anew) if server else _kept_on_disk(release, folder, anew)
    with scratch_database(server, folder, template=kept if server else "") as url:
        if not server:
            shutil.copyfile(kept, _file(url))
        yield url


def kept_as(release: str, vendor: str) -> str:
    """Return a digest that changes with the dump, and with whatever could change what its migration makes of it."""
    return hashlib.sha256(f"{digest()} {release}".encode() + _dump(release, vendor)).hexdigest()[:16]


def _kept_on_disk(release: str, folder: Path, anew: bool) -> str:
    kept = KEPT / "upgraded" / f"{release}-{kept_as(release, SQLITE)}.sqlite3"
    if anew or not kept.exists():
        kept.parent.mkdir(parents=True, exist_ok=True)
        for old in kept.parent.glob(f"{release}-*"):
            old.unlink(missing_ok=True)
        with _migrated(release, "", folder) as url, contextlib.closing(sqlite3.connect(_file(url))) as connection:
            connection.execute("VACUUM INTO ?", [f"{kept}-{folder.name}"])
        Path(f"{kept}-{folder.name}").rename(kept)
    return str(kept)


def _kept_on_postgres(release: str, server: str, folder: Path, anew: bool) -> str:
    kind = f"courseiva_upgraded_{release.replace('.', '_')}_"
    kept = kind + kept_as(release, POSTGRESQL)
    there = [name for (name,) in rows(server, f"SELECT datname FROM pg_database WHERE starts_with(datname, '{kind}')")]
    if anew or kept not in there:
        for old in there:
            by_hand(server, f"DROP DATABASE IF EXISTS {old} WITH (FORCE)")
        with _migrated(release, server, folder) as url, contextlib.suppress(DuplicateDatabase):
            by_hand(server, f"CREATE DATABASE {kept} TEMPLATE {url.rpartition('/')[2]}")
    return kept


@contextlib.contextmanager
def _migrated(release: str, server: str, folder: Path) -> Iterator[str]:
    with scratch_database(server, folder) as url:
        _load(url, release)
        with site_on(url):
            call_command("migrate", interactive=False, verbosity=0, stdout=StringIO())
        yield url


@contextlib.contextmanager
def copied(url: str, folder: Path) -> Iterator[str]:
    """Yield the address of a separate database with the same rows."""
    if url.startswith(SQLITE):
        file = Path(_file(url))
        copy = folder / f"{secrets.token_hex(6)}.sqlite3"
        shutil.copy(file, copy)
        yield f"sqlite:///{copy}"
        return
    with scratch_database(url, folder, template=url.rpartition("/")[2]) as copy_url:
        yield copy_url


@contextlib.contextmanager
def site_on(url: str) -> Iterator[None]:
    """Let the site of this process use that database."""
    facts = environment.read_database({"DATABASE_URL": url}, HERE)
    if url.startswith(SQLITE):
        facts["OPTIONS"] = {**facts["OPTIONS"], "init_command": QUICK}
    before, own = connections.settings["default"], connections["default"]
    connections.settings["default"] = connections.configure_settings({"default": facts})["default"]
    connections["default"] = connections.create_connection("default")
    try:
        yield
    finally:
        connections["default"].close()
        connections.settings["default"], connections["default"] = before, own


@contextlib.contextmanager
def after_the_upgrade(world: World, url: str) -> Iterator[None]:
    """Give the site the release's secret key, a real site's hashers, and the clock just after the upgrade."""
    theirs = override_settings(SECRET_KEY=world["secret_key"], PASSWORD_HASHERS=global_settings.PASSWORD_HASHERS)
    with theirs, time_machine.travel(world.back, tick=False), site_on(url):
        yield


def _file(url: str) -> str:
    return url.removeprefix("sqlite:///")


def _dump(release: str, vendor: str) -> bytes:
    return gzip.decompress((HERE / release / f"{vendor}.sql.gz").read_bytes())


def _load(url: str, release: str) -> None:
    vendor = SQLITE if url.startswith(SQLITE) else POSTGRESQL
    script = _dump(release, vendor).decode()
    if vendor == SQLITE:
        with contextlib.closing(sqlite3.connect(_file(url))) as connection:
            connection.executescript(script)
        return
    with contextlib.closing(psycopg2.connect(url)) as connection, connection, connection.cursor() as cursor:
        cursor.execute(script)
