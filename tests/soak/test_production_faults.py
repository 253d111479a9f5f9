"""Servers die while learners answer, and everything acknowledged is kept: with real processes, DEBUG off.

The test starts its own PostgreSQL cluster and Redis on free ports. tests/soak/test_faults.py kills the web process as a
whole on either database; here its workers, the Celery worker, Redis and PostgreSQL die, each at random moments. For
things that are full or set wrong, see tests/soak/test_faults_under_load.py. A run can be repeated with FAULT_SEED.
"""

from __future__ import annotations

import contextlib
import math
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg2
import pytest
from django.conf import settings

from courseiva.common.page_cache import PAGE_SECONDS
from courseiva.management.commands import migrate
from tests.soak.answering import LONGEST, UNREACHABLE, Learner, Reader, what_the_database_holds
from tests.soak.kill_plans import Kill, plan_kills
from tests.soak.machine import (
    EMAIL,
    LEARNERS,
    PASSWORD,
    SESSIONS,
    Machine,
    a_question,
    acks_of,
    all_is_kept,
    answering,
    everybody,
    go_on,
    outages_of,
    running,
    somebody_goes_on,
    submitted,
    uuid_of,
)
from tests.support.live import LIVE_SETTINGS
from tests.support.player import Player, Refused
from tests.support.scratch import rows
from tests.support.servers import Process, RedisServer
from tests.support.subprocesses import BASE, Site, bare_environment, wait_until

KILLS = {"web worker": 12, "celery worker": 4, "redis": 6, "postgresql": 8}
CONTROL_KILLS = 3
NO_DURABILITY = "?options=-c%20synchronous_commit%3Doff"
MINUTE = 60.0
BEFORE, AFTER = 20.0, 15.0
"""Seconds during which Redis runs before and after the outage."""
FIRST_LINES, LOST = 31.5, 2.0
"""Seconds until beat has sent something and is connected, and seconds it spends on one failing attempt to send."""
PAUSE, PAGE_PAUSE = 0.25, 0.2
"""Seconds between a learner's saves and between a reader's pages, so that the load is the same all the time."""

STATEMENT_SECONDS = 1
LONG_SAVE = 2
"""Seconds that a save may take on a busy machine if it waits for nothing."""

pytestmark = [pytest.mark.soak, pytest.mark.alone]
Tell = Callable[[str], None]


