"""Servers die under learners who answer, and whatever was acknowledged is there: with real processes, DEBUG off.

The test starts its own PostgreSQL cluster and Redis on free ports. tests/soak/test_faults.py kills the web process as a
whole on either database; here its workers, the Celery worker, Redis and PostgreSQL die, each at random moments.
A run can be repeated with FAULT_SEED.
"""

from __future__ import annotations

import contextlib
import os
import random
import secrets
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import psycopg2
import pytest

from tests.soak.answering import LONGEST, UNREACHABLE, Learner, what_the_database_holds
from tests.support.live import LIVE_SETTINGS
from tests.support.player import Player
from tests.support.scratch import fill, rows, scratch_database
from tests.support.servers import Cluster, Process, RedisServer, own_cluster, own_redis
from tests.support.subprocesses import BASE, Site, bare_environment, run_python, wait_until

LEARNERS = 8
PER_DOMAIN = 8
ACKS_EACH = 40
KILLS = {"web worker": 12, "celery worker": 4, "redis": 6, "postgresql": 8}
CONTROL_KILLS = 3
BETWEEN_KILLS, OUTAGE = (0.2, 0.8), (0.0, 0.5)
ANALYSED_SECONDS = 60
CONNECTIONS, REFUSALS = 60, 5
KEY = "only-for-tests-" + "x" * 40
STRETCH = 4.0
"""Seconds with Redis and without. An operator's minute; nothing in the site counts in longer steps than a second."""
UNNOTICED = 0.5
"""A save's p95 in seconds that is no trouble on a machine of two cores that also runs the learners."""
NO_DURABILITY = "?options=-c%20synchronous_commit%3Doff"

pytestmark = pytest.mark.soak


@dataclass
class Machine:
    """The servers, and what a process of the site is told."""

    cluster: Cluster
    redis: RedisServer
    url: str
    folder: Path
    given: dict[str, str]

    def site(self, **more: str) -> Site:
        """A started gunicorn with two workers, DEBUG off."""
        ours = {"WEB_PROCESSES": "2", "COUNTERS_FILE": str(self.folder / "counts"), **self.given, **more}
        return Site(self.url, **{"DJANGO_SETTINGS_MODULE": LIVE_SETTINGS, **ours}).start()

    def worker(self) -> Process:
        """A started Celery worker with the beat schedule, which comes round in a second."""
        ours = {**self.given, "DATABASE_URL": self.url, "DJANGO_SETTINGS_MODULE": "tests.soak.quick_schedule"}
        schedule = str(self.folder / "beat")
        celery = (sys.executable, "-m", "celery", "-A", "courseiva", "worker", "--beat", "--schedule", schedule)
        process = Process(*celery, "--concurrency", "1", "--loglevel", "warning", **ours)
        process.start()
        return process


@pytest.fixture(scope="module")
def cluster(needs_own_servers: None) -> Iterator[Cluster]:
    """A PostgreSQL of this file's own."""
    with own_cluster(f"max_connections={CONNECTIONS}", "wal_writer_delay=10s") as made:
        yield made


