"""Counts shared by processes, and what /metrics says to whoever has the token."""

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
from courseiva.serving.rules.counters import Counters
from courseiva.serving.views.metrics import BUCKETS, GROUPS, count_request
from discussion.models import Comment, Kind, State
from discussion.threads.post import Draft, post
from practice.sessions.ending.finish import finish
from tests.support.bank import add_questions, make_exam
from tests.support.sessions import begin_mock, guest, guest_client
from tests.support.subprocesses import BASE

IN_A_FULL_FOLDER = """
mount -t tmpfs -o size=8k none "$1"
cat /dev/zero 2>/dev/null >"$1/filler"
exec "$2" -c "$3" "$1/counts"
"""
TOKEN = "only-for-tests-" + "t" * 20
ADD = """
import sys
from courseiva.serving.rules.counters import Counters
counters = Counters(["a", "b"], sys.argv[1])
for _ in range(2000):
    counters.add({"a": 1, "b": 0.5})
"""


def test_processes_that_count_at_once_lose_nothing(tmp_path: Path) -> None:
    path = str(tmp_path / "counts")
    command = [sys.executable, "-c", ADD, path]
    running = [subprocess.Popen(command, cwd=BASE, env={**os.environ, "DEBUG": "1"}) for _ in range(3)]
    assert [process.wait(60) for process in running] == [0, 0, 0]
    assert Counters(["a", "b"], path).read() == {"a": 6000, "b": 3000}


@pytest.mark.soak
def test_where_memory_is_full_a_process_counts_alone_and_lives(tmp_path: Path) -> None:
    if os.getuid():
        pytest.skip("only root may make a file system that is full")
    code = f"{ADD}\nprint(counters.read())"
    command = ["unshare", "-m", "sh", "-c", IN_A_FULL_FOLDER, "sh", str(tmp_path), sys.executable, code]
    given = {**os.environ, "DEBUG": "1"}
    done = subprocess.run(command, cwd=BASE, env=given, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "{'a': 2000.0, 'b': 1000.0}\n"), done.stderr
    assert "no room" in done.stderr


def test_a_file_is_really_there_from_the_first_moment(tmp_path: Path) -> None:
    Counters([str(n) for n in range(4096)], str(tmp_path / "counts"))
    (file,) = tmp_path.iterdir()
    assert file.stat().st_size == 8 * 4096
    assert file.stat().st_blocks * 512 >= 8 * 4096


def test_other_names_are_other_counts(tmp_path: Path) -> None:
    path = str(tmp_path / "counts")
    Counters(["a"], path).add({"a": 1})
    assert Counters(["c"], path).read() == {"c": 0}
    assert Counters(["a"], path).read() == {"a": 1}


def test_a_file_that_others_may_change_is_not_believed(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    Counters(["a"], str(tmp_path / "counts"))
    (file,) = tmp_path.iterdir()
    file.chmod(0o666)
    alone = Counters(["a"], str(tmp_path / "counts"))
    alone.add({"a": 1})
    assert "somebody else's" in caplog.text
    assert file.read_bytes() == bytes(8)


def test_without_the_token_the_page_is_404(client: Client, settings: Any) -> None:
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
        lines = [line for line in response.content.decode().splitlines() if not line.startswith("#")]
        assert all(re.fullmatch(r"[a-z_]+(\{[^}]*\})? [0-9.e+]+", line) for line in lines), lines
        return {name: float(value) for name, value in (line.rsplit(" ", 1) for line in lines)}

    return read


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
def test_what_waits_is_looked_up(scrape: Callable[[], dict[str, float]], monkeypatch: pytest.MonkeyPatch) -> None:
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
def test_the_backlog_is_what_waits_for_a_moderator(scrape: Callable[[], dict[str, float]]) -> None:
    version = add_questions(make_exam(), 1)[0]
    assert scrape()["courseiva_moderation_backlog"] == 0
    author = User.objects.create_user("alice@example.org")
    held = [Draft(Kind.TIP, f"See https://elsewhere.example/{name} instead.") for name in ("first", "second")]
    posted = [post(version, author.pk, draft, timezone.now()) for draft in held]
    assert scrape()["courseiva_moderation_backlog"] == 2
    Comment.objects.filter(pk=posted[0].pk).update(state=State.VISIBLE)
    assert scrape()["courseiva_moderation_backlog"] == 1


@pytest.mark.django_db
def test_the_queue_is_as_deep_as_what_lies_in_it(
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
def test_without_a_queue_nothing_waits_in_it(scrape: Callable[[], dict[str, float]], settings: Any) -> None:
    settings.REDIS_URL = ""
    assert scrape()["courseiva_queue_depth"] == 0


@pytest.mark.django_db
def test_of_a_queue_that_does_not_answer_nothing_is_told(
    scrape: Callable[[], dict[str, float]], settings: Any, unused_port: int
) -> None:
    settings.REDIS_URL = f"redis://127.0.0.1:{unused_port}/0"
    found = scrape()
    assert "courseiva_queue_depth" not in found
    assert "courseiva_sessions_open" in found


@pytest.mark.django_db
def test_an_answers_seconds_are_added_up_and_fall_into_their_bucket(
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

    marks = {"0.025": 0, "0.05": 1, "1": 1, "2.5": 2, "+Inf": 2}
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
        marks = ["+Inf" if limit == float("inf") else f"{limit:g}" for limit in BUCKETS]
        counts = [found[f'courseiva_request_seconds_bucket{{group="{group}",le="{mark}"}}'] for mark in marks]
        assert counts == sorted(counts)
        assert counts[-1] == found[f'courseiva_request_seconds_count{{group="{group}"}}']


def test_without_a_database_what_is_counted_is_still_told(
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
