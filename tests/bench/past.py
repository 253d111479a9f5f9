"""Measures the processor time of a learner's own pages, with a short and with a long past.

The accounts' finished sessions are written as rows; the site's own code derives everything else from them. Each page is
requested in process, as a signed-in browser would; the pages take turns, so that other work on the machine affects all
of them. A figure is a page's median next to that of a plain signed-in page, the account page. What a learner sends is
rolled back each time, without what would follow the commit, so that every turn finds the same past.

Run as a program, it fills one database and measures it.
"""

from __future__ import annotations

import datetime as dt
import json
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlencode

from tests.bench.table import markdown
from tests.support.needs import find_postgres
from tests.support.scratch import fill, scratch_database
from tests.support.subprocesses import run_python

if TYPE_CHECKING:
    from django.http import HttpResponse
    from django.test import Client

    from practice.learners.reads.identity import Owner
    from practice.models import Learner, PracticeSession
    from questions.models import Exam

PASTS = (8, 200, 1000)
"""Finished sessions of the learners that are compared."""
PER_DOMAIN, ROUNDS, WARM = 60, 25, 3
MOCK, DRILL, MOCK_EVERY = 60, 10, 10
DAYS = 120
"""The sessions of every past fall within this many days, the newest of them yesterday."""
PLAIN = "an account's page"
PLAIN_BESIDE_SESSIONS = "an account's page, measured alongside the session pages"
START_MOCK, START_DRILL, CHECK, SUBMIT = "mock, started", "drill, started", "drill's answer", "mock, submitted"
EXPORT = "export of everything"
JSON, FORM = "application/json", "application/x-www-form-urlencoded"
UNKEPT = "anew"
"""Replaced by a different query in each request, so that the page cache doesn't serve it."""
BOUNDS = {
    "home": 3, "practise": 3, "progress": 3, "question page, uncached": 2.5, "running mock": 2.5, "results": 2.5,
    "a result's question": 2.5, CHECK: 2.5,
}  # fmt: skip
"""The most a page may cost, in plain pages of the same run."""
MOST_GROWTH = 1.2
"""The most a page may cost after the longest past, relative to the shortest; an export has every answer in it."""
LONGEST = 1800
"""Seconds that filling and measuring one database may take."""


class Act(NamedTuple):
    """What a learner sends."""

    address: str
    body: str
    kind: str = FORM


Page = str | Act


def section(pasts: Sequence[int] = PASTS) -> str:
    """Return a table for each database."""
    parts = []
    for title, server in (("SQLite", ""), ("PostgreSQL", find_postgres())):
        text = "Not measured: DATABASE_URL names no PostgreSQL that answers."
        if title == "SQLite" or server:
            text = of_database(server, pasts)
        parts.append(f"### {title}\n\n{text}")
    return "\n\n".join(parts)


def of_database(server: str, pasts: Sequence[int]) -> str:
    """Fill a separate database and return its table."""
    with tempfile.TemporaryDirectory() as folder, scratch_database(server, Path(folder)) as url:
        settings = {"DJANGO_SETTINGS_MODULE": "tests.settings", "DEBUG": "0", "ALLOWED_HOSTS": "testserver"}
        fill(url, PER_DOMAIN, **settings)
        done = run_python("-m", "tests.bench.past", *map(str, pasts), timeout=LONGEST, **settings, DATABASE_URL=url)
    if done.returncode:
        raise SystemExit(done.stderr)
    return table(pasts, json.loads(done.stdout))


def table(pasts: Sequence[int], found: dict[str, list[list[float]]]) -> str:
    """Return a row for each page: by past its milliseconds, cost in plain pages of the same past, and statements."""
    head = ["Page", *(f"{past:,} sessions: ms (plain pages, statements)" for past in pasts), "longest past / shortest"]
    lines, over, plain = [], [], [milliseconds for milliseconds, _ in found[PLAIN]]
    for page, cells in found.items():
        if page == PLAIN_BESIDE_SESSIONS:
            plain = [milliseconds for milliseconds, _ in cells]
        told = [
            f"{milliseconds:.1f} ({milliseconds / usual:.1f}, {statements:.0f})"
            for (milliseconds, statements), usual in zip(cells, plain, strict=True)
        ]
        growth = cells[-1][0] / cells[0][0]
        lines.append([page, *told, f"{growth:.2f}"])
        most = max(milliseconds / usual for (milliseconds, _), usual in zip(cells, plain, strict=True))
        if most > BOUNDS.get(page, most):
            over.append(f"{page}, {most:.1f} plain pages (at most {BOUNDS[page]:g})")
        if growth > MOST_GROWTH and page != EXPORT:
            over.append(f"{page}, {growth:.2f} times its cost with a short past (at most {MOST_GROWTH:g})")
    return f"{markdown(head, lines)}\n\nOver a bound: {'; '.join(over) or 'nothing'}."


def measure(pasts: Sequence[int]) -> None:
    """Print as JSON each page's milliseconds and statements per request, for each past."""
    from questions.models import Exam

    exam = Exam.objects.get()
    learners = [learner_with(exam, past) for past in pasts]
    clients = [signed_in(learner) for learner in learners]
    own = figures(clients, [pages(exam)] * len(clients))
    # Afterwards, because a running mock is shown on all the pages above.
    of_sessions = figures(clients, [session_pages(exam, learner) for learner in learners])
    print(json.dumps(own | of_sessions))


