"""What a learner's own pages cost the server with a short and with a long past, in processor time.

Accounts that have finished so many sessions, written as rows, and what is said of them made by the site's own code.
Each page is asked for in process, as a browser that is signed in asks: the pages take turns, so that whatever else
the machine does meets all of them. A figure is a page's median beside that of a plain signed-in page, the account's.

As a program it measures one database, which it fills.
"""

from __future__ import annotations

import datetime as dt
import json
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tests.bench.table import markdown
from tests.support.needs import find_postgres
from tests.support.scratch import fill, scratch_database
from tests.support.subprocesses import run_python

if TYPE_CHECKING:
    from django.test import Client

    from practice.models import Learner
    from questions.models import Exam

PASTS = (8, 200, 1000)
"""Finished sessions of the learners that are compared."""
PER_DOMAIN, ROUNDS, WARM = 60, 25, 3
MOCK, DRILL, MOCK_EVERY = 60, 10, 10
DAYS = 120
"""The sessions of every past lie within so many days, the newest of them yesterday."""
PLAIN = "an account's page"
LONGEST = 1800
"""Seconds that filling and measuring one database may take."""


def section(pasts: Sequence[int] = PASTS) -> str:
    """A table for each database."""
    parts = []
    for title, server in (("SQLite", ""), ("PostgreSQL", find_postgres())):
        text = "Not measured: DATABASE_URL names no PostgreSQL that answers."
        if title == "SQLite" or server:
            text = of_database(server, pasts)
        parts.append(f"### {title}\n\n{text}")
    return "\n\n".join(parts)


def of_database(server: str, pasts: Sequence[int]) -> str:
    """The table of a database of its own."""
    with tempfile.TemporaryDirectory() as folder, scratch_database(server, Path(folder)) as url:
        settings = {"DJANGO_SETTINGS_MODULE": "tests.settings", "DEBUG": "0", "ALLOWED_HOSTS": "testserver"}
        fill(url, PER_DOMAIN, **settings)
        done = run_python("-m", "tests.bench.past", *map(str, pasts), timeout=LONGEST, **settings, DATABASE_URL=url)
    if done.returncode:
        raise SystemExit(done.stderr)
    return table(pasts, json.loads(done.stdout))


def table(pasts: Sequence[int], found: dict[str, list[list[float]]]) -> str:
    """A row for each page: by past its milliseconds, its cost in plain pages of the same past, and its statements."""
    plain = [milliseconds for milliseconds, _ in found[PLAIN]]
    head = ["Page", *(f"{past:,} sessions: ms (plain pages, statements)" for past in pasts), "longest past / shortest"]
    lines = []
    for page, cells in found.items():
        told = [
            f"{milliseconds:.1f} ({milliseconds / usual:.1f}, {statements:.0f})"
            for (milliseconds, statements), usual in zip(cells, plain, strict=True)
        ]
        lines.append([page, *told, f"{cells[-1][0] / cells[0][0]:.2f}"])
    return markdown(head, lines)


def measure(pasts: Sequence[int]) -> None:
    """Print as JSON, by page, for each past the milliseconds and the statements of a request."""
    from questions.models import Exam

    exam = Exam.objects.get()
    clients = [signed_in(learner_with(exam, past)) for past in pasts]
    addresses = pages(exam)
    print(
        json.dumps(
            {
                name: [[statistics.median(times), statements(client, addresses[name])]
                       for client, times in zip(clients, of_each, strict=True)]
                for name, of_each in in_turns(clients, addresses).items()
            }
        )
    )  # fmt: skip


def pages(exam: Exam) -> dict[str, str]:
    """What is looked at, by name."""
    from django.urls import reverse

    return {
        PLAIN: reverse("account_home"),
        "home": reverse("home"),
        "practise": reverse("hub", args=[exam.slug]),
        "progress": reverse("readiness", args=[exam.slug]),
        "start of a mock": reverse("mock", args=[exam.slug]),
    }


