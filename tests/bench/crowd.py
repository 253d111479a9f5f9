"""Very many visitors from one process and one thread, so that the generator takes little of the cores it shares.

Each visitor keeps one connection and asks again only when the answer is there. A time runs from the moment the request
was due, so that a generator or a site that falls behind does not hide it.
"""

from __future__ import annotations

import heapq
import selectors
import socket
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from tests.bench.load import Load

PATIENCE = 20.0
"""Seconds after which an answer that has not come is an error."""
LOOK = 0.5
AFTER_A_FAULT = 1.0
END, LENGTH = b"\r\n\r\n", b"content-length:"
AT_ONCE = 1 << 16


class Visitor(Protocol):
    """Somebody with a connection: what they send next, and what they think of the answer."""

    def ask(self) -> bytes:
        """The whole next request."""

    def hear(self, status: int, body: bytes) -> str:
        """What is wrong with the answer; empty when nothing is."""


@dataclass(frozen=True)
class Answers(Load):
    """What came back, what was wrong with the rest, and the processor seconds the generator itself took."""

    errors: list[str] = field(default_factory=list)
    own_seconds: float = 0.0


class Line:
    """One visitor's connection, and the answer that is coming in on it."""

    def __init__(self, place: int, port: int, visitor: Visitor) -> None:
        self.place, self.port, self.visitor = place, port, visitor
        self.socket: socket.socket | None = None
        self.waits = False
        self.due = 0.0
        self.buffer = b""

    def send(self, due: float, selector: selectors.BaseSelector) -> None:
        """Ask; a connection that is not there is made first."""
        self.due, self.buffer = due, b""
        if self.socket is None:
            self.socket = socket.create_connection(("127.0.0.1", self.port), PATIENCE)
            self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            selector.register(self.socket, selectors.EVENT_READ, self)
        self.waits = True
        self.socket.sendall(self.visitor.ask())

    def receive(self) -> str | None:
        """None while bytes are missing; else what is wrong with the answer. Raises OSError where none will come."""
        assert self.socket is not None
        data = self.socket.recv(AT_ONCE)
        if not data:
            raise ConnectionError("the site closed the connection")
        self.buffer += data
        answer = whole_answer(self.buffer)
        return None if answer is None else self.visitor.hear(*answer)

    def drop(self, selector: selectors.BaseSelector) -> None:
        """Hang up; the next request makes a new connection."""
        if self.socket is not None:
            selector.unregister(self.socket)
            self.socket.close()
        self.socket, self.waits = None, False


def whole_answer(data: bytes) -> tuple[int, bytes] | None:
    """Status and body of an HTTP answer whose length its head tells; None while bytes are missing."""
    head, found, body = data.partition(END)
    if not found:
        return None
    _, named, rest = head.lower().partition(LENGTH)
    if not named:
        raise ConnectionError(f"an answer without a length: {head[:80]!r}")
    wanted = int(rest.split(b"\r\n", 1)[0])
    return (int(head[9:12]), body) if len(body) >= wanted else None


class Crowd:
    """Visitors of one port, with connections that are kept from run to run."""

    def __init__(self, port: int, visitors: Sequence[Visitor]) -> None:
        self.lines = [Line(place, port, visitor) for place, visitor in enumerate(visitors)]
        self.selector = selectors.DefaultSelector()
        self.queue: list[tuple[float, int]] = []
        self.end = 0.0
        self.times: list[float] = []
        self.errors: list[str] = []

    def close(self) -> None:
        """Hang up for good."""
        for line in self.lines:
            line.drop(self.selector)
        self.selector.close()

    def run(self, seconds: float, every: float = 0.0) -> Answers:
        """Each visitor asks every so many seconds, their starts spread evenly, or as fast as answers come."""
        self.times, self.errors = [], []
        used, begin = time.process_time(), time.perf_counter()
        self.end = begin + seconds
        for line in self.lines:
            self._plan(line, begin + every * line.place / len(self.lines))
        while self.queue or any(line.waits for line in self.lines):
            self._send_due()
            for line in self._answered():
                self._plan(line, max(line.due + every, time.perf_counter()))
            if time.perf_counter() > self.end + PATIENCE:
                for line in self.lines:
                    if line.waits:
                        self._fail(line, "no answer")
        took = time.perf_counter() - begin
        return Answers(took, sorted(self.times), self.errors, time.process_time() - used)

    def _plan(self, line: Line, due: float) -> None:
        if due < self.end:
            heapq.heappush(self.queue, (due, line.place))

    def _fail(self, line: Line, wrong: str) -> None:
        self.errors.append(wrong)
        line.drop(self.selector)
        self._plan(line, time.perf_counter() + AFTER_A_FAULT)

    def _send_due(self) -> None:
        """Send what is due by now."""
        while self.queue and self.queue[0][0] <= time.perf_counter():
            due, place = heapq.heappop(self.queue)
            line = self.lines[place]
            try:
                line.send(due, self.selector)
            except OSError as error:
                self._fail(line, str(error))

    def _answered(self) -> Iterator[Line]:
        """Whose answer is whole, until the next request is due."""
        pause = self.queue[0][0] - time.perf_counter() if self.queue else LOOK
        for key, _ in self.selector.select(min(max(pause, 0.0), LOOK)):
            line: Line = key.data
            try:
                wrong = line.receive()
            except OSError as error:
                if line.waits:
                    self._fail(line, str(error))
                else:
                    line.drop(self.selector)  # an idle connection may end at any time
                continue
            if wrong is None:
                continue
            line.waits = False
            if wrong:
                self.errors.append(wrong)
            else:
                self.times.append(1000 * (time.perf_counter() - line.due))
            yield line
