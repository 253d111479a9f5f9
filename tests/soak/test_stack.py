"""`make stack`, which is docker-compose.yml without containers: a mock is taken and analysed, a comment moderated."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.player import Player
from tests.support.scratch import rows
from tests.support.servers import own_cluster, own_redis
from tests.support.subprocesses import BASE, alive, answers, bare_environment, free_port, run_python, wait_until

START_SECONDS, WORK_SECONDS, QUESTIONS = 240, 60, 20
STARTED = ("Courseiva is at", "beat: Starting", " ready.")
LAST_WORD = "worker: Warm shutdown (MainProcess)"
PASSWORD = "three plain words"
TIP = "Count the zones before the nodes."
PEOPLE = f"""
from allauth.account.models import EmailAddress
from django.contrib.auth.models import Group
from courseiva.accounts.models import User
for name in ("writer", "moderator"):
    user = User.objects.create_user(name + "@example.org", {PASSWORD!r}, display_name=name.title())
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
user.groups.add(Group.objects.get(name="Moderators"))
"""

pytestmark = pytest.mark.soak


def descendants(pid: int) -> list[int]:
    """Return the process and all its descendants."""
    below = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [pid, *(one for child in below for one in descendants(int(child)))]


@pytest.mark.gate
def test_the_stack_analyses_a_mock_and_one_signal_stops_everything(needs_own_servers: None, tmp_path: Path) -> None:
    with own_cluster() as cluster, own_redis(tmp_path) as redis:
        url, port, printed = f"{cluster.url.rpartition('/')[0]}/stack", free_port(), tmp_path / "printed"
        ours = bare_environment(
            DATABASE_URL=url,
            REDIS_URL=redis.url,
            PORT=str(port),
            WEB_PROCESSES="2",
            PROMETHEUS_MULTIPROC_DIR="",
            HOLD_FIRST_POSTS="1",
        )
        with printed.open("wb") as file:
            stack = subprocess.Popen(
                [sys.executable, "scripts/stack.py"],
                cwd=BASE,
                env=ours,
                start_new_session=True,
                stdout=file,
                stderr=file,
            )
        try:
            ready = wait_until(
                lambda: stack.poll() is not None or answers(f"http://127.0.0.1:{port}/readyz"), START_SECONDS
            )
            assert ready, printed.read_text()
            assert stack.poll() is None, printed.read_text()
            sit_a_mock(port, url)
            moderate_a_comment(port, url)
            started = descendants(stack.pid)
            assert len(started) >= 8, "stack, gunicorn with two workers, celery with two, beat"
            stack.send_signal(signal.SIGTERM)
            assert stack.wait(40) == 0
            assert not any(map(alive, started))
        finally:
            if stack.poll() is None:
                os.killpg(stack.pid, signal.SIGKILL)
                stack.wait()
        look_at_the_log(printed.read_text())


def sit_a_mock(port: int, url: str) -> None:
    """Take a guest's mock over HTTP, then wait for its analysis, which only the worker can have done."""
    player = Player(port, secure=True)
    player.start(QUESTIONS, X_Request_ID="start-12345678")
    writer = player.claim()["writer"]
    items = [{"p": place, "seq": 1, "sel": [place % 4], "sec": 30} for place in range(1, QUESTIONS + 1)]
    assert len(player.save(writer, items)["saved"]) == QUESTIONS
    results = player.finish(X_Request_ID="finish-12345678")
    status, _, body = player.send("GET", results)
    assert status == 200
    assert b"Courseiva" in body
    player.close()
    sql = "SELECT count(*) FROM practice_practicesession WHERE analysed_at IS NOT NULL AND score IS NOT NULL"
    assert wait_until(lambda: rows(url, sql) == [(1,)], WORK_SECONDS), "the worker did not analyse it"
    assert rows(url, "SELECT count(*) FROM practice_readinesssnapshot") == [(1,)]


def moderate_a_comment(port: int, url: str) -> None:
    """Post a first comment, which is held, screened by the worker, approved by a moderator and read by a stranger."""
    settings = {"DATABASE_URL": url, "SECRET_KEY": "x" * 50, "ALLOWED_HOSTS": "localhost"}
    made = run_python("manage.py", "shell", "-c", PEOPLE, **settings)
    assert made.returncode == 0, made.stderr
    writer, moderator, stranger = (Player(port, secure=True) for _ in range(3))
    writer.sign_in("writer@example.org", PASSWORD)
    public = "SELECT min(q.id) FROM questions_question q JOIN questions_exam e ON e.id = exam_id WHERE slug = 'pmle'"
    ((question,),) = rows(url, f"{public} AND q.number IS NOT NULL")
    thread = f"/discussion/pmle/{question}/"
    writer.post(f"{thread}new/", kind="tip", text=TIP)
    assert TIP.encode() not in stranger.send("GET", thread)[2]
    screened = "SELECT id FROM discussion_comment WHERE screened_at IS NOT NULL AND state = 'held'"
    assert wait_until(lambda: len(rows(url, screened)) == 1, WORK_SECONDS), "the worker did not screen it"
    moderator.sign_in("moderator@example.org", PASSWORD)
    queue = moderator.send("GET", "/moderation/")[2]
    assert TIP.encode() in queue
    (shown,) = set(re.findall(r'name="seen" value="([^"]+)"', queue.decode()))
    moderator.post("/moderation/decide/", act="approve", comment=str(rows(url, screened)[0][0]), seen=shown)
    assert TIP.encode() in stranger.send("GET", thread)[2]
    for each in (writer, moderator, stranger):
        each.close()


def look_at_the_log(text: str) -> None:
    """Check that after the start each line but Celery's last is JSON, and a task's lines have its request's id."""
    told = text.splitlines()
    started = max(place for place, line in enumerate(told) if any(word in line for word in STARTED))
    assert [line for line in told[started:] if line.strip() and not line.startswith("{")] in ([], [LAST_WORD])
    lines = [json.loads(line) for line in text.splitlines() if line.startswith("{")]
    of_finish = [line for line in lines if line["request_id"] == "finish-12345678"]
    assert {line["logger"] for line in of_finish} >= {"courseiva.requests", "celery.app.trace"}, of_finish
    (request,) = [line for line in of_finish if line["logger"] == "courseiva.requests"]
    assert (request["method"], request["status"]) == ("POST", 302)
    assert any("practice.analyse_session" in line["message"] for line in of_finish)
    assert any(STARTED[0] in line["message"] for line in lines)