def kill_a_web_worker(site: Site, kill: Kill) -> None:
    assert site.process
    pid = site.process.pid
    workers = [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    with contextlib.suppress(ProcessLookupError):
        os.kill(workers[int(kill.which * len(workers))], signal.SIGKILL)


def crash(machine: Machine, kill: Kill) -> None:
    machine.cluster.crash()
    time.sleep(kill.away)
    machine.cluster.start()


def restart(server: Process | RedisServer, kill: Kill) -> None:
    server.kill()
    time.sleep(kill.away)
    server.start()


def test_no_acknowledged_answer_is_lost_whichever_process_dies(
    machine: Machine, rng: random.Random, tell: Tell
) -> None:
    plan = plan_kills(rng, KILLS)
    assert len(plan) >= 30
    site, worker = machine.site(), machine.worker()
    kills: dict[str, Callable[[Kill], None]] = {
        "web worker": lambda kill: kill_a_web_worker(site, kill),
        "celery worker": lambda kill: restart(worker, kill),
        "redis": lambda kill: restart(machine.redis, kill),
        "postgresql": lambda kill: crash(machine, kill),
    }
    with running(site), running(worker):
        with answering(site, rng, longest=5 * MINUTE) as learners:
            for kill in plan:
                time.sleep(kill.after)
                kills[kill.what](kill)
                somebody_goes_on(learners)
            go_on(learners)
        tell(f"{len(plan)} kills, {acks_of(learners)} acknowledged answers, {outages_of(learners)} times 503")
        assert outages_of(learners) > 0, "no outage of the database was felt"
        all_is_kept(machine, learners)


def test_without_durable_commits_the_same_check_finds_losses(machine: Machine, rng: random.Random, tell: Tell) -> None:
    """The negative control: it shows what the check is worth. Only losses may occur; a whole session may be gone."""
    machine.url += NO_DURABILITY
    site = machine.site()
    with running(site), answering(site, rng, acks_each=0) as learners:
        for kill in plan_kills(rng, {"postgresql": CONTROL_KILLS}):
            time.sleep(1 + kill.after)
            crash(machine, kill)
            time.sleep(1)
    errors = [learner.error for learner in learners if learner.error]
    assert all(isinstance(error, Refused) and error.status == 404 for error in errors), errors
    lost = [line for learner in learners for line in learner.lost]
    held = what_the_database_holds(machine.url.removesuffix(NO_DURABILITY), learners)
    tell(f"{acks_of(learners)} acknowledged, {len(lost)} seen lost, {len(held)} not held, {len(errors)} sessions gone")
    assert lost or held, "the control lost nothing: the check cannot see a loss"


def p95(learners: list[Learner], begin: float, end: float) -> float:
    """Return the p95 of the saves that began in this stretch."""
    times = sorted(took for learner in learners for at, took in learner.times if begin <= at < end)
    assert len(times) > 100, len(times)
    return times[int(len(times) * 0.95)]


@pytest.mark.parametrize("how", ["killed", "hangs"])
def test_nothing_is_refused_or_lost_while_redis_is_down(
    machine: Machine, rng: random.Random, tell: Tell, how: str
) -> None:
    """Saves, submissions, results, login and pages answer; the work left is done once, within the next minute.

    A save's p95 at most doubles. The load is the same before, during and after: each learner saves up to four times a
    second and reads the result of each mock, while somebody reads pages. The minute is compared with the slower of the
    stretches on either side, so that a slow moment of this machine isn't blamed on Redis. The schedule is the site's
    own, and Redis comes back at the worst moment: when beat has just failed to send the sweeper.
    """
    with contextlib.ExitStack() as ends:
        site, worker = machine.site(), machine.celery(LIVE_SETTINGS, "worker", "--concurrency", "1")
        beat = machine.celery(LIVE_SETTINGS, "beat", "--schedule", machine.schedule, "--pidfile=")
        for thing in (site, worker, beat):
            ends.enter_context(running(thing))
        assert wait_until(lambda: any(machine.folder.glob("beat*"))), "beat did not start"
        ticking = time.monotonic()
        with reading(site, machine) as reader, answering(site, rng, pause=PAUSE, longest=6 * MINUTE) as learners:
            begin = time.monotonic()
            sleep_until(max(begin + BEFORE, ticking + FIRST_LINES))
            away = time.monotonic()
            take_away(machine.redis.process, how)
            sleep_until(away + MINUTE / 2)
            sign_in(site)
            sleep_until(after_a_sweep(ticking, away + MINUTE))
            back = time.monotonic()
            bring_back(machine.redis, how)
            took = until_analysed(machine, learners, away, back)
            sleep_until(back + AFTER)
            end = time.monotonic()
        before, during, after = p95(learners, begin, away), p95(learners, away, back), p95(learners, back, end)
        tell(
            f"Redis {how}: a save's p95 {1000 * before:.0f} ms before, {1000 * during:.0f} during, {1000 * after:.0f}"
            f" after; all analysed {took:.0f} s after its return"
        )
        assert [learner.broken + learner.outages for learner in learners] == [0] * LEARNERS
        assert reader.error is None
        assert during <= 2 * max(before, after)
        all_is_kept(machine, learners)


def sleep_until(moment: float) -> None:
    time.sleep(max(0, moment - time.monotonic()))


def after_a_sweep(ticking: float, earliest: float) -> float:
    """Return the next moment at which a sweeper task that beat has just sent would be lost."""
    every = settings.CELERY_BEAT_SCHEDULE["analyse what was missed"]["schedule"]
    return ticking + LOST + every * math.ceil((earliest - ticking - LOST) / every)


def sign_in(site: Site) -> None:
    """Sign in somebody with an account, through the form."""
    player = Player(site.port, secure=True)
    player.sign_in(EMAIL, PASSWORD)
    assert "__Host-sessionid" in player.cookies
    player.close()


def until_analysed(machine: Machine, learners: list[Learner], away: float, back: float) -> float:
    """Check that all submitted and saw results during the outage; returns the seconds from its end to analysis."""
    done = [[sat for sat in learner.sat if away < sat.submitted_at < sat.shown_at < back] for learner in learners]
    left = {sat.uuid for each in done for sat in each}
    assert all(done), [len(each) for each in done]

    def waiting() -> set[str]:
        return left & {uuid_of(row) for row in rows(machine.url, f"SELECT uuid {SESSIONS} WHERE analysed_at IS NULL")}

    assert waiting(), "all was analysed without Redis: nothing was away"
    assert wait_until(lambda: not waiting(), back + MINUTE - time.monotonic()), f"{len(waiting())} of {len(left)} wait"
    return time.monotonic() - back


@contextlib.contextmanager
def reading(site: Site, machine: Machine) -> Iterator[Reader]:
    """Run somebody who reads pages that are cached and pages that aren't."""
    stop = threading.Event()
    addresses = ["/", "/exams/pmle/", a_question(machine.url), "/accounts/login/", "/practice/pmle/mock/"]
    reader = Reader(site.port, addresses, stop, PAGE_PAUSE)
    reader.start()
    try:
        yield reader
    finally:
        stop.set()
        reader.join(LONGEST)


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


def status_of(site: Site, method: str, address: str, body: bytes = b"") -> tuple[int, bytes, str]:
    """Return the status a newcomer gets for these pages."""
    player = Player(site.port, secure=True)
    try:
        status, headers, content = player.send(method, address, body)
    finally:
        player.close()
    return status, content, headers.get("Retry-After", "")


def test_public_pages_answer_while_postgresql_is_down(machine: Machine) -> None:
    """Cached pages are due to be rendered again, so the site tries the database and finds it down.

    The web host's clock is moved on instead of waiting. One page is requested again when the database is back, and is
    rendered again, which shows that the others were due as well.
    """
    clock = machine.folder / "clock"
    clock.write_text("0")
    site = machine.site(DJANGO_SETTINGS_MODULE="tests.soak.stepped_clock", TEST_CLOCK=str(clock))
    read, later, unread = (a_question(machine.url), "/", "/exams/"), "/exams/pmle/", "/exams/pmle/questions/"
    with running(site):
        kept = {address: status_of(site, "GET", address) for address in (*read, later)}
        assert {answer[0] for answer in kept.values()} == {200}
        rows(machine.url, "UPDATE questions_exam SET name = 'Another name'")
        assert {address: status_of(site, "GET", address) for address in kept} == kept
        clock.write_text(str(PAGE_SECONDS + 1))
        machine.cluster.crash()
        try:
            for address in read * 2:
                assert status_of(site, "GET", address) == kept[address], address
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
        assert b"Another name" in status_of(site, "GET", later)[1]


def be_slow(url: str, seconds: float) -> None:
    """Make every change to answers take this long from now on."""
    sleep = f"BEGIN PERFORM pg_sleep({seconds}); RETURN NULL; END"
    rows(url, f"CREATE OR REPLACE FUNCTION be_slow() RETURNS trigger LANGUAGE plpgsql AS $$ {sleep} $$")
    rows(
        url,
        "CREATE OR REPLACE TRIGGER be_slow BEFORE UPDATE ON practice_sessionitem"
        " FOR EACH STATEMENT EXECUTE FUNCTION be_slow()",
    )


def test_a_slow_database_ends_a_request_but_not_the_site(machine: Machine, rng: random.Random, tell: Tell) -> None:
    """If the database is slow but within the statement timeout, answers are saved slowly. If it is slower, they get a
    clear 503, and everything that changes no answers is served. If somebody holds a row, its saves get 503 and all
    others are served.
    """
    site, worker = machine.site(STATEMENT_SECONDS=str(STATEMENT_SECONDS)), machine.worker()
    pages = (a_question(machine.url), "/practice/pmle/mock/", "/accounts/login/")
    with running(site), running(worker):
        with answering(site, rng) as learners:
            be_slow(machine.url, STATEMENT_SECONDS / 4)
            go_on(learners)
            assert outages_of(learners) == 0
            be_slow(machine.url, STATEMENT_SECONDS * 3)
            everybody(learners, lambda learner: learner.outages)
            assert [status_of(site, "GET", page)[0] for page in pages] == [200] * len(pages)
            be_slow(machine.url, 0)
            go_on(learners)
            one = Learner(site.port, rng.getrandbits(32), threading.Event(), True)
            one.begin()
            with contextlib.closing(psycopg2.connect(machine.url)) as slow, slow.cursor() as cursor:
                cursor.execute(f"SELECT 1 {SESSIONS} WHERE uuid = %s FOR UPDATE", [one.now.uuid])
                with pytest.raises(Refused) as refusal:
                    one.player.save(one.now.writer, [{"p": 1, "seq": 1, "sel": [0]}])
                assert refusal.value.status == 503
                assert UNREACHABLE in refusal.value.body
                go_on(learners)
            one.answer([(1, [0])])
            go_on(learners)
        tell(f"{acks_of(learners)} acknowledged answers, {outages_of(learners)} times 503")
        assert {learner.broken for learner in learners} == {0}
        all_is_kept(machine, [*learners, one])


def test_this_release_serves_while_the_next_one_migrates_tables_in_use(
    machine: Machine, rng: random.Random, tell: Tell
) -> None:
    """A long transaction holds a table; the migration gives way and tries again. Nothing waits long behind it, and no
    save, start, submission, result or page is refused. This release then carries on with the new tables.
    """
    site, worker = machine.site(), machine.worker()
    given = {**machine.given, "DATABASE_URL": machine.url, "DJANGO_SETTINGS_MODULE": "tests.soak.next_release.settings"}
    given["PYTHONUNBUFFERED"] = "1"
    printed = machine.folder / "printed"
    with running(site), running(worker):
        with reading(site, machine) as reader, answering(site, rng, pause=PAUSE) as learners:
            everybody(learners, submitted)
            began = time.monotonic()
            with contextlib.closing(psycopg2.connect(machine.url)) as holder, holder.cursor() as cursor:
                cursor.execute("SELECT count(*) FROM practice_sessionitem")
                with printed.open("wb") as file:
                    command = [sys.executable, "manage.py", "migrate", "--noinput"]
                    migration = subprocess.Popen(command, cwd=BASE, env=bare_environment(**given), stdout=file)
                gave_way = wait_until(lambda: f" {migrate.PAUSE_SECONDS} s." in printed.read_text(), LONGEST)
            assert migration.wait(LONGEST) == 0
            everybody(learners, submitted)
        assert gave_way, printed.read_text()
        assert {learner.broken + learner.outages for learner in learners} == {0}
        assert reader.error is None
        saves, pages = (
            max(took for one in who for at, took in one.times if at > began) for who in (learners, [reader])
        )
        tell(f"{acks_of(learners)} acknowledged answers; the longest save took {saves:.1f} s, page {pages:.1f} s")
        assert max(saves, pages) < migrate.LOCK_SECONDS + LONG_SAVE
        all_is_kept(machine, learners)
    columns = "SELECT count(*) FROM information_schema.columns WHERE column_name LIKE 'of_the_next_release%'"
    assert rows(machine.url, columns) == [(2,)]
    assert rows(machine.url, "SELECT count(*) FROM next_release_note") == [(0,)]
