"""Runs the site as people get it, for tests with a browser: a separate gunicorn on this run's test database."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.test.utils import override_settings, setup_databases, teardown_databases
from pytest_django.plugin import DjangoDbBlocker

from tests.support.subprocesses import Site, run_python, wait_until

LIVE_SETTINGS = "tests.support.live_settings"
SITES_OWN_DATABASE = connection.settings_dict["NAME"]  # read before any test database is made


def database_url() -> str:
    """Return the address of this run's test database."""
    facts = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{facts['NAME']}"
    password = f":{facts['PASSWORD']}" if facts["PASSWORD"] else ""
    return f"postgresql://{facts['USER']}{password}@{facts['HOST']}:{facts['PORT'] or 5432}/{facts['NAME']}"


def is_quiet() -> bool:
    """Return whether the site has been idle for a moment: a browser that is closed leaves requests running."""
    if connection.vendor == "sqlite":
        return True
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
            " AND (state <> 'idle' OR state_change > clock_timestamp() - interval '250 ms')"
        )
        return bool(cursor.fetchone() == (0,))


def is_test_database() -> bool:
    """Return whether this process has switched to its test database."""
    return bool(connection.settings_dict["NAME"] != SITES_OWN_DATABASE)


def live_environment(static_root: Path) -> dict[str, str]:
    """Return the server process's environment; its key is the tests' own, so that cookies made here are valid there."""
    return {
        "DJANGO_SETTINGS_MODULE": LIVE_SETTINGS,
        "DEBUG": "1",
        "SECRET_KEY": settings.SECRET_KEY,
        "GUEST_MOCKS_A_DAY": "10000",  # all guests in these tests come from one machine
        "TEST_STATIC_ROOT": str(static_root),
        "PICTURES_DIR": str(pictures_root(static_root)),
    }


def pictures_root(static_root: Path) -> Path:
    """Return the folder where the live site keeps its pictures."""
    return static_root.with_name(f"{static_root.name}-pictures")


@contextmanager
def stored_for(static_root: Path) -> Iterator[None]:
    """Let this process store pictures where the live site looks for them."""
    options = {"location": str(pictures_root(static_root)), "base_url": None}
    storage = {"BACKEND": "django.core.files.storage.FileSystemStorage", "OPTIONS": options}
    with override_settings(STORAGES={**settings.STORAGES, "default": storage}):
        yield


@pytest.fixture(scope="session")
def static_root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Collect the static files under their hashed names, and return their folder."""
    root = tmp_path_factory.mktemp("static")
    done = run_python("manage.py", "collectstatic", "--noinput", "-v0", **live_environment(root))
    assert done.returncode == 0, done.stderr
    return root


@pytest.fixture(scope="session")
def live_database(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Make sure that the test database exists: pytest-django creates it only if a collected test has its mark."""
    with django_db_blocker.unblock():
        made = None if is_test_database() else setup_databases(0, False, aliases={DEFAULT_DB_ALIAS})
        assert is_test_database(), "this would write into the database of the site itself"
        yield
        if made is not None:
            teardown_databases(made, 0)


@pytest.fixture(scope="session")
def live_site(static_root: Path, live_database: None) -> Iterator[Site]:
    """Run the site on the test database; fill that under ``live_rows``."""
    site = Site(database_url(), **live_environment(static_root)).start()
    yield site
    site.stop()


@pytest.fixture(scope="module")
def live_rows(live_database: None, static_root: Path, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Open the database for a whole file, whose rows are really committed, and empty it at the end."""
    with django_db_blocker.unblock(), stored_for(static_root):
        yield
        assert is_test_database()
        assert wait_until(is_quiet), "a request does not end"
        call_command("flush", interactive=False, verbosity=0)
        # While Playwright's loop runs, Django's connections aren't the ones the test database is dropped with.
        connections.close_all()
