"""Processes share their counts, and /metrics shows them to whoever has the token."""

from __future__ import annotations

import datetime as dt
import os
import re
import secrets
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.db.utils import OperationalError
from django.test import Client, RequestFactory
from django.urls import resolve
from django.utils import timezone
from redis import Redis

from courseiva.accounts.models import User
from courseiva.serving.rules.count_files import KINDS, ROOM, forget_processes, take_room
from courseiva.serving.rules.counters import BUCKETS, GROUPS
from courseiva.serving.views.metrics import count_request
from discussion.models import Comment, Kind, State
from discussion.threads.post import Draft, post
from practice.sessions.ending.finish import finish
from tests.support.bank import add_questions, make_exam
from tests.support.sessions import begin_mock, guest, guest_client
from tests.support.subprocesses import BASE, run_python
from tests.test_architecture import modules

IN_A_FULL_FOLDER = """
mount -t tmpfs -o size=8k none "$1"
cat /dev/zero 2>/dev/null >"$1/filler"
PROMETHEUS_MULTIPROC_DIR="$1/counts" exec "$2" -c "$3"
"""
TOKEN = "only-for-tests-" + "t" * 20
ADD = """
import os, sys
from courseiva.serving.rules.counters import all_processes, requests, saves, seconds
for _ in range(500):
    saves.inc()
    requests.labels("page", "2xx").inc()
    seconds.labels("page").observe(0.03)
sys.stdout.write(f"{all_processes().get_sample_value('courseiva_saves_acknowledged_total')}")
if len(sys.argv) > 1:
    os.kill(os.getpid(), 9)
"""
READ = """
from prometheus_client import generate_latest
from courseiva.serving.rules.counters import all_processes
print(generate_latest(all_processes()).decode())
"""


