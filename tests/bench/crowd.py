"""Plays very many visitors from one process and one thread, so that the generator takes little of the shared cores.

Each visitor keeps one connection and sends the next request only once the answer is in. Times run from the moment a
request was due, so that they show it if the generator or the site falls behind.
"""

from __future__ import annotations

import heapq
import selectors
import socket
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain

from tests.bench.load import Load

PATIENCE = 20.0
"""Seconds after which a missing answer counts as an error."""
LOOK = 0.5
AFTER_A_FAULT = 1.0
END, LENGTH, LOCATION = b"\r\n\r\n", b"content-length:", b"\r\nlocation:"
AT_ONCE = 1 << 16


@dataclass(frozen=True)
class Answer:
    """A complete HTTP response, with its redirect target if it has one."""

    status: int
    body: bytes
    location: str = ""


class Visitor(ABC):
    """Somebody with a connection: decides what to send next and whether the answer is right."""

    kind = ""
    """The kind of the last request sent; times are grouped by it."""
    at_once = False
    """The next request follows the answer without a pause."""
    over = False
    """No more requests follow."""

    @abstractmethod
    def ask(self) -> bytes:
        """Return the whole next request."""

    @abstractmethod
    def hear(self, answer: Answer) -> str:
        """Return what is wrong with the answer, or an empty string."""


@dataclass(frozen=True)
class Answers(Load):
    """What came back, what was wrong with the rest, the processor seconds the generator itself took, and the times of
    each kind of request, sorted."""

    errors: list[str] = field(default_factory=list)
    own_seconds: float = 0.0
    by_kind: dict[str, list[float]] = field(default_factory=dict)


class Line:
    """One visitor's connection, and the answer arriving on it."""

    def __init__(self, place: int, port: int, visitor: Visitor) -> None:
        self.place, self.port, self.visitor = place, port, visitor
        self.socket: socket.socket | None = None
        self.waits = False
        self.due = 0.0
        self.buffer = b""

    def send(self, due: float, selector: selectors.BaseSelector) -> None:
        """Send a request, connecting first if necessary."""
        self.due, self.buffer = due, b""
        if self.socket is None:
            self.socket = socket.create_connection(("127.0.0.1", self.port), PATIENCE)
            self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            selector.register(self.socket, selectors.EVENT_READ, self)
        self.waits = True
        self.socket.sendall(self.visitor.ask())

    def receive(self) -> str | None:
        """Return what is wrong with the answer, or None while bytes are missing. Raises OSError if no answer will
        come.
        """
        assert self.socket is not None
        data = self.socket.recv(AT_ONCE)
        if not data:
            raise ConnectionError("the site closed the connection")
        self.buffer += data
        answer = whole_answer(self.buffer)
        return None if answer is None else self.visitor.hear(answer)

    def drop(self, selector: selectors.BaseSelector) -> None:
        """Close the connection; the next request opens a new one."""
        if self.socket is not None:
            selector.unregister(self.socket)
            self.socket.close()
        self.socket, self.waits = None, False


def whole_answer(data: bytes) -> Answer | None:
    """Return the HTTP response once it is complete by its Content-Length; None before that."""
    head, found, body = data.partition(END)
    if not found:
        return None
    wanted = _field(head, LENGTH)
    if not wanted:
        raise ConnectionError(f"an answer without a length: {head[:80]!r}")
    return Answer(int(head[9:12]), body, _field(head, LOCATION)) if len(body) >= int(wanted) else None


def _field(head: bytes, name: bytes) -> str:
    """Return the value of this header, or an empty string if the response doesn't have it."""
    place = head.lower().find(name)
    return "" if place < 0 else head[place + len(name) :].split(b"\r\n", 1)[0].strip().decode()


class Crowd:
    """Visitors of one port, with connections that are kept from run to run."""

    def __init__(self, port: int, visitors: Sequence[Visitor]) -> None:
        self.lines = [Line(place, port, visitor) for place, visitor in enumerate(visitors)]
        self.selector = selectors.DefaultSelector()
        self.queue: list[tuple[float, int]] = []
        self.end = 0.0
        self.times: dict[str, list[float]] = {}
        self.errors: list[str] = []

    def close(self) -> None:
        """Close all connections for good."""
        for line in self.lines:
            line.drop(self.selector)
        self.selector.close()

    def run(self, seconds: float, every: float = 0.0, arrivals: float | None = None) -> Answers:
        """Let each visitor send a request at this interval in seconds, or as fast as answers come. Starts are spread
        evenly over one interval, or over ``arrivals`` seconds.
        """
        self.times, self.errors = {}, []
        spread = every if arrivals is None else arrivals
        used, begin = time.process_time(), time.perf_counter()
        self.end = begin + seconds
        for line in self.lines:
            self._plan(line, begin + spread * line.place / len(self.lines))
        while self.queue or any(line.waits for line in self.lines):
            self._send_due()
            for line in self._answered():
                if not line.visitor.over:
                    pause = 0.0 if line.visitor.at_once else every
                    self._plan(line, max(line.due + pause, time.perf_counter()))
            if time.perf_counter() > self.end + PATIENCE:
                for line in self.lines:
                    if line.waits:
                        self._fail(line, "no answer")
        took = time.perf_counter() - begin
        by_kind = {kind: sorted(times) for kind, times in self.times.items()}
        return Answers(took, sorted(chain(*by_kind.values())), self.errors, time.process_time() - used, by_kind)

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
        """Read until the next request is due; yields the visitors whose answer is complete."""
        pause = self.queue[0][0] - time.perf_counter() if self.queue else LOOK
        for key, _ in self.selector.select(min(max(pause, 0.0), LOOK)):
            line: Line = key.data
            try:
                wrong = line.receive()
            except OSError as error:
                if line.waits:
                    self._fail(line, str(error))
                else:
                    line.drop(self.selector)  # an idle connection may be closed at any time
                continue
            if wrong is None:
                continue
            line.waits = False
            if wrong:
                self.errors.append(wrong)
            else:
                self.times.setdefault(line.visitor.kind, []).append(1000 * (time.perf_counter() - line.due))
            yield line
