"""Yesterday's release serves while today's migrations run: no request fails, and today's code carries on with its rows.

Yesterday's code comes from git: the newest tag from 0.2.0 on or, before there is one, the commit before the newest
migrations. 0.2.0 itself needs a stop, because it renames tables and retypes columns: as long as the last of these
migrations is the newest, yesterday's code is that which brought it, so only code is replaced.
tests/soak/test_production_faults.py tests that a migration gives way to a table in use, and that today's release serves
while one more migration runs.
"""

from __future__ import annotations

import random
import re
import subprocess
import sys
import tarfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

import pytest

from tests.soak.answering import LONGEST, Learner, Reader
from tests.soak.machine import (
    CONNECTIONS,
    KEY,
    PER_DOMAIN,
    Machine,
    all_is_kept,
    answering,
    everybody,
    running,
    submitted,
)
from tests.soak.test_production_faults import reading
from tests.support.live import LIVE_SETTINGS
from tests.support.needs import missing
from tests.support.scratch import fill, rows, scratch_database
from tests.support.servers import own_cluster, own_redis
from tests.support.subprocesses import BASE, Site, bare_environment, run_python, wait_until

REQUESTS = 1000
FIRST = (0, 2, 0)
MIGRATIONS = [f"{app}/migrations/[0-9]*.py" for app in ("practice", "questions", "discussion", "courseiva/*")]
MIGRATE_SECONDS = 300

NEEDS_A_STOP = "practice/migrations/0040_whole_seconds.py"
"""The last migration for which 0.2.0 is stopped: code from before it can't use the tables after it."""

pytestmark = [pytest.mark.soak, pytest.mark.alone]


def git(*words: str) -> str:
    """Return git's output, or nothing if it fails."""
    return subprocess.run(["git", *words], cwd=BASE, capture_output=True, text=True, check=False).stdout.strip()


def yesterday() -> str:
    """Return the commit whose code served before today's."""
    versions = {
        tuple(map(int, tag.split("."))): tag for tag in git("tag").split() if re.fullmatch(r"\d+\.\d+\.\d+", tag)
    }
    here = git("tag", "--points-at", "HEAD").split()
    kept = [version for version, tag in versions.items() if version >= FIRST and tag not in here]
    if kept:
        return versions[max(kept)]
    newest = brought(*MIGRATIONS)
    return git("rev-parse", newest if newest == brought(NEEDS_A_STOP) else f"{newest}^") if newest else ""


def brought(*paths: str) -> str:
    """Return the commit that added the newest of these files."""
    return git("log", "-1", "--diff-filter=A", "--format=%H", "--", *paths)


@dataclass(frozen=True)
class Former:
    """Yesterday's code in a folder, and its processes' environment."""

    commit: str
    folder: Path
    given: dict[str, str]

    def run(self, *arguments: str, **ours: str) -> None:
        """Run one of the former code's commands."""
        done = run_python(*arguments, timeout=MIGRATE_SECONDS, folder=self.folder, **self.given, **ours)
        assert done.returncode == 0, done.stderr


@pytest.fixture
def former(tmp_path: Path) -> Former:
    """Check out yesterday's code and collect its static files."""
    commit = yesterday()
    packed = subprocess.run(["git", "archive", commit or "none"], cwd=BASE, capture_output=True, check=False)
    if packed.returncode:
        missing("the history of the code", "git clone it, with its tags")
    folder = tmp_path / "former"
    with tarfile.open(fileobj=BytesIO(packed.stdout)) as archive:
        archive.extractall(folder, filter="data")
    given = {
        "SECRET_KEY": KEY, "GUEST_MOCKS_A_DAY": "10000", "ALLOWED_HOSTS": "127.0.0.1",
        "DJANGO_SETTINGS_MODULE": LIVE_SETTINGS, "TEST_STATIC_ROOT": str(tmp_path / "former-static"),
    }  # fmt: skip
    made = Former(commit, folder, given)
    made.run("manage.py", "collectstatic", "--noinput", "-v0")
    return made


@pytest.fixture
def machine_of_yesterday(
    needs_own_servers: None, former: Former, static_root: Path, tmp_path: Path
) -> Iterator[Machine]:
    """Start servers with a database that yesterday's code created and filled; the environment ``given`` is today's."""
    with (
        own_cluster(f"max_connections={CONNECTIONS}") as cluster,
        own_redis(tmp_path) as redis,
        scratch_database(cluster.url, tmp_path) as url,
    ):
        fill(url, PER_DOMAIN, former.folder)
        given = {**former.given, "REDIS_URL": redis.url, "TEST_STATIC_ROOT": str(static_root)}
        yield Machine(cluster, redis, url, tmp_path, given)


def applied(url: str) -> int:
    """Return how many migrations the database has."""
    ((count,),) = rows(url, "SELECT count(*) FROM django_migrations")
    return int(count)


def answered(learners: list[Learner], reader: Reader) -> int:
    """Return how many saves and pages have been answered so far."""
    return sum(len(each.times) for each in (*learners, reader))


def test_yesterdays_release_serves_while_todays_migrations_run(
    machine_of_yesterday: Machine, former: Former, rng: random.Random, tell: Callable[[str], None]
) -> None:
    machine = machine_of_yesterday
    before = applied(machine.url)
    # Only its static files differ; apart from those, both get the same environment.
    told = {**machine.given, **former.given, "WEB_PROCESSES": "2", "COUNTERS_FILE": str(machine.folder / "counts")}
    site = Site(machine.url, former.folder, **told).start()
    with running(site), reading(site, machine) as reader, answering(site, rng) as learners:
        everybody(learners, submitted)
        began = answered(learners, reader)
        environment = bare_environment(**machine.given, DATABASE_URL=machine.url)
        command = [sys.executable, "manage.py", "migrate", "--noinput", "-v0"]
        migration = subprocess.Popen(command, cwd=BASE, env=environment)
        assert migration.wait(MIGRATE_SECONDS) == 0
        during = answered(learners, reader) - began
        everybody(learners, submitted)
        assert wait_until(lambda: answered(learners, reader) - began >= REQUESTS, LONGEST)
        count = answered(learners, reader) - began
    assert applied(machine.url) > before or former.commit == brought(NEEDS_A_STOP), "there was nothing to migrate"
    assert {learner.broken + learner.outages for learner in learners} == {0}
    assert reader.error is None
    tell(f"{former.commit[:12]}: {count} requests answered, {during} of them while the migrations ran; 0 failed")
    goes_on_with_todays_code(machine, site, learners)


def goes_on_with_todays_code(machine: Machine, site: Site, learners: list[Learner]) -> None:
    """Check that today's site and worker find everything acknowledged, and end and analyse what yesterday's began."""
    site.folder = BASE
    site.environment.update(machine.given)
    worker = machine.worker()
    with running(site.start()), running(worker):
        all_is_kept(machine, learners)
