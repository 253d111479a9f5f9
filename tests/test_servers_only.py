"""A test that needs only one run can't depend on what differs in the other."""

import os
import subprocess
from pathlib import Path

import pytest
from django.core.cache import cache

from tests.support.servers_only import ONCE, asks, names_a_server, without_servers

HERE = Path(__file__).parent


@pytest.mark.parametrize("name", ["test_css.py", "practice/test_calibration.py", "questions/lint/test_prose.py"])
def test_a_file_that_tests_only_pure_rules_names_no_server(name: str) -> None:
    assert not names_a_server(HERE / name)


@pytest.mark.parametrize(
    "name", ["courseiva/test_cache.py", "courseiva/test_starting.py", "practice/test_account_edges.py", "test_bench.py"]
)
def test_a_file_that_uses_a_server_or_process_names_it(name: str) -> None:
    assert names_a_server(HERE / name)


def test_a_test_that_requests_a_database_asks_for_it(db: None, request: pytest.FixtureRequest) -> None:
    assert asks(request.node)


@pytest.mark.django_db
def test_a_marked_test_asks_for_a_database(request: pytest.FixtureRequest) -> None:
    assert asks(request.node)


def test_a_test_that_requests_no_fixture_has_no_database(request: pytest.FixtureRequest) -> None:
    assert not asks(request.node)


def test_in_a_file_that_names_a_server_every_test_runs_on_each_database(request: pytest.FixtureRequest) -> None:
    assert not request.node.stash[ONCE]


def test_without_servers_neither_cache_nor_process_is_reached() -> None:
    with without_servers():
        for reach in (
            lambda: cache.get("x"),
            lambda: cache.set("x", 1),
            lambda: subprocess.run(["true"], check=True),
            lambda: os.system("true"),
            os.fork,
        ):
            with pytest.raises(pytest.fail.Exception, match="without a database"):
                reach()
    assert cache.get("x") is None
    assert subprocess.run(["true"], check=True).returncode == 0
