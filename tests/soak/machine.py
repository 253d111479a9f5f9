"""A site in production on servers that the test may kill, and what must be true at the end of any test."""

from __future__ import annotations

import contextlib
import os
import random
import secrets
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.soak.answering import LONGEST, Learner, what_the_database_holds
from tests.support.live import LIVE_SETTINGS
from tests.support.scratch import fill, rows, scratch_database
from tests.support.servers import Cluster, Process, RedisServer, own_cluster, own_redis
from tests.support.subprocesses import Site, run_python, wait_until

LEARNERS = 8
PER_DOMAIN = 8
ACKS_EACH = 40
ANALYSED_SECONDS = 60
CONNECTIONS = 60
KEY = "only-for-tests-" + "x" * 40
EMAIL, PASSWORD = "alice@learn.example", "a long enough passphrase"
MAKE_ACCOUNT = f"""
import django
django.setup()
from allauth.account.models import EmailAddress
from courseiva.accounts.models import User
user = User.objects.create_user("{EMAIL}", "{PASSWORD}")
EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
"""
QUICK_SCHEDULE = "tests.soak.quick_schedule"
SESSIONS = "FROM practice_practicesession"


@dataclass
class Machine:
    """The servers, and the environment of a site process."""

    cluster: Cluster
    redis: RedisServer
    url: str
    folder: Path
    given: dict[str, str]
    workers: list[Process] = field(default_factory=list)

    def site(self, **more: str) -> Site:
        """Start a gunicorn with two workers, DEBUG off."""
        ours = {"WEB_PROCESSES": "2", "PROMETHEUS_MULTIPROC_DIR": str(self.folder / "counts"), **self.given, **more}
        return Site(self.url, **{"DJANGO_SETTINGS_MODULE": LIVE_SETTINGS, **ours}).start()

    def worker(self, **more: str) -> Process:
        """Start a Celery worker with a beat schedule that repeats every second."""
        command = ("worker", "--concurrency", "1", "--beat", "--schedule", self.schedule)
        return self.celery(QUICK_SCHEDULE, *command, **more)

    def celery(self, settings: str, *command: str, **more: str) -> Process:
        """Start a Celery process."""
        ours = {**self.given, "DATABASE_URL": self.url, "DJANGO_SETTINGS_MODULE": settings, **more}
        process = Process(sys.executable, "-m", "celery", "-A", "courseiva", *command, "--loglevel", "warning", **ours)
        process.start()
        self.workers.append(process)
        return process

    @property
    def schedule(self) -> str:
        """Return the file in which beat records when it sent each task."""
        return str(self.folder / "beat")


@pytest.fixture(scope="session")
def cluster(needs_own_servers: None) -> Iterator[Cluster]:
    """Run a PostgreSQL for these tests alone."""
    with own_cluster(f"max_connections={CONNECTIONS}", "wal_writer_delay=10s") as made:
        yield made


