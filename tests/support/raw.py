"""Sends a request as the web server hands it over: any bytes in any header, to the application it serves."""

from __future__ import annotations

import io
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.core import signals
from django.db import close_old_connections

from courseiva.wsgi import application

FORM = "application/x-www-form-urlencoded"


@dataclass(frozen=True)
class Answer:
    """The application's response."""

    status: int
    headers: dict[str, str]
    body: bytes


def ask(method: str, address: str, body: bytes = b"", **environ: str) -> Answer:
    """Send a request; ``environ`` has WSGI's keys, such as HTTP_COOKIE. The application's exceptions are passed on.

    ``address`` is as in the request line, including its quoting.
    """
    path, _, query = address.partition("?")
    began: list[Any] = []
    made = {
        "REQUEST_METHOD": method,
        "SCRIPT_NAME": "",
        "PATH_INFO": path,
        "QUERY_STRING": query,
        "SERVER_NAME": "testserver",
        "SERVER_PORT": "80",
        "REMOTE_ADDR": "127.0.0.1",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "CONTENT_LENGTH": str(len(body)),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": "http",
        "wsgi.input": io.BytesIO(body),
        "wsgi.errors": io.StringIO(),
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }
    signals.request_started.disconnect(close_old_connections)  # so a test's transaction stays open
    try:
        parts: Iterable[bytes] = application(made | environ, lambda status, headers: began.extend((status, headers)))
        content = b"".join(parts)
    finally:
        signals.request_started.connect(close_old_connections)
    status, headers = began
    return Answer(int(status.split()[0]), dict(headers), content)
