"""Clients that send one request after another over TLS, and count those that weren't answered."""

from __future__ import annotations

import http.client
import ssl
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

CLIENTS = 4
PATIENCE = 30


@dataclass
class Load:
    """The numbers of responses by status; ``lost`` counts requests that got no response or a server error."""

    answered: Counter[int] = field(default_factory=Counter)
    lost: list[str] = field(default_factory=list)
    turn: threading.Lock = field(default_factory=threading.Lock)

    @property
    def count(self) -> int:
        """Return how many requests were sent."""
        return self.answered.total() + len(self.lost)


@contextmanager
def steady_load(port: int, over: threading.Event) -> Iterator[Load]:
    """Run clients until ``over``: they read, and send a form with every third request."""
    load = Load()
    threads = [threading.Thread(target=_ask, args=(port, load, over), daemon=True) for _ in range(CLIENTS)]
    for thread in threads:
        thread.start()
    try:
        yield load
    finally:
        over.set()
        for thread in threads:
            thread.join(PATIENCE)


def _ask(port: int, load: Load, over: threading.Event) -> None:
    context = ssl._create_unverified_context()
    number = 0
    while not over.is_set():
        number += 1
        client = http.client.HTTPSConnection("localhost", port, timeout=PATIENCE, context=context)
        method, path = ("POST", "/accounts/login/") if number % 3 == 0 else ("GET", "/accounts/login/")
        try:
            client.request(method, path, body=b"login=x" if method == "POST" else None)
            answer = client.getresponse()
            answer.read()
        except (OSError, http.client.HTTPException) as error:
            with load.turn:
                load.lost.append(f"{method} {type(error).__name__}")
        else:
            with load.turn:
                if answer.status >= 500:
                    load.lost.append(f"{method} {answer.status}")
                else:
                    load.answered[answer.status] += 1
        finally:
            client.close()
