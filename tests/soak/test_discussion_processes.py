"""The discussion in several processes on one Redis: the hourly limit is shared, and a worker screens comments."""

from __future__ import annotations

import datetime as dt
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlencode

import pytest
from django.urls import reverse
from django.utils import timezone

from courseiva.accounts.models import User
from discussion.comments.limits import HOURLY
from discussion.models import Comment, State
from discussion.screening.hold import keep_findings
from questions.models import QuestionVersion
from tests.discussion.conftest import person, row
from tests.support.bank import add_questions, make_exam
from tests.support.live import database_url, live_environment
from tests.support.servers import Process, own_redis
from tests.support.subprocesses import Site, wait_until
from tests.support.world import signed_in_client

SITES, THREADS, MORE = 2, 4, 10
TOKEN = "t" * 32
HOUR, A_WHILE = 3600, 60
SAID = "The subnet is regional, so the second zone needs no subnet of its own in this place."
SAID_AGAIN = "The subnet is regional, so the second zone needs no subnet of its own at this place."

pytestmark = pytest.mark.soak


@pytest.fixture
def given(needs_own_servers: None, static_root: Path, tmp_path: Path) -> Iterator[dict[str, str]]:
    """Yield the environment of every process: they share a separate Redis."""
    with own_redis(tmp_path) as server:
        yield {**live_environment(static_root), "REDIS_URL": server.url}


@pytest.fixture
def sites(given: dict[str, str], version: QuestionVersion) -> Iterator[list[Site]]:
    """Start web servers, each in its own process."""
    started = [Site(database_url(), **given).start() for _ in range(SITES)]
    yield started
    for site in started:
        site.stop()


@pytest.fixture
def version(live_rows: None) -> Iterator[QuestionVersion]:
    yield QuestionVersion.objects.first() or add_questions(make_exam(), 1, domains=("d1",))[0]
    Comment.objects.all().delete()


def known(name: str, version: QuestionVersion) -> User:
    """Create somebody whose next comment isn't held for being the first."""
    user = person(name)
    row(version, user, f"An early remark of {name}.", created_at=timezone.now() - dt.timedelta(days=9))
    return user


def cookies_of(user: User) -> str:
    """Return the cookies this person's browser sends."""
    cookies = {name: morsel.value for name, morsel in signed_in_client(user).cookies.items()} | {"csrftoken": TOKEN}
    return "; ".join(f"{name}={value}" for name, value in cookies.items())


def say(site: Site, cookies: str, version: QuestionVersion, text: str) -> int:
    """Post a comment as the page does without script; returns the response's status."""
    fields = {"kind": "tip", "text": text, "csrfmiddlewaretoken": TOKEN}
    headers = {"Cookie": cookies, "Content-Type": "application/x-www-form-urlencoded"}
    connection = HTTPConnection("127.0.0.1", site.port, timeout=30)
    try:
        address = reverse("comment-new", args=["pmle", version.question_id])
        connection.request("POST", address, urlencode(fields), headers)
        return connection.getresponse().status
    finally:
        connection.close()


def test_the_hourly_limit_holds_across_processes(sites: list[Site], version: QuestionVersion) -> None:
    alice, limit = known("alice", version), HOURLY["comments"]
    if HOUR - time.time() % HOUR < A_WHILE:
        time.sleep(A_WHILE)  # in the next hour the limit starts again
    cookies = cookies_of(alice)
    with ThreadPoolExecutor(THREADS) as pool:
        calls = [
            pool.submit(say, sites[n % SITES], cookies, version, f"Remark number {n}.") for n in range(limit + MORE)
        ]
        answers = [call.result() for call in calls]
    assert sorted(answers) == [302] * limit + [429] * MORE
    assert Comment.objects.filter(author=alice, text__startswith="Remark number").count() == limit


@pytest.mark.gate
def test_a_worker_holds_a_near_duplicate_of_another_comment(
    sites: list[Site], given: dict[str, str], version: QuestionVersion
) -> None:
    first = row(version, known("bob", version), SAID)
    keep_findings(first, [])
    assert say(sites[0], cookies_of(known("carol", version)), version, SAID_AGAIN) == 302
    second = Comment.objects.get(text=SAID_AGAIN)
    assert (second.state, second.screened_at) == (State.VISIBLE, None)
    celery = (sys.executable, "-m", "celery", "-A", "courseiva", "worker", "--concurrency", "1")
    worker = Process(*celery, "--loglevel", "warning", **given, DATABASE_URL=database_url())
    worker.start()
    try:
        assert wait_until(lambda: not Comment.objects.filter(screened_at=None).exists(), A_WHILE), "nobody looked"
    finally:
        worker.kill()
    first.refresh_from_db()
    second.refresh_from_db()
    assert (first.state, second.state) == (State.VISIBLE, State.HELD)
    assert set(second.hits.values_list("rule", flat=True)) == {"near-duplicate"}
