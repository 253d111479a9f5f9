"""The files of deploy/ in action: each process of a unit is killed, and web servers are replaced under load."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from celery import Celery

from tests.support.live import LIVE_SETTINGS
from tests.support.needs import missing
from tests.support.nginx import Nginx, find_nginx
from tests.support.scratch import fill
from tests.support.servers import RedisServer, own_redis
from tests.support.steady_load import steady_load
from tests.support.subprocesses import alive, answers, free_port, run_python, wait_until
from tests.support.supervisor import Supervisor, members, supervised

pytestmark = pytest.mark.soak
REQUESTS, RELOADS, BACK_SECONDS = 1000, 4, 60
KEY = "only-for-tests-" + "x" * 40


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[RedisServer]:
    if not shutil.which("redis-server"):
        missing("Redis's server", "sudo apt install redis-server")
    with own_redis(tmp_path) as server:
        yield server


@pytest.fixture
def given(tmp_path: Path, redis: RedisServer, static_root: Path) -> dict[str, str]:
    """Return what /etc/courseiva.env would hold, for a database with its tables."""
    ours = {
        "SECRET_KEY": KEY, "ALLOWED_HOSTS": "localhost,127.0.0.1", "REDIS_URL": redis.url, "WEB_PROCESSES": "2",
        "DATABASE_URL": f"sqlite:///{tmp_path}/site.sqlite3", "PROMETHEUS_MULTIPROC_DIR": str(tmp_path / "counts"),
        "DJANGO_SETTINGS_MODULE": LIVE_SETTINGS, "TEST_STATIC_ROOT": str(static_root),
    }  # fmt: skip
    fill(ours["DATABASE_URL"], 1)
    return ours


@pytest.fixture
def needs_nginx() -> None:
    if not find_nginx():
        missing("nginx", "sudo apt install nginx-light")


def kill_each(unit: Supervisor, works: Callable[[], bool]) -> None:
    """Kill the main process and then one of its children; each time the unit recovers, with nothing left over."""
    assert wait_until(works, BACK_SECONDS), "it did not start"
    for which in ("main", "child", "main"):
        main = unit.pid
        children = [pid for pid in members(main) if pid != main]
        victim = main if which == "main" or not children else children[-1]
        os.kill(victim, signal.SIGKILL)
        assert wait_until(partial(has_gone, victim), 10)
        assert wait_until(lambda: bool(unit.pid) and works(), BACK_SECONDS), f"not back after its {which} was killed"
        if victim == main:
            assert unit.pid != main
            assert members(main) == [], "an orphan is left"


def has_gone(pid: int) -> bool:
    return not alive(pid)


@pytest.mark.alone
def test_the_web_server_survives_a_kill_of_each_process(given: dict[str, str], tmp_path: Path) -> None:
    port = free_port()
    with supervised("courseiva-web.service", tmp_path, **given, PORT=str(port)) as unit:
        kill_each(unit, lambda: answers(f"http://127.0.0.1:{port}/healthz") and len(members(unit.pid)) == 3)


@pytest.mark.alone
def test_the_worker_survives_a_kill_of_each_process(given: dict[str, str], tmp_path: Path, redis: RedisServer) -> None:
    with supervised("courseiva-worker.service", tmp_path, **given) as unit, Celery(broker=redis.url) as asking:
        kill_each(unit, lambda: bool(asking.control.ping(timeout=1)) and len(members(unit.pid)) == 3)


@pytest.mark.alone
def test_a_worker_whose_child_is_killed_while_the_pool_starts_comes_back(
    given: dict[str, str], tmp_path: Path, redis: RedisServer
) -> None:
    with supervised("courseiva-worker.service", tmp_path, **given) as unit, Celery(broker=redis.url) as asking:
        assert wait_until(lambda: len(members(unit.pid)) > 1, BACK_SECONDS)
        os.kill(max(members(unit.pid)), signal.SIGKILL)
        assert wait_until(lambda: bool(asking.control.ping(timeout=1)), BACK_SECONDS)


@pytest.mark.alone
def test_the_schedule_survives_a_kill(given: dict[str, str], tmp_path: Path, redis: RedisServer) -> None:
    quick = {**given, "DJANGO_SETTINGS_MODULE": "tests.soak.quick_schedule"}
    with supervised("courseiva-beat.service", tmp_path, **quick) as unit, redis.client() as queue:

        def sends() -> bool:
            before = queue.llen("celery")
            return wait_until(lambda: queue.llen("celery") > before, 5)

        kill_each(unit, sends)


@pytest.mark.alone
def test_the_schedule_without_redis_survives_a_kill(given: dict[str, str], tmp_path: Path) -> None:
    alone = {name: value for name, value in given.items() if name not in {"REDIS_URL", "WEB_PROCESSES"}}
    code = "from courseiva.outbox.models import RefusedAddress as R; print(R.objects.count())"
    make = (
        "import datetime as d; from courseiva.outbox.models import RefusedAddress as R; "
        "R.objects.get_or_create(address='x', defaults={'refused_at': d.datetime(2020, 1, 1, tzinfo=d.UTC)})"
    )
    quick = {**alone, "DJANGO_SETTINGS_MODULE": "tests.soak.quick_schedule"}
    with supervised("courseiva-periodic.service", tmp_path, **quick) as unit:

        def works() -> bool:
            run_python("manage.py", "shell", "-v0", "-c", make, **alone)
            return wait_until(
                lambda: run_python("manage.py", "shell", "-v0", "-c", code, **alone).stdout.strip() == "0", 20
            )

        kill_each(unit, works)


@pytest.mark.alone
def test_a_reload_loses_no_request(needs_nginx: None, given: dict[str, str], tmp_path: Path) -> None:
    port, over = free_port(), threading.Event()
    proxy = Nginx(tmp_path, "upstream-one-host.conf", {"127.0.0.1": port})
    with supervised("courseiva-web.service", tmp_path, **given, PORT=str(port)) as unit:
        assert wait_until(lambda: answers(f"http://127.0.0.1:{port}/healthz"), BACK_SECONDS)
        proxy.start()
        try:
            with steady_load(proxy.port, over) as load:
                for number in range(1, RELOADS + 1):
                    old = set(members(unit.pid))
                    unit.reload()
                    assert wait_until(lambda old=old: len(set(members(unit.pid)) - old) == 2, 60)  # type: ignore[misc]
                    assert wait_until(lambda n=number: load.count >= REQUESTS * n / RELOADS, 120)  # type: ignore[misc]
                assert wait_until(lambda: len(members(unit.pid)) == 3, 60), "old workers have ended"
        finally:
            proxy.stop()
    print(f"{load.count} requests over {RELOADS} reloads: {dict(load.answered)}")
    assert load.lost == []
    assert load.count >= REQUESTS


@pytest.mark.alone
def test_two_servers_are_replaced_one_by_one_without_losing_a_request(
    needs_nginx: None, given: dict[str, str], tmp_path: Path
) -> None:
    hosts = {"10.0.0.11": free_port(), "10.0.0.12": free_port()}
    proxy, over = Nginx(tmp_path, "upstream-two-hosts.conf", hosts), threading.Event()
    name = "courseiva-web.service"
    first, second = ({**given, "PORT": str(port)} for port in hosts.values())
    with supervised(name, tmp_path, **first) as one, supervised(name, tmp_path, **second) as two:
        for port in hosts.values():
            assert wait_until(lambda port=port: answers(f"http://127.0.0.1:{port}/readyz"), BACK_SECONDS)  # type: ignore[misc]
        proxy.start()
        try:
            with steady_load(proxy.port, over) as load:
                for half, (host, unit) in enumerate(zip(hosts, (one, two), strict=True), 1):
                    exchange(proxy, host, hosts[host], unit)
                    assert wait_until(lambda half=half: load.count >= REQUESTS * half / 2, 120)  # type: ignore[misc]
        finally:
            proxy.stop()
    print(f"{load.count} requests while two hosts were exchanged: {dict(load.answered)}")
    assert load.lost == []
    assert load.count >= REQUESTS


def exchange(proxy: Nginx, host: str, port: int, unit: Supervisor) -> None:
    """Replace a server by docs/operating.md: out of the proxy, wait until idle, restart, wait until ready, back in."""
    old = unit.pid
    proxy.reload(down=host)
    assert wait_until(proxy.drained, 30)
    os.kill(old, signal.SIGTERM)
    assert wait_until(lambda: unit.pid not in (0, old) and answers(f"http://127.0.0.1:{port}/readyz"), BACK_SECONDS)
    proxy.reload()


@pytest.mark.gate
def test_nginx_serves_the_site_with_the_example_file(needs_nginx: None, given: dict[str, str], tmp_path: Path) -> None:
    """It runs unchanged on this machine's nginx, with a self-signed certificate."""
    port = free_port()
    proxy = Nginx(tmp_path, "upstream-one-host.conf", {"127.0.0.1": port})
    with supervised("courseiva-web.service", tmp_path, **given, PORT=str(port)):
        assert wait_until(lambda: answers(f"http://127.0.0.1:{port}/healthz"), BACK_SECONDS)
        proxy.start()
        try:
            assert asked(proxy, "https", proxy.port, "/readyz") == "200"
            assert asked(proxy, "https", proxy.port, "/metrics") == "403"
            assert asked(proxy, "http", proxy.plain, "/exams/") == "301"
        finally:
            proxy.stop()


def asked(proxy: Nginx, scheme: str, port: int, path: str) -> str:
    """Return the status curl gets."""
    command = ["curl", "-sk", "-o", "/dev/null", "-w", "%{http_code}", f"{scheme}://localhost:{port}{path}"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout
