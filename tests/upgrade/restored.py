"""A dump, back as a site of the present code: restored, migrated, at the moment after the upgrade."""

from __future__ import annotations

import contextlib
import datetime as dt
import gzip
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

from courseiva.serving.rules import environment
from tests.support.scratch import scratch_database

HERE = Path(__file__).resolve().parent
RELEASES = sorted(path.parent.name for path in HERE.glob("*/world.json"))
SQLITE, POSTGRESQL = VENDORS = ("sqlite", "postgresql")
QUICK = "PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF;"


class World:
    """What world.json says of a release: who there is, what their browsers hold, and what must still be so."""

    def __init__(self, release: str) -> None:
        self.release = release
        self.told: dict[str, Any] = json.loads((HERE / release / "world.json").read_text(encoding="utf-8"))

    def __getitem__(self, name: str) -> Any:
        return self.told[name]

    @property
    def back(self) -> dt.datetime:
        """When the site is there again."""
        return dt.datetime.fromisoformat(self.told["back"])

    def browser(self, who: str) -> Browser:
        """A person's browser as the release left it; "guest" has no account, "stranger" no cookie."""
        if who == "guest":
            return Browser(self, **self.told["guest"])
        login = self.told["logins"].get(who, "")
        return Browser(self, **({"sessionid": login, "__Host-sessionid": login} if login else {}))


class Browser(Client):
    """Sends what a browser sends: its cookies, the token in a header, and that the page was our own."""

    def __init__(self, world: World, **cookies: str) -> None:
        super().__init__(enforce_csrf_checks=True, headers={"sec-fetch-site": "same-origin"})
        token = world["csrf"]
        self.cookies = SimpleCookie({"csrftoken": token, "__Host-csrftoken": token, **cookies})

    @property
    def token(self) -> str:
        """The token as it stands now; signing in changes it."""
        return str(self.cookies[settings.CSRF_COOKIE_NAME].value)

    def send(self, path: str, body: Any, query: str = "") -> HttpResponse:
        """A request of the player, which follows no redirect."""
        headers = {"x-csrftoken": self.token, "x-fragment": "1"}
        return self.post(path + query, json.dumps(body), content_type="application/json", headers=headers)

    def submit(self, path: str, **fields: Any) -> HttpResponse:
        """A form of a page; what it leads to."""
        return self.post(path, {"csrfmiddlewaretoken": self.token, **fields}, follow=True)

    def export(self) -> Any:
        """All that the site holds of this person."""
        answer = self.get("/practice/export.json", follow=True)
        assert answer.status_code == 200
        return json.loads(b"".join(answer.streaming_content) if answer.streaming else answer.content)


@contextlib.contextmanager
def restored(release: str, server: str, folder: Path) -> Iterator[str]:
    """The address of a database with the release's rows in the tables of the present code."""
    with scratch_database(server, folder) as url:
        _load(url, release)
        with site_on(url):
            call_command("migrate", interactive=False, verbosity=0, stdout=StringIO())
        yield url


@contextlib.contextmanager
def copied(url: str, folder: Path) -> Iterator[str]:
    """A database of its own with the same rows."""
    if url.startswith(SQLITE):
        file = Path(url.removeprefix("sqlite:///"))
        copy = folder / f"{secrets.token_hex(6)}.sqlite3"
        shutil.copy(file, copy)
        yield f"sqlite:///{copy}"
        return
    with scratch_database(url, folder, template=url.rpartition("/")[2]) as copy_url:
        yield copy_url


@contextlib.contextmanager
def site_on(url: str) -> Iterator[None]:
    """The site of this process works on that database."""
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
    """The site is there again: the same key, the hashes of a real site, and the clock of that day."""
    theirs = override_settings(SECRET_KEY=world["secret_key"], PASSWORD_HASHERS=global_settings.PASSWORD_HASHERS)
    with theirs, time_machine.travel(world.back, tick=False), site_on(url):
        yield


def _load(url: str, release: str) -> None:
    vendor = SQLITE if url.startswith(SQLITE) else POSTGRESQL
    script = gzip.decompress((HERE / release / f"{vendor}.sql.gz").read_bytes()).decode()
    if vendor == SQLITE:
        with contextlib.closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as connection:
            connection.executescript(script)
        return
    with contextlib.closing(psycopg2.connect(url)) as connection, connection, connection.cursor() as cursor:
        cursor.execute(script)
