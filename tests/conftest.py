"""Fixtures for every test. Where Chromium, PostgreSQL or Redis is missing, tests that need it skip; in CI they fail."""

import os
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection
from hypothesis import HealthCheck, settings

from courseiva.accounts import mail
from questions.catalogue.reads import IS_CHOICE, TERMS
from tests.support import emptying, kept_contexts  # noqa: F401
from tests.support.captured import pytest_runtest_makereport  # noqa: F401
from tests.support.database import django_db_setup  # noqa: F401
from tests.support.file_times import pytest_runtest_logreport, pytest_terminal_summary  # noqa: F401
from tests.support.live import live_database, live_rows, live_site, static_root  # noqa: F401
from tests.support.longest_first import pytest_collection_finish, pytest_collection_modifyitems  # noqa: F401
from tests.support.needs import (
    CHROMIUM_SWITCHES,
    LIGHTER_CHROMIUM,
    find_chromium,
    find_java,
    find_postgres,
    find_redis,
    missing,
)
from tests.support.standing import standing_world, world  # noqa: F401
from tests.support.subprocesses import free_port
from tests.support.whole_files import pytest_ignore_collect  # noqa: F401

pytest_plugins = ["tests.support.servers_only"]

# Playwright keeps an event loop in the main thread, which makes Django refuse plain queries there.
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")

# As Hypothesis does itself where CI is set: a busy machine must not fail a test, and no test's verdict is its time.
settings.register_profile("untimed", settings(), deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")


GET_CHROMIUM = "sudo apt install chromium"
GET_JAVA = "sudo apt install default-jre-headless"
GET_POSTGRES = "sudo apt install postgresql, and set DATABASE_URL=postgresql://postgres@127.0.0.1:5432/postgres"
GET_REDIS = "sudo apt install redis-server, and set REDIS_URL=redis://127.0.0.1:6379/0"


@pytest.fixture(autouse=True)
def _fresh_process_state() -> None:
    """Give each test an empty cache (allauth counts attempts there) and an empty mailbox.

    Whether there are several exams is already cached, as on a site that has been up for a minute; make_exam clears it.
    """
    cache.clear()
    cache.set(IS_CHOICE, False)
    cache.set(TERMS, {})
    mail.captured.clear()


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix: None) -> None:
    """Don't wait for the disk at commits in this process, as with synchronous=OFF on SQLite; child processes do."""
    if connection.vendor == "postgresql":
        connection.settings_dict["OPTIONS"]["options"] += " -c synchronous_commit=off"


@pytest.fixture
def unused_port() -> int:
    """Return a port of this machine on which nothing listens."""
    return free_port()


@pytest.fixture(scope="session")
def needs_chromium() -> str:
    """Return the path of the system's Chromium."""
    return find_chromium() or missing("Chromium", GET_CHROMIUM)


@pytest.fixture(scope="session")
def needs_java() -> str:
    """Return the path of Java, which the HTML validator runs on."""
    return find_java() or missing("Java", GET_JAVA)


@pytest.fixture(scope="session")
def postgres_url() -> str:
    """Return the address of a PostgreSQL server a test may make databases on, whatever database the run itself uses."""
    return find_postgres() or missing("PostgreSQL", GET_POSTGRES)


@pytest.fixture
def needs_postgres() -> None:
    """This run itself is on PostgreSQL. CI also makes a run on SQLite, which leaves such a test to the other run."""
    if connection.vendor == "postgresql":
        return
    if os.environ.get("CI") and not os.environ.get("DATABASE_URL"):
        pytest.skip("only on PostgreSQL, which the next run is on")
    missing("PostgreSQL", GET_POSTGRES)


@pytest.fixture(scope="session")
def redis_url() -> str:
    """Return the address of a Redis a test may use, whatever cache this run itself uses."""
    return find_redis() or missing("Redis", GET_REDIS)


@pytest.fixture
def needs_redis(redis_url: str) -> str:
    """Return a Redis that answers; the same as redis_url."""
    return redis_url


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any], needs_chromium: str) -> dict[str, Any]:
    """pytest-playwright's `browser`, `context` and `page` on the system's Chromium."""
    system = {"executable_path": LIGHTER_CHROMIUM, "env": {**os.environ, "CHROMIUM": needs_chromium}}
    return {**browser_type_launch_args, **system, "args": CHROMIUM_SWITCHES}
