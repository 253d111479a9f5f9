"""Something is full or set wrong while learners answer: no connection is left, Redis accepts nothing more, the web
host's clock steps by an hour. Everything acknowledged is kept, and every session ends in one result.
"""

from __future__ import annotations

import contextlib
import random
import threading
import time
from collections.abc import Callable, Iterator

import psycopg2
import pytest
from redis import Redis

from tests.soak.answering import UNREACHABLE, Learner, read
from tests.soak.machine import (
    ACKS_EACH,
    LEARNERS,
    Machine,
    a_question,
    acks_of,
    all_is_kept,
    answering,
    everybody,
    go_on,
    outages_of,
    running,
    submitted,
)
from tests.support.player import Player, Refused

FULL_SECONDS, REFUSALS = 30, 5
HOUR = 3600

pytestmark = [pytest.mark.soak, pytest.mark.alone]
Tell = Callable[[str], None]


@contextlib.contextmanager
def all_taken(machine: Machine) -> Iterator[None]:
    """Take every connection of the database, so that the site has none."""
    with contextlib.ExitStack() as taken:
        first = taken.enter_context(contextlib.closing(psycopg2.connect(machine.cluster.url)))
        first.autocommit = True
        refused, end = 0, time.monotonic() + FULL_SECONDS
        while refused < REFUSALS or others(first, machine):
            assert time.monotonic() < end, "the site kept a connection"
            try:
                taken.enter_context(contextlib.closing(psycopg2.connect(machine.cluster.url)))
                refused = 0
            except psycopg2.OperationalError:
                refused += 1
                time.sleep(0.1)
        yield


def others(first: psycopg2.extensions.connection, machine: Machine) -> int:
    """End the other connections to the site's database; returns how many there were."""
    with first.cursor() as cursor:
        cursor.execute(
            "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = %s",
            [machine.url.rpartition("/")[2]],
        )
        return int(cursor.fetchone()[0])


def test_a_full_connection_pool_gives_a_clear_503_and_recovers(
    machine: Machine, rng: random.Random, tell: Tell
) -> None:
    site, worker, question = machine.site(), machine.worker(), a_question(machine.url)
    somebody = Player(site.port, secure=True)
    with running(site), running(worker):
        kept = read(somebody, question)
        with answering(site, rng) as learners:
            with all_taken(machine):
                everybody(learners, lambda learner: learner.outages)
                acknowledged = acks_of(learners)
                everybody(learners, lambda learner: learner.outages)
                assert acks_of(learners) == acknowledged, "there was a place left"
                assert read(somebody, question) == kept
                with pytest.raises(Refused) as refusal:
                    read(somebody, "/practice/pmle/mock/")
                assert refusal.value.status == 503
                assert UNREACHABLE in refusal.value.body
            go_on(learners)
        tell(f"{acks_of(learners)} acknowledged answers, {outages_of(learners)} times 503")
        all_is_kept(machine, learners)


def refusals_of(client: Redis) -> int:
    """Return how often this Redis had no room."""
    return int(client.info("errorstats").get("errorstat_OOM", {}).get("count", 0))


def test_a_full_redis_delays_nothing(machine: Machine, rng: random.Random, tell: Tell) -> None:
    """Redis refuses every write, to the cache and to the queue: saves, submissions, results and pages still answer, and
    the work that was left is done later. A worker ends if it can't acknowledge, and its supervisor starts another.
    """
    site, worker = machine.site(), machine.worker()
    pages = (a_question(machine.url), "/", "/practice/pmle/mock/", "/accounts/login/")
    somebody = Player(site.port, secure=True)
    with running(site), running(worker):
        with answering(site, rng) as learners, machine.redis.client() as client:
            room = client.config_get("maxmemory")["maxmemory"]
            client.config_set("maxmemory", "1mb")
            before = refusals_of(client)
            for page in pages:
                read(somebody, page)
            everybody(learners, submitted)
            refused = refusals_of(client) - before
            client.config_set("maxmemory", room)
        tell(f"{acks_of(learners)} acknowledged answers; Redis refused {refused} writes")
        assert refused > len(learners), "Redis was not full"
        assert {learner.broken + learner.outages for learner in learners} == {0}
        all_is_kept(machine, learners, worker)


@pytest.mark.parametrize(("step", "acks_each"), [(HOUR, 0), (-HOUR, ACKS_EACH)])
def test_no_answer_is_lost_when_the_web_hosts_clock_steps_during_a_session(
    machine: Machine, rng: random.Random, tell: Tell, step: int, acks_each: int
) -> None:
    """An hour ahead, a session of 40 minutes is over and its answers are kept as late; set back, it goes on.

    The worker's clock is always right. If the web host's is an hour behind, a session begun there is already over for
    the worker: its answers are late as well, and none is lost. The nightly calibration is left out: in a rebuild, one
    made within the hour would count as known to sessions that ended in the future.
    """
    clock = machine.folder / "clock"
    clock.write_text("0")
    site = machine.site(DJANGO_SETTINGS_MODULE="tests.soak.stepped_clock", TEST_CLOCK=str(clock))
    worker = machine.worker(TEST_LEFT_OUT="calibrate")
    with running(site), running(worker):
        with answering(site, rng, acks_each) as learners:
            one = Learner(site.port, rng.getrandbits(32), threading.Event(), True)
            one.begin()
            told = [one.answer([(1, [0]), (2, [0])])]
            clock.write_text(str(step))
            told.append(one.answer([(3, [0]), (4, [0])]))
            everybody(learners, submitted)
            go_on(learners)
            clock.write_text("0")
            told.append(one.answer([(5, [0])]))
            go_on(learners)
        over = [sat for learner in learners for sat in learner.sat if sat.is_over]
        late = sum(len(sat.late) for sat in over)
        tell(f"{step:+d} s: {acks_of(learners)} acknowledged answers, {late} of them late in {len(over)} sessions")
        assert {learner.broken + learner.outages for learner in learners} == {0}
        assert [(each["saved"], each["late"]) for each in told] == (
            [([1, 2], []), ([], [3, 4]), ([], [5])] if step > 0 else [([1, 2], []), ([3, 4], []), ([5], [])]
        )
        assert step < 0 or (late and len(over) >= LEARNERS)
        all_is_kept(machine, [*learners, one], by_time=True)