@pytest.fixture(scope="module")
def filled(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A database with a bank, to copy."""
    with scratch_database(cluster.url, tmp_path_factory.mktemp("filled")) as url:
        fill(url, PER_DOMAIN)
        yield url


@pytest.fixture
def machine(cluster: Cluster, filled: str, static_root: Path, tmp_path: Path) -> Iterator[Machine]:
    """Fresh rows in the cluster, and a fresh Redis."""
    with own_redis(tmp_path) as redis, scratch_database(cluster.url, tmp_path, filled.rpartition("/")[2]) as url:
        given = {
            "SECRET_KEY": KEY,
            "ALLOWED_HOSTS": "127.0.0.1",
            "REDIS_URL": redis.url,
            "TEST_STATIC_ROOT": str(static_root),
        }
        yield Machine(cluster, redis, url, tmp_path, given)


@contextlib.contextmanager
def running(thing: Site | Process) -> Iterator[None]:
    """Killed at the end whatever happens."""
    try:
        yield
    finally:
        thing.kill()


@contextlib.contextmanager
def answering(site: Site, rng: random.Random, acks_each: int = 0) -> Iterator[list[Learner]]:
    """Learners who answer until the end of the block, and then look at what is held."""
    stop = threading.Event()
    learners = [Learner(site.port, rng.getrandbits(32), stop, True, acks_each) for _ in range(LEARNERS)]
    try:
        for learner in learners:
            learner.start()
        assert wait_until(lambda: all(learner.acks for learner in learners)), [learner.error for learner in learners]
        yield learners
    finally:
        stop.set()
        for learner in learners:
            learner.join(LONGEST)


def acks_of(learners: list[Learner]) -> int:
    return sum(learner.acks for learner in learners)


def go_on(learners: list[Learner]) -> None:
    """Wait until somebody got an answer acknowledged."""
    seen = acks_of(learners)
    assert wait_until(lambda: acks_of(learners) > seen), [learner.error for learner in learners]


def a_seed() -> random.Random:
    seed = int(os.environ.get("FAULT_SEED", secrets.randbits(32)))
    print(f"FAULT_SEED={seed}")
    return random.Random(seed)


def kill_a_web_worker(site: Site, rng: random.Random) -> None:
    assert site.process
    pid = site.process.pid
    workers = [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    with contextlib.suppress(ProcessLookupError):
        os.kill(rng.choice(workers), signal.SIGKILL)


def crash(cluster: Cluster, rng: random.Random) -> None:
    cluster.crash()
    time.sleep(rng.uniform(*OUTAGE))
    cluster.start()


def restart(server: Process | RedisServer, rng: random.Random) -> None:
    server.kill()
    time.sleep(rng.uniform(*OUTAGE))
    server.start()


def test_no_acknowledged_answer_is_lost_whatever_dies(machine: Machine) -> None:
    rng, site, worker = a_seed(), machine.site(), machine.worker()
    kills: dict[str, Callable[[], None]] = {
        "web worker": lambda: kill_a_web_worker(site, rng),
        "celery worker": lambda: restart(worker, rng),
        "redis": lambda: restart(machine.redis, rng),
        "postgresql": lambda: crash(machine.cluster, rng),
    }
    plan = [name for name, count in KILLS.items() for _ in range(count)]
    assert len(plan) >= 30
    rng.shuffle(plan)
    with running(site), running(worker):
        with answering(site, rng, ACKS_EACH) as learners:
            for name in plan:
                time.sleep(rng.uniform(*BETWEEN_KILLS))
                kills[name]()
                go_on(learners)
        assert [learner.error for learner in learners] == [None] * LEARNERS
        for learner in learners:
            learner.hand_in()
            learner.hand_in()
        told = (acks_of(learners), sum(learner.outages for learner in learners))
        print(f"{len(plan)} kills, {told[0]} acknowledged answers, {told[1]} times 503")
        assert [line for learner in learners for line in learner.lost] == []
        assert what_the_database_holds(machine.url, learners) == []
        assert told[1] > 0, "no outage of the database was felt"
        one_result_each(machine, learners)


def one_result_each(machine: Machine, learners: list[Learner], supervised: Process | None = None) -> None:
    """Every sitting handed in has one result, right by its own items, analysed once.

    Celery's worker gives up when Redis is full; whoever supervises it starts another, as docker-compose.yml does.
    """
    waiting = "SELECT count(*) FROM practice_practicesession WHERE finished_at IS NOT NULL AND analysed_at IS NULL"

    def analysed() -> bool:
        if supervised and supervised.process and supervised.process.poll() is not None:
            supervised.start()
        return rows(machine.url, waiting) == [(0,)]

    assert wait_until(analysed, ANALYSED_SECONDS), "some were never analysed"
    found = rows(
        machine.url,
        "SELECT s.uuid, s.score, s.total, count(*), count(*) FILTER (WHERE i.is_correct),"
        " count(*) FILTER (WHERE i.is_correct IS NULL) FROM practice_practicesession s"
        " JOIN practice_sessionitem i ON i.session_id = s.id WHERE s.finished_at IS NOT NULL GROUP BY s.id",
    )
    wrong = [row for row in found if (row[1], row[2], 0) != (row[4], row[3], row[5])]
    assert wrong == []
    handed_in = {sat.uuid for learner in learners for sat in learner.sat if sat.handed_in}
    assert {str(row[0]).replace("-", "") for row in found} == handed_in
    assert len(handed_in) >= LEARNERS
    given = {**machine.given, "DATABASE_URL": machine.url, "DJANGO_SETTINGS_MODULE": "tests.soak.quick_schedule"}
    same = run_python("-m", "tests.support.derived", "compare", timeout=LONGEST, **given)
    assert same.stdout.strip() == "same", same.stdout + same.stderr


def test_without_durable_commits_the_same_check_finds_losses(machine: Machine) -> None:
    """The negative control: what the check is worth."""
    rng = a_seed()
    machine.url += NO_DURABILITY
    site = machine.site()
    with running(site), answering(site, rng) as learners:
        for _ in range(CONTROL_KILLS):
            time.sleep(1)
            machine.cluster.crash()
            machine.cluster.start()
            time.sleep(1)
    lost = [line for learner in learners for line in learner.lost]
    gone = [learner.error for learner in learners if learner.error]
    held = what_the_database_holds(machine.url.removesuffix(NO_DURABILITY), learners)
    print(f"{acks_of(learners)} acknowledged, {len(lost)} seen lost, {len(held)} not held, {len(gone)} sittings gone")
    assert lost or gone or held, "the control lost nothing: the check cannot see a loss"


def p95(learners: list[Learner], begin: float, end: float) -> float:
    """Of the saves that began in this stretch."""
    times = sorted(took for learner in learners for at, took in learner.times if begin <= at < end)
    assert len(times) > 20, len(times)
    return times[int(len(times) * 0.95)]


@pytest.mark.parametrize("how", ["killed", "hangs"])
def test_redis_is_away_in_the_middle_of_an_exam(machine: Machine, how: str) -> None:
    """Saves, hand-ins, login and public pages answer; what was left undone is done once when Redis is back."""
    rng, site, worker = a_seed(), machine.site(), machine.worker()
    redis = machine.redis.process
    with running(site), running(worker):
        with answering(site, rng, ACKS_EACH) as learners:
            other = Learner(site.port, 1, threading.Event(), True).player
            begin = time.monotonic()
            look_around(other)
            away = time.monotonic()
            take_away(redis, how)
            finished = [len(learner.sat) for learner in learners]
            look_around(other)
            login = b"login=nobody%40example.org&password=wrong"
            assert other.send("POST", "/accounts/login/", login, "application/x-www-form-urlencoded")[0] == 200
            back = time.monotonic()
            bring_back(machine.redis, how)
        for learner in learners:
            learner.hand_in()
        assert [learner.error for learner in learners] == [None] * LEARNERS
        assert sum(learner.outages for learner in learners) == 0
        assert [len(learner.sat) for learner in learners] > finished
        before, during = p95(learners, begin, away), p95(learners, away, back)
        print(f"Redis {how}: a save's p95 {1000 * before:.0f} ms before, {1000 * during:.0f} ms during")
        assert during <= max(2 * before, UNNOTICED)
        assert what_the_database_holds(machine.url, learners) == []
        one_result_each(machine, learners)


def look_around(player: Player) -> None:
    """Read pages for a stretch of time, of which each must answer."""
    end = time.monotonic() + STRETCH
    while time.monotonic() < end:
        for address in ("/", "/exams/pmle/", "/accounts/login/", "/practice/pmle/mock/"):
            assert player.send("GET", address)[0] == 200, address


def take_away(redis: Process, how: str) -> None:
    if how == "killed":
        redis.kill()
    else:
        assert redis.process
        os.kill(redis.process.pid, signal.SIGSTOP)


def bring_back(server: RedisServer, how: str) -> None:
    if how == "killed":
        server.start()
    else:
        assert server.process.process
        os.kill(server.process.process.pid, signal.SIGCONT)


def test_a_full_redis_holds_nothing_up(machine: Machine) -> None:
    """The cache cannot write and no task can be sent; saves and hand-ins answer, and what was left undone is done."""
    rng, site, worker = a_seed(), machine.site(), machine.worker()
    with running(site), running(worker):
        with answering(site, rng, ACKS_EACH) as learners, machine.redis.client() as client:
            client.config_set("maxmemory", "1mb")
            time.sleep(STRETCH / 2)
            client.config_set("maxmemory", "0")
        for learner in learners:
            learner.hand_in()
        assert [learner.error for learner in learners] == [None] * LEARNERS
        one_result_each(machine, learners, worker)


def status_of(site: Site, method: str, address: str, body: bytes = b"") -> tuple[int, bytes, str]:
    """What somebody new gets."""
    player = Learner(site.port, 1, threading.Event(), True).player
    try:
        status, headers, content = player.send(method, address, body)
    finally:
        player.close()
    return status, content, headers.get("Retry-After", "")


def a_question(url: str) -> str:
    """The address of a question's page."""
    ((number, title),) = rows(url, "SELECT number, title FROM questions_question WHERE number = 1")
    return f"/exams/pmle/questions/{number}-{title.lower().replace(' ', '-')}/"


def test_public_pages_answer_while_postgresql_is_away(machine: Machine) -> None:
    site = machine.site()
    read, unread = (a_question(machine.url), "/", "/exams/", "/exams/pmle/"), "/exams/pmle/questions/"
    with running(site):
        kept = {address: status_of(site, "GET", address) for address in read}
        assert {answer[0] for answer in kept.values()} == {200}
        machine.cluster.crash()
        try:
            assert {address: status_of(site, "GET", address) for address in read} == kept
            for method, address in (
                ("GET", unread),
                ("GET", "/practice/pmle/mock/"),
                ("POST", "/practice/pmle/drill/"),
            ):
                status, content, retry = status_of(site, method, address)
                assert (status, UNREACHABLE in content, retry) == (503, True, "5"), address
            assert status_of(site, "GET", "/healthz")[0] == 200
            assert status_of(site, "GET", "/readyz")[0] == 503
        finally:
            machine.cluster.start()
        assert status_of(site, "GET", unread)[0] == 200


def take_all(url: str, taken: list[psycopg2.extensions.connection]) -> None:
    """Connect until the server has refused for a while: a place that is being given up is free only a moment later."""
    refused = 0
    while refused < REFUSALS:
        try:
            taken.append(psycopg2.connect(url))
            refused = 0
        except psycopg2.OperationalError:
            refused += 1
            time.sleep(0.1)


def test_a_full_connection_pool_is_a_clear_503_and_passes(machine: Machine) -> None:
    site, taken = machine.site(), []
    with running(site):
        player = Learner(site.port, 1, threading.Event(), True).player
        player.start(20)
        writer = player.claim()["writer"]
        address = a_question(machine.url)
        kept = status_of(site, "GET", address)
        try:
            take_all(machine.cluster.url, taken)
            with taken[0].cursor() as cursor:
                name = machine.url.rpartition("/")[2]
                cursor.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", [name])
            take_all(machine.cluster.url, taken)
            item = b'{"writer": %d, "items": [{"p": 1, "seq": 1, "sel": [0]}]}' % writer
            status, _, content = player.send("POST", f"{player.sitting}save/", item, "application/json")
            assert (status, UNREACHABLE in content) == (503, True)
            assert status_of(site, "GET", address) == kept
        finally:
            for connection in taken:
                connection.close()
        assert wait_until(lambda: status_of(site, "GET", "/readyz")[0] == 200)
        assert player.save(writer, [{"p": 1, "seq": 2, "sel": [0]}])["saved"] == [1]


def test_a_slow_database_ends_a_request_and_not_the_site(machine: Machine) -> None:
    """A row that somebody holds: its saves answer 503 when the statement's time is over, all others are served."""
    site = machine.site(STATEMENT_SECONDS="1")
    with running(site):
        player, other = (Learner(site.port, n, threading.Event(), True).player for n in range(2))
        for each in (player, other):
            each.start(20)
        writers = player.claim()["writer"], other.claim()["writer"]
        item = b'{"writer": %d, "items": [{"p": 1, "seq": 1, "sel": [0]}]}' % writers[0]
        with contextlib.closing(psycopg2.connect(machine.url)) as slow, slow.cursor() as cursor:
            uuid = player.sitting.split("/")[-2]
            cursor.execute("SELECT 1 FROM practice_practicesession WHERE uuid = %s FOR UPDATE", [uuid])
            status, _, content = player.send("POST", f"{player.sitting}save/", item, "application/json")
            assert (status, UNREACHABLE in content) == (503, True)
            assert other.save(writers[1], [{"p": 1, "seq": 1, "sel": [0]}])["saved"] == [1]
        assert player.save(writers[0], [{"p": 1, "seq": 1, "sel": [0]}])["saved"] == [1]


@pytest.mark.parametrize("step", [3 * 3600, -3600])
def test_the_web_hosts_clock_steps_in_the_middle_of_an_exam(machine: Machine, step: int) -> None:
    """An hour and more ahead a sitting is over: what comes then is kept as late. Set back, it goes on. One result."""
    clock = machine.folder / "clock"
    clock.write_text("0")
    site = machine.site(DJANGO_SETTINGS_MODULE="tests.soak.stepped_clock", TEST_CLOCK=str(clock))
    with running(site):
        player = Learner(site.port, 1, threading.Event(), True).player
        player.start(20)
        writer = player.claim()["writer"]
        assert player.save(writer, [{"p": p, "seq": 1, "sel": [0]} for p in (1, 2)])["saved"] == [1, 2]
        clock.write_text(str(step))
        during = player.save(writer, [{"p": p, "seq": 1, "sel": [0]} for p in (3, 4)])
        clock.write_text("0")
        after = player.save(writer, [{"p": p, "seq": 1, "sel": [0]} for p in (5,)])
        player.finish()
        player.finish()
    late = [3, 4, 5] if step > 0 else []
    assert (during["late"] + after["late"], during["saved"] + after["saved"]) == (late, [] if late else [3, 4, 5])
    held = rows(machine.url, "SELECT position FROM practice_sessionitem WHERE selected > 0 ORDER BY 1")
    kept = rows(machine.url, "SELECT position FROM practice_lateanswer ORDER BY 1")
    assert ([p for (p,) in held], [p for (p,) in kept]) == ([1, 2] if late else [1, 2, 3, 4, 5], late)
    ((score, total, right),) = rows(
        machine.url,
        "SELECT s.score, s.total, count(*) FILTER (WHERE i.is_correct) FROM practice_practicesession s"
        " JOIN practice_sessionitem i ON i.session_id = s.id GROUP BY s.id",
    )
    assert (score, total) == (right, 20)


def test_this_release_serves_while_the_next_one_migrates_a_table_in_use(machine: Machine) -> None:
    """A long transaction holds the table; the migration gives way, comes again, and no save waits long behind it."""
    rng, site = a_seed(), machine.site()
    given = {**machine.given, "DATABASE_URL": machine.url, "DJANGO_SETTINGS_MODULE": "tests.soak.next_release.settings"}
    given["PYTHONUNBUFFERED"] = "1"
    printed = machine.folder / "printed"
    with running(site), answering(site, rng) as learners:
        with contextlib.closing(psycopg2.connect(machine.url)) as reader, reader.cursor() as cursor:
            cursor.execute("SELECT count(*) FROM practice_sessionitem")
            with printed.open("wb") as file:
                command = [sys.executable, "manage.py", "migrate", "--noinput"]
                migrate = subprocess.Popen(command, cwd=BASE, env=bare_environment(**given), stdout=file)
            gave_way = wait_until(lambda: "A table is in use" in printed.read_text(), LONGEST)
        assert migrate.wait(LONGEST) == 0
        go_on(learners)
    assert gave_way, printed.read_text()
    assert [learner.error for learner in learners] == [None] * LEARNERS
    assert sum(learner.outages for learner in learners) == 0
    longest = max(took for learner in learners for _, took in learner.times)
    print(f"{acks_of(learners)} acknowledged answers, the longest save took {longest:.1f} s")
    assert what_the_database_holds(machine.url, learners) == []
    columns = "SELECT count(*) FROM information_schema.columns WHERE column_name = 'of_the_next_release'"
    assert rows(machine.url, columns) == [(1,)]
