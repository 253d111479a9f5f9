"""Measures the processor time of the editors' pages, search and export alongside that of a plain signed-in page.

Each page is requested in process by an editor who is a learner as well, in turns as in ``past``, with the same bank.
Run as a program, it fills one database and measures it.
"""

from __future__ import annotations

import json
import statistics
import tempfile
from pathlib import Path
from urllib.parse import urlencode

from tests.bench.past import LONGEST, PER_DOMAIN, PLAIN, in_turns, signed_in, statements
from tests.bench.table import markdown
from tests.support.needs import find_postgres
from tests.support.scratch import fill, scratch_database
from tests.support.subprocesses import run_python

SESSIONS = 8
WORD = "situation"
EDITOR, DESK, LIST, FOUND = "a question's editor", "the desk", "the list of questions", "a search of the list"
SEARCH, EXPORT = "search", "export of 8 sessions"
BOUNDS = {EDITOR: 16, DESK: 6.5, LIST: 6.5, FOUND: 6.5}
"""The most a page may cost, in plain pages: 100, 40, 40 and 40 ms on a machine where a plain page takes 6.2 ms."""


def section() -> str:
    """Return a table for each database."""
    parts = []
    for title, server in (("SQLite", ""), ("PostgreSQL", find_postgres())):
        text = "Not measured: DATABASE_URL names no PostgreSQL that answers."
        if title == "SQLite" or server:
            text = table(of_database(server))
        parts.append(f"### {title}\n\n{text}")
    return "\n\n".join(parts)


def of_database(server: str) -> dict[str, tuple[float, int]]:
    """Return milliseconds and statements by page, measured in a separate database."""
    with tempfile.TemporaryDirectory() as folder, scratch_database(server, Path(folder)) as url:
        settings = {"DJANGO_SETTINGS_MODULE": "tests.settings", "DEBUG": "0", "ALLOWED_HOSTS": "testserver"}
        fill(url, PER_DOMAIN, **settings)
        done = run_python("-m", "tests.bench.desk", timeout=LONGEST, **settings, DATABASE_URL=url)
    if done.returncode:
        raise SystemExit(done.stderr)
    return json.loads(done.stdout)


def table(found: dict[str, tuple[float, int]]) -> str:
    """Return a row for each page, and below the table anything that exceeds a bound."""
    plain = found[PLAIN][0]
    lines = [[page, f"{ms:.1f}", f"{ms / plain:.1f}", f"{asked:.0f}"] for page, (ms, asked) in found.items()]
    over = [
        f"{page}, {found[page][0] / plain:.1f} plain pages (at most {most:g})"
        for page, most in BOUNDS.items()
        if found[page][0] > most * plain
    ]
    head = ["Page", "ms", "plain pages", "statements"]
    return f"{markdown(head, lines)}\n\nOver a bound: {'; '.join(over) or 'nothing'}."


def measure() -> None:
    """Print as JSON, by page, the milliseconds and the statements of a request."""
    from django.conf import settings

    from questions.models import Exam
    from tests.bench.past import learner_with

    settings.STAFF_SECOND_FACTOR = False  # looked up once, before the first page, and cached afterwards
    learner = learner_with(Exam.objects.get(), SESSIONS)
    user = learner.user
    assert user is not None
    user.is_staff = user.is_superuser = True
    user.save()
    client, addresses = signed_in(learner), pages()
    times = in_turns([client], [addresses])
    print(
        json.dumps({name: (statistics.median(times[name][0]), statements(client, addresses[name])) for name in times})
    )


def pages() -> dict[str, str]:
    """Return the pages to measure, by name."""
    from django.urls import reverse

    from questions.models import Question

    listed = reverse("admin:questions_question_changelist")
    return {
        PLAIN: reverse("account_home"),
        EDITOR: reverse("admin:questions_question_change", args=[Question.objects.order_by("pk")[0].pk]),
        DESK: reverse("admin:questions_question_desk"),
        LIST: listed,
        FOUND: f"{listed}?{urlencode({'q': WORD})}",
        SEARCH: f"{reverse('search')}?{urlencode({'q': WORD})}",
        EXPORT: reverse("export-json"),
    }


if __name__ == "__main__":
    from courseiva.wsgi import settle

    settle()  # as a web worker does
    measure()