@pytest.fixture(scope="session")
def filled(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Fill a database with a bank and one account, to be copied."""
    with scratch_database(cluster.url, tmp_path_factory.mktemp("filled")) as url:
        fill(url, PER_DOMAIN)
        done = run_python("-c", MAKE_ACCOUNT, DJANGO_SETTINGS_MODULE="tests.settings", DATABASE_URL=url)
        assert done.returncode == 0, done.stderr
        yield url


@pytest.fixture
def machine(cluster: Cluster, filled: str, static_root: Path, tmp_path: Path) -> Iterator[Machine]:
    """Yield a machine with a fresh database in the cluster and a fresh Redis."""
    with own_redis(tmp_path) as redis, scratch_database(cluster.url, tmp_path, filled.rpartition("/")[2]) as url:
        given = {
            "SECRET_KEY": KEY,
            "GUEST_MOCKS_A_DAY": "10000",
            "ALLOWED_HOSTS": "127.0.0.1",
            "REDIS_URL": redis.url,
            "TEST_STATIC_ROOT": str(static_root),
        }
        yield Machine(cluster, redis, url, tmp_path, given)


@pytest.fixture
def tell(capsys: pytest.CaptureFixture[str]) -> Callable[[str], None]:
    """Write a line to the run's log, which shows it even if the test passes."""

    def say(line: str) -> None:
        with capsys.disabled():
            print(f"\n{line}", flush=True)

    return say


@pytest.fixture
def rng(request: pytest.FixtureRequest, tell: Callable[[str], None]) -> random.Random:
    """Return a random generator whose seed is in the log; FAULT_SEED repeats a run."""
    seed = int(os.environ.get("FAULT_SEED", secrets.randbits(32)))
    tell(f"{request.node.name}: FAULT_SEED={seed}")
    return random.Random(seed)


@contextlib.contextmanager
def running(thing: Site | Process) -> Iterator[None]:
    """Kill these processes at the end, whatever happens."""
    try:
        yield
    finally:
        thing.kill()


@contextlib.contextmanager
def answering(
    site: Site, rng: random.Random, acks_each: int = ACKS_EACH, pause: float = 0.0, longest: float = LONGEST
) -> Iterator[list[Learner]]:
    """Run learners who answer until the end of the block and then check what the server holds."""
    stop = threading.Event()
    learners = [Learner(site.port, rng.getrandbits(32), stop, True, acks_each, pause, longest) for _ in range(LEARNERS)]
    try:
        for learner in learners:
            learner.start()
        assert wait_until(lambda: all(learner.acks for learner in learners)), [learner.error for learner in learners]
        yield learners
    finally:
        stop.set()
        for learner in learners:
            learner.join(longest)


def acks_of(learners: list[Learner]) -> int:
    """Return how many answers were acknowledged."""
    return sum(learner.acks for learner in learners)


def outages_of(learners: list[Learner]) -> int:
    """Return how many requests were answered that the database is down."""
    return sum(learner.outages for learner in learners)


def everybody(learners: list[Learner], count: Callable[[Learner], int], seconds: float = LONGEST) -> None:
    """Wait until every learner's count has grown."""
    seen = [count(learner) for learner in learners]
    grown = wait_until(lambda: all(count(learner) > n for learner, n in zip(learners, seen, strict=True)), seconds)
    assert grown, [(learner.error, count(learner) - n) for learner, n in zip(learners, seen, strict=True)]


def somebody_goes_on(learners: list[Learner]) -> None:
    """Wait until somebody has had an answer acknowledged."""
    seen = acks_of(learners)
    assert wait_until(lambda: acks_of(learners) > seen), [learner.error for learner in learners]


def go_on(learners: list[Learner]) -> None:
    """Wait until everybody has had an answer acknowledged."""
    everybody(learners, lambda learner: learner.acks)


def submitted(learner: Learner) -> int:
    """Return the number of results this learner has seen."""
    return sum(sat.shown is not None for sat in learner.sat)


def all_is_kept(
    machine: Machine, learners: list[Learner], supervised: Process | None = None, by_time: bool = False
) -> None:
    """Check that no acknowledged answer is lost and that every session ends in one result, counted once.

    ``by_time``: whether a session may have run out of time. Needs a running worker.
    """
    assert [learner.error for learner in learners] == [None] * len(learners)
    assert by_time or not any(sat.is_over for learner in learners for sat in learner.sat)
    for learner in learners:
        learner.submit()
        learner.submit()
    assert [line for learner in learners for line in learner.lost] == []
    assert what_the_database_holds(machine.url, learners) == []
    one_result_each(machine, learners, supervised, by_time)


def one_result_each(
    machine: Machine, learners: list[Learner], supervised: Process | None = None, by_time: bool = False
) -> None:
    """Check that every session has one result: right by its items, the one its learner saw, and analysed once.

    A session whose start was never acknowledged belongs to nobody; its time is set back, so that the sweeper ends it.
    Celery's worker gives up when Redis is full; its supervisor starts another, as docker-compose.yml does.
    """
    known = {sat.uuid: sat for learner in learners for sat in learner.sat}
    unfinished = {uuid_of(row) for row in rows(machine.url, f"SELECT uuid {SESSIONS} WHERE finished_at IS NULL")}
    assert not unfinished & set(known), "submitted, and not finished"
    rows(machine.url, "UPDATE practice_practicesession SET deadline = now() - interval '1 h' WHERE finished_at IS NULL")

    def done() -> bool:
        if supervised and supervised.process and supervised.process.poll() is not None:
            supervised.start()
        return rows(machine.url, f"SELECT count(*) {SESSIONS} WHERE analysed_at IS NULL") == [(0,)]

    assert wait_until(done, ANALYSED_SECONDS), "some were never closed or never analysed"
    found = rows(
        machine.url,
        "SELECT s.uuid, s.score, s.total, s.ended, count(*), count(*) FILTER (WHERE i.is_correct),"
        " count(*) FILTER (WHERE i.is_correct IS NULL) FROM practice_practicesession s"
        " JOIN practice_sessionitem i ON i.session_id = s.id GROUP BY s.id",
    )
    assert [row for row in found if (row[1], row[2], 0) != (row[5], row[4], row[6])] == []
    results = {uuid_of(row): (row[1], row[2]) for row in found}
    assert set(results) == set(known) | unfinished
    assert {uuid: results[uuid] for uuid in known} == {uuid: sat.shown for uuid, sat in known.items()}
    assert by_time or {uuid_of(row) for row in found if row[3] == "time"} == unfinished
    rebuilt_is_the_same(machine)


def rebuilt_is_the_same(machine: Machine) -> None:
    """Check that what was derived step by step is what a rebuild derives from the answers. Stops the workers.

    Otherwise a worker might calibrate between the two, and the second would know more than the first.
    """
    for worker in machine.workers:
        worker.kill()
    given = {**machine.given, "DATABASE_URL": machine.url, "DJANGO_SETTINGS_MODULE": QUICK_SCHEDULE}
    same = run_python("-m", "tests.support.derived", "compare", timeout=LONGEST, **given)
    assert same.stdout.strip() == "same", same.stdout + same.stderr


def uuid_of(row: tuple) -> str:
    """Return the session's name as the learners know it."""
    return str(row[0]).replace("-", "")


def a_question(url: str) -> str:
    """Return the address of a question's page."""
    ((number, title),) = rows(url, "SELECT number, title FROM questions_question WHERE number = 1")
    return f"/exams/pmle/questions/{number}-{title.lower().replace(' ', '-')}/"