def figures(clients: Sequence[Client], addresses: Sequence[Mapping[str, Page]]) -> dict[str, list[tuple[float, int]]]:
    """Return milliseconds and statements by page and client; each page is compared with the plain one in its turns."""
    return {
        name: [
            (statistics.median(times), statements(client, mine[name]))
            for client, mine, times in zip(clients, addresses, of_each, strict=True)
        ]
        for name, of_each in in_turns(clients, addresses).items()
    }


def session_pages(exam: Exam, learner: Learner) -> dict[str, Page]:
    """Return what belongs to a mock and a drill begun just now, to the latest result, and to a public question."""
    from django.urls import reverse
    from django.utils import timezone

    from practice.learners.reads.identity import Owner
    from practice.models import Mode
    from questions.models import Question
    from tests.support.sessions import begin_drill, begin_mock

    owner, now = Owner(user_id=learner.user_id), timezone.now()
    drill, mock = begin_drill(owner, exam, now), begin_mock(owner, exam, MOCK, now)
    save_all(mock, owner, now)
    done = learner.sessions.filter(mode=Mode.MOCK, finished_at__isnull=False).order_by("-started_at")[0]
    # A miss also asks for its reason; the first question may be right in one past and wrong in another.
    missed = done.items.filter(is_correct=False).order_by("position")[0]
    question = Question.objects.filter(exam=exam, number__isnull=False)[0]
    answer = {"p": 1, "seq": 1, "sel": [1], "sec": 40}
    return {
        PLAIN_BESIDE_SESSIONS: reverse("account_home"),
        "question page, uncached": f"{question.get_absolute_url()}?{UNKEPT}",
        "running mock": mock.get_absolute_url(),
        "results": reverse("results", args=[done.uuid]),
        "a result's question": reverse("breakdown", args=[done.uuid, missed.position]),
        CHECK: Act(reverse("check", args=[drill.uuid]), json.dumps({"writer": 0, "items": [answer]}), JSON),
        SUBMIT: Act(reverse("finish", args=[mock.uuid]), ""),
        EXPORT: reverse("export-json"),
    }


def save_all(session: PracticeSession, owner: Owner, now: dt.datetime) -> None:
    """Answer every question of a running session."""
    from practice.sessions.player.save import claim, save
    from tests.support.sessions import batch, state

    states = [state(place, 1, place % 4, seconds=60) for place in range(1, session.total + 1)]
    save(session.uuid, owner, batch(claim(session.uuid, owner, now).writer, *states), now)


def pages(exam: Exam) -> dict[str, Page]:
    """Return the pages and starts to measure, by name."""
    from django.urls import reverse

    guide = exam.blueprints.get(is_current=True)
    return {
        PLAIN: reverse("account_home"),
        "home": reverse("home"),
        "practise": reverse("hub", args=[exam.slug]),
        "progress": reverse("readiness", args=[exam.slug]),
        "start of a mock": reverse("mock", args=[exam.slug]),
        START_MOCK: Act(
            reverse("mock", args=[exam.slug]),
            urlencode({"blueprint": guide.key, "count": MOCK, "time_factor": 1, "conditions": "exam"}),
        ),
        START_DRILL: Act(reverse("drill", args=[exam.slug]), urlencode({"size": DRILL})),
    }


def in_turns(clients: Sequence[Client], addresses: Sequence[Mapping[str, Page]]) -> dict[str, list[list[float]]]:
    """Return by page, for each client, the milliseconds of each of its requests."""
    found: dict[str, list[list[float]]] = {name: [[] for _ in clients] for name in addresses[0]}
    for turn in range(WARM + ROUNDS):
        for name in found:
            for place, client in enumerate(clients):
                took = cost_of(client, addresses[place][name], f"{turn}-{place}")
                if turn >= WARM:
                    found[name][place].append(took)
    return found


def cost_of(client: Client, page: Page, turn: str) -> float:
    """Return the milliseconds of this process that one request takes."""
    began = time.process_time()
    response = send(client, page, turn)
    if response.streaming:
        response.getvalue()
    took = 1000 * (time.process_time() - began)
    assert response.status_code == (302 if isinstance(page, Act) and page.kind != JSON else 200), (page, response)
    return took


def send(client: Client, page: Page, turn: str) -> HttpResponse:
    """Request a page, or send an act and roll it back."""
    from django.db import transaction

    if isinstance(page, str):
        return client.get(page.replace(UNKEPT, turn), secure=True)
    with transaction.atomic():
        response = client.post(page.address, page.body, page.kind, secure=True, HTTP_SEC_FETCH_SITE="same-origin")
        transaction.set_rollback(True)
    return response


def statements(client: Client, page: Page) -> int:
    """Return one request's statements, after another request has counted the bank for everybody."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    send(client, page, "first")
    with CaptureQueriesContext(connection) as found:
        send(client, page, "second")
    return len(found)


def signed_in(learner: Learner) -> Client:
    """Return the browser of a learner's account."""
    from django.test import Client

    client = Client()
    client.force_login(learner.user)  # type: ignore[arg-type]
    return client


def learner_with(exam: Exam, sessions: int) -> Learner:
    """Create an account with this many finished sessions, every tenth a mock, and everything derived from them."""
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
    """Write the rows of finished sessions; all questions are equally likely, and two answers in three are right."""
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
    from courseiva.wsgi import settle

    settle()  # as a web worker does
    measure([int(argument) for argument in sys.argv[1:]])
