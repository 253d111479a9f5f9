"""Each test gets its own site, with the rows of a release in the tables of the present code."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import connection
from pytest_django.plugin import DjangoDbBlocker

from tests.support.needs import find_postgres, in_ci
from tests.upgrade.restored import POSTGRESQL, RELEASES, SQLITE, VENDORS, World, after_the_upgrade, copied, restored

HERE_ARE = (connection.vendor,) if in_ci() else VENDORS if find_postgres() else (SQLITE,)
"""The databases of this run: in CI there is a run on each, which tests the dump of its own."""
KINDS = [(release, vendor) for release in RELEASES for vendor in HERE_ARE]


@pytest.fixture(scope="module", params=KINDS, ids=lambda kind: f"{kind[0]}-{kind[1]}")
def upgraded(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, django_db_blocker: DjangoDbBlocker
) -> Iterator[tuple[str, str]]:
    """Yield a release and the address of its migrated dump, which no test changes."""
    release, vendor = request.param
    server = request.getfixturevalue("postgres_url") if vendor == POSTGRESQL else ""
    with contextlib.ExitStack() as stack:
        with django_db_blocker.unblock():
            folder, anew = tmp_path_factory.mktemp("dump"), request.config.getvalue("create_db")
            url = stack.enter_context(restored(release, server, folder, anew=anew))
        yield release, url


@pytest.fixture
def world(upgraded: tuple[str, str], tmp_path: Path, django_db_blocker: DjangoDbBlocker) -> Iterator[World]:
    """Yield what is known of the release, while the site runs on a copy of its rows."""
    release, url = upgraded
    found = World(release)
    with copied(url, tmp_path) as copy, django_db_blocker.unblock(), after_the_upgrade(found, copy):
        yield found


@pytest.fixture
def seen(upgraded: tuple[str, str], django_db_blocker: DjangoDbBlocker) -> Iterator[World]:
    """Yield the same for a test that only reads: its site runs on the rows that the others copy."""
    release, url = upgraded
    found = World(release)
    with django_db_blocker.unblock(), after_the_upgrade(found, url):
        yield found