def in_turns(clients: Sequence[Client], addresses: dict[str, str]) -> dict[str, list[list[float]]]:
    """By page, for each client the milliseconds of each of its requests."""
    found: dict[str, list[list[float]]] = {name: [[] for _ in clients] for name in addresses}
    for turn in range(WARM + ROUNDS):
        for name, address in addresses.items():
            for place, client in enumerate(clients):
                took = cost_of(client, address)
                if turn >= WARM:
                    found[name][place].append(took)
    return found


def cost_of(client: Client, address: str) -> float:
    """Milliseconds of this process that one request takes."""
    began = time.process_time()
    response = client.get(address, secure=True)
    took = 1000 * (time.process_time() - began)
    assert response.status_code == 200, (address, response.status_code)
    return took


def statements(client: Client, address: str) -> int:
    """Of one request, after one that has counted the bank for all."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    client.get(address, secure=True)
    with CaptureQueriesContext(connection) as found:
        client.get(address, secure=True)
    return len(found)


def signed_in(learner: Learner) -> Client:
    """The browser of a learner's account."""
    from django.test import Client

    client = Client()
    client.force_login(learner.user)  # type: ignore[arg-type]
    return client


def learner_with(exam: Exam, sessions: int) -> Learner:
    """An account with so many finished sessions, every tenth a mock, and what is derived from them."""
    from django.db import transaction
    from django.utils import timezone

    from courseiva.accounts.models import User
    from practice.models import ExamPlan, Learner
    from practice.readiness.derive.analyse import refresh_all

    now = timezone.now()
    user = User.objects.create_user(email=f"past{sessions}@learn.example", password="x")
    with transaction.atomic():
        learner = Learner.objects.create(user=user, created_at=now - dt.timedelta(days=DAYS + 1))
        ExamPlan.objects.create(
            learner=learner, exam=exam, exam_date=now.date() + dt.timedelta(days=60), minutes_a_day=60
        )
        sit(learner, exam, sessions, now)
        refresh_all(learner, now)
    return learner


def sit(learner: Learner, exam: Exam, sessions: int, now: dt.datetime) -> None:
    """The rows of finished sessions; each question is as likely as any other, and two answers in three are right."""
    from practice.models import Mode, PracticeSession, SessionItem
    from questions.models import QuestionVersion

    rng, guide = random.Random(sessions), exam.blueprints.get(is_current=True)
    versions = list(QuestionVersion.objects.select_related("solution").order_by("pk"))
    met: set[int] = set()
    for n in range(sessions):
        mode = Mode.DRILL if n % MOCK_EVERY else Mode.MOCK
        total = DRILL if n % MOCK_EVERY else MOCK
        start = now - dt.timedelta(days=1) - dt.timedelta(days=DAYS) * ((sessions - n) / sessions)
        end = start + dt.timedelta(minutes=2 * total)
        session = PracticeSession.objects.create(
            learner=learner, exam=exam, blueprint=guide if mode == Mode.MOCK else None, mode=mode, started_at=start,
            finished_at=end, analysed_at=end, ended="handed_in", total=total, minutes=2 * total,
            deadline=end if mode == Mode.MOCK else None,
        )  # fmt: skip
        items = []
        for position, version in enumerate(rng.sample(versions, total), start=1):
            key = version.solution.key_mask
            chosen = key if rng.random() < 2 / 3 else key << 1 if key << 1 < 32 else key >> 1
            at = start + dt.timedelta(minutes=2 * position - 1)
            items.append(
                SessionItem(
                    session=session, position=position, version=version, option_order="1234", selected=chosen,
                    first_selected=chosen, seconds=rng.randrange(30, 150), displayed_at=at, answered_at=at,
                    checked_at=at if mode == Mode.DRILL else None, seen_before=version.question_id in met,
                    first_exposure=version.question_id not in met, is_correct=chosen == key,
                    confidence=rng.choice([None, 1, 2, 3]),
                )
            )  # fmt: skip
        met |= {item.version.question_id for item in items}
        SessionItem.objects.bulk_create(items)
        PracticeSession.objects.filter(pk=session.pk).update(score=sum(bool(item.is_correct) for item in items))


if __name__ == "__main__":
    import django

    django.setup()
    measure([int(argument) for argument in sys.argv[1:]])
