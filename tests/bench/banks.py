"""Measures pages with a bank of 300, 3,000 and 30,000 questions: the total time, and the part of it spent in Python.

Each page is requested in process and never comes from the page cache: public pages by a visitor, a learner's own by an
account with eight finished sessions. Sizes can't take turns, so each figure is the quickest of many requests, the one
other work on the machine disturbs least. The search is for a word that occurs in every question.

Run as a program, it fills one database and measures it.
"""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from tests.bench.past import LONGEST, MOCK, UNKEPT, learner_with, signed_in, statements
from tests.bench.table import markdown
from tests.support.needs import find_postgres
from tests.support.scratch import scratch_database
from tests.support.subprocesses import run_python

if TYPE_CHECKING:
    from django.test import Client

    from practice.models import Learner
    from questions.models import Exam

SIZES = (300, 3_000, 30_000)
ROUNDS, PAST = 15, 8
SEARCH = "search"
BOUNDS = {SEARCH: 3.0}
MOST_GROWTH = 1.5
"""The most a page may cost with the largest bank, relative to the smallest; search has a limit of its own."""
Cell = tuple[float, float, int]
"""Milliseconds in total, milliseconds of this process, and statements."""


def section(sizes: Sequence[int] = SIZES) -> str:
    """Return a table for each database."""
    parts = []
    for title, server in (("SQLite", ""), ("PostgreSQL", find_postgres())):
        text = "Not measured: DATABASE_URL names no PostgreSQL that answers."
        if title == "SQLite" or server:
            text = table(sizes, [of_database(server, size) for size in sizes])
        parts.append(f"### {title}\n\n{text}")
    return "\n\n".join(parts)


def of_database(server: str, size: int) -> dict[str, Cell]:
    """Return each page's figures, measured in a separate database."""
    with tempfile.TemporaryDirectory() as folder, scratch_database(server, Path(folder)) as url:
        settings = {"DJANGO_SETTINGS_MODULE": "tests.settings", "DEBUG": "0", "ALLOWED_HOSTS": "testserver"}
        for module in ("growing", "banks"):
            arguments = ["-m", f"tests.bench.{module}", *(["bank", str(size)] if module == "growing" else [])]
            done = run_python(*arguments, timeout=LONGEST, **settings, DATABASE_URL=url)
            if done.returncode:
                raise SystemExit(done.stderr)
    return {name: tuple(cell) for name, cell in json.loads(done.stdout).items()}


def table(sizes: Sequence[int], found: Sequence[dict[str, Cell]]) -> str:
    """Return a row for each page: for each size its milliseconds, those of this process, and its statements."""
    head = ["Page", *(f"{size:,} questions: ms (of them Python, statements)" for size in sizes), "largest / smallest"]
    lines, over = [], []
    for name in found[0]:
        cells = [each[name] for each in found]
        growth, most = cells[-1][0] / cells[0][0], BOUNDS.get(name, MOST_GROWTH)
        told = [f"{whole:.1f} ({own:.1f}, {count})" for whole, own, count in cells]
        lines.append([name, *told, f"{growth:.2f}"])
        if growth > most:
            over.append(f"{name}, {growth:.2f} times its cost in the smallest bank (at most {most:g})")
    return f"{markdown(head, lines)}\n\nOver a bound: {'; '.join(over) or 'nothing'}."


def measure() -> None:
    """Print each page's figures as JSON."""
    from django.test import Client
    from django.utils import timezone

    from questions.models import Exam
    from questions.pages.counted.count import count_all

    exam = Exam.objects.get()
    learner = learner_with(exam, PAST)
    found = {}
    for client, addresses in ((Client(), public(exam)), (signed_in(learner), own(exam, learner))):
        for name, address in addresses.items():
            count_all(timezone.now())  # as the schedule does every minute
            found[name] = (*quickest(partial(_look, client, address)), statements(client, address))
    steps = {
        "start of a mock": partial(_start, exam),
        "start of a drill": partial(_start_drill, exam),
        "analysis": partial(_analyse, exam, learner),
    }
    for name, step in steps.items():
        found[name] = (*quickest(step), _statements_of(step))
    print(json.dumps(found))


