"""Measures what our middleware adds to a request beside Django's own: in process, with a view that does nothing.

Run as a program, it measures with the tests' settings, which leave out the middleware that serves files.
"""

from __future__ import annotations

import contextlib
import json
import logging
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from io import BytesIO
from typing import Any

from tests.bench.table import markdown
from tests.support.subprocesses import run_python

ROUNDS, REQUESTS = 60, 40
NONE, DJANGO, ALL = "none", "Django's seven", "all"
MOST = 1.31
"""The most our own and packages' middleware may add, relative to Django's seven: 0.8 ms where those take 0.61 ms."""


def section() -> str:
    """Return the table."""
    settings = {"DJANGO_SETTINGS_MODULE": "tests.settings", "DEBUG": "0", "ALLOWED_HOSTS": "testserver"}
    done = run_python("-m", "tests.bench.passing", timeout=300, **settings)
    if done.returncode:
        raise SystemExit(done.stderr)
    return table(json.loads(done.stdout))


def table(found: dict[str, float]) -> str:
    """Return the microseconds by the middleware passed, and anything over the bound."""
    share = (found[ALL] - found[DJANGO]) / (found[DJANGO] - found[NONE])
    over = f"{share:.2f} (at most {MOST:g})" if share > MOST else "nothing"
    lines = [[name, f"{took:.0f}"] for name, took in found.items()]
    return (
        f"{markdown(['Middleware', 'microseconds a request'], lines)}\n\n"
        f"The others add {share:.2f} times what Django's seven add. Over a bound: {over}."
    )


def measure() -> None:
    """Print as JSON the median microseconds of a request by the middleware it passes; all take turns."""
    from django.conf import settings

    every = list(settings.MIDDLEWARE)
    chains = {NONE: [], DJANGO: [name for name in every if name.startswith("django.")], ALL: every}
    settings.ROOT_URLCONF = "tests.bench.urls"
    ways = {name: passing(chain) for name, chain in chains.items()}
    times: dict[str, list[float]] = {name: [] for name in ways}
    with log_in_a_file():
        for _ in range(ROUNDS):
            for name, ask in ways.items():
                began = time.process_time()
                for _ in range(REQUESTS):
                    ask()
                times[name].append(1e6 * (time.process_time() - began) / REQUESTS)
    print(json.dumps({name: statistics.median(each) for name, each in times.items()}))


@contextlib.contextmanager
def log_in_a_file() -> Iterator[None]:
    """Log as on a server: each line in a pipe would also wake the process that started this one."""
    console = logging.getLogger().handlers[0]
    assert isinstance(console, logging.StreamHandler)
    with tempfile.TemporaryFile("w") as log:
        before = console.setStream(log)
        yield
        console.setStream(before)


def passing(chain: list[str]) -> Callable[[], None]:
    """Send a signed-in person's request through this middleware to the view that does nothing."""
    from django.conf import settings
    from django.test import RequestFactory

    from courseiva.serving.middleware.requests import Handler

    settings.MIDDLEWARE = chain
    handler = Handler()
    cookies = {"HTTP_COOKIE": f"{settings.SESSION_COOKIE_NAME}=abc; {settings.CSRF_COOKIE_NAME}={'a' * 32}"}
    given: dict[str, Any] = RequestFactory().get("/bare/", secure=True, **cookies).environ  # type: ignore[arg-type]

    def ask() -> None:
        response = handler({**given, "wsgi.input": BytesIO()}, lambda *_: None)
        b"".join(response)
        response.close()

    return ask


if __name__ == "__main__":
    import django

    django.setup()
    measure()
