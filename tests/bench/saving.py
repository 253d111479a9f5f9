"""Compares a save of one answer with the barest endpoint that does the same: in process, signed in, by database.

The bare endpoint goes through the same middleware, reads the same JSON, locks the session, reads the item, writes it
and commits. It knows nothing about time, competing pages, late answers or what a choice means.
"""

from __future__ import annotations

import json
import statistics
import tempfile
import time
import uuid
from pathlib import Path
from typing import TYPE_CHECKING

from tests.bench.table import markdown
from tests.support.needs import find_postgres
from tests.support.scratch import fill, scratch_database
from tests.support.subprocesses import run_python

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse
    from django.test import Client

PER_DOMAIN, QUESTIONS = 20, 60
ROUNDS, SAVES, WARM = 40, 10, 3
MOST = 2.0
"""The most a save may cost, in bare ones: 6 ms on a machine where the bare endpoint takes 3 ms."""
BARE, OURS = "the bare endpoint", "a save"


def section() -> str:
    """Return a table of both databases."""
    lines, over = [], []
    for title, server in (("SQLite", ""), ("PostgreSQL", find_postgres())):
        if title == "PostgreSQL" and not server:
            continue
        found = of_database(server)
        ratio = found[OURS][0] / found[BARE][0]
        lines += [[f"{title}: {name}", f"{ms:.1f}", f"{ms / found[BARE][0]:.1f}", f"{sql:.0f}"]
                  for name, (ms, sql) in found.items()]  # fmt: skip
        over += [f"{title}, {ratio:.1f} (at most {MOST:g})"] if ratio > MOST else []
    head = ["Request", "ms", "bare endpoints", "statements"]
    return f"{markdown(head, lines)}\n\nOver a bound: {'; '.join(over) or 'nothing'}."


def of_database(server: str) -> dict[str, tuple[float, float]]:
    """Return milliseconds and statements by endpoint, on a separate database."""
    with tempfile.TemporaryDirectory() as folder, scratch_database(server, Path(folder)) as url:
        settings = {"DJANGO_SETTINGS_MODULE": "tests.settings", "DEBUG": "0", "ALLOWED_HOSTS": "testserver"}
        fill(url, PER_DOMAIN, **settings)
        done = run_python("-m", "tests.bench.saving", timeout=300, **settings, DATABASE_URL=url)
    if done.returncode:
        raise SystemExit(done.stderr)
    return {name: (ms, sql) for name, (ms, sql) in json.loads(done.stdout).items()}


def bare_save(request: HttpRequest, session_uuid: uuid.UUID) -> HttpResponse:
    """Write one answer into its row."""
    from django.db import transaction
    from django.http import JsonResponse

    from practice.models import PracticeSession

    (state,) = json.loads(request.body)["items"]
    with transaction.atomic():
        session = PracticeSession.objects.select_for_update(of=("self",)).get(
            uuid=session_uuid, learner__user_id=request.user.pk
        )
        item = session.items.get(position=state["p"])
        item.selected, item.sequence, item.seconds = 1 << state["sel"][0], state["seq"], state["sec"]
        item.save(update_fields=["selected", "sequence", "seconds"])
    return JsonResponse({"saved": [item.position]})


def measure() -> None:
    """Print as JSON a request's median milliseconds and its statements; the endpoints take turns in two sessions."""
    from django.conf import settings
    from django.test import Client
    from django.utils import timezone

    from courseiva.accounts.models import User
    from practice.learners.reads.identity import Owner
    from questions.models import Exam
    from tests.support.sessions import begin_mock

    settings.ROOT_URLCONF = "tests.bench.urls"
    user = User.objects.create_user(email="saver@learn.example", password="x")
    session = begin_mock(Owner(user_id=user.pk), Exam.objects.get(), QUESTIONS, timezone.now())
    client = Client()
    client.force_login(user)
    address = session.get_absolute_url()
    claimed = client.post(f"{address}claim/", "{}", "application/json", secure=True)
    saver = Saver(client, int(claimed.json()["writer"]))
    ways = {BARE: f"/bare-save/{session.uuid}/", OURS: f"{address}save/"}
    times: dict[str, list[float]] = {name: [] for name in ways}
    for turn in range(WARM + ROUNDS):
        for name, way in ways.items():
            took = saver.time(way)
            if turn >= WARM:
                times[name].append(took)
    print(json.dumps({name: (statistics.median(times[name]), saver.statements(way)) for name, way in ways.items()}))


class Saver:
    """A browser that saves another choice for the next question each time."""

    def __init__(self, client: Client, writer: int) -> None:
        self.client, self.writer, self.turn = client, writer, 0

    def one(self, address: str) -> None:
        """Save once. Raises AssertionError if the answer isn't acknowledged."""
        self.turn += 1
        position = 1 + self.turn % QUESTIONS
        item = {
            "p": position,
            "seq": self.turn,
            "sel": [self.turn // 7 % 4],
            "out": [],
            "flag": False,
            "sec": self.turn,
        }
        sent = json.dumps({"writer": self.writer, "items": [item]})
        answer = self.client.post(address, sent, "application/json", secure=True)
        assert (answer.status_code, answer.json()["saved"]) == (200, [position]), (address, answer.content[:200])

    def time(self, address: str) -> float:
        """Return the milliseconds of this process for each of several saves."""
        began = time.process_time()
        for _ in range(SAVES):
            self.one(address)
        return 1000 * (time.process_time() - began) / SAVES

    def statements(self, address: str) -> int:
        """Return the statements of one save."""
        from django.db import connection
        from django.test.utils import CaptureQueriesContext

        with CaptureQueriesContext(connection) as found:
            self.one(address)
        return len(found)


if __name__ == "__main__":
    import django

    django.setup()
    measure()