def public(exam: Exam) -> dict[str, str]:
    """Return the pages anybody can read."""
    from django.urls import reverse

    from questions.models import Question

    last = Question.objects.filter(exam=exam).order_by("-number")[0]
    pages, listed = last_page(exam), reverse("questions", args=[exam.slug])
    return {
        SEARCH: f"{reverse('search')}?q=situation&{UNKEPT}",
        "sitemap of questions": f"{reverse('sitemap-questions', args=[exam.slug])}?{UNKEPT}",
        "sitemap of sitemaps": f"{reverse('sitemap')}?{UNKEPT}",
        "collections": f"{reverse('collections', args=[exam.slug])}?{UNKEPT}",
        "last page of the list": f"{listed}?page={pages}&{UNKEPT}",
        "list of a domain": f"{listed}?domain=d1&{UNKEPT}",
        "list by difficulty": f"{listed}?difficulty=medium&{UNKEPT}",
        "list of a concept": f"{listed}?concept=c1&{UNKEPT}",
        "list by domain, difficulty and type": f"{listed}?domain=d1&difficulty=medium&kind=single&{UNKEPT}",
        "page of a domain": f"{reverse('domain', args=[exam.slug, 'd1'])}?{UNKEPT}",
        "page of a concept": f"{reverse('concept', args=[exam.slug, 'c1'])}?{UNKEPT}",
        "home": f"{reverse('home')}?{UNKEPT}",
        "errata": f"{reverse('errata')}?{UNKEPT}",
        "study guide": f"{reverse('study-guide', args=[exam.slug])}?{UNKEPT}",
        "exam page": f"{reverse('exam', args=[exam.slug])}?{UNKEPT}",
        "question page, uncached": f"{last.get_absolute_url()}?{UNKEPT}",
        "start page of a mock, for a visitor": f"{reverse('mock', args=[exam.slug])}?{UNKEPT}",
    }


def last_page(exam: Exam) -> int:
    """Return the number of the list's last page."""
    from questions.pages.reads.lists import PER_PAGE

    return -(-exam.highest_number // PER_PAGE)


def own(exam: Exam, learner: Learner) -> dict[str, str]:
    """Return a learner's own pages, read while a mock is in progress."""
    from django.urls import reverse
    from django.utils import timezone

    from practice.learners.reads.identity import Owner
    from practice.sessions.ending.finish import finish
    from tests.support.sessions import begin_mock

    owner = Owner(user_id=learner.user_id)
    over = begin_mock(owner, exam, MOCK, timezone.now())
    finish(over.uuid, owner, timezone.now())
    mock = begin_mock(owner, exam, MOCK, timezone.now())
    return {
        "start page of a mock": reverse("mock", args=[exam.slug]),
        "practise": reverse("hub", args=[exam.slug]),
        "progress": reverse("readiness", args=[exam.slug]),
        "running mock": mock.get_absolute_url(),
        "results": reverse("results", args=[over.uuid]),
    }


def _start(exam: Exam, _: int) -> None:
    """Start a mock of 60 questions as a new guest."""
    from django.utils import timezone

    from tests.support.sessions import begin_mock, guest

    begin_mock(guest()[0], exam, MOCK, timezone.now())


def _start_drill(exam: Exam, _: int) -> None:
    """Start a drill of ten for a new guest, who has seen nothing."""
    from django.utils import timezone

    from tests.support.sessions import begin_drill, guest

    begin_drill(guest()[0], exam, timezone.now(), size=10)


def _analyse(exam: Exam, learner: Learner, _: int) -> None:
    """Work out what is said of a learner, as after each session."""
    from django.db import transaction
    from django.utils import timezone

    from practice.readiness.derive.analyse import refresh

    with transaction.atomic():
        refresh(learner, exam, timezone.now(), timezone.now())


def _look(client: Client, address: str, turn: int) -> None:
    """Request a page that isn't in the page cache."""
    response = client.get(address.replace(UNKEPT, f"{UNKEPT}={turn}"), secure=True)
    assert response.status_code == 200, (address, response.status_code)


def _statements_of(step: Callable[[int], None]) -> int:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    with CaptureQueriesContext(connection) as found:
        step(0)
    return len(found)


def quickest(step: Callable[[int], None]) -> tuple[float, float]:
    """Return the lowest milliseconds of many requests, in total and in this process, once the caches are filled."""
    step(-1)
    turns = list(_timed(step))
    return min(whole for whole, _ in turns), min(own for _, own in turns)


def _timed(step: Callable[[int], None]) -> Iterator[tuple[float, float]]:
    for turn in range(ROUNDS):
        began, cpu = time.perf_counter(), time.process_time()
        step(turn)
        yield 1000 * (time.perf_counter() - began), 1000 * (time.process_time() - cpu)


if __name__ == "__main__":
    import django

    django.setup()
    measure()