def counting(folder: Path, code: str, *more: str) -> subprocess.Popen[str]:
    """Start a process that counts into this folder."""
    given = {**os.environ, "DEBUG": "1", "PROMETHEUS_MULTIPROC_DIR": str(folder)}
    command = [sys.executable, "-c", code, *more]
    return subprocess.Popen(command, cwd=BASE, env=given, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


@pytest.mark.long("many processes")
@pytest.mark.long("many processes")
def test_processes_counting_at_once_lose_nothing_even_when_killed(tmp_path: Path) -> None:
    folder = tmp_path / "counts"
    running = [counting(folder, ADD, *more) for more in ((), (), ("killed",))]
    assert sorted(process.wait(60) for process in running) == [-9, 0, 0]
    told, trouble = counting(folder, READ).communicate(timeout=60)
    found = samples(told)
    assert trouble == ""
    assert found["courseiva_saves_acknowledged_total"] == 1500
    assert found['courseiva_requests_total{group="page",status="2xx"}'] == 1500
    assert found['courseiva_requests_total{group="save",status="5xx"}'] == 0
    assert found['courseiva_request_seconds_bucket{group="page",le="0.05"}'] == 1500
    assert found['courseiva_request_seconds_count{group="page"}'] == 1500


@pytest.mark.long("many processes")
@pytest.mark.parametrize("folder", ["", "/proc/nowhere"])
def test_without_a_folder_the_site_starts_and_each_process_counts_alone(folder: str) -> None:
    done = run_python("-c", "import courseiva.wsgi\n" + ADD, DEBUG="1", PROMETHEUS_MULTIPROC_DIR=folder)
    assert (done.returncode, done.stdout) == (0, "500.0"), done.stderr


def test_the_metrics_library_is_imported_in_one_place_once_its_folder_exists() -> None:
    importers = [name for name, path in modules().items() if "prometheus_client" in path.read_text()]
    assert importers == ["courseiva.serving.rules.counters"]


def test_a_starting_server_clears_the_counter_files_of_the_last_one(tmp_path: Path) -> None:
    folder = tmp_path / "counts"
    assert take_room(folder, 1) == ""
    (folder / "kept.txt").touch()
    forget_processes(folder)
    assert [path.name for path in folder.iterdir()] == ["kept.txt"]
    forget_processes(tmp_path / "nowhere")


@pytest.mark.soak
def test_with_shared_memory_full_a_process_survives_and_counts_alone(tmp_path: Path) -> None:
    if os.getuid():
        pytest.skip("only root may make a file system that is full")
    command = ["unshare", "-m", "sh", "-c", IN_A_FULL_FOLDER, "sh", str(tmp_path), sys.executable, ADD]
    given = {**os.environ, "DEBUG": "1"}
    done = subprocess.run(command, cwd=BASE, env=given, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "500.0"), done.stderr
    assert "alone" in done.stderr


def test_a_counter_file_has_its_full_size_from_the_start(tmp_path: Path) -> None:
    folder = tmp_path / "counts"
    assert counting(folder, ADD).wait(60) == 0
    files = list(folder.iterdir())
    assert len(files) == len(KINDS)
    for file in files:
        assert file.stat().st_size == ROOM
        assert file.stat().st_blocks * 512 >= ROOM
        assert int.from_bytes(file.read_bytes()[:4], "little") < 0.7 * ROOM


def test_a_process_with_the_same_pid_continues_the_count(tmp_path: Path) -> None:
    assert take_room(tmp_path / "counts", 7) == ""
    (file, _) = sorted((tmp_path / "counts").iterdir())
    file.write_bytes(b"counted")
    assert take_room(tmp_path / "counts", 7) == ""
    assert file.read_bytes() == b"counted"


def test_a_folder_that_other_users_can_write_to_is_not_trusted(tmp_path: Path) -> None:
    folder, link = tmp_path / "counts", tmp_path / "link"
    folder.mkdir()
    (folder / "counter_1.db").touch()
    folder.chmod(0o777)
    assert "somebody else's" in take_room(folder, 2)
    forget_processes(folder)
    folder.chmod(0o700)
    link.symlink_to(folder)
    assert "somebody else's" in take_room(link, 2)
    forget_processes(link)
    assert [path.name for path in folder.iterdir()] == ["counter_1.db"]
    told, trouble = counting(link, ADD).communicate(timeout=60)
    assert told == "500.0"
    assert "alone" in trouble


def test_without_the_token_the_metrics_page_is_a_404(client: Client, settings: Any) -> None:
    settings.METRICS_TOKEN = ""
    assert client.get("/metrics", headers={"authorization": "Bearer "}).status_code == 404
    settings.METRICS_TOKEN = TOKEN
    for given in ({}, {"authorization": "Bearer wrong"}, {"authorization": "Bearer ü"}):
        assert client.get("/metrics", headers=given).status_code == 404
    assert client.post("/metrics", headers={"authorization": f"Bearer {TOKEN}"}).status_code == 405


@pytest.fixture
def scrape(client: Client, settings: Any) -> Callable[[], dict[str, float]]:
    settings.METRICS_TOKEN = TOKEN

    def read() -> dict[str, float]:
        response = client.get("/metrics", headers={"authorization": f"Bearer {TOKEN}"})
        assert response.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8"
        return samples(response.content.decode())

    return read


def samples(text: str) -> dict[str, float]:
    """Return the values of a scrape, by name and labels."""
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    assert all(re.fullmatch(r"[a-z_]+(\{[^}]*\})? [0-9.e+-]+", line) for line in lines), lines
    return {name: float(value) for name, value in (line.rsplit(" ", 1) for line in lines)}


@pytest.mark.django_db
def test_a_save_is_counted_when_it_is_acknowledged(scrape: Callable[[], dict[str, float]]) -> None:
    exam = make_exam()
    add_questions(exam, 2)
    owner, token = guest()
    session = begin_mock(owner, exam, now=timezone.now())
    browser = guest_client(token, headers={"sec-fetch-site": "same-origin"})
    address = session.get_absolute_url()
    before = scrape()
    item = {"p": 1, "seq": 1, "sel": [0]}
    for writer, status in ((0, 200), (7, 409)):
        sent = {"writer": writer, "items": [item]}
        assert browser.post(f"{address}save/", sent, content_type="application/json").status_code == status
    browser.get("/exams/")
    after = scrape()
    grown = {name: after[name] - before[name] for name in after if after[name] != before[name]}
    assert grown["courseiva_saves_acknowledged_total"] == 1
    assert grown['courseiva_requests_total{group="save",status="2xx"}'] == 1
    assert grown['courseiva_requests_total{group="save",status="4xx"}'] == 1
    assert grown['courseiva_requests_total{group="page",status="2xx"}'] == 1
    assert grown['courseiva_request_seconds_count{group="save"}'] == 2
    assert grown['courseiva_request_seconds_bucket{group="save",le="+Inf"}'] == 2
    assert after["courseiva_sessions_open"] == 1


@pytest.mark.django_db
def test_the_backlog_is_read_from_the_database(
    scrape: Callable[[], dict[str, float]], monkeypatch: pytest.MonkeyPatch
) -> None:
    exam = make_exam()
    add_questions(exam, 2)
    owner, _ = guest()
    now = timezone.now()
    session = begin_mock(owner, exam, now=now - dt.timedelta(minutes=30))
    monkeypatch.setattr("practice.readiness.tasks.analyse_session.delay_on_commit", lambda _: None)
    finish(session.uuid, owner, now - dt.timedelta(minutes=10))
    found = scrape()
    assert found["courseiva_sessions_open"] == 0
    assert 600 <= found["courseiva_unanalysed_seconds"] < 660


@pytest.mark.django_db
def test_the_backlog_is_the_number_of_comments_awaiting_a_moderator(scrape: Callable[[], dict[str, float]]) -> None:
    version = add_questions(make_exam(), 1)[0]
    assert scrape()["courseiva_moderation_backlog"] == 0
    author = User.objects.create_user("alice@example.org")
    held = [Draft(Kind.TIP, f"See https://elsewhere.example/{name} instead.") for name in ("first", "second")]
    posted = [post(version, author.pk, draft, timezone.now()) for draft in held]
    assert scrape()["courseiva_moderation_backlog"] == 2
    Comment.objects.filter(pk=posted[0].pk).update(state=State.VISIBLE)
    assert scrape()["courseiva_moderation_backlog"] == 1


@pytest.mark.django_db
def test_the_queues_depth_is_the_number_of_its_tasks(
    scrape: Callable[[], dict[str, float]], settings: Any, needs_redis: str
) -> None:
    settings.REDIS_URL, settings.CELERY_TASK_DEFAULT_QUEUE = needs_redis, f"test of depth {secrets.token_hex(6)}"
    with Redis.from_url(needs_redis) as client:
        assert scrape()["courseiva_queue_depth"] == 0
        client.rpush(settings.CELERY_TASK_DEFAULT_QUEUE, "one", "two", "three")
        try:
            assert scrape()["courseiva_queue_depth"] == 3
        finally:
            client.delete(settings.CELERY_TASK_DEFAULT_QUEUE)


@pytest.mark.django_db
def test_without_a_queue_its_depth_is_zero(scrape: Callable[[], dict[str, float]], settings: Any) -> None:
    settings.REDIS_URL = ""
    assert scrape()["courseiva_queue_depth"] == 0


@pytest.mark.django_db
def test_a_queue_that_does_not_answer_is_left_out(
    scrape: Callable[[], dict[str, float]], settings: Any, unused_port: int
) -> None:
    settings.REDIS_URL = f"redis://127.0.0.1:{unused_port}/0"
    found = scrape()
    assert "courseiva_queue_depth" not in found
    assert "courseiva_sessions_open" in found


@pytest.mark.django_db
def test_a_responses_seconds_are_summed_and_counted_in_their_buckets(
    scrape: Callable[[], dict[str, float]], rf: RequestFactory
) -> None:
    request = rf.get("/exams/")
    request.resolver_match = resolve("/exams/")
    before = scrape()
    for seconds in (0.03, 2.0):
        count_request(request, 200, seconds)
    after = scrape()

    def grown(name: str) -> float:
        return round(after[name] - before[name], 6)

    marks = {"0.025": 0, "0.05": 1, "1.0": 1, "2.5": 2, "+Inf": 2}
    assert {le: grown(f'courseiva_request_seconds_bucket{{group="page",le="{le}"}}') for le in marks} == marks
    assert grown('courseiva_request_seconds_sum{group="page"}') == 2.03


@pytest.mark.django_db
def test_the_time_of_a_request_is_counted_in_seconds(scrape: Callable[[], dict[str, float]], client: Client) -> None:
    before, began = scrape(), time.perf_counter()
    for _ in range(3):
        client.get("/accounts/login/")
    took, after = time.perf_counter() - began, scrape()
    name = 'courseiva_request_seconds_sum{group="account"}'
    assert took / 500 < after[name] - before[name] <= took


@pytest.mark.django_db
def test_a_histogram_only_grows_and_has_every_bucket(scrape: Callable[[], dict[str, float]]) -> None:
    found = scrape()
    for group in GROUPS:
        marks = ["+Inf" if limit == float("inf") else str(limit) for limit in BUCKETS]
        counts = [found[f'courseiva_request_seconds_bucket{{group="{group}",le="{mark}"}}'] for mark in marks]
        assert counts == sorted(counts)
        assert counts[-1] == found[f'courseiva_request_seconds_count{{group="{group}"}}']


def test_without_a_database_the_counters_are_still_served(
    scrape: Callable[[], dict[str, float]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OperationalError

    monkeypatch.setattr(connection, "cursor", refuse)
    found = scrape()
    assert "courseiva_saves_acknowledged_total" in found
    assert "courseiva_sessions_open" not in found


@pytest.mark.django_db
def test_a_scrape_takes_six_statements(
    client: Client, settings: Any, django_assert_num_queries: Callable[..., Any]
) -> None:
    settings.METRICS_TOKEN = TOKEN
    with django_assert_num_queries(6):
        client.get("/metrics", headers={"authorization": f"Bearer {TOKEN}"})
