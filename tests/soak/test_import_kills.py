"""A worker is killed in the middle of a large import: the import goes on, ends once, and never overstates its progress.

The file is sent the way an editor sends it. The kills are spread over the work: of the worker as a whole, as when its
machine dies, after which the schedule waits a minute and a half; and of the processes that do its work, as when memory
runs out.
"""

from __future__ import annotations

import os
import random
import re
import signal
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart

from questions.formats.intake.take_in import BATCH
from tests.soak.kill_plans import plan_over_work
from tests.soak.machine import Machine, running
from tests.support.player import Player
from tests.support.scratch import rows
from tests.support.servers import Process
from tests.support.subprocesses import run_python, wait_until

ENTRIES = 8000
KILLS = {"worker": 1, "processes": 3}
LONGEST, A_WHILE = 300, 60
SETTINGS = "courseiva.settings"  # the real schedule: one that repeated every second would fill the queue
EDITOR, PASSWORD = "edith@example.org", "three plain words"
MAKE_EDITOR = f"""
import django
django.setup()
from allauth.account.models import EmailAddress
from django.contrib.auth.models import Group
from courseiva.accounts.models import User
user = User.objects.create_user("{EDITOR}", "{PASSWORD}", is_staff=True)
user.groups.add(Group.objects.get(name="Editors"))
EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
"""
JOB = """
SELECT state, total, position, counts, finished_at, length(content),
       (SELECT count(*) FROM questions_importeditem),
       (SELECT count(*) FROM questions_deskentry WHERE text = 'Imported from large.gift.')
FROM questions_importjob
"""
STORED = """
SELECT i.name, q.id, q.stem, string_agg(o.text, '|' ORDER BY o.slot)
FROM questions_importeditem i JOIN questions_question q ON q.id = question_id
JOIN questions_option o USING (question_id)
GROUP BY i.name, q.id, q.stem
"""

pytestmark = [pytest.mark.soak, pytest.mark.alone]


@dataclass(frozen=True)
class Facts:
    """The job's row, and the number of drafts and history lines, all at one moment."""

    state: str
    total: int | None
    position: int
    counts: dict[str, int]
    finished_at: Any
    bytes_left: int
    drafts: int
    history: int


