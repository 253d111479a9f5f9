"""Finds the tests whose result doesn't depend on the run's database and cache, so that one run of them is enough.

``pytest --servers-only`` leaves them out, as ``.ci/run`` does on PostgreSQL after running them on SQLite. Tests aren't
marked by hand. A test is left out if it doesn't ask for a database, if its file mentions neither Django's database
layer nor the cache nor another process, and if nothing its file imports from ``tests`` distinguishes servers. A mistake
shows in every run, because such a test can't reach any of the three.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import caches

from tests.support.imports import BASE, imported_names

PLUGIN = "pytest_django"
OF_A_DATABASE = {"django_db_blocker", "django_db_setup", "db", "transactional_db"}
"""The fixtures that give a test a database, as ours request them; pytest-django's own request them for every test."""
OF_A_SERVER = re.compile(
    r"django\.db\b|DATABASE|REDIS|_redis|_postgres|CACHES|core\.cache|common\.page_cache"
    r"|subprocess|multiprocessing|Popen"
)
"""Words in a file that uses a server."""
WHICH_SERVER = re.compile(r"\.vendor\b|DATABASES|DATABASE_URL|REDIS_URL")
"""Words in a file that could distinguish servers without using one."""
STARTS = ((subprocess.Popen, "_execute_child"), (os, "fork"), (os, "posix_spawn"), (os, "system"))
"""The functions that start a process. An audit hook would be called a thousand times in every test."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that `make test SERVERS_ONLY=1` passes."""
    parser.addoption("--servers-only", action="store_true", help="only tests that depend on database or cache")


def runs_once(item: pytest.Item) -> bool:
    """Return whether the test's result is the same on every database and cache."""
    return not names_a_server(item.path) and not asks(item)


def asks(item: pytest.Item) -> bool:
    """Return whether the test has a database."""
    if item.get_closest_marker("django_db"):
        return True
    fixtures = getattr(item, "_fixtureinfo").name2fixturedefs.values()  # noqa: B009 - pytest has no public name for it
    ours = [each[-1] for each in fixtures if not each[-1].func.__module__.startswith(PLUGIN)]
    return any(OF_A_DATABASE & set(each.argnames) for each in ours) or bool(
        {"db", "live_server"} & set(item.fixturenames)
    )


@cache
def names_a_server(path: Path) -> bool:
    """Return whether the file mentions a database, cache or process, or an import from ``tests`` tells them apart."""
    return bool(OF_A_SERVER.search(path.read_text())) or any(map(tells_servers_apart, imported(path)))


@cache
def tells_servers_apart(path: Path) -> bool:
    """Return whether a file distinguishes databases or caches."""
    return bool(WHICH_SERVER.search(path.read_text()))


def imported(path: Path) -> set[Path]:
    """Return the files of ``tests`` that this one needs, directly or not."""
    found: set[Path] = set()
    ahead = [path]
    while ahead:
        file = ahead.pop()
        module = ".".join(file.relative_to(BASE).with_suffix("").parts)
        names = {name for name, _ in imported_names(module, file) if name.startswith("tests.")}
        fresh = {each for name in names if (each := BASE.joinpath(*name.split(".")).with_suffix(".py")).is_file()}
        ahead += fresh - found
        found |= fresh
    return found


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave them out, if the option says so."""
    for item in items:
        item.stash[ONCE] = runs_once(item)
    if config.getoption("--servers-only"):
        config.hook.pytest_deselected(items=[item for item in items if item.stash[ONCE]])
        items[:] = [item for item in items if not item.stash[ONCE]]


ONCE = pytest.StashKey[bool]()


@contextmanager
def without_servers() -> Iterator[None]:
    """Fail anything that uses the cache or starts a process; pytest-django blocks databases."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(caches["default"]), "make_and_validate_key", _refuse)
        for holder, name in STARTS:
            patch.setattr(holder, name, partial(_no_process, name))
        yield


@pytest.fixture(autouse=True)
def _no_server(request: pytest.FixtureRequest, _fresh_process_state: None) -> Iterator[None]:
    """Block all servers for a test that another run can leave out."""
    with without_servers() if request.node.stash[ONCE] else nullcontext():
        yield


def _refuse(*_: Any, **__: Any) -> None:
    pytest.fail("a test without a database used the cache, and so would have to run on Redis too: let it ask for `db`")


def _no_process(name: str, *_: Any, **__: Any) -> None:
    pytest.fail(f"a test without a database started a process ({name}), which its file has to import `subprocess` for")
