"""Fixtures that the slow tests share."""

import shutil

import pytest

from tests.soak.machine import cluster, filled, machine, rng, tell  # noqa: F401
from tests.support.needs import missing
from tests.support.servers import find_cluster_programs


@pytest.fixture(scope="session")
def needs_own_servers() -> None:
    """Require the programs that make a PostgreSQL cluster and a Redis for one test."""
    if not find_cluster_programs() or not shutil.which("redis-server"):
        missing("PostgreSQL's or Redis's server", "sudo apt install postgresql redis-server")