def large_file() -> tuple[bytes, dict[str, tuple[str, str]]]:
    """Return the file, and the name each of its questions must get. One in ten shares its title with others."""
    items, wanted = [], {}
    for n in range(ENTRIES):
        title, stem = f"Title {n if n % 10 else 'again'}", f"Which is it, {n}?"
        items.append(f"::{title}::{stem}{{=This {n} ~That {n}}}\n\n")
        name = title if n % 10 or not n else f"{title} ({n // 10 + 1})"
        wanted[name] = (stem, f"This {n}|That {n}")
    items.insert(ENTRIES // 2, "::Broken::Which is it?{=\n\n")
    return "".join(items).encode(), wanted


@dataclass
class Import:
    """The import as the editor sees it and as the database holds it."""

    url: str
    editor: Player
    address: str

    def facts(self) -> Facts:
        """Return what the database holds, read in one statement."""
        (row,) = rows(self.url, JOB)
        return Facts(*row)

    def look(self) -> Facts:
        """Return the current state, after checking that the page reports exactly that."""
        before = self.facts()
        status, _, body = self.editor.send("GET", self.address)
        after = self.facts()
        assert status == 200
        (position,) = re.findall(rb'data-position="(\d+)"', body)
        assert before.position <= int(position) <= after.position
        for facts in (before, after):
            assert facts.position == sum(facts.counts.values())
            assert facts.drafts == facts.history == facts.counts.get("new", 0)
            assert (facts.state == "done") == (facts.finished_at is not None)
            assert facts.finished_at is None or facts.position == facts.total
        return after


@pytest.fixture
def worker(machine: Machine) -> Iterator[Process]:
    """Run a worker of two processes, with a separate schedule that is never killed."""
    beat = machine.celery(SETTINGS, "beat", "--schedule", machine.schedule)
    with running(beat):
        worker = machine.celery(SETTINGS, "worker", "--concurrency", "2")
        with running(worker):
            yield worker


@pytest.fixture
def editor(machine: Machine) -> Iterator[Player]:
    """Run a site in production, and yield an editor who is signed in there."""
    made = run_python("-c", MAKE_EDITOR, DATABASE_URL=machine.url, DJANGO_SETTINGS_MODULE="tests.settings")
    assert made.returncode == 0, made.stderr
    site = machine.site()
    with running(site):
        player = Player(site.port, secure=True)
        player.sign_in(EDITOR, PASSWORD)
        yield player
        player.close()


def send(editor: Player, content: bytes) -> str:
    """Send the file to be imported; returns the address of the page with its progress."""
    fields = {"format": "gift", "exam": "pmle", "name": "large.gift", "keep": "1"}
    start, end = encode_multipart(BOUNDARY, fields).rsplit(f"--{BOUNDARY}--".encode(), 1)
    part = f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="large.gift"\r\n\r\n'.encode()
    body = start + part + content + f"\r\n--{BOUNDARY}--\r\n".encode() + end
    status, headers, text = editor.send("POST", "/admin/questions/importeditem/new/", body, MULTIPART_CONTENT)
    assert status == 302, text
    return str(headers["Location"])


def kill_processes(worker: Process) -> None:
    """SIGKILL the processes that do the work, but not the one that hands it out."""
    assert worker.process
    pid = worker.process.pid
    for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
        os.kill(int(child), signal.SIGKILL)


def stop(worker: Process) -> None:
    """Stop the worker gracefully, letting it finish what it had begun."""
    assert worker.process
    worker.process.send_signal(signal.SIGTERM)
    worker.process.wait(A_WHILE)


def test_an_import_whose_worker_is_killed_finishes_once_without_duplicates(
    machine: Machine, worker: Process, editor: Player, rng: random.Random, tell: Callable[[str], None]
) -> None:
    content, wanted = large_file()
    began = time.monotonic()
    going = Import(machine.url, editor, send(editor, content))
    for what, at in plan_over_work(rng, KILLS, ENTRIES - 10 * BATCH):
        assert wait_until(lambda at=at: going.look().position > at, LONGEST), going.facts()  # type: ignore[misc]
        if what == "worker":
            worker.kill()
            worker.start()
        else:
            kill_processes(worker)
        amid = going.look()
        tell(f"{what} killed at {amid.position} of {amid.total}, {time.monotonic() - began:.0f} s")
        assert (amid.state, 0 < amid.position < ENTRIES) == ("running", True), "it came too late"
    assert wait_until(lambda: going.look().state == "done", LONGEST), going.facts()
    ended, stored = going.facts(), rows(machine.url, STORED)
    tell(f"{ENTRIES + 1} entries, killed {KILLS}, {time.monotonic() - began:.0f} s")
    assert (ended.total, ended.counts, ended.bytes_left) == (ENTRIES + 1, {"new": ENTRIES, "skipped": 1}, 0)
    assert {name: (stem, options) for name, _, stem, options in stored} == wanted
    assert len({question for _, question, _, _ in stored}) == len(stored) == ENTRIES
    come_again(machine, worker)
    assert going.look() == ended
    assert sorted(rows(machine.url, STORED)) == sorted(stored)


def come_again(machine: Machine, worker: Process) -> None:
    """Redeliver at once what the killed processes hadn't acknowledged (normally after an hour), and wait for it."""
    call = ("-m", "celery", "-A", "courseiva", "call", "questions.run_import_job", "--args")
    ((job,),) = rows(machine.url, "SELECT id FROM questions_importjob")
    ours = {**machine.given, "DATABASE_URL": machine.url, "DJANGO_SETTINGS_MODULE": SETTINGS}
    for _ in range(len(KILLS)):
        done = run_python(*call, f"[{job}]", timeout=A_WHILE, **ours)
        assert done.returncode == 0, done.stderr
    with machine.redis.client() as client:
        assert wait_until(lambda: client.llen("celery") == 0, A_WHILE), "the queue was never empty"
    stop(worker)
