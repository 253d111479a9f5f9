"""First the web server, then the database is down past a mock's deadline: real processes give the time back, once."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from practice.sessions.ending.outages.rules import BEAT, FLOOR
from tests.soak.answering import BROKEN, QUESTIONS
from tests.soak.machine import Machine, running
from tests.support.player import Player, Refused
from tests.support.scratch import rows
from tests.support.subprocesses import wait_until

pytestmark = [pytest.mark.soak, pytest.mark.alone]
LEFT = 20
AWAY = FLOOR.total_seconds() + 6
BACK_SECONDS = 60


def tried(player: Player, writer: int, sequence: int) -> dict:
    """Send a save, and again as the page does until it is answered."""
    told: dict = {}

    def answered() -> bool:
        try:
            told.update(player.save(writer, [{"p": 1, "seq": sequence, "sel": [sequence % 4]}]))
        except BROKEN:
            return False
        except Refused as refusal:
            if refusal.status != 503:
                raise
            return False
        return True

    assert wait_until(answered, BACK_SECONDS)
    return told


def of_session(url: str) -> tuple:
    ((finished, given),) = rows(url, "SELECT finished_at, given_seconds FROM practice_practicesession")
    return finished, given


def outages(url: str) -> int:
    ((count,),) = rows(url, "SELECT count(*) FROM practice_outage")
    return int(count)


def test_a_mock_outlives_an_outage_longer_than_the_time_it_had(machine: Machine, tell: Callable[[str], None]) -> None:
    site, worker = machine.site(), machine.worker()
    with running(site), running(worker):
        player = Player(site.port, True)
        player.start(QUESTIONS)
        writer = player.claim()["writer"]
        total = 0
        for number, (what, take, back) in enumerate(
            (
                ("web server", site.kill, site.start),
                ("database", machine.cluster.crash, machine.cluster.start),
            ),
            1,
        ):
            assert tried(player, writer, 2 * number)["saved"] == [1]
            rows(machine.url, f"UPDATE practice_practicesession SET deadline = now() + interval '{LEFT} s'")
            began = time.monotonic()
            take()
            time.sleep(AWAY)
            if what == "web server":
                assert of_session(machine.url) == (None, 0), "the worker, which runs, has closed it"
            back()
            saved = tried(player, writer, 2 * number + 1)
            took = time.monotonic() - began
            finished, given = of_session(machine.url)
            tell(f"{what} away: {took:.0f} s until a save was answered, {given - total} s given back")
            assert (finished, saved["saved"], saved["over"]) == (None, [1], False)
            assert FLOOR.total_seconds() <= given - total <= took + BEAT.total_seconds() + 1
            assert saved["remaining"] > 0
            assert outages(machine.url) == number, "one process recorded it, and nobody else"
            total = given
        player.close()
